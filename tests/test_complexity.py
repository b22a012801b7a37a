"""From mistakes to guarantees: checked by enumerating every sample of a small world."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from lectures_lib import complexity
from tests.strategies import textbook

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
