"""The algebra of kernels: what all kernels share, and the composition rules of L5.

Each rule also carries rounding errors along. If the entries of two Gram matrices err by at most
e1 N1 and e2 N2, where N = sqrt(K(x, x) K(z, z)) bounds abs(K(x, z)) in each, then those of the sum
err by max(e1, e2) (N1 + N2) <= max(e1, e2) N, by Cauchy and Schwarz, and those of the product by
((1 + e1) (1 + e2) - 1) N; each operation adds u, relative to N.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument
from ..conventions import check_count, check_number, check_points
from ..proof.rounding import SAFE, UNIT
from .rounding import LARGEST_ROUNDING, compound, in_range, power, repeated


class Kernel:
    """What all kernels share: the Gram block, its diagonal, and the algebra.

    Examples
    --------
    >>> (kernels.Linear() + 2 * kernels.Polynomial(2)) ** 2
    (x·z + 2·(1 + x·z)^2)^2
    """

    #: Theory proves that it is positive semi-definite if its parts are.
    proved = False

    @property
    def valid(self) -> bool:
        """Theory proves it positive semi-definite; False: that is not known."""
        parts = (part for part in vars(self).values() if isinstance(part, Kernel))
        return self.proved and all(part.valid for part in parts)

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Return the block K(x, z) for checked rows x of X and z of Z, in a new array."""
        raise NotImplementedError

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        """Return K(x, x) for each row of X: the squared norms in phi-space."""
        raise NotImplementedError

    def rounding(self, X: ArrayLike) -> float | None:
        """Return how far rounding can be from the kernel of mathematics; None: no bound is known.

        For all rows x, z of X a computed K(x, z), in whatever block, and a computed K(x, x) differ
        from the true values by at most this times sqrt(K(x, x) K(z, z)), true or computed.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # such norms have no bound
            bound = self.bound(self.check(X))
        if bound is None or not bound <= LARGEST_ROUNDING:
            return None
        return SAFE * bound / (1.0 - bound)  # the diagonals may be the computed ones

    def bound(self, X: np.ndarray) -> float | None:
        """Return the bound of `rounding` relative to the true diagonals, for checked rows."""
        return None

    def entry_rounding(self, X: np.ndarray) -> float | None:
        """Return how far an entry can be from the true one, relative to itself; None: not known.

        For checked rows, and entries above 1e-300.
        """
        return None

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        """Return the Gram matrix of checked rows in fractions; None where it is not rational."""
        return None

    def check(self, X: Any) -> np.ndarray:
        """Return the examples in the form that `gram` takes, or say what is wrong."""
        return check_points(X)

    def __call__(self, X: ArrayLike, Z: ArrayLike | None = None) -> np.ndarray:
        """Return the Gram block of shape (n, m); without Z, the Gram matrix of X."""
        X = self.check(X)
        if Z is None:
            return self.gram(X, X)
        Z = self.check(Z)
        if getattr(X, "shape", (0, 0))[1:] != getattr(Z, "shape", (0, 0))[1:]:
            raise BadArgument(f"X has {X.shape[1]} features and Z {Z.shape[1]}: they must agree.")
        return self.gram(X, Z)

    def __add__(self, other: "Kernel") -> "Kernel":
        return Sum(self, _kernel(other))

    def __mul__(self, other: "Kernel | float") -> "Kernel":
        return Product(self, other) if isinstance(other, Kernel) else Multiple(other, self)

    __rmul__ = __mul__

    def __sub__(self, other: object) -> "Kernel":
        raise BadArgument(
            "A difference of kernels need not be a kernel: phi cannot be taken away. To see what "
            "K1 - K2 does, write Function(lambda x, z: ...) and ask `refute`."
        )

    __rsub__ = __sub__

    def __pow__(self, p: int) -> "Kernel":
        return Power(self, p)

    def scaled_by(self, f: Callable[[np.ndarray], np.ndarray], name: str = "f") -> "Kernel":
        """Return f(x) K(x, z) f(z); `f` takes rows (n, d) and returns n numbers."""
        return Scaled(self, f, name)

    def normalised(self) -> "Kernel":
        """Return K(x, z) / sqrt(K(x, x) K(z, z)), the cosine in phi-space; 0 where phi is 0."""
        return Normalised(self)


class _Made(Kernel):
    """A kernel if the parts that it is made of are."""

    proved = True

    def __post_init__(self) -> None:
        for name in {"left", "right", "kernel"} & vars(self).keys():
            _kernel(getattr(self, name))


class _OfTwo(_Made):
    """A kernel if `left` and `right` are; an example is what both take."""

    left: Kernel
    right: Kernel

    def check(self, X: Any) -> np.ndarray:
        return self.right.check(self.left.check(X))


class _OfOne(_Made):
    """A kernel if `kernel` is, of the same examples."""

    kernel: Kernel

    def check(self, X: Any) -> np.ndarray:
        return self.kernel.check(X)


@dataclass(frozen=True, repr=False)
class Sum(_OfTwo):
    """K1 + K2: phi is (phi1, phi2), one after the other."""

    left: Kernel
    right: Kernel

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.left.gram(X, Z)
        K += self.right.gram(X, Z)
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.left.diagonal(X) + self.right.diagonal(X)

    def bound(self, X: np.ndarray) -> float | None:
        left, right = self.left.bound(X), self.right.bound(X)
        if left is None or right is None:
            return None
        return compound(max(left, right), UNIT) if in_range(self.diagonal(X)) else None

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        left, right = self.left.exact(X), self.right.exact(X)
        return None if left is None or right is None else left + right

    def __repr__(self) -> str:
        return f"{self.left!r} + {self.right!r}"


@dataclass(frozen=True, repr=False)
class Product(_OfTwo):
    """K1 K2: phi holds all products of an entry of phi1 and one of phi2."""

    left: Kernel
    right: Kernel

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.left.gram(X, Z)
        K *= self.right.gram(X, Z)
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.left.diagonal(X) * self.right.diagonal(X)

    def bound(self, X: np.ndarray) -> float | None:
        left, right = self.left.bound(X), self.right.bound(X)
        if left is None or right is None:
            return None
        zero = (self.left.diagonal(X) == 0) | (self.right.diagonal(X) == 0)
        return compound(left, right, 2 * UNIT) if in_range(self.diagonal(X), zero) else None

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        left, right = self.left.exact(X), self.right.exact(X)
        return None if left is None or right is None else left * right

    def __repr__(self) -> str:
        return f"{_factor(self.left)}·{_factor(self.right)}"


@dataclass(frozen=True, repr=False)
class Multiple(_OfOne):
    """c K with c >= 0: phi times sqrt(c)."""

    c: float
    kernel: Kernel

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "c", check_number(self.c, "c", 0, why=": phi has a root of c"))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.kernel.gram(X, Z)
        K *= self.c
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.c * self.kernel.diagonal(X)

    def bound(self, X: np.ndarray) -> float | None:
        inner = self.kernel.bound(X)
        if inner is None:
            return None
        zero = (self.kernel.diagonal(X) == 0) | (self.c == 0)
        return compound(inner, 2 * UNIT) if in_range(self.diagonal(X), zero) else None

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        inner = self.kernel.exact(X)
        return None if inner is None else Fraction(self.c) * inner

    def __repr__(self) -> str:
        return f"{self.c:g}·{_factor(self.kernel)}"


@dataclass(frozen=True, repr=False)
class Power(_OfOne):
    """K^p for p = 1, 2, ...: a product of p copies."""

    kernel: Kernel
    p: int

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "p", check_count(self.p, "p"))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return power(self.kernel.gram(X, Z), self.p)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return power(self.kernel.diagonal(X), self.p)

    def bound(self, X: np.ndarray) -> float | None:
        inner = self.kernel.bound(X)
        if inner is None:
            return None
        ok = in_range(self.diagonal(X), self.kernel.diagonal(X) == 0)
        return compound(repeated(inner, self.p), repeated(UNIT, self.p - 1), UNIT) if ok else None

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        inner = self.kernel.exact(X)
        return None if inner is None else inner**self.p

    def __repr__(self) -> str:
        return f"({self.kernel!r})^{self.p}"


@dataclass(frozen=True, repr=False)
class Scaled(_OfOne):
    """f(x) K(x, z) f(z): phi(x) is scaled by the number f(x)."""

    kernel: Kernel
    f: Callable[[np.ndarray], np.ndarray]
    name: str = "f"

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.kernel.gram(X, Z)
        K *= np.multiply.outer(self._factors(X), self._factors(Z))
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self._factors(X) ** 2 * self.kernel.diagonal(X)

    def _factors(self, X: np.ndarray) -> np.ndarray:
        factors = np.asarray(self.f(X), dtype=float)
        if factors.shape != (len(X),):
            raise BadArgument(
                f"{self.name} returned shape {factors.shape} for {len(X)} rows; it needs "
                f"({len(X)},), one number per row."
            )
        return factors

    def __repr__(self) -> str:
        return f"{self.name}(x)·{_factor(self.kernel)}·{self.name}(z)"


@dataclass(frozen=True, repr=False)
class Normalised(_OfOne):
    """K(x, z) / sqrt(K(x, x) K(z, z)): phi(x) is scaled to length 1, except where it is 0."""

    kernel: Kernel

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.kernel.gram(X, Z)
        K *= np.multiply.outer(self._inverse_norms(X), self._inverse_norms(Z))
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self._inverse_norms(X) ** 2 * self.kernel.diagonal(X)

    def _inverse_norms(self, X: np.ndarray) -> np.ndarray:
        norms = np.sqrt(self.kernel.diagonal(X))
        return np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)

    def bound(self, X: np.ndarray) -> float | None:
        inner = self.kernel.bound(X)
        if inner is None or not inner <= LARGEST_ROUNDING:
            return None
        # both norms come from diagonals that err by `inner`; two roots, two quotients, two products
        return compound(inner, inner / (1 - inner), 8 * UNIT)

    def __repr__(self) -> str:
        return f"1/norm(x)·{_factor(self.kernel)}·1/norm(z)"


def _factor(kernel: Kernel) -> str:
    return f"({kernel!r})" if isinstance(kernel, Sum) else repr(kernel)


def _kernel(k: object) -> Kernel:
    if not isinstance(k, Kernel):
        advice = "wrap functions: Function(f), and numbers: Constant(c)."
        raise BadArgument(f"A kernel is made of kernels, not of {k!r}; {advice}")
    return k
