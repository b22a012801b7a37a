"""Planted answers to homework 1: wrong ones that the checks must catch, right ones they must not.

Each function stands for a whole answer. A wrong one names its misconception in words for a student.
"""

import numpy as np

from lectures_homework.language.answers import Answers

A = Answers("hw1")

# The names of the checks, as they are used below.
SIDE = "predict names the side of each row"
PREDICT_0 = "predict: a score of exactly 0 is +1"
STAY = "update: no mistake, no change"
MOVE = "update: a mistake moves w by y x and b by y"
UPDATE_0 = "update: a score of exactly 0 is a mistake"
FINDS = "it finds a separator where one exists"
STOPS = "it stops at the pass limit and admits it"
COUNTS = "mistakes of all passes are counted"
MOMENT = "every example meets the weights of that moment, in the given order"
OFFSET = "the offset takes part"
CLEAN = "converged says whether the last pass was clean"
AVERAGE = "w is an average, not the last w"
AVERAGE_B = "b is averaged like w"
ROUNDS = "every round counts, with a mistake or without"
PASSES = "the average runs over all passes"
PROVES = "your separable set gets a separator"
REFUTES = "your other set gets weights that refute every separator"
OTHERS = "other sets get their proof too"


# --- q1: predict ---------------------------------------------------------------------------------


A["q1", "predict", PREDICT_0] = {
    "predicts 0 where the score is 0": {"np.where(X @ w + b >= 0, 1, -1)": "np.sign(X @ w + b)"},
    "predicts -1 where the score is 0": {"b >= 0": "b > 0"},
}


A["q1", "predict", SIDE] = {
    "leaves the offset out of the score": {"w + b": "w"},
    "labels are 0 and 1 instead of -1 and +1": {"1, -1": "1, 0"},
    "returns the score instead of its side": {"np.where(X @ w + b >= 0, 1, -1)": "X @ w + b"},
    "subtracts the offset": {"w + b >= 0": "w >= b"},
}


@A.right("q1", "loops over rows, returns a list of whole numbers")
def predict(w, b, X):
    labels = []
    for x in X:
        score = b
        for w_j, x_j in zip(w, x):
            score += w_j * x_j
        labels.append(1 if score >= 0 else -1)
    return labels


@A.right("q1", "the offset as an extra feature")
def predict(w, b, X):
    X1 = np.column_stack([X, np.ones(len(X))])
    return 2 * (X1 @ np.append(w, b) >= 0) - 1


@A.right("q1", "single precision")
def predict(w, b, X):
    score = np.float32(X) @ np.float32(w) + np.float32(b)
    return np.where(score < 0, np.float32(-1), np.float32(1))


# --- q1: update ----------------------------------------------------------------------------------


@A.wrong("q1", "updates on every example", caught_by=STAY)
def update(w, b, x, y):
    return w + y * x, b + y


A["q1", "update", STAY] = {
    "updates also where a right example is near the line": {"(w @ x + b) <= 0": "(w @ x + b) < 1"},
    "leaves the offset out of the test for a mistake": {"x + b": "x"},
    "there is no offset: b is neither in the test nor moved": {"x + b": "x", "b + y": "b"},
    "tests the score without the label": {"y * (w @ x + b)": "w @ x + b"},
}


A["q1", "update", UPDATE_0] = {
    "a score of 0 is no mistake: from a zero start nothing is learnt": {
        "(w @ x + b) <= 0": "(w @ x + b) < 0",
    },
}


@A.wrong("q1", "a score of 0 is a mistake for negative examples only", caught_by=UPDATE_0)
def update(w, b, x, y):
    guess = 1 if w @ x + b >= 0 else -1
    if guess != y:
        return w + y * x, b + y
    return w, b


A["q1", "update", MOVE] = {
    "the sign of the update is flipped": {"w + y * x, b + y": "w - y * x, b - y"},
    "adds x whatever the label": {"y * x, b + y": "x, b + 1"},
}


