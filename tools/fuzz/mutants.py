"""What a tired reader may write in the place of an argument."""

from collections.abc import Callable, Iterator

import numpy as np
from scipy import sparse

from lectures_lib import kernels

#: In the place of anything at all.
ANYTHING = {
    "None": None,
    "a word": "hinge",
    "a number as text": "1",
    "True": True,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "minus one": -1,
    "zero": 0,
    "a half": 0.5,
    "a huge number": 1e300,
    "a tiny number": 1e-300,
    "a huge whole number": 2**70,
    "a complex number": 1 + 2j,
    "an empty list": [],
    "an empty array": np.zeros((0, 2)),
    "a list": [1.0, 2.0],
    "rows of two lengths": [[1.0, 2.0], [3.0]],
    "words": np.array(["a", "b", "c"]),
    "objects": np.array([object(), None], dtype=object),
    "three axes": np.zeros((2, 2, 2)),
    "a dictionary": {"a": 1},
    "a set": {1, 2},
    "an object": object(),
    "a class": kernels.Gaussian,
    "a kernel": kernels.Gaussian(0.7),
    "a function": abs,
    "a sparse matrix": sparse.csr_array(np.eye(3)),
}
#: Faults of a reader's own function: they must come back as they are.
FAULTS = [kind("my own fault") for kind in (IndexError, TypeError, ValueError, AttributeError)]


def mutants(value: object) -> Iterator[tuple[str, object]]:
    """Yield (name, replacement) for an argument whose right value is known."""
    own = callable(value) and not isinstance(value, kernels.Kernel)
    for name, wrong in ANYTHING.items():
        if not (own and callable(wrong)):  # what a reader's own function raises is his
            yield name, wrong
    if own:
        for fault in FAULTS:
            yield f"a function with {type(fault).__name__}", _failing(fault)
    numbers = isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and value.size
    if numbers:
        yield from _arrays(value)
    if numbers and value.ndim == 1 and set(np.unique(value)) == {-1.0, 1.0}:
        yield from _labels(value)


def _failing(fault: Exception) -> Callable:
    def failing(*args, **kwargs):
        raise fault

    return failing


def _arrays(right: np.ndarray) -> Iterator[tuple[str, object]]:
    for name, wrong in (
        ("NaN", np.nan),
        ("infinity", np.inf),
        ("1e200", 1e200),
        ("1e-200", 1e-200),
    ):
        spoilt = right.astype(float)
        spoilt[(0,) * right.ndim] = wrong
        yield f"with {name} inside", spoilt
    yield "one row less", right[:-1]
    yield "one row more", np.concatenate([right, right[:1]])
    yield "without rows", right[:0]
    yield "turned", right.T
    yield "one axis more", right[..., None]
    yield "one axis less", right[0]
    yield "raveled", right.ravel()
    yield "complex", right + 1j
    yield "as text", right.astype(str)
    yield "as objects", right.astype(object)
    yield "objects with None", np.where(right == right.flat[0], None, right.astype(object))
    yield "as truth values", right > 0
    yield "as a list", right.tolist()
    yield "as 32 bit", right.astype(np.float32)
    yield "negated", -right
    yield "huge", right * 1e200
    yield "tiny", right * 1e-200
    yield "masked", np.ma.masked_array(right, right > 0)
    yield "huge whole numbers", np.full(right.shape, 2**62 + 1)
    yield "dates", np.zeros(right.shape, "datetime64[s]")
    if right.ndim == 2:
        yield "one column less", right[:, :-1]
        yield "one column more", np.hstack([right, right[:, :1]])
        yield "sparse", sparse.csr_array(right)


def _labels(right: np.ndarray) -> Iterator[tuple[str, object]]:
    yield "0 and 1", (right + 1) / 2
    yield "1 and 2", (right + 3) / 2
    yield "one class", np.ones_like(right)
    yield "three classes", np.where(np.arange(len(right)) == 0, 3.0, right)
    yield "names", np.where(right > 0, "yes", "no")
