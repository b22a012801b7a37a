"""Support vector machines: every answer with its gap; many solvers, one optimum; famous bugs."""

import itertools
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from lectures_lib import (
    datasets,
    discrete,
    fast,
    features,
    kernels,
    linear,
    losses,
    margins,
    qp,
    smo,
    svm,
)
from lectures_lib.fast import machines as quick_machines
from lectures_lib.fast import tiles
from lectures_lib.proof.svm import certificate_of_blocks
from tests.strategies import integer_examples, known_problems, seeds, separable_integers

COSTS = (0.05, 0.3, 1.0, 7.0)
costs = st.sampled_from(COSTS)


def objective(w, b, X, y, C):
    """Return half norm(w)^2 + C sum xi, written out."""
    slacks = [max(0.0, 1.0 - label * (float(w @ x) + b)) for x, label in zip(X, y)]
    return 0.5 * float(w @ w) + C * sum(slacks)


def random_alpha(rng, y, C):
    """Return multipliers in the box with sum alpha y = 0."""
    alpha = rng.uniform(0, 1, size=len(y)) * rng.choice([0.0, 1.0], p=[0.3, 0.7], size=len(y))
    sums = [max(alpha[y > 0].sum(), 1e-12), max(alpha[y < 0].sum(), 1e-12)]
    return C * np.where(y > 0, alpha * min(sums) / sums[0], alpha * min(sums) / sums[1])


# --- the catalogue of hard cases -----------------------------------------------------------------


def turns(n):
    return np.where(np.arange(n) % 2 == 0, 1.0, -1.0)


def hard_cases():
    """Return (X, y, costs) by name; costs as large as every solver ends with in a few steps."""
    rng = np.random.default_rng(7)
    y = turns(12)
    noise = np.round(rng.normal(size=(12, 3)), 3)
    few = np.where(np.isin(np.arange(14), [3, 8]), 1.0, -1.0)
    usual, wide = (1e-4, 0.3, 1.0, 30.0), (1e-4, 0.3, 1.0, 30.0, 1e3, 1e6)
    cases = {
        "one point a class": ([[0.2, 1.0], [1.3, -0.4]], [-1, 1], (*wide, np.inf)),
        "no free vector": ([[0.0], [1.0], [0.2], [0.8]], [-1, -1, 1, 1], (1e-4, 0.3, 1.0, 30.0)),
        "a point with both labels": (
            [[1.0, 2.0], [1.0, 2.0], [3.0, 1.0], [0.0, 1.0], [0.0, 0.0]],
            [1, -1, 1, -1, -1],
            (1e-4, 0.3, 1.0, 30.0, 1e3),
        ),
        "every point with both labels": ([[1, 2], [1, 2], [3, 1], [3, 1]], [1, -1, 1, -1], wide),
        "all points equal": (np.ones((5, 2)), turns(5), wide),
        "noise": (noise, y, usual),
        "apart": (noise + 1.5 * y[:, None], y, (1e-4, 0.3, 1.0, 30.0, 1e3, np.inf)),
        "integers": (rng.integers(-3, 4, size=(12, 2)), y, usual),
        "collinear": (np.outer(rng.normal(size=10), [1.0, -2.0, 0.5]), turns(10), usual),
        "rank-deficient": (np.hstack([noise, noise, 2 * noise[:, :1]]), y, (1e-4, 0.3, 1.0)),
        "one feature": (rng.normal(size=(9, 1)), turns(9), (*usual, 1e3)),
        "imbalanced": (np.round(rng.normal(size=(14, 2)), 2), few, usual),
        "far from the origin": (noise + 100.0, y, (1e-4, 0.3, 1.0)),
    }
    for s in (1e-4, 1e-2, 1e2, 1e4):
        cases[f"noise times {s:g}"] = (s * noise, y, tuple(C / s**2 for C in (0.01, 1.0, 10.0)))
        spread = s * (noise + 1.5 * y[:, None])
        cases[f"apart times {s:g}"] = (spread, y, (0.01 / s**2, 1.0 / s**2, np.inf))
    return {k: (np.array(X, float), np.array(y, float), Cs) for k, (X, y, Cs) in cases.items()}


CASES = hard_cases()
CATALOGUE = [(name, C) for name, (_, _, Cs) in CASES.items() for C in Cs]
catalogue = pytest.mark.parametrize(("name", "C"), CATALOGUE)

SOLVERS = {
    "primal, own": partial(svm.primal, engine="own"),
    "primal, cvxopt": partial(svm.primal, engine="cvxopt"),
    "dual, own": partial(svm.dual, engine="own"),
    "dual, cvxopt": partial(svm.dual, engine="cvxopt"),
    "platt": partial(svm.train, solver=smo.platt, tol=1e-5),
    "most violating": partial(svm.train, solver=smo.most_violating, tol=1e-5),
    "second order": partial(svm.train, solver=smo.second_order, tol=1e-5),
}
solvers = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)


@cache
def machines(name, C):
    """Return every solver's machine for a case of the catalogue."""
    X, y, _ = CASES[name]
    return {solver: solve(X, y, C) for solver, solve in SOLVERS.items()}


def by_scikit_learn(X, y, C):
    """Return alpha, w and b of SVC, on data scaled to norm 1 so that it ends."""
    s = np.abs(X).max() or 1.0
    cost = 1e8 if np.isinf(C) else C * s**2
    theirs = SVC(C=cost, kernel="linear", tol=1e-7).fit(X / s, y)
    alpha = np.zeros(len(y))
    alpha[theirs.support_] = np.abs(theirs.dual_coef_[0]) / s**2
    return alpha, theirs.coef_[0] / s, float(theirs.intercept_[0])


# --- agreement -----------------------------------------------------------------------------------


@catalogue
def test_every_solver_proves_its_answer_on_every_hard_case(name, C):
    X, y, _ = CASES[name]
    for solver, machine in machines(name, C).items():
        judged = svm.certificate(X @ X.T, y, C, machine.alpha, machine.b)
        own = machine.certificate
        assert own.holds, solver
        assert (judged.primal, judged.dual) == pytest.approx((own.primal, own.dual)), solver
        assert judged.within(1e-4), solver
        assert judged.box == 0, solver
        assert judged.balance <= 1e-9 * machine.alpha.max(), solver