@A.wrong("q1", "uses labels 0 and 1 in the update: negative examples move nothing", caught_by=MOVE)
def update(w, b, x, y):
    if y * (w @ x + b) <= 0:
        label = (y + 1) / 2
        return w + label * x, b + label
    return w, b


@A.wrong("q1", "steps of y minus the prediction are twice as long", caught_by=MOVE)
def update(w, b, x, y):
    guess = 1 if w @ x + b >= 0 else -1
    return w + (y - guess) * x, b + (y - guess)


@A.wrong("q1", "steps by the real-valued error instead of the label", caught_by=MOVE)
def update(w, b, x, y):
    if y * (w @ x + b) <= 0:
        error = y - (w @ x + b)
        return w + error * x, b + error
    return w, b


A["q1", "update", MOVE] = {
    "the offset never moves": {"b + y": "b"},
    "the offset moves by 1 whatever the label": {"b + y": "b + 1"},
    "the step is divided by the length of x": {"x, b": "x / np.linalg.norm(x), b"},
}


@A.right("q1", "the offset as an extra feature")
def update(w, b, x, y):
    w1, x1 = np.append(w, b), np.append(x, 1.0)
    if y * (w1 @ x1) <= 0:
        w1 = w1 + y * x1
    return w1[:-1], w1[-1]


@A.right("q1", "loops over lists")
def update(w, b, x, y):
    w = list(w)
    score = b + sum(w[j] * x[j] for j in range(len(w)))
    if (score > 0 and y < 0) or (score < 0 and y > 0) or score == 0:
        for j in range(len(w)):
            w[j] += y * x[j]
        b += y
    return [w, b]


@A.wrong("q1", "changes the w that it was given", caught_by=MOVE)
def update(w, b, x, y):
    if y * (w @ x + b) <= 0:
        w += y * x
        b += y
    return w, b


@A.right("q1", "single precision")
def update(w, b, x, y):
    w, x, b, y = np.float32(w), np.float32(x), np.float32(b), np.float32(y)
    wrong = np.float32(y * (w @ x + b) <= 0)
    return w + wrong * y * x, b + wrong * y


# --- q2 ------------------------------------------------------------------------------------------


@A.wrong("q2", "updates on every example", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            mistakes += int(y_i * (w @ x_i + b) <= 0)
            w, b = w + y_i * x_i, b + y_i
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "uses labels 0 and 1 in the update: negative examples move nothing", caught_by=FINDS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + (y_i > 0) * x_i, b + (y_i > 0), mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "a score of 0 is no mistake: from a zero start nothing is learnt", caught_by=FINDS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) < 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "there is no offset", caught_by=FINDS)
def perceptron(X, y, max_passes):
    w, mistakes = np.zeros(X.shape[1]), 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i) <= 0:
                w, mistakes = w + y_i * x_i, mistakes + 1
        if mistakes == before:
            return w, 0.0, mistakes, True
    return w, 0.0, mistakes, False


@A.wrong("q2", "the offset moves but is not used in the test for a mistake", caught_by=OFFSET)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "the step size scales w but not b", caught_by=OFFSET)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + 0.25 * y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "the sign of the update is flipped", caught_by=FINDS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w - y_i * x_i, b - y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "adds x whatever the label", caught_by=FINDS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + x_i, b + 1.0, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "one batch update a pass: w is frozen while the examples go by", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        wrong = y * (X @ w + b) <= 0
        if not wrong.any():
            return w, b, mistakes, True
        w, b = w + y[wrong] @ X[wrong], b + y[wrong].sum()
        mistakes += int(wrong.sum())
    return w, b, mistakes, False


