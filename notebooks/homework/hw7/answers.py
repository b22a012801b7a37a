"""Planted answers of homework 7: wrong ones with the name of their mistake, and right variants.

Answers to later questions call the last `features`, `viterbi` and `update` of this file: the ones
that do what the master's do.
"""

import numpy as np

from lectures_homework.language.answers import Answers

A = Answers("hw7")


# --- q1 -------------------------------------------------------------------------------------------

PLACES = "features: every place counts for its tag"
PAIRS = "features: tags count after tags"
SCORE = "score: θ·f(x, y)"
REPEATS = "repeats add up, and a word of one letter has no pair"


A["q1", "features", PLACES] = {
    "the last place with a tag overwrites the others": {"F[:, y[t]] += x[t]": "F[:, y[t]] = x[t]"},
    "counts the places of a tag and forgets their features": {"x[t]": "1"},
    "F is turned round: it has a row for each feature": {"return F": "return F.T"},
    "takes the mean over the places instead of the sum": {"return F": "return F / len(y)"},
}


@A.wrong("q1", "leaves the first place out", caught_by=PLACES)
def features(x, y, S):
    F, G = np.zeros((x.shape[1], S)), np.zeros((S, S))
    for t in range(len(y)):
        if t > 0:
            F[:, y[t]] += x[t]
            G[y[t - 1], y[t]] += 1
    return F, G


@A.wrong("q1", "leaves the last place out", caught_by=PLACES)
def features(x, y, S):
    F, G = np.zeros((x.shape[1], S)), np.zeros((S, S))
    for t in range(len(y)):
        if t < len(y) - 1:
            F[:, y[t]] += x[t]
        if t > 0:
            G[y[t - 1], y[t]] += 1
    return F, G


A["q1", "features", PLACES] = {
    "numbers the tags from 1": {"F[:, y[t]]": "F[:, y[t] - 1]"},
    "gives every tag the features of all places": {"F[:, y[t]] += x[t]": "F += x[t][:, None]"},
    "gives a place the tag of the place before it": {"F[:, y[t]]": "F[:, y[max(t - 1, 0)]]"},
}


A["q1", "features", PAIRS] = {
    "the pairs are turned round: G[r, s] is for s after r": {"y[t - 1], y[t]": "y[t], y[t - 1]"},
}


@A.wrong("q1", "the first place comes after the last: y[-1]", caught_by=PAIRS)
def features(x, y, S):
    F, G = np.zeros((x.shape[1], S)), np.zeros((S, S))
    for t in range(len(y)):
        F[:, y[t]] += x[t]
        G[y[t - 1], y[t]] += 1
    return F, G


A["q1", "features", PAIRS] = {
    "counts every two tags of a word, neighbours or not": {
        "if t > 0": "for earlier in y[:t]",
        "y[t - 1]": "earlier",
    },
}


@A.wrong("q1", "counts tags on the diagonal, as if each came after itself", caught_by=PAIRS)
def features(x, y, S):
    F, G = np.zeros((x.shape[1], S)), np.zeros((S, S))
    for t in range(len(y)):
        F[:, y[t]] += x[t]
        G[y[t], y[t]] += 1
    return F, G


@A.wrong("q1", "counts pairs in both directions", caught_by=PAIRS)
def features(x, y, S):
    F, G = np.zeros((x.shape[1], S)), np.zeros((S, S))
    for t in range(len(y)):
        F[:, y[t]] += x[t]
        if t > 0:
            G[y[t - 1], y[t]] += 1
            G[y[t], y[t - 1]] += 1
    return F, G


A["q1", "features", PAIRS] = {
    "divides by the number of pairs": {"return F, G": "return F, G / max(1, len(y) - 1)"},
    "the first tag never starts a pair": {"0:": "1:"},
}


A["q1", "features", REPEATS] = {
    "counts a pair once, however often it comes": {
        "G[y[t - 1], y[t]] += 1": "G[y[t - 1], y[t]] = 1",
    },
}


