"""Homework 4: the support vector machine, primal and dual. Questions, data and visible checks."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from lectures_lib import svm
from lectures_lib.conventions import add_constant
from lectures_lib.kernels import Kernel

from .language.checks import Assignment, Call, close, expect
from .language.drawing import drawn, kept
from .language.reading import array, number, parts, rows, vector
from .language.sums import expect_proof
from .proofs import soft_margin
from .student import client

#: How near, relative, the objective of q5 must come to the best.
EXCESS = 1e-3


def data(seed: int) -> dict[str, Any]:
    """Return a student's own examples and cost: X, y and C.

    Parameters
    ----------
    seed : a whole number of the student

    Examples
    --------
    >>> from lectures_homework import hw4
    >>> sorted(hw4.data(7))
    ['C', 'X', 'y']
    """
    return dict(zip(("X", "y", "C"), own(np.random.default_rng([4, seed]))))


@drawn
def own(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float]:
    """Return examples and a cost on which wrong costs and offsets make worse machines."""
    C = float(rng.choice([0.35, 0.6, 1.75, 2.5]))
    while True:
        X, y = tangled(rng, 14, 2, C)
        if sensitive(X, y, C):
            return X, y, C


HW = Assignment("hw4", "The support vector machine", minutes=150, data=data)
HW.question("q1", "objective", "gradient", hidden=(2, 2))
HW.question("q2", "dual_qp", hidden=(2, 2))
HW.question("q3", "weights", "offset", hidden=(2, 2))
HW.question("q4", "certificate", hidden=(2, 2))
HW.question("q5", "train", hidden=(1, 1))
HW.question("q6", "gap", "weak", hidden=(1, 1))


# --- data ----------------------------------------------------------------------------------------


@drawn
def tangled(
    rng: np.random.Generator, n: int, d: int, C: float, *, free: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Return examples that no plane separates, off the origin, where recipes for b differ."""
    while True:
        X = rng.integers(-16, 17, size=(n, d)) / 8 + rng.choice([-0.75, 0.75], size=d)
        u = rng.normal(size=d) / np.sqrt(d)
        y = np.where(X @ u + 0.8 * rng.normal(size=n) + 0.3 > 0, 1.0, -1.0)
        if abs(y.sum()) <= n / 2 and telling(svm.dual(X, y, C), free):
            return X, y


def telling(machine: svm.SVMachine, free: bool) -> bool:
    """True if the wrong recipes for b miss, and no alpha is doubtful: near a bound, not on it."""
    if bool(len(machine.free)) != free or len(machine.bounded) < 3:
        return False
    low, high = machine.b_interval
    F = machine.y - machine.decision(machine.X) + machine.b
    share = machine.alpha[machine.free] / machine.C
    others = [F[machine.support].mean(), F.mean(), F[machine.bounded[0]], -machine.b, 0.0]
    far = [not low - 0.05 < other < high + 0.05 for other in others]
    clear = not free or (share.min() > 0.02 and share.max() < 0.98)
    return machine.certificate.within(1e-7) and clear and all(far)


def sensitive(X: np.ndarray, y: np.ndarray, C: float) -> bool:
    """True if another cost, or an offset that is regularised, makes another, worse machine."""
    limit = (1 + 2 * EXCESS) * svm.dual(X, y, C).certificate.dual
    found: list[np.ndarray] = []
    for w, b in mistaken(X, y, C):
        if primal_value(w, b, X, y, C) < limit or any(np.abs(w - v).max() < 0.02 for v in found):
            return False
        found.append(w)
    return True


def mistaken(X: np.ndarray, y: np.ndarray, C: float) -> Iterator[tuple[np.ndarray, float]]:
    """Yield the machines for half the cost, for cost 1, and with an offset that is regularised."""
    for cost in (C / 2, 1.0):
        machine = svm.dual(X, y, cost)
        yield np.asarray(machine.w), machine.b
    lifted = np.asarray(svm.dual(add_constant(X), y, C, offset=False).w)
    yield lifted[:-1], float(lifted[-1])


def balanced(rng: np.random.Generator, y: np.ndarray, C: float) -> np.ndarray:
    """Return a random alpha strictly inside the box with sum alpha y = 0."""
    alpha = rng.uniform(0.4, 0.6, size=len(y)) * C
    heavy = y * (alpha @ y) > 0
    alpha[heavy] *= 1 - abs(alpha @ y) / alpha[heavy].sum()
    return alpha


#: Seven examples, a cost, and a point (w, b) with slacks of every kind. At the optimum the first
#: example is bounded, two of one class are free and two have alpha = 0.
X_D = np.array([[1, 6], [6, -1], [-6, -7], [-1, -2], [-1, -3], [-3, 8], [5, -8]]) / 4
Y_D = np.array([1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0])
C_D, W_D, B_D = 0.4, np.array([-0.75, 0.5]), -1.125


