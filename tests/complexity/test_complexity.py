"""Complexity: every labelling tried, every refutation recomputed, every ball measured again."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import ceil, comb

import cvxopt
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from lectures_lib import complexity, datasets, margins, perceptron
from tests.strategies import integer_points, seeds, textbook

# --- MB-7: from mistakes to guarantees, by enumerating every sample of a small world -------------

#: A world of four equally likely examples; the last two contradict the first two a little.
WORLD = np.array([[2.0, 1.0], [-1.0, 1.0], [1.0, 2.0], [1.0, -3.0]])
LABELS = np.array([1.0, -1.0, 1.0, 1.0])
T = 5


def all_samples():
    """Yield (mistakes, mean error of the hypotheses) for each of the 4^5 equally likely samples."""
    for sample in product(range(len(WORLD)), repeat=T):
        mistakes, _, after_each = textbook(WORLD, LABELS, [np.array(sample)])
        used = np.vstack([np.zeros(2), after_each[:-1]])  # w_t, made before example t is seen
        wrong = (LABELS * (used @ WORLD.T) <= 0).sum()
        yield len(mistakes), Fraction(int(wrong), T * len(WORLD))


def test_the_expected_error_of_a_random_hypothesis_is_the_expected_share_of_mistakes():
    samples = list(all_samples())
    shares = sum(Fraction(m, T) for m, _ in samples) / len(samples)
    errors = sum(error for _, error in samples) / len(samples)
    assert errors == shares  # exactly, in fractions
    promised = [complexity.online_to_batch(m, T).expected for m, _ in samples]
    assert float(errors) == pytest.approx(np.mean(promised), rel=1e-12)


@pytest.mark.parametrize("delta", [0.5, 0.2, 0.05])
def test_the_confident_bound_fails_with_at_most_the_promised_chance(delta):
    samples = list(all_samples())
    failures = sum(
        float(error) > complexity.online_to_batch(m, T, delta).confident for m, error in samples
    )
    assert failures / len(samples) <= delta


def test_the_bound_is_mistakes_over_examples_plus_a_slack_that_shrinks_like_a_root():
    for examples in (100, 400):
        bound = complexity.online_to_batch(10, examples, 0.05)
        assert bound.expected == 10 / examples
        slack = bound.confident - bound.expected
        assert slack == pytest.approx((2 * np.log(20) / examples) ** 0.5, rel=1e-12)


def test_a_guarantee_is_never_worse_than_being_always_wrong():
    assert complexity.online_to_batch(5, 5, 0.01).confident == 1.0


def test_more_confidence_costs_more():
    bounds = [complexity.online_to_batch(3, 1000, delta).confident for delta in (0.5, 0.1, 0.001)]
    assert bounds == sorted(bounds)
    assert len(set(bounds)) == 3


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        ((6, 5), "count one pass only"),
        ((-1, 5), "mistakes must be a whole number >= 0"),
        ((0, 0), "examples must be a whole number >= 1"),
        ((1.5, 5), "mistakes must be a whole number"),
        ((1, 5, 0.0), "strictly between 0 and 1"),
        ((1, 5, 1.0), "strictly between 0 and 1"),
        ((1, 5, np.nan), "strictly between 0 and 1"),
    ],
)
def test_impossible_counts_and_chances_are_refused(arguments, advice):
    with pytest.raises(ValueError, match=advice):
        complexity.online_to_batch(*arguments)


# --- CX-1: shattering ----------------------------------------------------------------------------


def separable_by_lp(X, y, offset):
    """Return whether y (w.x + b) >= 1 has a solution."""
    A = np.hstack([X, np.full((len(X), 1), float(offset))])
    lp = linprog(
        np.zeros(A.shape[1]), A_ub=-y[:, None] * A, b_ub=-np.ones(len(A)), bounds=(None,) * 2
    )
    return lp.status == 0


def refutes(X, y, weights, offset, gamma=0.0):
    """Check with the definitions that convex weights leave no separator (of margin gamma)."""
    groups = [y > 0, y < 0] if offset else [y != 0]
    convex = min(weights) >= 0 and all(abs(sum(weights[g]) - 1) < 1e-9 for g in groups)
    length = np.linalg.norm(sum(a * label * x for a, label, x in zip(weights, y, X)))
    return convex and length / (2 if offset else 1) <= max(gamma, 1e-9)


def in_general_position(n, d, offset):
    """Return n points on the moment curve: no d of them in a plane (d + 1, with an offset)."""
    t = np.random.default_rng(n).permutation(n) - (n - 1) / 2
    return np.column_stack([t**k for k in range(offset, d + offset)])


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_the_corners_of_a_simplex_are_shattered_d_plus_1_with_an_offset_and_d_without(d):
    for offset in (True, False):
        X = complexity.simplex(d, offset=offset)
        result = complexity.shatters(X, offset=offset)
        assert len(X) == d + offset
        assert result.shattered
        assert result.proved
        assert (result.refuted, result.certificate) == (None, None)
        assert len(np.unique(result.labellings, axis=0)) == result.count == 2 ** len(X)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_separator_of_a_labelled_simplex_can_be_written_down(d):
    X = complexity.simplex(d)
    for y in product((-1.0, 1.0), repeat=d + 1):
        w, b = np.array(y[1:]) - y[0], y[0]
        np.testing.assert_array_equal(X @ w + b, y)


@pytest.mark.parametrize("exact", [False, True])
@given(X=integer_points(max_n=5), offset=st.booleans())
@settings(max_examples=20)
def test_every_verdict_is_that_of_a_linear_program_and_carries_its_proof(X, offset, exact):
    result = complexity.shatters(X, offset=offset, exact=exact)
    assert result.proved
    for y, realised, w, b, weights in zip(
        result.labellings, result.realised, result.w, result.b, result.weights
    ):
        assert realised == separable_by_lp(X, y, offset)
        assert min(y * (X @ w + b)) > 0 if realised else refutes(X, y, weights, offset)


@pytest.mark.parametrize(("n", "d"), [(4, 1), (5, 2), (7, 2), (6, 3)])
def test_points_in_general_position_have_as_many_labellings_as_cover_counted(n, d):
    for offset in (True, False):
        X = in_general_position(n, d, offset)
        counted = 2 * sum(comb(n - 1, k) for k in range(d + offset))
        assert complexity.shatters(X, offset=offset).count == counted


@given(st.integers(1, 5), st.integers(0, 2), seeds, st.booleans(), st.booleans())
def test_never_d_plus_2_points_by_radon_nor_d_plus_1_through_the_origin(
    d, more, seed, offset, exact
):
    X = np.random.default_rng(seed).integers(-3, 4, size=(d + 1 + offset + more, d)).astype(float)
    split = complexity.radon(X, offset=offset, exact=exact)
    assert split.proved
    assert refutes(X, split.y, split.weights.astype(float), offset)
    assert not separable_by_lp(X, split.y, offset)


@given(st.integers(1, 4), seeds)
@settings(max_examples=15)
def test_d_plus_2_points_are_never_shattered_and_radons_labelling_is_among_the_refuted(d, seed):
    X = np.random.default_rng(seed).normal(size=(d + 2, d))
    result, split = complexity.shatters(X), complexity.radon(X)
    assert not result.shattered
    assert result.proved
    row = np.flatnonzero((result.labellings == split.y).all(axis=1))
    assert not result.realised[row]
    assert refutes(X, result.refuted, result.certificate, offset=True)


@given(integer_points(min_n=5, max_n=7))
def test_in_fractions_both_parts_make_exactly_the_radon_point(X):
    split = complexity.radon(X, exact=True)
    whole = [[Fraction(v) for v in row] for row in X.tolist()]
    for side in (1, -1):
        part = np.flatnonzero(split.y == side)
        assert sum(split.weights[part]) == 1
        made = [sum(split.weights[i] * whole[i][j] for i in part) for j in range(X.shape[1])]
        assert made == split.point.tolist()
    assert split.residual == 0.0


def test_the_radon_point_of_a_square_is_where_its_diagonals_cross():
    split = complexity.radon(datasets.xor()[0], exact=True)
    assert split.point.tolist() == [0, 0]
    assert split.weights.tolist() == [Fraction(1, 2)] * 4
    assert abs(split.y @ datasets.xor()[1]) == 4


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_a_radon_split_is_found_for_data_of_any_size_and_place(scale, shift):
    X = scale * (np.random.default_rng(3).normal(size=(5, 3)) + shift)
    assert complexity.radon(X).proved
    np.testing.assert_array_equal(
        abs(complexity.radon(X).y.sum()), abs(complexity.radon(X, exact=True).y.sum())
    )


def test_a_claim_of_shattering_with_one_wrong_row_is_not_proved():
    X = datasets.xor()[0]
    honest = complexity.shatters(X)
    assert honest.proved
    assert honest.count == 14
    k = np.argmin(honest.realised)
    w, weights = honest.w.copy(), honest.weights.copy()
    w[k], weights[k] = [1.0, 0.0], [1.0, 0.0, 0.0, 1.0]
    assert not replace(honest, realised=np.ones(16, dtype=bool)).proved
    assert not replace(honest, realised=np.ones(16, dtype=bool), w=w).proved
    assert not replace(honest, weights=weights).proved
    assert not replace(honest, weights=2 * honest.weights).proved
    assert not replace(honest, w=-honest.w, b=-honest.b).proved


def test_a_false_radon_split_is_not_proved():
    honest = complexity.radon(datasets.xor()[0])
    assert honest.proved
    assert not replace(honest, y=-honest.y * [1, 1, 1, -1]).proved
    assert not replace(honest, weights=np.array([0.9, 0.5, 0.5, 0.1])).proved
    assert not replace(honest, weights=-honest.weights).proved
    exact = complexity.radon(datasets.xor()[0], exact=True)
    assert not replace(exact, weights=exact.weights + Fraction(1, 10**30)).proved
    assert not replace(exact, weights=exact.weights * 0).proved


@pytest.mark.parametrize("X", [[[0.0, 0.0]], [[0.0], [0.0]], [[1.0, 2.0], [1.0, 2.0]]])
@pytest.mark.parametrize("offset", [True, False])
def test_the_origin_and_duplicates_are_shattered_only_where_they_can_be(X, offset):
    result = complexity.shatters(X, offset=offset)
    assert result.proved
    assert result.shattered == (offset and len(X) == 1)


# --- CX-2: at most (R / gamma)^2 points at margin gamma ------------------------------------------


@given(integer_points(max_n=7, max_d=4))
def test_the_mean_squared_length_over_all_signs_is_the_sum_of_squares(X):
    total = sum(
        float(np.square(np.array(y) @ X).sum()) for y in product((-1.0, 1.0), repeat=len(X))
    )
    assert total == 2 ** len(X) * (X**2).sum()  # whole numbers: exactly
    proof = complexity.random_signs(X)
    assert proof.average * len(X) ** 2 == pytest.approx((X**2).sum(), rel=1e-12)
    assert proof.holds


@given(integer_points(min_n=2, max_n=6, max_d=6), seeds)
@settings(max_examples=25)
def test_no_set_is_shattered_at_a_margin_above_R_over_root_n(X, seed):
    R = np.linalg.norm(X, axis=1).max()
    assume(R > 0)
    proof = complexity.random_signs(X)
    best = min(margins.max_margin(X, y).gamma for y in proof.labellings)
    assert best <= proof.gamma * (1 + 1e-9) + 1e-12 <= R / np.sqrt(len(X)) + 1e-9 * R
    above = complexity.shatters(X, offset=False, gamma=1.01 * R / np.sqrt(len(X)))
    assert not above.shattered
    assert above.proved
    assert refutes(X, above.refuted, above.certificate, offset=False, gamma=above.gamma)
    uniform = np.full(len(X), 1 / len(X))
    hardest = proof.labellings[np.argmin(proof.reach)]
    assert refutes(X, hardest, uniform, offset=False, gamma=above.gamma)


@pytest.mark.parametrize("m", [1, 2, 4, 7])
@pytest.mark.parametrize("R", [0.5, 1.0, 3.0])
def test_m_orthogonal_axes_attain_the_bound(m, R):
    X, gamma = R * np.eye(m), R / np.sqrt(m)
    at = complexity.shatters(X, offset=False, gamma=gamma)
    above = complexity.shatters(X, offset=False, gamma=1.001 * gamma)
    assert at.shattered
    assert at.proved
    assert m == pytest.approx((R / gamma) ** 2, rel=1e-12)
    assert above.count == 0
    assert above.proved


@given(st.integers(1, 60), st.integers(1, 5), seeds)
def test_for_any_number_of_points_opposing_labels_refute_every_margin_above_the_bound(n, d, seed):
    X = np.random.default_rng(seed).normal(size=(n, d))
    y = complexity.opposing_labels(X)
    assert set(y) <= {-1.0, 1.0}
    assert np.square(y @ X).sum() <= (X**2).sum() * (1 + 1e-12)
    R = np.linalg.norm(X, axis=1).max()
    assert refutes(X, y, np.full(n, 1 / n), offset=False, gamma=R / np.sqrt(n) * (1 + 1e-9))
    assert margins.max_margin(X, y).gamma <= R / np.sqrt(n) * (1 + 1e-9)


def test_against_opposing_labels_the_perceptron_errs_every_time():
    X = np.random.default_rng(0).normal(size=(30, 4))
    run = perceptron.perceptron(X, complexity.opposing_labels(X), max_epochs=1)
    assert run.mistakes.tolist() == list(range(30))


def test_with_an_offset_two_points_break_the_bound_that_holds_through_the_origin():
    X = np.array([[-1.0], [1.0]])
    with_offset = complexity.shatters(X, gamma=1.0)
    through_origin = complexity.shatters(X, offset=False, gamma=1.0)
    assert with_offset.shattered  # two points, (R / gamma)^2 = 1
    assert not through_origin.shattered
    assert with_offset.proved
    assert through_origin.proved


# --- CX-3: the smallest ball and L4's bound ------------------------------------------------------


def ball_by_brute_force(X):
    """Return the smallest radius of all balls through few points that contain the rest."""
    best = np.inf
    for k in range(1, min(len(X), X.shape[1] + 1) + 1):
        for chosen in combinations(range(len(X)), k):
            S = X[list(chosen)]
            edges = S[1:] - S[0]
            h = np.linalg.lstsq(edges, (edges**2).sum(axis=1) / 2, rcond=None)[0] if k > 1 else 0
            centre = S[0] + h
            radius = np.linalg.norm(S - centre, axis=1).max()
            if (np.linalg.norm(X - centre, axis=1) <= radius * (1 + 1e-9) + 1e-12).all():
                best = min(best, radius)
    return best


def ball_by_qp(X):
    """Return the radius from the dual, max sum a norm(x)^2 - norm(sum a x)^2, by cvxopt."""
    n, Z = len(X), X - X.mean(axis=0)
    P, q = 2 * Z @ Z.T, -(Z**2).sum(axis=1)
    G, h, A, b = -np.eye(n), np.zeros(n), np.ones((1, n)), np.ones(1)
    options = {"show_progress": False, "abstol": 1e-13, "reltol": 1e-13, "feastol": 1e-13}
    matrices = [cvxopt.matrix(v) for v in (P, q, G, h, A, b)]
    return np.sqrt(-cvxopt.solvers.qp(*matrices, options=options)["primal objective"])


def assert_smallest(ball, X):
    """Check the ball from its own parts: it contains X, and its weights allow no smaller one."""
    far, scale = np.linalg.norm(X - ball.centre, axis=1), np.abs(X).max() or 1.0
    assert ball.converged
    assert far.max() <= ball.radius * (1 + 1e-12)
    assert (ball.weights >= 0).all()
    assert ball.weights.sum() == pytest.approx(1.0, rel=1e-12)
    np.testing.assert_allclose(ball.weights @ X, ball.centre, atol=1e-9 * scale)
    np.testing.assert_allclose(far[ball.support], ball.radius, rtol=1e-6, atol=1e-9 * scale)
    assert len(ball.support) <= X.shape[1] + 1


@given(integer_points(max_n=7))
def test_the_smallest_ball_is_that_of_brute_force_and_carries_its_proof(X):
    ball = complexity.smallest_ball(X)
    assert_smallest(ball, X)
    assert ball.radius == pytest.approx(ball_by_brute_force(X), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize(("n", "d"), [(2, 1), (30, 2), (60, 5), (20, 20), (15, 200)])
def test_the_smallest_ball_is_that_of_a_quadratic_program(n, d):
    X = np.random.default_rng(n).normal(size=(n, d)) + 5
    ball = complexity.smallest_ball(X)
    assert_smallest(ball, X)
    assert ball.radius == pytest.approx(ball_by_qp(X), rel=1e-6)


@given(integer_points(max_n=8), seeds)
def test_no_other_centre_has_a_smaller_ball(X, seed):
    ball = complexity.smallest_ball(X)
    others = ball.centre + np.random.default_rng(seed).normal(size=(20, X.shape[1]))
    for centre in [*others, X.mean(axis=0)]:
        assert np.linalg.norm(X - centre, axis=1).max() >= ball.lower - 1e-9


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_ball_moves_and_scales_with_the_points(scale):
    X = np.random.default_rng(1).normal(size=(12, 3))
    plain, moved = complexity.smallest_ball(X), complexity.smallest_ball(scale * (X + 7))
    assert moved.radius == pytest.approx(scale * plain.radius, rel=1e-9)
    np.testing.assert_allclose(moved.centre, scale * (plain.centre + 7), rtol=1e-9)


BALLS = {
    "one point": ([[3.0, 4.0]], 0.0, [3.0, 4.0]),
    "copies": ([[1.0, 1.0]] * 3, 0.0, [1.0, 1.0]),
    "two points": ([[0.0, 0.0], [2.0, 0.0]], 1.0, [1.0, 0.0]),
    "a line": ([[0.0, 0.0], [1.0, 1.0], [4.0, 4.0], [3.0, 3.0]], 8**0.5, [2.0, 2.0]),
    "an obtuse triangle": ([[0.0, 0.0], [10.0, 0.0], [4.0, 1.0]], 5.0, [5.0, 0.0]),
    "a square": ([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]], 2**0.5, [0.0, 0.0]),
    "an equilateral triangle": (
        [[0.0, 0.0], [1.0, 0.0], [0.5, 0.75**0.5]],
        1 / 3**0.5,
        [0.5, 1 / 12**0.5],
    ),
}


@pytest.mark.parametrize("name", BALLS)
def test_balls_that_can_be_drawn_by_hand(name):
    X, radius, centre = BALLS[name]
    ball = complexity.smallest_ball(X)
    assert_smallest(ball, np.array(X))
    assert ball.radius == pytest.approx(radius, rel=1e-12, abs=1e-12)
    assert ball.diameter == 2 * ball.radius
    np.testing.assert_allclose(ball.centre, centre, atol=1e-12)


def test_the_mean_is_not_the_centre_and_half_the_spread_is_not_the_radius():
    X = np.array(BALLS["an obtuse triangle"][0])
    ball = complexity.smallest_ball(X)
    assert np.linalg.norm(X - X.mean(axis=0), axis=1).max() > ball.radius + 0.3
    X = np.array(BALLS["an equilateral triangle"][0])
    assert complexity.smallest_ball(X).diameter > 1.15  # though no two points are farther than 1


@given(integer_points(min_n=2, max_n=7, max_d=4))
def test_over_halves_of_equal_size_the_offset_cancels_and_the_average_is_as_computed(X):
    proof, n = complexity.random_signs(X, offset=True), len(X)
    squares = []
    for plus in combinations(range(n), n // 2):
        y = np.where(np.isin(np.arange(n), plus), 1, -1)
        squares.append(np.square(X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)).sum() / 4)
    spread = np.square(X - X.mean(axis=0)).sum() / (n - 1)
    assert np.mean(squares) == pytest.approx(n / (4 * (n // 2) * (n - n // 2)) * spread, abs=1e-12)
    assert proof.average == pytest.approx(np.mean(squares), abs=1e-12)
    assert proof.holds


@given(integer_points(min_n=2, max_n=6, max_d=4))
@settings(max_examples=25)
def test_no_more_points_are_shattered_than_the_bound_of_the_fourth_lecture_allows(X):
    result = complexity.shatters(X)
    assert result.proved
    assume(result.shattered)
    street = 2 * result.margins.min()
    assert len(X) <= complexity.vapnik_bound(X, street).h


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 8])
def test_a_regular_simplex_attains_the_bound_of_the_fourth_lecture(n):
    X = np.eye(n)  # n points at equal distances, in n - 1 dimensions
    result = complexity.shatters(X)
    gamma = complexity.random_signs(X, offset=True).gamma
    assert result.margins.min() == pytest.approx(gamma, rel=1e-9)
    assert complexity.vapnik_bound(X, 2 * gamma).h == n
    assert complexity.vapnik_bound(X, 2 * gamma, dimension=n - 1).h == n


@given(integer_points(min_n=2), st.sampled_from([0.3, 1.0, 2.5, 40.0]), st.integers(1, 9))
def test_the_bound_is_its_formula_on_the_smallest_ball(X, rho, m0):
    bound, D = complexity.vapnik_bound(X, rho, m0), complexity.smallest_ball(X).diameter
    assert bound.ratio == pytest.approx((D / rho) ** 2, rel=1e-12)
    assert abs(bound.h - 1 - min(ceil((D / rho) ** 2), m0)) <= (abs(bound.ratio % 1) < 1e-6)
    assert complexity.vapnik_bound(X, rho).dimension == X.shape[1]


def test_a_whole_ratio_is_not_rounded_up_by_an_error_of_rounding():
    X = np.array([[-1.0], [1.0]])
    for k in range(1, 12):
        assert complexity.vapnik_bound(X, 2 / np.sqrt(k), 100).h == k + 1
