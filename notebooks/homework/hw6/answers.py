"""Planted answers to homework 6: wrong ones that the checks must catch, right ones they must not.

Each function stands for a whole answer. A wrong one names its misconception in words for a student.
"""

import numpy as np

from lectures_homework.language.answers import Answers

A = Answers("hw6")

# The names of the checks, as they are used below.
TABLE = "the table is L4's: what was said in the rows"
TOTALS = "accuracy, precision and recall divide by the right totals"
FPR_F1 = "FPR and F1, whatever the counts"
ZEROS = "0/0 counts as 0, and the other rates stay"
CURVE = "roc has a point for each threshold, from (0, 0) to (1, 1)"
TOGETHER = "roc: examples of equal score cross the threshold together"
HALF = "auc: a tied pair counts half"
PAIRS = "auc: the share of pairs in order, and nan where there is no pair"
STEPS = "precision is weighed by the steps of recall"
TIED = "tied examples are passed together"
MACRO = "macro: each class counts the same"
MICRO = "micro: each example counts the same"
ABSENT = "a class that is rare, never said or never true still counts"
BOTH = "points and h from R, gamma and d"
WHOLE = "also where the ratio is whole"
SEPARATORS = "your shattered set gets a separator for each labelling"
DEPENDENCE = "your other set gets a dependence that refutes a labelling"
OTHERS = "other sets get their proof too"

#: Three ways to the same wrong table.
TRANSPOSED = "the table is transposed: FP and FN have changed places"


# --- q1: confusion -------------------------------------------------------------------------------


@A.wrong("q1", TRANSPOSED, caught_by=TABLE)
def confusion(y, predicted):
    table = np.zeros((2, 2), dtype=int)
    for true, said in zip(y, predicted):
        table[int(true == 1), int(said == 1)] += 1
    return table


@A.wrong("q1", TRANSPOSED, caught_by=TABLE)
def confusion(y, predicted):
    y, predicted = predicted, y  # the arguments swapped
    TN, TP = np.sum((y == -1) & (predicted == -1)), np.sum((y == 1) & (predicted == 1))
    FP, FN = np.sum((y == -1) & (predicted == 1)), np.sum((y == 1) & (predicted == -1))
    return np.array([[TN, FN], [FP, TP]])


@A.wrong("q1", TRANSPOSED, caught_by=TABLE)
def confusion(y, predicted):
    TN, TP = np.sum((y == -1) & (predicted == -1)), np.sum((y == 1) & (predicted == 1))
    FP, FN = np.sum((y == 1) & (predicted == -1)), np.sum((y == -1) & (predicted == 1))
    return np.array([[TN, FN], [FP, TP]])


@A.wrong("q1", "the positive class comes first", caught_by=TABLE)
def confusion(y, predicted):
    return np.array([[np.sum((predicted == s) & (y == t)) for t in (1, -1)] for s in (1, -1)])


@A.wrong("q1", "the positive class comes first, and the table is transposed", caught_by=TABLE)
def confusion(y, predicted):
    return np.array([[np.sum((predicted == s) & (y == t)) for s in (1, -1)] for t in (1, -1)])


@A.wrong("q1", "takes -1 for true: every label is counted as +", caught_by=TABLE)
def confusion(y, predicted):
    y, said = y.astype(bool), predicted.astype(bool)
    return np.array(
        [[np.sum(~said & ~y), np.sum(~said & y)], [np.sum(said & ~y), np.sum(said & y)]]
    )


@A.wrong(
    "q1", "counts each cell of the table once, however many examples fall in it", caught_by=TABLE
)
def confusion(y, predicted):
    table = np.zeros((2, 2), dtype=int)
    table[(predicted + 1) // 2, (y + 1) // 2] += 1
    return table


@A.wrong("q1", "gives shares of all examples instead of counts", caught_by=TABLE)
def confusion(y, predicted):
    return np.array([[np.mean((predicted == s) & (y == t)) for t in (-1, 1)] for s in (-1, 1)])


@A.right("q1", "a loop over lists")
def confusion(y, predicted):
    table = [[0, 0], [0, 0]]
    for true, said in zip(list(y), list(predicted)):
        table[1 if said > 0 else 0][1 if true > 0 else 0] += 1
    return table


@A.right("q1", "np.add.at, in single precision")
def confusion(y, predicted):
    table = np.zeros((2, 2), dtype=np.float32)
    np.add.at(table, ((predicted + 1) // 2, (y + 1) // 2), 1)
    return table


# --- q1: rates -----------------------------------------------------------------------------------


@A.wrong("q1", "FP and FN have changed places", caught_by=TOTALS)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    FP, FN = FN, FP
    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, called),
        ratio(TP, there),
        ratio(FP, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "precision and recall have changed places", caught_by=TOTALS)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, there),
        ratio(TP, called),
        ratio(FP, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "precision divides by the positives, TP/P: that is recall", caught_by=TOTALS)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, there),
        ratio(TP, there),
        ratio(FP, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "accuracy counts the true positives only", caught_by=TOTALS)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP, N),
        ratio(TP, called),
        ratio(TP, there),
        ratio(FP, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "gives the error instead of the accuracy", caught_by=TOTALS)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(FP + FN, N),
        ratio(TP, called),
        ratio(TP, there),
        ratio(FP, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "recall divides by all examples", caught_by=TOTALS)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, called),
        ratio(TP, N),
        ratio(FP, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "rates in percent", caught_by=TOTALS)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return 100 * top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, called),
        ratio(TP, there),
        ratio(FP, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "F1 is the arithmetic mean of precision and recall", caught_by=FPR_F1)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    precision, recall = ratio(TP, TP + FP), ratio(TP, TP + FN)
    accuracy = ratio(TP + TN, TN + FP + FN + TP)
    return accuracy, precision, recall, ratio(FP, FP + TN), (precision + recall) / 2


