"""Checks of exercises on feature maps, valid and false kernels, and their perceptron (08 to 10)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np

from ..datasets import lecture_example
from .reading import count, named, near, text
from .tries import Answer, Try

Rows = list[list[Fraction]]


# --- 08 ------------------------------------------------------------------------------------------


def monomials(answer: Answer) -> Iterator[Try]:
    """08: monomials(n, d) returns how many monomials of degree d there are in n variables."""
    for n, d in ((1, 5), (2, 1), (2, 2), (2, 3), (3, 2), (4, 3), (3, 5), (5, 4), (7, 2), (3, 0)):
        got = answer(n=n, d=d).whole(0)
        powers = [e for e in product(range(d + 1), repeat=n) if sum(e) == d]
        claim = "a list of all of them, one per way to spread "
        claim += f"{d} over {count(n, 'power', 'powers')}, has {len(powers)}"
        slips = {
            "yours counts all degrees up to d": comb(n + d, d),
            "x1 x2 and x2 x1 are one monomial": n**d,
            "a power may be above 1": comb(n, d),
        }
        yield got == len(powers), claim + named(got, slips)


def conic(answer: Answer) -> Iterator[Try]:
    """08: conic() returns w of 6 with w.(1, x1, x2, x1^2, x1 x2, x2^2) right on an ellipse."""
    w = answer().fractions(6)
    points: list[Any] = [*product(range(-4, 5), repeat=2), *_near_the_ellipse()]
    for a, b in points:
        left = (a - 1) ** 2 + 4 * b**2 - 4
        if left == 0:
            continue
        x = [1, a, b, a * a, a * b, b * b]
        score = sum(u * v for u, v in zip(w, x))
        place, side = ("inside", "above") if left < 0 else ("outside", "below")
        claim = f"({float(a):g}, {float(b):g}) is {place} the ellipse, so its score must be "
        claim += f"{side} 0, and it is {_float(score):g}{_wrong_conic(w)}"
        yield (score > 0) == (left < 0) and score != 0, claim


def _wrong_conic(w: list[Fraction]) -> str:
    right = [3, 2, 0, -1, 0, -4]
    if sorted(w) == sorted(right):
        return " (the numbers are right, their order is 1, x1, x2, x1^2, x1 x2, x2^2)"
    slips = {
        "all signs are the wrong way round": [-v for v in right],
        "multiply (x1 - 1)^2 out": [4, 0, 0, -1, 0, -4],
        "the constant is 4 - 1": [4, *right[1:]],
        "x2^2 has the factor 4": [*right[:5], -1],
    }
    return named(np.array(w, dtype=float), slips)


def _near_the_ellipse() -> Iterator[tuple[Fraction, Fraction]]:
    """Yield points of the ellipse, moved a little to and from its centre (1, 0), in fractions."""
    for p, q, r in ((1, 0, 1), (3, 4, 5), (5, 12, 13), (8, 15, 17)):
        for c, s in ((p, q), (q, p), (-p, q), (q, -p), (p, -q), (-q, p), (-p, -q), (-q, -p)):
            for off in (-1000, 1000, -(10**6), 10**6, -(10**9), 10**9):
                share = 1 + Fraction(1, off)
                yield 1 + 2 * share * Fraction(c, r), share * Fraction(s, r)


def unlifted(answer: Answer) -> Iterator[Try]:
    """08: unlifted() returns X, y in the plane that degree 2 with all six terms cannot separate."""
    X, y, weights = answer().parts("X", "y", "a")
    points = X.fraction_table(2)
    n = len(points)
    labels, a = y.vector(n), weights.fractions(n)
    yield bool(np.isin(labels, [-1, 1]).all()), "each label must be -1 or +1"
    distinct = len({tuple(row) for row in points}) == n
    yield distinct, "a point comes twice: equal points are too easy"
    yield min(a) >= 0 and max(a) > 0, "no weight may be negative, and not all may be 0"
    for name, feature in _SIX.items():
        total = sum(c * int(t) * feature(*x) for c, t, x in zip(a, labels, points))
        claim = f"{f'sum a_i y_i {name}'.strip()} must be 0 exactly, and it is {_float(total):g}"
        if 0 < abs(total) < 1e-9:
            claim += " (0.1 is no tenth in floating point: take whole numbers)"
        yield total == 0, claim


_SIX = {
    "": lambda a, b: Fraction(1),
    "x1": lambda a, b: a,
    "x2": lambda a, b: b,
    "x1^2": lambda a, b: a * a,
    "x1 x2": lambda a, b: a * b,
    "x2^2": lambda a, b: b * b,
}


# --- 09 ------------------------------------------------------------------------------------------


def combined(answer: Answer) -> Iterator[Try]:
    """09: combined(a, b) returns features of K1 + 3 K1 K2 from those of K1 and of K2."""
    rng = np.random.default_rng(90)
    for m, k in ((1, 1), (2, 3), (3, 2), (4, 4)):
        (a, c), (b, d) = (rng.integers(-12, 13, size=(2, n)) / 4 for n in (m, k))
        back = answer(a=a, b=b)
        here, there = back.entries(), answer(a=c, b=d).entries()
        same = f"it must have as many entries for every point; for another it has {len(there)}"
        yield len(here) == len(there), same, back
        wish, found = a @ c + 3 * (a @ c) * (b @ d), here @ there
        pair = f"with the features {text(c)} and {text(d)} of another point"
        claim = f"{pair} the inner product must be K1 + 3 K1 K2 ="
        slips = {
            "both sides have the 3: each takes its root": a @ c + 9 * (a @ c) * (b @ d),
            "the 3 is missing": a @ c + (a @ c) * (b @ d),
            "the features of K1 itself are missing": 3 * (a @ c) * (b @ d),
            "this is K1 + 3 K2: K1 K2 needs every a_i b_j": a @ c + 3 * (b @ d),
        }
        yield *near(found, wish, claim, slips), back


def witness(answer: Answer) -> Iterator[Try]:
    """09: witness(K) returns v with v'Kv < 0, or the zero vector if K is positive semi-definite."""
    for K, valid in _symmetric():
        back = answer(K=K)
        v = back.fractions(len(K))
        value = _form(v, [[Fraction(int(k)) for k in row] for row in K])
        size = f"v'Kv, computed in fractions, is {_float(value):.3g}"
        if valid:
            yield not any(v), f"this K is positive semi-definite: {size}, not below 0"
        else:
            yield any(v), "this K has a witness, and v = 0 is none"
            V = np.linalg.eigh(K)[1]
            slips = {
                "this is a row of V: eigenvectors are its columns": V[0],
                "this belongs to the largest eigenvalue": V[:, -1],
            }
            yield value < 0, f"{size}, not below 0{named(np.array(v, dtype=float), slips)}"