@A.wrong("q2", "makes one pass only", caught_by=FINDS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for x_i, y_i in zip(X, y):
        if y_i * (w @ x_i + b) <= 0:
            w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
    return w, b, mistakes, mistakes == 0


@A.wrong("q2", "steps by y minus np.sign of the score: half a step at 0", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            error = y_i - np.sign(w @ x_i + b)
            w, b, mistakes = w + error * x_i, b + error, mistakes + int(error != 0)
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "steps by the real-valued error instead of the label", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            score = w @ x_i + b
            if y_i * score <= 0:
                w, b, mistakes = (
                    w + 0.02 * (y_i - score) * x_i,
                    b + 0.02 * (y_i - score),
                    mistakes + 1,
                )
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "counts only the mistakes of the last pass", caught_by=COUNTS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        mistakes = 0
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == 0:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "counts passes instead of mistakes", caught_by=COUNTS)
def perceptron(X, y, max_passes):
    w, b = np.zeros(X.shape[1]), 0.0
    for passes in range(max_passes):
        clean = True
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, clean = w + y_i * x_i, b + y_i, False
        if clean:
            return w, b, passes, True
    return w, b, max_passes, False


@A.wrong(
    "q2", "ignores the pass limit: endless where nothing separates", caught_by=STOPS, endless=True
)
def perceptron(X, y, max_passes):
    w, b, mistakes, clean = np.zeros(X.shape[1]), 0.0, 0, False
    while not clean:
        clean = True
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes, clean = w + y_i * x_i, b + y_i, mistakes + 1, False
    return w, b, mistakes, True


@A.wrong("q2", "says converged when the pass limit ended the loop", caught_by=STOPS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            break
    return w, b, mistakes, True


@A.wrong("q2", "denies convergence when the last pass allowed is the clean one", caught_by=CLEAN)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    passes = 0
    while passes < max_passes:
        passes, before = passes + 1, mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            break
    return w, b, mistakes, passes < max_passes


@A.wrong("q2", "says converged when the last example was right", caught_by=CLEAN)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            right = y_i * (w @ x_i + b) > 0
            if not right:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            break
    return w, b, mistakes, bool(right)


@A.wrong("q2", "makes one pass too many", caught_by=COUNTS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes + 1):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "makes one pass too few", caught_by=COUNTS)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(1, max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong(
    "q2", "converged says whether the final weights separate, not the last pass", caught_by=CLEAN
)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            break
    return w, b, mistakes, bool((y * (X @ w + b) > 0).all())


@A.wrong("q2", "shuffles the examples though the order is given", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    rng = np.random.default_rng(0)
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for i in rng.permutation(len(X)):
            if y[i] * (w @ X[i] + b) <= 0:
                w, b, mistakes = w + y[i] * X[i], b + y[i], mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "goes back to the first example after each mistake", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes * len(X)):
        wrong = np.flatnonzero(y * (X @ w + b) <= 0)
        if len(wrong) == 0:
            return w, b, mistakes, True
        i = wrong[0]
        w, b, mistakes = w + y[i] * X[i], b + y[i], mistakes + 1
    return w, b, mistakes, False


@A.wrong("q2", "stays at one example until it is right", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            while y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "forgets w at the start of each pass", caught_by=FINDS)
def perceptron(X, y, max_passes):
    mistakes = 0
    for _ in range(max_passes):
        w, b, before = np.zeros(X.shape[1]), 0.0, mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "never visits the last example", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for i in range(len(X) - 1):
            if y[i] * (w @ X[i] + b) <= 0:
                w, b, mistakes = w + y[i] * X[i], b + y[i], mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.wrong("q2", "starts at random weights instead of 0", caught_by=MOMENT)
def perceptron(X, y, max_passes):
    w, b, mistakes = np.random.default_rng(1).normal(size=X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False


@A.right("q2", "the offset as an extra feature, all passes made, the last one compared at the end")
def perceptron(X, y, max_passes):
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    v, mistakes = np.zeros(Z.shape[1]), 0
    for _ in range(max_passes):
        before = v
        for z in Z:
            if v @ z <= 0:
                v = v + z
                mistakes += 1
    return v[:-1], v[-1], mistakes, v is before


@A.right("q2", "the constant feature first, and a step of 0.1")
def perceptron(X, y, max_passes):
    Z = np.hstack([np.ones((len(X), 1)), X])
    v, mistakes, clean, passes = np.zeros(Z.shape[1]), 0, False, 0
    while not clean and passes < max_passes:
        clean, passes = True, passes + 1
        for z, label in zip(Z, y):
            if label * np.dot(v, z) <= 0:
                v += 0.1 * label * z
                mistakes += 1
                clean = False
    return v[1:], v[0], mistakes, clean


@A.right("q2", "loops over lists, plain numbers only")
def perceptron(X, y, max_passes):
    X, y = X.tolist(), y.tolist()
    w, b, mistakes = [0] * len(X[0]), 0, 0
    for _ in range(max_passes):
        wrong = 0
        for x_i, y_i in zip(X, y):
            score = sum(p * q for p, q in zip(w, x_i)) + b
            if y_i * score <= 0:
                w = [p + y_i * q for p, q in zip(w, x_i)]
                b += y_i
                wrong += 1
        mistakes += wrong
        if wrong == 0:
            return [w, b, mistakes, True]
    return [w, b, mistakes, False]


@A.right("q2", "single precision, steps of y minus the prediction, w scaled to length 1")
def perceptron(X, y, max_passes):
    X, y = X.astype(np.float32), y.astype(np.float32)
    w, b, mistakes, clean = np.zeros(X.shape[1], np.float32), np.float32(0), 0, False
    for _ in range(max_passes):
        clean = True
        for x_i, y_i in zip(X, y):
            score = w @ x_i + b
            guess = -y_i if score == 0 else np.sign(score)
            if guess != y_i:
                w, b = w + (y_i - guess) * x_i, b + (y_i - guess)
                mistakes, clean = mistakes + 1, False
        if clean:
            break
    length = np.linalg.norm(w)
    return w / length, b / length, mistakes, clean


# --- q3 ------------------------------------------------------------------------------------------


@A.wrong("q3", "adds to the sum only at mistakes, and divides by the rounds", caught_by=ROUNDS)
def averaged(X, y, passes):
    w, b, W, B = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
                W, B = W + w, B + b
    return W / (passes * len(X)), B / (passes * len(X))


@A.wrong("q3", "averages only over the mistakes", caught_by=ROUNDS)
def averaged(X, y, passes):
    w, b, W, B, M = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0, 0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
                W, B, M = W + w, B + b, M + 1
    return W / max(M, 1), B / max(M, 1)


@A.wrong("q3", "divides by the number of updates", caught_by=ROUNDS)
def averaged(X, y, passes):
    w, b, W, B, M = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0, 0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, M = w + y_i * x_i, b + y_i, M + 1
            W, B = W + w, B + b
    return W / max(M, 1), B / max(M, 1)


@A.wrong("q3", "counts only the rounds without a mistake", caught_by=ROUNDS)
def averaged(X, y, passes):
    w, b, W, B, c = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0, 0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
            else:
                W, B, c = W + w, B + b, c + 1
    return W / max(c, 1), B / max(c, 1)


@A.wrong("q3", "adds to the sum once a pass", caught_by=PASSES)
def averaged(X, y, passes):
    w, b, W, B = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
        W, B = W + w, B + b
    return W / passes, B / passes


@A.wrong("q3", "averages w but returns the last b", caught_by=AVERAGE_B)
def averaged(X, y, passes):
    w, b, W = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1])
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
            W = W + w
    return W / (passes * len(X)), b


@A.wrong("q3", "returns the last w", caught_by=AVERAGE)
def averaged(X, y, passes):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
    return w, b


@A.wrong("q3", "returns the sum, not the average", caught_by=AVERAGE)
def averaged(X, y, passes):
    w, b, W, B = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
            W, B = W + w, B + b
    return W, B


@A.wrong("q3", "adds w before the update of the round", caught_by=AVERAGE)
def averaged(X, y, passes):
    w, b, W, B = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            W, B = W + w, B + b
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
    return W / (passes * len(X)), B / (passes * len(X))


@A.wrong("q3", "divides by the examples, not by all rounds", caught_by=PASSES)
def averaged(X, y, passes):
    w, b, W, B = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
            W, B = W + w, B + b
    return W / len(X), B / len(X)


@A.wrong("q3", "averages the last pass only", caught_by=PASSES)
def averaged(X, y, passes):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        W, B = np.zeros(X.shape[1]), 0.0
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
            W, B = W + w, B + b
    return W / len(X), B / len(X)


@A.wrong("q3", "goes on with the average instead of w in the next pass", caught_by=PASSES)
def averaged(X, y, passes):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        W, B = np.zeros(X.shape[1]), 0.0
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
            W, B = W + w, B + b
        w, b = W / len(X), B / len(X)
    return w, b


@A.wrong("q3", "stops at the first clean pass, so quiet passes do not count", caught_by=PASSES)
def averaged(X, y, passes):
    w, b, W, B, T = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0, 0
    for _ in range(passes):
        clean = True
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b, clean = w + y_i * x_i, b + y_i, False
            W, B, T = W + w, B + b, T + 1
        if clean:
            break
    return W / T, B / T


@A.wrong("q3", "a score of 0 is no mistake: from a zero start nothing is learnt", caught_by=AVERAGE)
def averaged(X, y, passes):
    w, b, W, B = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) < 0:
                w, b = w + y_i * x_i, b + y_i
            W, B = W + w, B + b
    return W / (passes * len(X)), B / (passes * len(X))