@A.wrong("q1", "F1 is the geometric mean of precision and recall", caught_by=FPR_F1)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    precision, recall = ratio(TP, TP + FP), ratio(TP, TP + FN)
    accuracy = ratio(TP + TN, TN + FP + FN + TP)
    return accuracy, precision, recall, ratio(FP, FP + TN), (precision * recall) ** 0.5


@A.wrong("q1", "F1 lacks its factor 2", caught_by=FPR_F1)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    precision, recall = ratio(TP, TP + FP), ratio(TP, TP + FN)
    accuracy = ratio(TP + TN, TN + FP + FN + TP)
    F1 = ratio(precision * recall, precision + recall)
    return accuracy, precision, recall, ratio(FP, FP + TN), F1


@A.wrong("q1", "F1 is TP / (TP + FP + FN): the 2 is missing on both sides", caught_by=FPR_F1)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    precision, recall = ratio(TP, TP + FP), ratio(TP, TP + FN)
    accuracy = ratio(TP + TN, TN + FP + FN + TP)
    return accuracy, precision, recall, ratio(FP, FP + TN), ratio(TP, TP + FP + FN)


@A.wrong("q1", "FPR is FP / (FP + TP): it divides by those called positive", caught_by=FPR_F1)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, called),
        ratio(TP, there),
        ratio(FP, FP + TP),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "FPR divides by all examples", caught_by=FPR_F1)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, called),
        ratio(TP, there),
        ratio(FP, N),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "FPR is the share of negatives that are left alone", caught_by=FPR_F1)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, called),
        ratio(TP, there),
        ratio(TN, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong("q1", "crashes at 0/0", caught_by=ZEROS)
def rates(TN, FN, FP, TP):
    return (
        (TP + TN) / (TN + FP + FN + TP),
        TP / (TP + FP),
        TP / (TP + FN),
        FP / (FP + TN),
        2 * TP / (2 * TP + FP + FN),
    )


@A.wrong("q1", "0/0 comes out as nan", caught_by=ZEROS)
def rates(TN, FN, FP, TP):
    tops = np.array([TP + TN, TP, TP, FP, 2 * TP], dtype=float)
    bottoms = np.array([TN + FP + FN + TP, TP + FP, TP + FN, FP + TN, 2 * TP + FP + FN])
    with np.errstate(invalid="ignore"):
        return tops / bottoms


@A.wrong("q1", "0/0 counts as 1", caught_by=ZEROS)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 1.0

    N, called, there = TN + FP + FN + TP, TP + FP, TP + FN
    return (
        ratio(TP + TN, N),
        ratio(TP, called),
        ratio(TP, there),
        ratio(FP, FP + TN),
        ratio(2 * TP, called + there),
    )


@A.wrong(
    "q1", "crashes where precision and recall are both 0: F1 is 0/0 in that form", caught_by=ZEROS
)
def rates(TN, FN, FP, TP):
    def ratio(top, bottom):
        return top / bottom if bottom else 0.0

    precision, recall = ratio(TP, TP + FP), ratio(TP, TP + FN)
    accuracy = ratio(TP + TN, TN + FP + FN + TP)
    F1 = 2 * precision * recall / (precision + recall)
    return accuracy, precision, recall, ratio(FP, FP + TN), F1


@A.wrong("q1", "sets all rates to 0 as soon as one is 0/0", caught_by=ZEROS)
def rates(TN, FN, FP, TP):
    try:
        return (
            (TP + TN) / (TN + FP + FN + TP),
            TP / (TP + FP),
            TP / (TP + FN),
            FP / (FP + TN),
            2 * TP / (2 * TP + FP + FN),
        )
    except ZeroDivisionError:
        return 0.0, 0.0, 0.0, 0.0, 0.0


@A.right("q1", "F1 as the harmonic mean, a list comes back")
def rates(TN, FN, FP, TP):
    precision = TP / (TP + FP) if TP + FP > 0 else 0
    recall = TP / (TP + FN) if TP + FN > 0 else 0
    FPR = FP / (FP + TN) if FP + TN > 0 else 0
    F1 = 2 / (1 / precision + 1 / recall) if TP > 0 else 0
    return [(TP + TN) / (TN + FP + FN + TP), precision, recall, FPR, F1]


@A.right("q1", "single precision, a tiny number in each denominator")
def rates(TN, FN, FP, TP):
    tops = np.array([TP + TN, TP, TP, FP, 2 * TP], dtype=np.float32)
    bottoms = np.array([TN + FP + FN + TP, TP + FP, TP + FN, FP + TN, 2 * TP + FP + FN])
    return tops / (bottoms + np.float32(1e-12)).astype(np.float32)


# --- q2: roc -------------------------------------------------------------------------------------


@A.wrong(
    "q2",
    "the curve is drawn from hard labels: three points instead of one a score",
    caught_by=CURVE,
)
def roc(y, scores):
    hard = np.where(scores >= 0, 1, -1)
    called = [hard >= t for t in (np.inf, *np.unique(hard)[::-1])]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.wrong("q2", "the start (0, 0) is missing", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in np.unique(scores)[::-1]]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.wrong("q2", "says + strictly above the threshold, so the end (1, 1) is missing", caught_by=CURVE)
def roc(y, scores):
    called = [scores > t for t in np.unique(scores)[::-1]]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.wrong("q2", "FPR and TPR have changed places", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in (np.inf, *np.unique(scores)[::-1])]
    return [np.mean(c[y == 1]) for c in called], [np.mean(c[y == -1]) for c in called]


@A.wrong("q2", "FPR is FP / (FP + TP): it divides by those called positive", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in (np.inf, *np.unique(scores)[::-1])]
    FPR = [np.sum(c[y == -1]) / max(np.sum(c), 1) for c in called]
    return FPR, [np.mean(c[y == 1]) for c in called]


@A.wrong("q2", "both rates divide by all examples", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in (np.inf, *np.unique(scores)[::-1])]
    return [np.mean(c & (y == -1)) for c in called], [np.mean(c & (y == 1)) for c in called]


@A.wrong("q2", "returns counts instead of rates", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in (np.inf, *np.unique(scores)[::-1])]
    return [np.sum(c[y == -1]) for c in called], [np.sum(c[y == 1]) for c in called]


@A.wrong("q2", "goes from the laxest threshold to the strictest", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in (*np.unique(scores), np.inf)]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.wrong("q2", "says + below the threshold", caught_by=CURVE)
def roc(y, scores):
    called = [scores <= t for t in (-np.inf, *np.unique(scores))]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.wrong("q2", "takes thresholds from 0 to 1 as if scores were probabilities", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in np.linspace(1, 0, 11)]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.wrong("q2", "takes thresholds in the order of the examples, unsorted", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in (np.inf, *scores)]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.wrong("q2", "puts thresholds only at the scores of positives", caught_by=CURVE)
def roc(y, scores):
    called = [scores >= t for t in (np.inf, *np.unique(scores[y == 1])[::-1])]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.wrong(
    "q2",
    "makes a point for each example: ties are split in the order they came",
    caught_by=TOGETHER,
)
def roc(y, scores):
    plus = y[np.argsort(-scores, kind="stable")] == 1
    TPR, FPR = np.cumsum(plus) / plus.sum(), np.cumsum(~plus) / np.sum(~plus)
    return np.append(0, FPR), np.append(0, TPR)


@A.wrong("q2", "lets the positives of a tie pass first", caught_by=TOGETHER)
def roc(y, scores):
    plus = y[np.lexsort((-y, -scores))] == 1
    TPR, FPR = np.cumsum(plus) / plus.sum(), np.cumsum(~plus) / np.sum(~plus)
    return np.append(0, FPR), np.append(0, TPR)


@A.wrong(
    "q2", "makes a point for each example, and equal scores make equal points", caught_by=TOGETHER
)
def roc(y, scores):
    called = [scores >= t for t in (np.inf, *np.sort(scores)[::-1])]
    return [np.mean(c[y == -1]) for c in called], [np.mean(c[y == 1]) for c in called]


@A.right("q2", "cumulative counts, kept where the next score is another one")
def roc(y, scores):
    order = np.argsort(-scores)
    s, plus = scores[order], y[order] > 0
    last = np.append(np.diff(s) != 0, True)
    TPR, FPR = np.cumsum(plus)[last] / plus.sum(), np.cumsum(~plus)[last] / (~plus).sum()
    return np.vstack([np.append(0, FPR), np.append(0, TPR)])


@A.right("q2", "plain loops, strictly above the next lower threshold")
def roc(y, scores):
    levels = sorted(set(scores.tolist()))
    FPR, TPR = [], []
    for t in [*levels[::-1], levels[0] - 1]:
        FP = sum(1 for label, s in zip(y, scores) if s > t and label < 0)
        TP = sum(1 for label, s in zip(y, scores) if s > t and label > 0)
        FPR.append(FP / sum(1 for label in y if label < 0))
        TPR.append(TP / sum(1 for label in y if label > 0))
    return FPR, TPR


@A.right("q2", "single precision")
def roc(y, scores):
    s = np.float32(scores)
    called = np.array([s >= t for t in (np.float32(np.inf), *np.unique(s)[::-1])])
    FPR, TPR = called[:, y < 0].mean(axis=1), called[:, y > 0].mean(axis=1)
    return np.float32(FPR), np.float32(TPR)


# --- q2: auc -------------------------------------------------------------------------------------


@A.wrong("q2", "ties count as wins", caught_by=HALF)
def auc(y, scores):
    ahead = scores[y == 1][:, None] - scores[y == -1]
    return float(np.mean(ahead >= 0)) if ahead.size else np.nan


@A.wrong("q2", "ties count as losses", caught_by=HALF)
def auc(y, scores):
    ahead = scores[y == 1][:, None] - scores[y == -1]
    return float(np.mean(ahead > 0)) if ahead.size else np.nan


@A.wrong("q2", "ties count as losses", caught_by=HALF)
def auc(y, scores):
    if len(set(y.tolist())) < 2:
        return np.nan
    called = [scores >= t for t in (np.inf, *np.unique(scores)[::-1])]
    FPR = np.array([np.mean(c[y == -1]) for c in called])
    TPR = np.array([np.mean(c[y == 1]) for c in called])
    return float(np.sum(np.diff(FPR) * TPR[:-1]))  # steps instead of trapezoids


@A.wrong("q2", "tied pairs are left out", caught_by=HALF)
def auc(y, scores):
    ahead = scores[y == 1][:, None] - scores[y == -1]
    return float(np.mean(ahead[ahead != 0] > 0)) if ahead.size else np.nan


@A.wrong("q2", "ties are split in the order the examples came", caught_by=HALF)
def auc(y, scores):
    plus = y[np.argsort(-scores, kind="stable")] == 1
    if plus.all() or not plus.any():
        return np.nan
    return float(np.sum(np.cumsum(plus)[~plus]) / (plus.sum() * np.sum(~plus)))


@A.wrong("q2", "the area is that of hard labels", caught_by=HALF)
def auc(y, scores):
    hard = np.where(scores >= 0, 1, -1)
    ahead = hard[y == 1][:, None] - hard[y == -1]
    return float(np.mean((ahead > 0) + 0.5 * (ahead == 0))) if ahead.size else np.nan


@A.wrong("q2", "the sign is reversed: counts pairs in which the negative is ahead", caught_by=HALF)
def auc(y, scores):
    ahead = scores[y == -1][:, None] - scores[y == 1]
    return float(np.mean((ahead > 0) + 0.5 * (ahead == 0))) if ahead.size else np.nan


@A.wrong("q2", "counts pairs of all examples, not only of unlike labels", caught_by=HALF)
def auc(y, scores):
    if len(set(y.tolist())) < 2:
        return np.nan
    n, total = len(y), 0.0
    for i in range(n):
        for j in range(i):
            order = (scores[i] - scores[j]) * (y[i] - y[j])
            total += 1.0 if order > 0 else 0.5 if order == 0 else 0.0
    return total / (n * (n - 1) / 2)


@A.wrong("q2", "divides by n squared instead of P times N", caught_by=HALF)
def auc(y, scores):
    ahead = scores[y == 1][:, None] - scores[y == -1]
    if ahead.size == 0:
        return np.nan
    return float(np.sum((ahead > 0) + 0.5 * (ahead == 0)) / len(y) ** 2)


@A.wrong("q2", "the area of one class is 0", caught_by=PAIRS)
def auc(y, scores):
    ahead = scores[y == 1][:, None] - scores[y == -1]
    return float(np.mean((ahead > 0) + 0.5 * (ahead == 0))) if ahead.size else 0.0


@A.wrong("q2", "the area of one class is a half", caught_by=PAIRS)
def auc(y, scores):
    ahead = scores[y == 1][:, None] - scores[y == -1]
    return float(np.mean((ahead > 0) + 0.5 * (ahead == 0))) if ahead.size else 0.5


@A.wrong("q2", "crashes when all labels are of one class", caught_by=PAIRS)
def auc(y, scores):
    plus, minus = list(scores[y == 1]), list(scores[y == -1])
    total = sum((p > m) + 0.5 * (p == m) for p in plus for m in minus)
    return float(total) / (len(plus) * len(minus))


@A.wrong("q2", "turns an area below a half round", caught_by=PAIRS)
def auc(y, scores):
    ahead = scores[y == 1][:, None] - scores[y == -1]
    if ahead.size == 0:
        return np.nan
    area = float(np.mean((ahead > 0) + 0.5 * (ahead == 0)))
    return max(area, 1 - area)


@A.wrong("q2", "wants two examples of each class, though one pair is enough", caught_by=PAIRS)
def auc(y, scores):
    if min(np.sum(y == 1), np.sum(y == -1)) < 2:
        return np.nan
    ahead = scores[y == 1][:, None] - scores[y == -1]
    return float(np.mean((ahead > 0) + 0.5 * (ahead == 0)))


@A.right("q2", "trapezoids under the curve")
def auc(y, scores):
    if np.all(y == y[0]):
        return float("nan")
    t = np.append(np.inf, np.unique(scores)[::-1])[:, None]
    FPR, TPR = (scores[y < 0] >= t).mean(axis=1), (scores[y > 0] >= t).mean(axis=1)
    return np.sum(np.diff(FPR) * (TPR[1:] + TPR[:-1]) / 2)


@A.right("q2", "by ranks, as Mann and Whitney do")
def auc(y, scores):
    P, N = int(np.sum(y == 1)), int(np.sum(y == -1))
    if P * N == 0:
        return np.nan
    below = np.sum(scores[:, None] > scores, axis=1)
    rank = below + (np.sum(scores[:, None] == scores, axis=1) + 1) / 2
    return (rank[y == 1].sum() - P * (P + 1) / 2) / (P * N)


@A.right("q2", "plain loops, single precision")
def auc(y, scores):
    total, count = np.float32(0), 0
    for label, s in zip(y, np.float32(scores)):
        for other, t in zip(y, np.float32(scores)):
            if label == 1 and other == -1:
                total += np.float32(0.5) * (int(s > t) + int(s >= t))
                count += 1
    return np.float32(total / count) if count else np.nan


# --- q3 ------------------------------------------------------------------------------------------


@A.wrong("q3", "draws lines between the points: the area by trapezoids", caught_by=STEPS)
def average_precision(y, scores):
    called = [scores >= t for t in np.unique(scores)[::-1]]
    precision = np.array([1.0] + [np.mean(y[c] == 1) for c in called])
    recall = np.array([0.0] + [np.mean(c[y == 1]) for c in called])
    return float(np.sum(np.diff(recall) * (precision[1:] + precision[:-1]) / 2))


@A.wrong("q3", "takes the precision before the step instead of after it", caught_by=STEPS)
def average_precision(y, scores):
    called = [scores >= t for t in np.unique(scores)[::-1]]
    precision = np.array([1.0] + [np.mean(y[c] == 1) for c in called])
    recall = np.array([0.0] + [np.mean(c[y == 1]) for c in called])
    return float(np.sum(np.diff(recall) * precision[:-1]))


@A.wrong(
    "q3", "averages the precision over all thresholds, whether recall moves or not", caught_by=STEPS
)
def average_precision(y, scores):
    return float(np.mean([np.mean(y[scores >= t] == 1) for t in np.unique(scores)]))


@A.wrong("q3", "divides by all examples instead of the positives", caught_by=STEPS)
def average_precision(y, scores):
    return float(np.sum([np.mean(y[scores >= t] == 1) for t in scores[y == 1]]) / len(y))


@A.wrong("q3", "precision divides by the positives, TP/P: that is recall", caught_by=STEPS)
def average_precision(y, scores):
    return float(np.mean([np.mean(scores[y == 1] >= t) for t in scores[y == 1]]))


@A.wrong("q3", "sorts from the lowest score up", caught_by=STEPS)
def average_precision(y, scores):
    return float(np.mean([np.mean(y[scores <= t] == 1) for t in scores[y == 1]]))


@A.wrong("q3", "takes the examples in the order they came, unsorted", caught_by=STEPS)
def average_precision(y, scores):
    plus = y == 1
    return float(np.mean((np.cumsum(plus) / np.arange(1, len(y) + 1))[plus]))


@A.wrong("q3", "raises each precision to the best one further down", caught_by=STEPS)
def average_precision(y, scores):
    called = [scores >= t for t in np.unique(scores)[::-1]]
    precision = np.array([np.mean(y[c] == 1) for c in called])
    recall = np.array([0.0] + [np.mean(c[y == 1]) for c in called])
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(recall) * best))


