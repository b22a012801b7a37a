"""Is a Gram matrix positive semi-definite? A proof up to a stated level, or a vector against it.

Rounding alone gives a valid Gram matrix tiny negative eigenvalues. So what is claimed is:
K + eta diag(K) is positive semi-definite, for an eta that is stated. It is what is left of
"positive semi-definite" for the matrix of unit diagonal, whatever the scale of each example.

The proof: let K have positive diagonal and let L be *any* lower triangular matrix, say the one
that Cholesky's algorithm returns for K + s diag(K). With R = K + s diag(K) - L L' and
R'_ij = R_ij / sqrt(K_ii K_jj),  v'Kv + s v'diag(K)v = norm(L'v)^2 + v'Rv, and the last is at least
-norm(R') v'diag(K)v, in Frobenius' norm. So eta = s + norm(R'). The computed L L' errs by at most
g_n abs(l_i) abs(l_j) in its entry i, j: nothing about Cholesky's own rounding is assumed.
(Higham, Accuracy and Stability, 3.5 and 10.1; Rump 2006 proves positive definiteness alike.)
Before, K is scaled by powers of 2, which is exact, so that its diagonal is between 1 and 4.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_number, check_points
from .rounding import SAFE, TINY, UNIT, Enclosure, enclosed_dot, enclosed_product, growth, is_exact
from .verdict import Proof, Verdict, rounded_up

#: Where floating point leaves it open, decide matrices up to this many rows in fractions.
EXACT_SIZE = 30
#: Entries that differ by this, relative, and levels up to this count as rounding.
DEFAULT_TOL = 1e-10
#: The level is raised by this factor where Cholesky's algorithm stops.
RAISED_BY = 2.0**8
#: Rows of a product that is its own mirror image are made this many at a time: a third of the work.
BLOCK = 128


@dataclass(frozen=True, eq=False)
class PSDLevel(Proof):
    """How nearly a symmetric matrix is positive semi-definite, or a vector that shows it is not."""

    eta: float | None  #: K + eta diag(K) is positive semi-definite; None: that is not proved
    v: np.ndarray | None = None  #: v'Kv < 0; None: no such vector was found
    value: float = 0.0  #: v'Kv

    @property
    def verdict(self) -> Verdict:
        """Return "proved" (up to eta), "refuted" (by v) or "undecided"."""
        if self.eta is not None:
            return "proved"
        return "undecided" if self.v is None else "refuted"


@dataclass(frozen=True, eq=False)
class PSDCertificate(Proof):
    """The verdict on one Gram matrix, with the vector that proves a refusal."""

    symmetric: bool  #: K equals its transpose up to rounding
    least: float  #: the smallest eigenvalue (of the symmetric part), as computed
    tolerance: float  #: eigenvalues up to this count as 0: tol times the largest absolute one
    v: np.ndarray | None  #: unit vector with v'Kv = `value` < 0; None if none was found
    value: float  #: v'Kv, or the largest abs(K - K') where K is not symmetric
    eta: float | None  #: K + eta diag(K) is positive semi-definite; None: that is not proved
    skew: float = 0.0  #: how far mirrored entries may differ, relative; 0: they are equal

    @property
    def verdict(self) -> Verdict:
        """Return "proved" (up to eta), "refuted" (by v, or not symmetric) or "undecided"."""
        if not self.symmetric or self.v is not None:
            return "refuted"
        return "undecided" if self.eta is None else "proved"

    @property
    def valid(self) -> bool:
        """The matrix is proved to be symmetric and, up to eta, positive semi-definite."""
        return self.holds

    @property
    def reason(self) -> str:
        """The verdict in words."""
        if not self.symmetric:
            return f"not symmetric: two mirrored entries differ by {self.value:.4g}"
        if self.v is not None:
            return f"v'Kv = {self.value:.4g} < 0 for the unit vector v of the certificate"
        if self.eta is None:
            return f"undecided: least eigenvalue {self.least:.4g}, which may be rounding"
        same = f"symmetric to {rounded_up(self.skew, 2)}" if self.skew else "symmetric"
        return f"{same}, least eigenvalue {self.least:.4g}: none below rounding"

    def __str__(self) -> str:
        """Return the verdict and its reason."""
        level = "" if self.eta is None else f" (K + {rounded_up(self.eta, 2)} diag(K) is PSD)"
        return f"{self.verdict}: {self.reason}{level}"


@explained
def psd_certificate(
    K: ArrayLike, *, tol: float | None = None, exact: bool = False
) -> PSDCertificate:
    """Decide whether `K` is symmetric positive semi-definite, and prove it if not (L4, L5).

    "proved": K + eta diag(K) is positive semi-definite for an eta up to `tol`. `exact` asks for
    eta = 0, and decides it in fractions. One valid Gram matrix proves nothing about all others; one
    refuted matrix refutes the kernel.

    Parameters
    ----------
    K : (n, n) a matrix
    tol : the largest eta that still counts as rounding; None: 1e-10, or what n^2 roundings make of
        many rows, if that is more
    exact : decide eta = 0, in fractions

    Examples
    --------
    >>> proof.psd_certificate([[1.0, 2.0], [2.0, 1.0]]).verdict
    'refuted'
    """
    K = _check_square(K)
    values, vectors = np.linalg.eigh(_symmetric(K))
    near = DEFAULT_TOL if tol is None else check_number(tol, "tol", 0)
    least, tolerance = float(values[0]), near * float(np.abs(values).max())
    if not is_symmetric(K, 0.0 if exact else near):
        return PSDCertificate(False, least, tolerance, None, float(np.abs(K - K.T).max()), None)
    most = max(near, _least_level(len(K))) if tol is None else near
    level = exact_level(K) if exact else _level(K, most, vectors[:, 0])
    value = level.value if level.v is not None else float(vectors[:, 0] @ K @ vectors[:, 0])
    skew = 0.0 if (K == K.T).all() else near
    return PSDCertificate(True, least, tolerance, level.v, value, level.eta, skew)


@explained
def psd_level(K: ArrayLike, *, most: float = 1e-6) -> PSDLevel:
    """Return a level eta up to which a symmetric `K` is positive semi-definite.

    It is at most `most`, or what n^2 roundings make of many rows, if that is more.
    A few times n^3/3 operations for Cholesky's algorithm, and n^3 for each check of its answer.
    """
    K = _check_square(K)
    return _level(K, max(most, _least_level(len(K))))


def is_symmetric(K: np.ndarray, rtol: float = 1e-10) -> bool:
    """Return whether mirrored entries agree, relative to sqrt(K_ii K_jj) or to themselves."""
    if largest_skew(K) <= rtol * max(0.0, K.diagonal().min(initial=np.inf)):
        return True
    roots = np.sqrt(np.maximum(K.diagonal(), 0.0))
    sizes = np.maximum(np.multiply.outer(roots, roots), np.maximum(np.abs(K), np.abs(K.T)))
    return bool((np.abs(K - K.T) <= rtol * sizes).all())


def largest_skew(K: np.ndarray) -> float:
    """Return by how much two mirrored entries differ at most."""
    skew = K - K.T
    return float(max(skew.max(initial=0.0), -skew.min(initial=0.0)))


@explained
def exact_level(K: ArrayLike, eta: float = 0.0) -> PSDLevel:
    """Decide in fractions whether K + eta diag(K) is positive semi-definite, by elimination.

    Of the symmetric part, and for any size that one has the patience for. The rows t_i of T keep
    t_i'K t_j = S_ij for what is left of the matrix: a negative entry on its diagonal, or 0 there
    beside an entry that is not 0, gives the vector that refutes.
    """
    eta = check_number(eta, "eta", 0.0) if isinstance(eta, float) else eta
    F = [
        [Fraction(entry) for entry in row]
        for row in (np.asarray(K) if is_exact(K) else _check_square(K)).tolist()
    ]
    n, left = len(F), list(range(len(F)))
    S = [[(F[i][j] + F[j][i]) / 2 * (1 + (i == j) * Fraction(eta)) for j in left] for i in left]
    T = [[Fraction(int(i == j)) for j in left] for i in left]
    while left:
        against = _refuting(S, left)
        if against is not None:
            return _refuted(
                F, [sum((c * T[i][j] for i, c in against), Fraction(0)) for j in range(n)]
            )
        p = max(left, key=lambda i: S[i][i])
        left.remove(p)
        if S[p][p] == 0:
            break  # nothing but zeros is left
        _eliminate(S, T, p, left)
    return PSDLevel(float(eta))


def _refuting(S: list, left: list[int]) -> list[tuple[int, int]] | None:
    """Return u with u'Su < 0, as pairs (place, entry), if a glance at S shows one."""
    for i in left:
        if S[i][i] < 0:
            return [(i, 1)]
        if S[i][i] == 0:
            j = next((j for j in left if S[i][j] != 0), None)
            if j is not None:  # c (2 u_j S_ij) + S_jj < 0 for a c that is large enough
                return [(i, -(S[j][j] + 1) / S[i][j]), (j, 1)]
    return None


