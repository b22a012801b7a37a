"""Sample size follows R / gamma, not the dimension; what is refused, proved or left open."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import bounds, complexity, datasets, margins, perceptron
from tests.strategies import seeds

# --- CX-4: sample size follows R / gamma, not the dimension --------------------------------------


@given(st.integers(2, 40), st.integers(2, 30), st.sampled_from([0.1, 0.3, 0.6]), seeds)
def test_spread_examples_have_norm_1_and_the_margin_they_promise(n, d, gamma, seed):
    X, y, u = complexity.spread(n, d, gamma=gamma, rng=seed)
    assert X.shape == (n, d)
    rounded = 2.0**-25  # half a step of the grid: what one coordinate may be off
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0, atol=rounded * np.sqrt(d))
    assert np.linalg.norm(u) == pytest.approx(1.0, rel=1e-12)
    np.testing.assert_allclose(y * (X @ u), gamma, atol=1.01 * rounded)
    assert margins.max_margin(X, y).gamma >= gamma - 1.01 * rounded


@given(st.integers(2, 40), st.integers(2, 30), st.sampled_from([0.1, 0.3, 0.6]), seeds)
def test_inner_products_of_spread_examples_are_exact_so_a_tie_is_one_everywhere(n, d, gamma, seed):
    X, _, _ = complexity.spread(n, d, gamma=gamma, rng=seed)
    whole = (X * 2**24).astype(np.int64)
    np.testing.assert_array_equal(X * 2**24, whole)
    np.testing.assert_array_equal((X @ X.T) * 2**48, whole @ whole.T)


@pytest.mark.parametrize("rounding", [-1e-9, 0.0, 1e-9])
def test_a_tie_on_a_new_example_is_predicted_positive_whatever_rounding_says(monkeypatch, rounding):
    w = np.array([1.0, 0, 0, 0, rounding])  # it knows one direction of four; noise is coordinate 5
    monkeypatch.setattr(complexity.sample_sizes, "_learn", lambda *_: w)
    found = complexity.sample_size((0.2,), (5,), repeats=1, tests=100).errors
    X, y, _ = complexity.spread(150, 5, gamma=0.2, rng=np.random.default_rng([0, 0]))
    assert found.item() == np.mean(((X[:, 0] >= 0) != (y > 0))[50:]) > 0.2


def test_on_many_spread_examples_no_separator_has_a_larger_margin():
    X, y, _ = complexity.spread(4000, 6, gamma=0.4, rng=0)
    assert margins.max_margin(X, y).gamma == pytest.approx(0.4, rel=0.02)


@pytest.fixture(scope="module")
def experiment():
    options = {"repeats": 5, "tests": 150}
    return {
        learner: complexity.sample_size(
            (0.4, 0.1), (60, 500, 2000), (15, 40), learner=learner, **options
        )
        for learner in ("perceptron", "max margin")
    }


@pytest.mark.parametrize("learner", ["perceptron", "max margin"])
def test_the_error_follows_the_margin_and_not_the_dimension(experiment, learner):
    mean = experiment[learner].mean  # margins 0.4 and 0.1, dimensions 60 to 2000, n = 15 and 40
    assert (mean[1] - mean[0] > 0.05).all()  # a smaller margin costs, in every dimension
    across = mean.max(axis=1) - mean.min(axis=1)
    assert (across < 0.08).all()  # thirty times the dimension does not
    assert (mean[:, :, 1] <= mean[:, :, 0] + 0.01).all()  # more examples help


def test_the_mean_error_stays_below_the_bound_without_a_dimension(experiment):
    answer = experiment["perceptron"]
    error = answer.errors.std(axis=-1) / np.sqrt(answer.errors.shape[-1])
    assert (answer.mean <= answer.allowed[:, None, :] + 3 * error).all()
    assert answer.allowed[0, 0] == pytest.approx(min(1, 1 / 0.4**2 / 16), rel=1e-12)


def test_below_the_number_of_directions_a_small_dimension_does_help():
    answer = complexity.sample_size((0.1,), (3, 60), (40,), repeats=4, tests=100)
    assert complexity.directions(0.1, 3) == 2
    assert complexity.directions(0.1, 60) == 50
    assert answer.mean[0, 0, 0] < answer.mean[0, 1, 0]


def test_leaving_out_an_example_that_was_never_mistaken_changes_nothing():
    X, y, _ = complexity.spread(40, 30, gamma=0.2, rng=1)
    run = perceptron.perceptron(X, y)
    assert bounds.mistake_bound(run, X, y).mistakes <= 25 + 1e-9
    spared = np.flatnonzero(run.alpha == 0)
    assert len(spared)
    for i in spared:
        rest = np.arange(len(X)) != i
        again = perceptron.perceptron(X[rest], y[rest])
        np.testing.assert_array_equal(again.w, run.w)
        assert y[i] * (again.w @ X[i]) > 0


def test_the_experiment_is_the_same_each_time():
    options = {"gammas": (0.3,), "dimensions": (2, 90), "sizes": (10,), "repeats": 2, "tests": 30}
    first, second = (complexity.sample_size(**options) for _ in range(2))
    np.testing.assert_array_equal(first.errors, second.errors)
    assert first.errors.shape == (1, 2, 1, 2)


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: complexity.shatters(np.zeros((17, 2))), "For more see radon"),
        (lambda: complexity.random_signs(np.zeros((17, 2))), "opposing_labels"),
        (lambda: complexity.random_signs(np.zeros((1, 2)), offset=True), "2 to 16 points"),
        (lambda: complexity.shatters([1.0, 2.0]), "one row per example"),
        (lambda: complexity.shatters(np.eye(2), gamma=-1.0), "number >= 0"),
        (lambda: complexity.shatters(np.eye(2), gamma=np.nan), "number >= 0"),
        (lambda: complexity.radon(np.eye(3)), "certain from 5 on"),
        (lambda: complexity.radon(np.eye(3), offset=False), "certain from 4 on"),
        (lambda: complexity.simplex(0), "d must be a whole number >= 1"),
        (lambda: complexity.smallest_ball([[np.nan]]), "remove or impute"),
        (lambda: complexity.vapnik_bound(np.eye(2), 0.0), "width of the street"),
        (lambda: complexity.vapnik_bound(np.eye(2), np.inf), "width of the street"),
        (lambda: complexity.vapnik_bound(np.eye(2), 1.0, 0), "dimension must be a whole number"),
        (lambda: complexity.spread(5, 1, gamma=0.1), "d must be a whole number >= 2"),
        (lambda: complexity.spread(5, 3, gamma=0.9), "between 0 and 0.7"),
        (lambda: complexity.spread(5, 3, gamma=0.0), "between 0 and 0.7"),
        (lambda: complexity.sample_size(learner="svm"), "'perceptron', 'max margin'"),
        (lambda: complexity.sample_size(sizes=(1,)), "a size must be a whole number >= 2"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_advice(call, advice):
    with pytest.raises(ValueError, match=advice):
        call()


# --- proved, or undecided ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_near_an_edge_floats_and_fractions_count_the_same_labellings(seed):
    rng = np.random.default_rng(seed)
    P, share = rng.normal(size=(3, 2)), rng.random()
    near = share * P[0] + (1 - share) * P[1] + 10.0 ** rng.uniform(-17, -10) * rng.normal(size=2)
    rough, exact = (complexity.shatters(np.vstack([P, near]), exact=e) for e in (False, True))
    np.testing.assert_array_equal(rough.realised, exact.realised)
    assert rough.verdict == exact.verdict != "refuted"
    wrong = replace(rough, realised=~rough.realised)
    assert wrong.verdict != "proved"


def test_weights_that_make_almost_0_prove_nothing():
    X, y = np.array([[0.1], [0.2], [0.3]]), np.array([-1.0, 1.0, -1.0])
    assert complexity.shatters(X).holds
    k = 2  # the labelling - + -
    honest = complexity.shatters(X)
    assert honest.labellings[k].tolist() == y.tolist()
    without = replace(honest, exact_weights=())
    assert np.linalg.norm((honest.weights[k] * y) @ X) < 1e-15
    assert without.verdict == "undecided"


def test_false_averages_and_balls_are_refuted_or_left_open():
    X = np.random.default_rng(1).normal(size=(6, 3))
    for offset in (False, True):
        proof = complexity.random_signs(X, offset=offset)
        assert proof.verdict == "proved"
        for name in ("average", "expected", "R"):
            low = replace(proof, **{name: 0.999999 * getattr(proof, name)})
            assert low.verdict == "refuted", name
        assert replace(proof, reach=proof.reach[::-1] * 1.1).verdict == "refuted"
    ball = complexity.smallest_ball(X)
    assert ball.verdict == "proved"
    assert ball.converged
    assert replace(ball, radius=np.nextafter(ball.radius, 0) * (1 - 1e-14)).verdict == "refuted"
    assert replace(ball, lower=ball.radius).verdict == "undecided"
    assert replace(ball, weights=np.full(6, 1 / 6)).verdict == "undecided"
    assert replace(ball, centre=ball.centre * np.nan).verdict == "refuted"
    assert replace(ball, centre=ball.centre + 0.1).verdict == "refuted"


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_balls_and_averages_are_proved_at_every_scale(scale, shift):
    X = scale * (np.random.default_rng(2).normal(size=(7, 3)) + shift)
    assert complexity.smallest_ball(X).holds
    assert complexity.random_signs(X, offset=True).holds
    assert complexity.random_signs(X).holds
    assert complexity.radon(X).holds


def test_shattering_is_not_proved_without_all_rows_each_once():
    honest = complexity.shatters(datasets.xor()[0])
    rows = "labellings w b margins weights realised".split()
    kept = np.flatnonzero(honest.realised)
    twice = np.arange(16)
    twice[np.flatnonzero(~honest.realised)] = kept[0]
    for chosen in (kept, twice, np.arange(0), np.append(np.arange(16), 0)):
        told = {name: getattr(honest, name)[chosen] for name in rows}
        exact = tuple(honest.exact_weights[k] for k in chosen)
        lie = replace(honest, **told, exact_weights=exact)
        assert lie.verdict == "refuted" and not lie.holds and not lie.proved


@pytest.mark.parametrize("offset", [True, False])
def test_a_false_margin_or_offset_of_one_labelling_is_not_proved(offset):
    honest = complexity.shatters([[0.0, 1.0], [1.0, 0.5], [0.2, -1.0]], offset=offset)
    assert honest.verdict == "proved"
    for k in range(8):
        for value in (99.0, -1.0, np.nan, 0.0, honest.margins[k] * (1 + 1e-6), np.inf):
            margins = honest.margins.copy()
            margins[k] = value
            same = value == honest.margins[k]
            assert (replace(honest, margins=margins).verdict == "proved") == same
        longer = honest.w.copy()
        longer[k] *= 2.0
        assert replace(honest, w=longer).verdict != "proved" or not honest.realised[k]


@pytest.mark.parametrize("offset", [True, False])
def test_weights_that_forbid_nothing_make_no_margin_the_largest(offset):
    """A poor separator has its own margin; only the weights say that another has a larger one."""
    honest = complexity.shatters([[0.0, 1.0], [1.0, 0.5], [0.2, -1.0]], offset=offset)
    k = int(np.argmax(np.where(np.isfinite(honest.margins), honest.margins, 0.0)))
    for weights in (honest.weights + 99.0, 0 * honest.weights, -honest.weights):
        assert replace(honest, weights=weights).verdict != "proved"
    turned = honest.w[k] + 0.1 * np.array([honest.w[k, 1], -honest.w[k, 0]])
    w, b, margins = honest.w.copy(), honest.b.copy(), honest.margins.copy()
    w[k] = turned / np.linalg.norm(turned)
    edges = honest.X @ w[k]
    up, down = edges[honest.labellings[k] > 0].min(), edges[honest.labellings[k] < 0].max()
    b[k] = -0.5 * (up + down) if offset else 0.0
    margins[k] = (honest.labellings[k] * (edges + b[k])).min()
    assert 0 < margins[k] < 0.999 * honest.margins[k]
    lie = replace(honest, w=w, b=b, margins=margins)
    assert lie.verdict != "proved"
    assert replace(lie, weights=0 * honest.weights).verdict != "proved"


def test_separators_through_the_origin_cannot_borrow_an_offset():
    X = np.array([[1.0], [2.0]])
    through, free = complexity.shatters(X, offset=False), complexity.shatters(X)
    assert through.count == 2 and free.count == 4
    told = {name: getattr(free, name) for name in ("w", "b", "realised")}
    assert replace(through, **told).verdict == "refuted"
    assert replace(free, offset=False).verdict == "refuted"


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("offset", [False, True])
def test_every_field_of_a_radon_split_is_looked_at(exact, offset):
    honest = complexity.radon([[0.0, 0.1], [1.0, 0.0], [0.3, 1.0], [0.7, 0.7]], offset=offset,
                              exact=exact)  # fmt: skip
    assert honest.proved
    lies = {
        "point": honest.point + 1,
        "y": honest.y * [-1, 1, 1, 1],
        "X": honest.X + 0.5 * honest.y[:, None],
        "weights": honest.weights * 2,
        "exact_weights": honest.exact_weights * 2,
    }
    for name, lie in lies.items():
        assert not replace(honest, **{name: lie}).holds, name
    assert not replace(honest, point=np.array([77.0])).holds
    assert not replace(honest, weights=None).holds
    assert replace(honest, exact_weights=None).verdict == "undecided"


def test_the_radius_of_random_signs_is_that_of_the_smallest_ball():
    X = np.random.default_rng(1).normal(size=(6, 2))
    honest = complexity.random_signs(X, offset=True)
    ball = complexity.smallest_ball(X)
    assert honest.R == ball.radius and honest.verdict == "proved"
    for lie in (1.7, 0.9 * honest.R, 1.1 * honest.R, np.nan, np.inf):
        assert replace(honest, R=lie).verdict == "refuted"
    other = complexity.smallest_ball(0.5 * X)
    assert replace(honest, R=other.radius, ball=other).verdict == "refuted"
    assert replace(honest, ball=None).verdict == "refuted"


@pytest.mark.parametrize("offset", [False, True])
def test_an_average_over_some_labellings_is_no_average(offset):
    honest = complexity.random_signs(np.eye(4), offset=offset)
    assert honest.holds
    some = {name: getattr(honest, name)[:-2] for name in ("labellings", "reach")}
    assert replace(honest, **some).verdict == "refuted"