@A.wrong("q3", "is the area under the ROC curve", caught_by=STEPS)
def average_precision(y, scores):
    ahead = scores[y == 1][:, None] - scores[y == -1]
    return float(np.mean((ahead > 0) + 0.5 * (ahead == 0)))


@A.wrong("q3", "is the precision of hard labels", caught_by=STEPS)
def average_precision(y, scores):
    return float(np.mean(y[scores >= 0] == 1))


@A.wrong("q3", "forgets that recall starts at 0: the first step is lost", caught_by=STEPS)
def average_precision(y, scores):
    called = [scores >= t for t in np.unique(scores)[::-1]]
    precision = np.array([np.mean(y[c] == 1) for c in called])
    recall = np.array([np.mean(c[y == 1]) for c in called])
    return float(np.sum(np.diff(recall) * precision[1:]))


@A.wrong("q3", "passes tied examples one by one, in the order they came", caught_by=TIED)
def average_precision(y, scores):
    plus = y[np.argsort(-scores, kind="stable")] == 1
    return float(np.mean((np.cumsum(plus) / np.arange(1, len(y) + 1))[plus]))


@A.wrong("q3", "lets the positives of a tie pass first", caught_by=TIED)
def average_precision(y, scores):
    plus = y[np.lexsort((-y, -scores))] == 1
    return float(np.mean((np.cumsum(plus) / np.arange(1, len(y) + 1))[plus]))


