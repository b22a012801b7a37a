"""Planted answers to homework 5: wrong ones that the checks must catch, right ones they must not.

Each function stands for a whole answer. A wrong one names its misconception in words for a student.
"""

import numpy as np

from lectures_homework.language.answers import Answers

A = Answers("hw5")

# The names of the checks, as they are used below.
ENDS = "segment: L and H, for like and for unlike labels"
TOP = "step: to the top of the parabola"
SECOND = "step: cut where the second multiplier meets its bound"
FIRST = "step: cut where the first multiplier meets its bound"
WORST = "the pair violates most of all pairs that can move"
ONE_WAY = "those at 0 and at C can move one way only, by their label"
FEASIBLE = "every step keeps the box and the balance"
GAP = "the duality gap closes"
OTHER_GAPS = "the gap closes for other kernels and costs"
SCORES = "the scores of new examples are right, offset included"
SCALE = "standardise: mean and deviation are those of the training examples"
CONSTANT = "standardise: a constant feature is divided by 1"
ONCE = "folds: every example is tested once"
SHARE = "folds: every fold has its share of each class"
FEWEST = "the C with the fewest mistakes, and its error"
TIES = "ties go to the smallest C, and folds count by their size"
MINE = "your table of mistakes on examples left out"
TABLES = "other tables, too"
BOUNDS = "upper and lower: an α that is not feasible bounds nothing"
THREE = "verdict: proved by an α, refuted by a better machine, or undecided"
LIARS = "no liar is believed, and no gap refutes"


# --- q1: segment ----------------------------------------------------------------------------------


A["q1", "segment", ENDS] = {
    "like and unlike labels have changed places": {"y1 == y2": "y1 != y2"},
    "a1 and a2 have changed places": {
        "max(0.0, a2 - a1), min(C, C + a2 - a1)": "max(0.0, a1 - a2), min(C, C + a1 - a2)",
    },
}


@A.wrong("q1", "only a2 is kept in the box, a1 is forgotten", caught_by=ENDS)
def segment(y1, y2, a1, a2, C):
    return 0.0, C


A["q1", "segment", ENDS] = {
    "only a1 is kept in the box, a2 is forgotten": {
        "max(0.0, a1 + a2 - C), min(C, a1 + a2)": "a1 + a2 - C, a1 + a2",
        "max(0.0, a2 - a1), min(C, C + a2 - a1)": "a2 - a1, C + a2 - a1",
    },
    "there is no upper bound C": {
        "max(0.0, a1 + a2 - C), min(C, a1 + a2)": "0.0, a1 + a2",
        "min(C, C + a2 - a1)": "np.inf",
    },
    "max and min have changed places": {
        "max(0.0, a1 + a2 - C), min(C, a1 + a2)": "min(0.0, a1 + a2 - C), max(C, a1 + a2)",
        "max(0.0, a2 - a1), min(C, C + a2 - a1)": "min(0.0, a2 - a1), max(C, C + a2 - a1)",
    },
}


@A.wrong("q1", "treats all pairs as unlike", caught_by=ENDS)
def segment(y1, y2, a1, a2, C):
    return max(0.0, a2 - a1), min(C, C + a2 - a1)


@A.wrong("q1", "treats all pairs as like", caught_by=ENDS)
def segment(y1, y2, a1, a2, C):
    return max(0.0, a1 + a2 - C), min(C, a1 + a2)


@A.wrong("q1", "returns the ends as (H, L)", caught_by=ENDS)
def segment(y1, y2, a1, a2, C):
    if y1 == y2:
        return min(C, a1 + a2), max(0.0, a1 + a2 - C)
    return min(C, C + a2 - a1), max(0.0, a2 - a1)


@A.wrong("q1", "returns the ends of the move, not those of a2", caught_by=ENDS)
def segment(y1, y2, a1, a2, C):
    if y1 == y2:
        return max(0.0, a1 + a2 - C) - a2, min(C, a1 + a2) - a2
    return max(0.0, a2 - a1) - a2, min(C, C + a2 - a1) - a2


@A.right("q1", "one formula for both label cases")
def segment(y1, y2, a1, a2, C):
    s = y1 * y2
    ends = sorted([a2 + s * a1, a2 + s * (a1 - C)])
    return [max(0.0, ends[0]), min(C, ends[1])]


@A.right("q1", "from the largest sum or difference, as an array")
def segment(y1, y2, a1, a2, C):
    move = a1 + a2 if y1 * y2 > 0 else C + a2 - a1
    return np.array([max(0.0, move - C), min(C, move)])


# --- q1: step -------------------------------------------------------------------------------------


@A.wrong("q1", "takes E_j - E_i instead of E_i - E_j: the step goes downhill", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[j] - E[i]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "the label y_j is missing in the step", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "eta lacks its factor 2", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "eta has a plus where the minus belongs", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] + 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "eta is K_ij instead of a squared distance", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "moves one multiplier only: sum alpha y = 0 is forgotten", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i]
    return new


@A.wrong("q1", "the partner moves the same way whatever the labels", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + (new[j] - alpha[j])
    return new


@A.wrong("q1", "the partner moves the opposite way whatever the labels", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + (alpha[j] - new[j])
    return new


@A.wrong(
    "q1", "the partner moves against the balance: the sign of y_i y_j is reversed", caught_by=TOP
)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] - y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong(
    "q1", "the labels are missing in the scores: K alpha instead of K (alpha y)", caught_by=TOP
)
def step(K, y, C, alpha, i, j):
    E = K @ alpha - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "the error is measured without the label: E is the score alone", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y)
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "the scores count the two multipliers of the pair only", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K[:, [i, j]] @ (alpha * y)[[i, j]] - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "starts each step from 0 instead of the present multiplier", caught_by=TOP)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "the step is not cut at all", caught_by=SECOND)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = want
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "there is no upper bound C", caught_by=SECOND)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    L, H = max(0.0, alpha[j] - alpha[i]), np.inf
    if y[i] == y[j]:
        L, H = 0.0, alpha[i] + alpha[j]
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "there is no lower bound 0", caught_by=SECOND)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    H = min(C, C + alpha[j] - alpha[i])
    if y[i] == y[j]:
        H = C
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(want, H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "gives up the step when it does not fit into the box", caught_by=SECOND)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = want if L <= want <= H else alpha[j]
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "L and H of like and of unlike labels have changed places", caught_by=SECOND)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] != y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "only the second multiplier is cut: the first leaves the box", caught_by=FIRST)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    L, H = 0.0, C
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@A.wrong("q1", "each multiplier is cut by itself: sum alpha y = 0 is lost", caught_by=FIRST)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    L, H = 0.0, C
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = min(max(alpha[i] + y[i] * y[j] * (alpha[j] - new[j]), 0.0), C)
    return new


