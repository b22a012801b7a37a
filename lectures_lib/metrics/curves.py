"""What a score does at every threshold: ROC, precision and recall, costs; each with its proof.

Scores are compared as they are given, whole numbers as whole numbers; counts are 64-bit on every
machine, and areas are quotients of whole numbers.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import SEAL, Result, with_fields
from ..conventions import RTOL, as_array
from ..proof.rounding import UNIT
from ..proof.verdict import Proof, Verdict
from .checks import (
    Label,
    check_costs,
    check_label_array,
    check_probability,
    other_label,
)
from .counts import Confusion

#: Whole numbers beyond this are not all floats.
LAST_EXACT_WHOLE = 2**53


@dataclass(frozen=True)
class AreaCertificate(Proof):
    """The area, counted again: how many pairs (positive, negative) the score puts in order."""

    claimed: float  #: the area under the curve
    won: int  #: pairs in which the positive has the higher score
    tied: int  #: pairs of equal score
    lost: int  #: pairs in which the negative has the higher score

    @property
    def exact(self) -> Fraction:
        """(won + tied / 2) / all pairs: the statistic of Mann and Whitney (1947)."""
        return Fraction(2 * self.won + self.tied, 2 * (self.won + self.tied + self.lost))

    @property
    def pairs(self) -> float:
        """The same as a float, rounded once."""
        return float(self.exact)

    @property
    def verdict(self) -> Verdict:
        """Return whether the claimed area is the share of pairs in order, within RTOL: exactly."""
        close = math.isfinite(self.claimed) and abs(Fraction(self.claimed) - self.exact) <= RTOL
        return "proved" if close else "refuted"

    def __str__(self) -> str:
        """Return the counts and the verdict."""
        counts = f"{self.won} won, {self.tied} tied, {self.lost} lost"
        return f"area {self.claimed:.6f}; pairs: {counts}: {self.pairs:.6f}; {self.verdict}"


@dataclass(frozen=True, eq=False)
class ROC(Result):
    """The classifiers "+ where score >= threshold", from the strictest to the laxest."""

    thresholds: np.ndarray  #: (k + 1,) infinity, then the k distinct scores, falling
    #: (floats; whole numbers that no float holds stay what they are, in an array of objects)
    FP: np.ndarray  #: (k + 1,) false positives at each threshold
    TP: np.ndarray  #: (k + 1,) true positives
    area: float  #: under the curve, by trapezoids
    certificate: AreaCertificate  #: the same by counting pairs
    positive: Label = 1  #: the label that counts as +
    negative: Label = -1  #: the other one

    @property
    def FPR(self) -> np.ndarray:
        """(k + 1,) from 0 to 1."""
        return self.FP / self.FP[-1]

    @property
    def TPR(self) -> np.ndarray:
        """(k + 1,) from 0 to 1."""
        return self.TP / self.TP[-1]

    @property
    def share(self) -> float:
        """The fraction of positives among the examples."""
        return float(self.TP[-1] / (self.TP[-1] + self.FP[-1]))

    def at(self, i: int, *, zero_division: float = 0.0) -> Confusion:
        """Return the counts at point `i`: + is said where the score is >= thresholds[i]."""
        FP, TP = int(self.FP[i]), int(self.TP[i])
        TN, FN = int(self.FP[-1]) - FP, int(self.TP[-1]) - TP
        return Confusion(TN, FP, FN, TP, self.positive, self.negative, zero_division)

    def rejudge(self, y: ArrayLike, scores: ArrayLike, *, positive: Label = 1) -> "ROC":
        """Judge the area anew, also of a changed copy; the curve itself is counted again.

        Parameters
        ----------
        y, scores, positive : as in `roc`

        Examples
        --------
        >>> from dataclasses import replace
        >>> y, scores = [1, 1, -1, -1], [0.9, 0.3, 0.5, 0.1]
        >>> replace(metrics.roc(y, scores), area=0.99).rejudge(y, scores).certificate.verdict
        'refuted'
        """
        proof = area_certificate(y, scores, self.area, positive=positive)
        return with_fields(roc(y, scores, positive=positive), area=self.area, certificate=proof)


@explained
def sweep(
    y: ArrayLike, scores: ArrayLike, *, positive: Label = 1
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lower the threshold from infinity past every distinct score; return (thresholds, FP, TP).

    Parameters
    ----------
    y : (n,) the true labels, of two kinds
    scores : (n,) the higher, the more it looks like +
    positive : the label that counts as +

    Examples
    --------
    >>> thresholds, FP, TP = metrics.sweep([1, -1, 1], [3.0, 2.0, 2.0])
    >>> FP.tolist(), TP.tolist()
    ([0, 0, 1], [0, 1, 2])
    """
    is_plus, scores, _ = _check_scores(y, scores, positive)
    order = np.argsort(scores, kind="stable")[::-1]
    s, plus = scores[order], is_plus[order]
    last = np.append(s[1:] != s[:-1], True)  # where the next score is another one
    TP, FP = (np.cumsum(hit, dtype=np.int64)[last] for hit in (plus, ~plus))
    zero = np.zeros(1, dtype=np.int64)
    return _thresholds(s[last]), np.append(zero, FP), np.append(zero, TP)


