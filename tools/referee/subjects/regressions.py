"""Regression and unsupervised methods: SVR, ridge, principal components, k-means."""

from fractions import Fraction

import mpmath
import numpy as np

from lectures_lib import kernel_methods
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, Matrix, Program, dot, exact, solve, words

#: What counts as the same number, relative: eigenvalues, objectives of clusterings.
SAME = Fraction(1, 10**6)
#: An eigenpair of floats cannot be expected to be better.
TIGHT = Fraction(1, 10**13)
#: What the sentences of the certificates allow: of the objective of w = 0; of the best tube, and of
#: C sum abs(y - median); of a point's own squared distance, and of the objective of one cluster.
RIDGE, TUBE, FLAT, NEARER = (Fraction(1, 10**k) for k in (9, 4, 9, 9))
#: Entries of K above this may be refused: their squares overflow.
LARGEST = 10**150


def targets(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Return targets: ordinary, far from 0, or all equal."""
    y = rng.normal(size=len(X))
    way = rng.random()
    if way < 0.15:
        y = y + float(rng.choice([-1, 1])) * draw.power(rng, 2, 16)
    elif way < 0.25:
        y = np.full(len(X), y[0])
    elif way < 0.4:
        y = y * draw.power(rng, -6, 6)
    return y


def svr(rng: np.random.Generator, ledger: Ledger) -> None:
    """Fit a tube and compare its objective with the least one."""
    X, kind, unit = draw.points(rng, 2, 6, 2)
    y = targets(rng, X)
    unit = unit and bool(np.abs(y).max() < 10 and np.ptp(y) > 0)
    kernel, C = draw.kernel(rng, X), draw.cost(rng, unit)
    epsilon = float(rng.choice([0.0, 0.1, np.ptp(y) * rng.uniform(0, 0.5)]))
    what = f"svr {kernel!r} C={C:.3g} epsilon={epsilon:.3g} [{kind}]"
    method = kernel_methods.support_vector_regression
    machine = ledger.call(what, method, X, y, C, epsilon, kernel)
    if machine is None:
        return
    K, yq = truth.gram(kernel, exact(X)), exact(y)
    value = tube_value(machine, K, yq, Fraction(C), Fraction(epsilon), exact(X))
    best = tube_best(K, yq, Fraction(C), Fraction(epsilon))
    allowed = tube_allowance(best, yq, Fraction(C))
    right = value is not None and value - best <= allowed
    off = "not a number" if value is None else f"{words(value - best)} above {words(best)}"
    said = api.verdict(machine.certificate)
    bound = None if value is None else tube_bound(K, yq, Fraction(epsilon), exact(machine.beta))
    tight = right and bound is not None and value - bound <= allowed
    ledger.verdict(f"{what}: {off}", said, right=right, tight=tight)
    ledger.converged(f"{what}: {off}", machine.converged, right=right)
    if unit and right:
        ledger.ordinary(what, said == "proved")


def tube_allowance(best: Fraction, y, C: Fraction) -> Fraction:
    """Return what a proved tube may lack."""
    median = sorted(y)[(len(y) - 1) // 2]
    return TUBE * best + FLAT * C * sum((abs(v - median) for v in y), ZERO)


def tube_value(machine, K: Matrix, y, C: Fraction, epsilon: Fraction, X) -> Fraction | None:
    """Return the exact objective of a machine; None if it has numbers that are none."""
    if not np.isfinite([*machine.beta, machine.b]).all():
        return None
    return tube_cost(api.tube_answer(machine, X, K), y, C, epsilon)


def tube_cost(answer: truth.Answer, y, C: Fraction, epsilon: Fraction) -> Fraction:
    """Return half norm(w)^2 + C times what lies beyond the tube."""
    errors = [abs(a - f) - epsilon for a, f in zip(y, answer.f)]
    return answer.norm2 / 2 + C * sum((max(ZERO, e) for e in errors), ZERO)


def tube_bound(K: Matrix, y, epsilon: Fraction, beta) -> Fraction | None:
    """Return the dual value of beta, balanced; None if it is off balance beyond rounding."""
    sizes, off = sum((abs(v) for v in beta), ZERO), sum(beta, ZERO)
    if abs(off) > len(beta) * sizes * Fraction(1, 2**52):
        return None
    side = 1 if off > 0 else -1
    heavy = sum((abs(v) for v in beta if v * side > 0), ZERO)
    even = [v * (1 - abs(off) / heavy) if v * side > 0 else v for v in beta]
    scores = [dot(row, even) for row in K]
    return dot(y, even) - epsilon * sum((abs(v) for v in even), ZERO) - dot(even, scores) / 2


def tube_program(K: Matrix, y, C: Fraction, epsilon: Fraction) -> Program:
    """Return the dual in up and down: beta = up - down."""
    n = len(y)
    Q = [[*row, *(-v for v in row)] for row in K] + [[*(-v for v in row), *row] for row in K]
    c = [epsilon - v for v in y] + [epsilon + v for v in y]
    a = [Fraction(1)] * n + [Fraction(-1)] * n
    return Program(Q, c, [C] * (2 * n), a)


def tube_best(K: Matrix, y, C: Fraction, epsilon: Fraction) -> Fraction:
    """Return the least objective."""
    program = tube_program(K, y, C, epsilon)
    return -program.value(program.minimise([ZERO] * (2 * len(y))))


def ridge(rng: np.random.Generator, ledger: Ledger) -> None:
    """Solve ridge regression and compare its objective with the least one."""
    X, kind, unit = draw.points(rng, 1, 7, 3)
    y = targets(rng, X)
    kernel, offset = draw.kernel(rng, X), bool(rng.random() < 0.5)
    unit = unit and bool(np.abs(y).max() < 10 and np.ptp(y) > 0)
    penalty = draw.power(rng, -2, 2) if unit else draw.power(rng, -6, 3)
    s = weights(rng, len(X))
    what = f"ridge {kernel!r} penalty={penalty:.3g} offset={offset} [{kind}]"
    if s is None:
        method, given = kernel_methods.kernel_ridge, (X, y)
    else:
        method, given = kernel_methods.weighted_kernel_ridge, (X, y, s)
        what = f"weighted {what}"
    model = ledger.call(what, method, *given, kernel, penalty, offset=offset)
    if model is None:
        return
    s = [Fraction(1)] * len(X) if s is None else exact(s)
    K, yq, rate = truth.gram(kernel, exact(X)), exact(y), Fraction(penalty)
    said = api.verdict(model.certificate)
    if not np.isfinite([*model.alpha, model.b]).all():
        ledger.verdict(what + ": not a number", said, right=False)
        return
    value = ridge_value(api.ridge_answer(model, exact(X), K), yq, rate, s)
    best = ridge_best(K, yq, rate, offset, s)
    right = value - best <= RIDGE * trivial(yq, offset, s)
    off = f"{words(value - best)} above {words(best)}"
    ledger.verdict(f"{what}: {off}", said, right=right)
    ledger.converged(f"{what}: {off}", model.converged, right=right)
    if not shown_right(model.certificate, value, best):
        ledger.fail(
            "false proofs", f"{what}: the objective is {words(value)}, and shown as another"
        )
    if unit and right:
        ledger.ordinary(what, said == "proved")


def shown_right(certificate, value: Fraction, best: Fraction) -> bool:
    """Return whether primal is the objective and dual below the best, up to what is said of both.

    What is no number claims nothing.
    """
    primal, dual, off = certificate.primal, certificate.dual, getattr(certificate, "off", 0.0)
    if not np.isfinite([primal, dual, off]).all():
        return True
    known = Fraction(off)
    return abs(Fraction(primal) - value) <= known and Fraction(dual) <= best + known


def weights(rng: np.random.Generator, n: int) -> np.ndarray | None:
    """Return what the error of each example counts, or None in two cases of three."""
    return None if rng.random() < 2 / 3 else 10.0 ** rng.integers(-2, 3, size=n)


def ridge_value(answer: truth.Answer, y, rate: Fraction, s) -> Fraction:
    """Return sum s (y - f)^2 + penalty norm(w)^2, exactly."""
    errors = [v - f for v, f in zip(y, answer.f)]
    return sum((w * e * e for w, e in zip(s, errors)), ZERO) + rate * answer.norm2


def ridge_best(K: Matrix, y, rate: Fraction, offset: bool, s) -> Fraction:
    """Return the least objective."""
    answer = truth.kernel_answer(K, *ridge_solution(K, y, rate, offset, s))
    return ridge_value(answer, y, rate, s)


def ridge_solution(K: Matrix, y, rate: Fraction, offset: bool, s) -> tuple[list, Fraction]:
    """Solve (K + penalty diag(1 / s)) alpha = y - b; for a free b alpha has the sum 0."""
    n = len(y)
    rows = [[v + rate / s[i] * (i == j) for j, v in enumerate(row)] for i, row in enumerate(K)]
    right = list(y)
    if offset:
        rows = [[*row, Fraction(1)] for row in rows] + [[Fraction(1)] * n + [ZERO]]
        right.append(ZERO)
    found = solve(rows, right)
    return found[:n], found[n] if offset else ZERO


def trivial(y, offset: bool, s) -> Fraction:
    """Return the objective of w = 0."""
    mean = sum((w * v for w, v in zip(s, y)), ZERO) / sum(s) if offset else ZERO
    return sum((w * (v - mean) ** 2 for w, v in zip(s, y)), ZERO)


def components(rng: np.random.Generator, ledger: Ledger) -> None:
    """Compare principal components with the eigenvalues of the exact centred Gram matrix."""
    X, kind, unit = draw.points(rng, 2, 6, 3)
    kernel = draw.kernel(rng, X)
    what = f"kernel_pca {kernel!r} [{kind}]"
    H = centred(truth.gram(kernel, exact(X)))
    total = sum(H[i][i] for i in range(len(H)))
    legal = total > 0
    model = ledger.call(what, kernel_methods.kernel_pca, X, kernel, 1, legal=legal)
    if model is None:
        return
    said = api.verdict(model.certificate)
    v, value = exact(model.V[:, 0]), Fraction(float(model.values[0]))
    most = largest_eigenvalue(H)
    image = [dot(row, v) for row in H]
    residual = max(abs(a - value * b) for a, b in zip(image, v))
    near, left = NEARER * total, [a - value * b for a, b in zip(image, v)]
    right = bool(dot(left, left) <= near**2 and abs(dot(v, v) - 1) <= NEARER)
    right = right and bool(abs(value - most) <= 2 * near)
    off = f"{words(value, 6)} for {words(most, 6)}"
    tight = right and max(abs(value - most), residual) <= total * TIGHT
    ledger.verdict(f"{what}: {off}", said, right=right, tight=tight)
    if unit and right:
        ledger.ordinary(what, said == "proved")


def centred(K: Matrix) -> Matrix:
    """Return the Gram matrix of phi less its mean."""
    n = len(K)
    means = [sum(row, ZERO) / n for row in K]
    whole = sum(means, ZERO) / n
    return [[K[i][j] - means[i] - means[j] + whole for j in range(n)] for i in range(n)]


def largest_eigenvalue(H: Matrix) -> Fraction:
    """Return the largest eigenvalue to forty digits."""
    with mpmath.workdps(60):
        unit = max(abs(v) for row in H for v in row) or Fraction(1)
        scaled = [[_number(v / unit) for v in row] for row in H]
        top = max(mpmath.eigsy(mpmath.matrix(scaled), eigvals_only=True))
        return Fraction(int(mpmath.nint(top * 10**40)), 10**40) * unit


def _number(v: Fraction):
    return mpmath.mpf(v.numerator) / mpmath.mpf(v.denominator)


def clusters(rng: np.random.Generator, ledger: Ledger) -> None:
    """Compute objective and stability of k-means in fractions; also for turned labels."""
    X, kind, unit = draw.points(rng, 2, 8, 3)
    if rng.random() < 0.25:
        X, kind, unit = X.copy(), f"{kind}, outlier", False
        X[0] = np.abs(X).max() * draw.power(rng, 1, 9)
    kernel, k = draw.kernel(rng, X), int(rng.integers(1, min(4, len(X)) + 1))
    what = f"kernel_kmeans {kernel!r} k={k} [{kind}]"
    K = truth.gram(kernel, exact(X))
    legal = max(abs(v) for row in K for v in row) <= LARGEST
    model = ledger.call(what, kernel_methods.kernel_kmeans, X, kernel, k, restarts=2, legal=legal)
    if model is None:
        return
    labels, claimed = model.labels, float(model.objectives[-1])
    certificate = model.certificate
    lie = bool(rng.random() < 0.4)
    if lie:
        labels = labels.copy()
        labels[rng.integers(len(labels))] = rng.integers(k)
        given = kernel(X)
        K = exact(given)  # it is asked about the matrix it is given
        costs = model.objectives
        if rng.random() < 0.5:  # a liar who knows what the moved labels cost
            claimed = float(sum((d for d, _ in to_means(K, labels.tolist())), ZERO))
            costs = [claimed]
        certificate = ledger.call(what, kernel_methods.kmeans_certificate, given, labels, costs)
    if certificate is None:
        return
    right = stable(K, labels.tolist(), claimed, NEARER)
    said = api.verdict(certificate)
    tight = not lie and stable(K, labels.tolist(), claimed, TIGHT)
    ledger.verdict(f"{what} lie={lie}", said, right=right, tight=tight)
    if not lie:
        ledger.converged(what, model.converged and said == "proved", right=right)
        if unit and right:
            ledger.ordinary(what, said == "proved")


def stable(K: Matrix, labels: list[int], claimed: float, room: Fraction) -> bool:
    """Return whether the objective is as claimed and every point is at its nearest mean."""
    found = to_means(K, labels)
    scatter = sum((centred(K)[i][i] for i in range(len(K))), ZERO)
    total = sum((own for own, _ in found), ZERO)
    if not np.isfinite(claimed) or abs(total - Fraction(claimed)) > room * scatter:
        return False
    return all(own - least <= room * abs(own) for own, least in found)  # K may be no Gram matrix


def to_means(K: Matrix, labels: list[int]) -> list[tuple[Fraction, Fraction]]:
    """Return each point's squared distance from its own mean, and from the nearest."""
    n, names = range(len(K)), sorted(set(labels))
    groups = {c: [i for i in n if labels[i] == c] for c in names}
    norms = {c: sum((K[i][j] for i in g for j in g), ZERO) / len(g) ** 2 for c, g in groups.items()}
    distances = [
        {c: K[i][i] - 2 * sum((K[i][j] for j in g), ZERO) / len(g) + norms[c]
         for c, g in groups.items()} for i in n
    ]  # fmt: skip
    return [(distances[i][labels[i]], min(distances[i].values())) for i in n]