@A.wrong(
    "q1",
    "the first multiplier is moved before the second is cut, and then cut by itself",
    caught_by=SECOND,
)
def step(K, y, C, alpha, i, j):
    E = K @ (alpha * y) - y
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    want = alpha[j] + y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = min(max(want, L), H)
    new[i] = min(max(alpha[i] + y[i] * y[j] * (alpha[j] - want), 0.0), C)
    return new


@A.right("q1", "in beta = alpha y, with F = -E", alone="smo needs an array")
def step(K, y, C, alpha, i, j):
    beta, low, high = alpha * y, np.minimum(0, C * y), np.maximum(0, C * y)
    F = y - K @ beta
    t = (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    t = min(t, high[i] - beta[i], beta[j] - low[j])
    t = max(t, low[i] - beta[i], beta[j] - high[j])
    beta[i], beta[j] = beta[i] + t, beta[j] - t
    return (beta * y).tolist()


@A.right("q1", "plain loops")
def step(K, y, C, alpha, i, j):
    alpha = list(alpha)
    f_i = sum(alpha[k] * y[k] * K[k][i] for k in range(len(y)))
    f_j = sum(alpha[k] * y[k] * K[k][j] for k in range(len(y)))
    s = y[i] * y[j]
    ends = sorted([alpha[j] + s * alpha[i], alpha[j] + s * (alpha[i] - C)])
    eta = 2 * K[i][j] - K[i][i] - K[j][j]  # Platt's sign
    new = alpha[j] - y[j] * ((f_i - y[i]) - (f_j - y[j])) / eta
    new = max(0.0, ends[0], min(C, ends[1], new))
    alpha[i] += s * (alpha[j] - new)
    alpha[j] = new
    return np.array(alpha)


# --- q2 -------------------------------------------------------------------------------------------


@A.wrong("q2", "forgets the bounds: takes the largest and the smallest F of all", caught_by=WORST)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.ones(len(y), bool), np.ones(len(y), bool)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "i and j have changed places", caught_by=WORST)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return j, i, F[i] - F[j]


@A.wrong("q2", "growing and shrinking have changed places", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha > 0, alpha < C), np.where(y > 0, alpha < C, alpha > 0)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong(
    "q2", "the labels are missing in the scores: K alpha instead of K (alpha y)", caught_by=WORST
)
def worst_pair(K, y, C, alpha):
    F = y - K @ alpha
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "F has the wrong sign: it is the error E", caught_by=WORST)
def worst_pair(K, y, C, alpha):
    F = K @ (alpha * y) - y
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "F is the slope in alpha, 1 - y f, instead of the slope in alpha y", caught_by=WORST)
def worst_pair(K, y, C, alpha):
    F = 1 - y * (K @ (alpha * y))
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "the score is not subtracted from the label but added", caught_by=WORST)
def worst_pair(K, y, C, alpha):
    F = y + K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "looks for the two largest errors, whatever their sign", caught_by=WORST)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = (
        np.argmax(np.where(grow, np.abs(F), -np.inf)),
        np.argmax(np.where(shrink, np.abs(F), -np.inf)),
    )
    return i, j, F[i] - F[j]


@A.wrong("q2", "the violation is F_j - F_i: its sign is reversed", caught_by=WORST)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[j] - F[i]


@A.wrong("q2", "counts examples from 1", caught_by=WORST)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i + 1, j + 1, F[i] - F[j]


