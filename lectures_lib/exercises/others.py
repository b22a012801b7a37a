"""Checks of the exercises of 21: a verdict, multipliers, a rounded Gram matrix, what to believe."""

from collections.abc import Iterator

import numpy as np

from .reading import named, text
from .tries import Answer, Try


def verdict(answer: Answer) -> Iterator[Try]:
    """21: verdict(upper, lower, better, tol) returns "proved", "refuted" or "undecided"."""
    rng = np.random.default_rng(21)
    cases = [(10.0, 8.0, 8.0, 0.25), (10.0, 1.0, 8.0, 0.25), (10.0, 9.9, 9.95, 0.01)]
    cases += [(10.0, 2.0, 4.0, 0.5), (10.0, 2.0, 9.9, 0.5), (3.0, 2.9, 3.0, 0.001)]
    for _ in range(6):
        lower = float(rng.integers(1, 9))
        better = lower + float(rng.integers(0, 3))
        upper = better + float(rng.integers(0, 4))
        cases.append((upper, lower, better, float(rng.choice([0.1, 0.5, 1.0]))))
    for upper, lower, better, tol in cases:
        said = answer(upper=upper, lower=lower, better=better, tol=tol).words("one of three words")
        room, shown = (1 + tol) * lower, (1 + tol) * better
        right = "proved" if upper <= room else "refuted" if upper > shown else "undecided"
        why = {
            "proved": f"upper = {upper:g} is at most (1 + tol) lower = {room:g}",
            "refuted": f"upper = {upper:g} is above (1 + tol) better = {shown:g}",
            "undecided": f"upper = {upper:g} is above (1 + tol) lower = {room:g}, but not above "
            f"(1 + tol) better = {shown:g}",
        }[right]
        yield said == right, f"it is {right}: {why}"


def guess(answer: Answer) -> Iterator[Try]:
    """21: guess(X, y, w, b, C) returns the multipliers that logistic scores have at the best."""
    rng = np.random.default_rng(22)
    for n, d, C in ((3, 2, 2.0), (1, 1, 1.0), (5, 2, 0.5), (4, 3, 10.0)):
        X, y = rng.integers(-3, 4, (n, d)).astype(float), rng.choice([-1.0, 1.0], n)
        w, b = rng.integers(-2, 3, d) / 2, float(rng.integers(-2, 3)) / 2
        alpha = answer(X=X, y=y, w=w, b=b, C=C).vector(n)
        due = C * _slopes(y * (X @ w + b))
        claim = f"alpha is C times the slope of the loss, without its sign: {text(due)}"
        slips = {
            "the sign is the wrong way round": -due,
            "multipliers carry no label": due * y,
            "the offset b is missing": C * _slopes(y * (X @ w)),
            "the labels are missing": C * _slopes(X @ w + b),
            "C is missing": due / C,
            "the exponent has the wrong sign": C - due,
            "this is the loss, not its slope": C * np.logaddexp(0.0, -y * (X @ w + b)),
        }
        right = np.allclose(alpha, due, rtol=1e-5, atol=1e-8)
        yield right, claim + named(alpha, slips)


def _slopes(scores: np.ndarray) -> np.ndarray:
    return np.array([_slope(t) for t in scores])


def _slope(t: float) -> float:
    """Return -d/dt log(1 + exp(-t)), by a difference of the loss itself."""
    h = 1e-5
    return float(np.logaddexp(0.0, -(t - h)) - np.logaddexp(0.0, -(t + h))) / (2 * h)


def in_single(answer: Answer) -> Iterator[Try]:
    """21: in_single(X) returns X X' with every entry rounded to single precision."""
    rng = np.random.default_rng(23)
    sizes = (2, 1, 9), (3, 2, 5_000), (4, 3, 40_000), (3, 4, 70_000)
    for n, d, most in (*sizes, (3, 2, 60_000_000), (2, 2, 40_000)):  # 26 bits: too many for float32
        X = rng.integers(-most, most + 1, (n, d))
        X = X / 8 if n == d else X.astype(float)  # eighths in the last
        K = answer(X=X).array(n, n)
        for i in range(n):
            for j in range(n):
                true = float(X[i] @ X[j])  # exact: at most 53 bits
                near = float(np.float32(true))
                claim = f"x_{i}.x_{j} is {true:.17g}, in single precision {near:.17g}, "
                claim += f"not {K[i, j]:.17g}"
                first = float(np.float32(X[i]).astype(float) @ np.float32(X[j]).astype(float))
                claim += " (nothing is rounded)" if K[i, j] == true else ""
                claim += " (round the products, not X)" if np.float32(first) == K[i, j] else ""
                yield K[i, j] == near, claim