def refuting(answer: Answer) -> Iterator[Try]:
    """09: refuting() returns numbers x and v that refute K(x, z) = max(0, 1 - (x - z)^2)."""
    x, v = answer().parts("x", "v")
    points = x.fractions()
    weights = v.fractions(len(points))
    K = [[max(Fraction(0), 1 - (a - b) ** 2) for b in points] for a in points]
    value = _form(weights, K)
    yield value < 0, f"v'Kv, computed in fractions, is {_float(value):.4g}, not below 0"


# --- 10 ------------------------------------------------------------------------------------------


def count_update(answer: Answer) -> Iterator[Try]:
    """10: count(alpha, y, K, t) returns the counts after the kernel perceptron visits example t."""
    rng = np.random.default_rng(100)
    for n in (2, 4, 6):
        X = rng.integers(-3, 4, size=(n, 2))
        K, y = (1.0 + X @ X.T) ** 2, rng.choice([-1.0, 1.0], size=n)
        for alpha in (np.zeros(n, dtype=int), rng.integers(0, 4, size=n)):
            t = int(rng.integers(n))
            yield from _visit(answer, alpha, y, K, t)
    K, y = np.array([[4.0, 1.0], [1.0, 4.0]]), np.array([1.0, 1.0])
    yield from _visit(answer, np.array([1, 0]), y, K, 1)  # y_t f_t = 1 is right
    yield from _visit(answer, np.array([1, 1]), np.array([1.0, -1.0]), K, 0)  # by its own count
    for hair in (2.0**-40, 2.0**-60):
        K[0, 1] = K[1, 0] = hair
        yield from _visit(answer, np.array([1, 0]), y, K, 1)  # and so is a hair above 0
    K[0, 0], K[0, 1], K[1, 0], K[1, 1] = 1.0, 9.0, 9.0, 100.0
    yield from _visit(answer, np.array([5, 3]), np.array([1.0, -1.0]), K, 0)  # the sixth mistake


def _visit(answer: Answer, alpha, y, K, t: int) -> Iterator[Try]:
    """Yield what one visit to example t must do."""
    back = answer(alpha=alpha, y=y, K=K, t=t)
    after = back.vector(len(y))
    yield not back.changed, f"{' and '.join(back.changed)} itself must not be changed"
    score = float(sum(int(a * s) * Fraction(float(k)) for a, s, k in zip(alpha, y, K[:, t])))
    more = np.array([int(i == t and y[t] * score <= 0) for i in range(len(y))])
    verdict = "a mistake" if more.any() else "right"
    claim = f"example {t} is {verdict}: y_t f_t = {y[t] * score + 0.0:g}, so the counts become"
    yield np.array_equal(after, alpha + more), f"{claim} {text(alpha + more)}"