@A.wrong("q1", "stops with an error at a word of one letter", caught_by=REPEATS)
def features(x, y, S):
    F, G = np.zeros((x.shape[1], S)), np.zeros((S, S))
    for t in range(len(y)):
        F[:, y[t]] += x[t]
    G[y[0], y[1]] += 1
    for t in range(2, len(y)):
        G[y[t - 1], y[t]] += 1
    return F, G


A["q1", "score", SCORE] = {
    "forgets the pairs": {"F, G": "F, _", "np.sum(A * F) + np.sum(B * G)": "np.sum(A * F)"},
    "forgets the places": {"F, G": "_, G", "np.sum(A * F) + np.sum(B * G)": "np.sum(B * G)"},
    "divides by the number of places": {
        "np.sum(A * F) + np.sum(B * G)": "(np.sum(A * F) + np.sum(B * G)) / len(y)",
    },
    "reads B the other way round": {"B * G": "B.T * G"},
    "multiplies the two parts instead of adding them": {
        "np.sum(A * F) + np.sum(B * G)": "np.sum(A * F) * np.sum(B * G)",
    },
}


@A.wrong("q1", "gives the score of the best tagging, not of this one", caught_by=SCORE)
def score(A, B, x, y):
    E = x @ A
    V = E[0]
    for e in E[1:]:
        V = e + (V[:, None] + B).max(axis=0)
    return V.max()


A["q1", "score", SCORE] = {
    "adds up the weights that fire, without how strongly": {
        "np.sum(A * F) + np.sum(B * G)": "np.sum(A[F != 0]) + np.sum(B[G != 0])",
    },
    "counts a pair once, whatever it is worth and however often": {"B * G": "G"},
}


A["q1", "score", REPEATS] = {
    "adds the weight of a pair once, however often it comes": {"B * G": "B * (G > 0)"},
}


@A.wrong("q1", "takes one pair too many, from the last place to the first", caught_by=SCORE)
def score(A, B, x, y):
    F, G = features(x, y, len(B))
    return np.sum(A * F) + np.sum(B * G) + B[y[-1], y[0]]


@A.right("q1", "one-hot matrices")
def features(x, y, S):
    hot = np.eye(S)[y]
    return x.T @ hot, hot[:-1].T @ hot[1:]


@A.right("q1", "lists, added up by hand", alone="later functions want arrays")
def features(x, y, S):
    F = [[0.0] * S for _ in x[0]]
    G = [[0] * S for _ in range(S)]
    for t, s in enumerate(y):
        for j, v in enumerate(x[t]):
            F[j][s] += float(v)
        if t:
            G[y[t - 1]][s] += 1
    return F, G


@A.right("q1", "np.add.at, in single precision; the last here, so that later answers call it")
def features(x, y, S):
    F, G = np.zeros((S, x.shape[1]), dtype=np.float32), np.zeros((S, S), dtype=int)
    np.add.at(F, y, x)
    np.add.at(G, (y[:-1], y[1:]), 1)
    return F.T, G


@A.right("q1", "place by place")
def score(A, B, x, y):
    total = x[0] @ A[:, y[0]]
    for t in range(1, len(y)):
        total += x[t] @ A[:, y[t]] + B[y[t - 1], y[t]]
    return total


@A.right("q1", "from the worth of the places, all at once")
def score(A, B, x, y):
    E = x @ A
    return float(E[np.arange(len(y)), y].sum() + B[y[:-1], y[1:]].sum())


# --- q2 -------------------------------------------------------------------------------------------

BEST = "it finds the best of all taggings"
EARLY = "what leads early need not win"
AFTER = "P[r, s] is for s after r"
ANY = "any numbers: all negative, one tag, one place"
LONG = "long words: n S² steps, not S^n"


@A.wrong("q2", "takes the best tag of each place by itself, without P", caught_by=EARLY)
def viterbi(E, P):
    return E.argmax(axis=1)


@A.wrong("q2", "takes the best step each time and never goes back", caught_by=EARLY)
def viterbi(E, P):
    y = [int(E[0].argmax())]
    for e in E[1:]:
        y.append(int((e + P[y[-1]]).argmax()))
    return y


