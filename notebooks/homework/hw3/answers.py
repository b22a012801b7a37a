"""Planted answers to homework 3: wrong ones that the checks must catch, right ones they must not.

Each function stands for a whole answer. A wrong one names its misconception in words for a student.
"""

import numpy as np

from lectures_homework.language.answers import Answers

A = Answers("hw3")

# The names of the checks, as they are used below.
PAIRS = "K[i, j] compares row i of X with row j of Z"
EXPONENT = "the exponent is -‖x - z‖² / (2 σ²)"
FAR = "other widths, other shapes, far from the origin"
POWER = "polynomial: (1 + x·z)^p for every pair"
DEGREES = "polynomial: negative inner products and other degrees"
PLANE = "phi: in the plane, phi(x)·phi(z) = (1 + x·z)²"
FEATURES = "phi: any number of features"
VALID = "a Gram matrix is valid, rounding forgiven"
REFUTED = "a false Gram matrix is refuted by a vector"
SIZE = "the size of K does not matter"
HIDES = "one bad direction is found, wherever it hides"
COUNTS = "alpha counts the mistakes of each example"
SPACE = "the same mistakes as the perceptron in feature space"
STOPS = "it stops at a clean pass or at the limit, and says which"
SCORES = "scores: every new point meets the training points"
ANY_NEW = "scores: any number of new points"
OWN = "your own set: a separating alpha at the smallest degree"
OTHERS = "other sets: the smallest degree, with its proof"


# --- q1 ------------------------------------------------------------------------------------------


@A.wrong("q1", "the distance is not squared: L4's misprint, the Laplace kernel", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    r = np.linalg.norm(X[:, None] - Z[None], axis=2)
    return np.exp(-r / (2 * sigma**2))


@A.wrong("q1", "sigma is not squared", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum((X[:, None] - Z[None]) ** 2, axis=2) / (2 * sigma))


@A.wrong("q1", "the factor 2 under the fraction is missing", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum((X[:, None] - Z[None]) ** 2, axis=2) / sigma**2)


@A.wrong("q1", "the minus is missing: far points become the most alike", caught_by=PAIRS)
def gaussian(X, Z, sigma):
    return np.exp(np.sum((X[:, None] - Z[None]) ** 2, axis=2) / (2 * sigma**2))


@A.wrong("q1", "the 2 is squared together with sigma", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum((X[:, None] - Z[None]) ** 2, axis=2) / (2 * sigma) ** 2)


@A.wrong("q1", "multiplies by sigma² because brackets are missing: a / 2 * c", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum((X[:, None] - Z[None]) ** 2, axis=2) / 2 * sigma**2)


@A.wrong(
    "q1",
    "takes sigma for the factor that some software calls gamma: exp(-σ r²)",
    caught_by=EXPONENT,
)
def gaussian(X, Z, sigma):
    return np.exp(-sigma * np.sum((X[:, None] - Z[None]) ** 2, axis=2))


@A.wrong("q1", "adds x and z instead of subtracting them", caught_by=PAIRS)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum((X[:, None] + Z[None]) ** 2, axis=2) / (2 * sigma**2))


@A.wrong("q1", "adds the differences first and squares their sum", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    return np.exp(-(np.sum(X[:, None] - Z[None], axis=2) ** 2) / (2 * sigma**2))


@A.wrong("q1", "takes the mean over the features instead of the sum", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    return np.exp(-np.mean((X[:, None] - Z[None]) ** 2, axis=2) / (2 * sigma**2))


@A.wrong("q1", "adds absolute differences instead of squares", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum(np.abs(X[:, None] - Z[None]), axis=2) / (2 * sigma**2))


@A.wrong("q1", "rows and columns are exchanged: K(Z, X)", caught_by=PAIRS)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))


