"""The fast linear solver beside scikit-learn's LinearSVC: time at equal accuracy, in one run.

Usage: ``python -m benchmarks.linear`` (``--quick`` for the small rows only).
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from lectures_lib import fast, linear

#: The accuracy: an objective at most this far above the best, relative to 1 + the best.
ACCURACY = 1e-4
#: LinearSVC's tolerances, from loose to tight: the first that is accurate is timed.
TOLERANCES = 10.0 ** -np.arange(0, 7.1, 0.25)
#: LinearSVC's passes at most; the seconds of one fit after which no tighter tolerance is tried.
PASSES, PATIENCE = 20_000, 2.0
COSTS = (0.01, 0.1, 1.0, 10.0)


@dataclass(frozen=True)
class Row:
    """One comparison: CPU seconds of both, the median of their ratios, what both lack."""

    name: str
    ours: float
    theirs: float
    ratio: float  #: theirs / ours
    our_excess: float  #: the objective above the best, relative
    their_excess: float
    form: str  #: the solver of LinearSVC that was faster

    def __str__(self) -> str:
        """Return a line of the table."""
        times = f"{1e3 * self.ours:9.2f} {1e3 * self.theirs:9.2f} {self.ratio:7.2f}"
        return (
            f"{self.name:<36} {times} {self.our_excess:9.1e} {self.their_excess:9.1e} {self.form}"
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


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Return the 8 x 8 images of digits, even against odd."""
    X, digit = load_digits(return_X_y=True)
    return X / 16, np.where(digit % 2 == 0, 1.0, -1.0)


def one_hot(n: int, questions: int, answers: int) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Return answers to questions, a feature for each possible one: sparse, with few features."""
    rng, d = np.random.default_rng(0), questions * answers
    chosen = np.minimum(rng.geometric(0.25, size=(n, questions)), answers) - 1
    places = (chosen + answers * np.arange(questions)).ravel()
    start = questions * np.arange(n + 1)
    X = sparse.csr_matrix((np.ones(n * questions), places, start), shape=(n, d))
    score = X @ rng.normal(size=d)
    score -= np.median(score)
    return X, np.where(score + 0.5 * score.std() * rng.normal(size=n) > 0, 1.0, -1.0)


def objective(svc: LinearSVC, X, y: np.ndarray) -> float:
    """Return half norm(w, b)^2 + C sum of the losses: LinearSVC penalises its offset, too."""
    w, b = svc.coef_[0], float(svc.intercept_[0])
    xi = np.maximum(0.0, 1.0 - y * (X @ w + b))
    losses = xi.sum() if svc.loss == "hinge" else xi @ xi
    return float(0.5 * (w @ w + b * b) + svc.C * losses)


def cpu(run: Callable[[], object]) -> float:
    """Return the CPU seconds of this process that a run takes: robust where others work too."""
    start = time.process_time()
    run()
    return time.process_time() - start


def in_turn(ours: Callable, theirs: Callable, least: float = 0.3) -> tuple[float, float, float]:
    """Run both in turn, five times or more; return the medians of the seconds and of the ratio."""
    pairs = []
    while len(pairs) < 5 or (len(pairs) < 25 and np.sum(pairs) < least):
        pairs.append((cpu(ours), cpu(theirs)))
        if np.sum(pairs) > 10:  # long rows need no repetition
            break
    a, b = np.array(pairs).T
    return float(np.median(a)), float(np.median(b)), float(np.median(b / a))


def matched(dual: bool, X, y, C: float, loss: str, goal: float) -> tuple[LinearSVC, float, float]:
    """Return LinearSVC at the loosest tolerance that reaches the goal, its value, its seconds."""
    for tol in TOLERANCES:
        svc = LinearSVC(C=C, loss=loss, dual=dual, tol=tol, max_iter=PASSES, random_state=0)
        seconds = cpu(lambda svc=svc: svc.fit(X, y))
        value = objective(svc, X, y)
        if value <= goal or svc.n_iter_ == PASSES or seconds > PATIENCE:
            break
    return svc, value, seconds


def compare(name: str, X, y, C: float, loss: str) -> Row:
    """Time our solver, and the faster of LinearSVC's that are as accurate."""
    options = {"loss": loss, "constant": 1.0}
    best = fast.linear(X, y, C, **options, tol=1e-8).dual  # no objective is lower
    goal = best + ACCURACY * (1 + best)
    ours = fast.linear(X, y, C, **options, tol=ACCURACY)
    if not ours.converged:
        raise SystemExit(f"{name}: not converged, gap {ours.gap:.3g}")
    forms = (True,) if loss == "hinge" else (True, False)
    found = [matched(form, X, y, C, loss, goal) for form in forms]
    reached = [one for one in found if one[1] <= goal]
    svc, value, _ = min(reached or found, key=lambda one: one[2])
    times = in_turn(lambda: fast.linear(X, y, C, **options, tol=ACCURACY), lambda: svc.fit(X, y))
    form = ("dual" if svc.dual else "primal") + ("" if reached else ", not reached")
    excess = [(primal - best) / (1 + best) for primal in (ours.primal, value)]
    return Row(f"{name}, {loss[:7]}, C = {C:g}", *times, *excess, form)


def problems(quick: bool) -> Iterator[tuple]:
    """Yield (name, X, y)."""
    sizes = (1_000,) if quick else (1_000, 3_000, 10_000)
    for n in sizes:
        yield f"dense, n = {n:,}", *dense(n, 50)
    yield "digits, n = 1,797", *digits()
    for n in sizes:
        yield f"one-hot, n = {n:,}", *one_hot(n, 14, 9)
    for n in sizes:
        yield f"text, n = {n:,}", *text_like(n, 20_000)


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the small problems only")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore", ConvergenceWarning)
    heads = ("ours ms", "theirs ms", "ratio", "our exc.", "their exc.")
    print("{:<36} {:>9} {:>9} {:>7} {:>9} {:>9} LinearSVC's solver".format("", *heads))
    ratios = []
    with threadpool_limits(1):
        for name, X, y in problems(quick):
            for loss in linear.LOSSES:
                for C in COSTS:
                    row = compare(name, X, y, C, loss)
                    print(row, flush=True)
                    ratios.append(row.ratio)
    print(f"{len(ratios)} rows: geometric mean {np.exp(np.mean(np.log(ratios))):.2f}, ", end="")
    print(f"smallest {min(ratios):.2f}, at or below 1: {sum(r <= 1 for r in ratios)}")


if __name__ == "__main__":
    main()
