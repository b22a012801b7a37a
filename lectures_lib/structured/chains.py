"""Taggings as a problem of the contract: features of a position with its tag, and of tags in a row.

x is an array (n, d): one row of features per position. y is a tuple of n tags 0, ..., S - 1. Then

    f(x, y) = features of position t with tag y[t], summed over t      d S numbers
              how often tag s follows tag r                            S^2
              how often tag s follows q, r (order 2)                   S^3

Where sequences begin and end, a bias, a position: these are features of x.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import NUMBERS, as_array, check_count
from .contract import Index, Output, Problem, as_tuple, exact_numbers
from .decoders import viterbi


class Chain(Problem):
    """Taggings of sequences with the tags 0, ..., S - 1 (or named), of first or second order.

    Parameters
    ----------
    tags, features : how many, or their names
    order : 1, pairs of tags; 2, triples as well

    Examples
    --------
    >>> problem = structured.Chain("DN", ["the", "dog"])
    >>> print(*problem.index.named(problem.f(np.eye(2), (0, 1))))
    ('the', 'D') ('dog', 'N') ('after', 'D', 'N')
    """

    @explained
    def __init__(
        self,
        tags: int | Sequence[Hashable],
        features: int | Sequence[Hashable],
        *,
        order: int = 1,
    ) -> None:
        if order not in (1, 2):
            raise BadArgument(f"order is 1 (pairs of tags) or 2 (triples, too), not {order!r}.")
        self.tags = _names(tags, "tags")
        self.features = _names(features, "features")
        self.order = order

    @property
    def size(self) -> int:
        """The number of joint features."""
        d, S = len(self.features), len(self.tags)
        return d * S + S**2 + (S**3 if self.order == 2 else 0)

    @cached_property
    def index(self) -> Index:  # type: ignore[override]  # made when first asked for
        """The names: (feature, tag), ("after", tag, tag) and ("after", tag, tag, tag)."""
        named: list[Hashable] = list(product(self.features, self.tags))
        for m in range(2, self.order + 2):
            named += [("after", *tags) for tags in product(self.tags, repeat=m)]
        return Index(named)

    def f(self, x: ArrayLike, y: Output) -> np.ndarray:
        """Return the joint features, added up position by position."""
        x, S, y = self._checked(x), len(self.tags), self.canonical(y)
        if len(y) != len(x) or not all(0 <= s < S for s in y):
            raise BadArgument(f"y needs {len(x)} tags from 0 to {S - 1}, one per row of x.")
        letters, pairs, triples = self.parts(np.zeros(self.size))
        for t, s in enumerate(y):
            letters[:, s] += x[t]
            if t > 0:
                pairs[y[t - 1], s] += 1
            if t > 1 and triples is not None:
                triples[y[t - 2], y[t - 1], s] += 1
        return self.joined(letters, pairs, triples)

    def argmax(
        self, theta: np.ndarray, x: ArrayLike, *, gold: Output | None = None, price: float = 1
    ) -> Output:
        """Return the best tagging by Viterbi's algorithm."""
        E, P, Q = self.scores(theta, x)
        if gold is not None:
            wrong = np.arange(len(self.tags)) != np.asarray(gold)[:, None]
            E = np.where(wrong, E + price, E)
        return viterbi(E, P, Q=Q).y

    def loss(self, y: Output, y_star: Output) -> int:
        """Return the number of wrong tags (Hamming)."""
        y, y_star = self.canonical(y), self.canonical(y_star)
        if len(y) != len(y_star):
            raise BadArgument(f"y has {len(y)} tags and y_star {len(y_star)}: as many are needed.")
        return sum(a != b for a, b in zip(y, y_star))

    def canonical(self, y: Output) -> Output:
        """Return a tagging as a tuple of tags; a nested one is refused."""
        return as_tuple(y, "tagging")

    def outputs(self, x: ArrayLike) -> Iterator[Output]:
        """Yield all taggings in the order of a dictionary."""
        return product(range(len(self.tags)), repeat=len(self._checked(x)))

    def runner_up(self, theta: np.ndarray, x: ArrayLike, y: Output) -> Output | None:
        """Return the best tagging other than y: it has another tag somewhere, so try each place."""
        if len(self.tags) == 1:
            return None
        E, P, Q = self.scores(theta, x)
        low = sum(abs(v).max() for v in (E, P, 0 * P if Q is None else Q)) * 4 * len(E) + 1
        found = []
        for t, s in enumerate(y):
            barred = E.copy()
            barred[t, s] -= low  # more than any two taggings can differ by
            found.append(viterbi(barred, P, Q=Q))
        return max(found, key=lambda one: (one.score, [-s for s in one.y])).y

    def scores(
        self, theta: np.ndarray, x: ArrayLike
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Return what theta makes of x for the `decoders`: E (n, S), P (S, S), Q or None."""
        x, theta = self._checked(x), np.asarray(theta)
        if theta.shape != (self.size,):
            raise BadArgument(f"theta has shape {theta.shape}; it needs ({self.size},).")
        letters, P, Q = self.parts(theta)
        if theta.dtype == object:
            return np.array([_exact_row(row, letters) for row in x]), P, Q
        return _dense_scores(x, np.ascontiguousarray(letters, float)), P, Q

    def parts(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Return theta as (d, S) for letters, (S, S) for pairs, (S, S, S) for triples or None."""
        d, S = len(self.features), len(self.tags)
        letters, pairs, triples = np.split(theta, [d * S, d * S + S * S])
        Q = triples.reshape(S, S, S) if self.order == 2 else None
        return letters.reshape(d, S), pairs.reshape(S, S), Q

    def joined(
        self, letters: np.ndarray, pairs: np.ndarray, triples: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the parts as one vector."""
        parts = [letters, pairs] + ([] if triples is None else [triples])
        return np.concatenate([part.ravel() for part in parts])

    def _checked(self, x: ArrayLike) -> np.ndarray:
        x = np.ascontiguousarray(as_array(x, "x", NUMBERS), float)
        if x.ndim != 2 or len(x) == 0 or x.shape[1] != len(self.features):
            raise BadArgument(f"x has shape {x.shape}; it needs (n, {len(self.features)}), n >= 1.")
        return x


def _dense_scores(x: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Return E[t, s] = sum over j of W[j, s] x[t, j], added up in the order of the features."""
    E = np.zeros((len(x), W.shape[1]))
    for j in range(x.shape[1]):
        E += W[j] * x[:, j, None]
    return E


def _exact_row(row: np.ndarray, letters: np.ndarray) -> np.ndarray:
    """Return row @ letters in whole numbers or fractions, zeros left out."""
    places = np.flatnonzero(row)
    return exact_numbers(row[places]) @ letters[places] if places.size else 0 * letters[0]


@explained
def from_dictionaries(
    sequence: Sequence[Mapping[Hashable, float]], features: Sequence[Hashable]
) -> np.ndarray:
    """Return the rows of a sequence of named features; names that are not known are left out.

    Parameters
    ----------
    sequence : one {name: number} per position
    features : the names that count, in order

    Examples
    --------
    >>> structured.from_dictionaries([{"the": 1.0}, {"dog": 1.0, "new": 1.0}], ["the", "dog"])
    array([[1., 0.],
           [0., 1.]])
    """
    index = Index(features)
    return np.array([index.vector(named) for named in sequence])


def _names(given: int | Sequence[Hashable], what: str) -> tuple[Hashable, ...]:
    if isinstance(given, (int, np.integer)):
        return tuple(range(check_count(given, what)))
    return Index(given).names
