"""Counting labellings: Cover's count, Sauer's lemma, the bound on new examples; whole numbers."""

from fractions import Fraction
from itertools import combinations, product
from math import e

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from lectures_lib import complexity, datasets, svm

small = st.integers(0, 2**31).map(np.random.default_rng)


def family(rng, n, N):
    """Return N random labellings of n points, some perhaps equal."""
    return rng.choice([-1, 1], size=(N, n))


def shattered_by_definition(rows):
    """Return all sets of columns that show every pattern, by trying each pattern of each set."""
    n, said = rows.shape[1], {tuple(row) for row in rows.tolist()}
    return {
        s
        for size in range(n + 1)
        for s in combinations(range(n), size)
        if all(
            any(all(row[j] == v for j, v in zip(s, pattern)) for row in said)
            for pattern in product((-1, 1), repeat=size)
        )
    }


# --- Sauer ---------------------------------------------------------------------------------------


@given(st.integers(0, 40), st.integers(0, 45))
def test_sauers_number_is_a_tail_of_fair_coins(n, h):
    assert np.isclose(complexity.sauer(n, h), binom.cdf(h, n, 0.5) * 2.0**n, rtol=1e-9)


@given(st.integers(1, 60), st.integers(1, 60))
def test_sauers_number_is_a_power_of_two_up_to_h_and_polynomial_beyond(n, h):
    number = complexity.sauer(n, h)
    assert number == 2**n if n <= h else number < 2**n
    assert n < h or number <= (e * n / h) ** h


@given(small, st.integers(1, 7), st.integers(1, 40))
def test_the_shattered_subsets_are_those_of_the_definition_and_no_fewer_than_the_rows(rng, n, N):
    rows = family(rng, n, N)
    found = complexity.shattered_subsets(rows)
    assert len(found) == len(set(found)) and set(found) == shattered_by_definition(rows)
    different = len(np.unique(rows, axis=0))
    assert different <= len(found) <= complexity.sauer(n, max(len(s) for s in found))


def test_sauers_lemma_is_attained_by_all_labellings_with_few_plus_signs():
    rows = np.array([row for row in product((-1, 1), repeat=6) if row.count(1) <= 2])
    assert len(rows) == complexity.sauer(6, 2) == len(complexity.shattered_subsets(rows))


def test_one_labelling_shatters_the_empty_set_and_no_labelling_nothing():
    assert complexity.shattered_subsets([[1, -1, 1]]) == [()]
    assert complexity.shattered_subsets(np.ones((0, 3))) == []


# --- Cover ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(3, 1), (6, 1), (4, 2), (7, 2), (6, 3)])
@pytest.mark.parametrize("offset", [True, False])
def test_separators_give_random_points_as_many_labellings_as_cover_counted(n, d, offset):
    X = np.random.default_rng(n + d).normal(size=(n, d))
    found = complexity.shatters(X, offset=offset)
    assert found.count == complexity.growth(n, d, offset=offset)


@given(small, st.integers(2, 6), st.integers(1, 3), st.booleans())
def test_no_points_have_more_labellings_than_cover_counted(rng, n, d, offset):
    X = rng.integers(-2, 3, size=(n, d)).astype(float)
    count = complexity.shatters(X, offset=offset).count
    assert count <= complexity.growth(n, d, offset=offset)


@given(st.integers(1, 40), st.integers(1, 12))
def test_covers_count_is_all_labellings_of_d_plus_1_points_and_never_above_sauers(n, d):
    count = complexity.growth(n, d)
    assert (count == 2**n) == (n <= d + 1)
    assert count <= complexity.sauer(n, d + 1)
    assert complexity.growth(n, d + 1, offset=False) == count  # the constant feature


# --- halves --------------------------------------------------------------------------------------


