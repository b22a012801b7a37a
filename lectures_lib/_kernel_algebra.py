"""The algebra of kernels: what all kernels share, and the composition rules of L5."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .conventions import check_count, check_points


class Kernel:
    """What all kernels share: the Gram block, its diagonal, and the algebra."""

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Return the block K(x, z) for checked rows x of X and z of Z, in a new array."""
        raise NotImplementedError

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        """Return K(x, x) for each row of X: the squared norms in phi-space."""
        raise NotImplementedError

    def check(self, X: ArrayLike) -> np.ndarray:
        """Return the examples in the form that `gram` takes, or say what is wrong."""
        return check_points(X)

    def __call__(self, X: ArrayLike, Z: ArrayLike | None = None) -> np.ndarray:
        """Return the Gram block of shape (n, m); without Z, the Gram matrix of X."""
        X = self.check(X)
        if Z is None:
            return self.gram(X, X)
        Z = self.check(Z)
        if getattr(X, "shape", (0, 0))[1:] != getattr(Z, "shape", (0, 0))[1:]:
            raise ValueError(f"X has {X.shape[1]} features and Z {Z.shape[1]}: they must agree.")
        return self.gram(X, Z)

    def __add__(self, other: "Kernel") -> "Kernel":
        return Sum(self, _kernel(other))

    def __mul__(self, other: "Kernel | float") -> "Kernel":
        return Product(self, other) if isinstance(other, Kernel) else Multiple(other, self)

    __rmul__ = __mul__

    def __pow__(self, p: int) -> "Kernel":
        return Power(self, p)

    def scaled_by(self, f: Callable[[np.ndarray], np.ndarray], name: str = "f") -> "Kernel":
        """Return f(x) K(x, z) f(z); `f` takes rows (n, d) and returns n numbers."""
        return Scaled(self, f, name)

    def normalised(self) -> "Kernel":
        """Return K(x, z) / sqrt(K(x, x) K(z, z)), the cosine in phi-space; 0 where phi is 0."""

        def inverse_norm(X):
            norms = np.sqrt(self.diagonal(X))
            return np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)

        return Scaled(self, inverse_norm, "1/norm")


@dataclass(frozen=True, repr=False)
class Function(Kernel):
    """A function of two examples, kernel or not: `psd_certificate` and `refute` tell."""

    f: Callable[[np.ndarray, np.ndarray], float]
    name: str = "k(x, z)"

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return np.array([[float(self.f(x, z)) for z in Z] for x in X])

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([float(self.f(x, x)) for x in X])

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, repr=False)
class Sum(Kernel):
    """K1 + K2: phi is (phi1, phi2), one after the other."""

    left: Kernel
    right: Kernel

    def check(self, X: ArrayLike) -> np.ndarray:
        return self.right.check(self.left.check(X))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.left.gram(X, Z)
        K += self.right.gram(X, Z)
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.left.diagonal(X) + self.right.diagonal(X)

    def __repr__(self) -> str:
        return f"{self.left!r} + {self.right!r}"


@dataclass(frozen=True, repr=False)
class Product(Kernel):
    """K1 K2: phi holds all products of an entry of phi1 and one of phi2."""

    left: Kernel
    right: Kernel

    def check(self, X: ArrayLike) -> np.ndarray:
        return self.right.check(self.left.check(X))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.left.gram(X, Z)
        K *= self.right.gram(X, Z)
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.left.diagonal(X) * self.right.diagonal(X)

    def __repr__(self) -> str:
        return f"{_factor(self.left)}·{_factor(self.right)}"


@dataclass(frozen=True, repr=False)
class Multiple(Kernel):
    """c K with c >= 0: phi times sqrt(c)."""

    c: float
    kernel: Kernel

    def __post_init__(self) -> None:
        if not isinstance(self.c, (int, float, np.number)) or not 0 <= self.c < np.inf:
            raise ValueError(f"c must be a number >= 0, not {self.c!r}: phi is scaled by sqrt(c).")

    def check(self, X: ArrayLike) -> np.ndarray:
        return self.kernel.check(X)

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.kernel.gram(X, Z)
        K *= self.c
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.c * self.kernel.diagonal(X)

    def __repr__(self) -> str:
        return f"{self.c:g}·{_factor(self.kernel)}"


@dataclass(frozen=True, repr=False)
class Power(Kernel):
    """K^p for p = 1, 2, ...: a product of p copies."""

    kernel: Kernel
    p: int

    def __post_init__(self) -> None:
        check_count(self.p, "p")

    def check(self, X: ArrayLike) -> np.ndarray:
        return self.kernel.check(X)

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.kernel.gram(X, Z) ** self.p

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.kernel.diagonal(X) ** self.p

    def __repr__(self) -> str:
        return f"({self.kernel!r})^{self.p}"


@dataclass(frozen=True, repr=False)
class Scaled(Kernel):
    """f(x) K(x, z) f(z): phi(x) is scaled by the number f(x)."""

    kernel: Kernel
    f: Callable[[np.ndarray], np.ndarray]
    name: str = "f"

    def check(self, X: ArrayLike) -> np.ndarray:
        return self.kernel.check(X)

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = self.kernel.gram(X, Z)
        K *= np.multiply.outer(np.asarray(self.f(X), float), np.asarray(self.f(Z), float))
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.f(X), dtype=float) ** 2 * self.kernel.diagonal(X)

    def __repr__(self) -> str:
        return f"{self.name}(x)·{_factor(self.kernel)}·{self.name}(z)"


def _factor(kernel: Kernel) -> str:
    return f"({kernel!r})" if isinstance(kernel, Sum) else repr(kernel)


def _kernel(k: object) -> Kernel:
    if not isinstance(k, Kernel):
        raise ValueError(
            f"A kernel is added to a kernel, not to {k!r}; wrap functions: Function(f)."
        )
    return k
