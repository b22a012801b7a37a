"""What else can be kernelised: ridge and support vector regression, k-means, PCA (L1, L4).

Each method needs the examples only through K. Each answer carries a certificate: a few numbers,
computed from K and the answer alone, that prove how good the answer is.
"""

from ..svm.regression import (
    SupportVectorRegression,
    SVRCertificate,
    support_vector_regression,
    svr_certificate,
    svr_qp,
    svr_smo,
    tube_offset,
)
from .kmeans import KernelKMeans, KMeansCertificate, kernel_kmeans, kmeans_certificate
from .pca import KernelPCA, PCACertificate, kernel_pca, pca_certificate
from .ridge import KernelRidge, RidgeCertificate, kernel_ridge, ridge_certificate

__all__ = [
    "KMeansCertificate",
    "KernelKMeans",
    "KernelPCA",
    "KernelRidge",
    "PCACertificate",
    "RidgeCertificate",
    "SVRCertificate",
    "SupportVectorRegression",
    "kernel_kmeans",
    "kernel_pca",
    "kernel_ridge",
    "kmeans_certificate",
    "pca_certificate",
    "ridge_certificate",
    "support_vector_regression",
    "svr_certificate",
    "svr_qp",
    "svr_smo",
    "tube_offset",
]