@A.wrong("q1", "compares X with itself and forgets Z", caught_by=PAIRS)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum((X[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))


@A.wrong("q1", "compares row i only with row i, not all pairs", caught_by=PAIRS)
def gaussian(X, Z, sigma):
    n = min(len(X), len(Z))
    return np.exp(-np.sum((X[:n] - Z[:n]) ** 2, axis=1) / (2 * sigma**2))


@A.wrong("q1", "sums over the points instead of the features", caught_by=PAIRS)
def gaussian(X, Z, sigma):
    return np.exp(-np.sum((X[:, None] - Z[None]) ** 2, axis=1) / (2 * sigma**2))


@A.wrong("q1", "centres X and Z, each by its own mean", caught_by=FAR)
def gaussian(X, Z, sigma):
    X, Z = X - X.mean(axis=0), Z - Z.mean(axis=0)
    return np.exp(-np.sum((X[:, None] - Z[None]) ** 2, axis=2) / (2 * sigma**2))


@A.wrong("q1", "is the density of a normal distribution, divided by √(2π) σ", caught_by=FAR)
def gaussian(X, Z, sigma):
    K = np.exp(-np.sum((X[:, None] - Z[None]) ** 2, axis=2) / (2 * sigma**2))
    return K / (np.sqrt(2 * np.pi) * sigma)


@A.wrong("q1", "compares only the lengths of x and z", caught_by=EXPONENT)
def gaussian(X, Z, sigma):
    r = np.linalg.norm(X, axis=1)[:, None] - np.linalg.norm(Z, axis=1)[None]
    return np.exp(-(r**2) / (2 * sigma**2))


@A.right("q1", "loops, returns lists")
def gaussian(X, Z, sigma):
    rows = []
    for x in X:
        rows.append([])
        for z in Z:
            r2 = sum((a - b) ** 2 for a, b in zip(x, z))
            rows[-1].append(float(np.exp(-r2 / (2 * sigma**2))))
    return rows


@A.right("q1", "‖x‖² - 2 x·z + ‖z‖², never below 0")
def gaussian(X, Z, sigma):
    r2 = (X**2).sum(axis=1)[:, None] - 2 * X @ Z.T + (Z**2).sum(axis=1)
    return np.exp(-np.maximum(r2, 0) / (2 * sigma**2))


@A.right("q1", "single precision")
def gaussian(X, Z, sigma):
    D = np.float32(X)[:, None] - np.float32(Z)[None]
    return np.exp(-np.sum(D**2, axis=2) / np.float32(2 * sigma**2))


@A.right("q1", "scipy's distances")
def gaussian(X, Z, sigma):
    from scipy.spatial.distance import cdist

    return np.exp(-0.5 * (cdist(X, Z) / sigma) ** 2)


# --- q2: polynomial ------------------------------------------------------------------------------


A["q2", "polynomial", POWER] = {
    "the 1 is missing: (x·z)^p": {"1 + X": "X"},
    "the 1 is added after the power: (x·z)^p + 1": {"(1 + X @ Z.T) ** p": "(X @ Z.T) ** p + 1"},
    "raises the features to the power, not the inner product": {
        "(1 + X @ Z.T) ** p": "X**p @ (Z**p).T",
    },
    "raises the features to the power, then adds 1": {"(1 + X @ Z.T) ** p": "1 + X**p @ (Z**p).T"},
    "adds x and z instead of multiplying them": {"X @ Z.T": "np.sum(X[:, None] + Z[None], axis=2)"},
    "X.T @ X: features meet features, not points points": {"X @ Z.T": "X.T @ X"},
    "compares X with itself and forgets Z": {"X @ Z.T": "X @ X.T"},
    "rows and columns are exchanged: K(Z, X)": {"X @ Z.T": "Z @ X.T"},
    "the degree is always 2": {"(1 + X @ Z.T) ** p": "(1 + X @ Z.T) ** 2"},
    "multiplies by p instead of raising to the power p": {
        "(1 + X @ Z.T) ** p": "p * (1 + X @ Z.T)",
    },
    "adds the degree instead of 1": {"1 + X": "p + X"},
}


A["q2", "polynomial", DEGREES] = {
    "drops the sign of 1 + x·z": {"(1 + X @ Z.T)": "np.abs(1 + X @ Z.T)"},
    "takes the power by logarithms: nan where 1 + x·z is negative": {
        "(1 + X @ Z.T) ** p": "np.exp(p * np.log(1 + X @ Z.T))",
    },
    "cuts negative values of 1 + x·z off at 0": {"(1 + X @ Z.T)": "np.maximum(1 + X @ Z.T, 0)"},
}


@A.right("q2", "loops, returns lists", alone="smallest_degree needs an array")
def polynomial(X, Z, p):
    K = []
    for x in X:
        K.append([(1 + sum(a * b for a, b in zip(x, z))) ** p for z in Z])
    return K


@A.right("q2", "multiplies p times, in single precision")
def polynomial(X, Z, p):
    base = np.float32(1) + np.float32(X) @ np.float32(Z).T
    K = np.ones_like(base)
    for _ in range(p):
        K = K * base
    return K


@A.right("q2", "the 1 as an extra feature")
def polynomial(X, Z, p):
    one = np.column_stack([np.ones(len(X)), X])
    return np.power(one @ np.column_stack([np.ones(len(Z)), Z]).T, p)


# --- q2: phi -------------------------------------------------------------------------------------


@A.wrong("q2", "there is no √2 anywhere", caught_by=PLANE)
def phi(X):
    n, d = X.shape
    mixed = [X[:, i] * X[:, j] for i in range(d) for j in range(i)]
    return np.column_stack([np.ones(n), X, X**2, *mixed])


@A.wrong("q2", "√2 is missing on the mixed products", caught_by=PLANE)
def phi(X):
    n, d = X.shape
    mixed = [X[:, i] * X[:, j] for i in range(d) for j in range(i)]
    return np.column_stack([np.ones(n), np.sqrt(2) * X, X**2, *mixed])


@A.wrong("q2", "√2 is missing on the coordinates themselves", caught_by=PLANE)
def phi(X):
    n, d = X.shape
    mixed = [np.sqrt(2) * X[:, i] * X[:, j] for i in range(d) for j in range(i)]
    return np.column_stack([np.ones(n), X, X**2, *mixed])


@A.wrong("q2", "2 instead of √2: the factor is there twice", caught_by=PLANE)
def phi(X):
    n, d = X.shape
    mixed = [2 * X[:, i] * X[:, j] for i in range(d) for j in range(i)]
    return np.column_stack([np.ones(n), 2 * X, X**2, *mixed])


@A.wrong("q2", "the constant feature 1 is missing", caught_by=PLANE)
def phi(X):
    d = X.shape[1]
    mixed = [np.sqrt(2) * X[:, i] * X[:, j] for i in range(d) for j in range(i)]
    return np.column_stack([np.sqrt(2) * X, X**2, *mixed])


@A.wrong("q2", "these are the features of (x·z)², L1's example", caught_by=PLANE)
def phi(X):
    d = X.shape[1]
    mixed = [np.sqrt(2) * X[:, i] * X[:, j] for i in range(d) for j in range(i)]
    return np.column_stack([X**2, *mixed])


@A.wrong("q2", "the mixed products are missing", caught_by=PLANE)
def phi(X):
    return np.column_stack([np.ones(len(X)), np.sqrt(2) * X, X**2])


@A.wrong("q2", "√2 is on the squares, too", caught_by=PLANE)
def phi(X):
    n, d = X.shape
    mixed = [np.sqrt(2) * X[:, i] * X[:, j] for i in range(d) for j in range(i)]
    return np.column_stack([np.ones(n), np.sqrt(2) * X, np.sqrt(2) * X**2, *mixed])


@A.wrong(
    "q2", "features read off one Gram matrix: another set gets other features", caught_by=PLANE
)
def phi(X):
    values, vectors = np.linalg.eigh((1 + X @ X.T) ** 2)
    return (vectors * np.sqrt(np.maximum(values, 0)))[:, -3:]


@A.wrong(
    "q2", "features read off one Gram matrix: another set gets other features", caught_by=PLANE
)
def phi(X):
    values, vectors = np.linalg.eigh((1 + X @ X.T) ** 2)
    return vectors * np.sqrt(np.maximum(values, 0))


@A.wrong("q2", "returns the kernel instead of the features", caught_by=PLANE)
def phi(X):
    return (1 + X @ X.T) ** 2


@A.wrong("q2", "uses the first two coordinates only", caught_by=FEATURES)
def phi(X):
    a, b, r = X[:, 0], X[:, 1 % X.shape[1]], np.sqrt(2)
    return np.column_stack([np.ones(len(X)), r * a, r * b, a * a, r * a * b, b * b])


@A.wrong("q2", "mixes only neighbouring coordinates", caught_by=FEATURES)
def phi(X):
    n, d = X.shape
    mixed = [np.sqrt(2) * X[:, i] * X[:, i + 1] for i in range(d - 1)]
    return np.column_stack([np.ones(n), np.sqrt(2) * X, X**2, *mixed])


@A.right("q2", "all ordered products of (1, x), no root")
def phi(X):
    one = np.column_stack([np.ones(len(X)), X])
    return (one[:, :, None] * one[:, None, :]).reshape(len(X), -1)


@A.right("q2", "one row at a time, as lists, another order, some signs flipped")
def phi(X):
    rows = []
    for x in X:
        row = [v * v for v in x] + [-(2**0.5) * v for v in x] + [-1.0]
        for i in range(len(x)):
            for j in range(i + 1, len(x)):
                row.append(2**0.5 * x[i] * x[j])
        rows.append(row)
    return rows


@A.right("q2", "single precision")
def phi(X):
    X = np.float32(X)
    pairs = [(i, j) for i in range(X.shape[1]) for j in range(i)]
    mixed = [np.float32(np.sqrt(2)) * X[:, i] * X[:, j] for i, j in pairs]
    one = np.ones(len(X), dtype=np.float32)
    return np.column_stack([one, np.float32(np.sqrt(2)) * X, X * X, *mixed])


# --- q3 ------------------------------------------------------------------------------------------


@A.wrong("q3", "all(eigenvalues >= 0): rounding refutes valid Gram matrices", caught_by=VALID)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool((values >= 0).all()), vectors[:, 0]


@A.wrong("q3", "asks for eigenvalues > 0: definite instead of semi-definite", caught_by=VALID)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool((values > 1e-9 * values.max()).all()), vectors[:, 0]


@A.wrong("q3", "Cholesky's method: it refuses semi-definite matrices", caught_by=VALID)
def psd(K):
    try:
        np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        return False, np.linalg.eigh(K)[1][:, 0]
    return True, np.zeros(len(K))


@A.wrong("q3", "refutes K = 0: none of its eigenvalues is negative", caught_by=VALID)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool(values[0] > -1e-9 * np.abs(values).max()), vectors[:, 0]


@A.wrong("q3", "looks at the determinant", caught_by=REFUTED)
def psd(K):
    good = np.linalg.det(K) >= -1e-9 * np.abs(K).max() ** len(K)
    return bool(good), np.linalg.eigh(K)[1][:, 0]


@A.wrong("q3", "looks at the diagonal", caught_by=REFUTED)
def psd(K):
    return bool((np.diag(K) >= 0).all()), np.linalg.eigh(K)[1][:, 0]


@A.wrong("q3", "asks whether all entries of K are positive", caught_by=REFUTED)
def psd(K):
    return bool((K >= 0).all()), np.linalg.eigh(K)[1][:, 0]


@A.wrong("q3", "looks at the largest eigenvalue", caught_by=REFUTED)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool(values[-1] >= 0), vectors[:, 0]


@A.wrong("q3", "looks at singular values, which are never negative", caught_by=REFUTED)
def psd(K):
    s = np.linalg.svd(K)[1]
    return bool(s.min() >= 0), np.linalg.eigh(K)[1][:, 0]


@A.wrong("q3", "returns a row of the matrix of eigenvectors instead of a column", caught_by=REFUTED)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool(values[0] >= -1e-9 * np.abs(values).max()), vectors[0]


@A.wrong("q3", "returns the eigenvector of the largest eigenvalue", caught_by=REFUTED)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool(values[0] >= -1e-9 * np.abs(values).max()), vectors[:, -1]


@A.wrong("q3", "returns the eigenvalues instead of a vector that refutes", caught_by=REFUTED)
def psd(K):
    values = np.linalg.eigvalsh(K)
    return bool(values[0] >= -1e-9 * np.abs(values).max()), values


@A.wrong("q3", "gives the verdict without a proof: v = 0", caught_by=REFUTED)
def psd(K):
    values = np.linalg.eigvalsh(K)
    return bool(values[0] >= -1e-9 * np.abs(values).max()), np.zeros(len(K))


@A.wrong("q3", "the verdict is upside down", caught_by=REFUTED)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool(values[0] < -1e-9 * np.abs(values).max()), vectors[:, 0]


@A.wrong("q3", "one fixed tolerance, whatever the size of K", caught_by=SIZE)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool(values[0] >= -1e-9), vectors[:, 0]


@A.wrong("q3", "np.allclose with 0: forgives every small eigenvalue", caught_by=SIZE)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool(values[0] >= 0 or np.isclose(values[0], 0)), vectors[:, 0]


@A.wrong("q3", "looks at pairs of points only: K_ij² <= K_ii K_jj", caught_by=HIDES)
def psd(K):
    d, top = np.diag(K), np.abs(K).max()
    good = (d >= 0).all() and (K**2 <= np.outer(d, d) + 1e-9 * top**2).all()
    return bool(good), np.linalg.eigh(K)[1][:, 0]


@A.wrong("q3", "looks at leading minors >= 0: enough for definite matrices only", caught_by=HIDES)
def psd(K):
    K1 = K / np.abs(K).max()
    minors = [np.linalg.det(K1[:k, :k]) for k in range(1, len(K) + 1)]
    return bool(min(minors) >= -1e-9), np.linalg.eigh(K)[1][:, 0]


@A.wrong("q3", "tries random vectors: none of them is the bad direction", caught_by=HIDES)
def psd(K):
    V = np.random.default_rng(0).normal(size=(300, len(K)))
    worth = np.einsum("ri,ij,rj->r", V, K, V)
    return bool(worth.min() >= -1e-9 * np.abs(K).max()), V[np.argmin(worth)]


@A.wrong("q3", "tries v = (1, ..., 1) only: the sum of all entries", caught_by=HIDES)
def psd(K):
    return bool(K.sum() >= -1e-9 * np.abs(K).max()), np.ones(len(K))


@A.wrong("q3", "the tolerance is too large: a millionth of the largest eigenvalue", caught_by=HIDES)
def psd(K):
    values, vectors = np.linalg.eigh(K)
    return bool(values[0] >= -1e-6 * np.abs(values).max()), vectors[:, 0]


@A.right("q3", "general eigenvalues, sorted by hand, a list")
def psd(K):
    values, vectors = np.linalg.eig(K)
    values, vectors = values.real, vectors.real
    k = int(np.argmin(values))
    return [bool(values[k] >= -1e-9 * max(abs(values))), list(vectors[:, k])]


@A.right("q3", "Cholesky's method with a little help on the diagonal, v = None where valid")
def psd(K):
    top = np.abs(np.linalg.eigvalsh(K)).max() or 1.0
    try:
        np.linalg.cholesky(K + 1e-9 * top * np.eye(len(K)))
    except np.linalg.LinAlgError:
        return False, 7.5 * np.linalg.eigh(K)[1][:, 0]
    return True, None


@A.right("q3", "scaled first, a column as v")
def psd(K):
    K = K / max(np.linalg.norm(K, 2), 1e-300)
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    return np.bool_(values.min() >= -1e-9), -vectors[:, :1]


# --- q4: kernel_perceptron -----------------------------------------------------------------------


@A.wrong("q4", "sets alpha to 1 instead of adding 1", caught_by=COUNTS)
def kernel_perceptron(K, y, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        clean = True
        for t in range(len(y)):
            if y[t] * ((alpha * y) @ K[:, t]) <= 0:
                alpha[t], clean = 1, False
        if clean:
            return alpha, True
    return alpha, False


A["q4", "kernel_perceptron", COUNTS] = {
    "the labels are missing in the sum": {"(alpha * y)": "alpha"},
    "the label is applied twice: in alpha and in the sum": {"alpha[t] += 1": "alpha[t] += y[t]"},
}


@A.wrong("q4", "returns counts times labels: counts have no sign", caught_by=COUNTS)
def kernel_perceptron(K, y, max_passes):
    c = np.zeros(len(y))
    for _ in range(max_passes):
        clean = True
        for t in range(len(y)):
            if y[t] * (c @ K[:, t]) <= 0:
                c[t] += y[t]
                clean = False
        if clean:
            return c, True
    return c, False


A["q4", "kernel_perceptron", COUNTS] = {
    "a score of 0 is no mistake: from a zero start nothing is learnt": {
        "((alpha * y) @ K[:, t]) <= 0": "((alpha * y) @ K[:, t]) < 0",
    },
}


@A.wrong("q4", "a score of 0 is a mistake for negative examples only", caught_by=SPACE)
def kernel_perceptron(K, y, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        clean = True
        for t in range(len(y)):
            guess = 1 if (alpha * y) @ K[:, t] >= 0 else -1
            if guess != y[t]:
                alpha[t] += 1
                clean = False
        if clean:
            return alpha, True
    return alpha, False


@A.wrong("q4", "counts every visit, mistake or not", caught_by=COUNTS)
def kernel_perceptron(K, y, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        clean = True
        for t in range(len(y)):
            clean = clean and y[t] * ((alpha * y) @ K[:, t]) > 0
            alpha[t] += 1
        if clean:
            return alpha, True
    return alpha, False


A["q4", "kernel_perceptron", COUNTS] = {
    "tests the score without the label of the example": {
        "y[t] * ((alpha * y) @ K[:, t])": "(alpha * y) @ K[:, t]",
    },
    "counts down where the example is negative": {
        "alpha * y": "np.abs(alpha) * y",
        "alpha[t] += 1": "alpha[t] -= 1",
    },
}


@A.wrong("q4", "all scores of a pass come from the counts before it", caught_by=SPACE)
def kernel_perceptron(K, y, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        wrong = y * (K @ (alpha * y)) <= 0
        if not wrong.any():
            return alpha, True
        alpha = alpha + wrong
    return alpha, False


A["q4", "kernel_perceptron", SPACE] = {
    "leaves the example itself out of its own score": {
        "K[:, t]": "K[:, t] - alpha[t] * y[t] * K[t, t]",
    },
}


@A.wrong("q4", "stays at an example until it is right", caught_by=SPACE)
def kernel_perceptron(K, y, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        clean = True
        for t in range(len(y)):
            for _ in range(50):
                if y[t] * ((alpha * y) @ K[:, t]) > 0:
                    break
                alpha[t] += 1
                clean = False
        if clean:
            return alpha, True
    return alpha, False


@A.wrong("q4", "begins a new pass after every mistake", caught_by=SPACE)
def kernel_perceptron(K, y, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        for t in range(len(y)):
            if y[t] * ((alpha * y) @ K[:, t]) <= 0:
                alpha[t] += 1
                break
        else:
            return alpha, True
    return alpha, False


A["q4", "kernel_perceptron", SPACE] = {
    "goes through the examples backwards": {"range(len(y))": "range(len(y))[::-1]"},
}


@A.wrong("q4", "makes one pass only", caught_by=SPACE)
def kernel_perceptron(K, y, max_passes):
    alpha, clean = np.zeros(len(y)), True
    for t in range(len(y)):
        if y[t] * ((alpha * y) @ K[:, t]) <= 0:
            alpha[t] += 1
            clean = False
    return alpha, clean


A["q4", "kernel_perceptron", COUNTS] = {
    "makes one pass too few": {"range(max_passes)": "range(1, max_passes)"},
    "makes one pass too many": {"range(max_passes)": "range(max_passes + 1)"},
}


@A.wrong("q4", "says converged when the pass limit ended the loop", caught_by=STOPS)
def kernel_perceptron(K, y, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        before = alpha.sum()
        for t in range(len(y)):
            if y[t] * ((alpha * y) @ K[:, t]) <= 0:
                alpha[t] += 1
        if alpha.sum() == before:
            break
    return alpha, True


@A.wrong("q4", "denies convergence when the last pass allowed is the clean one", caught_by=STOPS)
def kernel_perceptron(K, y, max_passes):
    alpha, passes = np.zeros(len(y)), 0
    while passes < max_passes:
        before, passes = alpha.sum(), passes + 1
        for t in range(len(y)):
            if y[t] * ((alpha * y) @ K[:, t]) <= 0:
                alpha[t] += 1
        if alpha.sum() == before:
            break
    return alpha, passes < max_passes


@A.wrong(
    "q4", "converged says whether the final counts are right, not the last pass", caught_by=STOPS
)
def kernel_perceptron(K, y, max_passes):
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        for t in range(len(y)):
            if y[t] * ((alpha * y) @ K[:, t]) <= 0:
                alpha[t] += 1
    return alpha, bool((y * (K @ (alpha * y)) > 0).all())


@A.wrong(
    "q4", "ignores the pass limit: endless where nothing separates", caught_by=STOPS, endless=True
)
def kernel_perceptron(K, y, max_passes):
    alpha, clean = np.zeros(len(y)), False
    while not clean:
        clean = True
        for t in range(len(y)):
            if y[t] * ((alpha * y) @ K[:, t]) <= 0:
                alpha[t] += 1
                clean = False
    return alpha, True


@A.right("q4", "keeps all scores and adds a row of K at each mistake; whole numbers")
def kernel_perceptron(K, y, max_passes):
    f, alpha = np.zeros(len(y)), np.zeros(len(y), dtype=int)
    for _ in range(max_passes):
        before = alpha.sum()
        for t in range(len(y)):
            if np.sign(f[t]) != y[t]:
                f, alpha[t] = f + y[t] * K[t], alpha[t] + 1
        if alpha.sum() == before:
            return alpha, True
    return alpha, False


@A.right("q4", "keeps the list of mistakes, as L1 and L3")
def kernel_perceptron(K, y, max_passes):
    stored, last = [], -1
    for _ in range(max_passes):
        last = len(stored)
        for t in range(len(y)):
            if y[t] * sum(y[i] * K[i][t] for i in stored) <= 0:
                stored.append(t)
        if len(stored) == last:
            break
    return [stored.count(t) for t in range(len(y))], len(stored) == last


@A.right("q4", "labels multiplied into K first, numpy's own True")
def kernel_perceptron(K, y, max_passes):
    Q = y[:, None] * K * y[None]
    alpha = np.zeros(len(y))
    for _ in range(max_passes):
        clean = True
        for t in range(len(y)):
            if Q[t] @ alpha <= 0:
                alpha[t] += 1
                clean = False
        if clean:
            return alpha, np.True_
    return alpha, np.False_


# --- q4: scores ----------------------------------------------------------------------------------


@A.wrong("q4", "K compares the new points with each other: K(test, test)", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - Z[None]) ** 2, axis=2) / (2 * sigma**2))
    return K @ (alpha * y)


@A.wrong("q4", "K compares the training points with each other: K(train, train)", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((X[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    return K @ (alpha * y)


@A.wrong("q4", "the labels are missing in the sum", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    return K @ alpha


@A.wrong("q4", "the counts are missing: every example has the same say", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    return K @ y


@A.wrong("q4", "asks only whether an example was mistaken, not how often", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    return K @ ((alpha > 0) * y)


@A.wrong("q4", "returns labels instead of scores", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    return np.where(K @ (alpha * y) >= 0, 1.0, -1.0)


@A.wrong("q4", "divides by the number of mistakes", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    return K @ (alpha * y) / alpha.sum()


@A.wrong(
    "q4",
    "sums over the new points instead of the training points: is K the right way round?",
    caught_by=SCORES,
)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    return (alpha * y) @ K


@A.wrong("q4", "takes the nearest mistaken example only", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    near = np.argmax(np.where(alpha > 0, K, -1), axis=1)
    return K[np.arange(len(Z)), near] * (alpha * y)[near]


@A.wrong("q4", "uses w = Σ α y x and w·z: the linear kernel", caught_by=SCORES)
def scores(X, y, alpha, Z, sigma):
    return Z @ ((alpha * y) @ X)


@A.right("q4", "one new point gives a number: a list of one entry counts as one")
def scores(X, y, alpha, Z, sigma):
    K = np.exp(-np.sum((Z[:, None] - X[None]) ** 2, axis=2) / (2 * sigma**2))
    return np.squeeze(K @ (alpha * y))


@A.wrong("q4", "gives up where there are more new points than old ones", caught_by=ANY_NEW)
def scores(X, y, alpha, Z, sigma):
    f = np.zeros(len(Z))
    for j in range(min(len(Z), len(X))):
        K = np.exp(-np.sum((X - Z[j]) ** 2, axis=1) / (2 * sigma**2))
        f[j] = K @ (alpha * y)
    return f


@A.right("q4", "loops over new and old points, returns a list")
def scores(X, y, alpha, Z, sigma):
    f = []
    for z in Z:
        total = 0.0
        for x_i, y_i, a_i in zip(X, y, alpha):
            if a_i > 0:
                total += a_i * y_i * np.exp(-((x_i - z) @ (x_i - z)) / (2 * sigma**2))
        f.append(float(total))
    return f


@A.right("q4", "the block the other way round, only the examples with alpha > 0, float32")
def scores(X, y, alpha, Z, sigma):
    kept = np.flatnonzero(alpha)
    X, Z = np.float32(X[kept]), np.float32(Z)
    K = np.exp(-np.sum((X[:, None] - Z[None]) ** 2, axis=2) / np.float32(2 * sigma**2))
    return np.float32(alpha * y)[kept] @ K


# --- q5 ------------------------------------------------------------------------------------------


@A.wrong("q5", "the kernel lacks its 1: the proof is for (x·z)^p", caught_by=OTHERS)
def smallest_degree(X, y, max_passes):
    for p in range(1, 7):
        Q = y[:, None] * (X @ X.T) ** p * y
        f, alpha = np.zeros(len(y)), np.zeros(len(y))
        for _ in range(max_passes):
            before = alpha.sum()
            for t in range(len(y)):
                if f[t] <= 0:
                    f, alpha[t] = f + Q[t], alpha[t] + 1
            if alpha.sum() == before:
                return p, alpha
    return p, alpha


@A.wrong("q5", "the 1 is added after the power: the proof is for (x·z)^p + 1", caught_by=OTHERS)
def smallest_degree(X, y, max_passes):
    for p in range(1, 7):
        Q = y[:, None] * ((X @ X.T) ** p + 1) * y
        f, alpha = np.zeros(len(y)), np.zeros(len(y))
        for _ in range(max_passes):
            before = alpha.sum()
            for t in range(len(y)):
                if f[t] <= 0:
                    f, alpha[t] = f + Q[t], alpha[t] + 1
            if alpha.sum() == before:
                return p, alpha
    return p, alpha


@A.wrong("q5", "gives each degree 20 passes and then up", caught_by=OWN)
def smallest_degree(X, y, max_passes):
    for p in range(1, 7):
        Q = y[:, None] * (1 + X @ X.T) ** p * y
        f, alpha = np.zeros(len(y)), np.zeros(len(y))
        for _ in range(20):
            before = alpha.sum()
            for t in range(len(y)):
                if f[t] <= 0:
                    f, alpha[t] = f + Q[t], alpha[t] + 1
            if alpha.sum() == before:
                return p, alpha
    return p, alpha


@A.wrong("q5", "a score of 0 is no mistake: alpha = 0 seems to separate", caught_by=OWN)
def smallest_degree(X, y, max_passes):
    return 1, np.zeros(len(y))


@A.wrong("q5", "is content when most examples are right", caught_by=OWN)
def smallest_degree(X, y, max_passes):
    for p in range(1, 7):
        Q = y[:, None] * (1 + X @ X.T) ** p * y
        f, alpha = np.zeros(len(y)), np.zeros(len(y))
        for _ in range(max_passes):
            for t in range(len(y)):
                if f[t] <= 0:
                    f, alpha[t] = f + Q[t], alpha[t] + 1
            if np.mean(f > 0) >= 0.75:
                return p, alpha
    return p, alpha


@A.wrong("q5", "takes the largest degree: it separates, but it is not the smallest", caught_by=OWN)
def smallest_degree(X, y, max_passes):
    Q = y[:, None] * (1 + X @ X.T) ** 6 * y
    f, alpha = np.zeros(len(y)), np.zeros(len(y))
    for _ in range(max_passes):
        before = alpha.sum()
        for t in range(len(y)):
            if f[t] <= 0:
                f, alpha[t] = f + Q[t], alpha[t] + 1
        if alpha.sum() == before:
            break
    return 6, alpha


@A.wrong("q5", "never tries degree 1", caught_by=OTHERS)
def smallest_degree(X, y, max_passes):
    for p in range(2, 7):
        Q = y[:, None] * (1 + X @ X.T) ** p * y
        f, alpha = np.zeros(len(y)), np.zeros(len(y))
        for _ in range(max_passes):
            before = alpha.sum()
            for t in range(len(y)):
                if f[t] <= 0:
                    f, alpha[t] = f + Q[t], alpha[t] + 1
            if alpha.sum() == before:
                return p, alpha
    return p, alpha


@A.wrong("q5", "returns counts times labels, so the labels enter twice", caught_by=OWN)
def smallest_degree(X, y, max_passes):
    for p in range(1, 7):
        Q = y[:, None] * (1 + X @ X.T) ** p * y
        f, alpha = np.zeros(len(y)), np.zeros(len(y))
        for _ in range(max_passes):
            before = alpha.sum()
            for t in range(len(y)):
                if f[t] <= 0:
                    f, alpha[t] = f + Q[t], alpha[t] + 1
            if alpha.sum() == before:
                return p, alpha * y
    return p, alpha * y


@A.wrong("q5", "counts the degree from 0: p is one too small for its alpha", caught_by=OWN)
def smallest_degree(X, y, max_passes):
    for p in range(6):
        Q = y[:, None] * (1 + X @ X.T) ** (p + 1) * y
        f, alpha = np.zeros(len(y)), np.zeros(len(y))
        for _ in range(max_passes):
            before = alpha.sum()
            for t in range(len(y)):
                if f[t] <= 0:
                    f, alpha[t] = f + Q[t], alpha[t] + 1
            if alpha.sum() == before:
                return p, alpha
    return p, alpha


@A.right("q5", "a linear system on the line: alpha of any sign")
def smallest_degree(X, y, max_passes):
    far = np.argmax(np.abs(X - X[0]).sum(axis=1))
    order = np.argsort((X - X[0]) @ (X[far] - X[0]))
    p = int(np.sum(y[order][1:] != y[order][:-1]))
    t = (X - X[0]) @ (X[far] - X[0])
    u, s = t[order], y[order]
    cuts = [(u[k] + u[k + 1]) / 2 for k in range(len(y) - 1) if s[k] != s[k + 1]]
    g = y[order[-1]] * np.prod([t - c for c in cuts], axis=0)
    return p, np.linalg.lstsq((1 + X @ X.T) ** p * y, g, rcond=1e-12)[0]


@A.right("q5", "keeps all scores, returns lists, divides alpha by its sum")
def smallest_degree(X, y, max_passes):
    for p in [1, 2, 3, 4, 5, 6]:
        Q = (y[:, None] * (1 + X @ X.T) ** p * y).tolist()
        f, alpha, clean = [0.0] * len(y), [0] * len(y), False
        for _ in range(max_passes):
            clean = True
            for t in range(len(y)):
                if f[t] <= 0:
                    f = [a + b for a, b in zip(f, Q[t])]
                    alpha[t], clean = alpha[t] + 1, False
            if clean:
                break
        if clean:
            break
    return [p, [a / sum(alpha) for a in alpha]]


# --- changes to the solution that are as right as it is ------------------------------------------

A.equal["q3 psd: return (True, np.zeros(len(K)))  ->  return (True, np.ones(len(K)))"] = (
    "any v will do where K is valid"
)
A.equal[
    "q4 kernel_perceptron: if y[t] * (alpha * y @ K[:, t]) <= 0:  ->  "
    "if y[t] * (alpha * y @ K[t, :]) <= 0:"
] = "K is symmetric"
A.equal["q5 smallest_degree: for p in range(1, 7):  ->  for p in range(0, 7):"] = (
    "the constant kernel of p = 0 never separates two labels"
)
A.equal["q5 smallest_degree: for p in range(1, 7):  ->  for p in range(1, 8):"] = (
    "some degree up to 6 separates, and the loop ends there"
)
