"""Losses, their subgradients, and descent."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import datasets, losses, perceptron
from tests.strategies import integer_examples

LOSSES = {
    "hinge(0)": losses.hinge(0.0),
    "hinge(1)": losses.hinge(1.0),
    "hinge(-2.5)": losses.hinge(-2.5),
    "perceptron": losses.perceptron_loss(),
    "logistic": losses.logistic(),
}
KINKS = {"hinge(0)": 0.0, "hinge(1)": 1.0, "hinge(-2.5)": -2.5, "perceptron": 0.0}
convex = pytest.mark.parametrize("name", LOSSES)
numbers = st.floats(-30, 30).map(lambda v: round(v, 3))


# LO-1: values


@given(numbers, st.sampled_from([0.0, 1.0, 2.5]))
def test_the_hinge_is_max_of_zero_and_h_minus_t(t, h):
    assert losses.hinge(h)(t) == max(0.0, h - t)
    assert losses.perceptron_loss()(t) == losses.hinge(0.0)(t) == max(0.0, -t)


@given(numbers)
def test_the_logistic_loss_is_minus_the_log_likelihood(t):
    assert losses.logistic()(t) == pytest.approx(-np.log(1 / (1 + np.exp(-t))), rel=1e-7, abs=1e-12)


def test_the_logistic_loss_does_not_overflow():
    assert losses.logistic()([-1e4, 1e4]).tolist() == [1e4, 0.0]
    assert losses.logistic().subgradient([-1e4, 1e4]).tolist() == [-1.0, 0.0]


@given(numbers)
def test_hinge_and_scaled_logistic_lie_above_the_0_1_loss(t):
    assert losses.hinge()(t) >= losses.zero_one(t)
    assert losses.logistic()(t) / np.log(2) >= losses.zero_one(t) * (1 - 1e-12)


def test_the_0_1_loss_counts_mistakes_with_zero_as_one():
    assert losses.zero_one([-2.0, 0.0, 1e-9, 3.0]).tolist() == [1, 1, 0, 0]
    X, y = datasets.lecture_example()
    wrong = np.mean(perceptron.predict([1, -2], X, tie="mistake") != y)
    assert losses.mean_loss([1, -2], X, y, losses.zero_one) == wrong == 2 / 6


def test_the_0_1_loss_is_not_convex():
    left, middle, right = -3.0, -1.0, 1.0  # the chord from left to right runs below the middle
    assert losses.zero_one(middle) > (losses.zero_one(left) + losses.zero_one(right)) / 2


def test_the_0_1_loss_has_no_line_below_it_that_touches_it_where_it_jumps():
    for slope in np.linspace(-5, 5, 41):
        z = np.array([-1e3, 1e-6, 1e3])
        assert (losses.zero_one(z) < losses.zero_one(0.0) + slope * z).any()
    assert not hasattr(losses.zero_one, "subgradient")


@given(st.floats(0.01, 30), st.sampled_from([-1.0, 1.0]))
def test_the_0_1_loss_is_flat_away_from_zero(size, side):
    t = size * side
    assert (
        losses.zero_one(t + 1e-3 * size) == losses.zero_one(t) == losses.zero_one(t - 1e-3 * size)
    )


@convex
@given(a=numbers, b=numbers, share=st.floats(0, 1))
def test_the_other_losses_are_convex(name, a, b, share):
    f = LOSSES[name]
    chord = share * f(a) + (1 - share) * f(b)
    assert f(share * a + (1 - share) * b) <= chord + 1e-12 * (1 + abs(chord))


# LO-2: subgradients


@convex
@given(t=numbers, z=numbers, share=st.floats(0, 1))
def test_every_subgradient_gives_a_line_below_the_loss(name, t, z, share):
    f = LOSSES[name]
    low, high = f.subdifferential(t)
    g = low + share * (high - low)
    assert f(z) >= f(t) + g * (z - t) - 1e-12 * (1 + abs(z - t))


@pytest.mark.parametrize("name", KINKS)
def test_at_the_kink_the_subgradients_are_minus_one_to_zero_and_no_more(name):
    f, t = LOSSES[name], KINKS[name]
    assert f.subdifferential(t) == (-1.0, 0.0)
    for g, z in [(0.01, t + 1), (-1.01, t - 1)]:
        assert f(z) < f(t) + g * (z - t)  # a line just outside the interval crosses


@pytest.mark.parametrize("name", KINKS)
def test_at_the_kink_the_lectures_choose_the_slope_that_moves_w(name):
    assert LOSSES[name].subgradient(KINKS[name]) == -1.0


@convex
@given(t=numbers)
def test_off_the_kink_the_subgradient_is_the_slope(name, t):
    f, step = LOSSES[name], 1e-5
    if abs(t - KINKS.get(name, np.inf)) > 2 * step:
        low, high = f.subdifferential(t)
        assert low == high == f.subgradient(t)
        assert (f(t + step) - f(t - step)) / (2 * step) == pytest.approx(low, abs=1e-8)


@convex
@given(examples=integer_examples(), seed=st.integers(0, 99))
def test_the_mean_subgradient_gives_a_plane_below_the_mean_loss(name, examples, seed):
    X, y = examples
    w, v = np.random.default_rng(seed).integers(-3, 4, size=(2, X.shape[1])).astype(float)
    f = LOSSES[name]
    at_w, at_v = (np.mean([f(label * (u @ x)) for x, label in zip(X, y)]) for u in (w, v))
    assert losses.mean_loss(w, X, y, f) == pytest.approx(at_w, rel=1e-12)
    assert at_v >= at_w + losses.mean_subgradient(w, X, y, f) @ (v - w) - 1e-9


@given(integer_examples(), st.integers(1, 6))
def test_the_perceptron_is_online_descent_with_step_one_bit_for_bit(examples, epochs):
    X, y = examples
    walk = losses.online_descent(X, y, losses.perceptron_loss(), epochs=epochs)
    run = perceptron.perceptron(X, y, max_epochs=epochs)
    moved = (walk.weights[1:] != walk.weights[:-1]).any(axis=1)
    path = np.vstack([walk.weights[:1], walk.weights[1:][moved]])
    nonzero = X[run.mistakes].any(axis=1)  # a point at 0 is a mistake that moves nothing
    expected = np.vstack([run.weights[:1], run.weights[1:][nonzero]])
    assert path.tolist() == expected.tolist()
    assert (walk.w + 0.0).tobytes() == (run.w + 0.0).tobytes()  # -0.0 is 0.0


def test_another_step_size_only_scales_the_perceptron():
    X, y = datasets.lecture_example()
    walks = [
        losses.online_descent(X, y, losses.perceptron_loss(), step_size=s) for s in (1.0, 0.25)
    ]
    assert (walks[0].weights * 0.25).tolist() == walks[1].weights.tolist()


def test_online_hinge_descent_differs_from_the_perceptron():
    X, y = datasets.lecture_example()
    hinge, plain = (
        losses.online_descent(X, y, f).w for f in (LOSSES["hinge(1)"], LOSSES["hinge(0)"])
    )
    assert hinge.tolist() != plain.tolist()


# LO-3: batch and online


@convex
def test_a_batch_step_is_the_mean_of_all_examples_steps_from_the_same_w(name):
    X, y = datasets.lecture_example()
    f, w = LOSSES[name], np.zeros(2)
    for got in losses.batch_descent(X, y, f, steps=4, step_size=0.5).weights[1:]:
        each = [f.subgradient(label * (w @ x)) * label * x for x, label in zip(X, y)]
        w = w - 0.5 * np.mean(each, axis=0)
        np.testing.assert_allclose(got, w, rtol=1e-12, atol=1e-14)


@convex
def test_an_online_step_uses_one_example_and_the_newest_w(name):
    X, y = datasets.lecture_example()
    f, w, walk = LOSSES[name], np.zeros(2), losses.online_descent(X, y, LOSSES[name], epochs=2)
    assert len(walk.weights) == 1 + 2 * len(X)
    for t, got in enumerate(walk.weights[1:]):
        x, label = X[t % len(X)], y[t % len(X)]
        w = w - f.subgradient(label * (w @ x)) * label * x
        np.testing.assert_allclose(got, w, rtol=1e-12, atol=1e-14)


def test_batch_and_online_take_different_paths():
    X, y = datasets.lecture_example()
    online = losses.online_descent(X, y, losses.perceptron_loss())
    batch = losses.batch_descent(X, y, losses.perceptron_loss(), steps=len(X))
    assert online.w.tolist() != batch.w.tolist()
    # one pass reads n examples online, n * n in n batch steps; both end on the right side
    assert online.values[-1] == batch.values[-1] == 0


@convex
def test_the_values_of_a_walk_are_the_mean_losses_of_its_weights(name):
    X, y = datasets.noisy(20, 3, rng=1)
    for walk in (
        losses.batch_descent(X, y, LOSSES[name], steps=5),
        losses.online_descent(X, y, LOSSES[name]),
    ):
        again = [losses.mean_loss(w, X, y, LOSSES[name]) for w in walk.weights]
        np.testing.assert_allclose(walk.values, again, rtol=1e-12, atol=1e-14)
        assert walk.w.tolist() == walk.weights[-1].tolist()


@pytest.mark.parametrize("name", ["hinge(1)", "logistic"])
def test_small_batch_steps_lower_the_loss(name):
    X, y = datasets.noisy(50, 3, rng=0)
    walk = losses.batch_descent(X, y, LOSSES[name], steps=50, step_size=0.1)
    assert walk.values[-1] < walk.values[0]


@pytest.mark.parametrize("steps", [0, 1.5, True])
def test_the_number_of_steps_is_a_whole_number(steps):
    with pytest.raises(ValueError, match="steps must be a whole number"):
        losses.batch_descent([[1.0]], [1], losses.hinge(), steps=steps)
    with pytest.raises(ValueError, match="epochs must be a whole number"):
        losses.online_descent([[1.0]], [1], losses.hinge(), epochs=steps)


@pytest.mark.parametrize("w", [[1.0], [1.0, 2.0, 3.0], [np.nan, 1.0]])
def test_a_wrong_w_is_refused(w):
    for function in (losses.mean_loss, losses.mean_subgradient):
        with pytest.raises(ValueError, match=r"it needs \(2,\)|remove or impute"):
            function(w, *datasets.lecture_example(), losses.hinge())