#: Problems and answers: X, y, C, w, b, alpha. All are the best but the last two: one alpha is above
#: C, one below 0, and both would be worth more than any feasible one.
FITS = (
    ([[1.0], [-1.0]], [1, -1], 9.0, [1.0], 0.0, [0.5, 0.5]),
    ([[1.0], [-1.0]], [1, -1], 0.25, [0.5], 0.0, [0.25, 0.25]),
    ([[3.0], [1.0]], [1, -1], 9.0, [1.0], -2.0, [0.5, 0.5]),
    ([[5.0, 1.0], [5.0, -3.0]], [1, -1], 1.0, [0.0, 0.5], 0.5, [0.125, 0.125]),
    ([[1.0], [-1.0], [4.0]], [1, -1, 1], 9.0, [1.0], 0.0, [0.5, 0.5, 0.0]),
    ([[1.0], [-1.0], [-1.0]], [1, -1, -1], 9.0, [1.0], 0.0, [0.5, 0.1 + 0.2, 0.2]),
    ([[1.0], [-1.0], [-1.0]], [1, -1, -1], 0.4, [1.0], 0.0, [0.5, 0.3, 0.2]),
    ([[1.0], [-1.0], [4.0]], [1, -1, 1], 9.0, [1.0], 0.0, [3.0, 2.0, -1.0]),
)
#: What is done to a fit and its certificate: factors of w and alpha, and what is added to b.
DONE = (
    (1.0, (1.0, 1.0), 0.0),
    (1.02, (1.0, 1.0), 0.0),
    (2.0, (1.0, 1.0), 0.0),
    (1.0, (1.0, 1.0), 1.0),
    (1.0, (0.0, 0.0), 0.0),
    (1.0, (0.9, 0.9), 0.0),
    (1.0, (2.0, 2.0), 0.0),
    (1.0, (-1.0, -1.0), 0.0),
    (1.0, (0.2, 1.0), 0.0),
    (1.0, (1.0, 0.5), 0.0),
)


def believed(answer: Answer) -> Iterator[Try]:
    """21: believed(X, y, C, w, b, alpha, tol) says whether alpha proves w and b (hinge loss)."""
    for rows, labels, C, weights, offset, multipliers in FITS:
        X, y = np.array(rows), np.array(labels, dtype=float)
        for longer, factors, moved in DONE:
            for tol in (0.001, 0.25):
                w, b = longer * np.array(weights), offset + moved
                alpha = np.append(factors, [1.0] * (len(y) - 2)) * multipliers
                said = answer(X=X, y=y, C=C, w=w, b=b, alpha=alpha, tol=tol).yes()
                right, why = _proves(X, y, C, w, b, alpha, tol)
                yield said == right, f"alpha {'proves' if right else 'does not prove'} it: {why}"


def _proves(X, y, C, w, b, alpha, tol) -> tuple[bool, str]:
    """Return whether alpha proves the fit, and why."""
    if alpha.min() < 0 or alpha.max() > C:
        return False, f"{text(alpha)} is not between 0 and C = {C:g}"
    if abs(alpha @ y) > 1e-9:
        return False, f"the sum of alpha y is {alpha @ y:g}, not 0"
    v = (alpha * y) @ X
    upper = 0.5 * w @ w + C * np.maximum(0.0, 1.0 - y * (X @ w + b)).sum()
    lower = alpha.sum() - 0.5 * v @ v
    sign = "is at most" if upper <= (1 + tol) * lower else "is above"
    why = (
        f"P = {upper:.6g} {sign} (1 + tol) D = {1 + tol:g} * {lower:.6g} = {(1 + tol) * lower:.6g}"
    )
    if total := alpha @ y:
        why += f"; the sum of alpha y is {total:.3g}, which is 0 up to rounding"
    return bool(upper <= (1 + tol) * lower), why


CHECKS = {
    "a verdict": verdict,
    "multipliers for nothing": guess,
    "in single": in_single,
    "whom to believe": believed,
}
