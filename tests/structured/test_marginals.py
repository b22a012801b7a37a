"""Log-sum-exp in Viterbi's table, held against the list of all taggings."""

import numpy as np
import pytest

from lectures_lib import structured


def trellis(seed, largest=4):
    rng = np.random.default_rng(seed)
    n, S = rng.integers(1, largest + 1), rng.integers(1, largest)
    return rng.normal(size=(n, S)), rng.normal(size=(S, S))


def listed(E, P):
    """Return log Z, tags and pairs by adding up all taggings."""
    every = structured.enumerate_taggings(E, P)
    weights = np.exp([one.score for one in every])
    n, S = E.shape
    tags, pairs = np.zeros((n, S)), np.zeros((n - 1, S, S))
    for one, p in zip(every, weights / weights.sum()):
        tags[np.arange(n), one.y] += p
        pairs[np.arange(n - 1), one.y[:-1], one.y[1:]] += p
    return np.log(weights.sum()), tags, pairs


@pytest.mark.parametrize("seed", range(40))
def test_the_table_adds_up_all_taggings(seed):
    E, P = trellis(seed)
    found, (log_sum, tags, pairs) = structured.marginals(E, P), listed(E, P)
    assert found.log_sum == pytest.approx(log_sum, rel=1e-12)
    np.testing.assert_allclose(found.tags, tags, atol=1e-12)
    np.testing.assert_allclose(found.pairs, pairs, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_pairs_add_up_to_tags_and_tags_to_one(seed):
    found = structured.marginals(*trellis(seed, 6))
    np.testing.assert_allclose(found.tags.sum(axis=1), 1)
    np.testing.assert_allclose(found.pairs.sum(axis=2), found.tags[:-1], atol=1e-12)
    np.testing.assert_allclose(found.pairs.sum(axis=1), found.tags[1:], atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_large_scores_turn_log_sum_exp_into_the_maximum(seed):
    E, P = trellis(seed)
    V, _ = structured.forward(1000 * E, 1000 * P)
    np.testing.assert_allclose(structured.soft_forward(1000 * E, 1000 * P), V, atol=np.log(4**4))
    assert np.isfinite(structured.marginals(1000 * E, 1000 * P).log_sum)


def test_the_gradient_of_log_Z_is_the_table_of_probabilities():
    E, P = trellis(3)
    found, h = structured.marginals(E, P), 1e-6
    for t, s in np.ndindex(E.shape):
        moved = E.copy()
        moved[t, s] += h
        slope = (structured.marginals(moved, P).log_sum - found.log_sum) / h
        assert slope == pytest.approx(found.tags[t, s], abs=1e-5)
