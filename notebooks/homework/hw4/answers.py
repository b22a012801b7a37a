"""Planted answers to homework 4: wrong ones that the checks must catch, right ones they must not.

Each function stands for a whole answer. A wrong one names its misconception in words for a student.
"""

import numpy as np

from lectures_homework.language.answers import Answers

A = Answers("hw4")

# The names of the checks, as they are used below.
VALUE = "objective: ½‖w‖² + C Σ ξ"
SLACKS = "objective: every kind of slack, any C"
SLOPE = "gradient: it agrees with differences of the objective"
KINK = "gradient: also at a kink it supports the objective from below"
PQ = "P and q: the program minimises -Q(α)"
PQ_OTHERS = "P and q for other Gram matrices"
BOX = "G, h, A, b: the box and the balance"
BOUNDS = "every multiplier has both bounds, and nothing else has"
W = "weights: w = Σ α y x"
FREE = "offset: from the free examples"
ROUNDING = "offset: rounding does not make a bounded example free"
NONE_FREE = "offset: none is free, and any b of the interval will do"
MEET = "at the optimum primal and dual meet"
GAP = "an answer that is not optimal shows a gap"
VIOLATION = "every violation is seen"
OTHER_K = "other kernels: the gap is never negative, and 0 at the optimum"
OWN = "your own machine is within 0.1 % of the best"
OTHER_SETS = "other sets, other costs"

# --- q1: objective -----------------------------------------------------------------------------


A["q1", "objective", VALUE] = {
    "C multiplies the norm instead of the slacks": {
        "0.5 * w @ w + C * xi.sum()": "C * 0.5 * w @ w + xi.sum()",
    },
    "the ½ before ‖w‖² is missing": {"0.5 * w": "w"},
    "the slacks are averaged: C / n instead of C": {"xi.sum()": "xi.mean()"},
    "the hinge has no 1: it is the perceptron's loss": {"0, 1 - y": "0, -y"},
    "the hinge is turned round: right examples pay": {"1 - y": "y"},
    "the hinge is taken of predicted labels instead of scores": {
        "xi = np.maximum(0, 1 - y * (X @ w + b))": "labels = np.where(X @ w + b >= 0, 1, -1)",
        "xi.sum()": "np.maximum(0, 1 - y * labels).sum()",
    },
}


@A.wrong("q1", "slacks can be negative: the max with 0 is missing", caught_by=VALUE)
def objective(w, b, X, y, C):
    return 0.5 * w @ w + C * np.sum(1 - y * (X @ w + b))


A["q1", "objective", VALUE] = {
    "only misclassified examples get slack": {
        "xi = np.maximum(0, 1 - y * (X @ w + b))": "t = y * (X @ w + b)",
        "xi.sum()": "np.sum((1 - t)[t < 0])",
    },
    "the regulariser ½‖w‖² is missing": {"0.5 * w @ w + C": "C"},
    "the offset is regularised, too": {"w @ w": "(w @ w + b * b)"},
    "the norm is not squared": {"w @ w": "np.linalg.norm(w)"},
    "the offset is missing in f": {"w + b": "w"},
    "the offset is subtracted in f": {"w + b": "w - b"},
    "the labels are missing in the slacks": {"y * (X @ w + b)": "(X @ w + b)"},
}


@A.wrong("q1", "counts mistakes instead of adding slacks", caught_by=VALUE)
def objective(w, b, X, y, C):
    return 0.5 * w @ w + C * np.sum(y * (X @ w + b) <= 0)


A["q1", "objective", VALUE] = {
    "the slacks are squared": {"xi.sum()": "np.sum(xi**2)"},
    "takes the largest slack instead of the sum": {"xi.sum()": "xi.max()"},
}


A["q1", "objective", SLACKS] = {
    "cuts slacks off at 2": {"xi.sum()": "np.minimum(xi, 2).sum()"},
}


@A.right("q1", "loops over lists")
def objective(w, b, X, y, C):
    total = 0.0
    for x_i, y_i in zip(X.tolist(), y.tolist()):
        score = b + sum(p * v for p, v in zip(w.tolist(), x_i))
        if y_i * score < 1:
            total += C * (1 - y_i * score)
    return total + sum(v * v for v in w.tolist()) / 2


@A.right("q1", "the offset as an extra feature, an array of one number")
def objective(w, b, X, y, C):
    X1, w1 = np.column_stack([X, np.ones(len(X))]), np.append(w, b)
    t = y * (X1 @ w1)
    return np.array([np.linalg.norm(w) ** 2 / 2 + C * np.where(t < 1, 1 - t, 0).sum()])


@A.right("q1", "single precision")
def objective(w, b, X, y, C):
    w, b, X, y = np.float32(w), np.float32(b), np.float32(X), np.float32(y)
    xi = np.maximum(np.float32(0), 1 - y * (X @ w + b))
    return np.float32(0.5) * (w @ w) + np.float32(C) * xi.sum()


# --- q1: gradient ------------------------------------------------------------------------------


A["q1", "gradient", SLOPE] = {
    "the regulariser's part, w, is missing": {"return w": "return"},
    "the offset is regularised, too": {"X[slack], -C": "X[slack], b - C"},
}