@A.wrong("q3", "there is no offset", caught_by=AVERAGE_B)
def averaged(X, y, passes):
    w, W = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i) <= 0:
                w = w + y_i * x_i
            W = W + w
    return W / (passes * len(X)), 0.0


@A.wrong("q3", "the offset moves but is not used in the test for a mistake", caught_by=AVERAGE_B)
def averaged(X, y, passes):
    w, b, W, B = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i) <= 0:
                w, b = w + y_i * x_i, b + y_i
            W, B = W + w, B + b
    return W / (passes * len(X)), B / (passes * len(X))


@A.right("q3", "lazy: an update made in round t counts T - t times")
def averaged(X, y, passes):
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    v, total, T = np.zeros(Z.shape[1]), np.zeros(Z.shape[1]), passes * len(Z)
    for t in range(T):
        z = Z[t % len(Z)]
        if v @ z <= 0:
            v = v + z
            total = total + (T - t) * z
    return total[:-1] / T, total[-1] / T


@A.right("q3", "keeps all hypotheses, in single precision")
def averaged(X, y, passes):
    X1 = np.column_stack([X, np.ones(len(X))]).astype(np.float32)
    v, seen = np.zeros(X1.shape[1], np.float32), []
    for _ in range(passes):
        for x_i, y_i in zip(X1, y.astype(np.float32)):
            if y_i * (v @ x_i) <= 0:
                v = v + y_i * x_i
            seen.append(v)
    mean = np.mean(seen, axis=0)
    return mean[:-1].tolist(), float(mean[-1])


