"""Checks of exercises on memory, left-out examples, costs, a form in labels, votes (14, 15)."""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from .. import svm
from .limits import Oracle
from .reading import count, named, near
from .tries import Answer, Try

LARGEST = 1e4  # an entry of a counterexample, and a cost
MOST_POINTS = 30  # and classes

#: labels, m: a form that returns, overlaps itself, never returns, or is all there is
FORMS = (
    ([3, 1, 4, 3, 1, 5, 3, 1], 2),
    ([7, 7, 7, 2, 7, 7], 2),
    ([0, 1, 2, 0, 1, 2, 0, 1, 3], 3),
    ([5, 6, 7], 3),
    ([1, 2, 1, 1, 2, 1, 2], 4),
    ([9, 8, 9, 8, 8], 1),
    ([1, -1, -1, 1, -1, -1, -1], 2),  # labels of more than one character
    ([1, 11, 1, 1, 11, 1], 2),
    ([4, 0, 0, 1, 4, 0, 0, 0, 4, 0, 0, 1], 4),
)


def memory(answer: Answer) -> Iterator[Try]:
    """14: memory(y) returns alpha, b of the machine whose Gram matrix is I, with C large."""
    for y in ([1, 1, -1], [1, -1], [-1, -1, -1, 1, -1], [1, -1, 1, -1, 1, 1, 1]):
        y = np.array(y, dtype=float)
        alpha, b = answer(y=y).parts("alpha", "b")
        alpha, b = alpha.vector(len(y)), b.number()
        yield alpha.min() >= -1e-9, "no multiplier may be negative"
        total = float(alpha @ y)
        yield abs(total) <= 1e-5, f"the sum of alpha_i y_i must be 0, and it is {total:.4g}"
        margins = y * (alpha * y + b)
        worst = int(np.argmax(abs(margins - 1)))
        claim = f"each example must lie on its edge: y f of example {worst} must be"
        yield near(margins[worst], 1.0, claim)


def left_out(answer: Answer) -> Iterator[Try]:
    """14: left_out(X, y, folds, fit) counts the errors, each fold predicted by the others."""
    rng = np.random.default_rng(141)
    for n, k, d in ((6, 3, 2), (9, 3, 2), (10, 4, 3), (7, 7, 2)):
        X, y = np.round(rng.normal(size=(n, d)), 1), rng.choice([-1.0, 1.0], size=n)
        folds = [np.sort(fold) for fold in np.array_split(rng.permutation(n), k)]
        spy = _Spy(X)
        got = answer(X=X, y=y, folds=folds, fit=Oracle(spy.fit, "a trainer that takes notes"))
        got = got.whole(0, what="the number of errors")
        yield from _honest(y, folds, spy)
        errors = len({row for known, row, said in spy.asked if row not in known and said != y[row]})
        made = count(errors, "error", "errors")
        claim = f"the machines made {made} on the examples left out"
        claim += named(got, {"these are the right ones": n - errors})
        seen = any(row in known for known, row, _ in spy.asked)
        claim += " (a machine was asked about an example that it was trained on)" if seen else ""
        yield got == errors, claim


def more_errors(answer: Answer) -> Iterator[Try]:
    """14: more() returns X, y, C1 < C2 such that the linear machine with C2 makes more errors."""
    rows, labels, first, second = answer().parts("X", "y", "C1", "C2")
    y = labels.vector()
    X = rows.table(height=len(y))
    C1, C2 = first.number(), second.number()
    yield 2 <= len(y) <= MOST_POINTS, f"2 to {MOST_POINTS} examples are asked for"
    yield np.abs(X).max() <= LARGEST, f"the entries of X must be numbers up to {LARGEST:.0e}"
    yield set(y) == {-1.0, 1.0}, "each label must be -1 or +1, and both must occur"
    yield 0 < C1 < C2 <= LARGEST, f"the costs must be 0 < C1 < C2 <= {LARGEST:.0e}"
    two = [svm.train(X, y, C) for C in (C1, C2)]
    yield all(machine.certificate.holds for machine in two), "both machines must be certified"
    scores = [machine.decision(X) for machine in two]
    for C, f in zip(("C1", "C2"), scores):
        i = int(np.argmin(np.abs(f)))
        claim = f"no example may lie on a border, and with {C} row {i} of X has f = {f[i]:.2g}"
        yield abs(f[i]) > 1e-3, claim
    first, second = (int(np.sum(y * f < 0)) for f in scores)
    claim = f"the machine with C1 makes {count(first, 'training error', 'training errors')} "
    yield second > first, claim + f"and the one with C2 {second}, not more"


def repeats(answer: Answer) -> Iterator[Try]:
    """15: repeats(labels, m) returns every row at which the first m labels stand again."""
    for labels, m in FORMS:
        rows = answer(labels=np.array(labels), m=m).wholes(0, len(labels) - 1, "rows")
        form = labels[:m]
        for row in rows:
            there = labels[row : row + m] == form
            yield there, f"the {m} labels from row {row} on are not {form}"
        yield 0 in rows, "row 0 belongs to the list: the form stands there, too"
        last = len(labels) - m
        for row in range(last + 1):
            missed = labels[row : row + m] == form and row not in rows
            yield not missed, f"at row {row} the labels are {form} again, and the row is missing"


