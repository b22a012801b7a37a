"""Margin shattering: the average over random signs says how many points a margin allows (L1, L4).

A ball of radius R has room for (R / gamma)^2 points that separators through the origin shatter at
margin gamma. The proof is an average over labellings; here it is evaluated, set by set.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import explained
from ..conventions import check_points
from ..proof.complexity import centred, farthest, is_points, judge_signs
from ..proof.verdict import SelfJudged, Verdict, worst
from .ball import SmallestBall, smallest_ball
from .shattering import all_labellings, few_points


@dataclass(frozen=True, eq=False)
class SignAverage(SelfJudged):
    """The proof by random signs that a set is too large for a margin, evaluated on this set.

    `reach[k]` is the length of one convex combination of the y x, so no separator of labelling k
    has a larger margin; with an offset, half the distance between the means of the classes.
    """

    X: np.ndarray  #: (n, d)
    offset: bool  #: labellings are then those with halves of (almost) equal size
    labellings: np.ndarray  #: (k, n)
    reach: np.ndarray  #: (k,) no margin of this labelling is larger
    average: float  #: the mean of reach^2 over the labellings
    expected: float  #: what that mean must be: the cross terms cancel
    R: float  #: radius of a ball with all points: around 0; with an offset, that of `ball`
    ball: SmallestBall | None = None  #: with an offset: the smallest ball, with its own proof

    @property
    def gamma(self) -> float:
        """The smallest reach: no larger margin is shattered."""
        return float(self.reach.min())

    @property
    def allowed(self) -> float:
        """What R alone allows for the average: R^2 / n, or R^2 / (n - 1) with an offset, n even."""
        return self.R**2 * float(_share(len(self.X), self.offset))

    @cached_property
    def verdict(self) -> Verdict:
        """gamma^2 <= average = expected <= allowed, measured again from X, rounding included."""
        fits = is_points(self.X) and isinstance(self.offset, (int, np.bool_))
        if not fits or len(self.X) < 1 + self._is_offset:
            return "refuted"
        claimed = {
            "reach": self.reach,
            "average": self.average,
            "expected": self.expected,
            "R": self.R,
        }
        share = _share(len(self.X), self._is_offset)
        judged = judge_signs(self.X, self.labellings, self._is_offset, claimed, share)
        return worst([judged, self._judged_ball])

    @property
    def _is_offset(self) -> bool:
        return bool(self.offset)

    @property
    def _judged_ball(self) -> Verdict:
        """Judge with an offset: R is the radius of the smallest ball around these points."""
        if not self._is_offset:
            return "proved" if self.ball is None else "refuted"
        if not isinstance(self.ball, SmallestBall) or not np.array_equal(self.ball.X, self.X):
            return "refuted"
        return self.ball.verdict if self.ball.radius == self.R else "refuted"


@explained
def random_signs(X: ArrayLike, *, offset: bool = False) -> SignAverage:
    """Average over all labellings how far a separator can stay away from the points of X (L1).

    A unit w of margin gamma has n gamma <= w . sum y x <= norm(sum y x). Over random signs the
    mean of norm(sum y x)^2 is sum norm(x)^2 <= n R^2. So n^2 gamma^2 <= n R^2: at most
    (R / gamma)^2 points are shattered at margin gamma. With an offset, take halves of equal size:
    the offset cancels and the same average gives n - 1 <= (R / gamma)^2 for even n.

    Parameters
    ----------
    X : (n, d) points, of which all labellings are tried
    offset : separators need not pass through the origin

    Examples
    --------
    >>> round(complexity.random_signs([[3.0, 0.0], [0.0, 4.0]]).expected, 6)
    6.25
    """
    X = few_points(X, 2 if offset else 1)
    n, labellings = len(X), all_labellings(len(X))
    if offset:
        labellings = labellings[np.abs(labellings.sum(axis=1)) <= n % 2]
    Z = centred(X).astype(float) if offset else X
    plus = (labellings > 0).sum(axis=1, keepdims=True)
    size = 2 * np.where(labellings > 0, plus, n - plus) if offset else n
    reach = np.linalg.norm((labellings / size) @ Z, axis=1)
    norms = (Z * Z).sum(axis=1)
    expected = norms.mean() * float(_share(n, offset))
    ball = smallest_ball(X) if offset else None
    R = farthest(X, np.zeros(X.shape[1])).high if ball is None else ball.radius
    average = float(np.mean(reach**2))
    return SignAverage(X, offset, labellings, reach, average, float(expected), float(R), ball)


@explained
def opposing_labels(X: ArrayLike) -> np.ndarray:
    """Return labels for any number of points with norm(sum y x)^2 <= sum norm(x)^2, in one pass.

    Each label turns its example against the sum so far, so no cross term adds: the growth line of
    the mistake bound. With weights 1 / n this refutes every margin above R / sqrt(n).

    Parameters
    ----------
    X : (n, d) points

    Examples
    --------
    >>> complexity.opposing_labels([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    array([ 1., -1.,  1.])
    """
    X = check_points(X)
    y, total = np.ones(len(X)), np.zeros(X.shape[1])
    for i, x in enumerate(X):
        y[i] = -1.0 if total @ x > 0 else 1.0
        total += y[i] * x
    return y


def _share(n: int, offset: bool) -> Fraction:
    """Return what the mean of reach^2 is to the mean of norm(x)^2."""
    small, large = n // 2, n - n // 2
    return Fraction(n**2, 4 * small * large * (n - 1)) if offset else Fraction(1, n)