@A.wrong(
    "q2", "takes the leader at each place instead of following the marks back", caught_by=EARLY
)
def viterbi(E, P):
    V, y = E[0], [int(E[0].argmax())]
    for e in E[1:]:
        V = e + (V[:, None] + P).max(axis=0)
        y.append(int(V.argmax()))
    return y


@A.wrong("q2", "takes the best step each time, from the end", caught_by=EARLY)
def viterbi(E, P):
    y = [int(E[-1].argmax())]
    for e in E[-2::-1]:
        y.append(int((e + P[:, y[-1]]).argmax()))
    return y[::-1]


A["q2", "viterbi", AFTER] = {
    "P is turned round: P[r, s] is for s after r": {"V[:, None] + P": "V[:, None] + P.T"},
    "takes P as if it were symmetric": {"V[:, None] + P": "V[:, None] + (P + P.T) / 2"},
}


A["q2", "viterbi", BEST] = {
    "the maximum runs over the next tag, not over the one before": {
        "ways.argmax(axis=0)": "ways.argmax(axis=1)",
        "ways.max(axis=0)": "ways.max(axis=1)",
    },
}


A["q2", "viterbi", AFTER] = {
    "adds V along the wrong axis: the tag before is a row of P": {"V[:, None]": "V[None, :]"},
}


A["q2", "viterbi", BEST] = {
    "forgets what the first place is worth": {"E[0]": "np.zeros(len(P))"},
    "forgets what the later places are worth": {
        "e in": "_e in",
        "e + ways.max(axis=0)": "ways.max(axis=0)",
    },
    "returns the tagging backwards": {"y[::-1]": "y"},
    "follows the marks from tag 0, not from the best last tag": {"int(V.argmax())": "0"},
    "follows the marks from the worst last tag": {"V.argmax()": "V.argmin()"},
}


@A.wrong("q2", "minimises instead of maximising", caught_by=BEST)
def viterbi(E, P):
    V, back = E[0], []
    for e in E[1:]:
        ways = V[:, None] + P
        back.append(ways.argmin(axis=0))
        V = e + ways.min(axis=0)
    y = [int(V.argmin())]
    for marks in reversed(back):
        y.append(int(marks[y[-1]]))
    return y[::-1]


A["q2", "viterbi", BEST] = {
    "marks the worst way while it keeps the best score": {
        "ways.argmax(axis=0)": "ways.argmin(axis=0)",
    },
    "multiplies with P instead of adding it": {"V[:, None] + P": "V[:, None] * P"},
}


@A.wrong("q2", "returns the score instead of the tagging", caught_by=BEST)
def viterbi(E, P):
    V = E[0]
    for e in E[1:]:
        V = e + (V[:, None] + P).max(axis=0)
    return V.max()


A["q2", "viterbi", BEST] = {
    "treats the first place as if tag 0 came before it": {"E[0]": "E[0] + P[0]"},
    "looks up the mark with the best tag of E, not with the tag that was chosen": {
        "marks in reversed(back)": "marks, e in zip(reversed(back), E[::-1])",
        "y[-1]": "e.argmax()",
    },
}


A["q2", "viterbi", AFTER] = {
    "counts what a later place is worth twice": {"V = e": "V = 2 * e"},
}


A["q2", "viterbi", ANY] = {
    "starts below nothing: scores under 0 are cut off": {
        "e + ways.max(axis=0)": "np.maximum(0, e + ways.max(axis=0))",
    },
}


@A.wrong("q2", "stops with an error at a word of one letter", caught_by=ANY)
def viterbi(E, P):
    ways = E[0][:, None] + P
    V, back = E[1] + ways.max(axis=0), [ways.argmax(axis=0)]
    for e in E[2:]:
        ways = V[:, None] + P
        back.append(ways.argmax(axis=0))
        V = e + ways.max(axis=0)
    y = [int(V.argmax())]
    for marks in reversed(back):
        y.append(int(marks[y[-1]]))
    return y[::-1]