def two_claims(answer: Answer) -> Iterator[Try]:
    """15: lines() returns W, b: three lines whose triangle is claimed by exactly two machines."""
    W, b = answer().parts("W", "b")
    W, b = W.array(3, 2), b.vector(3)
    lengths, pairs = np.linalg.norm(W, axis=1), list(combinations(range(3), 2))
    yield lengths.min() > 0, "each two of the lines must cross: no w may be 0"
    W, b = W / lengths[:, None], b / lengths
    turn = min(abs(float(np.linalg.det(W[[i, j]]))) for i, j in pairs)
    yield turn > 1e-6, "each two of the lines must cross, and two are parallel"
    corners = [np.linalg.solve(W[[i, j]], -b[[i, j]]) for i, j in pairs]
    inside = W @ np.mean(corners, axis=0) + b
    wide = np.abs(inside).min() > 1e-6 * (1 + np.abs(b).max())
    yield bool(wide), "the lines meet in one point: there is no triangle"
    claims = int(np.sum(inside > 0))
    yield claims == 2, f"in the middle of the triangle {claims} of the 3 scores are positive, not 2"


def upset(answer: Answer) -> Iterator[Try]:
    """15: upset() returns pairs (winner, loser): the class with most votes lost one of them."""
    table = answer().table(2)
    whole = bool((table == np.round(table)).all()) and table.min() >= 0
    yield whole, "the classes must be 0, 1, 2 and so on"
    yield table.max() < MOST_POINTS, f"at most {MOST_POINTS} classes are asked for"
    games = [(int(c), int(d)) for c, d in table]
    yield all(c != d for c, d in games), "a class does not meet itself"
    k = 1 + max(max(game) for game in games)
    met = sorted(tuple(sorted(game)) for game in games)
    claim = f"each two of the {k} classes must meet exactly once: {k * (k - 1) // 2} pairs"
    claim += "" if table.min() == 0 else " (there is no class 0: the classes count from 0)"
    yield met == list(combinations(range(k), 2)), claim
    votes = [sum(winner == c for winner, _ in games) for c in range(k)]
    yield votes.count(max(votes)) == 1, f"the votes are {votes}: the most votes must be one class's"
    best = votes.index(max(votes))
    lost = [winner for winner, loser in games if loser == best]
    yield bool(lost), f"the votes are {votes}, and class {best} has lost to nobody"


CHECKS = {
    "memory": memory,
    "left out": left_out,
    "more errors": more_errors,
    "repeats": repeats,
    "two claims": two_claims,
    "upset": upset,
}


class _Spy:
    """A trainer that notes what its machines learn and are asked: (rows learnt, row, label said).

    Its machine is the nearest neighbour, except for what it has learnt: there it is wrong, so that
    asking it about those examples gives another number of errors.
    """

    def __init__(self, X: np.ndarray):
        self.X = X
        self.learnt: list[tuple[tuple[int, ...], np.ndarray]] = []
        self.asked: list[tuple[tuple[int, ...], int, float]] = []

    def fit(self, P: np.ndarray, t: np.ndarray) -> Callable:
        """Train on examples that are rows of X."""
        known, labels = self._rows(P), np.array(t, dtype=float).ravel()
        self.learnt.append((tuple(known), labels))

        def predict(Q: np.ndarray) -> np.ndarray:
            said = []
            for row in self._rows(Q):
                far = np.abs(self.X[row] - self.X[known]).sum(axis=1)
                near = labels[int(np.argmin(far))]
                said.append(-near if row in known else near)
                self.asked.append((tuple(known), row, said[-1]))
            return np.array(said)

        return predict

    def _rows(self, P: np.ndarray) -> list[int]:
        points = np.asarray(P, dtype=float).reshape(-1, self.X.shape[1])
        return [int(np.argmin(np.abs(self.X - p).sum(axis=1))) for p in points]


def _honest(y: np.ndarray, folds: list[np.ndarray], spy: _Spy) -> Iterator[Try]:
    """Yield whether every machine learnt all but one fold, and every example was asked about."""
    right = all(len(t) == len(rows) and np.array_equal(t, y[list(rows)]) for rows, t in spy.learnt)
    yield right, "a machine is trained with labels that belong to other examples"
    others = {frozenset(range(len(y))) - set(fold.tolist()) for fold in folds}
    made = {frozenset(rows) for rows, _ in spy.learnt}
    wish, sizes = sorted(map(len, others)), sorted(map(len, made))
    claim = f"the machines must learn all but one fold, {wish} examples; they learnt {sizes}"
    if wish == sizes:
        rows = next((sorted(rows) for rows in made - others), [])
        claim = f"a machine learnt the rows {rows} of X: that is not all but one fold"
    alone = sizes == sorted(map(len, folds)) != wish
    yield made == others, claim + (" (you train on one fold alone)" if alone else "")
    new = {row for known, row, _ in spy.asked if row not in known}
    claim = "each example must be predicted by a machine that has not learnt it, and row "
    yield new >= set(range(len(y))), claim + f"{min(set(range(len(y))) - new, default=0)} is not"