def _thresholds(scores: np.ndarray) -> np.ndarray:
    """Return infinity and the scores: as floats, unless these would change whole numbers."""
    whole = (
        scores.dtype.kind in "iu"
        and max(map(abs, (int(scores[0]), int(scores[-1])))) > LAST_EXACT_WHOLE
    )
    if whole:
        return np.array([np.inf, *scores.tolist()], dtype=object)
    return np.append(np.inf, scores.astype(float))


@explained
def roc(y: ArrayLike, scores: ArrayLike, *, positive: Label = 1) -> ROC:
    """Return the ROC curve of a score: TPR against FPR, one point a distinct score.

    Examples of equal score cross the threshold together, so a tie between a positive and a
    negative makes a slanted piece, and counts half in the area.

    Parameters
    ----------
    y : (n,) the true labels, of two kinds
    scores : (n,) the higher, the more it looks like +
    positive : the label that counts as +

    Examples
    --------
    >>> metrics.roc([1, 1, -1, -1], [0.9, 0.3, 0.5, 0.1]).area
    0.75
    """
    is_plus, _, negative = _check_scores(y, scores, positive)
    if is_plus.all() or not is_plus.any():
        raise BadArgument(
            f"All {is_plus.size} labels are of one class: the ROC curve and its area are "
            "undefined, because there is no pair to put in order. Add examples of the other."
        )
    thresholds, FP, TP = sweep(y, scores, positive=positive)
    twice = np.sum(np.diff(FP) * (TP[1:] + TP[:-1]), dtype=np.int64)
    area = float(Fraction(int(twice), 2 * int(FP[-1]) * int(TP[-1])))
    proof = area_certificate(y, scores, area, positive=positive)
    return ROC(thresholds, FP, TP, area, proof, positive, negative, _seal=SEAL)


@explained
def area_certificate(
    y: ArrayLike, scores: ArrayLike, area: float, *, positive: Label = 1
) -> AreaCertificate:
    """Count the pairs (positive, negative) in order, to judge a claimed area under the ROC curve.

    No curve is drawn: each positive looks up how many negatives lie below and level with it.

    Parameters
    ----------
    y, scores, positive : as in `roc`
    area : what is claimed

    Examples
    --------
    >>> metrics.area_certificate([1, 1, -1, -1], [0.9, 0.3, 0.5, 0.1], 0.75).holds
    True
    """
    is_plus, scores, _ = _check_scores(y, scores, positive)
    plus, minus = scores[is_plus], np.sort(scores[~is_plus])
    if not plus.size or not minus.size:
        raise BadArgument("The area is undefined for labels of one class: no pairs.")
    below = int(np.searchsorted(minus, plus, side="left").sum(dtype=np.int64))
    not_above = int(np.searchsorted(minus, plus, side="right").sum(dtype=np.int64))
    lost = plus.size * minus.size - not_above
    return AreaCertificate(float(area), below, not_above - below, lost)


