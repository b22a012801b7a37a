"""Linear solvers beside scikit-learn's LinearSVC: time and objective, in one run.

Usage: ``python -m benchmarks.linear`` (``--quick`` for the small rows only).
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from lectures_lib import linear

#: LinearSVC's tolerances, from loose to tight: the first that reaches our objective is timed.
TOLERANCES = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5)
REPEATS = 5


@dataclass(frozen=True)
class Row:
    """One comparison: seconds and objectives of both."""

    name: str
    ours: float
    theirs: float
    our_value: float
    their_value: float

    def __str__(self) -> str:
        """Return a line of the table."""
        return (
            f"{self.name:<44} {1e3 * self.ours:10.2f} {1e3 * self.theirs:10.2f} "
            f"{self.ours / self.theirs:7.2f} {self.our_value:14.5f} {self.their_value:14.5f}"
        )


def dense(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return Gaussian examples whose labels follow a direction, with noise."""
    rng = np.random.default_rng(seed)
    X, u = rng.normal(size=(n, d)), rng.normal(size=d) / np.sqrt(d)
    return X, np.where(X @ u + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)


def text_like(n: int, d: int, seed: int = 0) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Return word counts by Zipf's law, 80 words a text, weighted by rarity, of norm 1."""
    rng, words = np.random.default_rng(seed), 80
    law = 1.0 / np.arange(1, d + 1)
    places = np.repeat(np.arange(n), words), rng.choice(d, size=n * words, p=law / law.sum())
    X = sparse.csr_matrix((np.ones(n * words), places), shape=(n, d))
    rarity = np.log(n / (1.0 + np.bincount(X.indices, minlength=d))) + 1.0
    X = sparse.csr_matrix(X.multiply(rarity[None, :]))
    X = sparse.csr_matrix(X.multiply(1.0 / np.sqrt(X.multiply(X).sum(axis=1))))
    score = X @ rng.normal(size=d)
    return X, np.where(score + 0.3 * score.std() * rng.normal(size=n) > 0, 1.0, -1.0)


def objective(w: np.ndarray, X, y: np.ndarray, C: float, loss: str) -> float:
    """Return half norm(w)^2 + C sum of the losses."""
    xi = np.maximum(0.0, 1.0 - y * (X @ w))
    return float(0.5 * w @ w + C * (xi.sum() if loss == "hinge" else xi @ xi))


def best_time(run: Callable[[], object]) -> float:
    """Return the shortest of several runs, in seconds."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def compare(name: str, X, y, C: float, loss: str, solve: Callable) -> Row:
    """Time our solver, then the fastest LinearSVC whose objective is as low."""
    ours = solve(X, y, C, loss)  # compiles, too
    if not ours.converged:
        raise SystemExit(f"{name}: not converged, gap {ours.gap:.3g}")
    forms = (True,) if loss == "hinge" else (True, False)
    found = [matched(form, X, y, C, loss, ours.primal) for form in forms]
    reached = [pair for pair in found if pair[1] <= ours.primal]
    seconds, value = min(reached or found)
    return Row(name, best_time(lambda: solve(X, y, C, loss)), seconds, ours.primal, value)


def matched(dual: bool, X, y, C: float, loss: str, goal: float) -> tuple[float, float]:
    """Return (seconds, objective) of LinearSVC at the loosest tolerance that reaches the goal."""
    for tol in TOLERANCES:
        options = {"tol": tol, "max_iter": 20_000, "fit_intercept": False, "random_state": 0}
        svc = LinearSVC(C=C, loss=loss, dual=dual, **options).fit(X, y)
        value = objective(svc.coef_[0], X, y, C, loss)
        if value <= goal:
            break
    return best_time(lambda: svc.fit(X, y)), value


def descent(X, y, C: float, loss: str) -> linear.LinearSVM:
    """Run coordinate descent in random order with shrinking."""
    return linear.dual_coordinate_descent(X, y, C, loss=loss, rng=0, shrink=True, tol=1e-4)


def newton(X, y, C: float, loss: str) -> linear.LinearSVM:
    """Run Newton's method: made for the squared hinge and few features."""
    return linear.newton(X, y, C, tol=1e-4)


def rows(quick: bool) -> Iterator[Row]:
    """Yield every comparison."""
    problems = [("dense", n, 50, dense) for n in (1_000, 3_000, 10_000)]
    problems += [("text", n, 20_000, text_like) for n in (1_000, 3_000, 10_000)]
    for kind, n, d, make in [p for p in problems if p[1] == 1_000 or not quick]:
        X, y = make(n, d)
        for C in (0.01, 0.1, 1.0):
            where = f"{kind}, n = {n}, C = {C:g}"
            yield compare(f"hinge, descent, {where}", X, y, C, "hinge", descent)
            yield compare(f"squared, descent, {where}", X, y, C, "squared_hinge", descent)
            if kind == "dense":
                yield compare(f"squared, newton, {where}", X, y, C, "squared_hinge", newton)


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="n = 1,000 only")
    warnings.simplefilter("ignore", ConvergenceWarning)
    heads = ("ours ms", "theirs ms", "ratio", "our objective", "their objective")
    print(f"{'':<44} {heads[0]:>10} {heads[1]:>10} {heads[2]:>7} {heads[3]:>14} {heads[4]:>14}")
    for row in rows(parser.parse_args().quick):
        print(row, flush=True)


if __name__ == "__main__":
    main()