@A.wrong("q2", "the labels play no part in who can grow: alpha < C for all", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = alpha < C, alpha > 0
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "looks at free multipliers only, those at 0 or C are left out", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F, free = y - K @ (alpha * y), (alpha > 0) & (alpha < C)
    if not free.any():
        return 0, 1, 0.0
    i, j = np.argmax(np.where(free, F, -np.inf)), np.argmin(np.where(free, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "forgets the upper bound: whoever is at C may still grow", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, True, alpha > 0), np.where(y > 0, alpha > 0, True)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "forgets the lower bound: whoever is at 0 may still shrink", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, True), np.where(y > 0, True, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "forgets the bounds of those that grow", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    shrink = np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(F), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "forgets the bounds of those that shrink", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow = np.where(y > 0, alpha < C, alpha > 0)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(F)
    return i, j, F[i] - F[j]


@A.wrong("q2", "a positive example at 0 may still shrink: >= for >", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha >= 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "a negative example at C may still shrink: <= for <", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha <= C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "the label plays no part in who can shrink: alpha > 0 for all", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), alpha > 0
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "lets only positives grow and only negatives shrink", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = (y > 0) & (alpha < C), (y < 0) & (alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong(
    "q2",
    "multiplies F with the mask: the 0 of one that cannot move beats a negative F",
    caught_by=ONE_WAY,
)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(F * grow), np.argmin(F * shrink)
    return i, j, F[i] - F[j]


@A.wrong("q2", "puts 0 for those that cannot grow, which beats a negative F", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, 0)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, F[i] - F[j]


@A.wrong("q2", "puts 0 for those that cannot shrink, which beats a positive F", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, 0))
    return i, j, F[i] - F[j]


@A.wrong("q2", "the violation loses its sign: an optimum looks violated", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, abs(F[i] - F[j])


@A.wrong("q2", "the violation is cut at 0, but at an optimum it may be negative", caught_by=ONE_WAY)
def worst_pair(K, y, C, alpha):
    F = y - K @ (alpha * y)
    grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
    return i, j, max(0.0, F[i] - F[j])


@A.right("q2", "tries all pairs in two loops")
def worst_pair(K, y, C, alpha):
    n, best = len(y), (0, 0, -np.inf)
    F = [y[k] - sum(alpha[m] * y[m] * K[m][k] for m in range(n)) for k in range(n)]
    for i in range(n):
        for j in range(n):
            can_grow = alpha[i] < C if y[i] > 0 else alpha[i] > 0
            can_shrink = alpha[j] > 0 if y[j] > 0 else alpha[j] < C
            if can_grow and can_shrink and F[i] - F[j] >= best[2]:
                best = (i, j, F[i] - F[j])
    return list(best)


@A.right(
    "q2",
    "errors instead of F, bounds with a hair of room, an array comes back",
    alone="smo needs whole numbers as indices",
)
def worst_pair(K, y, C, alpha):
    E = np.float32(K @ (alpha * y) - y)
    up, down = alpha < C - 1e-9, alpha > 1e-9
    grow = np.flatnonzero(((y > 0) & up) | ((y < 0) & down))
    shrink = np.flatnonzero(((y < 0) & up) | ((y > 0) & down))
    i, j = grow[E[grow].argmin()], shrink[E[shrink].argmax()]
    return np.array([i, j, E[j] - E[i]])


# --- q3 -------------------------------------------------------------------------------------------


@A.wrong("q3", "alpha starts at 1 instead of 0", caught_by=FEASIBLE)
def smo(K, y, C, tol, max_steps):
    beta = 1.0 * y
    F = y - K @ beta
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "forgets sum alpha y = 0: moves one multiplier at a time", caught_by=FEASIBLE)
def smo(K, y, C, tol, max_steps):
    alpha = np.zeros(len(y))
    for _ in range(max_steps):
        slope = 1 - y * (K @ (alpha * y))
        able = np.where(slope > 0, alpha < C, alpha > 0)
        k = np.argmax(np.where(able, np.abs(slope), -1.0))
        if not able[k] or abs(slope[k]) <= tol:
            break
        alpha[k] = min(max(alpha[k] + slope[k] / K[k, k], 0.0), C)
    return alpha, 0.0


@A.wrong("q3", "there is no upper bound C", caught_by=FEASIBLE)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.where(y > 0, 0, -np.inf), np.where(y > 0, np.inf, 0)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "there is no lower bound 0: multipliers become negative", caught_by=OTHER_GAPS)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.full(len(y), -C), np.full(len(y), C)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "each multiplier is cut by itself: sum alpha y = 0 is lost", caught_by=FEASIBLE)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
        beta[i], beta[j] = min(beta[i] + t, high[i]), max(beta[j] - t, low[j])
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "returns alpha y instead of alpha", caught_by=FEASIBLE)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta, b