@A.wrong(
    "q3", "counts each score with a positive once, however many positives have it", caught_by=TIED
)
def average_precision(y, scores):
    return float(np.mean([np.mean(y[scores >= t] == 1) for t in np.unique(scores[y == 1])]))


@A.right("q3", "the sum over thresholds as it is written")
def average_precision(y, scores):
    total, before = 0.0, 0.0
    for t in sorted(set(scores.tolist()), reverse=True):
        TP = sum(1 for label, s in zip(y, scores) if s >= t and label == 1)
        called = sum(1 for s in scores if s >= t)
        recall = TP / sum(1 for label in y if label == 1)
        total, before = total + (recall - before) * TP / called, recall
    return total


@A.right("q3", "cumulative counts, single precision")
def average_precision(y, scores):
    order = np.argsort(-scores)
    s, plus = scores[order], y[order] == 1
    last = np.append(np.diff(s) != 0, True)
    TP, called = np.cumsum(plus)[last], np.flatnonzero(last) + 1
    steps = np.diff(np.append(0, TP)) / np.float32(plus.sum())
    return np.float32(np.sum(steps * np.float32(TP / called)))


# --- q4 ------------------------------------------------------------------------------------------


@A.wrong("q4", "the arguments are swapped: precision and recall change places", caught_by=MACRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    true, called = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), 2 * TP.sum() / (called + true).sum()


