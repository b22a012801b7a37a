"""Figures: drawn without pyplot, the same bytes each time, and able to say what they show."""

import ast
import base64
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from lectures_lib import bounds, datasets, losses, margins, perceptron, plots
from lectures_lib.plots.style import looks
from tools import readme_figure
from tools.environment import ROOT
from tools.nbfigures import figure_difference, version_differences

X, Y = datasets.lecture_example()
RUN = perceptron.perceptron(X, Y)
MAX = margins.max_margin(X, Y, offset=True)
GRID = np.linspace(-1, 1, 9)

TREE = ("S", ("NP", ("D", "the"), ("N", "dog")), ("VP", "barks"))

DRAWN = {
    "points": lambda: plots.points(X, Y, mark=[0]),
    "separator": lambda: plots.separator([3, 1], ax=plots.points(X, Y), gamma=0.5),
    "step": lambda: plots.step(RUN, X, Y, 2),
    "strip": lambda: plots.strip(RUN, X, Y),
    "arrow": lambda: plots.separator([3, 1], ax=plots.points(X, Y), scaled=True),
    "addition": lambda: plots.addition([1, -2], [1, 1], plots.points(X, Y, origin=True)),
    "regions": lambda: plots.regions(lambda G: G[:, 0] - 0.5, GRID, plots.points(X, Y)),
    "cap": lambda: plots.cap(bounds.mistake_bound(RUN, X, Y), 2),
    "proof": lambda: plots.proof(bounds.mistake_bound(RUN, X, Y)),
    "curves": lambda: plots.curves([0, 1], {"hinge": [1, 0]}, xlabel="t", ylabel="loss"),
    "hulls": lambda: plots.hulls(X, Y, MAX),
    "survival": lambda: plots.survival(perceptron.voted_perceptron(X, Y)),
    "surface": lambda: plots.surface(np.outer(GRID, GRID), GRID, GRID, path=[[0, 0], [0.5, 0.5]]),
    "trellis": lambda: plots.trellis([[0, 1], [2, 0]], [[1, 0], [3, 0]], "ab", "xy", other=[0, 0]),
    "handwriting": lambda: plots.handwriting([np.eye(2, 128)], ["on"], {"one": ["on"]}),
    "pair_weights": lambda: plots.pair_weights([[1, -2], [0, 3]], "ab"),
    "tree": lambda: plots.tree(TREE, title="a parse", marked=("VP",)),
    "images": lambda: plots.images(datasets.digits(3, 8)[0][:2], ["a three", "an eight"]),
}


def figure_of(drawn):
    return drawn if hasattr(drawn, "axes") and isinstance(drawn.axes, list) else drawn.get_figure()


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_drawn_twice_is_the_same_to_the_byte(name):
    first, second = (plots.png(figure_of(DRAWN[name]())) for _ in range(2))
    assert first == second
    assert first.startswith(b"\x89PNG")


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_says_in_a_sentence_what_it_shows(name):
    said = plots.words(figure_of(DRAWN[name]()))
    assert len(said) >= 20
    assert said.endswith(".")


@pytest.mark.parametrize(("name", "numbers"), [
    ("points", {"3"}),
    ("separator", {"3.00", "1.00", "0.500"}),
    ("step", {"2.00", "+1"}),
    ("proof", {"3", "5.0"}),
    ("cap", {"0.63", "0.32"}),
    ("curves", {"1", "0"}),
])  # fmt: skip
def test_the_words_of_a_figure_hold_its_numbers(name, numbers):
    said = plots.words(figure_of(DRAWN[name]()))
    assert numbers <= set(re.findall(r"[+-]?\d+(?:\.\d+)?", said))


def test_another_run_is_another_picture_and_other_words():
    other = perceptron.perceptron(X, Y, order=[5, 4, 3, 2, 1, 0])
    figures = [plots.strip(run, X, Y) for run in (RUN, other)]
    assert plots.png(figures[0]) != plots.png(figures[1])
    assert plots.words(figures[0]) != plots.words(figures[1])


def test_show_gives_the_picture_an_alternative_text_and_the_same_words_to_read(capture_display):
    plots.show(plots.points(X, Y), "Six points & two classes.")
    picture, box = capture_display
    alt = picture["metadata"]["image/png"]["alt"]
    assert alt.startswith("Six points & two classes. 3 positive and 3 negative points")
    assert picture["data"]["text/plain"] == alt
    assert base64.b64decode(picture["data"]["image/png"]).startswith(b"\x89PNG")
    assert "Six points &amp; two classes." in box["data"]["text/html"]


