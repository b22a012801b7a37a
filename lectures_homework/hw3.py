"""Homework 3: kernels and the kernel perceptron. Its questions, data and visible checks."""

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from lectures_lib.kernels import Gaussian, Polynomial
from lectures_lib.perceptron import kernel_perceptron

from .language.checks import Assignment, Call, close, expect
from .language.drawing import drawn
from .language.reading import array, number, parts, rows, truth, vector
from .student import client

#: Passes that are enough for every set of q5, with the right degree.
ENOUGH = 200
#: Directions of a line whose points on a grid are exact in floating point.
DIRECTIONS = np.array([[0.75, 0.5], [0.5, -0.75], [0.875, 0.25], [-0.625, 0.75], [0.25, 1.0]])


def data(seed: int) -> dict[str, np.ndarray]:
    """Return a student's own points on a line: X, and the labels y that change along it.

    Parameters
    ----------
    seed : a whole number of the student

    Examples
    --------
    >>> from lectures_homework import hw3
    >>> sorted(hw3.data(7))
    ['X', 'y']
    """
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


@drawn
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
    run = kernel_perceptron(X, y, Polynomial(changes), max_epochs=ENOUGH // 3)
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


def counts(got: Any, n: int) -> tuple[np.ndarray, bool]:
    """Return the answer (alpha, converged)."""
    alpha, converged = parts(got, "alpha", "converged")
    return vector(alpha, n, "one alpha an example"), truth(converged, "converged")


def expect_entries(K: np.ndarray, want: np.ndarray, fact: str, facts: np.ndarray) -> None:
    """State that every entry is the kernel's value; of the first that is not, tell its fact."""
    for i, j in np.ndindex(want.shape):
        what = f"row {i} of X and row {j} of Z have {fact.format(facts[i, j])}"
        expect(close(K[i, j], want[i, j]), f"{what}; K[{i}, {j}] is {K[i, j]:.6g}")


def expect_valid(got: Any, K: np.ndarray) -> None:
    """State that the answer calls K valid."""
    valid, _ = parts(got, "valid", "v")
    eigenvalues = ", ".join(f"{value:.2g}" for value in np.linalg.eigvalsh(K) + 0.0)
    expect(truth(valid, "valid"), f"K is a Gram matrix; its eigenvalues are {eigenvalues}")


def expect_refuted(got: Any, K: np.ndarray) -> None:
    """State that the answer refutes K, and that its vector proves it."""
    valid, v = parts(got, "valid", "v")
    refuted = not truth(valid, "valid")
    expect(refuted, "K is not positive semi-definite: there is a v with v·Kv < 0")
    v = vector(v, len(K), "v")
    expect(np.abs(v).max() > 0, "v must not be 0")
    v = v / np.linalg.norm(v)
    worth = float(v @ K @ v)
    expect(worth < -1e-9 * np.abs(K).max(), f"your v, at length 1, has v·Kv = {worth:.4g}, not < 0")


def expect_degree(got: Any, X: np.ndarray, y: np.ndarray) -> None:
    """State that alpha separates with this degree, and that no smaller degree can."""
    p, alpha = parts(got, "p", "alpha")
    p, alpha = number(p, "p"), vector(alpha, len(y), "one alpha an example")
    expect(p in range(1, 7), "p is one of 1, ..., 6")
    t = y * (Polynomial(int(p))(X) @ (alpha * y))
    i = int(np.argmin(t))
    expect(t[i] > 0, f"with p = {p:g} and this alpha example {i} is not right: y f = {t[i]:.4g}")
    expect(p <= sign_changes(X, y), f"p = {p:g} separates, but a smaller degree does, too")


# --- q1 ------------------------------------------------------------------------------------------


@HW.check(
    "q1",
    "K[i, j] compares row i of X with row j of Z",
    hint="Rows of K belong to X, columns to Z, and all pairs are there. The number of features is "
    "summed away. What is K where the two points are the same?",
    on=[(X_A, Z_A, 1.5)],
)
def _(call, X, Z, sigma):
    K, facts = gaussian(call, X, Z, sigma), cdist(X, Z, "sqeuclidean")
    i, j = np.unravel_index(facts.argmin(), facts.shape)  # the same point
    expect(close(K[i, j], 1.0), f"x = z gives 1, whatever sigma; K[{i}, {j}] is {K[i, j]:.6g}")
    expect((K[facts > 0] < 1).all(), "where x and z differ, K[i, j] is below 1")


@HW.check(
    "q1",
    "the exponent is -‖x - z‖² / (2 σ²)",
    hint="Check one entry by hand, with a pocket calculator. Two squares, one factor 2, one minus; "
    "and in Python a / 2 * c is (a / 2) * c.",
    on=[(X_A, Z_A, 1.5), (X_A, Z_A, 0.9)],
)
def _(call, X, Z, sigma):
    K, facts = gaussian(call, X, Z, sigma), cdist(X, Z, "sqeuclidean")
    expect_entries(K, Gaussian(sigma)(X, Z), "‖x - z‖² = {:.6g}", facts)


def gaussian(call: Call, X: np.ndarray, Z: np.ndarray, sigma: float) -> np.ndarray:
    """Return the answer of `gaussian`."""
    return array(call("gaussian", X, Z, sigma), (len(X), len(Z)), rows_in(X, Z))


def rows_in(X: np.ndarray, Z: np.ndarray) -> str:
    """Say how many points there are."""
    return f"{len(X)} rows in X and {len(Z)} in Z"


# --- q2 ------------------------------------------------------------------------------------------


@HW.check(
    "q2",
    "polynomial: (1 + x·z)^p for every pair",
    hint="First the inner product of x and z, one number. Then add 1. Then the power. And where "
    "does z come from: X or Z?",
    on=[(X_B, Z_B, 3), (X_B, Z_B, 2)],
)
def _(call, X, Z, p):
    K = array(call("polynomial", X, Z, p), (len(X), len(Z)), rows_in(X, Z))
    expect_entries(K, Polynomial(p)(X, Z), "x·z = {:.6g}", X @ Z.T)


@HW.check(
    "q2",
    "phi: in the plane, phi(x)·phi(z) = (1 + x·z)²",
    hint="Multiply (1 + x_1 z_1 + x_2 z_2)² out: six terms. Which of them have a factor 2, and how "
    "is it shared between phi(x) and phi(z)? Each row of phi depends on its own x only.",
    on=[(X_B, Z_B)],
)
def _(call, X, Z):
    left, right = features(call("phi", X), len(X)), features(call("phi", Z), len(Z))
    claim = f"for the points before there were {left.shape[1]} features, now {right.shape[1]}"
    expect(left.shape[1] == right.shape[1], claim)
    expect_inner(left, left, X, X)
    expect_inner(left, right, X, Z)


def features(got: Any, n: int) -> np.ndarray:
    """Return the answer as n rows of features."""
    return rows(got, f"{n} points, so {n} rows of features", height=n)


def expect_inner(left: np.ndarray, right: np.ndarray, X: np.ndarray, Z: np.ndarray) -> None:
    """State that the inner products of features are the kernel."""
    for i, j in np.ndindex(len(X), len(Z)):
        want, found = float(1 + X[i] @ Z[j]) ** 2, float(left[i] @ right[j])
        claim = f"x = {X[i]}, z = {Z[j]}: (1 + x·z)² = {want:.6g}, phi(x)·phi(z) = {found:.6g}"
        expect(close(found, want), claim)


# --- q3 ------------------------------------------------------------------------------------------

#: Not one is a Gram matrix. Each is the first that another shortcut takes for one: singular values,
#: the largest eigenvalue, the determinant, the diagonal, the signs of the entries.
FALSE = [
    [[-1.5, 0.5, 0.25], [0.5, -1.25, 0.5], [0.25, 0.5, -1.75]],
    [[1.5, 0.5], [0.5, -0.75]],
    [[-1.5, 0.5], [0.5, -1.25]],
    [[1.25, -2.5], [-2.5, 1.75]],
    [[1.5, 2.5, 2.25], [2.5, 1.75, 2.0], [2.25, 2.0, 1.25]],
]


def flat_gram() -> np.ndarray:
    """Return a Gram matrix of five points in the plane, with a rounding error of 1e-12."""
    X = np.array([[1.25, 0.5], [-0.75, 1.5], [0.25, 2.25], [1.75, -0.5], [-0.5, -1.25]])
    null = np.linalg.svd(X.T)[2][-1]
    K = X @ X.T
    return K - 1e-12 * K.max() * np.outer(null, null)


@HW.check(
    "q3",
    "a Gram matrix is valid, rounding forgiven",
    hint="Five points in the plane: three eigenvalues are 0 on paper, and a little above or below "
    "in the computer. Semi-definite allows 0, and rounding must not decide.",
    on=[
        (np.diag([2.5, 3e-11]), expect_valid),
        (np.diag([2.5, 0.0, 1.5]), expect_valid),
        (flat_gram(), expect_valid),
        (np.zeros((2, 2)), expect_valid),
        (Gaussian(0.8)(X_C), expect_valid),
    ],
)
def _(call, K, expected):
    expected(call("psd", K), K)


@HW.check(
    "q3",
    "a false Gram matrix is refuted by a vector",
    hint="A positive diagonal or a positive determinant proves nothing: two negative eigenvalues "
    "multiply to something positive. Which eigenvector refutes, and is it a row or a column?",
    on=[(np.array(K),) for K in FALSE],
)
def _(call, K):
    expect_refuted(call("psd", K), K)


# --- q4 ------------------------------------------------------------------------------------------


@HW.check(
    "q4",
    "alpha counts the mistakes of each example",
    hint="The score of example t is Σ_i α_i y_i K[i, t], and y_t f ≤ 0 is a mistake. Then α_t "
    "grows by 1: counts have no sign and can pass 1.",
    on=[(X_C, Y_C, 1.5, 1), (X_C, Y_C, 1.5, 3)],
)
def _(call, X, y, sigma, passes):
    kernel = Gaussian(sigma)
    run = kernel_perceptron(X, y, kernel, max_epochs=passes)
    alpha, _ = counts(call("kernel_perceptron", kernel(X), y, passes), len(y))
    order = ", ".join(str(t) for t in run.mistakes)
    time = "pass" if passes == 1 else f"{passes} passes"
    claim = f"in the first {time} the mistakes are on examples {order} (from 0, in this order)"
    expect(close(alpha, run.alpha), claim)


#: Two sets of new points for the scores of X_A.
NEW = np.array([[0.25, 0.5, 1.25], [1.5, -0.25, 0.5], [-0.5, 1.25, 1.75], [0.75, -1.5, 2.5]])
SCORED = X_A, np.array([1.0, -1.0, -1.0, 1.0]), np.array([3.0, 1.0, 0.0, 2.0])


@HW.check(
    "q4",
    "scores: every new point meets the training points",
    hint="f(z) = Σ_i α_i y_i K(x_i, z): which points does K compare, over which of them runs the "
    "sum, and with which coefficient? The score is wanted, not its sign.",
    on=[(*SCORED, NEW), (*SCORED, Z_A)],
)
def _(call, X, y, alpha, Z):
    f = vector(call("scores", X, y, alpha, Z, 1.5), len(Z), "one score a new point")
    want = Gaussian(1.5)(Z, X) @ (alpha * y)
    terms = " ".join(f"{a:+g} K(x_{i}, z)" for i, a in enumerate(alpha * y) if a)
    for j in range(len(Z)):
        expect(close(f[j], want[j]), f"z = {Z[j]}: f(z) = {terms} is not {f[j]:.6g}")


# --- q5 ------------------------------------------------------------------------------------------


@HW.check(
    "q5",
    "your own set: a separating alpha at the smallest degree",
    hint="Try the degrees in order and take the first with a clean pass. Give each the passes it "
    "may take, and hand over the counts themselves, for the kernel (1 + x·z)^p.",
    on=lambda call, _: [tuple(data(call.seed).values())],
)
def _(call, X, y):
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
)

HW.by_hand["q8"] = 10

check, quiz, finish = client.bind(HW)