@A.right("q3", "a running mean, updated round by round")
def averaged(X, y, passes):
    w, b, W, B, t = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0, 0
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            if y_i * (w @ x_i + b) <= 0:
                w, b = w + y_i * x_i, b + y_i
            t += 1
            W, B = W + (w - W) / t, B + (b - B) / t
    return W, B


# --- q4 ------------------------------------------------------------------------------------------


@A.wrong("q4", "takes the pass limit for a proof", caught_by=REFUTES)
def certify(X, y, max_passes):
    v, counts, Z = np.zeros(3), np.zeros(len(X)), np.column_stack([X, np.ones(len(X))])
    for _ in range(max_passes):
        clean = True
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v, clean = v + y[i] * Z[i], False
                counts[i] += 1
        if clean:
            return True, v
    return False, counts


@A.wrong("q4", "counts the mistakes from the start, not between the two visits", caught_by=REFUTES)
def certify(X, y, max_passes):
    v, counts, Z = np.zeros(3), np.zeros(len(X)), np.column_stack([X, np.ones(len(X))])
    seen = {tuple(v)}
    for _ in range(max_passes):
        clean = True
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v, clean = v + y[i] * Z[i], False
                counts[i] += 1
                if tuple(v) in seen:
                    return False, counts
                seen.add(tuple(v))
        if clean:
            return True, v
    return False, counts