def test_show_refuses_a_figure_that_says_nothing():
    with pytest.raises(ValueError, match="Say in a sentence"):
        plots.show(plots.figure())


def test_a_separator_does_not_widen_the_view_of_its_points():
    ax = plots.points(X, Y)
    before = (ax.get_xlim(), ax.get_ylim())
    plots.separator([0.01, 5.0], b=100.0, ax=ax)
    assert (ax.get_xlim(), ax.get_ylim()) == before


@pytest.mark.parametrize("w", [[3, 1], [0.1, -0.2], [-7, 2]])
def test_the_scaled_arrow_is_w_itself_and_lies_inside_the_view(w):
    ax = plots.separator(w, b=0.5, ax=plots.points(X, Y, origin=True), scaled=True)
    (arrow,) = ax.texts
    tip, foot = np.array(arrow.xy), np.array(arrow.xyann)
    assert np.allclose(tip - foot, w)
    assert np.isclose(np.dot(w, foot), -0.5)  # it starts on the line
    for (low, high), v in zip((ax.get_xlim(), ax.get_ylim()), tip):
        assert low < v < high


def test_the_cap_shows_w_k_where_it_is_and_no_arrow_where_the_run_never_came():
    bound = bounds.mistake_bound(RUN, X, Y)  # L1: gamma = 1, R^2 = 5, w_2 = (2, -1)
    (arrow,) = plots.cap(bound, 2).texts
    assert np.allclose(arrow.xy, np.array([2, 1]) / np.sqrt(10))
    assert not plots.cap(bound, 4).texts


def test_a_number_in_a_label_has_a_true_minus():
    assert (plots.number(-1.345), plots.number(2, 0)) == ("\N{MINUS SIGN}1.34", "2")


def test_every_point_and_ring_lies_inside_the_view():
    ax = plots.points(X * 7, Y, mark=range(6))
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert left < X[:, 0].min() * 7 and X[:, 0].max() * 7 < right
    assert low < X[:, 1].min() * 7 and X[:, 1].max() * 7 < high


def test_the_classes_differ_in_marker_and_not_only_in_colour():
    positive, negative = plots.points(X, Y).collections[:2]
    assert len(positive.get_paths()[0].vertices) != len(negative.get_paths()[0].vertices)


def test_a_picture_in_the_plane_asks_for_two_features():
    with pytest.raises(ValueError, match="needs 2"):
        plots.points(np.ones((2, 3)), [1, -1])


def test_a_step_that_the_run_did_not_make_is_refused():
    with pytest.raises(ValueError, match="0 to 3"):
        plots.step(RUN, X, Y, 4)


def arrows(ax):
    """Return (tail, tip) of the arrows in a picture."""
    return [(text.xyann, text.xy) for text in ax.texts if text.arrow_patch]


def test_an_update_is_drawn_to_scale_as_a_sum_of_vectors():
    ax = plots.step(RUN, X, Y, 2)
    drawn = np.array(arrows(ax))
    old, new = RUN.weights[1], RUN.weights[2]
    assert np.array_equal(drawn, [[0 * old, old], [old, new], [0 * old, new]])
    assert np.array_equal(new - old, Y[RUN.mistakes[1]] * X[RUN.mistakes[1]])
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert (drawn[..., 0] > left).all() and (drawn[..., 0] < right).all()
    assert (drawn[..., 1] > low).all() and (drawn[..., 1] < high).all()


def test_all_steps_of_a_run_share_one_view():
    assert len({plots.step(RUN, X, Y, k).get_xlim() for k in range(len(RUN.mistakes) + 1)}) == 1


def test_a_region_is_shaded_where_the_prediction_is_positive():
    ax = plots.regions(lambda G: G[:, 1] > 0.6, GRID, plots.points(X, Y))
    assert "22 % of the square" in plots.words(ax.get_figure())  # 2 of 9 rows
    positive = ax.collections[-1].get_paths()[1].vertices
    assert positive[:, 1].min() > 0.5 and positive[:, 0].min() == -1


def test_an_arrow_from_zero_is_not_drawn():
    assert len(arrows(plots.addition([0, 0], [1, -2]))) == 2