# --- reading answers -----------------------------------------------------------------------------


class Program:
    """The answer of `dual_qp`: what it minimises, and which alpha it allows."""

    def __init__(self, got: Any, n: int):
        P, q, G, h, A, b = parts(got, "P", "q", "G", "h", "A", "b")
        self.P, self.q = array(P, (n, n), "P"), vector(q, n, "q")
        self.G, self.h = self._rows(G, h, n, "G", "h")
        self.A, self.b = self._rows(A, b, n, "A", "b")

    @staticmethod
    def _rows(M: Any, right: Any, n: int, left_name: str, right_name: str):
        table = rows(M, f"{left_name} has {n} columns", width=n)
        many = f"{right_name}, a number for each row of {left_name}"
        return table, vector(right, len(table), many)

    def value(self, alpha: np.ndarray) -> float:
        """Return half alpha'P alpha + q'alpha."""
        return float(0.5 * alpha @ self.P @ alpha + self.q @ alpha)

    def allows(self, alpha: np.ndarray) -> bool:
        """True if G alpha <= h and A alpha = b, up to rounding."""
        over = (self.G @ alpha - self.h).max(initial=0.0)
        off = np.abs(self.A @ alpha - self.b).max(initial=0.0)
        return bool(max(over, off) < 1e-9 * (1 + np.abs(alpha).max()))


def minus_dual(alpha: np.ndarray, K: np.ndarray, y: np.ndarray) -> float:
    """Return -Q(alpha)."""
    beta = alpha * y
    return float(0.5 * beta @ K @ beta - alpha.sum())


def primal_value(w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray, C: float) -> float:
    """Return half norm(w)^2 + C sum xi."""
    return float(0.5 * w @ w + C * np.maximum(0.0, 1.0 - y * (X @ w + b)).sum())


def slope(w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray, C: float) -> np.ndarray:
    """Return the slopes of the objective in w and b, by differences of its values."""
    v, h, slopes = np.append(w, b), 1e-5, []
    for step in h * np.eye(len(v)):
        up, down = (primal_value(p[:-1], p[-1], X, y, C) for p in (v + step, v - step))
        slopes.append((up - down) / (2 * h))
    return np.array(slopes)


def expect_good_offset(got: Any, machine: svm.SVMachine) -> None:
    """State that no other offset has a smaller sum of slacks."""
    b, (low, high) = number(got, "b"), machine.b_interval
    room = 1e-4 * (1 + abs(low) + abs(high))
    what = f"b = {low:.6g}" if high - low < 1e-9 else f"any b from {low:.6g} to {high:.6g}"
    expect(low - room <= b <= high + room, f"for this alpha {what} is right, not {b:.6g}")


def expect_certificate(
    got: Any, K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray, b: float
) -> tuple[float, float]:
    """State that the three numbers are those of the library; return primal and dual."""
    names = ("primal", "dual", "violation")
    found = [number(part, name) for part, name in zip(parts(got, *names), names)]
    judged = svm.certificate(K, y, C, alpha, b)
    values = f"½‖w‖² = {alpha.sum() - judged.dual:.6g}, Σα = {alpha.sum():.6g}"
    expect(close(found[0], judged.primal), f"primal = ½‖w‖² + C Σξ is not {found[0]:.6g}; {values}")
    expect(close(found[1], judged.dual), f"dual = Σα - ½‖w‖² is not {found[1]:.6g}; {values}")
    want = max(judged.box, judged.balance)
    facts = f"α leaves [0, C] by {judged.box:.4g}, and |Σ α y| = {judged.balance:.4g}"
    expect(
        close(found[2], want, atol=1e-6 * C),
        f"{facts}: the violation is not {found[2]:.6g}",
    )
    return found[0], found[1]


def expect_trained(got: Any, X: np.ndarray, y: np.ndarray, C: float) -> None:
    """State that (w, b) is as good as it can be: its objective is near the best dual value."""
    w, b = parts(got, "w", "b")
    w, b = vector(w, X.shape[1], "w"), number(b, "b")
    best = solved(X, y, C)[1].certificate.dual
    value = primal_value(w, b, X, y, C)
    claim = f"½‖w‖² + C Σξ = {value:.6g}, but {best:.6g} can be reached"
    expect(np.isfinite(value) and value <= (1 + EXCESS) * best, claim)


@kept
def solved(
    X: np.ndarray, y: np.ndarray, C: float, kernel: Kernel | None = None
) -> tuple[np.ndarray, svm.SVMachine]:
    """Return the Gram matrix and the solved machine."""
    machine = svm.dual(X, y, C, kernel)
    return machine.kernel(X), machine


# --- q1 ------------------------------------------------------------------------------------------

