"""The labeller of sequences: the lecture's algorithm in scikit-learn's shape, saved as text."""

import json
import zipfile
from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from lectures_lib import datasets
from lectures_lib import structured as st
from lectures_lib.estimators import SequenceLabeller

SENTENCES = [
    "the/D dog/N barks/V",
    "a/D cat/N sees/V the/D dog/N",
    "the/D man/N saw/V a/D saw/N",
    "dogs/N bark/V",
    "the/D saw/N cuts/V",
    "men/N saw/V the/D cat/N",
]


def named():
    """Return sentences as dictionaries of features, and their tags."""
    pairs = [[word.split("/") for word in line.split()] for line in SENTENCES]
    X = [[{"word": w, "length": len(w), "title": w.istitle()} for w, _ in line] for line in pairs]
    return X, [[tag for _, tag in line] for line in pairs]


def some_letters(n=60):
    letters = datasets.letters()
    return letters.X[:n], [np.array(list(word)) for word in letters.words[:n]]


def same(one, other):
    return all(a.tolist() == b.tolist() for a, b in zip(one, other, strict=True))


def test_the_labeller_is_the_lectures_algorithm():
    X, y = some_letters()
    model = SequenceLabeller(epochs=3, ends=False, random_state=7).fit(X, y)
    classes = model.classes_.tolist()
    problem = st.Chain(len(classes), 128)
    Y = [tuple(classes.index(tag) for tag in word) for word in y]
    run = st.averaged_structured_perceptron(problem, X, Y, epochs=3, rng=7)
    assert model.theta_.tobytes() == run.theta.tobytes()
    assert same(model.predict(X), [model.classes_[list(problem.argmax(run.theta, x))] for x in X])


@pytest.mark.parametrize("order", [1, 2])
def test_named_features_learn_what_only_context_tells(order):
    X, y = named()
    model = SequenceLabeller(order=order).fit(X, y)
    assert model.score(X, y) == 1.0  # "saw" is a verb after a noun and a noun after "a"
    assert "word=saw" in model.features_ and "length" in model.features_
    assert model.predict([[{"word": "never", "seen": 1}]])[0].shape == (1,)


@pytest.mark.parametrize("data", [named, some_letters])
def test_a_saved_labeller_predicts_the_same_and_its_file_holds_no_pickle(data, tmp_path):
    X, y = data()
    model = SequenceLabeller(epochs=2, order=1).fit(X, y)
    model.save(tmp_path / "model.npz")
    loaded = SequenceLabeller.load(tmp_path / "model.npz")
    assert same(loaded.predict(X), model.predict(X)) and loaded.score(X, y) == model.score(X, y)
    assert loaded.get_params() == model.get_params()
    with np.load(tmp_path / "model.npz", allow_pickle=False) as file:
        assert json.loads(bytes(file["about"]))["classes"] == model.classes_.tolist()


def test_a_damaged_or_foreign_file_is_refused(tmp_path):
    X, y = named()
    path = tmp_path / "model.npz"
    SequenceLabeller().fit(X, y).save(path)
    with np.load(path) as file:
        theta, about = file["theta"], bytes(file["about"])
    for weights, text in (
        (theta[1:], about),
        (theta * np.nan, about),
        (theta, b"{}"),
        (theta, about.replace(b"Labeller 1", b"Labeller 9")),
        (np.array([None]), about),
    ):
        np.savez(path, theta=weights, about=np.frombuffer(text, np.uint8))
        with pytest.raises(ValueError, match="no file of a SequenceLabeller"):
            SequenceLabeller.load(path)
    with pytest.raises(FileNotFoundError):
        SequenceLabeller.load(tmp_path / "none")
    path.write_bytes(b"junk")
    with pytest.raises(ValueError, match=r"no file of a SequenceLabeller\.$"):
        SequenceLabeller.load(path)  # and no advice to trust it
    with zipfile.ZipFile(path, "w"):
        pass
    with pytest.raises(ValueError, match="no file of a SequenceLabeller"):
        SequenceLabeller.load(path)


def test_parameters_that_numpy_made_are_saved(tmp_path):
    X, y = named()
    model = SequenceLabeller(epochs=np.int64(3), averaged=np.bool_(True)).fit(X, y)
    model.save(tmp_path / "model.npz")
    loaded = SequenceLabeller.load(tmp_path / "model.npz")
    assert (
        loaded.epochs == 3 and loaded.averaged is True and same(loaded.predict(X), model.predict(X))
    )


def test_what_a_plain_file_cannot_hold_is_refused(tmp_path):
    X, y = named()
    model = SequenceLabeller(random_state=np.random.RandomState(0)).fit(X, y)
    with pytest.raises(ValueError, match="plain file"):
        model.save(tmp_path / "model.npz")