@A.wrong("q4", "w has come back but b has not", caught_by=REFUTES)
def certify(X, y, max_passes):
    v, counts, Z = np.zeros(3), np.zeros(len(X)), np.column_stack([X, np.ones(len(X))])
    seen = {tuple(v[:2]): counts.copy()}
    for _ in range(max_passes):
        clean = True
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v, clean = v + y[i] * Z[i], False
                counts[i] += 1
                if tuple(v[:2]) in seen:
                    return False, counts - seen[tuple(v[:2])]
                seen[tuple(v[:2])] = counts.copy()
        if clean:
            return True, v
    return False, counts


@A.wrong("q4", "there is no offset", caught_by=PROVES)
def certify(X, y, max_passes):
    w, counts = np.zeros(2), np.zeros(len(X))
    seen = {tuple(w): counts.copy()}
    for _ in range(max_passes):
        clean = True
        for i in range(len(X)):
            if y[i] * (w @ X[i]) <= 0:
                w, clean = w + y[i] * X[i], False
                counts[i] += 1
                if tuple(w) in seen:
                    return False, counts - seen[tuple(w)]
                seen[tuple(w)] = counts.copy()
        if clean:
            return True, np.append(w, 0.0)
    return False, counts


@A.wrong("q4", "the weights carry the labels: some are negative", caught_by=REFUTES)
def certify(X, y, max_passes):
    v, counts, Z = np.zeros(3), np.zeros(len(X)), np.column_stack([X, np.ones(len(X))])
    seen = {tuple(v): counts.copy()}
    for _ in range(max_passes):
        clean = True
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v, clean = v + y[i] * Z[i], False
                counts[i] += y[i]
                if tuple(v) in seen:
                    return False, counts - seen[tuple(v)]
                seen[tuple(v)] = counts.copy()
        if clean:
            return True, v
    return False, counts


@A.wrong("q4", "gives up after a few passes", caught_by=PROVES)
def certify(X, y, max_passes):
    v, counts, Z = np.zeros(3), np.zeros(len(X)), np.column_stack([X, np.ones(len(X))])
    for _ in range(10):
        clean = True
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v, clean = v + y[i] * Z[i], False
                counts[i] += 1
        if clean:
            return True, v
    return False, counts


@A.wrong("q4", "calls a set separable because most examples are right", caught_by=REFUTES)
def certify(X, y, max_passes):
    v, Z = np.zeros(3), np.column_stack([X, np.ones(len(X))])
    best, most = v, -1
    for _ in range(max_passes):
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v = v + y[i] * Z[i]
                right = int(np.sum(y * (Z @ v) > 0))
                best, most = (v, right) if right > most else (best, most)
    return True, best


@A.wrong(
    "q4",
    "all weights are 0, which proves nothing; were the counts kept without a copy?",
    caught_by=REFUTES,
)
def certify(X, y, max_passes):
    v, Z = np.zeros(3), np.column_stack([X, np.ones(len(X))])
    for _ in range(max_passes):
        clean = True
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v, clean = v + y[i] * Z[i], False
        if clean:
            return True, v
    return False, np.zeros(len(X))


@A.wrong("q4", "all weights are so large that their sum overflows", caught_by=REFUTES)
def certify(X, y, max_passes):
    v, Z = np.zeros(3), np.column_stack([X, np.ones(len(X))])
    for _ in range(max_passes):
        clean = True
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v, clean = v + y[i] * Z[i], False
        if clean:
            return True, v
    return False, np.full(len(X), 1.7e308)


@A.wrong("q4", "a score of 0 is no mistake: from a zero start nothing is learnt", caught_by=PROVES)
def certify(X, y, max_passes):
    v, counts, Z = np.zeros(3), np.zeros(len(X)), np.column_stack([X, np.ones(len(X))])
    for _ in range(max_passes):
        clean = True
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) < 0:
                v, clean = v + y[i] * Z[i], False
                counts[i] += 1
        if clean:
            return True, v
    return False, counts


