"""The table of several classes and its averages: macro, micro, weighted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_choice
from .checks import (
    Label,
    Rows,
    check_label_pair,
    check_no_scores,
    check_zero_division,
    label_name,
    text_table,
)
from .counts import Confusion

Average = Literal["macro", "micro", "weighted"]


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
    """How often each of k labels was predicted for each. Rows are predictions, as in L4."""

    labels: tuple[Label, ...]  #: the k labels, in the order of rows and columns
    counts: np.ndarray  #: (k, k); counts[i, j]: label i was predicted, label j was true
    zero_division: float = 0.0  #: what 0/0 is given as; nan leaves the class out of averages

    def __post_init__(self) -> None:
        counts = np.asarray(self.counts)
        k = len(self.labels)
        if counts.shape != (k, k) or counts.dtype.kind not in "iu" or counts.min(initial=0) < 0:
            raise BadArgument(f"counts need shape ({k}, {k}) and whole numbers >= 0.")
        if counts.sum() == 0:
            raise BadArgument("All counts are 0: there is no example to judge by.")
        check_zero_division(self.zero_division)

    @property
    def n(self) -> int:
        """The number of examples."""
        return int(self.counts.sum())

    @property
    def support(self) -> np.ndarray:
        """(k,) how often each label is true: the column totals."""
        return self.counts.sum(axis=0)

    @property
    def accuracy(self) -> float:
        """The share of the diagonal."""
        return float(np.trace(self.counts) / self.n)

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the classes that occur in the truth."""
        occurs = self.support > 0
        return float(np.mean(np.diag(self.counts)[occurs] / self.support[occurs]))

    def table(self, rows: Rows = "predicted") -> np.ndarray:
        """Return the counts; ``"true"`` gives the transpose, which is scikit-learn's."""
        check_choice(rows, ("predicted", "true"), "rows")
        return (self.counts if rows == "predicted" else self.counts.T).copy()

    def against_rest(self, label: Label) -> Confusion:
        """Return the counts of one label against all others together."""
        if label not in self.labels:
            raise BadArgument(f"There is no label {label!r}; there are {self.labels}.")
        i = self.labels.index(label)
        TP = int(self.counts[i, i])
        FP, FN = int(self.counts[i].sum()) - TP, int(self.counts[:, i].sum()) - TP
        rest = self.n - TP - FP - FN
        return Confusion(rest, FP, FN, TP, label, None, self.zero_division)

    def precision(self, average: Average | None = None) -> float | np.ndarray:
        """Return the precision of each class, or their average."""
        return self._average([c.precision for c in self._each()], average)

    def recall(self, average: Average | None = None) -> float | np.ndarray:
        """Return the recall of each class, or their average."""
        return self._average([c.recall for c in self._each()], average)

    def F(self, beta: float = 1.0, average: Average | None = None) -> float | np.ndarray:
        """Return F-beta of each class, or their average (not the F of averages)."""
        return self._average([c.F(beta) for c in self._each()], average)

    def _each(self) -> list[Confusion]:
        return [self.against_rest(label) for label in self.labels]

    def _average(self, values: list[float], average: Average | None) -> float | np.ndarray:
        """macro: each class counts the same. weighted: by its support. micro: each example.

        Pooled over all classes, every wrong answer is one false positive and one false negative:
        micro precision, recall and F are all the accuracy. A class whose value is nan is left
        out; where nobody with a value has weight, the average is nan.
        """
        if average is None:
            return np.array(values)
        if average == "micro":
            return self.accuracy
        if average not in ("macro", "weighted"):
            raise BadArgument(f'average is None, "macro", "micro" or "weighted", not {average!r}.')
        weights = self.support if average == "weighted" else np.ones(len(values))
        known = ~np.isnan(values)
        total = weights[known].sum()
        return float(weights[known] @ np.array(values)[known] / total) if total else float("nan")

    def __str__(self) -> str:
        """Return the table with its totals, predictions as rows."""
        return text_table(tuple(map(label_name, self.labels)), self.counts)


@explained
def confusion_matrix(
    y: ArrayLike,
    predicted: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    zero_division: float = 0.0,
) -> ConfusionMatrix:
    """Count the answers for several labels.

    `labels` fixes the order of rows and columns, and may name some that never occur; default:
    all that occur, sorted.

    Parameters
    ----------
    y, predicted : (n,) the true and the predicted labels
    labels : the order of rows and columns; default all that occur, sorted
    zero_division : what 0/0 is given as

    Examples
    --------
    >>> metrics.confusion_matrix(["a", "b", "b"], ["a", "b", "a"]).counts
    array([[1, 1],
           [0, 1]])
    """
    y, predicted = check_label_pair(y, predicted)
    if labels is None:
        check_no_scores(y, predicted)
    found = np.unique(np.concatenate([y, predicted]))
    names = found if labels is None else np.asarray(labels)
    if names.ndim != 1 or len(np.unique(names)) != names.size or not np.isin(found, names).all():
        raise BadArgument(f"labels must list each of {found.tolist()[:9]} once, in any order.")
    place = np.argsort(names)
    rows, columns = (place[np.searchsorted(names, v, sorter=place)] for v in (predicted, y))
    counts = np.zeros((names.size, names.size), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    return ConfusionMatrix(tuple(names.tolist()), counts, zero_division)
