"""The same problems and the same proofs in less time: whoever only learns never opens this.

Tiles of Gram matrices, exponentials many at a time, rows of K in a cache, single precision, loops
for sparse examples, threads, and other solvers for problems that resist the first.
"""

from .decomposition import smo
from .machines import svm
from .twins import kernel

__all__ = ["kernel", "smo", "svm"]
