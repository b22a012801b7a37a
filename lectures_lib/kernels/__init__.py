"""Kernels: Gram matrices, the algebra that builds new kernels, and certificates of validity.

K is a kernel iff K(x, z) = phi(x).phi(z) for some phi (L1, L3, L4, L5). A kernel object `k` gives
Gram blocks, ``k(X, Z)``; ``k1 + k2``, ``k1 * k2``, ``c * k``, ``k ** p`` and ``k.scaled_by(f)`` are
kernels again (L5's composition rules), and their repr is the formula.
"""

from ..proof.psd import PSDCertificate, psd_certificate
from .algebra import Kernel, Multiple, Normalised, Power, Product, Scaled, Sum
from .functions import Constant, Function, Given, Tables
from .gram import (
    blocks,
    centre_of,
    centred,
    check_kernel,
    checked_gram,
    distances,
    embed,
    norms,
    product,
    rounding_at,
)
from .refutation import Refutation, refute
from .standard import Gaussian, Laplace, Linear, Polynomial, squared_distances

__all__ = [
    "Constant",
    "Function",
    "Gaussian",
    "Given",
    "Kernel",
    "Laplace",
    "Linear",
    "Multiple",
    "Normalised",
    "PSDCertificate",
    "Polynomial",
    "Power",
    "Product",
    "Refutation",
    "Scaled",
    "Sum",
    "Tables",
    "blocks",
    "centre_of",
    "centred",
    "check_kernel",
    "checked_gram",
    "distances",
    "embed",
    "norms",
    "product",
    "psd_certificate",
    "refute",
    "rounding_at",
    "squared_distances",
]