def _eliminate(S: list, T: list, p: int, left: list[int]) -> None:
    for i in left:
        factor = S[i][p] / S[p][p]
        if factor:
            S[i] = [a - factor * b for a, b in zip(S[i], S[p])]
            T[i] = [a - factor * b for a, b in zip(T[i], T[p])]


def _refuted(F: list, v: list[Fraction]) -> PSDLevel:
    """Return the refutation by v: a unit vector of floats; fractions where only they show it."""
    largest = max(map(abs, v))
    exact = np.array([entry / largest for entry in v], dtype=object)
    unit = exact.astype(float) / np.linalg.norm(exact.astype(float))
    found = unit if _exact_form(F, unit) < 0 else exact
    return PSDLevel(None, found, _below_zero(_exact_form(F, found)))


def _below_zero(value: Fraction) -> float:
    """Return a negative fraction as a float that is below 0, too."""
    return min(float(value), -TINY)


def _level(K: np.ndarray, most: float, guess: np.ndarray | None = None) -> PSDLevel:
    """Return the verdict on the symmetric part; `guess` may be a vector that refutes."""
    zero = np.flatnonzero(K.diagonal() == 0)
    if (K.diagonal() >= 0).all() and not (K[zero].any() or K[:, zero].any()):
        eta = _proved_level(K, most)
        if eta is not None:
            return PSDLevel(eta)
    found = _against(K, guess)
    if found.v is not None or len(K) > EXACT_SIZE:
        return found
    return exact_level(K, most)


