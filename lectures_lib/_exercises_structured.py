"""Checks of the exercises of 07: Viterbi's column, the update, unjustified steps, traps, slacks.

What is right is found by listing all outputs, so no check shares code with an answer.
"""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from . import structured
from ._tries import Try, text


def column(answer: Callable) -> Iterator[Try]:
    """07: column(V, E, P) returns Viterbi's next column from the one before it."""
    rng = np.random.default_rng(71)
    for n, S in ((2, 2), (2, 3), (3, 3), (5, 2), (4, 1)):
        E, P = rng.normal(size=(n, S)), rng.normal(size=(S, S))
        V = E[0]
        for t in range(1, n):
            given = f"V = {text(V)}, E = {text(E[t])}, P = {text(P)}"
            got = answer(V.copy(), E[t].copy(), P.copy())
            if got is None:
                yield False, "", given, None
            V = np.asarray(got, dtype=float).ravel()
            yield V.shape == (S,), f"the column needs {S} numbers, one per tag", given, text(V)
            best = [_best_path(E[: t + 1], P, s) for s in range(S)]
            wrong = int(np.argmax(~np.isclose(V, best)))
            claim = f"of all paths to tag {wrong} the best has {best[wrong]:.4f}"
            yield bool(np.allclose(V, best)), claim, given, text(V)


def step(answer: Callable) -> Iterator[Try]:
    """07: step(problem, theta, x, y, epsilon) returns theta after one round of the slide's loop."""
    rng = np.random.default_rng(72)
    for problem, x, y in _examples(rng):
        for theta, epsilon in ((np.zeros(problem.size), 1.0), (rng.normal(size=problem.size), 0.5)):
            given = f"theta = {text(theta)}, epsilon = {epsilon}, y = {y}"
            kept, y_star = theta.copy(), structured.enumerate_argmax(problem, theta, x)
            got = answer(problem, theta, x, y, epsilon)
            if got is None:
                yield False, "", given, None
            new = np.asarray(got, dtype=float)
            shown = text(new)
            yield np.array_equal(theta, kept), "it must not change its theta", given, shown
            d = problem.f(x, y) - problem.f(x, y_star)
            if y_star == y:
                same = np.array_equal(new, kept)
                yield same, "the prediction is right: no update", given, shown
                continue
            rise, due = (new - kept) @ d, epsilon * (d @ d)
            claim = f"theta.(f(x, y) - f(x, y*)) must rise by {due:.4f}; it rose by {rise:.4f}"
            yield bool(np.isclose(rise, due)), claim, given, shown
            along = np.allclose(new - kept, epsilon * d)
            yield along, "the step must go along f(x, y) - f(x, y*)", given, shown


def unjustified(answer: Callable) -> Iterator[Try]:
    """07: unjustified(D) returns the numbers k with (d_1 + ... + d_(k-1)).d_k > 0."""
    rng = np.random.default_rng(73)
    runs = [[[3, -1]], [[1, 0], [-1, 1], [1, 0]], [[1, 0], [1, 0]], [[4, 0], [-1, 1], [1, 0]]]
    runs += [rng.integers(-2, 3, size=(6, 3)).tolist() for _ in range(6)]
    for D in runs:
        got = answer(np.array(D, float))
        if got is None:
            yield False, "", f"D = {D}", None
        found = sorted(int(k) for k in np.ravel(np.asarray(got, dtype=float)))
        every = set(range(1, len(D) + 1))
        yield set(found) <= every, f"updates have the numbers 1 to {len(D)}", f"D = {D}", found
        for k in sorted(every):
            product_k = sum(a * b for d in D[: k - 1] for a, b in zip(d, D[k - 1]))
            claim = f"(d_1 + ... + d_{k - 1}).d_{k} is {product_k}" if k > 1 else "theta was 0"
            yield (k in found) == (product_k > 0), f"at update {k} {claim}", f"D = {D}", found


def trap(answer: Callable) -> Iterator[Try]:
    """07: trap(gap) returns E, P on which a beam of 1 loses at least `gap` against the best."""
    for gap in (1, 10, 1000):
        got = answer(gap)
        if got is None:
            yield False, "", f"gap = {gap}", None
        E, P = (np.asarray(a, dtype=float) for a in got)
        given, shown = f"gap = {gap}", f"E = {text(E)}, P = {text(P)}"
        S = len(P)
        shapes = E.ndim == 2 and len(E) == 2 and E.shape[1] == S and P.shape == (S, S)
        yield (
            shapes,
            "E needs two rows, one number per tag, and P a row and column per tag",
            *(
                given,
                shown,
            ),
        )
        yield bool(np.isfinite(E).all() and np.isfinite(P).all()), "scores are finite", given, shown
        greedy = _greedy(E, P)
        best = max(_best_path(E, P, s) for s in range(S))
        claim = f"greedy search scores {greedy:g} and the best tagging {best:g}: too close"
        yield best - greedy >= gap, claim, given, shown


def slack(answer: Callable) -> Iterator[Try]:
    """07: slack(problem, theta, x, y) returns the structural hinge loss of one example."""
    rng = np.random.default_rng(75)
    for problem, x, y in _examples(rng):
        for scale in (0.0, 0.3, 3.0):
            theta = scale * rng.normal(size=problem.size)
            given = f"theta = {text(theta)}, y = {y}"
            got = answer(problem, theta.copy(), x, y)
            if got is None:
                yield False, "", given, None
            value, at_right = float(got), problem.score(theta, x, y)
            yield value >= -1e-9, "y itself has loss 0, so xi is at least 0", given, f"{value:.4f}"
            due = [
                problem.loss(y, other) - at_right + problem.score(theta, x, other)
                for other in problem.outputs(x)
            ]
            claim = f"the largest loss(y, y') - theta.(f(x, y) - f(x, y')) is {max(due):.4f}"
            yield bool(np.isclose(value, max(due), atol=1e-9)), claim, given, f"{value:.4f}"


def _examples(rng: np.random.Generator) -> Iterator[tuple]:
    """Yield problems, each with an input and its right output: classes, a chain, parses."""
    classes = structured.Classes(("a", "b", "c"), 2)
    for y in classes.classes:
        yield classes, rng.normal(size=2), y
    chain = structured.Chain(2, 2)
    for y in ((0, 0, 0), (1, 0, 1), (1, 1)):
        yield chain, rng.integers(-2, 3, size=(len(y), 2)).astype(float), y
    grammar = structured.Grammar("S -> S S | 'a' | 'b'")
    words = ("a", "b", "a")
    parses = structured.Parses(grammar, [words], lambda x, rule, i, k, j: [(i, k, j)])
    for y in grammar.trees(words):
        yield parses, words, y


def _best_path(E: np.ndarray, P: np.ndarray, last: int) -> float:
    """Return the best score of the taggings that end with this tag, by listing them."""
    every = product(range(len(P)), repeat=len(E) - 1)
    return max(structured.chain_score(E, P, (*y, last)) for y in every)


def _greedy(E: np.ndarray, P: np.ndarray) -> float:
    """Return the score of the tagging of two tags that takes the best step each time."""
    first = int(np.argmax(E[0]))
    return float(E[0, first] + max(P[first] + E[1]))
