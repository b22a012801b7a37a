"""Margins by definition, and the largest one with a proof that can be checked by anyone."""

from fractions import Fraction

import cvxopt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, nnls
from sklearn.svm import SVC

from lectures_lib import conventions, datasets, margins, online
from lectures_lib.margins.exact import exact_nearest
from lectures_lib.proof.margins import judge_margin
from tests.strategies import integer_examples, known_problems, seeds, separable_integers


def differences(X, y, offset):
    """Return the points whose hull's distance from 0 is the margin (twice it, with an offset)."""
    if not offset:
        return y[:, None] * X
    return (X[y > 0][:, None, :] - X[y < 0][None, :, :]).reshape(-1, X.shape[1])


def distance_by_nnls(Z):
    """Return the distance from 0 to the hull of the rows of Z, by nonnegative least squares."""
    A = np.vstack([Z.T, np.ones(len(Z))])
    total = nnls(A, np.append(np.zeros(Z.shape[1]), 1.0))[0].sum()
    return np.sqrt(max(0.0, 1.0 / total - 1.0))


def separable_by_lp(X, y, offset):
    """Return whether y (w.x + b) >= 1 has a solution."""
    A = conventions.add_constant(X) if offset else X
    bounds = (None, None)
    lp = linprog(np.zeros(A.shape[1]), A_ub=-y[:, None] * A, b_ub=-np.ones(len(A)), bounds=bounds)
    return lp.status == 0


def margin_by_qp(X, y, offset):
    """Return 1 / norm(w) for the least w with y (w.x + b) >= 1, by cvxopt."""
    A = conventions.add_constant(X) if offset else X
    P = np.diag([1.0] * X.shape[1] + [0.0] * offset)
    G, h = -y[:, None] * A, -np.ones(len(X))
    options = {"show_progress": False, "abstol": 1e-12, "reltol": 1e-12, "feastol": 1e-12}
    matrices = [cvxopt.matrix(v) for v in (P, np.zeros(len(P)), G, h)]
    w = np.array(cvxopt.solvers.qp(*matrices, options=options)["x"])[: X.shape[1], 0]
    return 1 / np.linalg.norm(w)


def assert_proved(answer, X, y, offset):
    """Check the answer from its own parts, with nothing but the definitions."""
    weights, scale = answer.weights, np.abs(X).max() or 1.0
    assert (weights >= 0).all()
    for group in [y > 0, y < 0] if offset else [y != 0]:
        assert weights[group].sum() == pytest.approx(1.0, rel=1e-9)
    point = np.linalg.norm(sum(a * label * x for a, label, x in zip(weights, y, X)))
    assert answer.converged
    if answer.separable:
        measured = min(y * (X @ answer.w + answer.b))
        assert np.linalg.norm(answer.w) == pytest.approx(1.0, rel=1e-12)
        assert measured == pytest.approx(answer.gamma, rel=1e-9, abs=1e-15 * scale)
        assert measured > 0
        assert point / (2 if offset else 1) == pytest.approx(measured, rel=1e-6)
    else:
        assert answer.w is None
        assert answer.gamma == 0
        assert point <= 1e-9 * scale


# MA-1: three definitions


@given(integer_examples(), st.integers(-3, 3))
def test_the_margin_of_an_example_is_its_signed_distance_from_the_plane(examples, b):
    X, y = examples
    w = np.arange(1.0, X.shape[1] + 1)
    norm = sum(v * v for v in w.tolist()) ** 0.5
    for x, label in zip(X, y):
        nearest = x - (w @ x + b) / norm**2 * w  # on the plane
        assert w @ nearest + b == pytest.approx(0, abs=1e-9)
        signed = np.linalg.norm(x - nearest) * (1 if label * (w @ x + b) >= 0 else -1)
        assert margins.margin(w, x, label, b) == pytest.approx(signed, rel=1e-9, abs=1e-12)


