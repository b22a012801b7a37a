"""Several classes from binary machines: the rules, the ties, and scikit-learn's predictions."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from lectures_lib import datasets, fast, linear, perceptron, svm
from lectures_lib.discrete import Spectrum
from lectures_lib.kernels import Gaussian, Linear
from lectures_lib.multiclass import OneVsOne, OneVsRest, one_vs_one, one_vs_rest, signed
from tests.strategies import integer_examples

METHODS = {"rest": one_vs_rest, "one": one_vs_one}
both_methods = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@dataclass(frozen=True)
class Says:
    """A machine that gives every example the same scores."""

    score: float

    def decision(self, X):
        return np.full(len(X), self.score)


def three_on_a_line():
    """Return the points 0, 1, ..., 8 in three groups of three."""
    return np.arange(9.0)[:, None], np.repeat(["a", "b", "c"], 3)


def some_digits(n=300):
    """Return every class of the digits, split into two halves."""
    X, y = datasets.digits()
    return X[:n], y[:n], X[n : 2 * n], y[n : 2 * n]


def gaussian_svm(X, y):
    return svm.train(X, y, 5.0, Gaussian(2.0), tol=1e-4)


def linear_svm(X, y):
    return svm.train(X, y, 1.0, tol=1e-5)


def kernel_perceptron(X, y):
    return perceptron.kernel_perceptron(X, y, Gaussian(1.0), max_epochs=20)


# --- what the machines are -----------------------------------------------------------------------


def test_one_vs_rest_trains_each_class_against_all_others():
    X, y = three_on_a_line()
    calls = []
    answer = one_vs_rest(X, y, lambda X, y: calls.append((X, y)) or Says(0.0))
    assert len(answer.machines) == len(calls) == 3
    for label, (seen, labels) in zip("abc", calls):
        assert (seen == X).all() and labels.tolist() == np.where(y == label, 1.0, -1.0).tolist()


def test_one_vs_one_trains_each_pair_on_its_own_examples_only():
    X, y = three_on_a_line()
    calls = []
    answer = one_vs_one(X, y, lambda X, y: calls.append((X, y)) or Says(0.0))
    assert answer.pairs == ((0, 1), (0, 2), (1, 2)) and len(answer.machines) == 3
    for pair, (seen, labels) in zip(("ab", "ac", "bc"), calls):
        own = np.isin(y, list(pair))
        assert (seen == X[own]).all()
        assert labels.tolist() == np.where(y[own] == pair[0], 1.0, -1.0).tolist()


@both_methods
def test_every_machine_is_kept_with_its_certificate(method):
    answer = method(*datasets.iris(), linear_svm)
    assert len(answer.certificates) == 3
    for machine, proof in zip(answer.machines, answer.certificates):
        K = machine.kernel(machine.X)
        own = svm.certificate(K, machine.y, machine.C, machine.alpha, machine.b)
        assert proof.holds and own.holds


@both_methods
def test_a_method_without_a_certificate_has_none(method):
    answer = method(*three_on_a_line(), kernel_perceptron)
    assert answer.certificates == (None,) * 3


# --- ties ----------------------------------------------------------------------------------------


def test_the_highest_score_wins_and_a_tie_goes_to_the_lowest_label():
    classes = np.array(["a", "b", "c"])
    cases = {(0.0, 1.0, 2.0): "c", (1.0, 1.0, 0.0): "a", (-1.0, 2.0, 2.0): "b", (0, 0, 0): "a"}
    for scores, label in cases.items():
        answer = OneVsRest(classes, tuple(Says(s) for s in scores))
        assert answer.predict([[0.0], [1.0]]).tolist() == [label] * 2
        assert answer.decision([[0.0]]).tolist() == [list(scores)]


@pytest.mark.parametrize(
    "scores, votes, by_decision, by_label",
    [
        ((1.0, 1.0, 1.0), [2, 1, 0], "a", "a"),  # a beats both
        ((-1.0, -1.0, -1.0), [0, 1, 2], "c", "c"),
        ((1.0, -2.0, 3.0), [1, 1, 1], "b", "a"),  # a > b > c > a; b: 3 - 1, a: 1 - 2, c: 2 - 3
        ((1.0, -1.0, 1.0), [1, 1, 1], "a", "a"),  # the same, and no sum above another
        ((-1.0, 1.0, -5.0), [1, 1, 1], "c", "a"),  # c beats b by most
        ((0.0, 0.0, 0.0), [2, 1, 0], "a", "a"),  # a score of 0 is the first's
    ],
)
def test_most_votes_win_then_the_sum_of_scores_then_the_lowest_label(
    scores, votes, by_decision, by_label
):
    machines, pairs = tuple(Says(s) for s in scores), ((0, 1), (0, 2), (1, 2))
    for ties, label in (("decision", by_decision), ("lowest", by_label)):
        answer = OneVsOne(np.array(["a", "b", "c"]), pairs, machines, ties)
        assert answer.votes([[0.0]]).tolist() == [votes]
        assert answer.predict([[0.0]]).tolist() == [label]


def test_a_lead_in_votes_outweighs_any_score():
    machines = tuple(Says(s) for s in (0.1, 0.1, 100.0))  # b beats c by far, and loses to a
    answer = OneVsOne(np.array([1, 2, 3]), ((0, 1), (0, 2), (1, 2)), machines, "decision")
    assert answer.strengths([[0.0]]).argmax() == 1
    assert answer.predict([[0.0]]).tolist() == [1]


@given(st.integers(2, 6), st.integers(0, 2**31))
def test_all_votes_together_are_all_pairs_and_all_strengths_together_are_nothing(k, seed):
    scores = np.random.default_rng(seed).normal(size=k * (k - 1) // 2)
    pairs = tuple((c, d) for c in range(k) for d in range(c + 1, k))
    answer = OneVsOne(np.arange(k), pairs, tuple(Says(s) for s in scores), "decision")
    assert answer.votes([[0.0]]).sum() == len(pairs)
    assert answer.strengths([[0.0]]).sum() == pytest.approx(0, abs=1e-9)
    assert answer.decision([[0.0]])[0] == pytest.approx(scores)


# --- agreement -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ties", ["lowest", "decision"])
@pytest.mark.parametrize("name", ["iris", "digits"])
def test_one_vs_one_of_our_machines_predicts_as_scikit_learns_SVC(name, ties):
    if name == "iris":
        X, y = datasets.iris()
        new = X + 0.05
    else:
        X, y, new, _ = some_digits()
    other = SVC(C=5.0, gamma=1 / 8, tol=1e-4, break_ties=ties == "decision").fit(X, y)
    answer = one_vs_one(X, y, gaussian_svm, ties=ties)
    for points in (X, new):
        assert answer.predict(points).tolist() == other.predict(points).tolist()


def test_the_pairs_decide_as_scikit_learns_SVC_does():
    X, y = datasets.iris()
    other = SVC(C=1.0, kernel="linear", tol=1e-6, decision_function_shape="ovo").fit(X, y)
    answer = one_vs_one(X, y, linear_svm)
    np.testing.assert_allclose(answer.decision(X), other.decision_function(X), atol=1e-3)


def test_one_vs_rest_predicts_as_scikit_learns_wrapper_around_its_own_SVC():
    X, y, new, _ = some_digits()
    other = OneVsRestClassifier(SVC(C=5.0, gamma=1 / 8, tol=1e-5)).fit(X, y)
    answer = one_vs_rest(X, y, gaussian_svm)
    np.testing.assert_allclose(answer.decision(new), other.decision_function(new), atol=1e-2)
    assert answer.predict(new).tolist() == other.predict(new).tolist()


@both_methods
def test_digits_are_read_end_to_end_each_machine_certified(method):
    X, y, new, truth = some_digits()
    answer = method(X, y, gaussian_svm)
    assert all(proof.holds for proof in answer.certificates)
    wrong_before = np.mean(truth != np.bincount(y).argmax())
    assert np.mean(answer.predict(new) != truth) < wrong_before / 5


@given(integer_examples(both=True, max_n=6))
def test_two_classes_are_decided_as_the_binary_machine_decides(examples):
    X, y = examples
    names = np.where(y > 0, "no", "yes")  # "no" is the lower label: +1 of the only pair
    machine = svm.train(X, y)
    assert one_vs_one(X, names, svm.train).decision(X)[:, 0] == pytest.approx(machine.decision(X))
    expected = np.where(machine.predict(X) > 0, "no", "yes").tolist()
    assert one_vs_one(X, names, svm.train).predict(X).tolist() == expected


@both_methods
@pytest.mark.parametrize(
    "train",
    [
        svm.train,
        perceptron.perceptron,
        partial(perceptron.averaged_perceptron, epochs=20),
        partial(perceptron.voted_perceptron, epochs=20),
        kernel_perceptron,
        linear.dual_coordinate_descent,
    ],
    ids=["svm", "perceptron", "averaged", "voted", "kernel perceptron", "linear svm"],
)
def test_any_binary_trainer_will_do(method, train):
    angle = 2 * np.pi * np.repeat([0, 1, 2], 5) / 3 + np.tile(np.linspace(-0.4, 0.4, 5), 3)
    X, y = np.column_stack([np.cos(angle), np.sin(angle)]), np.repeat(["a", "b", "c"], 5)
    assert method(X, y, train).predict(X).tolist() == y.tolist()


@given(integer_examples(both=True))
def test_the_sign_of_a_runs_decision_is_its_prediction(examples):
    X, y = examples
    run, voted = perceptron.perceptron(X, y, max_epochs=3), perceptron.voted_perceptron(X, y)
    averaged = perceptron.averaged_perceptron(X, y)
    plus = np.where(run.decision(X) >= 0, 1.0, -1.0)
    assert plus.tolist() == perceptron.predict(run.w, X).tolist()
    assert (
        np.where(voted.decision(X) >= 0, 1.0, -1.0).tolist() == perceptron.vote(voted, X).tolist()
    )
    assert averaged.decision(X) == pytest.approx(X @ averaged.w)


# --- labels and errors ---------------------------------------------------------------------------


@both_methods
@pytest.mark.parametrize(
    "labels",
    [
        (3, 5, 70),
        (-1.5, 0.0, 2.5),
        ("ape", "bee", "cat"),
        ((1, 2), (1, 3), (2, 0)),
        (frozenset(), frozenset("a"), frozenset("ab")),
        tuple(np.array(["2020-01-01", "2021-01-01", "2022-01-01"], dtype="datetime64[ns]")),
    ],
    ids=["int", "float", "str", "tuple", "set", "date"],
)
@pytest.mark.parametrize("as_array", [False, True])
def test_labels_of_any_kind_that_can_be_hashed_and_sorted_come_back(method, labels, as_array):
    X, _ = three_on_a_line()
    y = [label for label in labels for _ in range(3)]
    if as_array and not isinstance(labels[0], (tuple, frozenset)):
        y = np.array(y)
    answer = method(X, y, gaussian_svm)
    assert list(answer.classes) == list(labels)
    assert list(answer.predict(X)) == list(y)


@both_methods
def test_the_names_of_the_classes_do_not_matter_but_their_order_does_for_ties(method):
    X, y = datasets.iris()
    renamed = {"setosa": 0, "versicolor": 1, "virginica": 2}
    numbers = np.array([renamed[name] for name in y])
    predicted = method(X, numbers, linear_svm).predict(X)
    assert predicted.tolist() == [renamed[name] for name in method(X, y, linear_svm).predict(X)]


@both_methods
def test_examples_may_be_strings(method):
    words = ["aaa", "aaaa", "bbb", "bbbb", "ccc", "cccc"]
    y = [1, 1, 2, 2, 3, 3]
    answer = method(words, y, lambda X, y: svm.train(X, y, 10.0, Spectrum(2)))
    assert answer.predict(["aaaaa", "bb", "cc"]).tolist() == [1, 2, 3]


@both_methods
def test_examples_may_be_sparse_where_the_trainer_takes_them(method):
    X, y = datasets.iris()
    train = partial(fast.linear, rng=0)
    answer = method(csr_array(X), y, train)
    assert answer.predict(csr_array(X)).tolist() == method(X, y, train).predict(X).tolist()


@both_methods
@pytest.mark.parametrize(
    "y, message",
    [
        (["a"] * 4, "y has one class, 'a': there is nothing to tell apart"),
        (["a", "b"], r"y has shape \(2,\); it needs \(4,\)"),
        (np.ones((4, 1)), r"y has shape \(4, 1\); it needs \(4,\)"),
        ([1.0, 2.0, np.nan, 1.0], "y contains NaN"),
        ([1, "a", 1, "a"], "hashed and sorted: map them to strings"),
        ([[1], [2], [1], [2]], "hashed and sorted: map them to strings"),
        ([None, 1, None, 1], "hashed and sorted: map them to strings"),
    ],
)
def test_bad_labels_are_refused_with_advice(method, y, message):
    with pytest.raises(ValueError, match=message):
        method(np.eye(4), y, linear_svm)


def test_an_unknown_rule_for_ties_is_refused():
    with pytest.raises(ValueError, match=r"ties must be .*'decision'.*'lowest'"):
        one_vs_one(*three_on_a_line(), linear_svm, ties="coin")


def test_signed_labels_are_plus_one_where_true():
    assert signed([True, False]).tolist() == [1.0, -1.0]
    assert svm.train([[0.0], [1.0]], signed([True, False]), 1.0, Linear()).b > 0
