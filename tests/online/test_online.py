"""The online protocol, its learners and its adversaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import bounds, datasets, margins, online, perceptron
from tests.strategies import integer_examples, seeds, ties


class RandomLearner:
    """Tosses a coin."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def predict(self, x):
        return float(self.rng.choice([-1.0, 1.0]))

    def update(self, x, y):
        """Learn nothing."""


LEARNERS = {
    "perceptron": lambda d: online.PerceptronLearner(d),
    "perceptron, ties are mistakes": lambda d: online.PerceptronLearner(d, "mistake"),
    "always +": lambda d: online.ConstantLearner(1.0),
    "always -": lambda d: online.ConstantLearner(-1.0),
    "nearest": lambda d: online.NearestLearner(),
    "random": RandomLearner,
}
learners = pytest.mark.parametrize("name", LEARNERS)


class Diary:
    """A learner and an adversary that write down who was asked what, and tamper with x."""

    def __init__(self, said=1.0, truth=-1.0):
        self.said, self.truth, self.log = said, truth, []

    def example(self):
        self.log.append("example")
        return np.array([1.0, 2.0])

    def predict(self, x):
        self.log.append("predict")
        x[:] = 99.0
        return self.said

    def label(self, x, prediction):
        self.log.append(("label", x.tolist(), prediction))
        x[:] = 77.0
        return self.truth

    def update(self, x, y):
        self.log.append(("update", x.tolist(), y))
        x[:] = 55.0


# ON-1: the protocol


def test_a_round_is_example_prediction_label_update_in_this_order():
    both = Diary()
    online.play(both, both, 2)
    one_round = ["example", "predict", ("label", [1.0, 2.0], 1.0), ("update", [1.0, 2.0], -1.0)]
    assert both.log == 2 * one_round


def test_nobody_can_change_the_example_after_the_fact():
    game = online.play(Diary(), Diary(), 3)
    assert game.X.tolist() == [[1.0, 2.0]] * 3


@given(integer_examples(), st.integers(1, 9), seeds)
def test_the_transcript_counts_the_rounds_with_a_wrong_prediction(examples, rounds, seed):
    X, y = examples
    game = online.play(RandomLearner(seed), online.FixedSequence(X, y), rounds)
    played = min(rounds, len(X))
    assert game.X.tolist() == X[:played].tolist()
    assert game.y.tolist() == y[:played].tolist()
    assert game.mistakes.tolist() == [t for t in range(played) if game.predictions[t] != y[t]]


@given(integer_examples(), ties)
def test_the_perceptron_as_a_player_is_the_perceptron_in_one_pass(examples, tie):
    X, y = examples
    learner = online.PerceptronLearner(X.shape[1], tie)
    game = online.play(learner, online.FixedSequence(X, y), len(X))
    run = perceptron.perceptron(X, y, max_epochs=1, tie=tie)
    assert learner.w.tolist() == run.w.tolist()
    if tie != "mistake":  # there a 0 is a mistake, though the prediction was right
        assert game.mistakes.tolist() == run.mistakes.tolist()
    else:
        assert set(game.mistakes) <= set(run.mistakes)


def test_the_nearest_learner_says_the_label_of_the_nearest_example():
    learner = online.NearestLearner()
    assert learner.predict(np.array([5.0])) == 1.0
    for x, y in [(0.0, -1.0), (10.0, 1.0)]:
        learner.update(np.array([x]), y)
    assert [learner.predict(np.array([x])) for x in (4.0, 6.0)] == [-1.0, 1.0]


# MB-3: an adversary against anybody


@learners
@pytest.mark.parametrize(("R", "gamma"), [(1, 1), (1, 0.5), (3, 1), (2.0, 0.3), (1, 7**-0.5)])
def test_the_orthogonal_adversary_forces_floor_of_R_over_gamma_squared_on_anybody(name, R, gamma):
    adversary = online.OrthogonalAdversary(R, gamma)
    m = int((R / gamma) ** 2 + 1e-9)
    game = online.play(LEARNERS[name](m), adversary, 10_000)
    assert len(game.mistakes) == len(game.X) == m
    u = adversary.separator()
    assert np.linalg.norm(u) == pytest.approx(1.0, rel=1e-12)
    assert min(game.y * (game.X @ u)) >= gamma * (1 - 1e-9)  # it kept its promise
    assert np.linalg.norm(game.X, axis=1).max() == pytest.approx(R, rel=1e-12)
    assert margins.max_margin(game.X, game.y).gamma == pytest.approx(R / np.sqrt(m), rel=1e-7)


def test_the_forced_game_meets_the_perceptrons_bound_with_equality():
    adversary = online.OrthogonalAdversary(1.0, 0.25)
    game = online.play(online.PerceptronLearner(16), adversary, 100)
    run = perceptron.perceptron(game.X, game.y, tie="positive")
    proof = bounds.mistake_bound(run, game.X, game.y, adversary.separator(), exact=True)
    assert proof.holds
    assert len(run.mistakes) == len(game.mistakes) == proof.bound == 16


@learners
@given(rounds=st.integers(1, 60))
def test_without_a_margin_bisection_forces_a_mistake_in_every_round(name, rounds):
    adversary = online.BisectionAdversary()
    game = online.play(LEARNERS[name](2), adversary, rounds)
    assert len(game.mistakes) == len(game.X) == min(rounds, 50)
    assert (game.y * (game.X @ adversary.separator()) > 0).all()  # and yet a separator exists
    assert (game.X[:, 1] == 1).all()
    assert (np.abs(game.X[:, 0]) <= 1).all()


# Bad input


@pytest.mark.parametrize("rounds", [0, -1, 2.5, True])
def test_rounds_are_whole_numbers(rounds):
    with pytest.raises(ValueError, match="rounds must be a whole number"):
        online.play(Diary(), Diary(), rounds)


@pytest.mark.parametrize("said", [0.0, 2.0, np.nan])
def test_a_prediction_that_is_no_label_is_refused(said):
    with pytest.raises(ValueError, match="the learner's prediction must be -1 or"):
        online.play(Diary(said=said), Diary(), 1)
    with pytest.raises(ValueError, match="the adversary's label must be -1 or"):
        online.play(Diary(), Diary(truth=said), 1)


def test_a_game_without_examples_is_refused():
    adversary = online.FixedSequence([[1.0]], [1])
    online.play(Diary(), adversary, 1)
    with pytest.raises(ValueError, match="gave no example"):
        online.play(Diary(), adversary, 1)


@pytest.mark.parametrize(("R", "gamma"), [(1, 2), (1, 0), (-1, -2), (np.inf, 1), (np.nan, 1)])
def test_the_orthogonal_adversary_needs_a_margin_within_its_radius(R, gamma):
    with pytest.raises(ValueError, match="Need 0 < gamma <= R"):
        online.OrthogonalAdversary(R, gamma)


def test_learners_refuse_what_they_cannot_be():
    with pytest.raises(ValueError, match="d must be a whole number"):
        online.PerceptronLearner(0)
    with pytest.raises(ValueError, match="'mistake', 'positive', 'negative'"):
        online.PerceptronLearner(2, "never")
    with pytest.raises(ValueError, match="label must be -1 or"):
        online.ConstantLearner(0.0)


def test_the_worked_example_played_online_errs_on_1_3_5():
    game = online.play(
        online.PerceptronLearner(2), online.FixedSequence(*datasets.lecture_example()), 6
    )
    assert (game.mistakes + 1).tolist() == [1, 3, 5]