@A.wrong(
    "q4",
    "macro and micro are mixed up: the first three are pooled, the last is a mean",
    caught_by=MACRO,
)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return TP.sum() / called.sum(), TP.sum() / true.sum(), TP.sum() / len(y), F1.mean()


@A.wrong("q4", "weighs each class by how often it is true", caught_by=MACRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1, share = 2 * TP / np.maximum(called + true, 1), true / len(y)
    return share @ P, share @ R, share @ F1, TP.sum() / len(y)


@A.wrong("q4", "macro F1 is made from macro precision and macro recall", caught_by=MACRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = np.mean(TP / np.maximum(called, 1)), np.mean(TP / np.maximum(true, 1))
    return P, R, 2 * P * R / (P + R) if P + R else 0.0, TP.sum() / len(y)


@A.wrong("q4", "F1 of a class is the arithmetic mean of its precision and recall", caught_by=MACRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    return P.mean(), R.mean(), np.mean((P + R) / 2), TP.sum() / len(y)


@A.wrong("q4", "adds up over the classes without dividing by k", caught_by=MACRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.sum(), R.sum(), F1.sum(), TP.sum() / len(y)


@A.wrong("q4", "takes class 1 for the positive one and forgets the others", caught_by=MACRO)
def averages(y, predicted, k):
    called, true = np.sum(predicted == 1), np.sum(y == 1)
    TP = np.sum((predicted == 1) & (y == 1))
    F1 = 2 * TP / max(called + true, 1)
    return TP / max(called, 1), TP / max(true, 1), F1, np.mean(y == predicted)


@A.wrong("q4", "leaves out the last class", caught_by=MACRO)
def averages(y, predicted, k):
    c = np.arange(k - 1)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), 2 * TP.sum() / (called + true).sum()


@A.wrong("q4", "micro F1 is the macro one again", caught_by=MICRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = np.mean(2 * TP / np.maximum(called + true, 1))
    return P.mean(), R.mean(), F1, F1


@A.wrong("q4", "micro F1 is TP / (TP + FP + FN): the 2 is missing on both sides", caught_by=MICRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), TP.sum() / (called + true - TP).sum()


@A.wrong("q4", "micro counts each wrong answer once, as a false positive only", caught_by=MICRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), 2 * TP.sum() / (2 * TP + called - TP).sum()


@A.wrong("q4", "micro F1 is the F1 of macro precision and macro recall", caught_by=MICRO)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = np.mean(TP / np.maximum(called, 1)), np.mean(TP / np.maximum(true, 1))
    F1 = np.mean(2 * TP / np.maximum(called + true, 1))
    return P, R, F1, 2 * P * R / (P + R) if P + R else 0.0


@A.wrong(
    "q4",
    "counts the true negatives in: micro is the accuracy of k yes-no questions",
    caught_by=MICRO,
)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), np.mean((predicted == c) == (y == c))


@A.wrong("q4", "crashes at 0/0", caught_by=ABSENT)
def averages(y, predicted, k):
    P, R, F1 = [], [], []
    for c in range(k):
        TP = int(np.sum((predicted == c) & (y == c)))
        called, true = int(np.sum(predicted == c)), int(np.sum(y == c))
        P.append(TP / called)
        R.append(TP / true)
        F1.append(2 * TP / (called + true))
    return sum(P) / k, sum(R) / k, sum(F1) / k, np.mean(y == predicted)


@A.wrong("q4", "0/0 comes out as nan", caught_by=ABSENT)
def averages(y, predicted, k):
    c = np.arange(k)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    with np.errstate(invalid="ignore"):
        P, R, F1 = TP / called, TP / true, 2 * TP / (called + true)
    return P.mean(), R.mean(), F1.mean(), TP.sum() / len(y)


@A.wrong("q4", "leaves classes with 0/0 out of the mean", caught_by=ABSENT)
def averages(y, predicted, k):
    P, R, F1 = [], [], []
    for c in range(k):
        TP = np.sum((predicted == c) & (y == c))
        called, true = np.sum(predicted == c), np.sum(y == c)
        P += [TP / called] if called else []
        R += [TP / true] if true else []
        F1 += [2 * TP / (called + true)] if called + true else []
    return np.mean(P), np.mean(R), np.mean(F1), np.mean(y == predicted)


@A.wrong("q4", "averages over the classes that occur in the truth only", caught_by=ABSENT)
def averages(y, predicted, k):
    c = np.unique(y)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), np.mean(y == predicted)


@A.wrong("q4", "averages over the classes that were said only", caught_by=ABSENT)
def averages(y, predicted, k):
    c = np.unique(predicted)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), np.mean(y == predicted)


@A.wrong("q4", "0/0 counts as 1", caught_by=ABSENT)
def averages(y, predicted, k):
    P, R, F1 = [], [], []
    for c in range(k):
        TP = np.sum((predicted == c) & (y == c))
        called, true = np.sum(predicted == c), np.sum(y == c)
        P.append(TP / called if called else 1.0)
        R.append(TP / true if true else 1.0)
        F1.append(2 * TP / (called + true) if called + true else 1.0)
    return np.mean(P), np.mean(R), np.mean(F1), np.mean(y == predicted)


@A.wrong("q4", "takes once for never: > 1 where > 0 is meant", caught_by=ABSENT)
def averages(y, predicted, k):
    P, R, F1 = [], [], []
    for c in range(k):
        TP = np.sum((predicted == c) & (y == c))
        called, true = np.sum(predicted == c), np.sum(y == c)
        P.append(TP / called if called > 1 else 0.0)
        R.append(TP / true if true > 1 else 0.0)
        F1.append(2 * TP / (called + true) if called + true > 1 else 0.0)
    return np.mean(P), np.mean(R), np.mean(F1), np.mean(y == predicted)


@A.wrong("q4", "ignores k: the largest class of the truth is taken for the last", caught_by=ABSENT)
def averages(y, predicted, k):
    c = np.arange(y.max() + 1)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), np.mean(y == predicted)


