"""The course's methods as scikit-learn estimators: for Pipeline, GridSearchCV, clone and friends.

Shells without arithmetic: each hands checked arrays to the lecture's function and keeps its
result, proofs included, as ``machine_``. Labels may be anything; for more than two classes
``machine_`` is a `multiclass.OneVsRest` whose ``machines`` are the binary results. The larger of
two labels is +1. A kernel is "linear", "poly" (with ``degree``), "gaussian" or "rbf" (with
``sigma``), "precomputed", any `kernels.Kernel`, or a function of two tables.
"""

from .classifiers import SVM, LinearSVM
from .kernel_methods import KernelKMeans, KernelPCA, KernelRidge, SupportVectorRegression
from .perceptrons import AveragedPerceptron, KernelPerceptron, Perceptron, VotedPerceptron
from .sequences import SequenceLabeller

__all__ = [
    "SVM",
    "AveragedPerceptron",
    "KernelKMeans",
    "KernelPCA",
    "KernelPerceptron",
    "KernelRidge",
    "LinearSVM",
    "Perceptron",
    "SequenceLabeller",
    "SupportVectorRegression",
    "VotedPerceptron",
]
