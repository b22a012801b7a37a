"""Homework 3: kernels and the kernel perceptron. Its questions, data and visible checks."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..kernels import Gaussian, Polynomial, squared_distances
from ..perceptron import kernel_perceptron
from . import client
from .checks import Assignment, Call, close, expect

#: Passes that are enough for every set of q5, with the right degree.
ENOUGH = 1000
#: Directions of a line whose points on a grid are exact in floating point.
DIRECTIONS = np.array([[0.75, 0.5], [0.5, -0.75], [0.875, 0.25], [-0.625, 0.75], [0.25, 1.0]])


def data(seed: int) -> dict[str, np.ndarray]:
    """Return a student's own points on a line: X, and the labels y that change along it."""
    rng = np.random.default_rng([3, seed])
    X, y = line_set(rng, int(rng.integers(3, 5)))
    return {"X": X, "y": y}


HW = Assignment("hw3", "Kernels and the kernel perceptron", minutes=150, data=data)
HW.question("q1", "gaussian", hidden=(1, 1))
HW.question("q2", "polynomial", "phi", hidden=(2, 2))
HW.question("q3", "psd", hidden=(2, 2))
HW.question("q4", "kernel_perceptron", "scores", hidden=(3, 3))
HW.question("q5", "smallest_degree", hidden=(1, 1))


# --- data ----------------------------------------------------------------------------------------