def test_drawing_changes_no_input():
    before = (X.copy(), Y.copy(), RUN.weights.copy())
    for draw in DRAWN.values():
        draw()
    for kept, now in zip(before, (X, Y, RUN.weights), strict=True):
        assert np.array_equal(kept, now)


def test_the_zero_vector_draws_no_line_and_says_so():
    ax = plots.separator([0, 0], ax=plots.points(X, Y))
    assert not ax.lines
    assert "no line yet" in plots.words(ax.get_figure())


def test_hulls_that_meet_are_said_to_meet_where_the_certificate_says():
    A, b = datasets.xor()
    ax = plots.hulls(A, b, margins.max_margin(A, b, offset=True))
    assert "meet at (0.000, 0.000)" in plots.words(ax.get_figure()).replace("-0.000", "0.000")


def test_losses_over_t_are_drawn_with_a_style_each():
    t = np.linspace(-1, 1, 5)
    ys = {"hinge": losses.hinge()(t), "logistic": losses.logistic()(t)}
    ax = plots.curves(t, ys, xlabel="t", ylabel="loss")
    assert len({line.get_linestyle() for line in ax.lines}) == 2


def test_the_moving_street_of_the_readme_is_the_one_its_code_draws(tmp_path):
    if version_differences():
        pytest.skip("figures are compared with the pinned versions only")
    with Image.open(readme_figure.STREET) as stored:
        assert stored.n_frames == readme_figure.FRAMES
        for k in (0, 7, 16):
            stored.seek(k)
            drawn = Image.open(io.BytesIO(plots.png(readme_figure.street(k)))).convert("RGB")
            pixels = (np.asarray(v, int) for v in (stored.convert("RGB"), drawn.resize((360, 360))))
            difference = np.abs(np.subtract(*pixels)).max(axis=2)
            assert np.mean(difference > 60) < 2e-3  # a GIF has 128 colours; frame 8 differs in 2 %


def test_every_frame_of_the_readme_is_proved():
    for k in range(0, readme_figure.FRAMES, 5):
        assert readme_figure.street(k).axes[0].get_title().endswith(": proved")


def test_the_readme_quotes_the_proof_and_the_lie_as_they_are_printed():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lie = replace(RUN, mistakes=np.array([0, 2, 5]))
    printed = [str(bounds.mistake_bound(run, X, Y, exact=True)).splitlines() for run in (RUN, lie)]
    honest, false = ([line for line in text if line in readme] for text in printed)
    assert honest == [printed[0][i] for i in (0, 1, 2, -1)]
    assert [line for line in printed[1] if "fails" in line][:2] == false[2:-1]
    assert printed[1][-1] in readme


def test_the_figure_of_the_readme_is_the_one_its_code_draws(tmp_path):
    if version_differences():
        pytest.skip("figures are compared with the pinned versions only")
    stored = base64.b64encode(readme_figure.PROOF.read_bytes()).decode()
    drawn = base64.b64encode(plots.png(readme_figure.draw())).decode()
    assert figure_difference(stored, drawn, tmp_path / "difference.png") is None


def test_a_trellis_shows_the_table_as_far_as_it_is_filled_and_the_best_path():
    E, P = [[0, 1], [2, 0], [0, 0]], [[1, 0], [3, -1]]
    half = plots.words(plots.trellis(E, P, "ab", "xyz", upto=2).get_figure())
    assert "Column 2, best scores: a 6, b 0." in half and "Column 3" not in half
    assert "b a with 6" in half and "b a a with 7" in plots.words(
        plots.trellis(E, P, "ab", "xyz").get_figure()
    )
    shown = [text.get_text() for text in plots.trellis(E, P, "ab", "xyz", upto=2).texts]
    assert shown.count("+3") == 2 and "6" in shown and "7" not in shown


def test_a_trellis_asks_for_a_name_of_each_tag_and_position():
    for tags, inputs, upto in (("a", "xy", 2), ("ab", "x", 2), ("ab", "xy", 3), ("ab", "xy", 0)):
        with pytest.raises(ValueError, match="Give 2 tags, 2 inputs, and upto from 1 to 2"):
            plots.trellis(np.zeros((2, 2)), np.zeros((2, 2)), tags, inputs, upto=upto)


def test_handwriting_marks_wrong_letters_with_brackets_not_only_with_colour():
    fig = plots.handwriting([np.eye(2, 128)], ["on"], {"one": ["on"], "two": ["an"]})
    shown = [text.get_text() for text in fig.axes[0].texts]
    assert shown == ["one", "o", "n", "two", "[a]", "n"]
    assert plots.words(fig) == "The word on: one says on, two says an."