def _proved_level(K: np.ndarray, most: float) -> float | None:
    """Return an eta <= most for which the proof succeeds; K has no negative diagonal entry."""
    S = _scaled(K)[0]
    if len(S) == 0:
        return 0.0  # K = 0
    if most == 0 or not np.isfinite(S).all():
        return None  # rounding has no room, or an entry is far above the root of K_ii K_jj
    s = min(len(S) * growth(len(S) + 3), most)
    while s <= most:
        eta = _eta(S, s)
        if eta is not None and eta <= most:
            return eta
        s *= RAISED_BY
    return None


def _eta(S: np.ndarray, s: float) -> float | None:
    """Return s + norm(R'), as the module derives it; None if Cholesky's algorithm stops."""
    A, diagonal = S.copy(), S.diagonal()
    np.fill_diagonal(A, diagonal * (1.0 + s))
    try:
        L = np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        return None
    norm = _norm_of_rest(A, L, np.sqrt(diagonal))
    rows = float(np.sum(np.einsum("ij,ij->i", L, L) / diagonal))
    error = growth(len(S) + 4) * rows + 2 * growth(8) * norm
    return float(SAFE * (s + 4 * UNIT + norm + error))


def _norm_of_rest(A: np.ndarray, L: np.ndarray, root: np.ndarray) -> float:
    """Return Frobenius' norm of A - L L', scaled: some rows at a time, up to the diagonal."""
    total = 0.0
    for first in range(0, len(A), BLOCK):
        rows, end = slice(first, first + BLOCK), min(first + BLOCK, len(A))
        R = A[rows, :end] - L[rows, :end] @ L[:end, :end].T
        R /= np.multiply.outer(root[rows], root[:end])
        total += 2.0 * np.linalg.norm(R[:, :first]) ** 2 + np.linalg.norm(R[:, first:]) ** 2
    return float(np.sqrt(total))