@A.wrong("q3", "ignores max_steps", caught_by=FEASIBLE)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(5000):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "takes E2 - E1 instead of E1 - E2: every step is cut to nothing", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = max(
            (F[j] - F[i]) / (K[i, i] + K[j, j] - 2 * K[i, j]), low[i] - beta[i], beta[j] - high[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "a stale cache: only the errors of the pair are brought up to date", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F[[i, j]] = y[[i, j]] - K[[i, j]] @ beta
    F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "the last example never gets its turn", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(
            np.where((beta < high - 1e-12) & (np.arange(len(y)) < len(y) - 1), F, -np.inf)
        )
        j = np.argmin(np.where((beta > low + 1e-12) & (np.arange(len(y)) < len(y) - 1), F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "stops after as many steps as there are examples", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(min(max_steps, len(y))):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "stops at a violation of 0.1 whatever tol", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= 0.1:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong(
    "q3", "the labels are missing in the scores: K alpha instead of K (alpha y)", caught_by=GAP
)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ (beta * y)
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "C is divided by the number of examples", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y / len(y)), np.maximum(0, C * y / len(y))
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "moves only pairs of unlike labels", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where((beta < high - 1e-12) & (y > 0), F, -np.inf))
        j = np.argmin(np.where((beta > low + 1e-12) & (y < 0), F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "stops at the first step that is cut by the box", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
        if t > min(high[i] - beta[i], beta[j] - low[j]):
            t = min(high[i] - beta[i], beta[j] - low[j])
            max_steps = 0
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
        if max_steps == 0:
            break
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "C is taken for 1 where it is larger", caught_by=OTHER_GAPS)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, min(C, 1) * y), np.maximum(0, min(C, 1) * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "takes K_ii = 1 for granted: eta is 2 - 2 K_ij", caught_by=GAP)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min((F[i] - F[j]) / max(2 - 2 * K[i, j], 1e-9), high[i] - beta[i], beta[j] - low[j])
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "makes at most 20 steps, whatever max_steps", caught_by=OTHER_GAPS)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(min(max_steps, 20)):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = (F[i] + F[j]) / 2
    return beta * y, b


@A.wrong(
    "q3",
    "leaves a cut multiplier a hair from its bound, and the same pair comes back",
    caught_by=OTHER_GAPS,
)
def smo(K, y, C, tol, max_steps):
    alpha = np.zeros(len(y))
    for _ in range(max_steps):
        F = y - K @ (alpha * y)
        grow, shrink = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
        i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        old, L, H = alpha[j], max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
        if y[i] == y[j]:
            L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
        eta = K[i, i] + K[j, j] - 2 * K[i, j]
        alpha[j] = np.clip(old + y[j] * (F[j] - F[i]) / eta, L, H)
        alpha[i] = alpha[i] + y[i] * y[j] * (old - alpha[j])
    F = y - K @ (alpha * y)
    return alpha, (F[i] + F[j]) / 2


@A.wrong("q3", "the sign of b is flipped", caught_by=SCORES)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = -(F[i] + F[j]) / 2
    return beta * y, b


@A.wrong("q3", "b is left at 0", caught_by=SCORES)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = 0.0
    return beta * y, b


@A.wrong("q3", "b comes from the first support vector, which may be at C", caught_by=SCORES)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = F[np.flatnonzero(np.abs(beta) > 1e-9)[0]]
    return beta * y, b


@A.wrong("q3", "b is averaged over all support vectors, those at C included", caught_by=SCORES)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = F[np.abs(beta) > 1e-9].mean()
    return beta * y, b


@A.wrong("q3", "b is averaged over all examples", caught_by=SCORES)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = F.mean()
    return beta * y, b


@A.wrong("q3", "b is measured on predicted signs instead of scores", caught_by=SCORES)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    b = np.mean(y - np.where(K @ beta >= 0, 1, -1))
    return beta * y, b


@A.wrong("q3", "b comes from the multipliers at C", caught_by=SCORES)
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    at = np.abs(beta) > C - 1e-9
    b = F[at].mean() if at.any() else 0.0
    return beta * y, b


@A.right("q3", "second order, the mean of F over free examples as b")
def smo(K, y, C, tol, max_steps):
    beta, d = np.zeros(len(y)), np.diag(K)
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        F = y - K @ beta
        grow, shrink = beta < high - 1e-12, beta > low + 1e-12
        i = np.argmax(np.where(grow, F, -np.inf))
        if F[i] - F[shrink].min() <= tol:
            break
        eta = np.maximum(d[i] + d - 2 * K[i], 1e-12)
        gain = np.where(shrink & (F < F[i]), (F[i] - F) ** 2 / eta, -1.0)
        j = np.argmax(gain)
        t = min((F[i] - F[j]) / eta[j], high[i] - beta[i], beta[j] - low[j])
        beta[i], beta[j] = beta[i] + t, beta[j] - t
    F, free = y - K @ beta, (beta > low + 1e-7) & (beta < high - 1e-7)
    top, bottom = F[beta < high - 1e-12].max(), F[beta > low + 1e-12].min()
    return list(beta * y), F[free].mean() if free.any() else (top + bottom) / 2


@A.right("q3", "the formulas of q1, with a hair of room for who can move")
def smo(K, y, C, tol, max_steps):
    alpha = np.zeros(len(y))
    for _ in range(max_steps):
        F, up, down = y - K @ (alpha * y), alpha < C - 1e-12, alpha > 1e-12
        i = np.argmax(np.where(np.where(y > 0, up, down), F, -np.inf))
        j = np.argmin(np.where(np.where(y > 0, down, up), F, np.inf))
        if F[i] - F[j] <= tol:
            break
        old, L, H = alpha[j], max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
        if y[i] == y[j]:
            L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
        eta = K[i, i] + K[j, j] - 2 * K[i, j]
        alpha[j] = np.clip(old + y[j] * (F[j] - F[i]) / eta, L, H)
        alpha[i] = alpha[i] + y[i] * y[j] * (old - alpha[j])
    return alpha, (F[i] + F[j]) / 2


@A.right("q3", "sweeps over the examples as Platt does, errors kept up to date")
def smo(K, y, C, tol, max_steps):
    n, steps, moved = len(y), 0, True
    a, E = np.zeros(n), -np.asarray(y, dtype=float)
    while moved and steps < max_steps:
        moved = False
        for j in range(n):
            for i in np.argsort(-np.abs(E - E[j])):
                s, eta = y[i] * y[j], K[i, i] + K[j, j] - 2 * K[i, j]
                if i == j or eta < 1e-12 or steps >= max_steps:
                    continue
                ends = sorted([a[j] + s * a[i], a[j] + s * (a[i] - C)])
                L, H = max(0.0, ends[0]), min(C, ends[1])
                new = min(max(a[j] + y[j] * (E[i] - E[j]) / eta, L), H)
                if abs(new - a[j]) * abs(E[i] - E[j]) < 1e-9 or abs(E[i] - E[j]) <= 0.5 * tol:
                    continue
                change = new - a[j]
                a[j], a[i] = new, min(max(a[i] - s * change, 0.0), C)
                E = E + change * y[j] * (K[j] - K[i])
                steps, moved = steps + 1, True
                break
    free = (a > 1e-6 * C) & (a < C * (1 - 1e-6))
    up, down = np.where(y > 0, a < C - 1e-9, a > 1e-9), np.where(y > 0, a > 1e-9, a < C - 1e-9)
    return a, np.mean(-E[free]) if free.any() else -(E[up].min() + E[down].max()) / 2


# With a free example this is b. Those at C have F >= b if positive and F <= b if negative. As
# sum alpha y = 0, the two kinds differ by fewer than there are free ones, so the middle is free.
@A.right("q3", "b is the median of F over the free support vectors, else the middle")
def smo(K, y, C, tol, max_steps):
    beta, F = np.zeros(len(y)), y.copy()
    low, high = np.minimum(0, C * y), np.maximum(0, C * y)
    for _ in range(max_steps):
        i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        t = min(
            (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        )
        beta[i], beta[j] = beta[i] + t, beta[j] - t
        F = y - K @ beta
    free = (np.abs(beta) > 1e-9) & (np.abs(beta) < C - 1e-9)
    return beta * y, np.median(F[free]) if free.any() else (F[i] + F[j]) / 2


@A.right("q3", "single precision, ignores tol and uses all the steps it may")
def smo(K, y, C, tol, max_steps):
    K, y = np.float32(K), np.float32(y)
    beta, low, high = 0 * y, np.minimum(0, np.float32(C) * y), np.maximum(0, np.float32(C) * y)
    for _ in range(max_steps):
        F = y - K @ beta
        i = np.argmax(np.where(beta < high, F, -np.inf))
        j = np.argmin(np.where(beta > low, F, np.inf))
        if F[i] - F[j] <= 2e-6:
            break
        room_i, room_j = high[i] - beta[i], beta[j] - low[j]
        t = min((F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), room_i, room_j)
        beta[i] = high[i] if t == room_i else beta[i] + t
        beta[j] = low[j] if t == room_j else beta[j] - t
    return beta * y, np.float32((F[i] + F[j]) / 2)


# --- q4: standardise ------------------------------------------------------------------------------


@A.wrong("q4", "the test set is scaled by its own statistics", caught_by=SCALE)
def standardise(train, test):
    def scaled(X):
        deviation = X.std(axis=0)
        return (X - X.mean(axis=0)) / np.where(deviation > 1e-12, deviation, 1.0)

    return scaled(train), scaled(test)


@A.wrong("q4", "the statistics are those of both sets together: a leak", caught_by=SCALE)
def standardise(train, test):
    both = np.vstack([train, test])
    mean, deviation = both.mean(axis=0), both.std(axis=0)
    deviation = np.where(deviation > 1e-12, deviation, 1.0)
    return (train - mean) / deviation, (test - mean) / deviation


@A.wrong("q4", "divides by the variance", caught_by=SCALE)
def standardise(train, test):
    mean, variance = train.mean(axis=0), train.var(axis=0)
    variance = np.where(variance > 0, variance, 1.0)
    return (train - mean) / variance, (test - mean) / variance


A["q4", "standardise", SCALE] = {
    "divides by n - 1 inside the deviation": {"train.std(axis=0)": "train.std(axis=0, ddof=1)"},
}


@A.wrong("q4", "one mean and one deviation for the whole table", caught_by=SCALE)
def standardise(train, test):
    return (train - train.mean()) / train.std(), (test - train.mean()) / train.std()


@A.wrong("q4", "scales rows instead of columns", caught_by=SCALE)
def standardise(train, test):
    def scaled(X):
        deviation = X.std(axis=1, keepdims=True)
        return (X - X.mean(axis=1, keepdims=True)) / np.where(deviation > 1e-12, deviation, 1.0)

    return scaled(train), scaled(test)


@A.wrong("q4", "the test set is left as it is", caught_by=SCALE)
def standardise(train, test):
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    return (train - mean) / np.where(deviation > 1e-12, deviation, 1.0), test


@A.wrong("q4", "the mean is not subtracted", caught_by=SCALE)
def standardise(train, test):
    deviation = train.std(axis=0)
    deviation = np.where(deviation > 1e-12, deviation, 1.0)
    return train / deviation, test / deviation


@A.wrong("q4", "scales to the range from 0 to 1 instead", caught_by=SCALE)
def standardise(train, test):
    low, width = train.min(axis=0), np.ptp(train, axis=0)
    width = np.where(width > 0, width, 1.0)
    return (train - low) / width, (test - low) / width


@A.wrong("q4", "the test set is shifted by its own mean", caught_by=SCALE)
def standardise(train, test):
    deviation = train.std(axis=0)
    deviation = np.where(deviation > 1e-12, deviation, 1.0)
    return (train - train.mean(axis=0)) / deviation, (test - test.mean(axis=0)) / deviation


@A.wrong("q4", "a constant feature makes 0/0", caught_by=CONSTANT)
def standardise(train, test):
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    with np.errstate(all="ignore"):
        return (train - mean) / deviation, (test - mean) / deviation


@A.wrong("q4", "a tiny number in the denominator blows a constant feature up", caught_by=CONSTANT)
def standardise(train, test):
    mean, deviation = train.mean(axis=0), train.std(axis=0) + 1e-8
    return (train - mean) / deviation, (test - mean) / deviation


@A.wrong("q4", "takes a small deviation for 0", caught_by=CONSTANT)
def standardise(train, test):
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    deviation = np.where(deviation < 0.01, 1.0, deviation)
    return (train - mean) / deviation, (test - mean) / deviation


@A.wrong("q4", "drops constant features", caught_by=CONSTANT)
def standardise(train, test):
    keep = np.ptp(train, axis=0) > 0
    mean, deviation = train[:, keep].mean(axis=0), train[:, keep].std(axis=0)
    return (train[:, keep] - mean) / deviation, (test[:, keep] - mean) / deviation


@A.wrong("q4", "leaves a constant feature unshifted", caught_by=CONSTANT)
def standardise(train, test):
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    mean, deviation = (
        np.where(deviation > 1e-12, mean, 0.0),
        np.where(deviation > 1e-12, deviation, 1.0),
    )
    return (train - mean) / deviation, (test - mean) / deviation


@A.wrong("q4", "sets a constant feature to 0 in the test set too", caught_by=CONSTANT)
def standardise(train, test):
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    factor = np.where(deviation > 1e-12, 1 / np.maximum(deviation, 1e-300), 0.0)
    return (train - mean) * factor, (test - mean) * factor


@A.right("q4", "loops over the features, lists", alone="cross_validate needs arrays")
def standardise(train, test):
    rows, more = train.tolist(), test.tolist()
    for c in range(len(rows[0])):
        column = [row[c] for row in rows]
        mean = sum(column) / len(column)
        deviation = (sum((v - mean) ** 2 for v in column) / len(column)) ** 0.5
        for row in [*rows, *more]:
            row[c] = (row[c] - mean) / (deviation if deviation > 1e-12 else 1)
    return rows, more


@A.right("q4", "root of the mean square less the squared mean, single precision")
def standardise(train, test):
    train, test = train.copy(), test.copy()
    mean, deviation = (
        train.mean(axis=0),
        np.sqrt(np.abs(np.mean(train**2, axis=0) - train.mean(axis=0) ** 2)),
    )
    deviation[train.min(axis=0) == train.max(axis=0)] = 1
    for X in (train, test):
        X -= mean
        X /= deviation
    return np.float32(train), np.float32(test)


# --- q4: folds ------------------------------------------------------------------------------------


@A.wrong("q4", "drops the examples that are left over when k does not divide n", caught_by=ONCE)
def folds(y, k):
    size = len(y) // k
    return [np.arange(f * size, (f + 1) * size) for f in range(k)]


@A.wrong("q4", "returns the training sets instead of the test sets", caught_by=ONCE)
def folds(y, k):
    dealt = np.argsort(y, kind="stable")
    return [np.setdiff1d(dealt, dealt[f::k]) for f in range(k)]


@A.wrong("q4", "draws each fold anew: some examples twice, some never", caught_by=ONCE)
def folds(y, k):
    rng = np.random.default_rng(0)
    return [np.sort(rng.choice(len(y), len(y) // k, replace=False)) for _ in range(k)]


@A.wrong("q4", "takes equally many of both classes and drops the rest", caught_by=ONCE)
def folds(y, k):
    plus, minus = np.flatnonzero(y == 1), np.flatnonzero(y == -1)
    m = min(len(plus), len(minus))
    return [np.append(plus[:m][f::k], minus[:m][f::k]) for f in range(k)]


@A.wrong("q4", "counts examples from 1", caught_by=ONCE)
def folds(y, k):
    dealt = np.argsort(y, kind="stable")
    return [np.sort(dealt[f::k]) + 1 for f in range(k)]


@A.wrong("q4", "makes one fold too many out of the leftovers", caught_by=ONCE)
def folds(y, k):
    size = len(y) // k
    return [np.arange(s, min(s + size, len(y))) for s in range(0, len(y), size)]


@A.wrong("q4", "returns a mask of labels instead of indices", caught_by=ONCE)
def folds(y, k):
    dealt = np.argsort(y, kind="stable")
    return [np.isin(np.arange(len(y)), dealt[f::k]).astype(int) for f in range(k)]


@A.wrong("q4", "cuts the examples into blocks as they come, unstratified", caught_by=SHARE)
def folds(y, k):
    return list(np.array_split(np.arange(len(y)), k))


@A.wrong("q4", "shuffles, but does not stratify", caught_by=SHARE)
def folds(y, k):
    return list(np.array_split(np.random.default_rng(1).permutation(len(y)), k))


@A.wrong("q4", "takes every k-th example whatever its label", caught_by=SHARE)
def folds(y, k):
    return [np.arange(len(y))[f::k] for f in range(k)]


@A.wrong("q4", "sorts by label and then cuts into blocks", caught_by=SHARE)
def folds(y, k):
    return list(np.array_split(np.argsort(y, kind="stable"), k))


@A.wrong(
    "q4",
    "deals the positives evenly and gives the negatives out in blocks of n // k",
    caught_by=SHARE,
)
def folds(y, k):
    plus, minus = np.flatnonzero(y == 1), np.flatnonzero(y == -1)
    tests = [list(plus[f::k]) for f in range(k)]
    for f in range(k):
        while len(tests[f]) < len(y) // k or (f == k - 1 and len(minus)):
            tests[f], minus = [*tests[f], minus[0]], minus[1:]
    return [np.array(test) for test in tests]


@A.right("q4", "shuffles each class, deals each from the first fold on")
def folds(y, k):
    rng, tests = np.random.default_rng(3), [[] for _ in range(k)]
    for label in (-1, 1):
        for place, index in enumerate(rng.permutation(np.flatnonzero(y == label))):
            tests[place % k].append(int(index))
    return tests


@A.right("q4", "array_split for each class, floats")
def folds(y, k):
    parts = [np.array_split(np.flatnonzero(y == v), k) for v in (1, -1)]
    return tuple(np.concatenate([a, b]).astype(float) for a, b in zip(parts[0], parts[1][::-1]))


# --- q5 -------------------------------------------------------------------------------------------


@A.wrong("q5", "averages the shares of the folds, as if all were of one size", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    errors = (wrong / sizes).mean(axis=1)
    return Cs[errors == errors.min()].min(), errors.min()


@A.wrong("q5", "chooses right, but reports the mean of the shares of the folds", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    best = np.flatnonzero(total == total.min())
    best = best[np.argmin(Cs[best])]
    return Cs[best], (wrong / sizes).mean(axis=1)[best]


@A.wrong("q5", "adds up over the costs instead of the folds", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=0)
    return Cs[np.argmin(total)], total.min() / sizes.sum()


@A.wrong("q5", "returns the place of C instead of C", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    best = np.flatnonzero(total == total.min())
    return best[np.argmin(Cs[best])], total.min() / sizes.sum()


@A.wrong("q5", "takes the C with the best single fold", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    errors = (wrong / sizes).min(axis=1)
    return Cs[errors == errors.min()].min(), errors.min()


@A.wrong("q5", "returns the number of mistakes instead of the error", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    return Cs[total == total.min()].min(), total.min()


@A.wrong("q5", "divides by the number of folds", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    return Cs[total == total.min()].min(), total.min() / len(sizes)


@A.wrong("q5", "takes the most mistakes instead of the fewest", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    return Cs[total == total.max()].min(), total.max() / sizes.sum()


@A.wrong("q5", "returns the accuracy instead of the error", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    return Cs[total == total.min()].min(), 1 - total.min() / sizes.sum()


@A.wrong("q5", "takes the C whose worst fold is best", caught_by=FEWEST)
def choose(wrong, sizes, Cs):
    errors = (wrong / sizes).max(axis=1)
    best = np.argmin(errors)
    return Cs[best], wrong[best].sum() / sizes.sum()


@A.wrong("q5", "of tied costs takes the first in the list, not the smallest", caught_by=TIES)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    return Cs[np.argmin(total)], total.min() / sizes.sum()


@A.wrong("q5", "of tied costs takes the largest", caught_by=TIES)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    return Cs[total == total.min()].max(), total.min() / sizes.sum()


@A.wrong("q5", "returns the mean of the tied costs", caught_by=TIES)
def choose(wrong, sizes, Cs):
    total = wrong.sum(axis=1)
    return Cs[total == total.min()].mean(), total.min() / sizes.sum()


@A.wrong("q5", "sorts the costs but not the table", caught_by=TIES)
def choose(wrong, sizes, Cs):
    total, Cs = wrong.sum(axis=1), np.sort(Cs)
    return Cs[np.argmin(total)], total.min() / sizes.sum()


@A.right("q5", "by sorting pairs of (mistakes, C), lists")
def choose(wrong, sizes, Cs):
    rows = sorted((sum(row), C) for row, C in zip(wrong.tolist(), Cs.tolist()))
    return [rows[0][1], rows[0][0] / sum(sizes.tolist())]


@A.right("q5", "weighted mean of the shares, single precision")
def choose(wrong, sizes, Cs):
    errors = np.average(wrong / sizes, axis=1, weights=sizes)
    best = np.lexsort((Cs, np.round(errors, 9)))[0]
    return np.float32(Cs[best]), np.float32(errors[best])


# --- q6 -------------------------------------------------------------------------------------------


@A.wrong("q6", "scales all examples before the split: a leak", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A, B = Z[rest], Z[test]
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "the test part is scaled by its own statistics", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[test].mean(axis=0)) / X[test].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "does not scale at all", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(300):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A, B = X[rest], X[test]
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "scales the training part only", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = X[test]
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "trains on the fold and tests on the rest", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest, test = test, np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "counts the mistakes on the training examples", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = A @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[rest])
    return wrong


@A.wrong("q6", "trains on all examples, those of the fold included", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.arange(len(y))
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "leaves the offset out of the score", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, _ = fit(A, y[rest], C)
            scores = B @ (A.T @ beta)
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "counts the right predictions instead of the wrong ones", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) == y[test])
    return wrong


@A.wrong("q6", "rows and columns of the table have changed places", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong.T


@A.wrong("q6", "gives shares of the fold instead of counts", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.mean(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "uses the same C for every row", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], Cs[0] + 0 * C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "trains on the first fold's training part only", caught_by=MINE)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), tests[0])
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "a score of 0 predicts -1", caught_by=TABLES)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores > 0, 1, -1) != y[test])
    return wrong


@A.wrong("q6", "a score of 0 is a mistake whatever the label", caught_by=TABLES)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(y[test] * scores <= 0)
    return wrong


@A.wrong("q6", "a score of 0 is never a mistake", caught_by=TABLES)
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(y[test] * scores < 0)
    return wrong


@A.right("q6", "whole numbers in lists, second order of loops")
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        A = (X[rest] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        B = (X[test] - X[rest].mean(axis=0)) / X[rest].std(axis=0)
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = sum(1 for s, t in zip(scores, y[test]) if (s >= 0) != (t > 0))
    return [[int(v) for v in row] for row in wrong]


@A.right("q6", "the offset as the middle of the free errors, single precision table")
def cross_validate(X, y, Cs, tests):
    def fit(A, t, C):
        K, beta = A @ A.T, np.zeros(len(t))
        low, high = np.minimum(0, C * t), np.maximum(0, C * t)
        for _ in range(4000):
            F = t - K @ beta
            i = np.argmax(np.where(beta < high - 1e-12, F, -np.inf))
            j = np.argmin(np.where(beta > low + 1e-12, F, np.inf))
            if F[i] - F[j] <= 1e-4:
                break
            eta = K[i, i] + K[j, j] - 2 * K[i, j]
            s = min((F[i] - F[j]) / eta, high[i] - beta[i], beta[j] - low[j])
            beta[i], beta[j] = beta[i] + s, beta[j] - s
        return beta, (F[i] + F[j]) / 2

    wrong = np.zeros((len(Cs), len(tests)))
    for f, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(len(y)), test)
        mean, deviation = np.mean(X[rest], 0), np.sqrt(np.var(X[rest], 0))
        A, B = (X[rest] - mean) / deviation, (X[test] - mean) / deviation
        for c, C in enumerate(Cs):
            beta, b = fit(A, y[rest], C)
            scores = B @ (A.T @ beta) + b
            wrong[c, f] = np.sum(np.where(scores >= 0, 1, -1) != y[test])
    return np.float32(wrong)


# --- q10: whom to believe -------------------------------------------------------------------------

A["q10", "upper", BOUNDS] = {
    "the ½ before ‖w‖² is missing": {"0.5 * w": "w"},
    "the slacks are averaged": {"xi.sum()": "xi.mean()"},
    "the hinge has no 1: it is the perceptron's loss": {"0, 1 - y": "0, -y"},
    "slacks can be negative: the max with 0 is missing": {
        "np.maximum(0, 1 - y * (X @ w + b))": "1 - y * (X @ w + b)",
    },
    "the offset is left out": {"(X @ w + b)": "(X @ w)"},
}
A["q10", "lower", BOUNDS] = {
    "every α is taken as feasible": {"if outside > 1e-9 * C:": "if False:"},
    "an infeasible α gives 0 instead of no bound": {"return -np.inf": "return 0.0"},
    "α below 0 is let pass": {"-alpha.min(), ": "", "alpha.max() - C, ": "alpha.max() - C, 0.0, "},
    "the labels are missing in v": {"(alpha * y) @ X": "alpha @ X"},
    "the ½ of the dual is missing": {"0.5 * v": "v"},
    "the sign of the dual is turned round": {"alpha.sum() - 0.5": "0.5 * v @ v - alpha.sum() + 0"},
}
A["q10", "lower", LIARS] = {
    "Σ α y is not looked at on one side": {"abs(alpha @ y)": "alpha @ y"},
    "a violation of a hundredth counts as rounding": {"1e-9 * C": "1e-2 * C"},
    "no rounding at all is let pass": {"outside > 1e-9 * C": "outside > 0"},
}
A["q10", "verdict", THREE] = {
    "a gap refutes: what is not proved is wrong": {'return "undecided"': 'return "refuted"'},
    "another machine refutes, better or not": {"value > (1 + tol) * upper(v, c, X, y, C)": "True"},
    "any certificate proves": {"value <= (1 + tol) * lower(alpha, X, y, C)": "True"},
    "proved and refuted have changed places": {
        'return "proved"': 'return "refuted"',
        "if any(value > (1 + tol) * upper(v, c, X, y, C) for v, c in others):\n        "
        'return "refuted"': "if any(value > (1 + tol) * upper(v, c, X, y, C) for v, c in others):"
        '\n        return "proved"',
    },
}
A["q10", "verdict", LIARS] = {
    "all certificates must prove it": {"any(value <= (1": "alphas and all(value <= (1"},
    "only the first certificate is read": {"for alpha in alphas": "for alpha in alphas[:1]"},
    "only the last machine is compared": {"for v, c in others": "for v, c in others[-1:]"},
    "the least bit better refutes": {"value > (1 + tol) * upper": "value > upper"},
    "tol is absolute, not a share": {"(1 + tol) * lower": "tol + lower"},
}


@A.wrong("q10", "the best machine is taken for the one that was sent", caught_by=THREE)
def verdict(w, b, alphas, others, X, y, C, tol):
    def value(v, c):
        return 0.5 * v @ v + C * np.maximum(0, 1 - y * (X @ v + c)).sum()

    def dual(alpha):
        if max(-alpha.min(), alpha.max() - C, abs(alpha @ y)) > 1e-9 * C:
            return -np.inf
        v = (alpha * y) @ X
        return alpha.sum() - 0.5 * v @ v

    found = min([value(w, b), *(value(*other) for other in others)])
    return "proved" if any(found <= (1 + tol) * dual(a) for a in alphas) else "undecided"


@A.right("q10", "a loop over the examples, in plain numbers")
def upper(w, b, X, y, C):
    slack = 0.0
    for x, label in zip(X, y):
        slack += max(0.0, 1.0 - label * (sum(w * x) + b))
    return 0.5 * sum(v * v for v in w) + C * slack


@A.right("q10", "by the Gram matrix, each rule by itself")
def lower(alpha, X, y, C):
    feasible = (alpha >= -1e-9 * C).all() and (alpha <= C + 1e-9 * C).all()
    if not feasible or abs(np.sum(alpha * y)) > 1e-9 * C:
        return float("-inf")
    beta = alpha * y
    return np.sum(alpha) - beta @ (X @ X.T) @ beta / 2


@A.right("q10", "the best certificate and the best machine, refuted first")
def verdict(w, b, alphas, others, X, y, C, tol):
    def value(v, c):
        return 0.5 * v @ v + C * np.maximum(0, 1 - y * (X @ v + c)).sum()

    def dual(alpha):
        if max(-alpha.min(), alpha.max() - C, abs(alpha @ y)) > 1e-9 * C:
            return -np.inf
        v = (alpha * y) @ X
        return alpha.sum() - 0.5 * v @ v

    mine = value(w, b)
    if mine > (1 + tol) * min((value(*other) for other in others), default=np.inf):
        return "refuted"
    best = max((dual(alpha) for alpha in alphas), default=-np.inf)
    return "proved" if mine <= (1 + tol) * best else "undecided"


# --- changes to the solution that leave it right --------------------------------------------------

A.equal[
    "q1 step: eta = K[i, i] + K[j, j] - 2 * K[i, j]  ->  eta = K[i, i] + K[j, j] - 2 * K[j, i]"
] = "K is symmetric"
A.equal[
    "q2 worst_pair: grow = np.where(y > 0, alpha < C, alpha > 0)  ->  "
    "grow = np.where(y >= 0, alpha < C, alpha > 0)"
] = "no label is 0"
A.equal[
    "q2 worst_pair: shrink = np.where(y > 0, alpha > 0, alpha < C)  ->  "
    "shrink = np.where(y >= 0, alpha > 0, alpha < C)"
] = "no label is 0"
A.equal["q3 smo: i, j, _ = worst_pair(K, y, C, alpha)  ->  pass"] = (
    "the pair that ended the loop is the same; b counts only where the steps suffice"
)
A.equal["q3 smo: if violation <= tol:  ->  if violation < tol:"] = (
    "one step more at most, and the gap is promised either way"
)
A.equal["q3 smo: alpha[alpha < 1e-12] = 0.0  ->  alpha[alpha <= 1e-12] = 0.0"] = "any hair will do"
A.equal["q3 smo: alpha[alpha > C - 1e-12] = C  ->  alpha[alpha >= C - 1e-12] = C"] = (
    "any hair will do"
)
A.equal[
    "q4 folds: dealt = np.concatenate([np.flatnonzero(y == label) for label in (1, -1)])  ->  "
    "dealt = np.concatenate([np.flatnonzero(y != label) for label in (1, -1)])"
] = "deals the negatives first"
A.equal[
    "q4 folds: dealt = np.concatenate([np.flatnonzero(y == label) for label in (1, -1)])  ->  "
    "dealt = np.concatenate([np.flatnonzero(y == label) for label in (-1, 1)])"
] = "deals the negatives first"
A.equal[
    "q6 cross_validate: wrong = np.zeros((len(Cs), len(tests)), dtype=int)  ->  "
    "wrong = np.ones((len(Cs), len(tests)), dtype=int)"
] = "every cell is filled"
A.equal[
    "q6 cross_validate: alpha, b = smo(A @ A.T, y[rest], C, 1e-05, 20000)  ->  "
    "alpha, b = smo(A @ A.T, y[rest], C, 1e-05, 20001)"
] = "all machines are trained long before"
A.equal["q10 lower: if outside > 1e-09 * C:  ->  if outside >= 1e-09 * C:"] = (
    "rounding alone decides whether a violation is 1e-9 C to the last bit"
)