@A.wrong("q1", "the slope is averaged over the examples with slack", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    slack = y * (X @ w + b) < 1
    m = max(slack.sum(), 1)
    return w - C * y[slack] @ X[slack] / m, -C * y[slack].sum() / m


A["q1", "gradient", SLOPE] = {
    "the slope is averaged over all examples": {
        "X[slack], -C * y[slack].sum()": "X[slack] / len(y), -C * y[slack].sum() / len(y)",
    },
    "the sign of the slack's part is wrong": {
        "w - C * y[slack] @ X[slack], -C": "w + C * y[slack] @ X[slack], C",
    },
}


@A.wrong("q1", "all examples take part, with slack or without", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    return w - C * y @ X, -C * y.sum()


@A.wrong("q1", "only misclassified examples take part", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    slack = y * (X @ w + b) < 0
    return w - C * y[slack] @ X[slack], -C * y[slack].sum()


@A.wrong("q1", "2 w: the ½ before ‖w‖² is missing", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    slack = y * (X @ w + b) < 1
    return 2 * w - C * y[slack] @ X[slack], -C * y[slack].sum()


@A.wrong("q1", "C multiplies the norm instead of the slacks", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    slack = y * (X @ w + b) < 1
    return C * w - y[slack] @ X[slack], -y[slack].sum()


@A.wrong("q1", "C is missing", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    slack = y * (X @ w + b) < 1
    return w - y[slack] @ X[slack], -y[slack].sum()


@A.wrong("q1", "the slope in b is forgotten", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    slack = y * (X @ w + b) < 1
    return w - C * y[slack] @ X[slack], 0.0


@A.wrong("q1", "the labels are missing", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    slack = y * (X @ w + b) < 1
    return w - C * X[slack].sum(axis=0), -C * float(slack.sum())


@A.wrong("q1", "the offset is missing in the test for slack", caught_by=SLOPE)
def gradient(w, b, X, y, C):
    slack = y * (X @ w) < 1
    return w - C * y[slack] @ X[slack], -C * y[slack].sum()


@A.wrong(
    "q1", "the slope is weighted by the slack: that of squared slacks, halved", caught_by=SLOPE
)
def gradient(w, b, X, y, C):
    xi = np.maximum(0, 1 - y * (X @ w + b))
    return w - C * (xi * y) @ X, -C * (xi * y).sum()


@A.wrong("q1", "the slope in w and that in b come from different sides of the kink", caught_by=KINK)
def gradient(w, b, X, y, C):
    t = y * (X @ w + b)
    return w - C * y[t < 1] @ X[t < 1], -C * (
        y[(t <= 1) & (y > 0)].sum() + y[(t < 1) & (y < 0)].sum()
    )


@A.right("q1", "takes the kink along, loops")
def gradient(w, b, X, y, C):
    g_w, g_b = list(w), 0.0
    for x_i, y_i in zip(X, y):
        if y_i * (w @ x_i + b) <= 1:
            g_w = [g - C * y_i * v for g, v in zip(g_w, x_i)]
            g_b -= C * y_i
    return [g_w, g_b]


@A.right("q1", "half of the kink's slope")
def gradient(w, b, X, y, C):
    t = y * (X @ w + b)
    c = C * y * np.where(t < 1, 1.0, np.where(t == 1, 0.5, 0.0))
    return w - X.T @ c, -np.sum(c)


@A.right("q1", "single precision")
def gradient(w, b, X, y, C):
    w, b, X, y = np.float32(w), np.float32(b), np.float32(X), np.float32(y)
    c = np.float32(C) * y * (y * (X @ w + b) < 1)
    return w - c @ X, -c.sum()


# --- q2 ----------------------------------------------------------------------------------------


@A.wrong("q2", "the labels are missing in P", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return K, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "P has the label of one example only", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "maximises: the signs of P and q are not changed", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return -y[:, None] * K * y, np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "q has the wrong sign", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y, np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "the ½ is in P, and the solver halves once more", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return 0.5 * y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "P is doubled: the solver's ½ is forgotten", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return 2 * y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "q is 0: the term Σ α is forgotten", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y, np.zeros(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "q holds labels instead of ones", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y, -y, G, h, y[None], np.zeros(1)


@A.wrong("q2", "C stands in the objective: q = -C", caught_by=PQ)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y, np.full(n, -C), G, h, y[None], np.zeros(1)


@A.wrong("q2", "Σ α y = 0 is forgotten", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y, -np.ones(n), G, h, np.zeros((1, n)), np.zeros(1)


@A.wrong("q2", "the equation is Σ α = 0, without labels", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y, -np.ones(n), G, h, np.ones((1, n)), np.zeros(1)


@A.wrong("q2", "the equation is Σ α y = 1", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.ones(1)


@A.wrong("q2", "there is no upper bound: the hard margin", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = -np.eye(n)
    h = np.zeros(n)
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "there is no lower bound", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.eye(n)
    h = np.full(n, C)
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "the upper bound is 1 instead of C", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.ones(n))
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "the upper bound is C / n", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C / n))
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "the lower bound has the wrong sign: α ≤ 0", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "0 and C are exchanged in h", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.full(n, C), np.zeros(n))
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "C bounds the sum of all α, not each one", caught_by=BOX)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.ones((1, n))])
    h = np.append(np.zeros(n), C)
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "only positive examples have an upper bound", caught_by=BOUNDS)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)[y > 0]])
    h = np.append(np.zeros(n), np.full(int((y > 0).sum()), C))
    return y[:, None] * K * y, -np.ones(n), G, h, y[None], np.zeros(1)


@A.wrong("q2", "adds 0.1 to the diagonal of P, to make it definite", caught_by=PQ_OTHERS)
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return y[:, None] * K * y + 0.1 * np.eye(n), -np.ones(n), G, h, y[None], np.zeros(1)


@A.right("q2", "lists, the upper bounds first, rows scaled")
def dual_qp(K, y, C):
    n = len(y)
    P = [[y[i] * y[j] * K[i][j] for j in range(n)] for i in range(n)]
    G = [[3.0 * (i == j) for j in range(n)] for i in range(n)]
    G += [[-2.0 * (i == j) for j in range(n)] for i in range(n)]
    return [P, [-1] * n, G, [3.0 * C] * n + [0.0] * n, list(-y), 0.0]


@A.right(
    "q2",
    "the equation as two inequalities, single precision",
    alone="train asks for the equation's row",
)
def dual_qp(K, y, C):
    n = len(y)
    P = np.float32(np.diag(y) @ K @ np.diag(y))
    G = np.vstack([np.eye(n), -np.eye(n), y, -y])
    h = np.concatenate([np.full(n, C), np.zeros(n + 2)])
    return P, np.full((n, 1), -1, dtype=np.float32), G, h, np.zeros((0, n)), np.zeros(0)


@A.right("q2", "a trace of 1e-9 on the diagonal of P")
def dual_qp(K, y, C):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)])
    h = np.append(np.zeros(n), np.full(n, C))
    return np.outer(y, y) * K + 1e-9 * np.eye(n), -np.ones(n), G, h, y.reshape(1, n), np.zeros(1)


