"""A labeller of sequences in the shape of scikit-learn; `estimators` exports it."""

import json
import zipfile
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from numbers import Real
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .. import fast, structured
from .._arguments import BadArgument, explained
from .parameters import seed_of

#: The parameters that a file keeps, beside the weights.
_PARAMETERS = ("averaged", "epochs", "order", "price", "ends", "random_state")
_FORMAT = "lectures_lib.SequenceLabeller 1"


@dataclass(eq=False, repr=False)
class SequenceLabeller(BaseEstimator):
    """Tags for the positions of sequences: the structured perceptron on chains.

    A sequence is an array (n, d), or a list of n dictionaries {name: number}; {name: text} is the
    feature "name=text" with the value 1. Its tags are n labels of any kind that can be sorted.

    Parameters
    ----------
    averaged : bool
        Predict with the average of all weights, not with the last ones.
    epochs : int
        Passes over the sequences.
    order : {1, 2}
        Pairs of tags, or triples as well.
    price : float
        What a wrong tag is scored higher while learning (a margin); 0 is the lecture's algorithm.
    ends : bool
        Add a constant feature and "first position", "last position".
    random_state : int, RandomState or None
        The seed of the orders in which the sequences are seen.

    Examples
    --------
    >>> X, Y = [[{"word": "a"}, {"word": "b"}], [{"word": "b"}]], [["D", "N"], ["N"]]
    >>> estimators.SequenceLabeller().fit(X, Y).predict([[{"word": "a"}]])
    [array(['D'], dtype='<U1')]
    """

    _: KW_ONLY
    averaged: bool = True
    epochs: int = 10
    order: int = 1
    price: float = 0.0
    ends: bool = True
    random_state: int | np.random.RandomState | None = 0

    @explained
    def fit(self, sequences: Sequence, tags: Sequence[Sequence[Hashable]]) -> Self:
        """Learn from sequences and their tags."""
        _check_sequences(sequences)
        if not isinstance(tags, (list, tuple, np.ndarray)):
            raise BadArgument("tags must be a list: one list of tags per sequence.")
        if len(tags) != len(sequences):
            raise BadArgument(f"There are {len(sequences)} sequences and {len(tags)} taggings.")
        self.classes_ = _classes(tags)
        self.features_ = _feature_names(sequences)
        rows = self._rows(sequences)
        self.problem_ = structured.Chain(len(self.classes_), rows.d, order=self.order)
        self.machine_ = fast.chain_perceptron(
            self.problem_,
            rows,
            self._numbered(tags),
            averaged=self.averaged,
            epochs=self.epochs,
            price=self.price,
            rng=seed_of(self.random_state),
        )
        self.theta_ = self.machine_.theta
        return self

    def predict(
        self,
        sequences: Sequence,
        *,
        words: Iterable[Sequence[Hashable]] | None = None,
        forbidden: Iterable[tuple[Hashable, Hashable]] = (),
    ) -> list[np.ndarray]:
        """Return the tags of each sequence.

        words : allow these sequences of tags only; where none is as long as the sequence, any
        forbidden : pairs of tags that must not follow each other (not together with `words`)
        """
        check_is_fitted(self)
        rows, pairs = self._rows(sequences), self._numbered(forbidden)
        if any(len(pair) != 2 for pair in pairs):
            raise BadArgument("forbidden holds pairs of tags, such as (before, after).")
        if words is None and not pairs:
            return [self.classes_[y] for y in fast.tag(self.problem_, self.theta_, rows)]
        if words is not None and pairs:
            raise BadArgument(
                "Give words or forbidden, not both: leave such words out of the list."
            )
        listed = None if words is None else structured.WordList(self._numbered(words))
        _, P, Q = self.problem_.parts(self.theta_)
        scores = fast.letter_scores(self.problem_, self.theta_, rows)
        return [self.classes_[_decoded(E, P, Q, listed, pairs)] for E in scores]

    def score(self, sequences: Sequence, tags: Sequence[Sequence[Hashable]]) -> float:
        """Return the share of tags that are right."""
        said = self.predict(sequences)
        right = [self.classes_[list(y)] for y in self._numbered(tags)]
        if [len(y) for y in said] != [len(y) for y in right]:
            raise BadArgument("The tags do not fit: one tag per position of each sequence.")
        return float(np.mean(np.concatenate(said) == np.concatenate(right)))

    def save(self, path: str | Path) -> None:
        """Write the labeller to a plain file: arrays (npz) and a text in JSON, no pickle."""
        check_is_fitted(self)
        about = {"format": _FORMAT, "features": self.features_, "classes": self.classes_.tolist()}
        about |= {"d": len(self.problem_.features)}
        about |= {"parameters": {name: _plain(getattr(self, name)) for name in _PARAMETERS}}
        _check_plain(about)
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        with open(path, "wb") as file:
            np.savez_compressed(file, theta=self.theta_, about=text)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the labeller that was saved in this file: it predicts the same."""
        with open(path, "rb") as file:
            if not zipfile.is_zipfile(file):
                raise BadArgument(f"{path} is no file of a SequenceLabeller.")
        try:
            with np.load(path, allow_pickle=False) as file:
                theta, text = file["theta"], bytes(file["about"]).decode()
            about = json.loads(text)
            if about["format"] != _FORMAT:
                raise BadArgument(f"format {about['format']!r}")
            model = cls(**about["parameters"])
            model.classes_, model.features_ = np.array(about["classes"]), about["features"]
            size = len(model.classes_)
            model.problem_ = structured.Chain(size, about["d"], order=model.order)
            if theta.shape != (model.problem_.size,) or not np.isfinite(theta).all():
                raise BadArgument("the weights do not fit")
        except (ValueError, KeyError, TypeError, EOFError, AttributeError) as problem:
            raise BadArgument(f"{path} is no file of a SequenceLabeller: {problem}.") from None
        model.theta_ = theta.astype(float)
        return model

    def _rows(self, sequences: Sequence) -> fast.SequenceRows:
        """Return the sequences as rows with the features of the training sequences."""
        _check_sequences(sequences)
        if _is_named(sequences[0]) != isinstance(self.features_, list):
            raise BadArgument("Give arrays throughout or dictionaries throughout, as in training.")
        if isinstance(self.features_, int):
            return fast.rows_of(sequences, self.features_, ends=self.ends)
        return _named_rows(sequences, self.features_, self.ends)

    def _numbered(self, taggings: Iterable[Sequence[Hashable]]) -> list[tuple[int, ...]]:
        number = {tag: s for s, tag in enumerate(self.classes_.tolist())}
        found = []
        for i, tags in enumerate(taggings):
            listed = np.asarray(tags).tolist() if isinstance(tags, np.ndarray) else list(tags)
            unknown = [tag for tag in listed if tag not in number]
            if unknown:
                raise BadArgument(
                    f"Tag {unknown[0]!r} of sequence {i} was not in the training data."
                )
            found.append(tuple(number[tag] for tag in listed))
        return found


def _decoded(E, P, Q, words: structured.WordList | None, forbidden: list) -> list[int]:
    best = None if words is None else structured.best_word(E, P, words, Q=Q)
    return list((best or structured.viterbi(E, P, Q=Q, forbidden=forbidden)).y)


def _check_sequences(sequences: Sequence) -> None:
    if not hasattr(sequences, "__len__") or len(sequences) == 0:
        raise BadArgument("There are no sequences: give a list of arrays, or of dictionaries.")
    for i, x in enumerate(sequences):
        if not hasattr(x, "__len__") and not hasattr(x, "shape"):
            raise BadArgument(f"Sequence {i} is {x!r}; it needs one row per position.")
        if (x.shape[0] if hasattr(x, "shape") and x.shape else len(x)) == 0:
            raise BadArgument(f"Sequence {i} is empty: leave it out.")
        if _is_named(x) != _is_named(sequences[0]):
            raise BadArgument("Give arrays throughout or dictionaries throughout, not both.")
        is_list = isinstance(x, (list, tuple)) and not _is_named(x)
        if is_list and len({np.size(row) for row in x}) > 1:
            raise BadArgument(
                f"Sequence {i} is ragged: each row needs the same number of features."
            )


def _is_named(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and isinstance(x[0], Mapping)


def _classes(taggings: Sequence[Sequence[Hashable]]) -> np.ndarray:
    """Return the different tags, sorted."""
    tags: list[Any] = [
        tag for y in taggings for tag in (y.tolist() if isinstance(y, np.ndarray) else y)
    ]
    if any(tag != tag for tag in tags):
        raise BadArgument("The tags contain NaN: remove those sequences, or name a tag for them.")
    advice = "Tags must be of one kind that can be sorted: map them to strings."
    try:
        classes = np.array(sorted(set(tags)))
    except TypeError:
        raise BadArgument(advice) from None
    if classes.ndim != 1:  # tuples
        raise BadArgument(advice)
    return classes


def _feature_names(sequences: Sequence) -> int | list[str]:
    """Return the number of features, or their names, sorted, where they have some."""
    if not _is_named(sequences[0]):
        shape = np.shape(sequences[0])
        if len(shape) != 2 or shape[1] == 0:
            raise BadArgument(f"Sequence 0 has shape {shape}; it needs (n, d), d features each.")
        return int(shape[1])
    return sorted({name for x in sequences for named in x for name, _ in _features(named)})


def _features(named: Mapping[str, float | str]) -> list[tuple[str, float]]:
    """Return names and numbers; the text of a feature becomes a part of its name."""
    found = []
    for name, value in named.items():
        if isinstance(value, str):
            found.append((f"{name}={value}", 1.0))
        elif isinstance(value, (Real, np.bool_)):
            found.append((str(name), _as_float(name, value)))
        else:
            raise BadArgument(f"Feature {name!r} is {value!r}: it needs a number or a text.")
    return found


def _as_float(name: str, value: Real | np.bool_) -> float:
    try:
        return float(value)
    except OverflowError:
        raise BadArgument(f"Feature {name!r} is too large: no float holds it.") from None


def _named_rows(sequences: Sequence, names: list[str], ends: bool) -> fast.SequenceRows:
    """Return named features as rows; a name that was not in training is left out."""
    number = {name: j for j, name in enumerate(names)}
    entries = [
        (t, number[name], value)
        for t, named in enumerate(named for x in sequences for named in x)
        for name, value in _features(named)
        if name in number
    ]
    bounds = np.append(0, np.cumsum([len(x) for x in sequences]))
    t, j, value = zip(*entries) if entries else ((), (), ())
    table = sparse.csr_array((value, (t, j)), shape=(bounds[-1], len(names)))
    return fast.rows_of_table(table, bounds, ends=ends)


def _plain(value: Any) -> Any:
    """Return a number of numpy's, as a grid search sets it, as a number of Python's."""
    return value.item() if isinstance(value, np.generic) else value


def _check_plain(about: dict) -> None:
    """Refuse what JSON would change: tags and seeds that are no text, number or truth value."""
    plain = (str, int, float, bool, type(None))
    for value in [*about["classes"], *about["parameters"].values()]:
        if not isinstance(value, plain):
            raise BadArgument(f"{value!r} cannot be written to a plain file: use text or numbers.")
