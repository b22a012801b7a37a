"""Counts of right and wrong answers for two labels, and the rates they make (L4).

A metric that comes out as 0/0 has no value. It is then given as `zero_division`, by default 0.0:
who claims nothing earns nothing. 1.0 and nan are the other usual choices; `undefined` names the
metrics concerned.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_choice, check_count, check_positive
from .checks import (
    Label,
    Rows,
    check_costs,
    check_label_pair,
    check_probability,
    check_zero_division,
    label_name,
    other_label,
    text_table,
)


def ratio(top: float, bottom: float, zero_division: float) -> float:
    """Return top / bottom, and `zero_division` for 0/0."""
    return float(top / bottom) if bottom else float(zero_division)


@dataclass(frozen=True)
class Confusion:
    """How often each label was predicted for each label: the table of L4, slide Metrics."""

    TN: int  #: true negatives: predicted -, and - it is
    FP: int  #: false positives: predicted +, but it is -
    FN: int  #: false negatives: predicted -, but it is +
    TP: int  #: true positives: predicted +, and + it is
    positive: Label = 1  #: the label that counts as +
    negative: Label | None = -1  #: the other one; None if it never occurred
    zero_division: float = 0.0  #: what 0/0 is given as

    def __post_init__(self) -> None:
        for name in ("TN", "FP", "FN", "TP"):
            check_count(getattr(self, name), name, 0)
        check_zero_division(self.zero_division)
        if self.n == 0:
            raise BadArgument("All four counts are 0: there is no example to judge by.")

    @property
    def n(self) -> int:
        """N, the number of examples."""
        return self.TN + self.FP + self.FN + self.TP

    @property
    def positives(self) -> int:
        """TP + FN, the examples that *are* positive."""
        return self.TP + self.FN

    @property
    def negatives(self) -> int:
        """TN + FP, the examples that *are* negative."""
        return self.TN + self.FP

    @property
    def predicted_positives(self) -> int:
        """TP + FP, the examples that are *called* positive."""
        return self.TP + self.FP

    @property
    def share(self) -> float:
        """The fraction of positives among the examples, also called prevalence."""
        return self.positives / self.n

    @property
    def accuracy(self) -> float:
        """(TP + TN) / N."""
        return (self.TP + self.TN) / self.n

    @property
    def error(self) -> float:
        """(FP + FN) / N, which is 1 - accuracy."""
        return (self.FP + self.FN) / self.n

    @property
    def precision(self) -> float:
        """TP / (TP + FP): of those called positive, how many are."""
        return ratio(self.TP, self.predicted_positives, self.zero_division)

    @property
    def recall(self) -> float:
        """TP / (TP + FN): of the positives, how many are found. The same as TPR."""
        return ratio(self.TP, self.positives, self.zero_division)

    @property
    def TPR(self) -> float:
        """The true positive rate, another name of recall."""
        return self.recall

    @property
    def FPR(self) -> float:
        """FP / (FP + TN): of the negatives, how many are called positive."""
        return ratio(self.FP, self.negatives, self.zero_division)

    @property
    def specificity(self) -> float:
        """TN / (TN + FP): of the negatives, how many are left alone. 1 - FPR unless 0/0."""
        return ratio(self.TN, self.negatives, self.zero_division)

    @property
    def balanced_accuracy(self) -> float:
        """(recall + specificity) / 2: each class counts the same, however rare."""
        return (self.recall + self.specificity) / 2

    @property
    def F1(self) -> float:
        """The harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN)."""
        return self.F(1.0)

    @property
    def MCC(self) -> float:
        """Matthews' coefficient: the correlation of truth and prediction, from -1 to 1."""
        top = self.TP * self.TN - self.FP * self.FN
        called = self.predicted_positives * (self.n - self.predicted_positives)
        bottom = called**0.5 * (self.positives * self.negatives) ** 0.5
        return ratio(top, bottom, self.zero_division)

    @property
    def undefined(self) -> tuple[str, ...]:
        """The names of the metrics that are 0/0 here, so that they are `zero_division`."""
        called, not_called = self.predicted_positives, self.n - self.predicted_positives
        sums = {
            "precision": (called,),
            "recall": (self.positives,),
            "TPR": (self.positives,),
            "FPR": (self.negatives,),
            "specificity": (self.negatives,),
            "balanced_accuracy": (self.positives, self.negatives),
            "F1": (self.TP + self.FP + self.FN,),
            "MCC": (called, not_called, self.positives, self.negatives),
        }
        return tuple(name for name, bottom in sums.items() if 0 in bottom)

    def F(self, beta: float = 1.0) -> float:
        """Return F-beta: recall counts `beta` times as much as precision.

        (1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP), the weighted harmonic mean of both.
        """
        beta = check_positive(beta, "beta", ": it weighs recall against precision")
        top = (1 + beta**2) * self.TP
        return ratio(top, top + beta**2 * self.FN + self.FP, self.zero_division)

    def cost(self, fp: float = 1.0, fn: float = 1.0) -> float:
        """Return the mean cost of an example if a false positive costs `fp`, a false negative `fn`.

        With both at 1 it is the error.
        """
        check_costs(fp, fn)
        return (fp * self.FP + fn * self.FN) / self.n

    def table(self, rows: Rows = "predicted") -> np.ndarray:
        """Return the counts as a 2 x 2 array, - first.

        ``"predicted"``: predictions are rows, truth is columns, as in L4: [[TN, FN], [FP, TP]].
        ``"true"``: the transpose, [[TN, FP], [FN, TP]], as in scikit-learn.
        """
        check_choice(rows, ("predicted", "true"), "rows")
        table = np.array([[self.TN, self.FN], [self.FP, self.TP]])
        return table if rows == "predicted" else table.T

    def __str__(self) -> str:
        """Return L4's table with its totals."""
        plus = label_name(self.positive)
        minus = f"not {plus}" if self.negative is None else label_name(self.negative)
        return text_table((minus, plus), self.table())