# --- q3: weights -------------------------------------------------------------------------------


A["q3", "weights", W] = {
    "the labels are missing": {"(alpha * y)": "alpha"},
    "the multipliers are missing": {"(alpha * y)": "y"},
    "takes support vectors with equal weight": {"alpha * y": "(alpha > 1e-9) * y"},
}


@A.wrong("q3", "leaves the bounded examples out", caught_by=W)
def weights(alpha, X, y):
    free = (alpha > 1e-9) & (alpha < alpha.max() - 1e-9)
    return (alpha * y)[free] @ X[free]


@A.wrong("q3", "takes the mean instead of the sum", caught_by=W)
def weights(alpha, X, y):
    return (alpha * y) @ X / len(y)


@A.wrong("q3", "is scaled to length 1", caught_by=W)
def weights(alpha, X, y):
    w = (alpha * y) @ X
    return w / np.linalg.norm(w)


A["q3", "weights", W] = {
    "the sign is flipped": {"return (alpha * y)": "return -(alpha * y)"},
    "divides by the sum of the multipliers": {"(alpha * y) @ X": "(alpha * y) @ X / alpha.sum()"},
}


@A.wrong("q3", "takes small multipliers for 0", caught_by=W)
def weights(alpha, X, y):
    kept = alpha > 1e-2 * alpha.max()
    return (alpha * y)[kept] @ X[kept]


@A.wrong("q3", "takes multipliers below a thousandth of the largest for 0", caught_by=W)
def weights(alpha, X, y):
    kept = alpha > 1e-3 * alpha.max()
    return (alpha * y)[kept] @ X[kept]


@A.right("q3", "loops over support vectors only, a list")
def weights(alpha, X, y):
    w = [0.0] * X.shape[1]
    for a, x_i, y_i in zip(alpha, X, y):
        if a > 1e-8 * alpha.max():
            w = [v + a * y_i * x for v, x in zip(w, x_i)]
    return w


@A.right("q3", "single precision, a column")
def weights(alpha, X, y):
    return np.float32(X).T @ np.float32(alpha * y)[:, None]


# --- q3: offset --------------------------------------------------------------------------------


