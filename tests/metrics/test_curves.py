"""Curves with certificates, costs, calibration and averages over classes."""

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from sklearn.calibration import calibration_curve

from lectures_lib import conventions, metrics
from tests.metrics.test_metrics import answers, confusions, same, scored, zero_divisions


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