@catalogue
def test_every_solver_finds_the_same_objective_w_and_decisions(name, C):
    X, _, _ = CASES[name]
    new = np.vstack([X[:3] * 0.5, X[-2:] * -1.5, X.mean(axis=0)])
    found = machines(name, C)
    best = max(m.certificate.dual for m in found.values())
    first = found["dual, cvxopt"]
    reach = np.linalg.norm(np.vstack([X, new]), axis=1).max()
    for solver, machine in found.items():
        assert machine.certificate.primal == pytest.approx(best, rel=1e-4), solver
        # half norm(w - w*)^2 <= gap: the objective is strongly convex
        gaps = [max(m.certificate.gap, 1e-12 * best) for m in (machine, first)]
        apart = sum(np.sqrt(2 * gap) for gap in gaps)
        assert np.linalg.norm(machine.w - first.w) <= apart, solver
        low, high = first.b_interval
        slack = 2 * reach * apart + 1e-9
        assert low - slack <= machine.b <= high + slack, solver
        difference = machine.decision(new) - machine.b - new @ first.w
        assert np.abs(difference).max() <= slack, solver


@catalogue
def test_scikit_learn_finds_the_same_objective_and_an_offset_inside_our_interval(name, C):
    X, y, _ = CASES[name]
    machine = machines(name, C)["second order"]
    alpha, w, b = by_scikit_learn(X, y, C)
    ours, theirs = machine.certificate, svm.certificate(X @ X.T, y, C, alpha, b)
    assert theirs.dual == pytest.approx(ours.primal, rel=1e-4)
    gaps = [max(gap, 1e-12 * ours.primal) for gap in (ours.gap, ours.primal - theirs.dual)]
    apart = sum(np.sqrt(2 * gap) for gap in gaps)
    assert np.linalg.norm(w - machine.w) <= apart
    low, high = machine.b_interval
    near = 1e-4 + 2 * apart * np.linalg.norm(X, axis=1).max()
    assert low - near <= b <= high + near


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_without_an_offset_primal_dual_and_coordinate_descent_agree(name, C):
    X, y, _ = CASES[name]
    C = C / np.abs(X).max() ** 2
    descent = linear.dual_coordinate_descent(X, y, C, tol=1e-12, max_epochs=300)
    for engine, pose in itertools.product(("own", "cvxopt"), (svm.primal, svm.dual)):
        machine = pose(X, y, C, offset=False, engine=engine)
        assert (machine.b, machine.b_interval) == (0.0, (0.0, 0.0))
        assert machine.certificate.within(1e-6)
        assert machine.certificate.primal == pytest.approx(descent.primal, rel=1e-4)
        apart = np.sqrt(2 * max(machine.certificate.gap, 0)) + np.sqrt(2 * max(descent.gap, 0))
        rounding = 1e-6 * np.linalg.norm(descent.w) + 1e-12 / np.abs(X).max()
        assert np.linalg.norm(machine.w - descent.w) <= apart + rounding


@solvers
@settings(max_examples=10)
@given(examples=integer_examples(both=True, max_n=8), C=costs)
def test_every_answer_has_no_gap(solver, examples, C):
    X, y = examples
    machine = solver(X, y, C)
    judged = machine.certificate
    assert judged.within(1e-4)
    assert judged.primal == pytest.approx(objective(machine.w, machine.b, X, y, C), rel=1e-9)
    assert abs(judged.on_margin) + abs(judged.at_bound) <= 1e-4 * judged.primal
    f = X @ machine.w + machine.b
    np.testing.assert_allclose(machine.decision(X), f, atol=1e-9 * (1 + np.abs(f).max()))


@settings(max_examples=20)
@given(integer_examples(both=True, max_n=7), costs, seeds)
def test_no_other_w_and_b_is_better(examples, C, seed):
    X, y = examples
    machine, rng = svm.train(X, y, C, tol=1e-6), np.random.default_rng(seed)
    for step in rng.normal(size=(20, X.shape[1] + 1)) * rng.choice([0.01, 0.3, 3.0]):
        other = objective(machine.w + step[:-1], machine.b + step[-1], X, y, C)
        assert other >= machine.certificate.primal * (1 - 1e-5)


@pytest.mark.parametrize("C", [1e-4, 0.01, 1.0])
def test_what_train_returns_by_default_passes_the_default_certificate(C):
    y = np.where(np.arange(30) < 2, 1.0, -1.0)  # 2 against 28: w is almost 0, the gap is not
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(30, 2))
        assert svm.train(X, y, C).certificate.holds


def test_an_answer_cut_short_is_refused_by_its_certificate():
    X, y = datasets.noisy(30, 2, flips=0.3, rng=0)
    machine = svm.train(X, y, 100.0, solver=partial(smo.second_order, max_iterations=3))
    assert not machine.certificate.holds
    assert machine.certificate.gap > 0.1 * machine.certificate.primal


# --- the certificate -----------------------------------------------------------------------------


@settings(max_examples=30)
@given(integer_examples(both=True, max_n=8), costs, seeds)
def test_weak_duality_no_feasible_alpha_is_above_any_w(examples, C, seed):
    X, y = examples
    rng = np.random.default_rng(seed)
    alpha, b = random_alpha(rng, y, C), 3 * rng.normal()
    judged = svm.certificate(X @ X.T, y, C, alpha, b)
    assert judged.box <= 1e-15
    assert judged.balance <= 1e-12
    assert judged.gap >= -1e-9 * (1 + judged.primal)
    other = random_alpha(rng, y, C)
    assert svm.certificate(X @ X.T, y, C, other, 0.0).dual <= judged.primal + 1e-9


@settings(max_examples=30)
@given(integer_examples(both=True, max_n=8), costs, seeds)
def test_the_gap_is_the_sum_of_the_two_complementarity_residuals(examples, C, seed):
    X, y = examples
    rng = np.random.default_rng(seed)
    judged = svm.certificate(X @ X.T, y, C, random_alpha(rng, y, C), 3 * rng.normal())
    assert judged.on_margin >= 0
    assert judged.at_bound >= 0
    total = judged.on_margin + judged.at_bound
    assert judged.gap == pytest.approx(total, rel=1e-9, abs=1e-9 * (1 + judged.primal))


