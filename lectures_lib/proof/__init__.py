"""The judges: what proves an answer, apart from every solver.

A judge sees the data and the answer alone and gives one of three verdicts: "proved", "refuted" or
"undecided". "Proved" is a statement about the numbers that were given, the judge's own rounding
included; where the error bound is too wide for a verdict it says "undecided", and fractions
decide where they can. Nothing here imports a solver. `bounds` judges mistake bounds, `margins`
margins, `complexity` shattering, random signs and balls, `together` many small machines at once;
`rounding`, `band`, `middle`, `replay` and `whole` serve them.
"""

from .._moved import proof as __getattr__  # noqa: F401
from .kmeans import KMeansCertificate, kmeans_certificate
from .pca import PCACertificate, pca_certificate
from .psd import PSDCertificate, PSDLevel, exact_level, psd_certificate, psd_level
from .ridge import RidgeCertificate, ridge_certificate
from .rounding import Enclosure
from .verdict import Proof, Verdict

__all__ = [
    "Enclosure",
    "KMeansCertificate",
    "PCACertificate",
    "PSDCertificate",
    "PSDLevel",
    "Proof",
    "RidgeCertificate",
    "Verdict",
    "exact_level",
    "kmeans_certificate",
    "pca_certificate",
    "psd_certificate",
    "psd_level",
    "ridge_certificate",
]
