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
    linear,
    qp,
    smo,
    svm,
)
from tests.strategies import integer_examples, seeds, separable_integers

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