@A.wrong("q3", "takes the first support vector, which may be bounded", caught_by=FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    return F[np.argmax(alpha > 1e-6 * C)]


@A.wrong("q3", "takes the example with the largest α: a bounded one", caught_by=FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    return F[np.flatnonzero(alpha >= alpha.max() - 1e-9)[-1]]


@A.wrong("q3", "averages over all support vectors, bounded ones too", caught_by=FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    return F[alpha > 1e-6 * C].mean()


@A.wrong("q3", "averages over all examples, as | in place of & does", caught_by=FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    return F[(alpha > 1e-6 * C) | (alpha < C - 1e-6 * C)].mean()


@A.wrong("q3", "uses predicted labels instead of scores", caught_by=FREE)
def offset(alpha, K, y, C):
    labels = np.where(K @ (alpha * y) >= 0, 1.0, -1.0)
    free = (alpha > 1e-6 * C) & (alpha < C - 1e-6 * C)
    use = free if free.any() else alpha > 1e-6 * C
    return np.mean((y - labels)[use])


@A.wrong("q3", "the sign is flipped", caught_by=FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return -F[~zero & ~full].mean()
    low = F[(zero & (y > 0)) | (full & (y < 0))].max()
    high = F[(full & (y > 0)) | (zero & (y < 0))].min()
    return -(low + high) / 2


@A.wrong("q3", "is always 0", caught_by=FREE)
def offset(alpha, K, y, C):
    return 0.0


@A.wrong("q3", "the labels are missing in the sum", caught_by=FREE)
def offset(alpha, K, y, C):
    F = y - K @ alpha
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return F[~zero & ~full].mean()
    low = F[(zero & (y > 0)) | (full & (y < 0))].max()
    high = F[(full & (y > 0)) | (zero & (y < 0))].min()
    return (low + high) / 2


@A.wrong("q3", "the multipliers are missing in the sum", caught_by=FREE)
def offset(alpha, K, y, C):
    F = y - K @ y
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return F[~zero & ~full].mean()
    low = F[(zero & (y > 0)) | (full & (y < 0))].max()
    high = F[(full & (y > 0)) | (zero & (y < 0))].min()
    return (low + high) / 2


@A.wrong("q3", "y is missing: minus the mean of the scores of free examples", caught_by=FREE)
def offset(alpha, K, y, C):
    F = -K @ (alpha * y)
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return F[~zero & ~full].mean()
    low = F[(zero & (y > 0)) | (full & (y < 0))].max()
    high = F[(full & (y > 0)) | (zero & (y < 0))].min()
    return (low + high) / 2


@A.wrong("q3", "takes the middle between the classes, as for a hard margin", caught_by=FREE)
def offset(alpha, K, y, C):
    f = K @ (alpha * y)
    return -(f[y > 0].min() + f[y < 0].max()) / 2


@A.wrong("q3", "takes bounded examples instead of free ones", caught_by=FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    full = alpha >= C - 1e-6 * C
    return F[full].mean()


@A.wrong(
    "q3", "compares with 0 and C exactly: rounding makes bounded examples free", caught_by=ROUNDING
)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return F[free].mean()
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    low = F[(zero & (y > 0)) | (full & (y < 0))].max()
    high = F[(full & (y > 0)) | (zero & (y < 0))].min()
    return (low + high) / 2


@A.wrong("q3", "nothing is free, and the mean of nothing is nan", caught_by=NONE_FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    free = (alpha > 1e-6 * C) & (alpha < C - 1e-6 * C)
    return F[free].sum() / np.float64(free.sum())


@A.wrong("q3", "nothing is free, and it returns 0", caught_by=NONE_FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return F[~zero & ~full].mean()
    return 0.0


@A.wrong("q3", "nothing is free, and it averages over all support vectors", caught_by=NONE_FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return F[~zero & ~full].mean()
    return F[full].mean()


@A.wrong("q3", "nothing is free, and it averages over all examples", caught_by=NONE_FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return F[~zero & ~full].mean()
    return F.mean()


@A.wrong(
    "q3",
    "nothing is free, and bounded examples give their limits the wrong way round",
    caught_by=NONE_FREE,
)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return F[~zero & ~full].mean()
    low, high = F[y > 0].max(), F[y < 0].min()
    return (low + high) / 2


@A.wrong("q3", "nothing is free, and it takes the first support vector", caught_by=NONE_FREE)
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    zero, full = alpha <= 1e-6 * C, alpha >= C - 1e-6 * C
    if (~zero & ~full).any():
        return F[~zero & ~full].mean()
    return F[np.argmax(full)]


@A.wrong("q3", "the tolerance is 1e-6, whatever C is", caught_by=ROUNDING)
def offset(alpha, K, y, C):
    F, zero, full = y - K @ (alpha * y), alpha <= 1e-6, alpha >= C - 1e-6
    free = ~zero & ~full
    if free.any():
        return F[free].mean()
    low = F[(zero & (y > 0)) | (full & (y < 0))].max(initial=-1e9)
    return (low + F[(full & (y > 0)) | (zero & (y < 0))].min(initial=1e9)) / 2


@A.right("q3", "one free example; else the lower end; a tolerance of 1e-4")
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    small = 1e-4 * C
    for k in range(len(y)):
        if small < alpha[k] < C - small:
            return F[k]
    limits = [F[k] for k in range(len(y)) if (alpha[k] > C / 2) == (y[k] < 0)]
    return max(limits, default=y[0])  # of one class: every F is y


@A.right("q3", "the median; else the upper end; a tolerance of 1e-8")
def offset(alpha, K, y, C):
    F = y - K @ (alpha * y)
    free = (alpha > 1e-8 * C) & (alpha < (1 - 1e-8) * C)
    if free.sum() > 0:
        return [float(np.median(F[free]))]
    upper = (alpha > C / 2) == (y > 0)
    return F[upper].min() if upper.any() else F.max()


@A.right("q3", "the lowest point of the sum of slacks, whatever α says")
def offset(alpha, K, y, C):
    f = K @ (alpha * y)
    slacks = [np.maximum(0, 1 - y * (f + b)).sum() for b in y - f]
    return (y - f)[int(np.argmin(slacks))]


@A.right("q3", "single precision")
def offset(alpha, K, y, C):
    F = np.float32(y) - np.float32(K) @ np.float32(alpha * y)
    free = (alpha > 1e-5 * C) & (alpha < C - 1e-5 * C)
    if free.any():
        return F[free].mean()
    order = np.sort(F)
    p = int((y > 0).sum())
    return (order[max(p - 1, 0)] + order[min(p, len(y) - 1)]) / 2


# --- q4 ----------------------------------------------------------------------------------------


A["q4", "certificate", MEET] = {
    "‖w‖² has no labels: α K α": {
        "beta @ K @ beta": "alpha @ K @ alpha",
        "beta.sum()": "alpha @ y",
    },
    "all labels are missing: scores and norm from α alone": {
        "alpha * y": "alpha",
        "beta.sum()": "alpha @ y",
    },
    "the ½ is missing in the dual": {
        "beta.sum()": "alpha @ y",
        "0.5 * norm2, violation": "norm2, violation",
    },
    "the ½ is missing in the primal": {"beta.sum()": "alpha @ y", "0.5 * norm2 + C": "norm2 + C"},
    "the dual adds ½‖w‖² instead of subtracting it": {
        "beta.sum()": "alpha @ y",
        "alpha.sum() - 0.5": "alpha.sum() + 0.5",
    },
    "the dual comes with the sign of the solver: -Q": {
        "beta.sum()": "alpha @ y",
        "alpha.sum() - 0.5 * norm2": "0.5 * norm2 - alpha.sum()",
    },
    "the dual is ½ (Σ α - ‖w‖²): the ½ is on both terms": {
        "beta.sum()": "alpha @ y",
        "alpha.sum() - 0.5 * norm2": "0.5 * (alpha.sum() - norm2)",
    },
    "Σ α y stands in the dual instead of Σ α": {
        "beta.sum()": "alpha @ y",
        "alpha.sum()": "alpha @ y",
    },
    "C is missing before the slacks": {"beta.sum()": "alpha @ y", "C * xi.sum()": "xi.sum()"},
    "the slacks are averaged": {"beta.sum()": "alpha @ y", "xi.sum()": "xi.mean()"},
    "C multiplies the norm instead of the slacks": {
        "beta.sum()": "alpha @ y",
        "0.5 * norm2 + C * xi.sum()": "C * 0.5 * norm2 + xi.sum()",
    },
    "the slacks leave b out": {"beta + b": "beta", "beta.sum()": "alpha @ y"},
    "the slacks leave the label out": {
        "y * (K @ beta + b)": "(K @ beta + b)",
        "beta.sum()": "alpha @ y",
    },
    "the slacks can be negative": {
        "np.maximum(0, 1 - y * (K @ beta + b))": "1 - y * (K @ beta + b)",
        "beta.sum()": "alpha @ y",
    },
    "the slacks subtract b": {"beta + b": "beta - b", "beta.sum()": "alpha @ y"},
    "the slacks have no 1: the perceptron's loss": {"0, 1 - y": "0, -y", "beta.sum()": "alpha @ y"},
}


@A.wrong("q4", "b is chosen anew instead of taken as given", caught_by=GAP)
def certificate(alpha, b, K, y, C):
    f = K @ (alpha * y)
    slacks = [np.maximum(0, 1 - y * (f + c)).sum() for c in y - f]
    b = (y - f)[int(np.argmin(slacks))]
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = max(0.0, -alpha.min(), alpha.max() - C, abs(alpha @ y))
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.wrong("q4", "believes in strong duality and returns the dual twice", caught_by=GAP)
def certificate(alpha, b, K, y, C):
    beta = alpha * y
    dual = alpha.sum() - 0.5 * beta @ K @ beta
    return dual, dual, max(0.0, -alpha.min(), alpha.max() - C, abs(alpha @ y))


@A.wrong("q4", "ξ is taken from α: slack for bounded examples only", caught_by=GAP)
def certificate(alpha, b, K, y, C):
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.where(alpha >= C - 1e-6, np.maximum(0, 1 - y * (K @ beta + b)), 0)
    violation = max(0.0, -alpha.min(), alpha.max() - C, abs(alpha @ y))
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.wrong("q4", "never looks at Σ α y", caught_by=VIOLATION)
def certificate(alpha, b, K, y, C):
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = max(0.0, -alpha.min(), alpha.max() - C)
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.wrong("q4", "Σ α y may be negative: the absolute value is missing", caught_by=VIOLATION)
def certificate(alpha, b, K, y, C):
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = max(0.0, -alpha.min(), alpha.max() - C, alpha @ y)
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.wrong("q4", "never looks below 0", caught_by=VIOLATION)
def certificate(alpha, b, K, y, C):
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = max(0.0, alpha.max() - C, abs(alpha @ y))
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.wrong("q4", "never looks above C", caught_by=VIOLATION)
def certificate(alpha, b, K, y, C):
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = max(0.0, -alpha.min(), abs(alpha @ y))
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.wrong("q4", "the violation is always 0", caught_by=VIOLATION)
def certificate(alpha, b, K, y, C):
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = 0.0
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.wrong("q4", "repairs α first, and judges another answer", caught_by=VIOLATION)
def certificate(alpha, b, K, y, C):
    alpha = np.clip(alpha, 0, C)
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = max(0.0, -alpha.min(), alpha.max() - C, abs(alpha @ y))
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.wrong("q4", "adds the violations up instead of taking the largest", caught_by=VIOLATION)
def certificate(alpha, b, K, y, C):
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = np.maximum(0, -alpha).sum() + np.maximum(0, alpha - C).sum() + abs(alpha @ y)
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


A["q4", "certificate", MEET] = {
    "asks that Σ α = 0, without labels": {"beta.sum()": "alpha.sum()"},
}


@A.wrong("q4", "normalises K to a diagonal of 1 first", caught_by=OTHER_K)
def certificate(alpha, b, K, y, C):
    r = np.sqrt(np.diag(K))
    K = K / np.outer(r, r)
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = max(0.0, -alpha.min(), alpha.max() - C, abs(alpha @ y))
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


@A.right("q4", "loops over lists")
def certificate(alpha, b, K, y, C):
    n, a, norm2, primal = len(y), alpha.tolist(), 0.0, 0.0
    for j in range(n):
        f = sum(a[i] * y[i] * K[i][j] for i in range(n))
        norm2 += a[j] * y[j] * f
        primal += C * max(0.0, 1 - y[j] * (f + b))
    worst = max([0.0] + [-v for v in a] + [v - C for v in a])
    balance = abs(sum(v * s for v, s in zip(a, y)))
    return [primal + norm2 / 2, sum(a) - norm2 / 2, max(worst, balance)]


@A.right("q4", "the gap as a sum of its two parts")
def certificate(alpha, b, K, y, C):
    Q = np.outer(y, y) * K
    norm2, t = alpha @ Q @ alpha, Q @ alpha + b * y
    xi = np.clip(1 - t, 0, None)
    dual = np.sum(alpha) - norm2 / 2
    gap = alpha @ (t - 1 + xi) + (C - alpha) @ xi - b * (alpha @ y)
    outside = np.abs(alpha - np.clip(alpha, 0, C)).max()
    return dual + gap, dual, np.array(max(outside, abs(y @ alpha)))


@A.right("q4", "single precision")
def certificate(alpha, b, K, y, C):
    alpha, K, y = np.float32(alpha), np.float32(K), np.float32(y)
    beta = alpha * y
    norm2 = beta @ K @ beta
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    violation = max(np.float32(0), -alpha.min(), alpha.max() - np.float32(C), abs(alpha @ y))
    return 0.5 * norm2 + C * xi.sum(), alpha.sum() - 0.5 * norm2, violation


# --- q5 ----------------------------------------------------------------------------------------


@A.wrong("q5", "there is no offset, or Σ α y = 0 is forgotten, which is the same", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints=(),
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    b = 0.0
    return w, b


@A.wrong("q5", "Σ α y = 0 is forgotten, and b comes from the bounded examples", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints=(),
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    b = (y - X @ w)[a >= C - 1e-6 * C].mean()
    return w, b


@A.wrong("q5", "b is averaged over all support vectors", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    b = (y - X @ w)[a > 1e-5 * C].mean()
    return w, b


@A.wrong("q5", "b is taken from a bounded example", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    b = (y - X @ w)[np.argmax(a >= C - 1e-6 * C)]
    return w, b


@A.wrong("q5", "C is always 1", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    C = 1.0
    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    F = y - X @ w
    free = (a > 1e-5 * C) & (a < C - 1e-5 * C)
    if free.any():
        b = F[free].mean()
    else:
        b = (F[(a > C / 2) == (y < 0)].max() + F[(a > C / 2) == (y > 0)].min()) / 2
    return w, b


@A.wrong("q5", "C is divided by n", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    C = C / len(y)
    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    F = y - X @ w
    free = (a > 1e-5 * C) & (a < C - 1e-5 * C)
    if free.any():
        b = F[free].mean()
    else:
        b = (F[(a > C / 2) == (y < 0)].max() + F[(a > C / 2) == (y > 0)].min()) / 2
    return w, b


@A.wrong("q5", "C is that of L4's form, without the ½", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    C = C / 2
    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    F = y - X @ w
    free = (a > 1e-5 * C) & (a < C - 1e-5 * C)
    if free.any():
        b = F[free].mean()
    else:
        b = (F[(a > C / 2) == (y < 0)].max() + F[(a > C / 2) == (y > 0)].min()) / 2
    return w, b


@A.wrong("q5", "there is no upper bound, or one so high that it never binds", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, 1e3 * C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    F = y - X @ w
    free = (a > 1e-5 * C) & (a < C - 1e-5 * C)
    if free.any():
        b = F[free].mean()
    else:
        b = (F[(a > C / 2) == (y < 0)].max() + F[(a > C / 2) == (y > 0)].min()) / 2
    return w, b


@A.wrong("q5", "the offset is regularised: a constant feature in w", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T + 1)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints=(),
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    b = (a * y).sum()
    return w, b


@A.wrong("q5", "stops the solver after three steps", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 3},
    ).x
    w = (a * y) @ X
    F = y - X @ w
    free = (a > 1e-5 * C) & (a < C - 1e-5 * C)
    if free.any():
        b = F[free].mean()
    else:
        b = (F[(a > C / 2) == (y < 0)].max() + F[(a > C / 2) == (y > 0)].min()) / 2
    return w, b


@A.wrong("q5", "w is scaled to length 1, and b with it", caught_by=OWN)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    F = y - X @ w
    free = (a > 1e-5 * C) & (a < C - 1e-5 * C)
    if free.any():
        b = F[free].mean()
    else:
        b = (F[(a > C / 2) == (y < 0)].max() + F[(a > C / 2) == (y > 0)].min()) / 2
    return w / np.linalg.norm(w), b / np.linalg.norm(w)


@A.wrong("q5", "the perceptron: any line will do", caught_by=OWN)
def train(X, y, C):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(100):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
    return w, b


@A.wrong("q5", "least squares on the labels", caught_by=OWN)
def train(X, y, C):
    X1 = np.column_stack([X, np.ones(len(X))])
    v = np.linalg.lstsq(X1, y, rcond=None)[0]
    return v[:-1], v[-1]


@A.wrong("q5", "fifty steps of a subgradient method: too early", caught_by=OWN)
def train(X, y, C):
    w, b = np.zeros(X.shape[1]), 0.0
    for t in range(1, 51):
        s = y * (X @ w + b) < 1
        w, b = w - (w - C * y[s] @ X[s]) / (10 + t), b + C * y[s].sum() / (10 + t)
    return w, b


@A.wrong("q5", "no example is free, and b becomes nan", caught_by=OTHER_SETS)
def train(X, y, C):
    from scipy.optimize import minimize

    Q = np.outer(y, y) * (X @ X.T)
    a = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        np.zeros(len(y)),
        jac=True,
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 300},
    ).x
    w = (a * y) @ X
    F = y - X @ w
    free = (a > 1e-5 * C) & (a < C - 1e-5 * C)
    b = F[free].sum() / np.float64(free.sum())
    return w, b


@A.right("q5", "the primal in w, b and slacks by SLSQP")
def train(X, y, C):
    from scipy.optimize import minimize

    (n, d), start = X.shape, np.zeros(X.shape[1] + 1 + len(X))
    start[d + 1 :] = 1.0
    rows = np.hstack([y[:, None] * X, y[:, None], np.eye(n)])
    half = np.r_[np.ones(d), np.zeros(n + 1)]
    cost = np.r_[np.zeros(d + 1), np.full(n, C)]
    z = minimize(
        lambda z: (0.5 * (half * z) @ z + cost @ z, half * z + cost),
        start,
        jac=True,
        bounds=[(None, None)] * (d + 1) + [(0, None)] * n,
        constraints={"type": "ineq", "fun": lambda z: rows @ z - 1, "jac": lambda z: rows},
        method="SLSQP",
        options={"ftol": 1e-10, "maxiter": 200},
    ).x
    return list(z[:d]), float(z[d])


@A.right("q5", "pairs of multipliers, the most violating first")
def train(X, y, C):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.where(y > 0, 0, -C), np.where(y > 0, C, 0)
    for _ in range(20000):
        i = int(np.argmax(np.where(beta < high - 1e-12, F, -np.inf)))
        j = int(np.argmin(np.where(beta > low + 1e-12, F, np.inf)))
        if F[i] - F[j] < 1e-7:
            break
        step = (F[i] - F[j]) / max((X[i] - X[j]) @ (X[i] - X[j]), 1e-12)
        step = min(step, high[i] - beta[i], beta[j] - low[j])
        beta[i], beta[j] = beta[i] + step, beta[j] - step
        F = F - step * (X @ (X[i] - X[j]))
    return beta @ X, (F[i] + F[j]) / 2


@A.right("q5", "a smoothed hinge that gets sharper, then the best b")
def train(X, y, C):
    from scipy.optimize import minimize

    d, v = X.shape[1], np.zeros(X.shape[1] + 1)
    Z = np.column_stack([X, np.ones(len(X))])
    for width in (0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003):

        def smooth(v, h=width):
            r = 1 - y * (Z @ v)
            p = np.clip(r / h, 0, 1)
            value = np.where(r > h, r - h / 2, h * p**2 / 2).sum()
            return 0.5 * v[:d] @ v[:d] + C * value, np.append(v[:d], 0) - C * (p * y) @ Z

        v = minimize(smooth, v, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    F = y - X @ v[:d]
    slacks = [np.maximum(0, 1 - y * (X @ v[:d] + b)).sum() for b in F]
    return v[:d], F[int(np.argmin(slacks))]


# --- q6 ------------------------------------------------------------------------------------------

GAP = "gap: what primal and dual differ by is never negative"
WEAK = "weak: no w has an objective below the dual"
ANY_NUMBER = "any number of examples"


A["q6", "gap", GAP] = {
    "forgets that the prices balance: Σ α y = 0": {"weights - b*balance": "weights"},
    "forgets that w is the sum of α z": {'" + weights - b*balance"': '" - b*balance"'},
    "adds b times the balance instead of taking it away": {"weights - b": "weights + b"},
    "takes the balance once, not b times": {"b*balance": "balance"},
    "turns the equation of w round": {'" + weights - b*balance"': '" - weights - b*balance"'},
    "takes half of the equation of w: both values have their half": {
        "weights - b": "weights/2 - b",
    },
    "pairs the wrong factors: α with the slack, C - α with the margin": {
        "margin{i} + upper{i}*slack": "slack{i} + upper{i}*margin",
    },
    "adds the facts without their prices": {
        "lower{i}*margin{i} + upper{i}*slack": "margin{i} + slack",
    },
    "forgets the products with the slacks": {"margin{i} + upper{i}*slack{i}": "margin{i}"},
    "forgets the products with the margins": {"lower{i}*margin{i} + upper": "upper"},
    "multiplies the slack by C, whose sign nobody has told": {"upper{i}": "C*slack{i} - lower{i}"},
    "adds the factors instead of multiplying them": {
        "lower{i}*margin{i} + upper{i}*slack": "lower{i} + margin{i} + upper{i} + slack",
    },
    "numbers the examples from 0": {"1, n + 1": "n"},
}


@A.wrong("q6", "treats one example only, whatever n is", caught_by=GAP)
def gap(n):
    return "lower1*margin1 + upper1*slack1 + weights - b*balance"


@A.wrong("q6", "takes the equations once per example: they hold once", caught_by=GAP)
def gap(n):
    parts = [
        f"lower{i}*margin{i} + upper{i}*slack{i} + weights - b*balance" for i in range(1, n + 1)
    ]
    return " + ".join(parts)


@A.wrong("q6", "returns a list of products, not their sum", caught_by=GAP)
def gap(n):
    parts = [f"lower{i}*margin{i} + upper{i}*slack{i}" for i in range(1, n + 1)]
    return [*parts, "weights", "-b*balance"]


@A.wrong("q6", "uses the squared norm, but weights is an equation", caught_by=GAP)
def gap(n):
    parts = [f"lower{i}*margin{i} + upper{i}*slack{i}" for i in range(1, n + 1)]
    v = " + ".join(f"a{i}*z{i}" for i in range(1, n + 1))
    return " + ".join(parts) + f" + norm(w - ({v}))/2 - b*balance"


A["q6", "gap", ANY_NUMBER] = {
    "knows three examples at most": {"1, n": "1, min(n, 3)"},
}


@A.wrong("q6", "forgets the square: w need not be the sum of α z", caught_by=WEAK)
def weak(n):
    parts = [f"lower{i}*margin{i} + upper{i}*slack{i}" for i in range(1, n + 1)]
    return " + ".join(parts) + " - b*balance"


A["q6", "weak", WEAK] = {
    "forgets the half of the square": {"norm(w - ({v}))/2": "norm(w - ({v}))"},
    "squares w + Σ α z instead of the difference": {"w - ({v})": "w + {v}"},
    "forgets the brackets: only the first α z is taken away": {"({v})": "{v}"},
}


@A.wrong("q6", "uses the equation of gap, which is not known here", caught_by=WEAK)
def weak(n):
    parts = [f"lower{i}*margin{i} + upper{i}*slack{i}" for i in range(1, n + 1)]
    return " + ".join(parts) + " + weights - b*balance"


A["q6", "weak", WEAK] = {
    "forgets the balance of the prices, here too": {"2 - b*balance": "2"},
    "forgets the products with the slacks, here too": {
        "margin{i} + upper{i}*slack{i}": "margin{i}",
    },
}


@A.wrong("q6", "measures the distance to one α z only", caught_by=WEAK)
def weak(n):
    parts = [f"lower{i}*margin{i} + upper{i}*slack{i}" for i in range(1, n + 1)]
    return " + ".join(parts) + " + norm(w - a1*z1)/2 - b*balance"


A["q6", "weak", WEAK] = {
    "takes sq( ), but the square of a vector is norm( )": {"norm(w - ({v}))": "sq(w - ({v}))"},
}


@A.wrong("q6", "knows two examples at most", caught_by=ANY_NUMBER)
def weak(n):
    parts = [f"lower{i}*margin{i} + upper{i}*slack{i}" for i in range(1, min(n, 2) + 1)]
    v = " + ".join(f"a{i}*z{i}" for i in range(1, n + 1))
    return " + ".join(parts) + f" + norm(w - ({v}))/2 - b*balance"


@A.right("q6", "backwards, the equations first")
def gap(n):
    parts = [f"slack{i}*upper{i} + margin{i}*lower{i}" for i in range(n, 0, -1)]
    return "weights - balance*b + " + " + ".join(parts)


@A.right("q6", "the facts written out where that is short")
def gap(n):
    parts = [f"a{i}*margin{i} + (C - a{i})*slack{i}" for i in range(1, n + 1)]
    return " + ".join(parts) + " + weights - b*balance"


@A.right("q6", "everything twice, and half of it")
def gap(n):
    parts = [f"2*lower{i}*margin{i} + 2*upper{i}*slack{i}" for i in range(1, n + 1)]
    return "(" + " + ".join(parts) + " + 2*weights - 2*b*balance)/2"


@A.right("q6", "the square turned round, the half as a decimal")
def weak(n):
    parts = [f"lower{i}*margin{i} + upper{i}*slack{i}" for i in range(1, n + 1)]
    v = " + ".join(f"a{i}*z{i}" for i in range(1, n + 1))
    return f"0.5*norm({v} - w) - b*balance + " + " + ".join(parts)


@A.right("q6", "each α z taken away by itself")
def weak(n):
    parts = [f"lower{i}*margin{i} + upper{i}*slack{i}" for i in range(1, n + 1)]
    away = "".join(f" - a{i}*z{i}" for i in range(1, n + 1))
    return " + ".join(parts) + f" - b*balance + norm(w{away})*1/2"


# --- changes to the solution that are as right as it ---------------------------------------------

KINKS = "at a kink any subgradient will do"
EDGE = "no multiplier lies exactly at the tolerance, and there either side will do"
A.equal |= {
    (
        "q2 dual_qp: return (P, q, G, h, y[None, :], np.zeros(1))  ->  "
        "return (P, q, G, h, y[:, None], np.zeros(1))"
    ): "one row may come as a column",
    "q1 gradient: slack = y * (X @ w + b) < 1  ->  slack = y * (X @ w + b) <= 1": KINKS,
    "q3 offset: zero = alpha <= 1e-06 * C  ->  zero = alpha < 1e-06 * C": EDGE,
    "q3 offset: full = alpha >= C - 1e-06 * C  ->  full = alpha > C - 1e-06 * C": EDGE,
    "q3 offset: positive = y > 0  ->  positive = y >= 0": "no label is 0",
    "q3 offset: if np.isinf(low) or np.isinf(high):  ->  if True:": "any b will do: an end, too",
    "q5 train: start = np.zeros(n)  ->  start = np.ones(n)": "the program is convex: any start",
    "q5 train: end = {'ftol': 1e-12, 'maxiter': 500}  ->  end = {'ftol': 0, 'maxiter': 500}": (
        "stricter still: the solver ends where it makes no more progress"
    ),
    "q5 train: end = {'ftol': 1e-12, 'maxiter': 500}  ->  end = {'ftol': 1e-12, 'maxiter': 501}": (
        "it needs far fewer steps"
    ),
}
