"""The largest margin of a set: is there a separator, and is this one the best?"""

from fractions import Fraction

import numpy as np

from lectures_lib import margins
from lectures_lib.kernels import Linear
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import dot, exact

#: A margin counts as the largest if it is so near, relative.
SAME_MARGIN = Fraction(1, 10**6)


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Compare `max_margin` with the hard margin's exact quadratic program."""
    offset = bool(rng.random() < 0.5)
    data = draw.examples(rng, 8, 3, both=offset)
    decided = bool(rng.random() < 0.3)
    what = f"max_margin offset={offset} exact={decided} [{data.kind}]"
    best = ledger.call(what, margins.max_margin, data.X, data.y, offset=offset, exact=decided)
    if best is None:
        return
    problem = truth.posed(Linear(), data.X, data.y, np.inf, offset=offset)
    least = problem.best()  # half norm(w)^2 = 1 / (2 gamma^2)
    right = judged(best, data, least)
    said = api.margin_verdict(best)
    ledger.verdict(what, said, right=right)
    ledger.converged(what, best.converged, right=right)
    if data.unit and right:
        ledger.ordinary(what, said == "proved")


def judged(best, data, least: Fraction | None) -> bool:
    """Return whether the verdict is true and, if there is a separator, w and b are the best."""
    if bool(best.separable) != (least is not None):
        return False
    if least is None:
        return True
    if not np.isfinite([*best.w, best.b]).all():
        return False
    w, b = exact(best.w), Fraction(float(best.b))
    reached = min(y * (dot(w, x) + b) for x, y in zip(exact(data.X), exact(data.y)))
    square = 1 / (2 * least)  # the largest margin, squared
    claim = Fraction(float(best.gamma))
    if reached <= 0 or reached**2 < (1 - SAME_MARGIN) ** 2 * square * dot(w, w):
        return False
    return (1 - SAME_MARGIN) ** 2 * square <= claim**2 <= (1 + SAME_MARGIN) ** 2 * square
