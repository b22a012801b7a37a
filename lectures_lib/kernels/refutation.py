"""The search for points that refute a kernel; `kernels` exports it."""

from dataclasses import dataclass

import numpy as np

from .._arguments import explained
from ..conventions import LARGEST, check_count, check_rng
from ..proof.psd import PSDCertificate, psd_certificate
from .algebra import Kernel


@dataclass(frozen=True, eq=False)
class Refutation:
    """Points and a vector that show: this function is not a kernel."""

    X: np.ndarray  #: (n, d) the points
    certificate: PSDCertificate  #: of their Gram matrix
    tries: int  #: point sets looked at


@explained
def refute(
    kernel: Kernel,
    d: int = 2,
    *,
    sizes: tuple[int, ...] = (1, 2, 3, 4, 6, 10, 20),
    scales: tuple[float, ...] = (1.0, 0.1, 10.0),
    tries: int = 20,
    rng: int | np.random.Generator | None = 0,
) -> Refutation | None:
    """Search for points in R^d whose Gram matrix is not symmetric PSD; None if none was found.

    None is not a proof of validity: it says only that these point sets did not refute. Points
    at which K overflows are passed over.

    Parameters
    ----------
    kernel : what may be no kernel
    d : how many features
    sizes, scales : how many points, and how far from 0
    tries : point sets for each size and scale
    rng : a seed or generator

    Examples
    --------
    >>> distance = kernels.Function(lambda x, z: np.linalg.norm(x - z), "norm(x - z)")
    >>> kernels.refute(distance).certificate.verdict
    'refuted'
    """
    rng, looked = check_rng(rng), 0
    for n in sizes:
        for scale in scales:
            for _ in range(check_count(tries, "tries")):
                X = scale * rng.normal(size=(n, check_count(d, "d")))
                looked += 1
                certificate = _certificate_at(kernel, X)
                if certificate is not None and certificate.verdict == "refuted":
                    return Refutation(X, certificate, looked)
    return None


def _certificate_at(kernel: Kernel, X: np.ndarray) -> PSDCertificate | None:
    """Return the verdict on K(X); None where an entry is too large for one."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            K = kernel(X)
    except OverflowError:  # math.exp says so itself
        return None
    return psd_certificate(K) if np.abs(K).max() <= LARGEST else None  # NaN: passed over, too
