"""Kernels on strings, sets and graphs: phi counts parts, and K never lists them all (L1, L4).

An example need not be a vector. These kernels take lists of strings, of sets or of graphs, and
are otherwise like all others: the algebra, the certificates and the kernel perceptron apply.
"""

from .counted import Counted
from .graphs import Graph, RandomWalk, WeisfeilerLehman
from .sets import CommonSubsets, Intersection
from .strings import GapWeighted, Spectrum, one_letter_more

__all__ = [
    "CommonSubsets",
    "Counted",
    "GapWeighted",
    "Graph",
    "Intersection",
    "RandomWalk",
    "Spectrum",
    "WeisfeilerLehman",
    "one_letter_more",
]