def _against(K: np.ndarray, guess: np.ndarray | None) -> PSDLevel:
    """Return a vector v with v'Kv < 0, rounding included, or "undecided"."""
    for v in _suspects(K, guess):
        form = _form(K, v)
        if form.high < 0:
            return PSDLevel(None, v, float(form))
        if form.low < 0 and len(K) <= 4 * EXACT_SIZE and (value := _exact_form(K.tolist(), v)) < 0:
            return PSDLevel(None, v, _below_zero(value))
    return PSDLevel(None)


def _suspects(K: np.ndarray, guess: np.ndarray | None):
    """Yield unit vectors v that may have v'Kv < 0."""
    if guess is not None:
        yield guess
    diagonal = K.diagonal()
    if diagonal.min() < 0:
        yield np.eye(len(K))[np.argmin(diagonal)]
    if (diagonal > 0).any():
        yield _scaled_eigenvector(K)
    if len(K) > 1:
        yield _worst_pair(K)


def _scaled_eigenvector(K: np.ndarray) -> np.ndarray:
    """Return the vector of the least eigenvalue of the scaled matrix, scaled back."""
    S, kept, exponents = _scaled(K)
    w = np.zeros(len(K))
    w[kept] = np.linalg.eigh(np.clip(S, -4.0, 4.0))[1][:, 0]  # no PSD matrix has more than 4
    w[kept] = np.ldexp(w[kept], exponents.min() - exponents)
    return w / np.linalg.norm(w)


def _worst_pair(K: np.ndarray) -> np.ndarray:
    """Return the vector that refutes the 2 x 2 minor whose K_ij is largest for its diagonal."""
    roots, H = np.sqrt(np.maximum(K.diagonal(), 0.0)), np.abs(_symmetric(K))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.nan_to_num(H / np.multiply.outer(roots, roots), nan=0.0)
    np.fill_diagonal(ratio, -1.0)
    i, j = np.unravel_index(np.argmax(ratio), K.shape)
    i, j = (i, j) if roots[i] <= roots[j] else (j, i)
    v = np.zeros(len(K))
    v[i], v[j] = roots[j] or 1.0, -roots[i]
    if roots[i] == 0 and H[i, j] > 0:  # then v'Kv = v_j (K_jj v_j - 2 abs(K_ij)) < 0
        v[i], v[j] = 1.0, -H[i, j] / (roots[j] ** 2 + H[i, j])
    v[j] = v[j] if K[i, j] + K[j, i] > 0 else -v[j]
    return v / np.linalg.norm(v)


def _scaled(K: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (S, kept, e): the symmetric part of rows and columns with K_ii > 0, times 2^-e."""
    kept = np.flatnonzero(K.diagonal() > 0)
    exponents = (np.frexp(K.diagonal()[kept])[1] - 1) // 2
    S = _symmetric(K[np.ix_(kept, kept)])
    with np.errstate(over="ignore"):
        return np.ldexp(S, -np.add.outer(exponents, exponents)), kept, exponents


def _form(K: np.ndarray, v: np.ndarray) -> Enclosure:
    Kv, errors = enclosed_product(K, v)
    return enclosed_dot(v, Kv, 0.0, errors)


def _exact_form(K: list | np.ndarray, v: np.ndarray) -> Fraction:
    v = [Fraction(entry) for entry in v.tolist()]
    rows = (sum(Fraction(a) * c for a, c in zip(row, v) if c) for row in K)
    return sum((c * r for c, r in zip(v, rows) if c), Fraction(0))


def _least_level(n: int) -> float:
    """Return a level that rounding in the proof alone can need."""
    return 8 * n * growth(n + 3)


def _symmetric(K: np.ndarray) -> np.ndarray:
    return 0.5 * (K + K.T)


def _check_square(K: ArrayLike) -> np.ndarray:
    K = check_points(K, "K", copy=False)
    if K.shape[0] != K.shape[1]:
        raise BadArgument(f"K has shape {K.shape}; a Gram matrix is square.")
    return K
