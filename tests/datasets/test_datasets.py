"""What the generators promise is there; the files are what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls
from sklearn.datasets import load_digits, load_iris

from lectures_lib import conventions, datasets, margins
from tests.strategies import known_problems, seeds


def largest_margin(X, y):
    """Return the distance from 0 to the hull of the points y x, by nonnegative least squares."""
    A = np.vstack([(y[:, None] * X).T, np.ones(len(X))])
    total = nnls(A, np.append(np.zeros(X.shape[1]), 1.0))[0].sum()
    return np.sqrt(max(0.0, 1.0 / total - 1.0))


@given(known_problems())
def test_separable_has_the_promised_margin_radius_and_separator(problem):
    X, y, u = problem.X, problem.y, problem.u
    assert np.linalg.norm(u) == pytest.approx(1.0, rel=1e-12)
    assert min(y * (X @ u)) == pytest.approx(problem.gamma, rel=1e-9)
    assert max(np.linalg.norm(X, axis=1)) == pytest.approx(problem.R, rel=1e-12)
    assert largest_margin(X, y) == pytest.approx(problem.gamma, rel=1e-6)
    assert set(y) == {-1.0, 1.0}


@given(seeds)
def test_a_seed_gives_the_same_data_and_another_seed_others(seed):
    one, two, three = (datasets.separable(rng=s) for s in (seed, seed, seed + 1))
    assert one.X.tolist() == two.X.tolist() != three.X.tolist()


def test_a_generator_is_used_where_it_stands():
    rng = np.random.default_rng(0)
    one, two = datasets.separable(rng=rng), datasets.separable(rng=rng)
    assert one.X.tolist() != two.X.tolist()


@pytest.mark.parametrize(("n", "flips"), [(10, 0.0), (10, 0.1), (41, 0.25), (100, 0.5)])
def test_noisy_turns_exactly_the_promised_share_of_labels(n, flips):
    X, y = datasets.noisy(n, 3, flips=flips, rng=7)
    clean = datasets.separable(n, 3, rng=np.random.default_rng(7))
    assert X.tolist() == clean.X.tolist()
    assert (y != clean.y).sum() == round(flips * n)


@pytest.mark.parametrize("m", [2, 5, 20])
@pytest.mark.parametrize("R", [1.0, 3.0])
def test_orthogonal_has_the_promised_margin_and_radius(m, R):
    problem = datasets.orthogonal(m, R=R)
    assert (problem.X @ problem.X.T).tolist() == (R**2 * np.eye(m)).tolist()
    assert min(problem.y * (problem.X @ problem.u)) == pytest.approx(problem.gamma, rel=1e-12)
    assert largest_margin(problem.X, problem.y) == pytest.approx(problem.gamma, rel=1e-7)
    assert (problem.R / problem.gamma) ** 2 == pytest.approx(m, rel=1e-12)


def test_the_lectures_examples_are_those_of_the_slides():
    X, y = datasets.lecture_example()
    assert X.tolist() == [[-1, 2], [1, 0], [1, 1], [-1, 0], [-1, -2], [1, -1]]
    assert y.tolist() == [-1, 1, 1, -1, -1, 1]
    X, y = datasets.xor()
    assert y.tolist() == [1 if a * b < 0 else -1 for a, b in X.tolist()]
    X, y = datasets.offset_example()
    assert (X.tolist(), y.tolist()) == ([[0.0], [1.0]], [-1.0, 1.0])


def test_the_offset_example_needs_its_offset_and_xor_is_beyond_one():
    assert not margins.max_margin(*datasets.offset_example()).separable
    assert margins.max_margin(*datasets.offset_example(), offset=True).separable
    assert not margins.max_margin(*datasets.xor(), offset=True).separable


@given(seeds, st.integers(2, 9), st.sampled_from(["and", "xor"]))
def test_a_branch_trace_is_the_history_of_the_program(seed, history, rule):
    X, y = datasets.branch_trace(30, rule=rule, history=history, rng=seed)
    a, b = X[:, -3], X[:, -2]
    taken = (a > 0) & (b > 0) if rule == "and" else a != b
    assert y.tolist() == np.where(taken, 1.0, -1.0).tolist()
    assert X.shape == (30, history + 1)
    assert (np.abs(X) == 1).all()
    assert (X[:, -1] == 1).all()
    if history >= 5:  # the three branches of the run before: its a, its b, its outcome
        assert X[1:, -6:-3].tolist() == np.column_stack([a, b, y])[:-1].tolist()


def test_the_margin_of_the_and_branch_is_one_over_root_three():
    X, y = datasets.branch_trace(200, history=2)
    assert largest_margin(X, y) == pytest.approx(3**-0.5, rel=1e-7)
    X, y = datasets.branch_trace(40, history=8)
    u = np.array([0, 0, 0, 0, 0, 0, 1, 1, -1]) / np.sqrt(3)
    assert min(y * (X @ u)) == pytest.approx(3**-0.5, rel=1e-12)


def test_the_xor_branch_is_not_separable_even_with_its_constant():
    X, y = datasets.branch_trace(60, rule="xor", history=2)
    assert not margins.max_margin(X, y).separable


def test_digits_are_those_of_scikit_learn():
    X, y = datasets.digits()
    theirs = load_digits()
    assert (16 * X).tolist() == theirs.data.tolist()
    assert y.tolist() == theirs.target.tolist()


def test_two_digits_are_labelled_plus_and_minus_one():
    X, y = datasets.digits(3, 8)
    theirs = load_digits()
    assert (16 * X[y > 0]).tolist() == theirs.data[theirs.target == 3].tolist()
    assert (16 * X[y < 0]).tolist() == theirs.data[theirs.target == 8].tolist()


def test_the_labels_hold_the_form_fourteen_times():
    X, y, sheet = datasets.digits(groups=True)
    starts = np.flatnonzero(np.diff(sheet, prepend=-1))
    assert starts.tolist() == [
        *(0, 130, 256, 386, 516, 646, 776),
        *(906, 1029, 1157, 1287, 1415, 1545, 1667),
    ]
    sizes = np.bincount(sheet)
    assert sizes.sum() == len(X) and sizes.min() >= 122 and sizes.max() == 130
    form = y[sheet == 0].tolist()
    for k in range(14):  # every sheet is the form, with one digit miswritten or a few left out
        rows = y[sheet == k].tolist()
        if len(rows) == len(form):
            assert sum(a != b for a, b in zip(rows, form)) <= 1
        else:
            rest = iter(form)
            assert all(any(a == b for b in rest) for a in rows)


def test_the_nine_pictures_before_the_second_0_of_the_eighth_sheet_are_by_its_hand():
    """Rows 906 to 914: the labels say that the first 0 is missing, and the pictures agree."""
    X, y, sheet = datasets.digits(groups=True)
    for i in range(906, 915):
        alike = {k: np.flatnonzero((sheet == k) & (y == y[i])) for k in (6, 7)}
        mean = {
            k: np.mean([np.sum((X[i] - X[j]) ** 2) for j in rows if j != i])
            for k, rows in alike.items()
        }
        assert mean[7] < mean[6]


def test_a_sheet_is_a_hand_for_the_nearest_picture_of_a_digit_is_on_the_same_sheet():
    X, y, sheet = datasets.digits(groups=True)
    found = 0
    for c in range(10):
        P, on = X[y == c], sheet[y == c]
        far = ((P[:, None] - P) ** 2).sum(axis=2) + np.diag(np.full(len(P), np.inf))
        found += int(np.sum(on[far.argmin(axis=1)] == on))
    assert found > len(X) / 2  # of 14 sheets; by chance one in fourteen


def test_the_sheets_of_two_digits_are_those_of_their_rows():
    X, y, sheet = datasets.digits(groups=True)
    P, t, on = datasets.digits(3, 8, groups=True)
    pick = (y == 3) | (y == 8)
    assert np.array_equal(P, X[pick]) and np.array_equal(on, sheet[pick])
    assert np.array_equal(t, np.where(y[pick] == 3, 1.0, -1.0))


@pytest.mark.parametrize("labels", [[1, 2, 3], [], [[0, 1]], [0, 10], [0.5]])
def test_labels_without_the_form_have_no_sheets(labels):
    with pytest.raises(ValueError, match=r"in the order of the file|begin with the form"):
        datasets.sheets(np.array(labels))


def test_iris_is_the_one_of_scikit_learn():
    X, species = datasets.iris()
    theirs = load_iris()
    np.testing.assert_allclose(X, theirs.data, atol=1e-12)
    assert species.tolist() == theirs.target_names[theirs.target].tolist()
    X, y = datasets.iris("virginica", "setosa")
    np.testing.assert_allclose(X[y > 0], theirs.data[theirs.target == 2], atol=1e-12)


def test_setosa_is_separable_from_versicolor_and_versicolor_from_virginica_is_not():
    assert margins.max_margin(*datasets.iris("setosa", "versicolor"), offset=True).separable
    X, y = datasets.iris("versicolor", "virginica")
    assert not margins.max_margin(conventions.add_constant(X), y).separable


def test_letters_are_the_published_words_in_ten_folds():
    letters = datasets.letters()
    assert len(letters.X) == len(letters.y) == len(letters.fold) == 6877
    assert sum(map(len, letters.X)) == 52152 and letters.X[0].shape[1] == 16 * 8
    assert len(set(letters.words)) == 55 and "ommanding" in letters.words
    assert set(letters.fold.tolist()) == set(range(10)) and np.sum(letters.fold == 1) == 704
    assert all(len(x) == len(y) for x, y in zip(letters.X, letters.y))
    assert {v for x in letters.X[:50] for v in np.unique(x).tolist()} == {0.0, 1.0}


def test_a_changed_or_missing_file_is_reported_not_used(tmp_path, monkeypatch):
    content = (datasets.DATA / "iris.csv").read_bytes()
    monkeypatch.setattr(datasets, "DATA", tmp_path)
    with pytest.raises(FileNotFoundError, match="restore it"):
        datasets.iris()
    (tmp_path / "iris.csv").write_bytes(content.replace(b"5.1", b"5.2", 1))
    with pytest.raises(ValueError, match="was changed"):
        datasets.iris()
    (tmp_path / "iris.csv").write_bytes(content.replace(b"\n", b"\r\n"))
    assert len(datasets.iris()[0]) == 150  # line ends of another system are no change


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (lambda: datasets.separable(1), "n must be a whole number >= 2"),
        (lambda: datasets.separable(d=1), "d must be a whole number >= 2"),
        (lambda: datasets.separable(gamma=1.0, R=1.0), "Need 0 < gamma < R"),
        (lambda: datasets.separable(gamma=0.0), "Need 0 < gamma < R"),
        (lambda: datasets.separable(R=np.inf), "Need 0 < gamma < R"),
        (lambda: datasets.separable(gamma=np.nan), "Need 0 < gamma < R"),
        (lambda: datasets.noisy(flips=0.6), "between 0 and 0.5"),
        (lambda: datasets.noisy(flips=-0.1), "between 0 and 0.5"),
        (lambda: datasets.orthogonal(1), "m must be a whole number >= 2"),
        (lambda: datasets.branch_trace(rule="or"), "'and', 'xor'"),
        (lambda: datasets.branch_trace(history=1), "history must be a whole number >= 2"),
        (lambda: datasets.branch_trace(0), "n must be a whole number >= 1"),
        (lambda: datasets.digits(3, 3), "two different digits"),
        (lambda: datasets.digits(3), "two different digits"),
        (lambda: datasets.digits(3, 10), "two different digits"),
        (lambda: datasets.iris("setosa", "rose"), "setosa, versicolor, virginica"),
    ],
)
def test_impossible_wishes_are_refused_with_advice(make, advice):
    with pytest.raises(ValueError, match=advice):
        make()