@A.wrong("q4", "ignores k: the largest class that was said is taken for the last", caught_by=ABSENT)
def averages(y, predicted, k):
    c = np.arange(predicted.max() + 1)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), np.mean(y == predicted)


@A.wrong("q4", "ignores k: the largest class that turns up is taken for the last", caught_by=ABSENT)
def averages(y, predicted, k):
    c = np.arange(max(y.max(), predicted.max()) + 1)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), np.mean(y == predicted)


@A.wrong("q4", "ignores k: averages over the classes that turn up", caught_by=ABSENT)
def averages(y, predicted, k):
    c = np.union1d(y, predicted)[:, None]
    called, true = np.sum(predicted == c, axis=1), np.sum(y == c, axis=1)
    TP = np.sum((predicted == c) & (y == c), axis=1)
    P, R = TP / np.maximum(called, 1), TP / np.maximum(true, 1)
    F1 = 2 * TP / np.maximum(called + true, 1)
    return P.mean(), R.mean(), F1.mean(), np.mean(y == predicted)


@A.right("q4", "from a table of counts; micro is the accuracy")
def averages(y, predicted, k):
    table = np.zeros((k, k))
    np.add.at(table, (predicted, y), 1)
    TP, called, true = np.diag(table), table.sum(axis=1), table.sum(axis=0)
    P = np.divide(TP, called, out=np.zeros(k), where=called > 0)
    R = np.divide(TP, true, out=np.zeros(k), where=true > 0)
    F1 = np.divide(2 * P * R, P + R, out=np.zeros(k), where=P + R > 0)
    return [np.mean(P), np.mean(R), np.mean(F1), np.trace(table) / table.sum()]