@given(integer_examples(), st.sampled_from([0.01, 3.0, 1e6]))
def test_the_margin_does_not_depend_on_the_length_of_w(examples, c):
    X, y = examples
    w = np.arange(1.0, X.shape[1] + 1)
    np.testing.assert_allclose(
        margins.margin(c * w, X, y), margins.margin(w, X, y), rtol=1e-12, atol=1e-12
    )


def test_the_margin_is_geometric_and_divides_by_the_norm_of_w_alone():
    assert margins.margin([3.0, 4.0], [2.0, 1.0], 1) == 2.0  # not 10, not 10/25
    assert margins.margin([3.0, 4.0], [2.0, 1.0], -1) == -2.0
    assert margins.margin([3.0, 4.0], [2.0, 1.0], 1, b=5.0) == 3.0  # not 15 / norm(3, 4, 5)


@given(integer_examples())
def test_the_margin_of_a_set_is_its_smallest_margin(examples):
    X, y = examples
    w = np.arange(1.0, X.shape[1] + 1)
    each = [margins.margin(w, x, label) for x, label in zip(X, y)]
    assert margins.set_margin(w, X, y) == min(each)
    np.testing.assert_array_equal(margins.margin(w, X, y), each)


@given(separable_integers(), seeds)
def test_no_separator_has_more_than_the_largest_margin(problem, seed):
    X, y, u = problem
    best = margins.max_margin(X, y)
    others = [u, *np.random.default_rng(seed).normal(size=(20, u.size))]
    assert all(margins.set_margin(w, X, y) <= best.gamma * (1 + 1e-9) for w in others)
    assert margins.set_margin(best.w, X, y) == pytest.approx(best.gamma, rel=1e-12)


# The largest margin: construction, oracles, proofs


@given(known_problems())
def test_the_largest_margin_is_the_one_built_in(problem):
    best = margins.max_margin(problem.X, problem.y)
    assert best.gamma == pytest.approx(problem.gamma, rel=1e-7)
    np.testing.assert_allclose(best.w, problem.u, atol=1e-6)
    assert_proved(best, problem.X, problem.y, offset=False)


@pytest.mark.parametrize("gamma", [1e-3, 1e-4, 1e-5])
def test_a_small_margin_is_found_too(gamma):
    problem = datasets.separable(30, 4, gamma=gamma, rng=1)
    best = margins.max_margin(problem.X, problem.y)
    assert best.separable
    assert best.gamma == pytest.approx(gamma, rel=1e-6)


@given(known_problems(), st.integers(-9, 9))
def test_with_an_offset_the_margin_survives_a_translation(problem, shift):
    still = margins.max_margin(problem.X, problem.y, offset=True)
    moved = margins.max_margin(problem.X + shift, problem.y, offset=True)
    assert still.separable
    assert still.gamma >= problem.gamma * (1 - 1e-9)
    assert moved.gamma == pytest.approx(still.gamma, rel=1e-6)


@pytest.mark.parametrize("offset", [False, True])
@given(examples=integer_examples(both=True, max_n=7))
def test_the_verdict_is_that_of_a_linear_program_and_carries_its_proof(offset, examples):
    X, y = examples
    answer = margins.max_margin(X, y, offset=offset)
    assert answer.separable == separable_by_lp(X, y, offset)
    assert_proved(answer, X, y, offset)


