"""Judge anybody's machine: how far a fitted model is from the best, with a proof.

`certify` takes a fitted model of scikit-learn (or of a library whose classes have the same names)
and the data that it was trained on. Its verdict is about the *model*: its objective, a bound that
no answer is below, and, where the model is refuted, an answer that is better. `check` raises, for
tests. `svm` and `kernel_svm` take plain arrays, of anybody's solver. No other library is imported:
a model is known by the name of its class.
"""

from ..proof.judgement import Judgement
from .arrays import kernel_svm, svm
from .judging import NotProved, certify, check

__all__ = ["Judgement", "NotProved", "certify", "check", "kernel_svm", "svm"]
