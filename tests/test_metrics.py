"""Metrics: counts and rates, L4's four questions, curves with certificates, evidence."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import product
from statistics import harmonic_mean

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest, mannwhitneyu
from sklearn.calibration import calibration_curve

from lectures_lib import conventions, metrics
from tests.strategies import seeds

RATES = ("accuracy", "error", "precision", "recall", "TPR", "FPR", "specificity", "F1")
zero_divisions = st.sampled_from([0.0, 1.0, np.nan])
counts = st.integers(0, 40)


@st.composite
def answers(draw, labels=(-1, 1), max_n=30):
    """(y, predicted) with any labels: one class alone, all right and all wrong included."""
    n = draw(st.integers(1, max_n))
    row = st.lists(st.sampled_from(labels), min_size=n, max_size=n)
    return np.array(draw(row)), np.array(draw(row))


@st.composite
def scored(draw, max_n=30):
    """(y, scores) with both classes and many ties: few distinct scores, none near another."""
    n = draw(st.integers(2, max_n))
    y = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n)))
    y[:2] = draw(st.permutations([-1, 1]))
    few = st.integers(-draw(st.sampled_from([1, 3, 50])), 3)
    return y, np.array(draw(st.lists(few, min_size=n, max_size=n))) / 4


@st.composite
def confusions(draw):
    """Any counts but all 0."""
    TN, FP, FN = draw(counts), draw(counts), draw(counts)
    TP = draw(st.integers(0 if TN + FP + FN else 1, 40))
    return metrics.Confusion(TN, FP, FN, TP, zero_division=draw(zero_divisions))


def same(a, b):
    """Equal up to rounding, nan equal to nan."""
    return np.allclose(a, b, rtol=1e-10, atol=1e-12, equal_nan=True)


# ME-1: the table and its rates


@given(answers())
def test_the_four_counts_are_those_of_a_loop_over_the_examples(pair):
    c = metrics.confusion(*pair)
    loop = {(a, b): 0 for a in (-1, 1) for b in (-1, 1)}
    for truth, said in zip(*pair):
        loop[truth, said] += 1
    assert (c.TN, c.FP, c.FN, c.TP) == (loop[-1, -1], loop[-1, 1], loop[1, -1], loop[1, 1])
    assert c.n == len(pair[0]) == c.positives + c.negatives


def test_rows_are_predictions_as_in_the_lecture_and_the_transpose_is_scikit_learns():
    y, said = [1, 1, 1, -1, -1, -1, -1], [1, -1, -1, 1, -1, -1, -1]
    c = metrics.confusion(y, said)
    assert (c.TN, c.FP, c.FN, c.TP) == (3, 1, 2, 1)
    assert c.table().tolist() == c.table("predicted").tolist() == [[3, 2], [1, 1]]
    assert c.table("true").tolist() == [[3, 1], [2, 1]]
    assert c.table("true").tolist() == oracle.confusion_matrix(y, said).tolist()


def test_the_totals_of_called_positive_and_of_true_positive_differ():
    c = metrics.Confusion(TN=3, FP=1, FN=2, TP=1)  # L4's table calls both N_p
    assert (c.predicted_positives, c.positives) == (2, 3)


def test_a_confusion_prints_the_lectures_table():
    lines = str(metrics.Confusion(TN=50, FP=2, FN=3, TP=10)).splitlines()
    assert [line.split() for line in lines] == [
        ["y", "=", "-1", "y", "=", "1", "total"],
        ["predicted", "-1", "50", "3", "53"],
        ["predicted", "1", "2", "10", "12"],
        ["total", "52", "13", "65"],
    ]
    assert len({len(line) for line in lines}) == 1
    assert "not spam" in str(metrics.confusion(["spam"], ["spam"], positive="spam"))
    assert "1.0" not in str(metrics.confusion([1.0, -1.0], [1.0, -1.0]))


@given(confusions())
def test_every_rate_is_its_formula(c):
    def formula(top, bottom):
        return float(Fraction(top, bottom)) if bottom else c.zero_division

    TN, FP, FN, TP = c.TN, c.FP, c.FN, c.TP
    n = TN + FP + FN + TP
    wish = {
        "accuracy": formula(TP + TN, n),
        "error": formula(FP + FN, n),
        "precision": formula(TP, TP + FP),
        "recall": formula(TP, TP + FN),
        "TPR": formula(TP, TP + FN),
        "FPR": formula(FP, FP + TN),
        "specificity": formula(TN, FP + TN),
        "F1": formula(2 * TP, 2 * TP + FP + FN),
        "share": formula(TP + FN, n),
    }
    assert {name: same(getattr(c, name), v) for name, v in wish.items()} == dict.fromkeys(
        wish, True
    )
    assert same(c.accuracy + c.error, 1)


@given(answers(), zero_divisions)
def test_rates_equal_scikit_learns(pair, z):
    c = metrics.confusion(*pair, zero_division=z)
    options = {"pos_label": 1, "zero_division": z}
    assert same(c.accuracy, oracle.accuracy_score(*pair))
    assert same(c.error, oracle.zero_one_loss(*pair))
    assert same(c.precision, oracle.precision_score(*pair, **options))
    assert same(c.recall, oracle.recall_score(*pair, **options))
    for beta in (0.5, 1.0, 2.0):
        assert same(c.F(beta), oracle.fbeta_score(*pair, beta=beta, **options))
    if len(set(pair[0])) == 2:
        assert same(c.specificity, oracle.recall_score(*pair, pos_label=-1, zero_division=z))
        assert same(c.balanced_accuracy, oracle.balanced_accuracy_score(*pair))
    if "MCC" not in c.undefined:
        assert same(c.MCC, oracle.matthews_corrcoef(*pair))


def test_matthews_coefficient_at_0_over_0_is_scikit_learns_0_by_default():
    c = metrics.confusion([1, -1, 1], [1, 1, 1])
    assert c.MCC == oracle.matthews_corrcoef([1, -1, 1], [1, 1, 1]) == 0
    assert "MCC" in c.undefined


@given(answers())
def test_matthews_coefficient_is_the_correlation(pair):
    if len(set(pair[0])) == len(set(pair[1])) == 2:
        assert same(metrics.confusion(*pair).MCC, np.corrcoef(*pair)[0, 1])


def test_counts_of_a_billion_do_not_overflow():
    c = metrics.Confusion(10**12, 10**9, 10**9, 10**12)
    assert c.MCC == pytest.approx(1 - 2e-3, rel=1e-3)
    huge = metrics.Confusion(*(np.int64(10**12) for _ in range(4)))
    assert huge.undefined == ()


@given(confusions(), st.sampled_from([0.5, 1.0, 2.0]))
def test_F_is_the_weighted_harmonic_mean_not_the_arithmetic(c, beta):
    if c.TP:
        wish = harmonic_mean([c.precision, c.recall], weights=[1, beta**2])
        assert same(c.F(beta), wish)
        assert c.F1 <= (c.precision + c.recall) / 2 + 1e-12


@given(confusions())
def test_the_undefined_metrics_are_exactly_those_that_follow_zero_division(c):
    moved = []
    for name in (*RATES[2:], "balanced_accuracy", "MCC"):
        low, high = (
            getattr(metrics.Confusion(c.TN, c.FP, c.FN, c.TP, zero_division=z), name)
            for z in (0.0, 1.0)
        )
        moved += [name] if low != high else []
    assert set(moved) == set(c.undefined)


@given(answers(labels=("ham", "spam")))
def test_any_two_labels_give_the_same_counts(pair):
    numbers = [np.where(v == "spam", 1, -1) for v in pair]
    plain = metrics.confusion(*numbers)
    for again in (
        metrics.confusion(*pair, positive="spam"),
        metrics.confusion(*(v.astype(object) for v in pair), positive="spam"),
        metrics.confusion(*(v > 0 for v in numbers), positive=True),
        metrics.confusion(*((v + 1) // 2 for v in numbers)),
        metrics.confusion(*(v.tolist() for v in numbers)),
    ):
        assert again.table().tolist() == plain.table().tolist()


@given(answers())
def test_the_other_label_as_positive_turns_the_table_round(pair):
    c, turned = metrics.confusion(*pair), metrics.confusion(*pair, positive=-1)
    assert turned.table().tolist() == c.table()[::-1, ::-1].tolist()
    assert (turned.recall, turned.accuracy) == (c.specificity, c.accuracy)


@given(answers())
def test_swapped_arguments_swap_precision_and_recall(pair):
    c, swapped = metrics.confusion(*pair), metrics.confusion(*pair[::-1])
    assert (swapped.precision, swapped.recall) == (c.recall, c.precision)
    assert swapped.table().tolist() == c.table("true").tolist()


# ME-2: L4's four questions


def settings_of_the_four(y, rng, q):
    """Predictions of the four classifiers of L4 on labels y."""
    return {
        "perfect": y,
        "all positive": np.ones_like(y),
        "all negative": -np.ones_like(y),
        "random": np.where(rng.random(y.size) < q, 1, -1),
    }


def one_answer(name, share=0.3, q=0.6, n=200_000):
    """The formula's answer and the simulation's."""
    rng = np.random.default_rng(7)
    y = np.where(rng.random(n) < share, 1, -1)
    c = metrics.confusion(y, settings_of_the_four(y, rng, q)[name])
    return metrics.four_questions(share, q=q)[name], c


def assert_simulated(rates, c):
    """Five standard deviations of a mean of at least 60 000 tosses."""
    for name in ("accuracy", "error", "precision", "TPR", "FPR"):
        assert getattr(rates, name) == pytest.approx(getattr(c, name), abs=5 * 0.5 / 60_000**0.5)


def test_a_perfect_classifier_has_accuracy_precision_and_recall_1_and_FPR_0():
    rates, c = one_answer("perfect")
    assert [c.accuracy, c.precision, c.recall, c.FPR, c.error] == [1, 1, 1, 0, 0]
    assert [rates.accuracy, rates.precision, rates.recall, rates.FPR, rates.error] == [
        1,
        1,
        1,
        0,
        0,
    ]
    assert c.MCC == c.F1 == c.balanced_accuracy == 1


def test_all_positive_has_recall_1_FPR_1_and_precision_and_accuracy_the_share():
    rates, c = one_answer("all positive")
    assert_simulated(rates, c)
    assert (c.recall, c.FPR) == (rates.recall, rates.FPR) == (1, 1)
    assert c.precision == c.accuracy == c.share
    assert rates.precision == rates.accuracy == rates.share == 0.3


def test_all_negative_has_recall_0_FPR_0_and_precision_0_over_0_given_as_0():
    rates, c = one_answer("all negative")
    assert_simulated(rates, c)
    assert (c.recall, c.FPR, c.accuracy) == (0, 0, 1 - c.share)
    assert (rates.recall, rates.FPR, rates.accuracy) == (0, 0, 0.7)
    assert "precision" in c.undefined
    assert c.precision == rates.precision == 0
    for z in (1.0, np.nan):
        assert same(metrics.four_questions(0.3, zero_division=z)["all negative"].precision, z)
        assert same(metrics.confusion([1, -1], [-1, -1], zero_division=z).precision, z)
    assert c.F1 == 0  # 2 TP / (2 TP + FP + FN) is no 0/0 as long as there is a positive


def test_random_guessing_has_TPR_equal_to_FPR_and_precision_the_share():
    rates, c = one_answer("random")
    assert_simulated(rates, c)
    assert rates.TPR == rates.FPR == 0.6
    assert rates.precision == pytest.approx(rates.share, rel=1e-12)
    assert rates.accuracy == pytest.approx(0.6 * 0.3 + 0.4 * 0.7, rel=1e-12)


@pytest.mark.parametrize("positives", [0, 1, 2, 5])
@pytest.mark.parametrize("zero_division", [0.0, 1.0])
def test_the_guessers_expected_rates_are_exact_over_all_its_guesses(positives, zero_division):
    y, q = np.array([1] * positives + [-1] * (5 - positives)), Fraction(2, 3)
    mean = dict.fromkeys(("accuracy", "precision", "TPR", "FPR"), 0.0)
    for said in product([1, -1], repeat=5):
        chance = float(q ** said.count(1) * (1 - q) ** said.count(-1))
        c = metrics.confusion(y, said, zero_division=zero_division)
        mean = {name: mean[name] + chance * getattr(c, name) for name in mean}
    share, silent = positives / 5, float((1 - q) ** 5)
    rates = metrics.four_questions(share, q=2 / 3)["random"]
    assert same(mean["accuracy"], rates.accuracy)
    assert same(mean["precision"], rates.precision * (1 - silent) + zero_division * silent)
    assert same(mean["TPR"], rates.TPR if positives else zero_division)
    assert same(mean["FPR"], rates.FPR if positives < 5 else zero_division)


@given(confusions())
def test_accuracy_and_precision_follow_from_TPR_FPR_and_the_share(c):
    if c.positives and c.negatives:
        rates = metrics.Rates(c.share, c.TPR, c.FPR, c.zero_division)
        for name in ("accuracy", "error", "precision", "recall"):
            assert same(getattr(rates, name), getattr(c, name))


@pytest.mark.parametrize("share", [0.5, 0.1, 0.01])
def test_with_rare_positives_accuracy_praises_the_one_who_finds_nothing(share):
    lazy = metrics.four_questions(share)["all negative"]
    assert lazy.accuracy == 1 - share
    assert lazy.recall == 0
    searching = metrics.Rates(share, TPR=0.9, FPR=0.1)
    assert (searching.accuracy < lazy.accuracy) == (share < 0.1)


# ME-3: curves, areas, costs


@given(scored())
def test_the_area_is_the_share_of_pairs_in_order_with_ties_half(problem):
    y, s = problem
    r = metrics.roc(y, s)
    pairs = [(a > b) + (a == b) / 2 for a in s[y > 0] for b in s[y < 0]]
    proof = r.certificate
    assert proof.holds
    assert same(r.area, np.mean(pairs)) and same(proof.pairs, np.mean(pairs))
    assert same(r.area, mannwhitneyu(s[y > 0], s[y < 0]).statistic / len(pairs))
    assert proof.won + proof.tied + proof.lost == len(pairs)


@given(scored())
def test_roc_equals_scikit_learns_with_ties(problem):
    r = metrics.roc(*problem)
    FPR, TPR, thresholds = oracle.roc_curve(*problem, drop_intermediate=False)
    assert same(r.FPR, FPR) and same(r.TPR, TPR)
    assert r.thresholds.tolist() == thresholds.tolist()
    assert same(r.area, oracle.roc_auc_score(*problem))


@given(scored())
def test_every_point_of_the_curves_is_the_table_of_its_threshold(problem):
    y, s = problem
    r, pr = metrics.roc(y, s), metrics.pr_curve(y, s)
    assert len(r.thresholds) == len(np.unique(s)) + 1 == len(pr.thresholds) + 1
    for i, t in enumerate(r.thresholds):
        c = metrics.confusion(y, np.where(s >= t, 1, -1))
        assert r.at(i).table().tolist() == c.table().tolist()
        assert (r.TPR[i], r.FPR[i]) == (c.TPR, c.FPR)
        if i:
            assert same((pr.precision[i - 1], pr.recall[i - 1]), (c.precision, c.recall))


@given(scored())
def test_precision_recall_and_its_average_equal_scikit_learns(problem):
    pr = metrics.pr_curve(*problem)
    precision, recall, thresholds = oracle.precision_recall_curve(*problem)
    assert same(pr.precision[::-1], precision[:-1])  # the last point there is a convention
    assert same(pr.recall[::-1], recall[:-1])
    assert pr.thresholds[::-1].tolist() == thresholds.tolist()
    assert same(pr.average_precision, oracle.average_precision_score(*problem))
    assert metrics.average_precision(*problem) == pr.average_precision
    assert pr.certificate.holds


@given(scored(), st.floats(-1, 1))
def test_the_certificates_accept_one_value_only(problem, wrong):
    area, average = metrics.roc(*problem).area, metrics.average_precision(*problem)
    for certify, right in (
        (metrics.area_certificate, area),
        (metrics.precision_certificate, average),
    ):
        assert certify(*problem, right).holds
        assert certify(*problem, wrong).holds == (abs(wrong - right) <= conventions.RTOL)
        assert not certify(*problem, np.nan).holds


def famous_wrong_areas(y, s):
    """The bugs that an accuracy test never sees."""
    r, hard = metrics.roc(y, s), np.where(s >= 0, 1, -1)
    wins = np.mean([a >= b for a in s[y > 0] for b in s[y < 0]])
    losses = np.mean([a > b for a in s[y > 0] for b in s[y < 0]])
    return {
        "from hard labels": metrics.roc(y, hard).area,
        "ties as wins": wins,
        "ties as losses": losses,
        "axes swapped": 1 - r.area,
        "score turned": metrics.roc(y, -s).area,
        "steps from the left": float(np.sum(np.diff(r.FPR) * r.TPR[:-1])),
    }


@pytest.mark.parametrize(
    "bug", [*famous_wrong_areas(np.array([1, -1]), np.zeros(2)), "trapezoids under PR"]
)
def test_the_certificate_rejects_the_famous_wrong_areas(bug):
    y = np.array([1, 1, 1, 1, -1, -1, -1, -1])
    s = np.array([3, 1, 1, -1, 1, 0, -2, -2.0])
    if bug == "trapezoids under PR":
        pr = metrics.pr_curve(y, s)
        wrong = np.trapezoid(np.append(1, pr.precision), np.append(0, pr.recall))
        assert not metrics.precision_certificate(y, s, wrong).holds
    else:
        assert not metrics.area_certificate(y, s, famous_wrong_areas(y, s)[bug]).holds


@given(scored())
def test_only_the_order_of_the_scores_matters_to_the_curves(problem):
    y, s = problem
    for again in (3 * s - 7, s**3, np.exp(s)):
        assert metrics.roc(y, again).area == metrics.roc(y, s).area
        assert same(metrics.average_precision(y, again), metrics.average_precision(y, s))


def test_a_constant_score_has_area_one_half_and_average_precision_the_share():
    y = [1, -1, -1, -1]
    assert metrics.roc(y, np.zeros(4)).area == 0.5
    assert metrics.average_precision(y, np.zeros(4)) == 0.25


def test_a_random_score_has_area_one_half_and_average_precision_about_the_share():
    rng = np.random.default_rng(3)
    y, s = np.where(rng.random(100_000) < 0.1, 1, -1), rng.random(100_000)
    assert metrics.roc(y, s).area == pytest.approx(0.5, abs=0.02)
    assert metrics.average_precision(y, s) == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("y", [[1, 1, 1], [-1, -1]])
def test_the_area_of_one_class_is_undefined_and_the_error_says_so(y):
    with pytest.raises(ValueError, match=r"one class.*undefined"):
        metrics.roc(y, np.arange(len(y)))
    with pytest.raises(ValueError, match="undefined for labels of one class"):
        metrics.area_certificate(y, np.arange(len(y)), 0.0)


def test_average_precision_needs_a_positive_but_no_negative():
    assert metrics.average_precision([1, 1], [0.1, 0.2]) == 1
    with pytest.raises(ValueError, match="No example is positive"):
        metrics.pr_curve([-1, -1], [0.1, 0.2])
    with pytest.raises(ValueError, match="undefined without positives"):
        metrics.precision_certificate([-1, -1], [0.1, 0.2], 0.0)


@given(scored(), st.sampled_from([(1, 1), (1, 5), (7, 2), (0, 1), (1, 0)]))
def test_no_threshold_costs_less_than_the_best(problem, prices):
    y, s = problem
    fp, fn = prices
    found = metrics.costs(metrics.roc(y, s), fp=fp, fn=fn)
    tried = [-np.inf, np.inf, *s, *(s + 0.1), *(s - 0.1)]
    each = [metrics.confusion(y, np.where(s >= t, 1, -1)).cost(fp, fn) for t in tried]
    assert same(found.cost, min(each))
    at = metrics.confusion(y, np.where(s >= found.threshold, 1, -1))
    assert same(at.cost(fp, fn), found.cost)
    assert (found.costs[: found.best] > found.cost).all()


@given(confusions())
def test_unit_costs_are_the_error(c):
    assert c.cost() == c.error


def test_with_another_share_the_best_threshold_moves():
    rng = np.random.default_rng(5)
    y = np.where(rng.random(2000) < 0.5, 1, -1)
    r = metrics.roc(y, y + rng.normal(scale=1.5, size=2000))
    rare, same_as_sample = metrics.costs(r, share=0.02), metrics.costs(r, share=r.share)
    assert rare.threshold > same_as_sample.threshold
    assert same_as_sample.cost == metrics.costs(r).cost


@given(scored(), st.floats(0, 1), st.sampled_from([(1.0, 1.0), (1.0, 4.0)]))
def test_the_cost_curve_is_the_lower_envelope_of_all_thresholds(problem, share, prices):
    r, (fp, fn) = metrics.roc(*problem), prices
    scale = fn * share + fp * (1 - share)
    c = fn * share / scale
    (lowest,) = metrics.cost_curve(r, [c])
    assert same(lowest * scale, metrics.costs(r, fp=fp, fn=fn, share=share).cost)
    assert lowest <= min(c, 1 - c) + 1e-12


def test_with_true_probabilities_the_bayes_threshold_is_the_best():
    p, fp, fn = np.arange(1, 20) / 20, 1.0, 4.0
    y = np.concatenate([[1] * k + [-1] * (20 - k) for k in range(1, 20)])  # exactly as p says
    s = np.repeat(p, 20)
    best = metrics.costs(metrics.roc(y, s), fp=fp, fn=fn)
    at = metrics.confusion(y, np.where(s >= metrics.bayes_threshold(fp, fn) - 1e-12, 1, -1))
    assert metrics.bayes_threshold(fp, fn) == 0.2
    assert at.cost(fp, fn) == pytest.approx(best.cost, rel=1e-12)


@pytest.mark.parametrize("fp, fn", [(-1, 1), (0, 0), (np.inf, 1), (np.nan, 1)])
def test_impossible_costs_are_refused(fp, fn):
    r = metrics.roc([1, -1], [1, 0])
    for function in (
        r.at(0).cost,
        metrics.bayes_threshold,
        lambda a, b: metrics.costs(r, fp=a, fn=b),
    ):
        with pytest.raises(ValueError, match="Costs are numbers >= 0"):
            function(fp, fn)


# Calibration


@given(scored(), st.sampled_from([1, 4, 10]))
def test_calibration_equals_scikit_learns(problem, bins):
    y, s = problem
    p = (s - s.min()) / max(np.ptp(s), 1)
    found = metrics.calibration(y, p, bins=bins)
    observed, predicted = calibration_curve(y > 0, p, n_bins=bins)
    assert same(found.observed, observed) and same(found.predicted, predicted)
    assert same(found.brier, oracle.brier_score_loss(y, p, pos_label=1))
    assert found.counts.sum() == y.size


@given(answers(labels=(0, 1)), st.sampled_from([2, 5]))
def test_brier_is_reliability_minus_resolution_plus_uncertainty(pair, bins):
    y, place = pair
    found = metrics.calibration(y, (place + 0.25) / 2, bins=bins)  # one value a bin
    assert same(found.brier, found.reliability - found.resolution + found.uncertainty)


def test_expected_calibration_error_is_the_mean_gap_of_the_bins():
    found = metrics.calibration([1, -1, -1, 1], [0.9, 0.9, 0.2, 0.2], bins=2)
    assert found.ece == pytest.approx(((0.9 - 0.5) + (0.5 - 0.2)) / 2, rel=1e-12)
    assert metrics.calibration([1, -1], [0.5, 0.5]).ece == 0


def test_true_probabilities_are_calibrated_and_sharpened_ones_are_not():
    rng = np.random.default_rng(0)
    p = rng.random(50_000)
    y = np.where(rng.random(p.size) < p, 1, -1)
    sharp = p**3 / (p**3 + (1 - p) ** 3)
    honest, bold = metrics.calibration(y, p), metrics.calibration(y, sharp)
    assert honest.ece < 0.02 < 0.08 < bold.ece
    assert honest.brier < bold.brier
    assert metrics.roc(y, p).area == pytest.approx(metrics.roc(y, sharp).area, abs=1e-9)


# Several classes


@given(answers(labels=(0, 1, 2, 3)), zero_divisions)
def test_averages_over_classes_equal_scikit_learns(pair, z):
    m = metrics.confusion_matrix(*pair, zero_division=z)
    if len(m.labels) > 1:  # it warns about a single label
        assert m.table("true").tolist() == oracle.confusion_matrix(*pair).tolist()
    for average in ("macro", "micro", "weighted", None):
        options = {"average": average, "zero_division": z}
        if average != "weighted" or m.support[~np.isnan(m.precision())].any():
            assert same(m.precision(average), oracle.precision_score(*pair, **options))
        assert same(m.recall(average), oracle.recall_score(*pair, **options))
        assert same(m.F(2.0, average), oracle.fbeta_score(*pair, beta=2.0, **options))


def test_a_weighted_average_in_which_nobody_has_weight_is_nan():
    m = metrics.confusion_matrix([0], [1], zero_division=np.nan)  # scikit-learn says 0 here
    assert np.isnan(m.precision("weighted"))
    assert m.precision("macro") == 0


@given(answers(labels=(0, 1, 2)))
def test_micro_averages_are_the_accuracy_and_weighted_recall_too(pair):
    m = metrics.confusion_matrix(*pair)
    assert m.precision("micro") == m.recall("micro") == m.F(average="micro") == m.accuracy
    assert same(m.recall("weighted"), m.accuracy)
    assert same(m.accuracy, oracle.accuracy_score(*pair))
    occurs = [c for c in m.labels if c in pair[0]]
    assert same(m.balanced_accuracy, np.mean([m.against_rest(c).recall for c in occurs]))


def test_macro_and_micro_differ_where_a_rare_class_fails():
    y, said = [0] * 98 + [1, 1], [0] * 100
    m = metrics.confusion_matrix(y, said)
    assert m.recall("micro") == 0.98
    assert m.recall("macro") == m.balanced_accuracy == 0.5


@given(answers(labels=("a", "b", "c")))
def test_one_class_against_the_rest_is_a_table_of_two(pair):
    m = metrics.confusion_matrix(*pair)
    for label in m.labels:
        two = metrics.confusion(*(np.where(v == label, 1, -1) for v in pair))
        assert m.against_rest(label).table().tolist() == two.table().tolist()


def test_labels_fix_the_order_and_may_name_classes_that_never_occur():
    m = metrics.confusion_matrix(["b", "a"], ["b", "b"], labels=["b", "c", "a"])
    assert m.labels == ("b", "c", "a")
    assert m.table().tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert m.support.tolist() == [1, 0, 1]
    assert "predicted c" in str(m)


@pytest.mark.parametrize("labels", [["a"], ["a", "a", "b"], [["a", "b"]]])
def test_labels_must_list_each_class_once(labels):
    with pytest.raises(ValueError, match="labels must list each of"):
        metrics.confusion_matrix(["b", "a"], ["b", "b"], labels=labels)


# Evidence


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
    assert found.accuracies == (4 / 6, 3 / 6)
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
        (lambda: metrics.Confusion(1, 1, 1, 1).table("truth"), "rows is"),
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