@A.wrong("q2", "keeps only the two best ways at each place", caught_by=LONG)
def viterbi(E, P):
    ways = [(E[0, s], [s]) for s in range(len(P))]
    for e in E[1:]:
        ways = sorted(ways, key=lambda way: -way[0])[:2]
        ways = [(v + P[y[-1], s] + e[s], [*y, s]) for v, y in ways for s in range(len(P))]
    return max(ways, key=lambda way: way[0])[1]


@A.wrong("q2", "lists all taggings: there are S^n of them", caught_by=LONG, endless=True)
def viterbi(E, P):
    from itertools import pairwise, product

    best, found = -np.inf, None
    for y in product(range(len(P)), repeat=len(E)):
        value = sum(E[t, s] for t, s in enumerate(y)) + sum(P[r, s] for r, s in pairwise(y))
        if value > best:
            best, found = value, list(y)
    return found


@A.right("q2", "plain loops, a whole tagging kept for each last tag")
def viterbi(E, P):
    ways = [(E[0][s], [s]) for s in range(len(P))]
    for t in range(1, len(E)):
        new = []
        for s in range(len(P)):
            v, y = max(((v + P[y[-1]][s], y) for v, y in ways), key=lambda way: way[0])
            new.append((v + E[t][s], [*y, s]))
        ways = new
    return max(ways, key=lambda way: way[0])[1]


@A.right(
    "q2", "from the last place to the first, an array", alone="the master's train compares lists"
)
def viterbi(E, P):
    n, S = E.shape
    V, ahead = E[-1].copy(), np.zeros((n, S), dtype=int)
    for t in range(n - 2, -1, -1):
        ways = P + V
        ahead[t] = ways.argmax(axis=1)
        V = E[t] + ways.max(axis=1)
    y = np.zeros(n, dtype=int)
    y[0] = V.argmax()
    for t in range(1, n):
        y[t] = ahead[t - 1, y[t - 1]]
    return y


@A.right("q2", "of several best taggings the last, in single precision")
def viterbi(E, P):
    S = len(P)
    V, back = E[0].astype(np.float32), []
    for e in E[1:]:
        ways = (V[:, None] + P)[::-1]
        back.append(S - 1 - ways.argmax(axis=0))
        V = (e + ways.max(axis=0)).astype(np.float32)
    y = [int(S - 1 - V[::-1].argmax())]
    for marks in back[::-1]:
        y.insert(0, int(marks[y[0]]))
    return y


@A.right("q2", "marks and scores in two tables; the last here, so that later answers call it")
def viterbi(E, P):
    n, S = E.shape
    V, came = np.zeros((n, S)), np.zeros((n, S), dtype=int)
    V[0] = E[0]
    for t in range(1, n):
        ways = P.T + V[t - 1]
        came[t] = ways.argmax(axis=1)
        V[t] = E[t] + ways.max(axis=1)
    y = [int(np.argmax(V[n - 1]))]
    for t in range(n - 1, 0, -1):
        y.insert(0, int(came[t, y[0]]))
    return y


# --- q3 -------------------------------------------------------------------------------------------

SAME = "a right prediction changes nothing"
MOVES = "a wrong one moves θ by ε (f(x, y) - f(x, y*))"
OVERLAP = "any step, any overlap of the two taggings"


A["q3", "update", MOVES] = {
    "moves the wrong way: adds what was said and takes away what is right": {
        "A + epsilon * (F - F_star), B + epsilon": "A - epsilon * (F - F_star), B - epsilon",
    },
}


@A.wrong("q3", "adds the right features and takes nothing away", caught_by=SAME)
def update(A, B, x, y, epsilon):
    F, G = features(x, y, len(B))
    return A + epsilon * F, B + epsilon * G


@A.wrong("q3", "takes the said features away and adds nothing", caught_by=SAME)
def update(A, B, x, y, epsilon):
    F_star, G_star = features(x, viterbi(x @ A, B), len(B))
    return A - epsilon * F_star, B - epsilon * G_star


A["q3", "update", MOVES] = {
    "forgets the step size": {
        "epsilon * (F - F_star), B + epsilon * (G - G_star)": "F - F_star, B + G - G_star",
    },
    "forgets the step size in B": {"epsilon * (G - G_star)": "G - G_star"},
}


