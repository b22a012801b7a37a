"""Evidence: bootstrap, McNemar's test, and input that is refused."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from lectures_lib import conventions, metrics
from tests.metrics.test_metrics import same, scored
from tests.strategies import seeds


def accuracy(y, said):
    return metrics.confusion(y, said).accuracy


def test_the_bootstrap_interval_covers_the_truth_about_as_often_as_promised():
    rng, hits = np.random.default_rng(1), 0
    for seed in range(200):
        right = rng.random(100) < 0.8
        found = metrics.bootstrap(np.mean, right, rounds=200, level=0.9, rng=seed)
        hits += found.low <= 0.8 <= found.high
    assert 0.82 <= hits / 200 <= 0.97


def test_the_bootstrap_draws_whole_examples_and_its_interval_holds_its_level():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(80) < 0.4, 1, -1)
    said = np.where(rng.random(80) < 0.2, -y, y)
    found = metrics.bootstrap(accuracy, y, said, rounds=500, level=0.9, rng=3)
    assert found.estimate == accuracy(y, said)
    assert found.low < found.estimate < found.high
    inside = (found.values >= found.low) & (found.values <= found.high)
    assert 0.9 <= inside.mean() <= 0.97  # values repeat, so a few more lie on the ends
    assert str(found).startswith(f"{found.estimate:.4f}, 90 % interval [")


@given(seeds)
def test_the_bootstrap_depends_on_its_seed_alone(seed):
    y = np.array([1, -1, 1, 1, -1])
    first, again = (metrics.bootstrap(np.mean, y, rounds=20, rng=seed).values for _ in range(2))
    assert first.tolist() == again.tolist()


def test_strata_keep_both_classes_in_every_draw():
    y, s = np.array([1, -1, -1, -1, -1]), np.array([0.5, 0.1, 0.7, 0.2, 0.3])
    with pytest.raises(ValueError, match="one class"):
        metrics.bootstrap(lambda a, b: metrics.roc(a, b).area, y, s, rng=0)
    found = metrics.bootstrap(lambda a, b: metrics.roc(a, b).area, y, s, strata=y, rng=0)
    assert found.estimate == 0.75


@pytest.mark.parametrize(
    "change, words",
    [
        ({"level": 1.0}, "level is a probability"),
        ({"rounds": 0}, "rounds must be a whole number"),
        ({"strata": [1]}, "strata has 1 labels for 3"),
    ],
)
def test_a_bootstrap_without_sense_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        metrics.bootstrap(np.mean, [1, 2, 3], **change)


def test_the_bootstrap_needs_arrays_of_one_length_and_finite_values():
    for arrays in ((), ([],), ([1], [1, 2]), (3,)):
        with pytest.raises(ValueError, match="one entry per example"):
            metrics.bootstrap(np.mean, *arrays)
    with pytest.raises(ValueError, match="strata=y"):
        metrics.bootstrap(lambda v: np.nan, [1, 2])


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemars_p_is_the_exact_binomial(b, c):
    p = metrics.McNemar(5, b, c, 2).p
    assert same(p, binomtest(b, b + c).pvalue if b + c else 1.0)


def test_mcnemars_p_is_the_share_of_coin_sequences_as_uneven():
    tosses = [sum(t) for t in product([0, 1], repeat=6)]
    for b in range(7):
        uneven = [abs(2 * heads - 6) >= abs(2 * b - 6) for heads in tosses]
        assert metrics.McNemar(0, b, 6 - b, 0).p == np.mean(uneven)


def test_mcnemar_counts_only_where_exactly_one_is_right():
    y = np.array(["a", "b", "c", "a", "b", "c"])
    first = np.array(["a", "b", "b", "b", "b", "c"])
    second = np.array(["a", "a", "c", "c", "b", "a"])
    found = metrics.mcnemar(y, first, second)
    assert (found.both_right, found.only_first, found.only_second, found.both_wrong) == (2, 2, 1, 1)
    assert found.p == 1
    assert metrics.McNemar(0, 5000, 5200, 0).p == pytest.approx(binomtest(5000, 10_200).pvalue)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_with_groups_p_is_the_share_of_sign_flips_at_least_as_far_out(gains):
    flips = [np.dot(signs, gains) for signs in product((-1, 1), repeat=len(gains))]
    share = np.mean([abs(total) >= abs(sum(gains)) for total in flips])
    assert metrics.McNemar(0, 0, 0, 0, tuple(gains)).p == pytest.approx(share, abs=1e-15)


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.randoms())
def test_examples_that_are_their_own_groups_give_the_exact_binomial(right, random):
    y = np.ones(len(right))
    first, second = np.where(right, 1, -1), np.where(random.choices([True, False], k=len(y)), 1, -1)
    alone = metrics.mcnemar(y, first, second)
    grouped = metrics.mcnemar(y, first, second, groups=np.arange(len(y)))
    assert grouped.p == pytest.approx(alone.p, abs=1e-15)
    assert (grouped.only_first, grouped.only_second) == (alone.only_first, alone.only_second)


def test_whole_groups_are_the_tosses():
    y = np.ones(12)
    second = np.where(np.arange(12) < 8, -1, 1)
    test = metrics.mcnemar(y, y, second, groups=np.arange(12) // 4)
    assert test.gains == (4, 4, 0) and test.p == 0.5  # eight gains, but only two hands
    assert metrics.mcnemar(y, y, second).p == 2 / 2**8
    with pytest.raises(ValueError, match="groups has 3 labels for 12 examples"):
        metrics.mcnemar(y, y, second, groups=[1, 2, 3])


def test_the_test_by_groups_rejects_rarely_where_examples_of_a_group_are_alike():
    rng, rejected = np.random.default_rng(5), np.zeros(2)
    groups = np.repeat(np.arange(10), 20)
    for _ in range(400):  # per group, a share of examples on which the first is right: luck
        luck = np.repeat(rng.beta(0.5, 0.5, size=10), 20)
        first = np.where(rng.random(200) < luck, 1, -1)
        tests = [metrics.mcnemar(np.ones(200), first, -first, groups=g) for g in (None, groups)]
        rejected += [test.p <= 0.05 for test in tests]
    assert rejected[1] <= 0.08 * 400 < 0.3 * 400 < rejected[0]


def test_mcnemar_rejects_rarely_when_both_are_equally_good():
    rng, rejected = np.random.default_rng(2), 0
    for _ in range(500):
        right = rng.random((2, 60)) < 0.7
        y = np.ones(60, dtype=int)
        rejected += metrics.mcnemar(y, *np.where(right, 1, -1)).p <= 0.05
    assert rejected / 500 <= 0.05


# Bad input


@pytest.mark.parametrize(
    "y, said, words",
    [
        ([1, -1], [1], "y has 2 labels, predicted has 1"),
        ([], [], "one label an example"),
        ([[1, -1]], [[1, -1]], "one label an example"),
        ([1, -1], [0.3, -0.2], "conventions.sign"),
        ([1, -1], [1, 0], "Found 3 labels, -1, 0, 1"),
        ([1, 2, 3], [1, 2, 3], "confusion_matrix"),
        ([2, 3], [2, 3], "say which is positive"),
        (["a", "b"], ["a", "b"], "state positive="),
        ([1, -1], ["a", "b"], "the other numbers"),
        ([1, np.nan], [1, -1], "no label"),
        ([1, None], [1, -1], "numbers or texts"),
    ],
)
def test_answers_that_cannot_be_counted_are_refused_with_advice(y, said, words):
    with pytest.raises(ValueError, match=words):
        metrics.confusion(y, said)


@pytest.mark.parametrize(
    "y, scores, words",
    [
        ([1, -1], [1.0], "2 real numbers are needed"),
        ([1, -1], ["a", "b"], "2 real numbers are needed"),
        ([1, -1], [1.0, np.nan], "finite score"),
        ([1, -1], [1.0, np.inf], "finite score"),
        ([0, 1, 2], [1, 2, 3], "two are needed"),
    ],
)
def test_scores_that_cannot_be_ranked_are_refused_with_advice(y, scores, words):
    for function in (metrics.roc, metrics.pr_curve, metrics.average_precision):
        with pytest.raises(ValueError, match=words):
            function(y, scores)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: metrics.Confusion(0, 0, 0, 0), "no example"),
        (lambda: metrics.Confusion(1, -1, 0, 0), "FP must be a whole number >= 0"),
        (lambda: metrics.Confusion(1, 0.5, 0, 0), "FP must be a whole number >= 0"),
        (lambda: metrics.Confusion(1, 1, 1, 1, zero_division="warn"), "0, 1 or nan"),
        (lambda: metrics.Confusion(1, 1, 1, 1).F(0), "it weighs recall"),
        (lambda: metrics.Confusion(1, 1, 1, 1).table("truth"), "rows must be"),
        (lambda: metrics.Rates(1.2, 0, 0), "share is a probability"),
        (lambda: metrics.four_questions(0.5, q=-1), "TPR is a probability"),
        (lambda: metrics.ConfusionMatrix((1, 2), np.zeros((2, 2), int)), "no example"),
        (lambda: metrics.ConfusionMatrix((1, 2), np.ones(4, int)), r"shape \(2, 2\)"),
        (lambda: metrics.confusion_matrix([1], [1]).recall("mean"), "average is None"),
        (lambda: metrics.confusion_matrix([1], [1]).against_rest(3), "no label 3"),
        (lambda: metrics.calibration([1, -1], [0.5, 1.5]), "a score is not a probability"),
        (lambda: metrics.calibration([1, -1], [0.5]), "2 probabilities are needed"),
        (lambda: metrics.calibration([1, -1], [0.5, 0.5], bins=0), "bins must be"),
        (lambda: metrics.cost_curve(metrics.roc([1, -1], [1, 0]), [2.0]), "a weight is"),
    ],
)
def test_a_question_without_sense_is_refused_with_advice(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@given(scored())
def test_metrics_never_modify_what_they_are_given(problem):
    y, s = problem
    said, p = np.where(s >= 0, 1, -1), np.clip(s, 0, 1)
    kept = [v.tobytes() for v in (y, s, said, p)]
    metrics.confusion(y, said).table()[:] = 0
    matrix = metrics.confusion_matrix(y, said)
    matrix.table()[:] = 0
    assert matrix.n == y.size
    metrics.roc(y, s), metrics.pr_curve(y, s), metrics.calibration(y, p)
    metrics.bootstrap(accuracy, y, said, rounds=2), metrics.mcnemar(y, said, y)
    assert [v.tobytes() for v in (y, s, said, p)] == kept


def test_results_are_frozen():
    for result, field in (
        (metrics.Confusion(1, 1, 1, 1), "TP"),
        (metrics.roc([1, -1], [1, 0]), "area"),
        (metrics.pr_curve([1, -1], [1, 0]), "recall"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(result, field, 0)


# Whole numbers, and the certificates' arithmetic


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_whole_scores_are_compared_as_whole_numbers(dtype):
    scores = np.array([2**60 + 1, 2**60, 5], dtype=dtype)
    r = metrics.roc([1, -1, -1], scores)
    assert r.area == 1.0
    assert (r.certificate.won, r.certificate.tied) == (2, 0)
    assert r.thresholds[1:].tolist() == scores.tolist()
    assert metrics.area_certificate([1, -1, -1], scores, 0.75).verdict == "refuted"
    assert metrics.average_precision([1, -1, -1], scores) == 1.0
    assert metrics.costs(r).threshold == 2**60 + 1
    assert metrics.roc([1, -1], [3, 2]).thresholds.dtype == float
    assert metrics.roc([1, -1], [True, False]).thresholds.tolist() == [np.inf, 1.0, 0.0]
    assert metrics.roc([1, -1], np.array([3, 2], dtype=np.uint8)).area == 1.0


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=12), st.data())
def test_the_area_is_decided_in_fractions(scores, data):
    y = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(scores), max_size=len(scores)))
    assume(len(set(y)) == 2)
    plus, minus = ([Fraction(s) for s, label in zip(scores, y) if label == c] for c in (1, -1))
    wins = sum(Fraction(1 + (a > b) - (a < b), 2) for a in plus for b in minus)
    area = wins / (len(plus) * len(minus))
    judged = metrics.roc(y, scores).certificate
    assert judged.exact == area
    assert judged.claimed == float(area)
    for claimed in (float(area) + 0.9e-9, float(area) + 1.1e-9, np.inf):
        right = np.isfinite(claimed) and abs(Fraction(claimed) - area) <= Fraction(conventions.RTOL)
        again = metrics.area_certificate(y, scores, claimed)
        assert again.verdict == ("proved" if right else "refuted")


def test_counts_are_of_64_bits_whatever_the_machine():
    y, s = np.tile([1, -1], 40_000), np.arange(80_000.0)
    r = metrics.roc(y, s)
    assert r.FP.dtype == r.TP.dtype == np.int64
    assert r.certificate.won + r.certificate.lost == 40_000**2  # beyond 32 bits when doubled
    assert r.area == pytest.approx(0.5, abs=1e-4)
    assert metrics.pr_curve(y, s).certificate.holds


def test_certificates_of_areas_print_their_verdict():
    r, pr = metrics.roc([1, -1], [2.0, 1.0]), metrics.pr_curve([1, -1], [2.0, 1.0])
    expected = "area 1.000000; pairs: 1 won, 0 tied, 0 lost: 1.000000; proved"
    assert str(r.certificate) == expected
    assert str(pr.certificate) == "average precision 1.000000; mean 1.000000; proved"
    assert metrics.precision_certificate([1, -1], [2.0, 1.0], 0.9).verdict == "refuted"
    border = metrics.PrecisionCertificate(1.0 - conventions.RTOL, 1.0)
    assert border.verdict == "undecided"


def test_scores_instead_of_labels_are_refused_with_advice():
    y, s = np.tile([1, -1], 25), np.random.default_rng(0).normal(size=50)
    for call in (lambda: metrics.confusion_matrix(y, s), lambda: metrics.mcnemar(y, s, s)):
        with pytest.raises(ValueError, match=r"no label of y: a score\? Predict first"):
            call()
    halves = np.array([0.5, 1.5, 0.5])
    assert metrics.confusion_matrix(halves, halves).accuracy == 1.0
    assert metrics.confusion_matrix([1, 2], [1.0, 2.5], labels=[1, 2, 2.5]).accuracy == 0.5