#: The point of the statement, as the answers take it.
POINT = W_D, B_D, X_D, Y_D, C_D


@HW.check(
    "q1",
    "objective: ½‖w‖² + C Σ ξ",
    hint="Half of the squared norm of w, without b. The slack of an example is max(0, 1 - y f), "
    "with f = w·x + b. C multiplies the sum of the slacks, and it is a sum, not a mean.",
    on=[POINT],
)
def _(call, w, b, X, y, C):
    got = number(call("objective", w, b, X, y, C), "the objective")
    slacks = ", ".join(f"{v:.4g}" for v in np.maximum(0, 1 - y * (X @ w + b)))
    claim = f"½‖w‖² = {0.5 * w @ w:.6g}, C = {C} and the slacks are {slacks}"
    expect(close(got, primal_value(w, b, X, y, C)), claim)


def slopes(call: Call, w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray, C: float) -> Any:
    """Return the answer of `gradient` as one vector."""
    g_w, g_b = parts(call("gradient", w, b, X, y, C), "g_w", "g_b")
    return np.append(vector(g_w, len(w), "g_w"), number(g_b, "g_b"))


@HW.check(
    "q1",
    "gradient: it agrees with differences of the objective",
    hint="Only examples with y f < 1 have a slope; each gives -C y x to w and -C y to b. What does "
    "½‖w‖² give, and to which of the two? Nothing is averaged.",
    on=[POINT],
)
def _(call, w, b, X, y, C):
    got, want = slopes(call, w, b, X, y, C), slope(w, b, X, y, C)
    claim = "a step of 0.00001 in {} changes the objective at the rate {:.6g}, not {:.6g}"
    for name, rate, found in zip(("w_1", "w_2", "b"), want, got):
        expect(close(found, rate, atol=1e-5), claim.format(name, rate, found))


# --- q2 ------------------------------------------------------------------------------------------


@HW.check(
    "q2",
    "P and q: the program minimises -Q(α)",
    hint="The solver minimises, the dual maximises: which signs change? The solver's ½ is already "
    "there. Both labels belong in P.",
    on=lambda _, rng: [
        (X_D, Y_D, C_D, (np.eye(7)[2] * 0.3, balanced(rng, Y_D, C_D), rng.uniform(0, C_D, size=7)))
    ],
)
def _(call, X, y, C, alphas):
    K = X @ X.T
    program = Program(call("dual_qp", K, y, C), len(y))
    for alpha in alphas:
        want, found = minus_dual(alpha, K, y), program.value(alpha)
        at = f"at α = {np.round(alpha, 3)}"
        claim = f"{at} L4 has -Q(α) = {want:.6g}, your ½α·Pα + q·α = {found:.6g}"
        expect(close(found, want), claim)


@HW.check(
    "q2",
    "G, h, A, b: the box and the balance",
    hint="0 ≤ α is -α ≤ 0, and α ≤ C is a second block of rows. The free offset brings one "
    "equation: Σ α y = 0.",
    on=lambda _, rng: [(X_D, Y_D, C_D, balanced(rng, Y_D, C_D))],
)
def _(call, X, y, C, inside):
    program = Program(call("dual_qp", X @ X.T, y, C), len(y))
    claim = f"α = {np.round(inside, 3)} is feasible: Σ α y = 0, 0 ≤ α ≤ {C}"
    expect(program.allows(inside), claim)
    for i, share, reason in ((0, -0.1, "is negative"), (2, 1.1, "is above C")):
        alpha = moved(inside, y, i, share * C)
        claim = f"α = {np.round(alpha, 3)} must be forbidden: α_{i} {reason}"
        expect(not program.allows(alpha), claim)
    alpha = inside * np.where(y > 0, 1.0, 0.7)
    expect(not program.allows(alpha), f"Σ α y = {alpha @ y:.4g}, not 0: α must be forbidden")


def moved(alpha: np.ndarray, y: np.ndarray, i: int, value: float) -> np.ndarray:
    """Return alpha with alpha_i = value; the others of the class share what that takes away."""
    mates = (y == y[i]) & (np.arange(len(y)) != i)
    changed = alpha.copy()
    changed[i] = value
    changed[mates] += (alpha[i] - value) * alpha[mates] / alpha[mates].sum()
    return changed


# --- q3 ------------------------------------------------------------------------------------------


@HW.check(
    "q3",
    "weights: w = Σ α y x",
    hint="Every example pulls with the strength α, in the direction of x or against it. Which of "
    "the two does its label say? Bounded examples pull, too, and so do those with a small α.",
    on=lambda *_: [
        (solved(X_D, Y_D, C_D)[1].alpha, X_D, Y_D),
        (C_D * np.array([0.0, 0.3, 0.005, 1.0, 5e-4, 0.05, 0.6]), X_D, Y_D),  # the weak pull, too
    ],
)
def _(call, alpha, X, y):
    got, want = vector(call("weights", alpha, X, y), X.shape[1], "w"), (alpha * y) @ X
    expect(close(got, want), f"Σ α y x = {np.round(want, 5)}, not {np.round(got, 5)}")