@A.right("q4", "loops over lists, single precision")
def averages(y, predicted, k):
    P = R = F = np.float32(0)
    pooled = [0, 0, 0]
    for c in range(k):
        TP = sum(1 for t, s in zip(y, predicted) if t == c == s)
        FP = sum(1 for t, s in zip(y, predicted) if t != c == s)
        FN = sum(1 for t, s in zip(y, predicted) if t == c != s)
        P += np.float32(TP / (TP + FP) if TP + FP else 0)
        R += np.float32(TP / (TP + FN) if TP + FN else 0)
        F += np.float32(2 * TP / (2 * TP + FP + FN) if TP + FP + FN else 0)
        pooled = [pooled[0] + TP, pooled[1] + FP, pooled[2] + FN]
    TP, FP, FN = pooled
    return P / k, R / k, F / k, 2 * TP / (2 * TP + FP + FN)


# --- q5 ------------------------------------------------------------------------------------------


@A.wrong("q5", "R/gamma is not squared", caught_by=BOTH)
def capacity(R, gamma, d):
    return min(int(np.floor(R / gamma)), d), min(int(np.ceil(R / gamma)), d) + 1


@A.wrong("q5", "takes gamma for the width of the street: D/rho becomes 2 R/gamma", caught_by=BOTH)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(int(np.floor(ratio)), d), min(int(np.ceil(4 * ratio)), d) + 1


@A.wrong("q5", "takes R for the diameter of the ball: D/rho becomes R/(2 gamma)", caught_by=BOTH)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(int(np.floor(ratio)), d), min(int(np.ceil(ratio / 4)), d) + 1


@A.wrong("q5", "the + 1 of h is missing", caught_by=BOTH)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(int(np.floor(ratio)), d), min(int(np.ceil(ratio)), d)


@A.wrong("q5", "the + 1 of h stands inside the minimum", caught_by=BOTH)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(int(np.floor(ratio)), d), min(int(np.ceil(ratio)) + 1, d)


@A.wrong("q5", "takes the larger of the two instead of the smaller", caught_by=BOTH)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return max(int(np.floor(ratio)), d), max(int(np.ceil(ratio)), d) + 1


@A.wrong("q5", "rounds the number of points up", caught_by=BOTH)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(int(np.ceil(ratio)), d), min(int(np.ceil(ratio)), d) + 1


@A.wrong("q5", "rounds down in h", caught_by=BOTH)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(int(np.floor(ratio)), d), min(int(np.floor(ratio)), d) + 1


@A.wrong("q5", "does not round at all", caught_by=BOTH)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(ratio, d), min(ratio, d) + 1


@A.wrong("q5", "squares after rounding", caught_by=BOTH)
def capacity(R, gamma, d):
    return min(int(np.floor(R / gamma)) ** 2, d), min(int(np.ceil(R / gamma)) ** 2, d) + 1


A["q5", "capacity", BOTH] = {
    "forgets the dimension in the number of points": {
        "min(int(np.floor(ratio)), d)": "int(np.floor(ratio))",
    },
    "forgets the dimension in h": {"min(int(np.ceil(ratio)), d)": "int(np.ceil(ratio))"},
    "gives separators through the origin d + 1 points, as if they had an offset": {
        "int(np.floor(ratio)), d": "int(np.floor(ratio)), d + 1",
    },
    "the ratio is upside down": {"R / gamma": "gamma / R"},
}


@A.wrong("q5", "rounds up by adding 1, also where the ratio is whole already", caught_by=WHOLE)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(int(ratio), d), min(int(ratio) + 1, d) + 1


@A.wrong("q5", "takes at most for less than: a whole ratio loses a point", caught_by=WHOLE)
def capacity(R, gamma, d):
    ratio = (R / gamma) ** 2
    return min(int(np.ceil(ratio)) - 1, d), min(int(np.ceil(ratio)), d) + 1