@settings(max_examples=30)
@given(integer_examples(both=True, max_n=8), costs, seeds)
def test_the_certificate_is_written_out_from_the_definitions(examples, C, seed):
    X, y = examples
    rng = np.random.default_rng(seed)
    alpha, b = random_alpha(rng, y, C) + 0.1 * rng.normal(size=len(y)), rng.normal()
    judged = svm.certificate(X @ X.T, y, C, alpha, b)
    w = sum(a * label * x for a, label, x in zip(alpha, y, X))
    assert judged.primal == pytest.approx(objective(w, b, X, y, C), rel=1e-9)
    assert judged.dual == pytest.approx(sum(alpha) - 0.5 * w @ w, rel=1e-9, abs=1e-9)
    assert judged.balance == pytest.approx(abs(sum(alpha * y)), abs=1e-12)
    assert judged.box == pytest.approx(max(0, *(-alpha), *(alpha - C)), abs=1e-12)


@settings(max_examples=30)
@given(integer_examples(both=True, max_n=8), costs, seeds)
def test_no_gap_means_optimal_and_a_gap_bounds_what_is_missing(examples, C, seed):
    X, y = examples
    best = svm.dual(X, y, C).certificate
    rng = np.random.default_rng(seed)
    judged = svm.certificate(X @ X.T, y, C, random_alpha(rng, y, C), rng.normal())
    missing = max(judged.primal - best.primal, best.dual - judged.dual)
    assert missing <= judged.gap + 1e-6 * (1 + judged.primal)
    assert best.gap <= 1e-6 * best.primal


@given(separable_integers(min_n=2, max_n=6), seeds)
def test_with_C_infinite_any_separator_is_scaled_until_it_is_feasible(data, seed):
    X, y, _ = data
    if len(set(y)) < 2:
        return
    rng = np.random.default_rng(seed)
    alpha, b = random_alpha(rng, y, 1.0), rng.normal()
    judged = svm.certificate(X @ X.T, y, np.inf, alpha, b)
    w = (alpha * y) @ X
    t = (y * (X @ w + b)).min()
    if t <= 0:
        assert judged.primal == np.inf
        assert not judged.holds
    else:
        assert judged.primal == pytest.approx(0.5 * w @ w / min(t, 1.0) ** 2, rel=1e-9)
        assert judged.gap >= -1e-9 * (1 + judged.primal)