@HW.check(
    "q3",
    "offset: from the free examples",
    hint="Only where 0 < α < C is y f = 1 exactly. Elsewhere y - Σ α y K is off by the slack: the "
    "first support vector may be bounded, a mean over all of them is wrong.",
    on=[(X_D + np.array([-1.5, 2.25]), Y_D, C_D), (X_D, Y_D, C_D)],  # with b = 0 labels are wrong
)
def _(call, X, y, C):
    K, machine = solved(X, y, C)
    expect_good_offset(call("offset", machine.alpha, K, y, C), machine)


# --- q4 ------------------------------------------------------------------------------------------


@HW.check(
    "q4",
    "at the optimum primal and dual meet",
    hint="‖w‖² = Σ Σ α α y y K, with both labels. The slacks come from f = K (α y) + b. In the "
    "dual the ½ and the minus belong to the same term.",
    on=[(X_D, Y_D, C_D)],
)
def _(call, X, y, C):
    K, machine = solved(X, y, C)
    got = call("certificate", machine.alpha, machine.b, K, y, C)
    expect_certificate(got, K, y, C, machine.alpha, machine.b)


@HW.check(
    "q4",
    "an answer that is not optimal shows a gap",
    hint="Both values are computed for the α and b that were given, whatever they are: b is not "
    "recomputed, α is not repaired.",
    on=lambda _, rng: [(X_D, Y_D, C_D, balanced(rng, Y_D, C_D), 0.375)],
)
def _(call, X, y, C, alpha, b):
    K = X @ X.T
    primal, dual = expect_certificate(call("certificate", alpha, b, K, y, C), K, y, C, alpha, b)
    expect(primal > dual, "a feasible α that is not optimal has primal > dual")


# --- q5 ------------------------------------------------------------------------------------------


@HW.check(
    "q5",
    "your own machine is within 0.1 % of the best",
    hint="What does your certificate of q4 say about your α and b? Is C the one given, is the "
    "offset free, and did the solver reach its end?",
    on=lambda call, _: [own(np.random.default_rng([4, call.seed]))],
)
def _(call, X, y, C):
    expect_trained(call("train", X, y, C), X, y, C)


# --- q6 ------------------------------------------------------------------------------------------


@HW.check(
    "q6",
    "gap: what primal and dual differ by is never negative",
    hint="Which product has the term C ξ in it, which one α w·z? What is left over then is a "
    "multiple of the two equations, and theirs may have any sign.",
    on=[(1,), (2,), (3,)],
)
def _(call, n):
    expect_proof(call("gap", n), soft_margin("gap", n), "gap")


@HW.check(
    "q6",
    "weak: no w has an objective below the dual",
    hint="The same products as before. Now w is any vector: what is left over is half of a squared "
    "norm. Of which vector?",
    on=[(1,), (2,)],
)
def _(call, n):
    expect_proof(call("weak", n), soft_margin("weak", n), "weak")


# --- quizzes and the derivation ------------------------------------------------------------------

HW.quiz(
    "q7",
    "A solved soft margin has an example with α = C. What do you know about it?",
    {
        "A": "it is misclassified",
        "B": "its y f is at most 1: on its edge, inside the street, or on the wrong side",
        "C": "it lies exactly on its edge of the street",
        "D": "it can be deleted without any change",
    },
    "B",
    {
        "A": "It may be. But it may also lie inside the street on its right side.",
        "B": "Right. α > 0 leaves nothing to spare, y f = 1 - ξ, and at α = C slack is allowed.",
        "C": "That is what 0 < α < C says. At C slack is possible.",
        "D": "That is what α = 0 says. This one pulls with full strength.",
    },
)

HW.quiz(
    "q8",
    "L4 minimises ‖w‖² + C' Σ ξ, we minimise ½‖w‖² + C Σ ξ. A paper reports C' = 3 in L4's form. "
    "Which C gives the same machine here?",
    {"A": "3", "B": "6", "C": "1.5", "D": "there is none: the problems differ"},
    "C",
    {
        "A": "Then the slacks would weigh twice as much against the norm. Divide L4's form by 2.",
        "B": "The wrong way round. Divide L4's form by 2: what is left before Σ ξ?",
        "C": "Right. ½ (‖w‖² + 3 Σ ξ) = ½‖w‖² + 1.5 Σ ξ, and half of a function has its minimiser.",
        "D": "Half of a function has the same minimiser. So what is C?",
    },
)

HW.by_hand["q9"] = 7

check, quiz, finish = client.bind(HW)