def test_clone_grid_search_and_cross_validation_work():
    X, y = some_letters()
    X, y = [x for x in X if len(x) > 2], [word for word in y if len(word) > 2]
    model = SequenceLabeller(epochs=2, price=1.0)
    assert clone(model).get_params() == model.get_params()
    folds = KFold(2, shuffle=True, random_state=0)
    search = GridSearchCV(model, {"price": [0.0, 2.0], "averaged": [True, False]}, cv=folds)
    search.fit(X, y)
    assert set(search.best_params_) == {"price", "averaged"} and search.best_score_ > 0.5
    assert cross_val_score(model, X, y, cv=folds).shape == (2,)


def test_a_word_list_and_forbidden_pairs_are_kept():
    X, y = some_letters()
    model = SequenceLabeller(epochs=1).fit(X[:20], y[:20])
    words = {"".join(word) for word in y}
    said = ["".join(word) for word in model.predict(X, words=words)]
    assert set(said) <= words
    free = ["".join(word) for word in model.predict(X)]
    assert not set(free) <= words
    short = model.predict(X[:1], words=["on"])  # no word of this length: any tagging
    assert "".join(short[0]) == free[0]
    pair = next((a, b) for word in free for a, b in pairwise(word))
    said = ["".join(word) for word in model.predict(X, forbidden=[pair])]
    assert all("".join(pair) not in word for word in said)


X, Y = named()
ARRAYS = [np.ones((2, 3)), np.ones((1, 3))]


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: SequenceLabeller().fit([], []), "no sequences"),
        (lambda: SequenceLabeller().fit([*X, []], [*Y, []]), "Sequence 6 is empty"),
        (lambda: SequenceLabeller().fit([*ARRAYS, np.ones((0, 3))], "abc"), "Sequence 2 is empty"),
        (
            lambda: SequenceLabeller().fit([*ARRAYS, np.ones((1, 2))], ["ab", "a", "b"]),
            "Sequence 2",
        ),
        (lambda: SequenceLabeller().fit([np.ones(3)], ["abc"]), "needs \\(n, d\\)"),
        (lambda: SequenceLabeller().fit(X, Y[:-1]), "taggings"),
        (lambda: SequenceLabeller().fit(ARRAYS, ["ab", "ab"]), "positions and"),
        (lambda: SequenceLabeller().fit([*X, *ARRAYS], Y), "not both"),
        (lambda: SequenceLabeller().fit(ARRAYS, [["a", 1], ["a"]]), "one kind"),
        (lambda: SequenceLabeller().fit(ARRAYS, [[0.0, np.nan], [0.0]]), "NaN"),
        (lambda: SequenceLabeller().fit([[{"a": None}]], ["a"]), "number or a text"),
        (lambda: SequenceLabeller().fit([[[1, 2], [3]]], ["ab"]), "Sequence 0 .* the same number"),
        (lambda: SequenceLabeller().fit([*ARRAYS, [[1], [2, 3]]], "abc"), "Sequence 2 .* the same"),
        (lambda: SequenceLabeller().fit([[{"a": 10**400}]], ["a"]), "Feature 'a' is too large"),
        (lambda: SequenceLabeller().fit(ARRAYS, []), "2 sequences and 0 taggings"),
        (lambda: SequenceLabeller().fit(ARRAYS, [[["a"], "b"], ["a"]]), "one kind"),
        (lambda: SequenceLabeller().fit(ARRAYS, [[(1, 2), (3, 4)], [(1, 2)]]), "one kind"),
        (lambda: SequenceLabeller(price=-1).fit(X, Y), "price must be a number >= 0"),
        (lambda: SequenceLabeller(price="x").fit(X, Y), "price must be a number >= 0"),
        (lambda: MODEL.predict(X, forbidden=["DNV"]), "pairs of tags"),
        (lambda: SequenceLabeller(order=3).fit(X, Y), "order is 1"),
        (lambda: SequenceLabeller(epochs=0).fit(X, Y), "epochs must be"),
        (lambda: MODEL.predict(ARRAYS), "dictionaries throughout"),
        (lambda: MODEL.score(X[:1], [["D", "N", "?"]]), "'\\?' of sequence 0 was not"),
        (lambda: MODEL.score(X[:1], [["D"]]), "one tag per position"),
        (lambda: MODEL.predict(X, words=["DN"], forbidden=["DD"]), "not both"),
    ],
)
def test_impossible_wishes_are_refused_with_advice(call, advice):
    with pytest.raises(ValueError, match=advice):
        call()


MODEL = SequenceLabeller(epochs=1).fit(X, Y)
