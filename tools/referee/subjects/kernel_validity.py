"""`psd_certificate` and `refute`: kernels, and functions that are none."""

from fractions import Fraction

import numpy as np

from lectures_lib import kernels
from lectures_lib.kernels import Function, Gaussian, Laplace, Linear, Polynomial
from tools.referee import api, draw
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, Matrix, dot, exact, is_psd

#: A matrix is refused for certain if it fails by this much, relative to its diagonal.
CLEAR = Fraction(1, 10**7)

VALID = (
    Linear(),
    Polynomial(3),
    Polynomial(2, one=False),
    Gaussian(0.7),
    Laplace(0.8),
    Gaussian(1.0) * Linear() + Polynomial(2),
    Function(lambda x, z: float(np.exp(x @ z)), "exp(x·z)"),
)
INVALID = (
    Function(lambda x, z: float(np.tanh(x @ z - 1.0)), "tanh(x·z - 1)"),
    Function(lambda x, z: float(np.tanh(2.0 * (x @ z) - 3.0)), "tanh(2 x·z - 3)"),
    Function(lambda x, z: float(x[0] - z[-1]), "x_1 - z_d"),
    Function(lambda x, z: float(np.sum((x - z) ** 2)), "norm(x - z)^2"),
    Function(lambda x, z: float((1.0 + x @ z) ** 6 - 2.0), "(1 + x·z)^6 - 2"),
)


def matrices(rng: np.random.Generator, ledger: Ledger) -> None:
    """Compare the verdict on one matrix with exact elimination."""
    name = str(rng.choice(list(MATRICES)))
    K = MATRICES[name](rng)
    what = f"psd_certificate [{name}] n={len(K)}"
    options = api.known_options(kernels.psd_certificate, exact=bool(rng.random() < 0.3))
    certificate = ledger.call(what, kernels.psd_certificate, K, **options)
    if certificate is None:
        return
    said = api.psd_verdict(certificate)
    Q = exact(K)
    true = symmetric(Q) and is_psd(Q)
    right = true if options.get("exact") else not clearly_not(Q)
    if said == "proved":
        right = right and as_printed(Q, str(certificate))
    ledger.verdict(f"{what} {options}", said, right=right, tight=true)
    if name == "whole" and is_psd(Q):
        ledger.ordinary(what, said == "proved")


def as_printed(Q: Matrix, text: str) -> bool:
    """Return whether "symmetric" and "K + eta diag(K) is PSD" are true, as they are printed."""
    n, near = range(len(Q)), api.printed(text, "symmetric to ", ",")
    if near is None and not symmetric(Q):
        return False
    eta = Fraction(api.printed(text, "(K + ", " diag(K) is PSD)"))
    even = [[(Q[i][j] + Q[j][i]) / 2 for j in n] for i in n]
    return is_psd([[even[i][j] * (1 + eta * (i == j)) for j in n] for i in n])


#: Parameters that may be spoilt, and how; each makes a kernel or is refused.
PARAMETERS = (
    lambda v: Polynomial(2, one=v),
    lambda v: Polynomial(v),
    lambda v: Polynomial(3, one=False) + Polynomial(v, one=v),
    Gaussian,
    Laplace,
    kernels.Constant,
    lambda v: v * Linear(),
    lambda v: Linear() ** v,
    lambda v: kernels.Multiple(v, Gaussian(1.0)),
    lambda v: kernels.Power(Linear(), v),
)
SPOILT = (-1, 0, 0.5, -0.5, 2.5, True, False, np.nan, np.inf, -np.inf, None, "1", 10**400, [1], 3)


def parameters(rng: np.random.Generator, ledger: Ledger) -> None:
    """Make a kernel of a strange parameter: it is refused in a sentence, or it is a kernel."""
    make, value = PARAMETERS[rng.integers(len(PARAMETERS))], SPOILT[rng.integers(len(SPOILT))]
    made = ledger.call(f"a kernel with the parameter {value!r}", make, value, legal=False)
    if made is None:
        return
    X = rng.integers(-3, 4, size=(int(rng.integers(1, 6)), 2)).astype(float)
    K = ledger.call(f"{made!r} of {value!r}", made, X, legal=False)
    if K is not None and made.valid:
        ledger.verdict(f"{made!r} of {value!r}", "proved", right=not clearly_not(exact(K)))