@A.wrong("q3", "leaves B as it was", caught_by=MOVES)
def update(A, B, x, y, epsilon):
    y_star = viterbi(x @ A, B)
    F, _G = features(x, y, len(B))
    F_star, _G_star = features(x, y_star, len(B))
    return A + epsilon * (F - F_star), B


@A.wrong("q3", "leaves A as it was", caught_by=MOVES)
def update(A, B, x, y, epsilon):
    y_star = viterbi(x @ A, B)
    _F, G = features(x, y, len(B))
    _F_star, G_star = features(x, y_star, len(B))
    return A, B + epsilon * (G - G_star)


A["q3", "update", SAME] = {
    "predicts each place by itself, without B": {"viterbi(x @ A, B)": "(x @ A).argmax(axis=1)"},
}


@A.wrong("q3", "predicts by the best step each time", caught_by=SAME)
def update(A, B, x, y, epsilon):
    E = x @ A
    y_star = [int(E[0].argmax())]
    for e in E[1:]:
        y_star.append(int((e + B[y_star[-1]]).argmax()))
    F, G = features(x, y, len(B))
    F_star, G_star = features(x, y_star, len(B))
    return A + epsilon * (F - F_star), B + epsilon * (G - G_star)


@A.wrong("q3", "multiplies the step by the number of wrong tags", caught_by=MOVES)
def update(A, B, x, y, epsilon):
    y_star = viterbi(x @ A, B)
    F, G = features(x, y, len(B))
    F_star, G_star = features(x, y_star, len(B))
    loss = np.sum(np.array(y_star) != y)
    return A + epsilon * loss * (F - F_star), B + epsilon * loss * (G - G_star)


@A.wrong("q3", "divides the step by its length", caught_by=MOVES)
def update(A, B, x, y, epsilon):
    y_star = viterbi(x @ A, B)
    F, G = features(x, y, len(B))
    F_star, G_star = features(x, y_star, len(B))
    size = np.sqrt(np.sum((F - F_star) ** 2) + np.sum((G - G_star) ** 2)) or 1.0
    return A + epsilon * (F - F_star) / size, B + epsilon * (G - G_star) / size


A["q3", "update", SAME] = {
    "returns the change, not the new weights": {
        "A + epsilon * (F - F_star), B + epsilon": "epsilon * (F - F_star), epsilon",
    },
}


@A.wrong("q3", "moves a pair only where both of its tags are wrong", caught_by=OVERLAP)
def update(A, B, x, y, epsilon):
    y_star = viterbi(x @ A, B)
    F, _ = features(x, y, len(B))
    F_star, _ = features(x, y_star, len(B))
    B = B.copy()
    for t in range(1, len(y)):
        if y[t] != y_star[t] and y[t - 1] != y_star[t - 1]:
            B[y[t - 1], y[t]] += epsilon
            B[y_star[t - 1], y_star[t]] -= epsilon
    return A + epsilon * (F - F_star), B


@A.wrong("q3", "moves the first wrong place only", caught_by=OVERLAP)
def update(A, B, x, y, epsilon):
    y_star = viterbi(x @ A, B)
    _F, G = features(x, y, len(B))
    _, G_star = features(x, y_star, len(B))
    A = A.copy()
    for t in range(len(y)):
        if y[t] != y_star[t]:
            A[:, y[t]] += epsilon * x[t]
            A[:, y_star[t]] -= epsilon * x[t]
            break
    return A, B + epsilon * (G - G_star)


A["q3", "update", MOVES] = {
    "squares the step": {
        "epsilon * (F - F_star), B + epsilon": "epsilon**2 * (F - F_star), B + epsilon**2",
    },
}


A["q3", "update", SAME] = {
    "finds the prediction with B turned round": {"x @ A, B": "x @ A, B.T"},
}


@A.right("q3", "only at a mistake, place by place")
def update(A, B, x, y, epsilon):
    y_star = viterbi(x @ A, B)
    if list(y) == y_star:
        return A, B
    A, B = A.copy(), B.copy()
    for t in range(len(y)):
        A[:, y[t]] += epsilon * x[t]
        A[:, y_star[t]] -= epsilon * x[t]
        if t > 0:
            B[y[t - 1], y[t]] += epsilon
            B[y_star[t - 1], y_star[t]] -= epsilon
    return A, B


