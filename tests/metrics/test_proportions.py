"""Intervals for a proportion: what they promise, judged in fractions and by scipy."""

from fractions import Fraction
from math import comb, isclose, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from lectures_lib import metrics

levels = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])


@st.composite
def counts(draw, most=60):
    n = draw(st.integers(1, most))
    return draw(st.integers(0, n)), n


def at_most(k, n, p):
    """Return P[Binomial(n, p) <= k] as a fraction; p is a float, which is a fraction."""
    p = Fraction(p)
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1))


@given(counts(), levels)
def test_the_exact_interval_ends_where_a_tail_has_half_of_what_the_level_leaves(pair, level):
    (k, n), tail = pair, (1 - level) / 2
    found = metrics.clopper_pearson(k, n, level=level)
    # betaincinv is right to about 1e-12, and the tail moves by at most n per unit of p
    if k > 0:
        assert abs(float(1 - at_most(k - 1, n, found.low)) - tail) < 1e-9
    if k < n:
        assert abs(float(at_most(k, n, found.high)) - tail) < 1e-9
    assert (found.low == 0) == (k == 0) and (found.high == 1) == (k == n)


@given(counts(400), levels, st.sampled_from(["wilson", "exact"]))
def test_both_intervals_are_scipys(pair, level, method):
    ours = {"wilson": metrics.wilson, "exact": metrics.clopper_pearson}[method](*pair, level=level)
    theirs = binomtest(*pair).proportion_ci(level, method=method)
    assert np.allclose([ours.low, ours.high], [theirs.low, theirs.high], atol=1e-10)


@given(counts(), levels)
def test_wilsons_ends_are_z_standard_deviations_from_the_share(pair, level):
    (k, n), z = pair, NormalDist().inv_cdf((1 + level) / 2)
    found = metrics.wilson(k, n, level=level)
    for end in (found.low, found.high):
        if 0 < end < 1:
            assert isclose(abs(k / n - end), z * sqrt(end * (1 - end) / n), rel_tol=1e-7)


@given(counts(), levels, st.sampled_from([metrics.wilson, metrics.clopper_pearson]))
def test_an_interval_holds_the_share_and_turns_over_with_the_labels(pair, level, interval):
    k, n = pair
    found, turned = interval(k, n, level=level), interval(n - k, n, level=level)
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.low < found.high
    assert np.allclose([turned.low, turned.high], [1 - found.high, 1 - found.low], atol=1e-12)


def test_no_errors_of_fifty_leave_room_for_seven_percent_and_the_bootstrap_says_none():
    exact = metrics.clopper_pearson(0, 50)
    assert isclose(exact.high, 1 - 0.025 ** (1 / 50)) and 0.071 < exact.high < 0.0712
    assert metrics.wilson(0, 50).high > 0.07
    wrong = metrics.bootstrap(lambda e: e.mean(), np.zeros(50))
    assert (wrong.low, wrong.high) == (0, 0)


def covered_by_counting(interval, n, p, level):
    """Return the coverage at a fraction p, in fractions: floats are fractions too."""
    total = Fraction(0)
    for k in range(n + 1):
        ends = interval(k, n, level=level)
        if Fraction(ends.low) <= p <= Fraction(ends.high):
            total += comb(n, k) * p**k * (1 - p) ** (n - k)
    return float(total)


@given(st.integers(1, 40), st.integers(0, 97), levels)
def test_the_coverage_is_the_sum_of_the_chances_of_the_counts_that_hold_p(n, part, level):
    p = Fraction(part, 97)  # no end of an interval lies this close to a fraction of 97
    for interval in (metrics.wilson, metrics.clopper_pearson):
        counted = covered_by_counting(interval, n, p, level)
        assert isclose(metrics.coverage(interval, n, float(p), level=level), counted, abs_tol=1e-9)


@pytest.mark.parametrize("n", [5, 20, 50, 200])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_exact_interval_is_never_below_its_level_and_wilsons_is_near_it(n, level):
    p = (np.arange(2000) + 0.5) / 2000
    assert metrics.coverage(metrics.clopper_pearson, n, p, level=level).min() >= level - 1e-12
    wilson = metrics.coverage(metrics.wilson, n, p, level=level)
    assert wilson.min() < level  # now above, now below
    assert abs(wilson.mean() - level) < 0.03  # 0.025 at n = 5 and 80 %


