"""Every field of a proof that holds its own data, changed one at a time and judged in fractions.

What a field claims is written here once more, with a tolerance of its own; a field that is missing,
or of another type, is no claim: then nothing may be proved, and nothing may crash.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lectures_lib import complexity
from lectures_lib.kernels import Linear
from tools.referee import draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, dot, exact
from tools.referee.subjects.capacity import SAME, mean_reach, partition, reached, smallest_square

#: Margins are claimed to 1e-7; their squares to a little more than twice that.
MARGIN2 = Fraction(3, 10**7)


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Make a result, change one field of it, and hold its verdict against its claims."""
    make, claims = KINDS[int(rng.integers(len(KINDS)))]
    X, kind, _ = draw.points(rng, 1, 4, 2)
    offset = bool(rng.random() < 0.5)
    found = ledger.call(f"{make.__name__} [{kind}]", make, X, offset, legal=False)
    if found is None:
        return
    name, how, lie = attacked(rng, found)
    what = f"{type(found).__name__}.{name} {how} offset={offset} [{kind}]"
    said = ledger.call(what, lambda: lie.verdict)
    if said is not None:
        ledger.verdict(what, said, right=right(claims, lie), tight=False)


def right(claims: Callable, lie: Any) -> bool:
    """Return whether all claims are true; what cannot be read claims nothing."""
    try:
        return bool(claims(lie))
    except (TypeError, ValueError, AttributeError, IndexError, OverflowError, ZeroDivisionError):
        return False


def attacked(rng: np.random.Generator, found) -> tuple[str, str, Any]:
    """Return the field that was changed, how, and the result with this field."""
    names = [f.name for f in fields(found) if not f.name.startswith("_")]
    name, how = str(rng.choice(names)), str(rng.choice(list(CHANGES)))
    value = CHANGES[how](rng, getattr(found, name))
    return name, how, replace(found, **{name: value})