@A.right("q3", "a signed sum over both taggings; the last here")
def update(A, B, x, y, epsilon):
    S, changes = len(B), []
    for sign, z in ((epsilon, list(y)), (-epsilon, viterbi(x @ A, B))):
        hot = np.eye(S)[z]
        step = sign * (x.T @ hot), sign * (hot[:-1].T @ hot[1:])
        changes.append(step)
    return A + changes[0][0] + changes[1][0], B + changes[0][1] + changes[1][1]


# --- q4 -------------------------------------------------------------------------------------------

COUNT = "the mistakes of all passes are counted"
ONE = "the average of one pass"
ROUNDS = "every round counts, with a mistake or without"
ALL = "the average runs over all passes"


@A.wrong("q4", "returns the last weights, not the average", caught_by=ONE)
def train(X, Y, A, B, passes):
    mistakes = 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            A, B = update(A, B, x, y, 1.0)
    return A, B, mistakes


@A.wrong("q4", "adds up only at mistakes", caught_by=ONE)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            wrong = viterbi(x @ A, B) != list(y)
            A, B = update(A, B, x, y, 1.0)
            if wrong:
                mistakes += 1
                total_A, total_B = total_A + A, total_B + B
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "adds up only at mistakes and divides by their number", caught_by=ROUNDS)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            wrong = viterbi(x @ A, B) != list(y)
            A, B = update(A, B, x, y, 1.0)
            if wrong:
                mistakes += 1
                total_A, total_B = total_A + A, total_B + B
    T = max(1, mistakes)
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "averages the weights before each round, the start included", caught_by=ONE)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            total_A, total_B = total_A + A, total_B + B
            A, B = update(A, B, x, y, 1.0)
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


A["q4", "train", ONE] = {
    "divides by the number of passes": {"passes * len(X)": "passes"},
    "divides by the number of mistakes, not of rounds": {"passes * len(X)": "max(1, mistakes)"},
    "averages A and returns the last B": {"total_B / T": "B"},
    "averages B and returns the last A": {"total_A / T": "A"},
}


@A.wrong("q4", "counts wrong tags instead of wrong words", caught_by=COUNT)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            mistakes += int(np.sum(np.array(viterbi(x @ A, B)) != y))
            A, B = update(A, B, x, y, 1.0)
            total_A, total_B = total_A + A, total_B + B
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "counts the mistakes of the last pass only", caught_by=COUNT)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        mistakes = 0
        for x, y in zip(X, Y):
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            A, B = update(A, B, x, y, 1.0)
            total_A, total_B = total_A + A, total_B + B
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "looks for the mistake with the new weights", caught_by=COUNT)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            A, B = update(A, B, x, y, 1.0)
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            total_A, total_B = total_A + A, total_B + B
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


A["q4", "train", COUNT] = {
    "counts the right words": {"viterbi(x @ A, B) != list(y)": "viterbi(x @ A, B) == list(y)"},
}


@A.wrong("q4", "counts rounds, right or wrong", caught_by=COUNT)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            mistakes += 1
            A, B = update(A, B, x, y, 1.0)
            total_A, total_B = total_A + A, total_B + B
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "begins every pass with the first weights", caught_by=ALL)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    start = A, B
    for _ in range(passes):
        A, B = start
        for x, y in zip(X, Y):
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            A, B = update(A, B, x, y, 1.0)
            total_A, total_B = total_A + A, total_B + B
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "starts at zero, not with the weights given", caught_by=ONE)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    A, B = np.zeros(A.shape), np.zeros(B.shape)
    for _ in range(passes):
        for x, y in zip(X, Y):
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            A, B = update(A, B, x, y, 1.0)
            total_A, total_B = total_A + A, total_B + B
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "stops at the first clean pass and divides by the rounds made", caught_by=ALL)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes, T = np.zeros(A.shape), np.zeros(B.shape), 0, 0
    for _ in range(passes):
        before = mistakes
        for x, y in zip(X, Y):
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            A, B = update(A, B, x, y, 1.0)
            total_A, total_B, T = total_A + A, total_B + B, T + 1
        if mistakes == before:
            break
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "freezes the weights during a pass", caught_by=ONE)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        old_A, old_B = A, B
        for x, y in zip(X, Y):
            new_A, new_B = update(old_A, old_B, x, y, 1.0)
            if viterbi(x @ old_A, old_B) != list(y):
                mistakes += 1
            A, B = A + new_A - old_A, B + new_B - old_B
            total_A, total_B = total_A + A, total_B + B
    T = passes * len(X)
    return total_A / T, total_B / T, mistakes


