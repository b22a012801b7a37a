"""What else can be kernelised: ridge and support vector regression, k-means, PCA (L1, L4).

Each method needs the examples only through K. Each answer carries a certificate: a few numbers,
computed from K and the answer alone, that prove how good the answer is.
"""

from ..svm.regression import (
    SVRCertificate,
    SVRMachine,
    support_vector_regression,
    svr_certificate,
    svr_qp,
    svr_smo,
    tube_offset,
)
from .kmeans import (
    KMeansCertificate,
    KMeansFit,
    kernel_kmeans,
    kmeans_certificate,
    lloyd,
    plus_plus,
    to_means,
)
from .pca import PCACertificate, PCAFit, kernel_pca, pca_certificate
from .ridge import (
    RidgeCertificate,
    RidgeFit,
    kernel_ridge,
    ridge_certificate,
    weighted_kernel_ridge,
)

__all__ = [
    "KMeansCertificate",
    "KMeansFit",
    "PCACertificate",
    "PCAFit",
    "RidgeCertificate",
    "RidgeFit",
    "SVRCertificate",
    "SVRMachine",
    "kernel_kmeans",
    "kernel_pca",
    "kernel_ridge",
    "kmeans_certificate",
    "lloyd",
    "pca_certificate",
    "plus_plus",
    "ridge_certificate",
    "support_vector_regression",
    "svr_certificate",
    "svr_qp",
    "svr_smo",
    "to_means",
    "tube_offset",
    "weighted_kernel_ridge",
]
