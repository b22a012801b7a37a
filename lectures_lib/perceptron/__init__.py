"""The perceptron and its relatives: plain, voted, averaged; one pass or cycling.

The loops follow the pseudo-code of L2: start at 0; on a mistake, w <- w + y x. A run keeps its
mistakes in order, because everything the theory says about it can be recomputed from them.
"""

from .kernel import KernelRun, kernel_perceptron, kernel_perceptron_counts, kernel_perceptron_list
from .linear import (
    averaged_pass,
    averaged_perceptron,
    early_stopping,
    layer,
    one_pass,
    perceptron,
    predict,
    vote,
    voted_pass,
    voted_perceptron,
)
from .runs import AveragedRun, Cycle, EarlyStop, PerceptronRun, VotedRun, find_cycle

__all__ = [
    "AveragedRun",
    "Cycle",
    "EarlyStop",
    "KernelRun",
    "PerceptronRun",
    "VotedRun",
    "averaged_pass",
    "averaged_perceptron",
    "early_stopping",
    "find_cycle",
    "kernel_perceptron",
    "kernel_perceptron_counts",
    "kernel_perceptron_list",
    "layer",
    "one_pass",
    "perceptron",
    "predict",
    "vote",
    "voted_pass",
    "voted_perceptron",
]