A["q4", "train", ONE] = {
    "takes the words backwards": {"X, Y": "X[::-1], Y[::-1]"},
}


@A.wrong("q4", "adds up once a pass, at its end", caught_by=ALL)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            A, B = update(A, B, x, y, 1.0)
        total_A, total_B = total_A + A, total_B + B
    T = passes
    return total_A / T, total_B / T, mistakes


@A.wrong("q4", "averages the last pass only", caught_by=ALL)
def train(X, Y, A, B, passes):
    total_A, total_B, mistakes = np.zeros(A.shape), np.zeros(B.shape), 0
    for _ in range(passes):
        total_A, total_B = np.zeros(A.shape), np.zeros(B.shape)
        for x, y in zip(X, Y):
            if viterbi(x @ A, B) != list(y):
                mistakes += 1
            A, B = update(A, B, x, y, 1.0)
            total_A, total_B = total_A + A, total_B + B
    T = len(X)
    return total_A / T, total_B / T, mistakes


A["q4", "train", ALL] = {
    "makes one pass, whatever is asked": {"range(passes)": "range(1)", "passes * len(X)": "len(X)"},
}


A["q4", "train", ONE] = {
    "makes one pass too many": {
        "range(passes)": "range(passes + 1)",
        "T = passes": "T = (passes + 1)",
    },
    "updates with a step of one half": {"y, 1.0": "y, 0.5"},
}


@A.right("q4", "the lazy average: a change counts for the rounds that are left")
def train(X, Y, A, B, passes):
    left = T = passes * len(X)
    mean_A, mean_B, mistakes = A.copy(), B.copy(), 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            new_A, new_B = update(A, B, x, y, 1.0)
            if list(viterbi(x @ A, B)) != [int(s) for s in y]:
                mistakes += 1
                mean_A, mean_B = mean_A + left / T * (new_A - A), mean_B + left / T * (new_B - B)
                A, B = new_A, new_B
            left -= 1
    return mean_A, mean_B, mistakes


@A.right("q4", "a running mean, and everything in lists; the last here")
def train(X, Y, A, B, passes):
    kept, mistakes = [], 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            mistakes += any(a != b for a, b in zip(viterbi(x @ A, B), y))
            A, B = update(A, B, x, y, 1.0)
            kept.append((A, B))
    return np.mean([a for a, _ in kept], axis=0), np.mean([b for _, b in kept], axis=0), mistakes


# --- q5 -------------------------------------------------------------------------------------------

OWN = "your own handwriting is read"
OTHER = "other words in other hands"


@A.wrong("q5", "reads with the last weights, not with the average", caught_by=OWN)
def read_words(X, Y, X_new):
    A, B = np.zeros((X[0].shape[1], 26)), np.zeros((26, 26))
    for _ in range(5):
        for x, y in zip(X, Y):
            A, B = update(A, B, x, y, 1.0)
    return [viterbi(x @ A, B) for x in X_new]


@A.wrong("q5", "learns letters alone: every place is a word of its own", caught_by=OWN)
def read_words(X, Y, X_new):
    A, B = np.zeros((X[0].shape[1], 26)), np.zeros((26, 26))
    letters = [x[None] for word in X for x in word]
    A, B, _ = train(letters, [s[None] for y in Y for s in y], A, B, 5)
    return [viterbi(x @ A, B) for x in X_new]


