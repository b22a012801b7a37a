"""Checks of the exercises of 07: Viterbi's column, the update, unjustified steps, traps, slacks.

What is right is found by listing all outputs, so no check shares code with an answer.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from .. import structured
from .reading import code, named, near
from .tries import Answer, Try


def column(answer: Answer) -> Iterator[Try]:
    """07: column(V, E, P) returns Viterbi's next column from the one before it."""
    rng = np.random.default_rng(71)
    for n, S in ((2, 2), (2, 3), (3, 3), (5, 2), (4, 1)):
        E, P = rng.integers(-20, 21, size=(n, S)) / 4, rng.integers(-20, 21, size=(S, S)) / 4
        V = E[0]
        for t in range(1, n):
            before, V = V, answer(V=V, E=E[t], P=P).vector(S)
            best = [_best_path(E[: t + 1], P, s) for s in range(S)]
            wrong = int(np.argmax(~np.isclose(V, best)))
            claim = f"entry {wrong} must be what the best path to tag {wrong} has,"
            slips = {
                "P is missing": E[t] + before,
                "yours tries only the r with the largest V": E[t]
                + before.max()
                + P[before.argmax()],
                "E_t(s) is missing": np.max(before[:, None] + P, axis=0),
                "P is turned: P[r, s] goes from r to s": E[t] + np.max(before + P, axis=1),
                "a sum, where the maximum over r is needed": E[t] + (before[:, None] + P).sum(0),
                "V_(t-1) is missing": E[t] + P.max(axis=0),
                "V_(t-1) belongs to the rows of P: V[:, None]": E[t] + (before + P).max(axis=0),
            }
            yield near(V[wrong], best[wrong], claim, slips, of=V)


def step(answer: Answer) -> Iterator[Try]:
    """07: step(problem, theta, x, y, epsilon) returns theta after one round of the slide's loop."""
    rng = np.random.default_rng(72)
    for name, problem, x, y in _examples(rng):
        for theta, epsilon in ((np.zeros(problem.size), 1.0), (_drawn(rng, problem.size), 0.5)):
            given = f"problem = {name}, theta = {code(theta)}, x = {code(x)}, y = {y!r}"
            given += f", epsilon = {epsilon}"
            back = answer(given, problem=problem, theta=theta, x=x, y=y, epsilon=epsilon)
            yield "theta" not in back.changed, "it must not change the theta it was given"
            change = back.vector(problem.size) - theta
            y_star = structured.enumerate_argmax(problem, theta, x)
            if y_star == y:
                yield not change.any(), "the prediction is right, so nothing is to change"
                continue
            d = problem.f(x, y) - problem.f(x, y_star)
            rise, due = change @ d, epsilon * (d @ d)
            claim = "the rise of theta.(f(x, y) - f(x, y*)) must be"
            slips = {
                "the step epsilon is missing": d,
                "the sign is the wrong way round": -epsilon * d,
            }
            yield near(rise, due, claim, slips, of=change)
            yield np.allclose(change, epsilon * d), "the step must go along f(x, y) - f(x, y*)"


def unjustified(answer: Answer) -> Iterator[Try]:
    """07: unjustified(D) returns the numbers k with (d_1 + ... + d_(k-1)).d_k > 0."""
    rng = np.random.default_rng(73)
    runs: list[list[list[float]]] = [
        [[3, -1]],
        [[1, 0], [-1, 1], [1, 0]],
        [[1, 0], [1, 0]],
        [[4, 0], [-1, 1], [1, 0]],
    ]
    runs += [rng.integers(-2, 3, size=(6, 3)).tolist() for _ in range(6)]
    runs += [[[0.5, 0.0], [0.25, -0.5], [-0.5, 0.5]], [[1.0, 0.5]] * 6]  # d_1.d_2 is 1/8; all
    for D in runs:
        found = answer(D=np.array(D, float)).wholes(1, len(D), "the numbers of updates")
        for k in range(1, len(D) + 1):
            dot = sum(a * b for d in D[: k - 1] for a, b in zip(d, D[k - 1]))
            before = "d_1" if k == 2 else f"(d_1 + ... + d_{k - 1})"
            claim = f"{before}.d_{k} is {dot:g}" if k > 1 else "theta was still 0"
            place = "so it belongs to the list" if dot > 0 else "so it is not in the list"
            claim = f"at update {k} {claim}, {place}"
            yield (k in found) == (dot > 0), claim + named(found, _wrong_lists(np.array(D, float)))