@dataclass(frozen=True)
class PrecisionCertificate(Proof):
    """Average precision, again: the mean over the positives of the precision down to each."""

    claimed: float
    mean: float  #: over positives i of the share of positives among scores >= score i

    @property
    def verdict(self) -> Verdict:
        """Return whether the claimed value is that mean, within RTOL.

        Each share is rounded once, their sum once, and the mean once: it errs by 4 u at most.
        """
        if not math.isfinite(self.claimed):
            return "refuted"
        off, error = abs(Fraction(self.claimed) - Fraction(self.mean)), Fraction(4 * UNIT)
        if off + error <= RTOL:
            return "proved"
        return "refuted" if off - error > RTOL else "undecided"

    def __str__(self) -> str:
        """Return both numbers and the verdict."""
        return f"average precision {self.claimed:.6f}; mean {self.mean:.6f}; {self.verdict}"


@dataclass(frozen=True, eq=False)
class PRCurve(Result):
    """Precision and recall at every threshold, from the strictest to the laxest.

    At infinity nothing is called positive and precision is 0/0, so the curve starts at the
    highest score. (scikit-learn puts a point of precision 1 and recall 0 there.)
    """

    thresholds: np.ndarray  #: (k,) the distinct scores, falling
    precision: np.ndarray  #: (k,)
    recall: np.ndarray  #: (k,) rising to 1
    average_precision: float  #: sum of the precisions, weighted by the steps of recall
    certificate: PrecisionCertificate

    def rejudge(self, y: ArrayLike, scores: ArrayLike, *, positive: Label = 1) -> "PRCurve":
        """Judge the average precision anew; the curve itself is counted again.

        Parameters
        ----------
        y, scores, positive : as in `pr_curve`

        Examples
        --------
        >>> from dataclasses import replace
        >>> y, scores = [1, 1, -1, -1], [0.9, 0.3, 0.5, 0.1]
        >>> lie = replace(metrics.pr_curve(y, scores), average_precision=0.99)
        >>> lie.rejudge(y, scores).certificate.verdict
        'refuted'
        """
        claim = self.average_precision
        proof = precision_certificate(y, scores, claim, positive=positive)
        again = pr_curve(y, scores, positive=positive)
        return with_fields(again, average_precision=claim, certificate=proof)


@explained
def pr_curve(y: ArrayLike, scores: ArrayLike, *, positive: Label = 1) -> PRCurve:
    """Return precision and recall at every threshold, one point a distinct score.

    Parameters
    ----------
    y, scores, positive : as in `roc`

    Examples
    --------
    >>> metrics.pr_curve([1, 1, -1, -1], [0.9, 0.3, 0.5, 0.1]).precision.round(4)
    array([1.    , 0.5   , 0.6667, 0.5   ])
    """
    is_plus, _, _ = _check_scores(y, scores, positive)
    if not is_plus.any():
        raise BadArgument("No example is positive: recall is 0/0 at every threshold.")
    thresholds, FP, TP = sweep(y, scores, positive=positive)
    precision, recall = TP[1:] / (TP[1:] + FP[1:]), TP / TP[-1]
    average = float(np.sum(np.diff(recall) * precision))
    proof = precision_certificate(y, scores, average, positive=positive)
    return PRCurve(thresholds[1:], precision, recall[1:], average, proof, _seal=SEAL)


@explained
def average_precision(y: ArrayLike, scores: ArrayLike, *, positive: Label = 1) -> float:
    """Return the sum of precision times the step of recall: no line is drawn between points."""
    return pr_curve(y, scores, positive=positive).average_precision


@explained
def precision_certificate(
    y: ArrayLike, scores: ArrayLike, average: float, *, positive: Label = 1
) -> PrecisionCertificate:
    """Average the precision down to each positive, to judge a claimed average precision."""
    is_plus, scores, _ = _check_scores(y, scores, positive)
    if not is_plus.any():
        raise BadArgument("Average precision is undefined without positives.")
    everyone, plus = np.sort(scores), np.sort(scores[is_plus])
    called = scores.size - np.searchsorted(everyone, plus, side="left")
    found = plus.size - np.searchsorted(plus, plus, side="left")
    return PrecisionCertificate(float(average), math.fsum(found / called) / plus.size)