def chance_by_trying(rows, y, m):
    """Return the share of halves on which a perfect row errs m times or more elsewhere."""
    bad = total = 0
    for half in combinations(range(len(y)), len(y) // 2):
        rest = set(range(len(y))) - set(half)
        perfect = [r for r in rows if all(r[i] == y[i] for i in half)]
        bad += any(sum(r[i] != y[i] for i in rest) >= m for r in perfect)
        total += 1
    return Fraction(bad, total)


@given(small, st.integers(1, 4), st.integers(1, 30))
def test_the_chance_is_that_of_trying_every_half_and_the_bounds_are_above_it(rng, n, N):
    rows, y = family(rng, 2 * n, N), rng.choice([-1, 1], size=2 * n)
    tried = complexity.halves(rows, y)
    for m in range(1, n + 1):
        chance = tried.chance(m)
        assert chance == chance_by_trying(rows.tolist(), y.tolist(), m)
        assert chance <= tried.union(m)
        assert chance <= tried.bound(m) <= min(1, tried.N * Fraction(1, 2**m))


@given(st.integers(1, 30), st.data())
def test_the_chance_that_a_half_misses_m_points_is_hypergeometric(n, data):
    m = data.draw(st.integers(0, n))
    found = complexity.hidden(n, m)
    assert np.isclose(float(found), hypergeom.pmf(0, 2 * n, m, n)) and found <= Fraction(1, 2**m)


def test_one_labelling_attains_its_bound():
    y = np.ones(10)
    wrong = np.where(np.arange(10) < 3, -1, 1)
    tried = complexity.halves([wrong], y)
    assert tried.chance(3) == tried.union(3) == tried.bound(3) == complexity.hidden(5, 3)
    assert tried.chance(4) == 0


def test_all_labellings_look_good_and_may_be_wrong_everywhere_else():
    rows = np.array(list(product((-1, 1), repeat=8)))
    assert complexity.halves(rows, rows[3]).chance(4) == 1


# --- the bound on the next n examples ------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.float32, np.longdouble, Fraction])
def test_most_mistakes_takes_every_kind_of_number(kind):
    want = complexity.most_mistakes(100, 3, 0.0625)
    assert complexity.most_mistakes(100, 3, kind(0.0625)) == want


@given(st.integers(1, 60), st.integers(0, 8), st.sampled_from([0.01, 0.05, 0.5]))
def test_most_mistakes_is_the_least_number_that_the_bound_allows(n, h, delta):
    m = complexity.most_mistakes(n, h, delta)

    def failing(k):
        return complexity.sauer(2 * n, h) * complexity.hidden(n, k)

    assert m == n or failing(m + 1) <= delta
    assert m == 0 or failing(m) > delta


def test_the_promise_is_kept_where_the_worst_rule_can_be_found():
    """Thresholds on a line: of those right on n examples, the worst errs on one side of a gap."""
    rng, n, delta = np.random.default_rng(5), 30, 0.5
    m, broken = complexity.most_mistakes(n, 2, delta), 0
    for _ in range(2000):
        seen, new = rng.random(n), rng.random(n)
        low, high = seen[seen < 0.5].max(initial=0), seen[seen >= 0.5].min(initial=1)
        between = max(np.sum((new > low) & (new < 0.5)), np.sum((new >= 0.5) & (new < high)))
        broken += between > m
    assert broken / 2000 <= delta


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: complexity.halves([[1, -1, 1]], [1, 1, 1]), "2, 4, ..., 16 points"),
        (lambda: complexity.halves([[1, -1]], [1, 1, 1, 1]), "one column and one entry per point"),
        (lambda: complexity.halves(np.ones((1, 18)), np.ones(18)), "16"),
        (lambda: complexity.shattered_subsets([[0, 1]]), "labels -1 and"),
        (lambda: complexity.shattered_subsets([1, -1]), "one row per labelling"),
        (lambda: complexity.sauer(-1, 2), "n must be a whole number >= 0"),
        (lambda: complexity.growth(3, 0), "d must be a whole number >= 1"),
        (lambda: complexity.most_mistakes(5, 2, 0.0), "strictly between 0 and 1"),
    ],
)
def test_what_cannot_be_counted_is_refused_with_advice(call, advice):
    with pytest.raises(ValueError, match=advice):
        call()


# --- the experiment's formula --------------------------------------------------------------------


def test_the_largest_margin_errs_as_the_unseen_directions_say():
    found = complexity.sample_size((0.14, 0.1), (200,), (50,), learner="max margin", repeats=12)
    for gamma, mean, se in zip(found.gammas, found.mean.ravel(), found.se.ravel(), strict=True):
        assert abs(mean - complexity.unseen_error(gamma, 200, 50)) < 4 * se


def test_the_formula_is_the_share_of_unseen_directions_over_all_draws():
    k, n = complexity.directions(0.4, 10), 4
    unseen = [np.mean([j not in drawn for j in range(k)]) for drawn in product(range(k), repeat=n)]
    assert np.isclose(complexity.unseen_error(0.4, 10, n), np.mean(unseen) / 2)


def test_the_standard_error_is_that_of_the_repeats():
    found = complexity.sample_size((0.2,), (10,), (20,), repeats=5, tests=50)
    errors = found.errors[0, 0, 0]
    expected = np.sqrt(np.sum((errors - errors.mean()) ** 2) / (5 * 4))
    assert np.isclose(found.se[0, 0, 0], expected)
    with pytest.raises(ValueError, match="repeats=2"):
        _ = complexity.sample_size((0.2,), (10,), (20,), repeats=1, tests=5).se


def test_noise_of_no_length_changes_nothing_and_long_noise_hurts_margin_and_error():
    X, y = datasets.digits(3, 8)
    plain, none = complexity.padded(X, y, 0, 1.0), complexity.padded(X, y, 200, 0.0)
    assert np.allclose(plain, none)
    noisy = complexity.padded(X, y, 3000, 0.3)
    assert noisy[1].min() > plain[1].max() and noisy[0].mean() > plain[0].mean() + 0.05


def test_padded_digits_are_learnt_by_the_largest_margin_of_the_first_half():
    X, y = datasets.digits(0, 1)
    errors, ratios = complexity.padded(X, y, 0, 0.0, repeats=2, rng=3)
    half = len(X) // 2
    for r in range(2):
        pick = np.random.default_rng([3, r]).permutation(half)[:50]
        Z = X - X[:half].mean(axis=0)
        best = svm.primal(Z[pick], y[pick], np.inf, offset=False)
        assert np.isclose(ratios[r], np.sum(Z[pick] ** 2, axis=1).max() * (best.w @ best.w))
        assert errors[r] == np.mean(np.where(Z[half:] @ best.w >= 0, 1, -1) != y[half:])
    with pytest.raises(ValueError, match="ask for fewer"):
        complexity.padded(X[:20], y[:20], 0, 0.0)