@A.wrong("q4", "knows the answer for one seed only", caught_by=OTHERS)
def certify(X, y, max_passes):
    v, Z = np.zeros(3), np.column_stack([X, np.ones(len(X))])
    for _ in range(max_passes):
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v = v + y[i] * Z[i]
    if np.all(y * (Z @ v) > 0):
        return True, v
    return False, np.array([21, 25, 6, 0, 0, 10, 0])


@A.right("q4", "looks at (w, b) only at the ends of passes")
def certify(X, y, max_passes):
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    v, counts, seen = np.zeros(3), np.zeros(len(Z), int), {}
    for _ in range(max_passes):
        if tuple(v) in seen:
            return False, counts - seen[tuple(v)]
        seen[tuple(v)] = counts.copy()
        for i, z in enumerate(Z):
            if v @ z <= 0:
                v = v + z
                counts[i] += 1
        if np.all(Z @ v > 0):
            return True, v.tolist()
    return False, counts


@A.right(
    "q4",
    "lists, weights scaled to add up to 1, w scaled",
    alone="q5 needs whole numbers or fractions, and the master's takes them as they are",
)
def certify(X, y, max_passes):
    Z = [[label * x[0], label * x[1], label] for x, label in zip(X.tolist(), y.tolist())]
    v, path, errors = [0.0, 0.0, 0.0], [[0.0, 0.0, 0.0]], []
    for _ in range(max_passes):
        clean = True
        for i, z in enumerate(Z):
            if v[0] * z[0] + v[1] * z[1] + v[2] * z[2] <= 0:
                v, clean = [p + q for p, q in zip(v, z)], False
                errors.append(i)
                if v in path:
                    between = errors[path.index(v) :]
                    return [False, [between.count(k) / len(between) for k in range(len(Z))]]
                path.append(v)
        if clean:
            return [True, [0.01 * p for p in v]]
    return [False, [0.0] * len(Z)]


@A.right("q4", "one vector (w, b), whole numbers; the last here, so that answers to q5 call it")
def certify(X, y, max_passes):
    Z = [(int(s * a), int(s * c), int(s)) for (a, c), s in zip(X, y)]
    v, errors, visits = (0, 0, 0), [], {(0, 0, 0): 0}
    for _ in range(max_passes):
        before = len(errors)
        for i, z in enumerate(Z):
            if sum(p * q for p, q in zip(v, z)) <= 0:
                v = tuple(p + q for p, q in zip(v, z))
                errors.append(i)
                if v in visits:
                    return False, np.bincount(errors[visits[v] :], minlength=len(Z))
                visits[v] = len(errors)
        if len(errors) == before:
            return True, v
    return False, np.zeros(len(Z))


# --- q5 ------------------------------------------------------------------------------------------

ABSURD = "your other set: the facts add up to 0 > 0"
ALL_REFUTED = "other sets are refuted, too"


@A.wrong("q5", "multiplies with the label once more: it is inside each fact", caught_by=ABSURD)
def refute(X, y, max_passes):
    _, lam = certify(X, y, max_passes)
    return " + ".join(f"{int(lam[i] * y[i])}*right{i + 1}" for i in range(len(X)))


@A.wrong("q5", "numbers the examples from 0", caught_by=ABSURD)
def refute(X, y, max_passes):
    _, lam = certify(X, y, max_passes)
    return " + ".join(f"{int(lam[i])}*right{i}" for i in range(len(X)))


@A.wrong("q5", "numbers only the facts that it takes, not the examples", caught_by=ABSURD)
def refute(X, y, max_passes):
    _, lam = certify(X, y, max_passes)
    used = [int(n) for n in lam if n > 0]
    return " + ".join(f"{n}*right{i}" for i, n in enumerate(used, start=1))


@A.wrong("q5", "takes every fact once, whatever λ says", caught_by=ABSURD)
def refute(X, y, max_passes):
    return " + ".join(f"right{i + 1}" for i in range(len(X)))


A["q5", "refute", ABSURD] = {
    "takes every fact with λ > 0 once, not λ times": {"{int(lam[i])}*right": "right"},
}


@A.wrong("q5", "an empty sum: 0 > 0 does not follow from nothing", caught_by=ABSURD)
def refute(X, y, max_passes):
    return "0"


