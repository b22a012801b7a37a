"""Metrics: counts and rates, L4's four questions, curves with certificates, evidence."""

from fractions import Fraction
from itertools import product
from statistics import harmonic_mean

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import metrics

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