def _wrong_lists(D: np.ndarray) -> dict[str, list[int]]:
    """Return what known slips make of a run."""
    sums = np.vstack([np.zeros(D.shape[1]), D.cumsum(axis=0)[:-1]])
    dots, last = (sums * D).sum(axis=1), (D[:-1] * D[1:]).sum(axis=1)
    return {
        "count the updates from 1": [int(k) for k in np.flatnonzero(dots > 0)],
        "theta is the sum of all d before, not the last one": [*np.flatnonzero(last > 0) + 2],
        "a product of 0 is justified": [*np.flatnonzero(dots >= 0) + 1],
    }


def trap(answer: Answer) -> Iterator[Try]:
    """07: trap(gap) returns E, P on which a beam of 1 loses at least `gap` against the best."""
    for gap in (1, 0.25, 10, 1000, 1e6, 1e12, 1e30):
        E, P = answer(gap=gap).parts("E", "P")
        E = E.table(height=2)
        S = E.shape[1]
        P = P.array(S, S)
        first = int(np.argmax(E[0]))
        greedy = E[0, first] + max(P[first] + E[1])
        best = max(_best_path(E, P, s) for s in range(S))
        claim = f"the greedy tagging scores {greedy:g} and the best one {best:g}: not {gap:g} more"
        yield best - greedy >= gap * (1 - 1e-6), claim  # 0.35 - 0.1 is below 0.25 in floats


def slack(answer: Answer) -> Iterator[Try]:
    """07: slack(problem, theta, x, y) returns the structural hinge loss of one example."""
    rng = np.random.default_rng(75)
    for name, problem, x, y in _examples(rng):
        for scale in (0.0, 0.25, 3.0):
            theta = scale * _drawn(rng, problem.size)
            given = f"problem = {name}, theta = {code(theta)}, x = {code(x)}, y = {y!r}"
            value = answer(given, problem=problem, theta=theta, x=x, y=y).number()
            yield value >= -1e-9, "y itself is a candidate of loss 0, so xi is at least 0"
            right = problem.score(theta, x, y)
            worth = {z: problem.loss(y, z) + problem.score(theta, x, z) - right
                     for z in problem.outputs(x)}  # fmt: skip
            most = max(worth, key=lambda z: worth[z])
            due = worth[most]
            claim = "it must be the largest loss(y, y') - theta.(f(x, y) - f(x, y')), with "
            claim += f"y' = {most!r}:"
            plain = max(worth, key=lambda z: problem.score(theta, x, z))
            slips = {
                "add the loss before you take the maximum": worth[plain],
                "this is the loss alone": problem.loss(y, most),
                "the difference of the scores has the wrong sign": 2 * problem.loss(y, most) - due,
            }
            yield near(value, due, claim, slips, atol=1e-9)


CHECKS = {
    "column": column,
    "structured step": step,
    "unjustified": unjustified,
    "trap": trap,
    "structural slack": slack,
}


def _examples(rng: np.random.Generator) -> Iterator[tuple]:
    """Yield problems by name, each with an input and its right output: classes, a chain, parses."""
    classes = structured.Classes(("a", "b", "c"), 2)
    for y in classes.classes:
        yield "three classes", classes, _drawn(rng, 2), y
    chain = structured.Chain(2, 2)
    for y in ((0, 0, 0), (1, 0, 1), (1, 1)):
        yield "a chain", chain, rng.integers(-2, 3, size=(len(y), 2)).astype(float), y
    yield "a chain of three tags", structured.Chain(3, 1), np.array([[1.0], [-2.0]]), (2, 1)
    grammar, words = structured.Grammar("S -> S S | 'a' | 'b'"), ("a", "b", "a")
    parses = structured.Parses(grammar, [words], lambda x, rule, i, k, j: [(i, k, j)])
    for y in grammar.trees(words):
        yield "a parse", parses, words, y


def _drawn(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return quarters: exact, short to write, and rarely a tie."""
    return rng.integers(-12, 13, size=size) / 4


def _best_path(E: np.ndarray, P: np.ndarray, last: int) -> float:
    """Return the best score of the taggings that end with this tag, by listing them."""
    every = product(range(len(P)), repeat=len(E) - 1)
    return max(structured.chain_score(E, P, (*y, last)) for y in every)
