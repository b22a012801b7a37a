"""Checks of the exercises on separators, measures and points (01 to 06, 16, 17)."""

from collections.abc import Iterator

import numpy as np

from .reading import apart, count, named, near, text
from .tries import Answer, Try


def lift(answer: Answer) -> Iterator[Try]:
    """01: lift(w, w0, x) returns (w', x') with w'.x' = w.x + w0, where x' does not depend on w."""
    rng = np.random.default_rng(1)
    for d, zeros in ((2, 0), (1, 0), (5, 0), (3, 1), (2, 2)):
        x, seen = np.round(rng.normal(size=d), 2), []
        x[:zeros] = 0.0
        for drawn in (True, True, False):
            w = np.round(rng.normal(size=d), 2)
            w0 = round(float(rng.normal()), 2) if drawn else 0.0
            w1, x1 = answer(w=w, w0=w0, x=x).parts("w~", "x~")
            w1, x1 = w1.vector(d + 1), x1.vector(d + 1)
            claim = "the product w~.x~ must be w.x + w0 ="
            slips = {"w0 is missing": w @ x, "w0 is subtracted": w @ x - w0}
            yield near(w1 @ x1, w @ x + w0, claim, slips, rtol=1e-5, atol=1e-6)
            seen.append(x1)
        claim = "the new example must be the same for every w and w0, or it cannot be learned from"
        claim += named(w1[:-1], {"you return x~ first": x})
        yield np.allclose(seen, seen[0], rtol=1e-5, atol=1e-6), claim


def update(answer: Answer) -> Iterator[Try]:
    """02: update(w, x, y) returns the weights after the perceptron has seen (x, y)."""
    rng = np.random.default_rng(2)
    ties = [([0, 0], [1.5, -0.5]), ([2, -1], [-1, -2]), ([0.5, 1, -1], [2, 3, 4])]
    cases = [(np.array(w, float), np.array(x, float), y) for w, x in ties for y in (1.0, -1.0)]
    hairs = [([0.5, 0], [0.5, 0.5]), ([0.5, -0.3], [0.5, 0.8])]  # right, by 0.25 and by 0.01,
    hairs += [([0.5, 0], [2.0**-k, 1]) for k in (13, 40, 60)]  # by 6e-5, 5e-13 and 4e-19
    cases += [(np.array(w), np.array(x), 1.0) for w, x in hairs]
    drawn = np.round(rng.normal(size=(12, 2, 3)), 2)
    cases += [(w, x, y) for (w, x), y in zip(drawn, 6 * (1.0, -1.0))]
    for w, x, y in cases:
        back = answer(w=w, x=x, y=y)
        new = back.vector(len(w))
        yield "w" not in back.changed, "it must not change the w it was given"
        before, after = y * (w @ x), y * (new @ x)
        if before > 0:
            same = np.allclose(new, w, rtol=1e-7, atol=1e-12)  # float32 rounds by 6e-8
            yield same, f"y w.x = {before:.3g} > 0: no mistake, no update"
        else:
            grown = after - before
            tie = "y w.x = 0 is a tie, and a tie is a mistake (<= 0): " if before == 0 else ""
            turned = "the sign is the wrong way round" if y > 0 else "the label is missing"
            slips = {turned: w - y * x, "it was added twice": w + 2 * y * x}
            yield near(grown, x @ x, f"{tie}the growth of y w.x must be norm(x)^2 =", slips, of=new)
            along = np.allclose(new - w, (new - w) @ x / (x @ x) * x, atol=1e-6)
            yield along, "the step must go along x"


def hinge_slope(answer: Answer) -> Iterator[Try]:
    """03: slope(w, x, y) returns a subgradient of max(0, 1 - y w.x) with respect to w."""
    rng = np.random.default_rng(3)
    for w, x, y in _around_the_kink(rng):
        t = y * (w @ x)
        g = answer(w=w, x=x, y=y).vector(len(w))
        here, turned = max(0.0, 1 - t), "the sign is wrong" if y > 0 else "the label is missing"
        other = np.zeros_like(x) if t < 1 else -y * x
        slips = {turned: y * x, f"that is right for y w.x {'>' if t < 1 else '<'} 1": other}
        across = w + np.outer([-2.0, -0.5, -0.05, 0.05, 0.5, 2.0, 1 - t], y * x) / (x @ x)
        for v in [*across, *(w + rng.normal(size=(20, len(w))))]:
            line, loss = here + g @ (v - w), max(0.0, 1 - y * (v @ x))
            due, made = apart(loss, line)
            claim = f"y w.x = {t:.6g}, and at v = {text(v)} L(w) + g.(v - w) is {made}, above "
            claim += f"L(v) = {due}" + named(g, slips)
            yield line <= loss + 1e-6, claim