@pytest.mark.parametrize("unit", [1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_whether_the_certificate_holds_does_not_depend_on_units(unit):
    X, y = datasets.noisy(20, 2, flips=0.2, rng=3)
    machine = svm.dual(X, y, 2.0)
    s = unit**2  # x in other units: K times unit^2, so C and alpha over unit^2
    K, C, alpha, b = s * (X @ X.T), 2.0 / s, machine.alpha / s, machine.b
    assert svm.certificate(K, y, C, alpha, b).within(1e-6)
    assert not svm.certificate(K, y, C, alpha, b + 0.05).holds
    assert not svm.certificate(K, y, C, 0.95 * alpha, b).holds
    assert not svm.certificate(K, y, C, 0 * alpha, b).holds
    unbalanced = alpha * np.where(y > 0, 1.01, 1.0)
    assert not svm.certificate(K, y, C, unbalanced, b).holds
    assert not svm.certificate(K, y, 0.99 * C, alpha, b).holds


@pytest.mark.parametrize("C", [1e-6, 1e-4])
def test_a_small_C_does_not_make_the_certificate_blind(C):
    X, y = datasets.noisy(20, 2, flips=0.2, rng=3)
    assert not svm.certificate(X @ X.T, y, C, np.zeros(20), 0.0).holds
    assert svm.train(X, y, C, tol=1e-6).certificate.holds


def test_the_certificate_prints_one_line_a_condition():
    machine = svm.train(*datasets.noisy(20, 2, flips=0.2, rng=3), 0.7)
    text = str(machine.certificate)
    assert len(text.splitlines()) == 8
    for words in ("primal", "dual", "gap", "[0, C]", "sum alpha y", "xi", "is within 0.0001"):
        assert words in text


# --- famous bugs ---------------------------------------------------------------------------------


def bug_data():
    """Data with free and bound support vectors, a bound one first, classes of different size."""
    X, y = datasets.noisy(30, 2, gamma=0.05, flips=0.2, rng=5)
    X = 2.3 * X + [0.7, -0.4]
    machine = svm.dual(X, y, 0.3)
    order = np.argsort(~np.isin(np.arange(30), machine.bounded), kind="stable")
    return X[order], y[order], 0.3


def famous_offsets(X, y, C):
    """Return b as famous code computes it, by the name of the mistake."""
    machine = svm.dual(X, y, C)
    alpha, support, bounded = machine.alpha, machine.support, machine.bounded
    f = (X @ X.T) @ (alpha * y)
    F = y - f
    loose = (alpha > 0) | (alpha < C)  # `|` for `&`
    return machine, {
        "the first support vector": F[support[0]],
        "all support vectors": F[support].mean(),
        "a bound vector": F[bounded[-1]],
        "all points": F.mean(),
        "or for and": F[loose].mean(),
        "sign flipped": -machine.b,
        "sign predictions": float(np.mean(y - np.where(f >= 0, 1.0, -1.0))),
        "none": 0.0,
    }


BUGS = famous_offsets(*bug_data())[1]


@pytest.mark.parametrize("bug", BUGS)
def test_the_certificate_rejects_the_offset_of_famous_code(bug):
    X, y, C = bug_data()
    machine, offsets = famous_offsets(X, y, C)
    assert len(machine.free) >= 1
    assert len(machine.bounded) >= 2
    assert svm.certificate(X @ X.T, y, C, machine.alpha, machine.b).within(1e-8)
    judged = svm.certificate(X @ X.T, y, C, machine.alpha, offsets[bug])
    assert not judged.holds
    assert judged.gap > 1e-3 * judged.primal


def wrong_duals(X, y, C):
    """Return (alpha, b) of wrong problems, by the name of the mistake."""
    n, K = len(y), X @ X.T
    Q, one = y[:, None] * K * y, np.ones(n)
    balance = {"A": y[None, :], "b": [0.0]}

    def answer(P, q=-one, upper=C, **equality):
        alpha = qp.solve(P, q, lower=0.0, upper=upper, **equality).x
        return alpha, float(np.mean(svm.best_offset(y - K @ (alpha * y), y)))

    return {
        "K without y y'": answer(K, **balance),
        "no upper bound": answer(Q, upper=20 * C, **balance),
        "sum alpha y = 0 missing": answer(Q),
        "half missing": answer(2 * Q, **balance),
        "C on the norm": answer(Q, upper=1 / C, **balance),
        "norm^2 without half": answer(Q / 2, **balance),
        "C over n": answer(Q, upper=C / n, **balance),
    }


WRONG = tuple(wrong_duals(*bug_data()))


@pytest.mark.parametrize("bug", WRONG)
def test_the_certificate_rejects_answers_to_the_wrong_problem(bug):
    X, y, C = bug_data()
    alpha, b = wrong_duals(X, y, C)[bug]
    assert not svm.certificate(X @ X.T, y, C, alpha, b).holds


def test_C_on_the_wrong_term_is_invisible_at_C_1_and_visible_at_0_3():
    X, y, _ = bug_data()
    for C, seen in ((1.0, False), (0.3, True)):
        alpha, b = wrong_duals(X, y, C)["C on the norm"]
        assert svm.certificate(X @ X.T, y, C, alpha, b).holds is not seen


@pytest.mark.parametrize("change", ["test labels", "swapped classes", "stale alpha"])
def test_the_certificate_rejects_an_alpha_for_other_labels_or_another_C(change):
    X, y, C = bug_data()
    machine = svm.dual(X, y, C)
    labels = {"test labels": np.roll(y, 1), "swapped classes": -y}.get(change, y)
    cost = 2 * C if change == "stale alpha" else C
    assert not svm.certificate(X @ X.T, labels, cost, machine.alpha, machine.b).holds


# --- offsets -------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(-4, 4), min_size=2, max_size=9),
    st.lists(st.booleans(), min_size=9, max_size=9),
)
def test_the_best_offsets_are_those_of_brute_force_over_the_breakpoints(F, positive):
    F = np.array(F, dtype=float)
    y = np.where(positive[: len(F)], 1.0, -1.0)
    y[:2] = 1.0, -1.0

    def slack(b):
        return sum(max(0.0, label * (v - b)) for v, label in zip(F, y))

    grid = sorted({*F, *(F + 0.25), *(F - 0.25)})
    least = min(slack(b) for b in grid)
    low, high = svm.best_offset(F, y)
    best = [b for b in F if slack(b) == least]
    assert (low, high) == (min(best), max(best))


@pytest.mark.parametrize("C", [0.05, 0.1])
def test_without_a_free_vector_every_offset_in_the_interval_is_best_and_none_outside(C):
    X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([-1.0, 1.0, -1.0, 1.0])
    for name, solve in SOLVERS.items():
        machine = solve(X, y, C)
        low, high = machine.b_interval
        assert high - low > 0.1, name
        assert len(machine.free) == 0
        assert machine.b == pytest.approx((low + high) / 2, rel=1e-12)
        best, cost = machine.certificate.primal, machine.C
        for share in np.linspace(0, 1, 7):
            inside = objective(machine.w, low + share * (high - low), X, y, cost)
            assert inside == pytest.approx(best, rel=1e-9)
        for outside in (low - 1e-3, high + 1e-3):
            assert objective(machine.w, outside, X, y, cost) > best * (1 + 1e-6)


@catalogue
def test_the_interval_holds_exactly_the_best_offsets(name, C):
    X, y, _ = CASES[name]
    machine = machines(name, C)["dual, own"]
    if np.isinf(C):
        return
    low, high = machine.b_interval
    best = machine.certificate.primal
    for b in (low, high):
        assert objective(machine.w, b, X, y, C) == pytest.approx(best, rel=1e-6)
    for b in (low - 0.1, high + 0.1):
        assert objective(machine.w, b, X, y, C) > best


@settings(max_examples=20)
@given(integer_examples(both=True, max_n=8), costs)
def test_a_free_vector_lies_on_the_margin_and_makes_the_offset_unique(examples, C):
    X, y = examples
    machine = svm.dual(X, y, C)
    if len(machine.free):
        f = machine.decision(X)
        np.testing.assert_allclose((y * f)[machine.free], 1.0, atol=1e-4)
        assert machine.b_interval[1] - machine.b_interval[0] <= 1e-5 * (1 + abs(machine.b))
    assert set(machine.free) | set(machine.bounded) == set(machine.support)
    assert not set(machine.free) & set(machine.bounded)


# --- SV-1, SV-2: distance, street, and the way from max gamma to the QP ---------------------------


@settings(max_examples=15)
@given(known_problems())
def test_the_street_is_2_over_norm_w_wide_and_support_vectors_lie_on_its_edges(problem):
    X, y = problem.X, problem.y
    machine = svm.hard_margin(X, y)
    norm = np.linalg.norm(machine.w)
    distance = np.array([abs(machine.w @ x + machine.b) / norm for x in X])
    assert distance.min() == pytest.approx(1 / norm, rel=1e-5)
    np.testing.assert_allclose(distance[machine.support], 1 / norm, rtol=1e-5)
    positive, negative = ((X @ machine.w)[y == label] / norm for label in (1.0, -1.0))
    assert positive.min() - negative.max() == pytest.approx(2 / norm, rel=1e-5)
    widest = margins.max_margin(X, y, offset=True)
    assert 2 / norm == pytest.approx(2 * widest.gamma, rel=1e-5)


@settings(max_examples=15)
@given(known_problems())
def test_max_gamma_with_unit_norm_and_least_norm_with_margin_1_are_the_same_w_over_gamma(problem):
    X, y, gamma, u = problem.X, problem.y, problem.gamma, problem.u
    machine = svm.hard_margin(X, y, offset=False)
    assert np.linalg.norm(machine.w) == pytest.approx(1 / gamma, rel=1e-6)
    np.testing.assert_allclose(machine.w, u / gamma, atol=1e-4 / gamma)
    assert (y * (X @ machine.w)).min() >= 1 - 1e-6


@settings(max_examples=15)
@given(known_problems(), st.sampled_from([0.1, 0.5, 0.99, 1.0]))
def test_with_gamma_known_and_not_above_the_largest_a_unit_w_is_found(problem, share):
    gamma = share * problem.gamma
    found = svm.with_known_margin(problem.X, problem.y, gamma)
    assert found.separable
    assert np.linalg.norm(found.w) == pytest.approx(1.0, rel=1e-12)
    assert (problem.y * (problem.X @ found.w)).min() >= gamma * (1 - 1e-6)


@settings(max_examples=15)
@given(known_problems(), st.sampled_from([1.001, 1.5, 10.0]))
def test_with_gamma_above_the_largest_convex_weights_prove_that_there_is_no_w(problem, times):
    gamma = times * problem.gamma
    found = svm.with_known_margin(problem.X, problem.y, gamma)
    assert not found.separable
    assert found.w is None
    point = (found.weights * problem.y) @ problem.X
    assert found.weights.min() >= 0
    assert found.weights.sum() == pytest.approx(1.0, rel=1e-9)
    assert np.linalg.norm(point) < gamma  # and w.point >= gamma for a unit w cannot be


@pytest.mark.parametrize("gamma", [0.0, -1.0, np.nan])
def test_a_margin_asked_for_is_a_positive_number(gamma):
    with pytest.raises(ValueError, match="gamma must be"):
        svm.with_known_margin([[1.0], [-1.0]], [1, -1], gamma)


# --- SV-3: the hard margin -----------------------------------------------------------------------


@pytest.mark.parametrize("offset", [False, True])
@settings(max_examples=15)
@given(examples=integer_examples(both=True, max_n=7))
def test_a_hard_margin_or_the_certificate_that_there_is_none(offset, examples):
    X, y = examples
    for pose in (svm.primal, svm.dual):
        machine = pose(X, y, np.inf, offset=offset)
        assert machine.separable == margins.max_margin(X, y, offset=offset).separable
        if machine.separable:
            assert machine.certificate.within(1e-6)
            assert (y * (X @ machine.w + machine.b)).min() >= 1 - 1e-5
            continue
        weights = machine.separation.weights
        assert (weights >= 0).all()
        for group in [y > 0, y < 0] if offset else [y != 0]:
            assert weights[group].sum() == pytest.approx(1.0, rel=1e-9)
        point = sum(a * label * x for a, label, x in zip(weights, y, X))
        assert np.linalg.norm(point) <= 1e-9 * (1 + np.abs(X).max())
        assert machine.w is None
        assert np.isnan(machine.b)
        assert not machine.certificate.holds


@pytest.mark.parametrize("offset", [False, True])
def test_the_hard_margin_is_unique_whatever_the_order_and_the_solver(offset):
    p = datasets.separable(14, 3, gamma=0.2, rng=5)
    first = svm.hard_margin(p.X, p.y, offset=offset)
    order = np.random.default_rng(0).permutation(14)
    for engine, pose in itertools.product(("own", "cvxopt"), (svm.primal, svm.dual)):
        again = pose(p.X[order], p.y[order], np.inf, offset=offset, engine=engine)
        np.testing.assert_allclose(again.w, first.w, rtol=1e-5)
        assert again.b == pytest.approx(first.b, abs=1e-5)
    doubled = svm.hard_margin(np.vstack([p.X, p.X]), np.tile(p.y, 2), offset=offset)
    np.testing.assert_allclose(doubled.w, first.w, rtol=1e-5)


def test_a_large_enough_C_gives_the_hard_margin():
    X, y, _ = CASES["apart"]
    hard = svm.hard_margin(X, y)
    C = 1.01 * hard.alpha.max()
    for solve in SOLVERS.values():
        soft = solve(X, y, C)
        np.testing.assert_allclose(soft.w, hard.w, rtol=1e-4)
        assert len(soft.bounded) == 0


@pytest.mark.parametrize("pose", [svm.dual, svm.train])
@pytest.mark.parametrize("kernel", [kernels.Gaussian(0.8), kernels.Polynomial(3)])
def test_a_point_with_both_labels_defeats_every_kernel_and_the_weights_say_so(pose, kernel):
    X, y = datasets.xor()
    X, y = np.vstack([X, X[:1]]), np.append(y, -y[0])
    machine = pose(X, y, np.inf, kernel)
    assert not machine.separable
    K, beta = kernel(X), machine.separation.weights * y
    assert beta @ K @ beta <= 1e-9 * K.max()  # norm(sum weights y phi)^2
    assert beta.sum() == pytest.approx(0.0, abs=1e-12)
    assert svm.dual(X, y, 1.0, kernel).certificate.within(1e-6)
    assert pose(X[:4], y[:4], np.inf, kernel).certificate.holds


def test_no_hard_margin_machine_is_made_up_where_there_is_none():
    for pose in (svm.primal, svm.dual, svm.train):
        machine = pose(*datasets.xor(), np.inf)
        assert not machine.separable
        assert machine.separation.converged
        assert np.isnan(machine.b_interval).all()
        assert len(machine.support) == 0


# --- SV-4, SV-5: C and the slacks ----------------------------------------------------------------


@settings(max_examples=15)
@given(integer_examples(both=True, max_n=7), costs)
def test_norm_squared_plus_C_sum_is_half_the_C_of_half_the_norm_squared(examples, C):
    X, y = examples
    (n, d), lecture = X.shape, 2 * C  # L1, L3, L4: norm(w)^2 + C' sum xi
    P = np.diag([2.0] * d + [0.0] * (n + 1))
    q = np.concatenate([np.zeros(d + 1), np.full(n, lecture)])
    G = -np.hstack([y[:, None] * X, y[:, None], np.eye(n)])
    lower = np.concatenate([np.full(d + 1, -np.inf), np.zeros(n)])
    answer = qp.solve(P, q, G=G, h=-np.ones(n), lower=lower)
    machine = svm.primal(X, y, lecture / 2)
    assert answer.primal == pytest.approx(2 * machine.certificate.primal, rel=1e-5, abs=1e-6)
    np.testing.assert_allclose(answer.x[:d], machine.w, atol=1e-3)


def test_the_three_conventions_of_C_differ_where_C_is_not_converted():
    X, y, C = bug_data()
    half, whole = svm.primal(X, y, C), svm.primal(X, y, C / 2)
    assert np.linalg.norm(half.w - whole.w) > 0.01
    average = svm.primal(X, y, C / len(y))  # C / n sum xi, said or unsaid
    assert np.linalg.norm(half.w - average.w) > 0.1


@settings(max_examples=15)
@given(integer_examples(both=True, max_n=7), costs)
def test_the_slack_of_the_program_is_the_hinge_loss(examples, C):
    X, y = examples
    (n, d) = X.shape
    P = np.diag([1.0] * d + [0.0] * (n + 1))
    q = np.concatenate([np.zeros(d + 1), np.full(n, C)])
    G = -np.hstack([y[:, None] * X, y[:, None], np.eye(n)])
    lower = np.concatenate([np.full(d + 1, -np.inf), np.zeros(n)])
    x = qp.solve(P, q, G=G, h=-np.ones(n), lower=lower).x
    t = y * (X @ x[:d] + x[d])
    hinge = losses.hinge()
    np.testing.assert_allclose(x[d + 1 :], [max(0.0, 1 - v) for v in t], atol=1e-4)
    np.testing.assert_allclose(x[d + 1 :], hinge.value(t), atol=1e-4)


# --- SV-6, SV-7: the dual, and b -----------------------------------------------------------------


@pytest.mark.parametrize("offset", [False, True])
@settings(max_examples=20)
@given(examples=integer_examples(both=True, max_n=7), C=costs)
def test_the_multipliers_of_the_primal_program_solve_the_dual(offset, examples, C):
    X, y = examples
    (n, d) = X.shape
    k = d + offset
    P = np.diag([1.0] * d + [0.0] * (k - d + n))
    rows = y[:, None] * np.hstack([X, np.ones((n, 1))])[:, :k]
    lower = np.concatenate([np.full(k, -np.inf), np.zeros(n)])
    q = np.concatenate([np.zeros(k), np.full(n, C)])
    answer = qp.solve(P, q, G=-np.hstack([rows, np.eye(n)]), h=-np.ones(n), lower=lower)
    alpha, w = answer.z, answer.x[:d]
    np.testing.assert_allclose((alpha * y) @ X, w, atol=1e-5)  # dL/dw = 0
    np.testing.assert_allclose(alpha + answer.z_lower[k:], C, atol=1e-5)  # dL/dxi = 0
    if offset:
        assert alpha @ y == pytest.approx(0.0, abs=1e-5)  # dL/db = 0
    dual = alpha.sum() - 0.5 * w @ w
    assert dual == pytest.approx(answer.primal, rel=1e-5, abs=1e-5)
    best = svm.dual(X, y, C, offset=offset).certificate.dual
    assert dual == pytest.approx(best, rel=1e-5, abs=1e-5)


def test_without_an_offset_nothing_balances_alpha():
    X, y, C = bug_data()
    machine = svm.dual(X, y, C, offset=False)
    assert abs(machine.alpha @ y) > 0.1
    assert machine.certificate.balance == 0
    assert machine.certificate.within(1e-6)
    assert not svm.certificate(X @ X.T, y, C, machine.alpha, 0.0).holds  # with offset it is wrong


@pytest.mark.parametrize("pose", [svm.primal, svm.dual])
def test_one_class_alone_is_a_problem_only_without_offset(pose):
    X = np.array([[1.0, 2.0], [3.0, 1.0]])
    machine = pose(X, [1, 1], np.inf, offset=False)
    best = margins.max_margin(X, [1, 1])
    np.testing.assert_allclose(machine.w, best.w / best.gamma, rtol=1e-6)
    with pytest.raises(ValueError, match="needs examples of both"):
        pose(X, [1, 1], 1.0)


def test_any_alpha_above_0_gives_b_in_the_hard_margin():
    X, y, _ = CASES["apart"]
    machine = svm.hard_margin(X, y)
    assert len(machine.support) >= 2
    for k in machine.support:
        assert y[k] - machine.w @ X[k] == pytest.approx(machine.b, abs=1e-6)


def test_any_alpha_above_0_gives_a_wrong_b_in_the_soft_margin():
    X, y = np.array([[-1.0], [1.0], [-0.2], [2.5]]), np.array([-1.0, 1.0, 1.0, -1.0])
    C = 0.2
    machine = svm.dual(X, y, C)
    by_each = {int(k): float(y[k] - machine.w @ X[k]) for k in machine.support}
    assert machine.certificate.within(1e-8)
    wrong = [k for k in by_each if not machine.b_interval[0] <= by_each[k] <= machine.b_interval[1]]
    assert wrong
    assert set(wrong) <= set(machine.bounded.tolist())
    for k in wrong:
        assert not svm.certificate(X @ X.T, y, C, machine.alpha, by_each[k]).holds
    X, y, C = bug_data()
    machine = svm.dual(X, y, C)
    for k in machine.free:
        assert y[k] - machine.w @ X[k] == pytest.approx(machine.b, abs=1e-6)


# --- SV-8: only support vectors matter -----------------------------------------------------------


@catalogue
def test_without_the_other_examples_nothing_changes(name, C):
    X, y, _ = CASES[name]
    whole = machines(name, C)["dual, cvxopt"]
    kept = whole.support
    part = svm.dual(X[kept], y[kept], C)
    assert part.certificate.primal == pytest.approx(whole.certificate.primal, rel=1e-6)
    scale = np.linalg.norm(X, axis=1).max() * np.linalg.norm(whole.w)
    np.testing.assert_allclose(X @ part.w, X @ whole.w, atol=1e-3 * scale + 1e-9)
    if len(whole.free):
        np.testing.assert_allclose(part.decision(X), whole.decision(X), atol=1e-3 * (1 + scale))


def test_removing_a_support_vector_does_change_the_answer():
    X, y, C = bug_data()
    machine = svm.dual(X, y, C)
    for k in machine.support[:5]:
        less = svm.dual(np.delete(X, k, axis=0), np.delete(y, k), C)
        assert less.certificate.primal < machine.certificate.primal * (1 - 1e-6)


@pytest.mark.parametrize("C", [1e2, 1e4, 1e6])
def test_a_C_far_above_every_alpha_hides_no_support_vector(C):
    X, y, _ = CASES["apart"]
    machine, hard = svm.train(X, y, C), svm.hard_margin(X, y)
    np.testing.assert_array_equal(machine.support, hard.support)
    np.testing.assert_array_equal(machine.free, hard.support)
    f = X @ machine.w + machine.b
    np.testing.assert_allclose(machine.decision(X), f, atol=1e-9 * (1 + np.abs(f).max()))


# --- SV-10: kernels ------------------------------------------------------------------------------


@pytest.mark.parametrize("pose", [svm.dual, partial(svm.train, tol=1e-6)])
@pytest.mark.parametrize(("degree", "one"), [(2, True), (2, False), (3, True)])
def test_a_polynomial_kernel_is_the_linear_machine_on_the_polynomial_map(pose, degree, one):
    X, y = datasets.noisy(18, 2, flips=0.2, rng=4)
    new = np.random.default_rng(0).normal(size=(7, 2))
    kernel = kernels.Polynomial(degree, one)
    phi = partial(features.polynomial_map, degree=degree, one=one)
    for C in (0.3, 2.0):
        curved, flat = pose(X, y, C, kernel), pose(phi(X), y, C)
        assert curved.certificate.primal == pytest.approx(flat.certificate.primal, rel=1e-5)
        np.testing.assert_allclose(curved.decision(new), flat.decision(phi(new)), atol=1e-3)
        assert curved.w is None
        by_primal = svm.primal(phi(X), y, C)
        assert curved.certificate.dual == pytest.approx(by_primal.certificate.primal, rel=1e-5)


@pytest.mark.parametrize("C", [0.3, 5.0])
@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_a_gaussian_machine_is_that_of_scikit_learn(C, sigma):
    X, y = datasets.noisy(30, 2, flips=0.2, rng=6)
    new = np.random.default_rng(1).normal(size=(9, 2))
    theirs = SVC(C=C, gamma=1 / (2 * sigma**2), tol=1e-9).fit(X, y)
    for pose in (svm.dual, partial(svm.train, tol=1e-6)):
        machine = pose(X, y, C, kernels.Gaussian(sigma))
        assert machine.certificate.within(1e-6)
        np.testing.assert_allclose(machine.decision(new), theirs.decision_function(new), atol=1e-4)
        np.testing.assert_array_equal(machine.predict(new), theirs.predict(new))


def test_a_machine_without_weights_decides_by_its_offset_and_never_says_0():
    X, y = np.zeros((4, 2)), np.array([1.0, 1.0, -1.0, -1.0])
    machine = svm.train(X, y, 1.0)
    np.testing.assert_allclose(machine.decision([[3.0, 4.0]]), machine.b)
    assert set(machine.predict([[3.0, 4.0], [0.0, 0.0]])) <= {-1.0, 1.0}


def test_words_are_classified_by_the_letters_they_share():
    words = ["banana", "ananas", "bandana", "terror", "mirror", "horror", "error", "savanna"]
    y = np.array([1, 1, 1, -1, -1, -1, -1, 1])
    for C in (1.0, np.inf):
        for pose in (svm.train, svm.dual):
            machine = pose(words, y, C, discrete.Spectrum(2))
            assert machine.certificate.holds
            assert machine.predict(["cabana", "furor"]).tolist() == [1.0, -1.0]


@pytest.mark.parametrize("C", [0.3, 10.0, np.inf])
def test_solving_for_the_free_vectors_exactly_only_ever_narrows_the_gap(monkeypatch, C):
    X, y, _ = CASES["apart"]
    fine = fast.svm(X, y, C, tol=1e-2)
    monkeypatch.setattr(svm.free, "POLISH", -1)
    rough = fast.svm(X, y, C, tol=1e-2)
    assert 0 <= fine.certificate.gap + 1e-12 <= rough.certificate.gap + 1e-11
    assert rough.certificate.within(0.1)


def test_multipliers_that_do_not_balance_are_balanced_before_they_are_judged():
    class Heavy:
        alpha = np.array([0.3, 0.3, 0.5])

    X, y = [[0.0], [3.0], [1.0]], [-1, 1, 1]
    machine = svm.train(X, y, 1.0, solver=lambda K, y, C, tol: Heavy)
    assert machine.certificate.balance <= 1e-15
    np.testing.assert_allclose(machine.alpha, [0.3, 0.1125, 0.1875], rtol=1e-12)


def test_a_solver_of_ones_own_is_taken_and_judged():
    class Lazy:
        alpha = np.zeros(2)

    machine = svm.train([[0.0], [1.0]], [-1, 1], 1.0, solver=lambda K, y, C, tol: Lazy)
    assert not machine.certificate.holds
    assert machine.certificate.gap == pytest.approx(2.0, rel=1e-12)


@pytest.mark.parametrize("solver", [smo.platt, smo.most_violating, smo.second_order])
@pytest.mark.parametrize("loss", linear.LOSSES)
def test_train_gives_back_the_answer_of_the_solver_that_it_is_given(solver, loss):
    X, y = datasets.noisy(40, 2, flips=0.2, rng=3)
    answers = []

    def heard(K, y, C, tol):
        answers.append(solver(K, y, C, tol=tol))
        return answers[-1]

    own = svm.train(X, y, 0.7, solver=heard, loss=loss, tol=1e-3)
    (given,) = answers
    np.testing.assert_allclose(own.alpha, given.alpha, rtol=1e-12, atol=0)  # sum alpha y is made 0
    assert own.message.startswith(given.message)


def test_a_solver_of_ones_own_is_not_flattered():
    X, y = datasets.noisy(40, 2, flips=0.2, rng=3)
    rough = smo.second_order(X @ X.T, y, 1.0, tol=0.03)

    class Rough:
        alpha = rough.alpha

    machine = svm.train(X, y, 1.0, solver=lambda K, y, C, tol: Rough)
    judged = svm.certificate(X @ X.T, y, 1.0, rough.alpha, machine.b)
    assert not machine.converged
    assert machine.certificate.gap == pytest.approx(judged.gap, rel=1e-9)
    assert machine.message.endswith("; try fast.svm or estimators.SVM")


# --- the programs as they stand on the slides ----------------------------------------------------


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("C", [0.3, 7.0])
def test_the_two_programs_of_the_lectures_have_the_same_value(C, offset):
    X, y = datasets.noisy(30, 2, flips=0.2, rng=1)
    primal = qp.solve(**svm.general_primal_program(X, y, C, offset=offset), engine="own")
    dual = qp.solve(**svm.dual_program(X @ X.T, y, C, offset=offset), engine="own")
    solved = svm.dual(X, y, C, offset=offset)
    assert solved.converged
    assert primal.primal == pytest.approx(-dual.primal, rel=1e-6)
    assert solved.certificate.dual == pytest.approx(-dual.primal, rel=1e-6)


def test_the_primal_program_on_the_slide_is_the_general_one():
    X, y = datasets.noisy(12, 2, flips=0.2, rng=1)
    slide, general = svm.primal_program(X, y, 3.0), svm.general_primal_program(X, y, 3.0)
    assert slide.keys() == general.keys()
    for name, matrix in general.items():
        matrix = matrix.toarray() if name in ("P", "G") else matrix
        np.testing.assert_array_equal(slide[name], matrix)


@pytest.mark.parametrize("seed", range(5))
def test_the_dual_program_is_the_sum_on_the_slide(seed):
    rng = np.random.default_rng(seed)
    K, y, alpha = rng.normal(size=(5, 5)), rng.choice([-1.0, 1.0], size=5), rng.random(5)
    program = svm.dual_program(K @ K.T, y, 2.0)
    pairs = [(i, j) for i in range(5) for j in range(5)]
    slide = sum(alpha) - 0.5 * sum(
        alpha[i] * alpha[j] * y[i] * y[j] * (K @ K.T)[i, j] for i, j in pairs
    )
    ours = 0.5 * alpha @ program["P"] @ alpha + program["q"] @ alpha
    assert ours == pytest.approx(-slide, rel=1e-12)
    assert (program["lower"], program["upper"], program["b"]) == (0.0, 2.0, [0.0])
    np.testing.assert_array_equal(program["A"], [y])


# --- what a solver says, and scores without a Gram matrix ----------------------------------------


@solvers
def test_a_machine_says_that_it_converged_and_how_large_its_gap_is(solver):
    machine = solver(*datasets.noisy(30, 2, flips=0.2, rng=0), 1.0)
    assert machine.converged
    assert machine.message.startswith("reached its tolerance")
    assert machine.message.endswith(machine.certificate.reason)


def test_a_machine_cut_short_says_so_and_gives_smos_advice():
    X, y = datasets.noisy(30, 2, flips=0.3, rng=0)
    machine = svm.train(X, y, 100.0, solver=partial(smo.second_order, max_iterations=3))
    assert not machine.converged
    for words in ("stopped early", "scale the features", "after 3 steps", "refuted: the gap"):
        assert words in machine.message


def test_a_machine_whose_certificate_holds_has_converged_whatever_its_solver_says():
    class Modest:
        alpha = np.array([2.0, 2.0])
        message = "I stopped early"

    machine = svm.train([[0.0], [1.0]], [-1, 1], 5.0, solver=lambda K, y, C, tol: Modest)
    assert machine.converged
    assert machine.message.startswith("I stopped early; proved")


@pytest.mark.parametrize("pose", [svm.primal, svm.dual, svm.train])
def test_without_a_separator_the_message_says_what_proves_it(pose):
    machine = pose(*datasets.xor(), np.inf)
    assert machine.converged
    assert "separation.weights" in machine.message


@pytest.mark.parametrize(("C", "tol", "proved_at_once"), [(10.0, 1e-3, True), (1e3, 2e-5, False)])
def test_what_single_precision_leaves_unproved_is_solved_in_double(
    C, tol, proved_at_once, monkeypatch
):
    runs = []

    def heard(*given, single=False, **options):
        runs.append(single)
        return fast.smo(*given, single=single, **options)

    monkeypatch.setattr(quick_machines, "smo", heard)
    X, y = datasets.noisy(600, 3, flips=0.1, rng=2)
    machine = fast.svm(X, y, C, kernels.Gaussian(1.0), tol=tol)
    assert machine.converged and machine.certificate.relative_gap <= tol
    assert runs == ([True] if proved_at_once else [True, False])
    runs.clear()
    assert fast.svm(X, y, C, kernels.Gaussian(1.0), tol=tol, max_iterations=9).iterations == 9
    assert runs == [False]  # a limit so low leaves no room for a first try


@pytest.mark.parametrize("loss", linear.LOSSES)
@pytest.mark.parametrize("C", [0.3, np.inf])
def test_a_judge_that_sees_K_in_blocks_says_the_same(loss, C):
    X, y, _ = CASES["apart"]
    kernel = kernels.Gaussian(2.0)
    machine = svm.train(X, y, C, kernel, loss=loss)
    s = np.flatnonzero(machine.alpha)
    parts = tiles.pieces(kernel, X, X[s], memory=8 * 5 * tiles.COLUMNS)
    given = y, C, machine.alpha, machine.b
    own = certificate_of_blocks(parts, kernel.diagonal(X), *given, loss=loss)
    whole = svm.certificate(kernel(X), *given, loss=loss)
    for name in ("primal", "dual", "box", "balance", "on_margin", "at_bound"):
        wish = pytest.approx(getattr(whole, name), rel=1e-9, abs=1e-12)
        assert getattr(own, name) == wish, name
    assert own.verdict == whole.verdict == "proved"


# --- SV-11: what the two programs cost -----------------------------------------------------------


@pytest.mark.parametrize("loss", linear.LOSSES)
@pytest.mark.parametrize(("n", "d"), [(12, 2), (60, 2), (12, 30), (60, 30), (60, 90)])
def test_the_cost_of_the_primal_grows_with_the_features_and_of_the_dual_with_the_examples(
    n, d, loss
):
    X = np.random.default_rng(n + d).normal(size=(n, d))
    primal, dual = (
        pose(X, turns(n), 0.5, loss=loss, engine="own") for pose in (svm.primal, svm.dual)
    )
    assert primal.order == d + 1  # w and b; each slack is eliminated with its own row
    assert dual.order == n
    assert primal.certificate.primal == pytest.approx(dual.certificate.dual, rel=1e-6)


def test_smo_solves_no_linear_system():
    assert svm.train(*datasets.noisy(30, 2, rng=0)).order is None


@pytest.mark.parametrize("C", [1e2, 1e4, 1e5, 1e6])
@pytest.mark.parametrize("pose", [svm.primal, svm.dual])
def test_our_own_engine_is_proved_right_for_large_C_on_separable_data(pose, C):
    for seed, unit in itertools.product(range(4), (0.01, 1.0, 100.0)):
        p = datasets.separable(30, 3, gamma=0.1, rng=seed)
        machine = pose(unit * p.X, p.y, C / unit**2, engine="own")
        assert machine.certificate.within(1e-6), (seed, unit)


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize("pose", [svm.primal, svm.dual, svm.train])
@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"C": 0.0}, "C must be"),
        ({"C": -1.0}, "C must be"),
        ({"C": np.nan}, "C must be"),
        ({"C": "1"}, "C must be"),
        ({"y": [0, 1]}, r"2 \* y - 1"),
        ({"y": [1, 1]}, "needs examples of both"),
        ({"y": [1, -1, 1]}, "one label a row"),
        ({"X": [1.0, 2.0]}, "reshape"),
        ({"X": [[np.nan], [1.0]]}, "NaN"),
    ],
)
def test_bad_input_is_refused_with_advice(pose, change, advice):
    options = {"X": [[0.0], [1.0]], "y": [-1, 1], "C": 1.0} | change
    with pytest.raises(ValueError, match=advice):
        pose(options["X"], options["y"], options["C"])


@pytest.mark.parametrize("pose", [svm.primal, svm.dual, svm.train])
def test_the_data_are_not_modified(pose):
    X, y, C = bug_data()
    kept = X.copy(), y.copy()
    pose(X, y, C)
    np.testing.assert_array_equal(X, kept[0])
    np.testing.assert_array_equal(y, kept[1])