def test_the_picture_of_pairs_names_the_highest_and_asks_for_a_square():
    said = plots.words(plots.pair_weights([[1, -2], [0, 3]], "ab").get_figure())
    assert said == "2 of 4 pairs have a weight above 0; the highest: bb, aa, ba, ab."
    with pytest.raises(ValueError, match="one row and column per tag"):
        plots.pair_weights(np.zeros((2, 3)), "ab")


def test_a_tree_has_its_words_in_a_row_and_every_node_above_what_it_holds():
    ax = plots.tree(TREE, marked=("VP",))
    place = {text.get_text(): text.get_position() for text in ax.texts}
    assert [place[word] for word in ("the", "dog", "barks")] == [(0, 0), (1, 0), (2, 0)]
    assert place["D"] == (0, 1)
    assert place["NP"] == (0.5, 2)
    assert place["S"] == (1.25, 3)
    assert len(ax.lines) == 7  # five nodes and three words, and none above the root
    assert plots.words(ax.get_figure()) == "The tree (S (NP (D the) (N dog)) (VP barks))."
    assert [t.get_text() for t in ax.texts if t.get_weight() == "bold"] == ["VP"]


def test_one_thing_is_drawn_in_one_way_through_the_course():
    names = {"0/1": [1, 0], "a guess": [1, 1], "hinge, h = 1": [2, 0]}
    first, guess, last = plots.curves([0, 1], names, xlabel="t", ylabel="loss").get_lines()
    for line, name in ((first, "0/1"), (last, "hinge, h = 1")):
        assert line.get_color() == plots.look(name)["color"]
        assert line.get_linestyle() == plots.look(name)["ls"]
    assert guess.get_color() not in (first.get_color(), last.get_color())


def test_two_curves_of_one_kind_share_its_colour_and_differ_in_the_line():
    names = {f"hinge, step {step}": [step, 0] for step in (1, 2, 3)}
    lines = plots.curves([0, 1], names, xlabel="t", ylabel="loss").get_lines()
    assert {line.get_color() for line in lines} == {plots.look("hinge")["color"]}
    assert len({line.get_linestyle() for line in lines}) == 3


@pytest.mark.parametrize("group", [("0/1", "perceptron", "hinge", "logistic"), ("last", "average")])
def test_things_that_stand_in_one_figure_differ_in_colour_and_in_line(group):
    for key in ("color", "ls"):
        pairs = {(plots.look(name)["color"], plots.look(name)["ls"]) for name in group}
        assert len(pairs) == len(group), key


def test_a_thing_without_a_look_of_its_own_is_told_which_have_one():
    with pytest.raises(ValueError, match="average"):
        plots.look("seventh heaven")


# --- the notebooks draw one thing in one way -----------------------------------------------------

#: how matplotlib is told to draw discs or squares
MARK = re.compile(r"[kwrbg]?(?:-|--|:|-\.)?[os](?:-|--|:|-\.)?")
DRAWS = {"plot", "scatter", "semilogy", "semilogx", "loglog", "errorbar", "step"}
LECTURES = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


def cells_of(path):
    """Return the syntax trees of a notebook's cells of code."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return [list(ast.walk(ast.parse(text))) for text in code]


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_a_disc_or_a_square_is_an_example_and_nothing_else(path):
    for code in cells_of(path):
        calls = [n for n in code if isinstance(n, ast.Call) and n.args]
        letters = {id(n.args[0]) for n in calls if ast.unparse(n.func) == "ord"}
        found = [n.value for n in code if isinstance(n, ast.Constant) and id(n) not in letters]
        marks = [text for text in found if isinstance(text, str) and MARK.fullmatch(text)]
        assert marks == []  # write **plots.CLASSES[y], or **plots.RING


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_a_cell_that_draws_a_thing_with_a_look_of_its_own_asks_for_it(path):
    for code in cells_of(path):
        calls = [n for n in code if isinstance(n, ast.Call)]
        drawn = [n for n in calls if getattr(n.func, "attr", "") in DRAWS]
        labels = [k.value for n in drawn for k in n.keywords if k.arg == "label"]
        names = [label.value for label in labels if isinstance(label, ast.Constant)]
        if any(looks.match(name) for name in names):
            assert "plots.look" in {ast.unparse(n.func) for n in calls}, names