def _around_the_kink(rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """Yield w, x, y with y w.x on both sides of the kink at 1, and on it exactly."""
    for t, d in zip((-1.0, 0.3, 0.9, 0.99, 1.01, 1.1, 1.5, 3.0), (3, 2, 3, 1, 3, 4, 2, 1)):
        w, x, y = *np.round(rng.normal(size=(2, d)), 1), float(rng.choice([-1, 1]))
        x[0] = rng.choice([-1.0, 1.0])
        w[0] = round((t * y - w[1:] @ x[1:]) * x[0], 2)  # now y w.x = t
        yield w, x, y
    yield np.array([0.5, 1.0]), np.array([-1.0, 1.5]), 1.0
    yield np.array([-0.5, 0.25, 0.0]), np.array([1.0, -2.0, 1.0]), -1.0
    for t in (1 - 2.0**-13, 1 + 2.0**-13):  # a hair from the kink
        yield np.array([t]), np.array([1.0]), 1.0


def margin(answer: Answer) -> Iterator[Try]:
    """04: margin(w, x, y) returns the signed distance of x from the plane w.x = 0."""
    rng = np.random.default_rng(4)
    for d in (3, 2, 3, 1, 4, 2, 3, 5):
        w, x, y = *np.round([[3], [1]] * rng.normal(size=(2, d)), 2), float(rng.choice([-1, 1]))
        value = answer(w=w, x=x, y=y).number()
        across = np.linalg.svd(w[None, :])[2][1:]  # an orthonormal basis of the plane itself
        distance = float(np.linalg.norm(x - across.T @ (across @ x)))
        score = y * (w @ x)
        slips = {
            "this is y w.x: divide it by norm(w)": score,
            "divide by norm(w), not by its square": score / (w @ w),
        }
        claim = "without its sign it must be the distance of x from the plane,"
        yield near(abs(value), distance, claim, slips, of=value)
        side, about = ("-", "wrong") if score < 0 else ("+", "right")
        claim = f"w is {about} about (x, y), so its sign must be {side}"
        slip = "the label is missing" if y < 0 else "this is the distance without its sign"
        yield (value > 0) == (side == "+"), claim + named(value, {slip: distance})


def bound(answer: Answer) -> Iterator[Try]:
    """05: bound(X, y, u) returns (R / gamma)^2 for the separator u, of any length."""
    rng = np.random.default_rng(5)
    for n, d in ((3, 4), (5, 2), (8, 3)):
        u = np.round(rng.normal(size=d), 2)
        X = np.round(rng.normal(size=(n, d)), 2)
        y = np.where(X @ u > 0, 1.0, -1.0)
        back = answer(X=X, y=y, u=u)
        value = back.number()
        stretched = answer(X=X, y=y, u=3 * u).number()
        claim = f"it must not change when u grows, and for 3 u it is {stretched:.6g}"
        yield np.isclose(value, stretched), f"{claim}: the margin of u divides by norm(u)", back
        scaled = answer(X=7 * X, y=y, u=u).number()
        claim = f"it must not change when X grows, and for 7 X it is {scaled:.6g}"
        yield np.isclose(value, scaled), claim, back
        nearest = min(y * (X @ u)) / np.linalg.norm(u)
        allowed = max(float(x @ x) for x in X)
        claim = f"it times gamma^2, with gamma = {nearest:.4f}, must be R^2 ="
        shortest, mean = min(float(x @ x) for x in X), np.mean(y * (X @ u)) / np.linalg.norm(u)
        slips = {
            "this is R / gamma: square it": np.sqrt(allowed) / nearest,
            "R is the largest norm, not the least": shortest / nearest**2,
            "gamma is the least margin, not the mean": allowed / mean**2,
        }
        yield *near(value * nearest**2, allowed, claim, slips, of=value), back


def average(answer: Answer) -> Iterator[Try]:
    """06: average(weights, counts) returns the survival-weighted mean of the hypotheses."""
    rng = np.random.default_rng(6)
    for m, d in ((2, 2), (4, 3), (7, 1)):
        W, c = np.round(rng.normal(size=(m, d)), 2), rng.integers(1, 9, size=m)
        a = answer(weights=W, counts=c).vector(d)
        everyone = np.repeat(W, c, axis=0)
        claim = f"the {len(everyone)} hypotheses, each repeated c times, must balance around it: "
        claim += f"{len(everyone)} times it must be their sum {text(everyone.sum(axis=0))}"
        slips = {
            "yours is the mean without the counts": W.mean(axis=0),
            "yours is the last hypothesis": W[-1],
            "yours is the sum divided by the number of rows": c @ W / m,
            "yours is the sum, not divided": c @ W,
        }
        claim += named(a, slips)
        yield np.allclose(everyone.mean(axis=0), a, atol=1e-7), claim


def precision(answer: Answer) -> Iterator[Try]:
    """16: precision_recall(y, predicted) returns both for labels -1, +1; 0/0 counts as 0."""
    rng = np.random.default_rng(16)
    y = rng.choice([-1, 1], size=(4, 9), p=[0.6, 0.4])
    first = np.array([1, 1, 1, -1, -1, -1, -1]), np.array([1, -1, -1, 1, -1, -1, -1])
    cases = [first, *((row, rng.choice([-1, 1], size=9)) for row in y)]
    cases += [(y[0], y[0]), (y[0], -np.ones(9)), (-np.ones(9), y[1]), (y[2], np.ones(9))]
    one = np.where(np.arange(9) == 4, 1, -1)  # one example is +, or is called +
    cases += [(np.ones(9), one), (one, np.ones(9)), (y[3, :4], one[3:7]), (one[4:5], y[0, :1])]
    for truth, said in cases:
        both = answer(y=truth, predicted=said).parts("precision", "recall")
        got = [value.number(finite=False) for value in both]
        due, minus = _shares(truth, said), _shares(-truth, -said)
        slips = {
            "you return the recall first": due[::-1],
            "yours takes - for the positive class": minus,
            "this is the accuracy": 2 * [np.mean(truth == said)],
        }
        words = ("precision", said, "called +", "+"), ("recall", truth, "+", "called +")
        for value, wish, (name, group, these, found) in zip(got, due, words):
            size, both_plus = int(np.sum(group == 1)), int(np.sum((truth == 1) & (said == 1)))
            claim = f"no example is {these}: {name} is 0/0, which counts as"
            if size:
                some = count(size, f"example that is {these}", f"examples that are {these}")
                claim = f"of {some} {count(both_plus, 'is', 'are')} {found}: {name} must be "
                claim += f"{both_plus}/{size} ="
            yield near(value, wish, claim, slips, of=got)


def _shares(truth: np.ndarray, said: np.ndarray) -> list[float]:
    """Return precision and recall by counting; 0/0 counts as 0."""
    found = sum(1 for a, b in zip(truth, said, strict=True) if a == b == 1)
    return [found / max(1, list(group).count(1)) for group in (said, truth)]


def radon(answer: Answer) -> Iterator[Try]:
    """17: radon(X) for d + 2 points in R^d returns a: sum a = 0, sum a x = 0, a not 0."""
    rng = np.random.default_rng(17)
    for d in (1, 2, 3, 6):
        X = np.round(rng.normal(size=(d + 2, d)), 1)
        a = answer(X=X).vector(d + 2)
        size = float(np.abs(a).max())
        yield size > 0, "a must not be 0"
        a = a / size
        yield near(a.sum(), 0.0, "the sum of a must be", rtol=0, atol=1e-6)
        up, down = (np.where(side, abs(a), 0) for side in (a > 0, a < 0))
        off = np.linalg.norm(up @ X / up.sum() - down @ X / down.sum())
        yield off < 1e-5, f"the two sides must make the same point; theirs are {off:.3g} apart"


CHECKS = {
    "lift": lift,
    "update": update,
    "slope": hinge_slope,
    "margin": margin,
    "bound": bound,
    "average": average,
    "precision": precision,
    "radon": radon,
}
