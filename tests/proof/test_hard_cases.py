"""Cases in which floating point, or a careless caller, once led the library astray."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from lectures_lib import bounds, datasets, linear, losses, margins, online, perceptron
from tests.strategies import claimed_run

SIX = datasets.lecture_example()


def decimal_examples(seed):
    """Few points with one decimal, which floats do not represent: scores of 0 become 1e-17."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 7)), int(rng.integers(1, 14))
    X, y = rng.integers(-3, 4, size=(n, d)) / 10, np.where(rng.random(n) < 0.5, -1.0, 1.0)
    return X, y, rng.normal(size=d)


@pytest.mark.parametrize("seed", range(150))
def test_an_honest_run_on_decimals_is_proved_unless_a_tie_was_rounded_to_the_wrong_side(seed):
    X, y, u = decimal_examples(seed)
    run = perceptron.perceptron(X, y, max_epochs=6)
    bound = bounds.hinge_mistake_bound(run, X, y, u=u)
    right = exact_scores(run, X, y)
    assert bound.verdict == ("proved" if max(right, default=0) <= 0 else "undecided")
    assert all(score <= 1e-15 for score in right)


def exact_scores(run, X, y):
    """Return y w.x at each mistake of the run that is never rounded."""
    w, scores = [Fraction(v) for v in run.weights[0].tolist()], []
    for i in run.mistakes:
        step = [Fraction(v) * int(y[i]) for v in X[i].tolist()]
        scores.append(sum(a * b for a, b in zip(w, step)))
        w = [a + b for a, b in zip(w, step)]
    return scores


@pytest.mark.parametrize("seed", range(10))
def test_an_honest_run_with_a_tiny_margin_is_proved(seed):
    p = datasets.separable(20, 5, gamma=1e-8, rng=seed)
    run = perceptron.perceptron(p.X, p.y, max_epochs=200)
    assert bounds.mistake_bound(run, p.X, p.y, p.u).holds


@pytest.mark.parametrize("seed", range(150))
def test_player_descent_and_loop_round_alike_to_the_last_bit(seed):
    X, y, _ = decimal_examples(seed)
    run = perceptron.perceptron(X, y, max_epochs=6)
    loss = losses.perceptron_loss()
    walk = losses.online_descent(X, y, loss, epochs=run.epochs)
    assert walk.w.tolist() == run.w.tolist()
    learner = online.PerceptronLearner(X.shape[1], "mistake")
    repeated = [np.tile(X, (run.epochs, 1)), np.tile(y, run.epochs)]
    online.play(learner, online.FixedSequence(*repeated), rounds=run.epochs * len(y))
    assert learner.w.tolist() == run.w.tolist()


def test_a_huge_R_does_not_hide_wrong_updates():
    run = perceptron.perceptron(*SIX)
    false = claimed_run(*SIX, run.mistakes, -run.weights)
    assert not bounds.mistake_bound(false, *SIX, R=1e12).holds


@pytest.mark.parametrize(
    "change", [{"mistakes": np.array([0, 2])}, {"mistakes": np.array([-6, -4, -2])}]
)
def test_a_run_that_cannot_be_one_is_refused_in_words(change):
    run = dataclasses.replace(perceptron.perceptron(*SIX), **change)
    with pytest.raises(ValueError, match="The run does not fit"):
        bounds.mistake_bound(run, *SIX)


def test_the_cosine_is_zero_where_the_weights_return_to_zero():
    X, y = datasets.xor()
    run = perceptron.perceptron(X, y, max_epochs=2)
    cosine = bounds.hinge_mistake_bound(run, X, y, u=[1.0, 0.5]).cosine
    assert np.isfinite(cosine).all()
    assert cosine[np.linalg.norm(run.weights[1:], axis=1) == 0].tolist() == [0.0] * int(
        np.sum(np.linalg.norm(run.weights[1:], axis=1) == 0)
    )


def test_the_slack_to_an_infinite_bound_is_printed_as_infinite():
    X, y = datasets.xor()
    run = perceptron.perceptron(X, y, max_epochs=2)
    assert bounds.mistake_bound(run, X, y, u=[1, 1]).line("conclusion").least == "inf"


def test_wolfe_stops_when_only_rounding_is_left_to_gain(monkeypatch):
    steps, inner = [], margins.largest._nearest_inside
    monkeypatch.setattr(margins.largest, "_nearest_inside", lambda *a: steps.append(1) or inner(*a))
    answer = margins.max_margin(*datasets.digits(1, 8), offset=True)
    assert answer.converged
    assert len(steps) < 500


@pytest.mark.parametrize("X", [[[1.0, 0], [0, 1e-12]], [[1e-100]], [[1e140, 1e-3], [1e140, 1e139]]])
def test_a_lopsided_data_set_is_still_found_separable(X):
    assert margins.max_margin(X, np.ones(len(X))).separable


def test_numbers_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match="rescale"):
        perceptron.perceptron([[1e200, 1e200], [1e200, -1e200]], [1, -1])


@pytest.mark.parametrize(
    "call",
    [
        lambda: perceptron.vote(perceptron.voted_perceptron(*SIX), [[1, 2, 3]]),
        lambda: perceptron.early_stopping(*SIX, [[1, 2, 3]], [1]),
        lambda: perceptron.early_stopping([[1.0]], [1], [[1.0]], [1], patience=0, tie="positive"),
        lambda: perceptron.averaged_perceptron([[1.0]], [1], epochs=None),
        lambda: perceptron.voted_perceptron([[1.0]], [1], new_count=1.0),
        lambda: linear.dual_coordinate_descent([[1.0]], [1], C=[1, 2, 3]),
        lambda: datasets.orthogonal(3, R=-1.0),
        lambda: datasets.orthogonal(3, R=np.nan),
        lambda: losses.hinge(np.nan),
        lambda: margins.margin([1.0], [1.0], 1, b=np.nan),
        lambda: bounds.mistake_bound(perceptron.perceptron(*SIX), *SIX, R=-5),
    ],
)
def test_bad_input_is_refused_by_us_and_not_by_numpy(call):
    with pytest.raises(ValueError) as refused:
        call()
    assert not {"matmul", "broadcast"} & set(str(refused.value).split())


def test_the_logistic_slope_does_not_vanish_far_out():
    slope = losses.logistic().subgradient(40.0)
    assert np.isclose(slope, -np.exp(-40.0), rtol=1e-6, atol=0)


def test_the_transcript_survives_an_adversary_that_reuses_its_array():
    class Reuser:
        x = np.zeros(1)

        def example(self):
            self.x += 1
            return self.x

        def label(self, x, prediction):
            return 1.0

    game = online.play(online.ConstantLearner(), Reuser(), 3)
    assert game.X.ravel().tolist() == [1, 2, 3]
