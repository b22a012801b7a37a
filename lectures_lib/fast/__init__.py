"""The same problems and the same proofs in less time: whoever only learns never opens this.

Tiles of Gram matrices, exponentials many at a time, rows of K in a cache, single precision, loops
for sparse examples, threads, and other solvers for problems that resist the first.
"""

from .clusters import lloyd
from .decomposition import smo
from .linear_machines import linear
from .machines import svm
from .perceptrons import averaged_perceptron, perceptron
from .sequences import (
    SequenceRows,
    chain_perceptron,
    letter_scores,
    rows_of,
    rows_of_table,
    tag,
)
from .tiles import kernel
from .tubes import regression

__all__ = [
    "SequenceRows",
    "averaged_perceptron",
    "chain_perceptron",
    "kernel",
    "letter_scores",
    "linear",
    "lloyd",
    "perceptron",
    "regression",
    "rows_of",
    "rows_of_table",
    "smo",
    "svm",
    "tag",
]