@explained
def confusion(
    y: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: Label = 1,
    zero_division: float = 0.0,
) -> Confusion:
    """Count the answers for two labels; `positive` says which of them counts as + (L4).

    Parameters
    ----------
    y, predicted : (n,) the true and the predicted labels: any two numbers or texts
    positive : the label that counts as +
    zero_division : what 0/0 is given as

    Examples
    --------
    >>> counts = metrics.confusion([1, 1, -1, -1], [1, -1, -1, -1])
    >>> print(counts.TP, counts.FN, counts.recall)
    1 1 0.5
    """
    y, predicted = check_label_pair(y, predicted)
    negative = other_label(np.concatenate([y, predicted]), positive)
    is_plus, says_plus = y == positive, predicted == positive
    return Confusion(
        TN=int(np.sum(~is_plus & ~says_plus)),
        FP=int(np.sum(~is_plus & says_plus)),
        FN=int(np.sum(is_plus & ~says_plus)),
        TP=int(np.sum(is_plus & says_plus)),
        positive=positive,
        negative=negative,
        zero_division=zero_division,
    )


@dataclass(frozen=True)
class Rates:
    """What follows from TPR and FPR once the share of positives is known.

    Parameters
    ----------
    share : the probability that an example is positive
    TPR, FPR : the probability that a positive, a negative, is called positive
    zero_division : what 0/0 is given as

    Examples
    --------
    >>> round(metrics.Rates(share=0.01, TPR=0.9, FPR=0.1).precision, 4)
    0.0833
    """

    share: float  #: the probability that an example is positive
    TPR: float  #: the probability that a positive is called positive
    FPR: float  #: the probability that a negative is called positive
    zero_division: float = 0.0  #: what 0/0 is given as

    def __post_init__(self) -> None:
        for name in ("share", "TPR", "FPR"):
            check_probability(getattr(self, name), name)
        check_zero_division(self.zero_division)

    @property
    def accuracy(self) -> float:
        """share TPR + (1 - share) (1 - FPR)."""
        return self.share * self.TPR + (1 - self.share) * (1 - self.FPR)

    @property
    def error(self) -> float:
        """share (1 - TPR) + (1 - share) FPR."""
        return self.share * (1 - self.TPR) + (1 - self.share) * self.FPR

    @property
    def precision(self) -> float:
        """share TPR / (share TPR + (1 - share) FPR): Bayes' rule."""
        found = self.share * self.TPR
        return ratio(found, found + (1 - self.share) * self.FPR, self.zero_division)

    @property
    def recall(self) -> float:
        """The same as TPR."""
        return self.TPR


@explained
def four_questions(share: float, *, q: float = 0.5, zero_division: float = 0.0) -> dict[str, Rates]:
    """Answer L4's four questions by formula, for a `share` of positives.

    A guesser says + with probability `q`, whatever the example: TPR = FPR = q. Calling everything
    positive is q = 1, everything negative q = 0. So the four are four points (TPR, FPR).

    Parameters
    ----------
    share : the probability that an example is positive
    q : how often the guesser says +
    zero_division : what 0/0 is given as

    Examples
    --------
    >>> {name: rates.accuracy for name, rates in metrics.four_questions(0.25).items()}
    {'perfect': 1.0, 'all positive': 0.25, 'all negative': 0.75, 'random': 0.5}
    """
    points = {"perfect": (1, 0), "all positive": (1, 1), "all negative": (0, 0), "random": (q, q)}
    return {name: Rates(share, *rates, zero_division) for name, rates in points.items()}