def test_a_coverage_that_is_simulated_is_the_one_that_is_computed():
    n, p, rng = 30, 0.1, np.random.default_rng(0)
    ends = [metrics.wilson(k, n) for k in range(n + 1)]
    drawn = rng.binomial(n, p, size=40_000)
    share = np.mean([ends[k].low <= p <= ends[k].high for k in drawn])
    exact = float(metrics.coverage(metrics.wilson, n, p))
    assert abs(share - exact) < 5 * sqrt(exact * (1 - exact) / 40_000)  # five standard errors


def test_a_coverage_is_one_number_for_a_number_and_an_array_for_an_array():
    assert metrics.coverage(metrics.wilson, 4, 0.5).shape == ()
    assert metrics.coverage(metrics.wilson, 4, [[0.0, 0.2], [0.5, 1.0]]).shape == (2, 2)
    assert metrics.coverage(metrics.clopper_pearson, 4, [0.0, 1.0]).tolist() == [1, 1]


def test_a_proportion_prints_its_share_and_interval():
    assert str(metrics.wilson(8, 10)) == "0.8000, 95 % interval [0.4902, 0.9433]"


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: metrics.wilson(5, 4), "more successes than examples"),
        (lambda: metrics.wilson(1, 4, level=95), "between 0 and 1"),
        (lambda: metrics.clopper_pearson(-1, 4), "successes"),
        (lambda: metrics.clopper_pearson(0, 0), "n"),
        (lambda: metrics.coverage(metrics.wilson, 4, 1.5), "between 0 and 1"),
        (lambda: metrics.coverage(metrics.wilson, 4, np.nan), "between 0 and 1"),
    ],
)
def test_impossible_counts_are_refused_with_advice(call, advice):
    with pytest.raises(ValueError, match=advice):
        call()


# --- the bootstrap that draws whole groups -------------------------------------------------------


def test_drawing_whole_groups_is_drawing_the_groups_means_when_they_have_one_size():
    rng = np.random.default_rng(1)
    values, groups = rng.normal(size=60), np.repeat(np.arange(12), 5)
    found = metrics.bootstrap(np.mean, values, groups=groups, rng=7)
    means = values.reshape(12, 5).mean(axis=1)
    again = metrics.bootstrap(np.mean, means, rng=7)
    assert np.allclose(found.values, again.values)


def test_groups_of_one_are_the_plain_bootstrap():
    values = np.random.default_rng(2).normal(size=30)
    plain = metrics.bootstrap(np.mean, values, rng=3)
    grouped = metrics.bootstrap(np.mean, values, groups=np.arange(30), rng=3)
    assert np.allclose(plain.values, grouped.values)


def test_examples_that_come_in_equal_groups_make_the_interval_wider():
    values = np.repeat(np.random.default_rng(4).normal(size=20), 10)
    plain = metrics.bootstrap(np.mean, values)
    grouped = metrics.bootstrap(np.mean, values, groups=np.repeat(np.arange(20), 10))
    wider = (grouped.high - grouped.low) / (plain.high - plain.low)
    assert 2.5 < wider < 4  # the root of 10, up to the luck of 1000 draws


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"groups": [1, 2]}, "groups has 2 labels for 4"),
        ({"groups": [1, 1, 1, 1]}, "at least two groups"),
        ({"groups": [1, 1, 2, 2], "strata": [1, 1, -1, -1]}, "strata or groups"),
    ],
)
def test_groups_that_cannot_be_drawn_are_refused_with_advice(options, advice):
    with pytest.raises(ValueError, match=advice):
        metrics.bootstrap(np.mean, np.arange(4.0), **options)


@pytest.mark.parametrize("interval", [metrics.wilson, metrics.clopper_pearson])
@pytest.mark.parametrize(("n", "level"), [(1, 0.95), (7, 0.8), (50, 0.95)])
def test_no_p_has_a_coverage_below_the_least(interval, n, level):
    least, at = metrics.least_coverage(interval, n, level=level)
    grid = np.linspace(0, 1, 20001)
    assert least <= metrics.coverage(interval, n, grid, level=level).min() + 1e-12
    beside = np.clip([at - 1e-9, at + 1e-9], 0, 1)
    assert abs(metrics.coverage(interval, n, beside, level=level).min() - least) < 1e-6


def test_an_interval_that_says_0_0_for_0_of_n_has_the_least_coverage_0():
    point = lambda k, n, level: metrics.Proportion(k, n, k / n, k / n, level)  # noqa: E731
    assert metrics.least_coverage(point, 10)[0] == 0
    with pytest.raises(ValueError, match="must not fall"):
        metrics.least_coverage(lambda k, n, level: metrics.wilson(n - k, n, level=level), 4)