@dataclass(frozen=True, eq=False)
class Costs:
    """The mean cost of an example at every threshold."""

    thresholds: np.ndarray  #: (k + 1,) as in the ROC
    costs: np.ndarray  #: (k + 1,) fn share (1 - TPR) + fp (1 - share) FPR
    best: int  #: the place of the lowest cost; of several, the strictest threshold

    @property
    def threshold(self) -> float:
        """The best threshold: say + where the score is >= this; infinity: never."""
        t = self.thresholds[self.best]
        return t if isinstance(t, int) else float(t)

    @property
    def cost(self) -> float:
        """The lowest cost."""
        return float(self.costs[self.best])


@explained
def costs(curve: ROC, *, fp: float = 1.0, fn: float = 1.0, share: float | None = None) -> Costs:
    """Return the expected cost at every threshold, and the best one.

    A false positive costs `fp`, a false negative `fn`. `share`: the fraction of positives where
    the classifier will be used; default that of the sample. No threshold between two scores is
    missed: it says the same as the higher one.

    Parameters
    ----------
    curve : what `roc` returned
    fp, fn : what a false positive and a false negative cost
    share : of positives, where the classifier will be used; default that of the sample

    Examples
    --------
    >>> curve = metrics.roc([1, 1, -1, -1], [0.9, 0.3, 0.5, 0.1])
    >>> metrics.costs(curve, fp=1.0, fn=4.0).costs
    array([2.  , 1.  , 1.25, 0.25, 0.5 ])
    """
    check_costs(fp, fn)
    share = curve.share if share is None else check_probability(share, "share")
    values = fn * share * (1 - curve.TPR) + fp * (1 - share) * curve.FPR
    best = int(np.flatnonzero(values <= values.min() + RTOL * values.max())[0])
    return Costs(curve.thresholds, values, best)


@explained
def bayes_threshold(fp: float = 1.0, fn: float = 1.0) -> float:
    """Return the probability from which on saying + is cheaper: fp / (fp + fn).

    If + is right with probability p, saying + costs (1 - p) fp and saying - costs p fn.
    """
    check_costs(fp, fn)
    return fp / (fp + fn)


@explained
def cost_curve(curve: ROC, weights: ArrayLike) -> np.ndarray:
    """Return the lowest cost over all thresholds for each weight c of the positives.

    Each threshold is a line c (1 - TPR) + (1 - c) FPR in c = fn share / (fn share + fp (1 -
    share)); the curve is their lower envelope (Drummond and Holte 2006), never above min(c, 1 - c).

    Parameters
    ----------
    curve : what `roc` returned
    weights : the weights c of the positives, from 0 to 1

    Examples
    --------
    >>> curve = metrics.roc([1, 1, -1, -1], [0.9, 0.3, 0.5, 0.1])
    >>> metrics.cost_curve(curve, [0.25, 0.5])
    array([0.125, 0.25 ])
    """
    c = np.array([check_probability(v, "a weight") for v in np.ravel(weights)])
    lines = np.outer(c, 1 - curve.TPR) + np.outer(1 - c, curve.FPR)
    return lines.min(axis=1)


def _check_scores(y: ArrayLike, scores: ArrayLike, positive: Label):
    y = check_label_array(y, "y")
    negative = other_label(y, positive)
    raw = as_array(scores, "scores")
    if raw.dtype.kind not in "biuf" or raw.shape != y.shape:
        raise BadArgument(
            f"scores are {raw.dtype} of shape {raw.shape}; {y.size} real numbers are needed."
        )
    if not np.isfinite(raw).all():
        raise BadArgument("scores contain NaN or infinity: every example needs a finite score.")
    if raw.dtype.kind == "b" or raw.dtype.itemsize < 8:
        raw = raw.astype(float)  # exact
    return y == positive, raw, negative
