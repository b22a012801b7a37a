"""The fewest mistakes of any separator, by trying: what the hinge loss spares us (L1, L2, L3)."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import Result
from ..conventions import check_count, check_examples
from ..margins import max_margin


@dataclass(frozen=True, eq=False)
class FewestMistakes(Result):
    """A separator with offset that makes the fewest mistakes, and what finding it took."""

    mistakes: int  #: the fewest examples with y (w.x + b) <= 0
    removed: np.ndarray  #: (mistakes,) these examples; without them the rest is separable
    w: np.ndarray  #: (d,) unit length; 0 where all that is left has one label
    b: float
    tried: int  #: subsets that were tested for a separator


@explained
def fewest_mistakes(X: ArrayLike, y: ArrayLike, *, max_examples: int = 16) -> FewestMistakes:
    """Find the separator with the fewest mistakes: leave out 0, 1, 2, ... examples in all ways.

    The first subset whose removal leaves separable examples is smallest. No method is known that
    avoids such a search in general (the problem is NP-hard): n examples have 2^n subsets, so more
    than `max_examples` are refused. The sum of slacks needs one quadratic program instead.

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels
    max_examples : more are refused

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> svm.fewest_mistakes(X, y).mistakes
    1
    """
    X, y = check_examples(X, y, both=True)
    most = check_count(max_examples, "max_examples", least=2)
    if len(y) > most:
        worst = sum(comb(len(y), m) for m in range(int(min(np.sum(y > 0), np.sum(y < 0))) + 1))
        raise BadArgument(
            f"{len(y)} examples may need {worst} subsets, and each more example doubles that: "
            f"keep {most}, minimise the slacks by `train`, or raise max_examples."
        )
    tried = 0
    for out in _subsets(len(y)):
        tried += 1
        found = _separator(np.delete(X, out, axis=0), np.delete(y, out))
        if found is not None:
            return FewestMistakes(len(out), np.array(out, dtype=int), *found, tried)
    raise AssertionError("leaving one class out always separates")


def _subsets(n: int):
    return (out for m in range(n) for out in combinations(range(n), m))


def _separator(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float] | None:
    if len(set(y)) == 1:
        return np.zeros(X.shape[1]), float(y[0])
    best = max_margin(X, y, offset=True)
    if not best.converged:  # that nobody separates them has to be known for certain
        best = max_margin(X, y, offset=True, exact=True)
    return (best.w, best.b) if best.separable and best.w is not None else None
