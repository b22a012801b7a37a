"""Which reader knows a model: by the name of its class, so that no other library is imported.

A reader takes a fitted model and the data, and returns the cases that the model consists of: one,
or one for each pair, class or output.
"""

from collections.abc import Callable
from typing import Any

from . import kernel_models, linear_models, other_models
from .libsvm import libsvm
from .reading import Data

#: The reader of each class, by its name.
READERS: dict[str, Callable[[Any, Data], list[Any]]] = {
    "SVC": kernel_models.svc,
    "NuSVC": kernel_models.svc,
    "SVR": kernel_models.svr,
    "LinearSVC": linear_models.linear_svc,
    "LogisticRegression": linear_models.logistic,
    "Ridge": linear_models.ridge,
    "RidgeClassifier": linear_models.ridge_classifier,
    "Lasso": linear_models.elastic_net,
    "ElasticNet": linear_models.elastic_net,
    "LinearSVR": linear_models.linear_svr,
    "Perceptron": other_models.perceptron,
    "SGDClassifier": linear_models.sgd,
    "SGDRegressor": linear_models.sgd,
    "NuSVR": kernel_models.nu_svr,
    "KernelRidge": kernel_models.kernel_ridge,
    "KernelPCA": other_models.components,
    "KMeans": other_models.kmeans,
    "model": linear_models.liblinear,  # of LIBLINEAR's own package
    "svm_model": libsvm,  # of LIBSVM's own package
}