A["q5", "refute", ALL_REFUTED] = {
    "leaves the last example out": {"range(len(X)) if lam[i] > 0": "range(len(X) - 1)"},
}


@A.wrong("q5", "multiplies the facts instead of adding them", caught_by=ABSURD)
def refute(X, y, max_passes):
    _, lam = certify(X, y, max_passes)
    return " * ".join(f"{int(lam[i])}*right{i + 1}" for i in range(len(X)) if lam[i] > 0)


@A.wrong("q5", "returns the numbers λ, not the sum of facts", caught_by=ABSURD)
def refute(X, y, max_passes):
    return certify(X, y, max_passes)[1]


@A.wrong("q5", "counts all mistakes, not those between two visits", caught_by=ABSURD)
def refute(X, y, max_passes):
    v, counts, Z = np.zeros(3), np.zeros(len(X), int), np.column_stack([X, np.ones(len(X))])
    for _ in range(max_passes):
        for i in range(len(Z)):
            if y[i] * (v @ Z[i]) <= 0:
                v = v + y[i] * Z[i]
                counts[i] += 1
    return " + ".join(f"{counts[i]}*right{i + 1}" for i in range(len(X)))


@A.wrong("q5", "adds up facts that use no letter: 1 > 0 is not 0 > 0", caught_by=ABSURD)
def refute(X, y, max_passes):
    return "1"


@A.right("q5", "backwards, in brackets, shares that add up to 1")
def refute(X, y, max_passes):
    lam = certify(X, y, max_passes)[1]
    whole = int(sum(lam))
    inside = " + ".join(f"right{i + 1}*{int(lam[i])}" for i in reversed(range(len(X))))
    return f"({inside})/{whole}"


@A.right("q5", "decimals, zeros and all")
def refute(X, y, max_passes):
    lam = certify(X, y, max_passes)[1]
    return " + ".join(f"{float(n)}*right{i}" for i, n in enumerate(lam, start=1))


@A.right("q5", "each fact as often as it counts, without a number")
def refute(X, y, max_passes):
    lam = [int(n) for n in certify(X, y, max_passes)[1]]
    while all(n % 2 == 0 for n in lam):
        lam = [n // 2 for n in lam]
    return " + ".join(" + ".join([f"right{i}"] * n) for i, n in enumerate(lam, start=1) if n)


# --- changes to the solution that are as right as it is ------------------------------------------

_START = "q4 certify: w, b, counts = (np.zeros(2), 0.0, np.zeros(len(X)))  ->  w, b, counts = "
A.equal[_START + "(np.zeros(2), 1.0, np.zeros(len(X)))"] = "any whole start leads to a proof"
A.equal[_START + "(np.ones(2), 0.0, np.zeros(len(X)))"] = "any whole start leads to a proof"
A.equal[_START + "(np.zeros(2), 0.0, np.ones(len(X)))"] = "only differences of counts are used"
A.equal["q4 certify: seen = {(*w, b): counts.copy()}  ->  seen = {(b, *w): counts.copy()}"] = (
    "at the start w and b are 0, in any order"
)
A.equal["q4 certify: if y[i] * (w @ X[i] + b) <= 0:  ->  if y[i] * (w @ X[i] + b) <= 1:"] = (
    "a cautious perceptron: what it returns is a proof, too"
)
A.equal["q4 certify: counts[i] += 1  ->  counts[i] += 2"] = "weights of any scale prove it"
_LIMIT = "q4 certify: return (False, np.zeros(len(X)))  ->  return "
for _other in ("(np.zeros(len(X)), False)", "(True, np.zeros(len(X)))", "(False, np.ones(len(X)))"):
    A.equal[_LIMIT + _other] = "the pass limit is never reached on the sets of this question"
_SUM = "return ' + '.join((f'{int(lam[i])}*right{i + 1}' for i in range(len(X)) if lam[i] "
A.equal[f"q5 refute: {_SUM}> 0))  ->  {_SUM}>= 0))"] = "0 times a fact adds nothing"