@A.right("q5", "with D and rho spelled out, whole-number arithmetic")
def capacity(R, gamma, d):
    D, rho = 2 * R, 2 * gamma
    ratio = D**2 / rho**2
    points = min(d, int(ratio + 1e-9))
    return [points, 1 + min(d, -int(-ratio // 1))]


@A.right("q5", "arrays of floats")
def capacity(R, gamma, d):
    ratio = np.float32(R) ** 2 / np.float32(gamma) ** 2
    return np.minimum([np.floor(ratio), np.ceil(ratio)], d) + np.array([0.0, 1.0])


# --- q6 ------------------------------------------------------------------------------------------


@A.wrong("q6", "counts points only: up to d + 1 of them are called shattered", caught_by=DEPENDENCE)
def shatter(X):
    n, d = X.shape
    Z = np.column_stack([X, np.ones(n)])
    if n > d + 1:
        return False, np.linalg.svd(Z.T)[2][-1]
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong(
    "q6",
    "there is no offset: dependence of the x is taken for dependence of the (x, 1)",
    caught_by=SEPARATORS,
)
def shatter(X):
    n = len(X)
    if np.linalg.matrix_rank(X) < n:
        return False, np.linalg.svd(X.T)[2][-1]
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    W = np.linalg.lstsq(X, labels.T, rcond=None)[0].T
    return True, np.column_stack([W, np.zeros(2**n)])


@A.wrong("q6", "tries half of the labellings only", caught_by=SEPARATORS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.svd(Z.T)[2][-1]
    labels = 2.0 * (np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "leaves out the two labellings with one class", caught_by=SEPARATORS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.svd(Z.T)[2][-1]
    labels = 2.0 * (np.arange(1, 2**n - 1)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "labels are 0 and 1: the negatives lie on the plane", caught_by=SEPARATORS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.svd(Z.T)[2][-1]
    labels = 1.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1)
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "returns the labellings instead of their separators", caught_by=SEPARATORS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.svd(Z.T)[2][-1]
    return True, 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1


@A.wrong("q6", "the offset comes first in each row, not last", caught_by=SEPARATORS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([np.ones(n), X])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.svd(Z.T)[2][-1]
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "gives up on any set that it has no separator formula for", caught_by=SEPARATORS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    return False, np.linalg.svd(Z.T)[2][-1]


@A.wrong(
    "q6",
    "trusts least squares: it answers always, but does not always separate",
    caught_by=OTHERS,
)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "the dependence lacks sum a = 0", caught_by=DEPENDENCE)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        a = np.linalg.svd(X.T)[2][-1]
        shift = np.linalg.svd(np.column_stack([X + 20.0, np.ones(n)]).T)[2][-1]
        return False, a if abs(a.sum()) > 1e-6 else a + np.abs(shift)
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "the dependence lacks sum a x = 0", caught_by=DEPENDENCE)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.append(np.ones(n - 1), 1.0 - n)
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "all a are 0: that balances, and proves nothing", caught_by=DEPENDENCE)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.lstsq(Z.T, np.zeros(Z.shape[1]), rcond=None)[0]
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "returns the refuted labels instead of the dependence", caught_by=DEPENDENCE)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.where(np.linalg.svd(Z.T)[2][-1] > 0, 1.0, -1.0)
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "the signs of a are lost", caught_by=DEPENDENCE)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.abs(np.linalg.svd(Z.T)[2][-1])
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong(
    "q6",
    "takes a vector with Z v = 0, a plane through the points, for the dependence",
    caught_by=DEPENDENCE,
)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.svd(Z)[2][-1]
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "asks for a determinant, which only d + 1 points have", caught_by=OTHERS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if abs(np.linalg.det(Z)) < 1e-6:
        return False, np.linalg.svd(Z.T)[2][-1]
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.solve(Z, labels.T).T


@A.wrong("q6", "sets the last a to 1, though the last point may take no part", caught_by=OTHERS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.append(np.linalg.lstsq(Z[:-1].T, -Z[-1], rcond=None)[0], 1.0)
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong(
    "q6",
    "calls small sets shattered: fewer than d + 1 points may lie on a line, too",
    caught_by=OTHERS,
)
def shatter(X):
    n, d = X.shape
    Z = np.column_stack([X, np.ones(n)])
    if n >= d + 1 and np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.svd(Z.T)[2][-1]
    labels = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.wrong("q6", "always makes 16 labellings, whatever the number of points", caught_by=OTHERS)
def shatter(X):
    n = len(X)
    Z = np.column_stack([X, np.ones(n)])
    if np.linalg.matrix_rank(Z) < n:
        return False, np.linalg.svd(Z.T)[2][-1]
    labels = 2.0 * (np.arange(16)[:, None] >> np.arange(n) & 1) - 1
    return True, np.linalg.lstsq(Z, labels.T, rcond=None)[0].T


@A.right("q6", "elimination by hand, lists, w scaled to length 1")
def shatter(X):
    n, d = X.shape
    rows = [[*map(float, x), 1.0] + [float(i == j) for j in range(n)] for i, x in enumerate(X)]
    done = 0
    for c in range(d + 1):
        best = max(range(done, n), key=lambda r: abs(rows[r][c]), default=None)
        if best is None or abs(rows[best][c]) < 1e-9:
            continue
        rows[done], rows[best] = rows[best], rows[done]
        for r in range(n):
            if r != done:
                f = rows[r][c] / rows[done][c]
                rows[r] = [u - f * v for u, v in zip(rows[r], rows[done])]
        done += 1
    if done < n:
        return False, rows[-1][d + 1 :]
    proof = []
    for k in range(2**n):
        y = np.array([1.0 if k >> i & 1 else -1.0 for i in range(n)])
        v = np.linalg.pinv(np.column_stack([X, np.ones(n)])) @ y
        proof.append((v / np.linalg.norm(v)).tolist())
    return True, proof


@A.right("q6", "a perceptron for each labelling, rows in another order, some twice")
def shatter(X):
    n, d = X.shape
    Z = np.column_stack([X, np.full(n, 3.0)])
    a = np.linalg.eigh(Z @ Z.T)
    if a[0][0] < 1e-9 * a[0][-1]:
        return False, -7.5 * a[1][:, 0]
    rows = []
    for k in [*reversed(range(2**n)), 0, 1]:
        y = np.array([1 if k >> i & 1 else -1 for i in range(n)])
        v = np.linalg.lstsq(Z, 0.9 * y, rcond=None)[0]
        while np.any(y * (Z @ v) <= 0):
            i = int(np.argmin(y * (Z @ v)))
            v = v + y[i] * Z[i]
        rows.append(np.append(v[:d], 3.0 * v[d]))
    return np.True_, np.array(rows)


# --- changes to the solution that are as right as it ---------------------------------------------

NO_PAIRS = "the mean over no pairs is nan already"
A.equal |= {
    "q2 auc: if ahead.size == 0:  ->  if False:": NO_PAIRS,
    "q2 auc: if ahead.size == 0:  ->  pass": NO_PAIRS,
    "q4 averages: F1 = 2 * TP / np.maximum(total, 1)  ->  F1 = 2 * TP / np.maximum(total, 2)": (
        "where the total is 1, TP is 0"
    ),
    "q6 shatter: codes = np.arange(2 ** n)[:, None]  ->  codes = np.arange(3 ** n)[:, None]": (
        "some labellings come twice"
    ),
    "q6 shatter: labels = 2.0 * bits - 1  ->  labels = 3.0 * bits - 1": "the signs are the same",
}