def caught(answer: Answer) -> Iterator[Try]:
    """10: caught(K, y, lam, gamma) says whether weights lam refute the claimed margin gamma."""
    for K, y, lam, gamma in _claims():
        got = answer(K=K, y=y, lam=lam, gamma=gamma).yes()
        c = [_half(a) * int(s) for a, s in zip(lam, y)]
        reach = _form(c, [[Fraction(int(k)) for k in row] for row in K])
        convex = min(lam) >= 0 and sum(map(_half, lam)) == 1
        below = "below" if reach < Fraction(gamma) ** 2 else "not below"
        why = f"c'Kc = {float(reach):g} is {below} gamma^2 = {gamma**2:g}"
        if not convex:
            sign = "one is negative" if min(lam) < 0 else f"their sum is {float(sum(lam)):g}"
            yield not got, f"these weights are not convex ({sign}): they prove nothing"
        elif reach < Fraction(gamma) ** 2:
            yield got, f"{why}: no separator has the margin gamma"
        else:
            yield not got, f"{why}: these weights do not refute the claim"


def _claims() -> Iterator[tuple]:
    """Yield Gram matrices of whole numbers, labels, weights in quarters, and a claimed margin."""
    corners = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
    K, y = (1.0 + corners @ corners.T) ** 2, np.array([-1.0, 1.0, 1.0, -1.0])
    quarter = np.full(4, 0.25)
    for gamma in (1.0, 1.25, 1.40625, 1.4375, 1.5, 3.0):  # the margin is sqrt(2)
        yield K, y, quarter, gamma
    yield K, y, np.array([0.5, 0.5, 0.0, 0.0]), 1.5  # convex, but not sharp enough: sqrt(4)
    yield K, y, np.array([0.5, 0.5, 0.0, 0.0]), 2.0  # the length is 2: the claim may be true
    yield K, y, np.array([1.0, 0.0, 0.0, 0.0]), 3.0  # one example, of length 3
    yield K, y, quarter / 2, 1.25  # sums to a half
    for last in (0.24, 0.26, 0.2499, 0.2501):  # sums to 0.99, 1.01, 0.9999 and 1.0001
        yield K, y, np.array([0.25, 0.25, 0.25, last]), 3.0
    for gamma in (3.0, 4.0):  # c'Kc is 10: only the second is a lie that the signs must catch
        yield K, y, np.array([0.75, 0.75, -0.25, -0.25]), gamma
    yield K, y, np.array([0.5, 0.5, -0.25, 0.0]), 3.0  # what is positive sums to 1
    yield K, y, np.array([0.25, 0.25, 0.5001, -0.0001]), 3.0  # one is negative by a hair
    yield K, y, 2 * quarter, 1.5  # sums to 2, and would refute if it were halved
    yield K, y, 2 * quarter, 3.0
    both = np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([1.0, 1.0])  # the points 1 and 2 of a line
    yield *both, np.array([2.0, -1.0]), 0.5  # the margin is 1, the weights make 0
    yield *both, np.array([-1.0, 2.0]), 4.0
    X, y = lecture_example()
    K, lam = X @ X.T, np.array([0.25, 0.0, 0.25, 0.25, 0.0, 0.25])
    for gamma in (0.5, 2.0):
        yield K, y, lam, gamma


def _half(weight: float) -> Fraction:
    return Fraction(float(weight))


CHECKS = {
    "monomials": monomials,
    "conic": conic,
    "unlifted": unlifted,
    "combined": combined,
    "witness": witness,
    "refuting": refuting,
    "count update": count_update,
    "caught": caught,
}


# --- exact numbers -------------------------------------------------------------------------------


def _symmetric() -> Iterator[tuple[np.ndarray, bool]]:
    """Yield symmetric matrices of whole numbers, and whether v'Kv >= 0 for every v."""
    yield np.array([[1.0, 2.0], [2.0, 1.0]]), False
    yield np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]), False
    yield -np.eye(2), False
    yield np.array([[0.0, 1.0], [1.0, 5.0]]), False
    yield np.array([[100.0, 1.0], [1.0, 0.0]]), False  # the lowest eigenvalue is near -0.01
    twice = np.kron(np.eye(2), [[1.0, 2.0], [2.0, 1.0]])  # two below 0: the determinant is 9
    yield twice, False
    rng = np.random.default_rng(99)
    for n, rank in ((3, 1), (5, 2), (6, 3), (8, 2)):
        Phi = rng.integers(-4, 5, size=(n, rank)).astype(float)
        yield Phi @ Phi.T, True
        for large in (1e8, 1e12):
            yield large * Phi @ Phi.T, True  # what rounding leaves of 0 grows with K
        K = Phi @ Phi.T + 40 * np.eye(n)
        K[0, 1] = K[1, 0] = K[0, 0] + K[1, 1]  # by Cauchy-Schwarz too much
        yield K, False


def _float(value: Fraction) -> float:
    """Return the nearest float; infinity beyond the largest one."""
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _form(v: list[Fraction], K: Rows) -> Fraction:
    terms = (a * k * b for a, row in zip(v, K) for k, b in zip(row, v) if a and b)
    return sum(terms, Fraction(0))