def line_set(rng: np.random.Generator, changes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return eight points on a line, shuffled, whose labels change `changes` times along it.

    On a line (1 + x.z)^p makes polynomials of degree p: they change sign at most p times. So the
    smallest degree that separates is `changes`, and the perceptron takes its time to find out.
    """
    while True:
        t = np.arange(-9, 10, 2) + rng.integers(-1, 2, size=10)  # ten places, all different
        t = np.sort(rng.permutation(t)[:8]) / 8
        cuts = np.sort(rng.choice(np.arange(1, 8), changes, replace=False))
        signs = np.where(np.searchsorted(cuts, np.arange(8), side="right") % 2 == 0, 1.0, -1.0)
        u, mix = rng.choice(DIRECTIONS), rng.permutation(8)
        X = (t[:, None] * u + rng.choice([-0.5, 0.5]) * np.array([-u[1], u[0]]))[mix]
        y = (signs * rng.choice([-1, 1]))[mix]
        if len(np.unique(t)) == 8 and patient(X, y, changes):
            return X, y


def patient(X: np.ndarray, y: np.ndarray, changes: int) -> bool:
    """True if the run takes some passes at the right degree, but not too many."""
    run = kernel_perceptron(X, y, Polynomial(changes), max_epochs=ENOUGH // 4)
    return run.converged and (changes < 3 or run.epochs >= 25)


def sign_changes(X: np.ndarray, y: np.ndarray) -> int:
    """Return how often the labels change along the line through the points."""
    along = np.argsort((X - X[0]) @ (X - X[0])[np.argmax(np.abs(X - X[0]).sum(axis=1))])
    return int(np.sum(y[along][1:] != y[along][:-1]))


#: Shapes (4, 3) and (2, 3): three different numbers. The last row of X_A is the first of Z_A.
X_A = np.array([[0.5, -1.25, 2.25], [1.75, 0.25, -0.5], [-0.75, 1.5, 0.75], [1.25, -0.5, 1.5]])
Z_A = np.array([[1.25, -0.5, 1.5], [-0.25, 0.75, 2.5]])
#: Shapes (4, 2) and (3, 2), with inner products between 0.4 and 4.
X_B = np.array([[1.5, 0.75], [0.25, 1.25], [2.25, 0.5], [0.5, 0.25]])
Z_B = np.array([[0.75, 1.75], [1.25, 0.25], [0.5, 1.5]])
#: Six points of which some are mistaken twice. The first is negative.
X_C = np.array([[0.5, 1.75], [1.25, -0.5], [-1.5, 0.75], [-0.25, -1.25], [0.75, 0.5], [-0.5, 0.25]])
Y_C = np.array([-1.0, -1.0, 1.0, 1.0, 1.0, -1.0])


# --- reading answers -----------------------------------------------------------------------------


def block(got: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Return the answer as an array of that shape, or say what is wrong with its form."""
    array = np.asarray(got, dtype=float)
    expect(array.shape == shape, f"{what}: shape {shape}, not {array.shape}")
    return array


def verdict(got: Any, n: int) -> tuple[bool, np.ndarray]:
    """Return the answer (valid, v), or say what is wrong with its form."""
    expect(isinstance(got, list | tuple) and len(got) == 2, "the answer is a pair (valid, v)")
    valid = np.asarray(got[0])
    expect(valid.size == 1 and valid.dtype.kind in "biu", "valid is True or False")
    if bool(valid.ravel()[0]):
        return True, np.zeros(n)
    v = np.asarray(got[1], dtype=float)
    expect(v.shape in ((n,), (n, 1), (1, n)), f"v has {n} numbers, not shape {v.shape}")
    return False, v.ravel()


def counts(got: Any, n: int) -> tuple[np.ndarray, bool]:
    """Return the answer (alpha, converged), or say what is wrong with its form."""
    expect(isinstance(got, list | tuple) and len(got) == 2, "the answer is (alpha, converged)")
    alpha, converged = block(got[0], (n,), "one alpha an example"), np.asarray(got[1])
    expect(converged.size == 1 and converged.dtype.kind in "biu", "converged is True or False")
    return alpha, bool(converged.ravel()[0])


def expect_entries(K: np.ndarray, want: np.ndarray, told: str, facts: np.ndarray) -> None:
    """State that every entry is the kernel's value; of the first that is not, tell its fact."""
    for i, j in np.ndindex(want.shape):
        what = f"row {i} of X and row {j} of Z have {told.format(facts[i, j])}"
        expect(close(K[i, j], want[i, j]), f"{what}; K[{i}, {j}] is {K[i, j]:.6g}")


def expect_refuted(got: Any, K: np.ndarray) -> None:
    """State that the answer refutes K, and that its vector proves it."""
    valid, v = verdict(got, len(K))
    expect(not valid, "K is not positive semi-definite: there is a v with v·Kv < 0")
    expect(np.isfinite(v).all() and np.abs(v).max() > 0, "v must be numbers, not all 0")
    v = v / np.linalg.norm(v)
    worth = float(v @ K @ v)
    expect(worth < -1e-9 * np.abs(K).max(), f"your v, at length 1, has v·Kv = {worth:.4g}, not < 0")


def expect_degree(got: Any, X: np.ndarray, y: np.ndarray) -> None:
    """State that alpha separates with this degree, and that no smaller degree can."""
    expect(isinstance(got, list | tuple) and len(got) == 2, "the answer is a pair (p, alpha)")
    p, alpha = np.asarray(got[0]), block(got[1], y.shape, "one alpha an example")
    expect(p.size == 1 and float(p.ravel()[0]) in range(1, 7), "p is one of 1, ..., 6")
    p = int(p.ravel()[0])
    t = y * (Polynomial(p)(X) @ (alpha * y))
    i = int(np.argmin(t))
    expect(t[i] > 0, f"with p = {p} and this alpha example {i} is not right: y f = {t[i]:.4g}")
    expect(p <= sign_changes(X, y), f"p = {p} separates, but a smaller degree does, too")


# --- q1 ------------------------------------------------------------------------------------------


@HW.check(
    "q1",
    "K[i, j] compares row i of X with row j of Z",
    points=1,
    hint="Rows of K belong to X, columns to Z, and all pairs are there. The number of features is "
    "summed away. What is K where the two points are the same?",
)
def _(call, rng):
    K = block(call("gaussian", X_A, Z_A, 1.5), (4, 2), "4 rows in X and 2 in Z")
    expect(close(K[3, 0], 1.0), f"x = z gives 1, whatever sigma; K[3, 0] is {K[3, 0]:.6g}")
    expect((np.delete(K.ravel(), 6) < 1).all(), "x and z differ, so K[i, j] is below 1")


@HW.check(
    "q1",
    "the exponent is -‖x - z‖² / (2 σ²)",
    points=1,
    hint="Check one entry by hand, with a pocket calculator. Two squares, one factor 2, one minus; "
    "and in Python a / 2 * c is (a / 2) * c.",
)
def _(call, rng):
    for sigma in (1.5, 0.9):
        K = block(call("gaussian", X_A, Z_A, sigma), (4, 2), "4 rows in X and 2 in Z")
        told, facts = "‖x - z‖² = {:.6g}", squared_distances(X_A, Z_A)
        expect_entries(K, Gaussian(sigma)(X_A, Z_A), told, facts)


# --- q2 ------------------------------------------------------------------------------------------


@HW.check(
    "q2",
    "polynomial: (1 + x·z)^p for every pair",
    points=1,
    hint="First the inner product of x and z, one number. Then add 1. Then the power. And where "
    "does z come from: X or Z?",
)
def _(call, rng):
    for p in (3, 2):
        K = block(call("polynomial", X_B, Z_B, p), (4, 3), "4 rows in X and 3 in Z")
        expect_entries(K, Polynomial(p)(X_B, Z_B), "x·z = {:.6g}", X_B @ Z_B.T)


@HW.check(
    "q2",
    "phi: in the plane, phi(x)·phi(z) = (1 + x·z)²",
    points=1,
    hint="Multiply (1 + x_1 z_1 + x_2 z_2)² out: six terms. Which of them have a factor 2, and how "
    "is it shared between phi(x) and phi(z)? Each row of phi depends on its own x only.",
)
def _(call, rng):
    left, right = (np.asarray(call("phi", X), dtype=float) for X in (X_B, Z_B))
    expect(left.ndim == 2 and len(left) == 4, "4 rows in X, so 4 rows of features")
    expect(right.ndim == 2 and left.shape[1] == right.shape[1], "as many features for every x")
    for i, j in np.ndindex(4, 3):
        want, found = float(1 + X_B[i] @ Z_B[j]) ** 2, float(left[i] @ right[j])
        told = f"x = {X_B[i]}, z = {Z_B[j]}: (1 + x·z)² = {want:.6g}, phi(x)·phi(z) = {found:.6g}"
        expect(close(found, want), told)


# --- q3 ------------------------------------------------------------------------------------------


def flat_gram() -> np.ndarray:
    """Return a Gram matrix of five points in the plane, with a rounding error of 1e-12."""
    X = np.array([[1.25, 0.5], [-0.75, 1.5], [0.25, 2.25], [1.75, -0.5], [-0.5, -1.25]])
    null = np.linalg.svd(X.T)[2][-1]
    K = X @ X.T
    return K - 1e-12 * K.max() * np.outer(null, null)


@HW.check(
    "q3",
    "a Gram matrix is valid, rounding forgiven",
    points=1,
    hint="Five points in the plane: three eigenvalues are 0 on paper, and a little above or below "
    "in the computer. Semi-definite allows 0, and rounding must not decide.",
)
def _(call, rng):
    good = [flat_gram(), np.diag([2.5, 0.0, 1.5]), np.diag([2.5, 3e-11]), Gaussian(0.8)(X_C)]
    for K in asked(call, good):
        valid, _ = verdict(call("psd", K), len(K))
        values = ", ".join(f"{v:.2g}" for v in np.linalg.eigvalsh(K))
        expect(valid, f"K is a Gram matrix; its eigenvalues are {values}")


@HW.check(
    "q3",
    "a false Gram matrix is refuted by a vector",
    points=1,
    hint="A positive diagonal or a positive determinant proves nothing: two negative eigenvalues "
    "multiply to something positive. Which eigenvector refutes, and is it a row or a column?",
)
def _(call, rng):
    for K in asked(call, [np.array(K) for K in FALSE], [Gaussian(0.8)(X_C)]):
        expect_refuted(call("psd", K), K)


#: Not one is a Gram matrix: two eigenvalues of three negative; then one of two, in four ways.
FALSE = [
    [[1.5, 2.5, 2.25], [2.5, 1.75, 2.0], [2.25, 2.0, 1.25]],
    [[1.25, 2.5], [2.5, 1.75]],
    [[1.25, -2.5], [-2.5, 1.75]],
    [[1.5, 0.5], [0.5, -0.75]],
    [[-1.5, 0.5], [0.5, -1.25]],
]


def asked(call: Call, matrices: list, more: Sequence = ()) -> list:
    """Ask about all matrices once, so that the replies tell misconceptions apart."""
    for K in [*matrices, *more]:
        call("psd", K)
    return matrices


# --- q4 ------------------------------------------------------------------------------------------


@HW.check(
    "q4",
    "alpha counts the mistakes of each example",
    points=1,
    hint="The score of example t is Σ_i α_i y_i K[i, t], and y_t f ≤ 0 is a mistake. Then α_t "
    "grows by 1: counts have no sign and can pass 1.",
)
def _(call, rng):
    K = Gaussian(1.5)(X_C)
    for passes in (1, 3):
        run = kernel_perceptron(X_C, Y_C, Gaussian(1.5), max_epochs=passes)
        alpha, _ = counts(call("kernel_perceptron", K, Y_C, passes), 6)
        order = ", ".join(str(t) for t in run.mistakes)
        told = f"in {passes} passes the mistakes are on examples {order} (from 0, in this order)"
        expect(close(alpha, run.alpha), told)


@HW.check(
    "q4",
    "scores: every new point meets the training points",
    points=1,
    hint="f(z) = Σ_i α_i y_i K(x_i, z): which points does K compare, over which of them runs the "
    "sum, and with which coefficient? The score is wanted, not its sign.",
)
def _(call, rng):
    y, alpha = np.array([1.0, -1.0, -1.0, 1.0]), np.array([3.0, 1.0, 0.0, 2.0])
    new = np.array([[0.25, 0.5, 1.25], [1.5, -0.25, 0.5], [-0.5, 1.25, 1.75], [0.75, -1.5, 2.5]])
    for Z in (new, Z_A):
        f = block(call("scores", X_A, y, alpha, Z, 1.5), (len(Z),), "one score a new point")
        want = Gaussian(1.5)(Z, X_A) @ (alpha * y)
        for j in range(len(Z)):
            terms = " + ".join(f"({a * s:g})·K(x_{i}, z)" for i, (a, s) in enumerate(zip(alpha, y)))
            expect(close(f[j], want[j]), f"z = {Z[j]}: f(z) = {terms} is not {f[j]:.6g}")


# --- q5 ------------------------------------------------------------------------------------------


def own_set(call: Call) -> tuple[np.ndarray, np.ndarray]:
    """Return the set of the notebook's SEED."""
    mine = data(call.seed)
    return mine["X"], mine["y"]


@HW.check(
    "q5",
    "your own set: a separating alpha at the smallest degree",
    points=1,
    hint="Try the degrees in order and take the first with a clean pass. Give each the passes it "
    "may take, and hand over the counts themselves, for the kernel (1 + x·z)^p.",
)
def _(call, rng):
    X, y = own_set(call)
    expect_degree(call("smallest_degree", X, y, ENOUGH), X, y)


# --- quizzes and the proof -----------------------------------------------------------------------

HW.quiz(
    "q6",
    "A Gram matrix of 50 points has no negative eigenvalue. What does that prove about K?",
    {
        "A": "K is a kernel",
        "B": "K is not a kernel, since some eigenvalue should be negative",
        "C": "nothing yet: another set of points may refute K",
        "D": "K is a kernel if the 50 points were drawn at random",
    },
    "C",
    {
        "A": "A kernel must pass for every set of points. You have seen one set.",
        "B": "A kernel's Gram matrix is positive semi-definite: none may be negative.",
        "C": "Right. One bad set refutes; no number of good ones proves. A proof shows phi.",
        "D": "Random points make a refutation likelier, if there is one. They prove nothing.",
    },
    points=1,
)

HW.quiz(
    "q7",
    "A kernel perceptron with a Gaussian of width σ separates n distinct points. Now all "
    "coordinates are multiplied by 10. With which width are all its mistakes the same as before?",
    {
        "A": "σ: the perceptron does not notice a factor",
        "B": "10 σ",
        "C": "100 σ",
        "D": "σ / 10",
    },
    "B",
    {
        "A": "A factor on phi(x) would not matter. But here K itself changes: distances grow.",
        "B": "Right. ‖x - z‖² grows by 100 and so does σ²: the same K, so the same run.",
        "C": "That would be so if σ were not squared. ‖x - z‖² grows by 100; what must σ² do?",
        "D": "That makes it worse: the hills get narrower while the points move apart.",
    },
    points=1,
)

HW.by_hand["q8"] = 10

check, quiz, finish = client.bind(HW)