A["q5", "read_words", OWN] = {
    "makes one pass only": {"B, 5": "B, 1"},
    "learns the pairs and does not use them to read": {
        "viterbi(x @ A, B)": "(x @ A).argmax(axis=1)",
    },
}


@A.wrong("q5", "reads by the best step each time", caught_by=OWN)
def read_words(X, Y, X_new):
    A, B = np.zeros((X[0].shape[1], 26)), np.zeros((26, 26))
    A, B, _ = train(X, Y, A, B, 5)
    said = []
    for x in X_new:
        E = x @ A
        y = [int(E[0].argmax())]
        for e in E[1:]:
            y.append(int((e + B[y[-1]]).argmax()))
        said.append(y)
    return said


@A.wrong("q5", "says the commonest letter everywhere", caught_by=OWN)
def read_words(X, Y, X_new):
    often = np.bincount(np.concatenate(Y)).argmax()
    return [[int(often)] * len(x) for x in X_new]


@A.wrong("q5", "returns text instead of tags", caught_by=OWN)
def read_words(X, Y, X_new):
    A, B = np.zeros((X[0].shape[1], 26)), np.zeros((26, 26))
    A, B, _ = train(X, Y, A, B, 5)
    return ["".join(chr(97 + s) for s in viterbi(x @ A, B)) for x in X_new]


@A.wrong("q5", "does not learn at all", caught_by=OWN)
def read_words(X, Y, X_new):
    A, B = np.zeros((X[0].shape[1], 26)), np.zeros((26, 26))
    return [viterbi(x @ A, B) for x in X_new]


@A.wrong("q5", "looks a word up by its length, and looks at no letter", caught_by=OWN)
def read_words(X, Y, X_new):
    by_length = {len(y): [int(s) for s in y] for y in Y}
    return [by_length.get(len(x), [0] * len(x)) for x in X_new]


A["q5", "read_words", OWN] = {
    "learns from ten words only": {"X, Y": "X[:10], Y[:10]"},
    "reads the words that it has learnt from, not the new ones": {"in X_new": "in X"},
}


@A.right("q5", "ten passes, one in each order, a sum instead of the average")
def read_words(X, Y, X_new):
    A, B = np.zeros((X[0].shape[1], 26)), np.zeros((26, 26))
    total_A, total_B = 0 * A, 0 * B
    rng = np.random.default_rng(3)
    for _ in range(10):
        for i in rng.permutation(len(X)):
            A, B = update(A, B, X[i], Y[i], 1.0)
            total_A, total_B = total_A + A, total_B + B
    return [viterbi(x @ total_A, total_B) for x in X_new]


@A.right("q5", "eight passes, tuples as arrays")
def read_words(X, Y, X_new):
    A, B = np.zeros((X[0].shape[1], 26)), np.zeros((26, 26))
    A, B, _ = train(X, Y, A, B, 8)
    return tuple(np.array(viterbi(x @ A, B)) for x in X_new)


@A.right("q5", "a small start, and only the averages of pairs")
def read_words(X, Y, X_new):
    rng = np.random.default_rng(0)
    A, B = 0.01 * rng.normal(size=(X[0].shape[1], 26)), 0.01 * rng.normal(size=(26, 26))
    A, B, _ = train(X, Y, A, B, 6)
    return [viterbi(10 * x @ A, 10 * B) for x in X_new]


# --- changes to the solution that are as right as it is -------------------------------------------

_START = "q5 read_words: A, B = (np.zeros((X[0].shape[1], 26)), np.zeros((26, 26)))  ->  A, B = "
A.equal[_START + "(np.zeros((X[0].shape[1], 26)), np.ones((26, 26)))"] = "all pairs alike: no start"
A.equal[_START + "(np.ones((X[0].shape[1], 26)), np.zeros((26, 26)))"] = "all tags alike: no start"
A.equal[_START + "(np.zeros((X[1].shape[1], 26)), np.zeros((26, 26)))"] = (
    "words have equal features"
)
_FIVE = "q5 read_words: A, B, _ = train(X, Y, A, B, 5)  ->  A, B, _ = train(X, Y, A, B, 6)"
A.equal[_FIVE] = "five passes or more"