@pytest.mark.parametrize("offset", [False, True])
@given(examples=integer_examples(both=True, max_n=7))
def test_the_distance_is_that_of_nonnegative_least_squares(offset, examples):
    X, y = examples
    answer = margins.max_margin(X, y, offset=offset)
    distance = distance_by_nnls(differences(X, y, offset)) / (2 if offset else 1)
    assert answer.dual == pytest.approx(distance, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_margin_is_that_of_cvxopt_and_of_scikit_learn(offset, seed):
    problem = datasets.separable(25, 3, gamma=0.2, rng=seed)
    X, y = problem.X, problem.y
    answer = margins.max_margin(X, y, offset=offset)
    assert answer.gamma == pytest.approx(margin_by_qp(X, y, offset), rel=1e-5)
    if offset:
        svm = SVC(kernel="linear", C=1e10, tol=1e-8).fit(X, y)
        assert answer.gamma == pytest.approx(1 / np.linalg.norm(svm.coef_), rel=1e-4)
        np.testing.assert_allclose(answer.b * svm.coef_[0], svm.intercept_ * answer.w, atol=1e-3)


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("name", ["lecture", "iris", "xor", "line"])
def test_scaling_the_data_scales_the_answer(name, offset, scale):
    X, y = {
        "lecture": datasets.lecture_example,
        "iris": lambda: datasets.iris("setosa", "virginica"),
        "xor": datasets.xor,
        "line": datasets.offset_example,
    }[name]()
    plain, scaled = (margins.max_margin(c * X, y, offset=offset) for c in (1.0, scale))
    assert scaled.separable == plain.separable
    assert scaled.gamma == pytest.approx(scale * plain.gamma, rel=1e-7)
    assert_proved(scaled, scale * X, y, offset)


EDGES = {
    "one feature": ([[1.0], [2.0], [-1.0]], [1, 1, -1], True, True),
    "one feature, one class": ([[1.0], [3.0]], [1, 1], True, None),
    "one point": ([[3.0, 4.0]], [-1], True, None),
    "duplicates": ([[1.0, 2.0]] * 4 + [[-1.0, 0.0]] * 3, [1] * 4 + [-1] * 3, True, True),
    "one point, both labels": ([[1.0, 2.0], [1.0, 2.0]], [1, -1], False, False),
    "a point at the origin": ([[0.0, 0.0], [1.0, 1.0]], [-1, 1], False, True),
    "everything at the origin": ([[0.0, 0.0], [0.0, 0.0]], [-1, 1], False, False),
    "collinear": ([[k, 2.0 * k, 3.0 * k] for k in (1, 2, -1, -5)], [1, 1, -1, -1], True, True),
    "collinear, mixed": ([[float(k)] * 3 for k in range(4)], [1, -1, 1, -1], False, False),
    "opposite points, one class": ([[1.0, 0.0], [-1.0, 0.0]], [1, 1], False, None),
    "xor": (*datasets.xor(), False, False),
    "0 and 1": (*datasets.offset_example(), False, True),
}


@pytest.mark.parametrize("name", EDGES)
def test_edge_cases_get_the_right_verdict_and_its_proof(name):
    X, y, *verdicts = EDGES[name]
    X, y = np.array(X), np.array(y, dtype=float)
    for offset, verdict in zip([False, True], verdicts):
        if verdict is not None:
            answer = margins.max_margin(X, y, offset=offset)
            assert answer.separable is verdict
            assert_proved(answer, X, y, offset)


def test_half_the_distance_between_the_hulls_is_the_margin_with_an_offset():
    X, y = datasets.offset_example()
    best = margins.max_margin(X, y, offset=True)
    assert (best.gamma, best.w.tolist(), best.b) == (0.5, [1.0], -0.5)


def test_the_certificate_of_xor_is_the_centre_of_both_classes():
    best = margins.max_margin(*datasets.xor(), offset=True)
    np.testing.assert_allclose(best.weights, 0.5, atol=1e-12)
    assert best.residual <= 1e-12
    assert best.gap <= 1e-12


# Bad input


def test_the_zero_vector_has_no_margin():
    with pytest.raises(ValueError, match="zero vector"):
        margins.margin([0.0, 0.0], [1.0, 2.0], 1)


@pytest.mark.parametrize("w", [[1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], [np.inf, 0.0]])
def test_a_wrong_w_is_refused(w):
    with pytest.raises(ValueError, match=r"it needs \(2,\)|remove or impute"):
        margins.set_margin(w, *datasets.lecture_example())


def test_the_margin_of_one_example_needs_one_label():
    with pytest.raises(ValueError, match=r"2 \* y - 1"):
        margins.margin([1.0, 2.0], [1.0, 2.0], 0)
    with pytest.raises(ValueError, match="one label per row"):
        margins.margin([1.0, 2.0], [1.0, 2.0], [1, -1])


# --- margins too thin for floating point ---------------------------------------------------------


def bisection(rounds):
    adversary = online.BisectionAdversary()
    game = online.play(online.PerceptronLearner(2), adversary, rounds)
    return game.X, game.y


@given(integer_examples(min_n=2, both=True), st.booleans())
def test_fractions_and_floating_point_give_the_same_verdict_and_margin(examples, offset):
    X, y = examples
    float_answer = margins.max_margin(X, y, offset=offset)
    exact = margins.max_margin(X, y, offset=offset, exact=True)
    assert exact.separable == float_answer.separable
    assert np.isclose(exact.gamma, float_answer.gamma, rtol=1e-9, atol=1e-12)


@given(integer_examples(min_n=2, both=True), st.booleans())
def test_in_fractions_the_convex_weights_make_exactly_the_nearest_point(examples, offset):
    X, y = examples
    p, weights = exact_nearest(X, y, offset)
    assert min(weights) >= 0
    assert sum(weights) == (2 if offset else 1)
    made = [sum(weights * y.astype(int) * X[:, j].astype(int)) for j in range(X.shape[1])]
    assert made == p


@pytest.mark.parametrize("rounds", [10, 20, 30, 40, 50])
def test_a_margin_too_thin_for_floats_is_found_in_fractions(rounds):
    X, y = bisection(rounds)
    answer = margins.max_margin(X, y, exact=True)
    assert answer.separable
    assert 0 < answer.gamma < 2.0**-rounds


@pytest.mark.parametrize("rounds", [15, 20, 25])
def test_where_rounding_leaves_a_doubt_fractions_decide_by_themselves(rounds):
    X, y = bisection(rounds)
    answer, exact = margins.max_margin(X, y), margins.max_margin(X, y, exact=True)
    assert answer.converged
    assert answer.separable
    assert np.isclose(answer.gamma, exact.gamma, rtol=1e-6, atol=0)


@pytest.mark.parametrize("rounds", [30, 40])
def test_where_the_floats_hold_no_better_separator_the_answer_says_so(rounds):
    X, y = bisection(rounds)
    answer, exact = margins.max_margin(X, y), margins.max_margin(X, y, exact=True)
    assert answer.separable
    assert 0 < answer.gamma <= exact.dual
    assert answer.converged == (answer.certificate.gap <= 1e-7 * answer.dual)


# --- proved, or undecided ------------------------------------------------------------------------

LOPSIDED = {
    "a timestamp and a flag": ([[1.7e18, 1], [1.7e18, -1]], [1, -1], 1.0),
    "two scales": ([[1e8, 1e-6], [-1e8, 1e-6]], [1, 1], 1e-6),
    "thin": ([[1, 1e-14], [-1, 1e-14]], [1, 1], 1e-14),
}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", LOPSIDED)
def test_lopsided_data_are_separable_and_proved_to_be(name, exact):
    X, y, gamma = LOPSIDED[name]
    answer = margins.max_margin(X, y, exact=exact)
    assert answer.separable
    assert answer.certificate.verdict == "proved"
    assert answer.gamma == pytest.approx(gamma, rel=1e-12)


def exact_edges(answer, X, y):
    """Return y (w.x + b) for each example, in fractions."""
    w, b = [Fraction(v) for v in answer.w.tolist()], Fraction(answer.b)
    rows = [[Fraction(v) for v in x] for x in X.tolist()]
    return [int(label) * (sum(a * v for a, v in zip(w, x)) + b) for label, x in zip(y, rows)]


def thin_examples(seed):
    """Return points on both sides of a plane, 1e-17 to 1e-11 away, and one on the wrong side."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(3, 7)), int(rng.integers(2, 4))
    u, X, y = rng.normal(size=d), rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], size=n)
    y[:2] = 1, -1
    u /= np.linalg.norm(u)
    side = y * 10.0 ** rng.uniform(-17, -11)
    side[2] *= rng.choice([-1.0, 0.0, 1.0])
    return X - np.outer(X @ u, u) + np.outer(side, u), y


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_on_thin_margins_no_answer_contradicts_the_exact_one(seed, offset):
    X, y = thin_examples(seed)
    answer, exact = (margins.max_margin(X, y, offset=offset, exact=e) for e in (False, True))
    assert any(exact.p) == exact.separable  # 0 in the hull, or not
    assert not answer.separable or exact.separable
    assert not answer.converged or answer.separable == exact.separable
    for one in (answer, exact):
        if one.separable and one.converged:
            assert min(exact_edges(one, X, y)) > 0
    if not exact.separable:
        whole = [[Fraction(v) for v in x] for x in X.tolist()]
        signed = exact.exact_weights * y.astype(int)
        assert min(exact.exact_weights) >= 0
        assert sum(exact.exact_weights) == (2 if offset else 1)
        assert not any(sum(a * x[j] for a, x in zip(signed, whole)) for j in range(X.shape[1]))


@pytest.mark.parametrize("d", [20, 25, 40])
@pytest.mark.parametrize("gamma", [1e-5, 1e-8, 1e-9])
def test_a_small_margin_is_found_in_more_dimensions_too(d, gamma):
    problem = datasets.separable(60, d, gamma=gamma, rng=0)
    best = margins.max_margin(problem.X, problem.y)
    assert best.converged
    assert best.gamma == pytest.approx(gamma, rel=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_features_of_any_scale_and_place_are_decided(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 3)) * 10.0 ** rng.integers(-8, 9, size=3) + 10.0 ** rng.integers(0, 7)
    y = np.where(np.arange(12) % 2, 1.0, -1.0)
    answer, exact = (margins.max_margin(X, y, offset=True, exact=e) for e in (False, True))
    assert answer.converged
    assert answer.separable == exact.separable == any(exact.p)


def test_what_no_proof_was_found_for_is_not_called_converged(monkeypatch):
    monkeypatch.setattr(margins.largest, "BUDGET", -1.0)
    X, y = np.array([[1.0, 0.1], [-1.0, 0.1], [0.3, -0.1]]), np.ones(3)
    assert not margins.max_margin(X, y).converged  # 0 lies in the hull, but floats do not show it
    assert margins.max_margin(X, y, exact=True).converged


def test_the_certificate_of_a_wrong_answer_does_not_hold():
    X, y = datasets.lecture_example()
    best = margins.max_margin(X, y)
    nothing = np.zeros(len(y))

    def verdict(w, weights):
        return judge_margin(X, y, w, 0.0, weights).verdict

    assert verdict(best.w, best.weights) == "proved"
    assert verdict(-best.w, best.weights) == "refuted"
    assert verdict(best.w + np.array([0, 0.1]), best.weights) == "undecided"
    for weights in (np.eye(len(y))[0], nothing, best.weights * np.nan, -best.weights):
        assert verdict(best.w, weights) == "undecided"
        assert verdict(None, weights) == "undecided"
    assert verdict(best.w * np.nan, best.weights) == "undecided"
    assert "proved" in str(best.certificate)


def test_rows_that_are_known_to_seven_digits_have_no_thinner_margin():
    X, y = [[1.0, 1e-9], [-1.0, 1e-9]], [1, 1]
    assert margins.max_margin(X, y).converged
    known = margins.max_margin(X, y, known_to=1e-7)
    assert not known.separable
    assert not known.converged
