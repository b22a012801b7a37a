"""Checks of everything that takes a kernel."""

import numpy as np

from .._arguments import BadArgument, explained
from .algebra import Kernel

#: What other libraries call the kernels of this course.
NAMES = {
    "linear": "Linear()",
    "polynomial": "Polynomial(3)",
    "poly": "Polynomial(3)",
    "gaussian": "Gaussian(1.0)",
    "rbf": "Gaussian(1.0)",
    "laplace": "Laplace(1.0)",
    "laplacian": "Laplace(1.0)",
}
#: Check this many rows of K at a time.
ROWS = 64


@explained
def check_kernel(kernel: object) -> Kernel:
    """Return `kernel` if it is one, or say what to write instead."""
    if isinstance(kernel, Kernel):
        return kernel
    advice = "kernels.Linear(), kernels.Gaussian(1.0), ..."
    if isinstance(kernel, str) and kernel.lower() in NAMES:
        advice = f"kernels.{NAMES[kernel.lower()]}"
    elif isinstance(kernel, type) and issubclass(kernel, Kernel):
        advice = f"an instance of it, kernels.{kernel.__name__}(...)"
    elif callable(kernel):
        advice = "kernels.Function(f) for a function f(x, z) of two examples"
    raise BadArgument(f"kernel must be a kernel object, not {kernel!r}: write {advice}.")


def check_gram(K: np.ndarray, kernel: Kernel) -> np.ndarray:
    """Return K if all of its entries are numbers; one look is cheap beside making K."""
    if not np.isfinite(K).all():
        raise BadArgument(
            f"{kernel!r} gives NaN or infinity for these examples: rescale them, or mend it."
        )
    return K


def check_pairs(K: np.ndarray) -> None:
    """Refuse what no Gram matrix can have, as far as two examples show it."""
    size = np.sqrt(np.maximum(K.diagonal(), 0.0).astype(float))
    rounding = 1e-9 if K.dtype == np.float64 else 1e-4
    skew, large = K.diagonal().min() < 0, False
    for first in range(0, len(K), ROWS):
        rows = slice(first, first + ROWS)
        both = np.outer(size[rows], size)
        skew = skew or bool((np.abs(K[rows] - K[:, rows].T) > rounding * both).any())
        large = large or bool((np.abs(K[rows]) > (1 + rounding) * both).any())
    if skew:
        raise BadArgument("K is not symmetric, or its diagonal has negative entries: no kernel.")
    if large:
        raise BadArgument(
            "Two examples refute K: K_ij^2 > K_ii K_jj, so it is not positive semi-definite."
        )