def symmetric(Q: Matrix) -> bool:
    """Return whether mirrored entries are equal."""
    return all(Q[i][j] == Q[j][i] for i in range(len(Q)) for j in range(i))


def clearly_not(Q: Matrix) -> bool:
    """Return whether a matrix fails beyond rounding: of its diagonal, scaled to be 1."""
    n = range(len(Q))
    if any(Q[i][i] < 0 for i in n):
        return True
    for i in n:
        for j in n:
            room = CLEAR**2 * Q[i][i] * Q[j][j]
            if (Q[i][j] - Q[j][i]) ** 2 > room:
                return True
    even = [[(Q[i][j] + Q[j][i]) / 2 for j in n] for i in n]
    return not is_psd([[even[i][j] * (1 + CLEAR * (i == j)) for j in n] for i in n])


def _whole(rng, most: int = 8):
    X = rng.integers(-4, 5, size=(int(rng.integers(1, most)), int(rng.integers(1, 5))))
    return (X @ X.T).astype(float)


def _by_one(rng):
    """Take so much off along one direction that one eigenvalue is negative, or just not."""
    n = int(rng.integers(2, 7))
    X = rng.integers(-4, 5, size=(n, n + 1)).astype(float)
    K = X @ X.T
    v = rng.integers(-2, 3, size=n).astype(float)
    return K - np.round(draw.power(rng, 0, 3)) * np.outer(v, v)


def _asymmetric(rng):
    K = _whole(rng) + 1.0
    if len(K) > 1:
        K[0, -1] += draw.power(rng, -12, 1) * np.abs(K).max()
    return K


def _small_block(rng):
    """A large valid block hides a small one that is not."""
    K = np.zeros((3, 3))
    K[0, 0] = np.round(draw.power(rng, 3, 14))
    off = float(rng.choice([0.5, 1.0, 1.5, 5.0]))
    K[1:, 1:] = [[1.0, off], [off * float(rng.choice([1.0, 1.0, -1.0])), 1.0]]
    return K


def _gram(rng):
    X, _, _ = draw.points(rng, 1, 8, 3)
    return draw.kernel(rng, X)(X)


def _non_kernel(rng):
    X = rng.normal(size=(int(rng.integers(1, 8)), 2)) * draw.power(rng, -1, 1.3)
    return INVALID[rng.integers(len(INVALID))](X)


MATRICES = {
    "whole": _whole,
    "one eigenvalue": _by_one,
    "asymmetric": _asymmetric,
    "small block": _small_block,
    "gram": _gram,
    "non-kernel": _non_kernel,
    "diagonal": lambda rng: np.diag(rng.choice([-1.0, 0.0, 1e-9, 1.0, 1e12], size=3)),
}


def refutations(rng: np.random.Generator, ledger: Ledger) -> None:
    """A valid kernel is never refuted; a refutation's vector refutes, in fractions."""
    valid = bool(rng.random() < 0.5)
    kernel = VALID[rng.integers(len(VALID))] if valid else INVALID[rng.integers(len(INVALID))]
    d, seed = int(rng.integers(1, 4)), int(rng.integers(1000))
    what = f"refute {kernel!r} d={d} rng={seed}"
    found = ledger.call(what, kernels.refute, kernel, d, rng=seed, tries=3, sizes=(1, 2, 3, 6))
    if found is None:
        return
    if valid:
        ledger.verdict(what, "refuted", right=True)
        return
    ledger.verdict(what, "refuted", right=not refutes(kernel, found))


def refutes(kernel, found) -> bool:
    """Return whether the points refute the kernel: an asymmetry, or v'Kv < 0 by its vector."""
    K = exact(kernel(found.X))
    if not symmetric(K):
        return True
    if found.certificate.v is None:
        return not is_psd(K)
    v = exact(found.certificate.v)
    return dot(v, [dot(row, v) for row in K]) < ZERO