def _entry(rng, value, change: Callable):
    """Change one number of an array, or the number itself."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (int, float)):
        return change(float(value))
    if not isinstance(value, np.ndarray) or not value.size:
        return None
    changed, at = value.copy(), int(rng.integers(value.size))
    entry = changed.flat[at]
    try:
        changed.flat[at] = not entry if value.dtype == bool else change(entry)
    except (TypeError, ValueError):  # not a number: whole numbers hold no such thing
        return None
    return changed


CHANGES: dict[str, Callable] = {
    "by a bit": lambda rng, v: _entry(
        rng, v, lambda a: np.nextafter(a, np.inf) if isinstance(a, float) else a + 1
    ),
    "by a millionth": lambda rng, v: _entry(rng, v, lambda a: a + a / 10**6),
    "by a lot": lambda rng, v: _entry(rng, v, lambda a: a + 7),
    "turned over": lambda rng, v: _entry(rng, v, lambda a: -a),
    "not a number": lambda rng, v: _entry(rng, v, lambda a: np.nan),
    "removed": lambda rng, v: None,
    "of another type": lambda rng, v: "nonsense",
    "as a list": lambda rng, v: v.tolist() if isinstance(v, np.ndarray) else [v],
    "long double": lambda rng, v: v.astype(np.longdouble) if _is_float(v) else 3,
    "as objects": lambda rng, v: v.astype(object) if isinstance(v, np.ndarray) else object(),
    "cut": lambda rng, v: v[:-1] if isinstance(v, np.ndarray) else (),
    "none": lambda rng, v: v[:0] if isinstance(v, np.ndarray) else (),
    "as it is": lambda rng, v: v,
}


def _is_float(value) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def shattering_claims(found) -> bool:
    """All labellings once; each margin is the largest; w, b have it; weights are convex."""
    X, n = floats(found.X), len(found.X)
    rows = [tuple(row) for row in floats(found.labellings).tolist()]
    columns = (found.w, found.b, found.margins, found.weights, found.realised)
    if sorted(rows) != sorted(product((-1.0, 1.0), repeat=n)) or len(found.weights[0]) != n:
        return False
    if (not found.offset and np.any(floats(found.b) != 0)) or any(len(c) != 2**n for c in columns):
        return False
    return all(_row(X, np.array(y), found, k) for k, y in enumerate(rows))


def _row(X: np.ndarray, y: np.ndarray, found, k: int) -> bool:
    margin, claimed = float(found.margins[k]), bool(found.realised[k])
    there = reached(X, y, found.offset, Fraction(float(found.gamma)))
    if there is not None and there != claimed:
        return False
    if found.offset and abs(y.sum()) == len(y):
        return margin == np.inf and _shows(X, y, found, k, Fraction(0))
    least = truth.posed(Linear(), X, y, np.inf, offset=found.offset).best()
    if least is None:
        return margin == 0
    square = 1 / (2 * least)
    near = abs(Fraction(margin) ** 2 - square) <= MARGIN2 * square and margin > 0
    weights = floats(found.weights)[k]
    sums = [sum(exact(weights[g])) for g in ((y > 0, y < 0) if found.offset else (y != 0,))]
    convex = weights.min() >= 0 and all(abs(total - 1) <= SAME for total in sums)
    return near and convex and _shows(X, y, found, k, Fraction(margin) * (1 - SAME))


def _shows(X: np.ndarray, y: np.ndarray, found, k: int, margin: Fraction) -> bool:
    """Return whether the unit w and b have this margin."""
    w, b = exact(floats(found.w)[k]), Fraction(float(found.b[k]))
    length2 = dot(w, w)
    least = min(int(s) * (dot(w, x) + b) for s, x in zip(y.tolist(), exact(X)))
    return abs(length2 - 1) <= 3 * SAME and least > 0 and least**2 >= margin**2 * length2


def radon_claims(found) -> bool:
    """The weights are convex, both sides make one point, and it is this one."""
    X, weights = floats(found.X), [Fraction(v) for v in found.weights.tolist()]
    if set(floats(found.y).tolist()) - {1.0, -1.0} or found.exact_weights is None:
        return False
    if [Fraction(v) for v in found.exact_weights.tolist()] != weights and found.exact:
        return False
    plus = [a if s > 0 else ZERO for a, s in zip(weights, found.y.tolist())]
    made, size = truth.combined(plus, exact(X)), max(abs(v) for row in exact(X) for v in row)
    point = [Fraction(v) for v in found.point.tolist()]
    near = all(abs(a - b) <= SAME * size for a, b in zip(point, made, strict=True))
    return near and partition(found, X, found.offset, SAME)


def signs_claims(found) -> bool:
    """The average, what it must be, each reach, and R are those of X."""
    X, n = floats(found.X), len(found.X)
    rows = [tuple(row) for row in floats(found.labellings).tolist()]
    wanted = [
        row for row in product((-1.0, 1.0), repeat=n) if not found.offset or abs(sum(row)) <= n % 2
    ]
    average = mean_reach(X, found.offset)
    room = SAME * (average + sum((dot(x, x) for x in exact(X)), ZERO))
    numbers = [Fraction(found.average), Fraction(found.expected)]
    if sorted(rows) != sorted(wanted) or any(abs(a - average) > room for a in numbers):
        return False
    square = sum((Fraction(a) ** 2 for a in floats(found.reach).tolist()), ZERO) / len(rows)
    if len(found.reach) != len(rows) or abs(square - average) > 4 * room:
        return False
    R2 = Fraction(found.R) ** 2
    if not found.offset:
        return R2 >= max(dot(x, x) for x in exact(X)) * (1 - SAME)
    best = smallest_square(X)
    return abs(R2 - best) <= 4 * SAME * best


def ball_claims(found) -> bool:
    """All points lie in the ball, no ball is smaller than lower, and the two agree to 1e-9."""
    X, weights = floats(found.X), [Fraction(v) for v in floats(found.weights).tolist()]
    radius, lower, best = Fraction(found.radius), Fraction(found.lower), smallest_square(X)
    centre = exact(floats(found.centre))
    moved = [[a - c for a, c in zip(x, centre, strict=True)] for x in exact(X)]
    convex = min(weights) >= 0 and abs(sum(weights) - 1) <= SAME and len(weights) == len(X)
    inside = max(dot(v, v) for v in moved) <= radius**2 and lower**2 <= best
    return convex and inside and radius - lower <= 2 * radius / 10**9


def floats(values) -> np.ndarray:
    """Return an array of doubles, or refuse: other types make no claim here."""
    if not isinstance(values, np.ndarray) or values.dtype != np.float64:
        raise TypeError("not doubles")
    return values


def shatters(X, offset):
    """Return a shattering."""
    return complexity.shatters(X, offset=offset)


def radon(X, offset):
    """Return a partition, of few enough points."""
    return complexity.radon(X, offset=offset)


def signs(X, offset):
    """Return an average over signs."""
    return complexity.random_signs(X, offset=offset)


def ball(X, offset):
    """Return a smallest ball."""
    return complexity.smallest_ball(X)


KINDS = (
    (shatters, shattering_claims),
    (radon, radon_claims),
    (signs, signs_claims),
    (ball, ball_claims),
)
