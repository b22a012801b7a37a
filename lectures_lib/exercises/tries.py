"""What a check of an exercise yields: one try of an answer after the other."""

import numpy as np
from numpy.typing import ArrayLike

#: One try of an answer: did it hold, the property it tests, the input, what came back.
Try = tuple[bool, str, str, object]


def text(v: ArrayLike) -> str:
    """Return an array on one line, with two decimals."""
    line = np.array2string(np.asarray(v, dtype=float), precision=2, separator=", ")
    return line.replace("\n", "")
