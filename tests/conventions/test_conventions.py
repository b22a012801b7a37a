"""Labels, ties, offset: decided once; bad input is refused at every door, with advice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from lectures_lib import (
    conventions,
    datasets,
    fast,
    kernel_methods,
    kernels,
    linear,
    losses,
    margins,
    online,
    perceptron,
    smo,
    svm,
)
from tests.strategies import TIES, integer_points

X, Y = datasets.lecture_example()

#: Every function that takes examples and labels, reduced to one array that it answers.
DOORS = {
    "perceptron": lambda X, y: perceptron.perceptron(X, y).w,
    "voted": lambda X, y: perceptron.voted_perceptron(X, y).weights,
    "averaged": lambda X, y: perceptron.averaged_perceptron(X, y).w,
    "early stopping": lambda X, y: perceptron.early_stopping(X, y, X, y).w,
    "set margin": lambda X, y: margins.set_margin([3, 1], X, y),
    "max margin": lambda X, y: margins.max_margin(X, y).w,
    "max margin, offset": lambda X, y: margins.max_margin(X, y, offset=True).w,
    "mean loss": lambda X, y: losses.mean_loss([3, 1], X, y, losses.hinge()),
    "subgradient": lambda X, y: losses.mean_subgradient([1, 0], X, y, losses.hinge()),
    "batch": lambda X, y: losses.batch_descent(X, y, losses.hinge(), steps=3).w,
    "online": lambda X, y: losses.online_descent(X, y, losses.hinge()).w,
    "linear SVM": lambda X, y: linear.dual_coordinate_descent(X, y).w,
    "sequence": lambda X, y: online.FixedSequence(X, y).X,
}
BAD_POINTS = {
    "NaN": (np.where(X == 2, np.nan, X), "remove or impute"),
    "infinity": (np.where(X == 2, np.inf, X), "remove or impute"),
    "one dimension": (X[:, 0], r"reshape\(-1, 1\)"),
    "three dimensions": (X[None], r"needs \(n, d\)"),
    "no example": (X[:0], "n >= 1"),
    "no feature": (X[:, :0], "d >= 1"),
    "complex": (X + 1j, "real numbers"),
    "strings": (X.astype(str), "convert it"),
    "objects": (X.astype(object), "convert it"),
}
BAD_LABELS = {
    "0 and 1": ((Y + 1) / 2, r"2 \* y - 1"),
    "only 0": (0 * Y, r"2 \* y - 1"),
    "1 and 2": ((Y + 3) / 2, r"must be -1 and \+1"),
    "NaN": (Y * np.nan, r"must be -1 and \+1"),
    "too few": (Y[:-1], "one label per row"),
    "a column": (Y[:, None], "one label per row"),
    "strings": (np.where(Y > 0, "yes", "no"), "map your labels"),
    "booleans": (Y > 0, "map your labels"),
    "complex": (Y + 0j, "map your labels"),
    "objects": (Y.astype(object), "map your labels"),
}
FORMS = {
    "lists": lambda A: A.tolist(),
    "integers": lambda A: A.astype(int),
    "float32": lambda A: A.astype(np.float32),
    "column-major": np.asfortranarray,
    "a view with gaps": lambda A: np.repeat(A, 2, axis=0)[::2],
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("bad", BAD_POINTS)
def test_every_door_refuses_bad_points_and_says_what_to_do(door, bad):
    points, advice = BAD_POINTS[bad]
    with pytest.raises(ValueError, match=advice):
        DOORS[door](points, Y)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("bad", BAD_LABELS)
def test_every_door_refuses_bad_labels_and_says_what_to_do(door, bad):
    labels, advice = BAD_LABELS[bad]
    with pytest.raises(ValueError, match=advice):
        DOORS[door](X, labels)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("form", FORMS)
def test_lists_integers_float32_and_any_layout_give_the_same_answer(door, form):
    np.testing.assert_array_equal(DOORS[door](FORMS[form](X), FORMS[form](Y)), DOORS[door](X, Y))


@pytest.mark.parametrize("door", DOORS)
def test_inputs_are_never_modified(door):
    points, labels = X.copy(), Y.copy()
    points.setflags(write=False)
    labels.setflags(write=False)
    answer = DOORS[door](points, labels)
    np.testing.assert_array_equal(points, X)
    np.testing.assert_array_equal(labels, Y)
    assert not np.shares_memory(answer, points)


def test_a_writable_input_is_not_modified_either():
    points, labels = X.copy(), Y.copy()
    for door in DOORS.values():
        door(points, labels)
    np.testing.assert_array_equal(points, X)
    np.testing.assert_array_equal(labels, Y)


def test_one_class_is_refused_only_where_both_are_needed():
    with pytest.raises(ValueError, match="examples of both"):
        margins.max_margin(X, np.ones(len(X)), offset=True)
    assert perceptron.perceptron([[1.0], [2.0]], [1, 1]).converged
    assert margins.max_margin([[1.0], [2.0]], [1, 1]).separable


def test_labels_become_the_floats_minus_one_and_one():
    labels = conventions.check_labels([-1, 1, 1], 3)
    assert labels.dtype == float
    assert labels.tolist() == [-1.0, 1.0, 1.0]


@pytest.mark.parametrize("value", [0, -1, 1.5, 2.0, True, "3", None, np.nan])
def test_counts_are_whole_numbers_of_at_least_one(value):
    with pytest.raises(ValueError, match="max_epochs must be a whole number >= 1"):
        perceptron.perceptron(X, Y, max_epochs=value)


def test_a_numpy_integer_is_a_count():
    assert conventions.check_count(np.int32(3), "n") == 3


@pytest.mark.parametrize("tie", ["zero", "", None, 0])
def test_an_unknown_tie_rule_is_refused_with_the_known_ones(tie):
    calls = lambda: conventions.sign(0.0, tie), lambda: conventions.is_mistake(0.0, 1, tie)
    for function in calls:
        with pytest.raises(ValueError, match="'mistake', 'positive', 'negative'"):
            function()


@pytest.mark.parametrize(("tie", "at_zero"), [("mistake", 1), ("positive", 1), ("negative", -1)])
def test_a_score_of_zero_predicts_plus_one_except_under_the_negative_rule(tie, at_zero):
    assert conventions.sign([-2.0, 0.0, -0.0, 3.0], tie).tolist() == [-1, at_zero, at_zero, 1]


def test_a_prediction_of_zero_is_plus_one_by_default():
    assert conventions.sign(0.0) == 1
    assert perceptron.predict([0.0], [[5.0]]).tolist() == [1.0]


@pytest.mark.parametrize(
    ("tie", "mistaken_at_zero"),
    [("mistake", {-1, 1}), ("positive", {-1}), ("negative", {1})],
)
def test_the_three_tie_rules_blame_different_labels_at_zero(tie, mistaken_at_zero):
    assert {y for y in (-1, 1) if conventions.is_mistake(0.0, y, tie)} == mistaken_at_zero


@given(st.floats(allow_nan=False), st.sampled_from([-1.0, 1.0]), st.sampled_from(TIES))
def test_away_from_zero_all_tie_rules_agree_with_the_sign(f, y, tie):
    if f != 0:
        assert conventions.sign(f, tie) == np.copysign(1.0, f)
        assert conventions.is_mistake(f, y, tie) == (y != np.copysign(1.0, f))


@given(integer_points(), st.integers(-5, 5), st.randoms(use_true_random=False))
def test_a_threshold_is_the_weight_of_a_constant_feature(points, w0, random):
    w = [random.randint(-3, 3) for _ in range(points.shape[1])]
    extended = conventions.add_constant(points) @ np.array([*w, w0], dtype=float)
    plain = [sum(a * b for a, b in zip(w, x)) + w0 for x in points.tolist()]
    assert [f >= 0 for f in extended] == [f >= 0 for f in plain]
    assert extended.tolist() == plain


def test_the_constant_feature_comes_last_and_is_one():
    assert conventions.add_constant([[2.0, 3.0]]).tolist() == [[2.0, 3.0, 1.0]]


@pytest.mark.parametrize(
    ("w", "advice"),
    [([1.0], r"it needs \(2,\)"), ([[1.0, 2.0]], r"it needs \(2,\)"), ([1, np.nan], "remove or")],
)
def test_weights_of_the_wrong_shape_or_with_nan_are_refused(w, advice):
    with pytest.raises(ValueError, match=advice):
        perceptron.predict(w, X)


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_whole_numbers_that_floats_would_round_are_refused(kind):
    near = np.array([[2**53 + 1], [2**53]], dtype=kind)
    with pytest.raises(ValueError, match=r"above 2\^53"):
        margins.max_margin(near, [1, -1])
    assert conventions.check_points(near[1:] * 64).tolist() == [[2.0**59]]


@pytest.mark.parametrize("door", sorted(DOORS.keys() - {"linear SVM"}))
def test_data_whose_squares_vanish_are_refused(door):
    with pytest.raises(ValueError, match="rescale"):
        DOORS[door](1e-165 * X, Y)


# --- results print as one line -------------------------------------------------------------------


def results(n: int) -> list:
    """Return a result of each kind for n examples."""
    rng = np.random.default_rng(0)
    points = rng.integers(-8, 9, size=(n, 2)) / 4
    labels = np.where(points[:, 0] + points[:, 1] >= 0, 1.0, -1.0)
    kernel = kernels.Gaussian(1.0)
    return [
        perceptron.perceptron(points, labels, max_epochs=2),
        perceptron.voted_perceptron(points, labels),
        perceptron.averaged_perceptron(points, labels),
        perceptron.kernel_perceptron(points, labels, kernel, max_epochs=2),
        margins.max_margin(points, labels),
        fast.linear(points, labels),
        fast.linear(sparse.csr_array(points), labels),
        linear.pose(sparse.csr_array(points), labels, 1.0, "hinge", 0.0),
        svm.train(points, labels, 1.0, kernel),
        svm.train(np.vstack([points, points]), np.append(labels, -labels), np.inf),
        svm.pose(points, labels, 1.0, kernel),
        smo.second_order(kernel(points, points), labels, 1.0),
        kernel_methods.kernel_ridge(points, labels, kernel, 1.0),
        kernel_methods.kernel_kmeans(points, kernel, 2),
        kernel_methods.kernel_pca(points, kernel, 1),
        kernel_methods.support_vector_regression(points, labels, 1.0),
    ]


def test_a_result_prints_as_one_line_that_does_not_grow_with_the_data():
    for few, many in zip(results(12), results(80)):
        assert "\n" not in repr(many)
        assert len(repr(many)) <= min(350, len(repr(few)) + 30)  # a few digits more


def test_the_line_of_a_machine_names_its_kernel_its_data_and_its_verdict():
    machine = svm.train(X, Y, 1.0, kernels.Gaussian(2.0))
    told = ("SVMachine(", "exp(", f"X=array{X.shape}", "C=1,", "certificate=proved", "loss='hinge'")
    assert [part for part in told if part not in repr(machine)] == []


@pytest.mark.parametrize(
    "value", [0, -1.5, np.nan, np.inf, True, False, "much", None, [1.0], np.complex128(1)]
)
def test_what_is_no_positive_number_is_refused_by_name(value):
    with pytest.raises(
        ValueError, match=r"^sigma must be a (finite )?number > 0, not .*: a width\.$"
    ):
        conventions.check_positive(value, "sigma", ": a width")


@pytest.mark.parametrize("value", [1, 0.5, np.float32(2), np.int64(3), 1e-300])
def test_a_positive_number_comes_back_as_a_float(value):
    assert conventions.check_positive(value, "C") == float(value)
    assert type(conventions.check_positive(value, "C")) is float
