"""Sliders, players and sources: they answer without a browser too."""

import base64
import io
import json
import re
import subprocess
import sys

import numpy as np
import pytest
import traitlets
from PIL import Image

from lectures_lib import datasets, perceptron, plots, svm, widgets
from lectures_lib.widgets.draggable import Street, slacks

X, Y = datasets.lecture_example()
RUN = perceptron.perceptron(X, Y)
CROWD = np.array([[-2, 1], [-1.2, -0.6], [-2, -1.4], [-0.6, 1.4]])
CROWD = np.vstack([CROWD, [[1, 0.2], [2, 1.2], [1.6, -1.2], [0.8, -1.6]]])
SIDES = np.repeat([-1.0, 1.0], 4)


def draw(i):
    return plots.step(RUN, X, Y, i).get_figure()


def controls(panel):
    row, picture, text = panel.children
    return row.children, picture, text


def test_moving_the_slider_redraws_the_picture_and_its_words():
    (slider,), picture, text = controls(widgets.player(draw, ["a", "b", "c"]))
    before = picture.value, text.value
    slider.index = 2
    assert picture.value != before[0]
    assert "Mistake 2 was on example 3" in text.value
    assert text.value != before[1]


def test_the_picture_of_a_position_is_the_figure_drawn_for_it():
    _, picture, _ = controls(widgets.player(draw, ["a", "b"], start=1))
    (encoded,) = re.findall(r'src="data:image/png;base64,([^"]+)"', picture.value)
    shown, expected = (
        np.asarray(Image.open(io.BytesIO(b)))
        for b in (base64.b64decode(encoded), plots.png(draw(1)))
    )
    assert np.array_equal(shown, expected)


def test_the_picture_has_its_words_as_alternative_text_also_after_a_move():
    (slider,), picture, text = controls(widgets.player(draw, ["a", "b", "c"]))
    for slider.index in (0, 2):
        assert f'alt="{text.value}"' in picture.value
    assert "Mistake 2" in text.value


def test_a_picture_without_words_is_called_by_its_position_and_quotes_are_safe():
    def silent(i):
        return plots.figure()

    _, picture, text = controls(widgets.player(silent, ['<a> "b"', "c"], name="hat"))
    assert text.value == ""
    assert 'alt="hat: &lt;a&gt; &quot;b&quot;"' in picture.value


def test_a_player_has_a_play_button_that_runs_through_every_position():
    (button, slider), *_ = controls(widgets.player(draw, ["a", "b", "c"], play=True))
    assert (button.min, button.max) == (0, len(slider.options) - 1)


def test_a_start_outside_the_labels_is_refused():
    with pytest.raises(ValueError, match="start must name one of the 2 labels"):
        widgets.player(draw, ["a", "b"], start=2)


def test_without_a_kernel_one_sentence_stands_in_for_the_slider(capture_display):
    widgets.play_run(RUN, X, Y)
    (shown,) = capture_display
    assert "from start to mistake 3 (4 positions)" in shown["data"]["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in shown["data"]


def test_the_source_shown_is_the_code_that_runs_without_its_docstring(capture_display):
    widgets.source(perceptron.one_pass)
    widgets.source(perceptron.predict)
    loop, public = (shown["data"]["text/markdown"] for shown in capture_display)
    assert loop.startswith("```python\ndef one_pass(")
    assert "w += y[i] * X[i]" in loop
    assert '"""' not in public
    assert "return predicted_label" in public


# --- points to drag ------------------------------------------------------------------------------


def put(panel, i, place):
    """Move a point as the browser does: all places, one of them new."""
    panel.points = [list(place) if j == i else p for j, p in enumerate(panel.points)]


@pytest.mark.parametrize("C", [0.3, 10.0, np.inf])
def test_moving_a_point_draws_the_street_that_training_gives(C):
    panel = Street(CROWD, SIDES, C)
    for i, place in ((4, (0.1, 0.4)), (0, (-0.9, -0.1)), (7, (-0.4, -1.2))):
        before = panel.drawn
        put(panel, i, place)
        there = svm.train(np.array(panel.points), SIDES, C)
        plane, plus, minus = np.array(panel.drawn["lines"]).reshape(3, 2, 2)
        assert np.allclose(there.decision(plane), 0.0, atol=1e-5)
        assert np.allclose(there.decision(plus), 1.0, atol=1e-5)
        assert np.allclose(there.decision(minus), -1.0, atol=1e-5)
        assert panel.drawn["rings"] == there.support.tolist()
        assert panel.drawn != before


def test_moving_a_point_that_supports_nothing_leaves_the_street_where_it_is():
    panel = Street(CROWD, SIDES, np.inf)
    before = panel.drawn
    assert 7 not in before["rings"]
    put(panel, 7, (1.5, 1.0))
    assert np.allclose(panel.drawn["lines"], before["lines"])
    assert panel.drawn["words"] == before["words"]


def test_the_words_are_width_support_vectors_and_slacks_of_the_machine():
    panel = Street(CROWD, SIDES, 0.5)
    put(panel, 4, (-1.1, 1.2))
    there = svm.train(np.array(panel.points), SIDES, 0.5)
    width, count, of, total = (float(v) for v in re.findall(r"\d+\.?\d*", panel.drawn["words"])[1:])
    xi = np.maximum(0, 1 - SIDES * there.decision(panel.points))
    assert width == pytest.approx(2 / np.linalg.norm(there.w), abs=6e-4)
    assert (count, of) == (len(there.support), 8)
    assert total == pytest.approx(xi.sum(), abs=6e-4) and total > 1


def test_a_slack_is_drawn_straight_to_the_edge_of_its_class():
    panel = Street(CROWD, SIDES, 0.5)
    put(panel, 4, (-1.1, 1.2))
    late = np.flatnonzero(slacks(panel.machine))
    ends = np.array(panel.drawn["slacks"])
    assert np.allclose(ends[:, :2], np.array(panel.points)[late])
    assert np.allclose(SIDES[late] * panel.machine.decision(ends[:, 2:]), 1.0)
    steps, w = ends[:, 2:] - ends[:, :2], panel.machine.w
    assert np.allclose(steps[:, 0] * w[1], steps[:, 1] * w[0])


def test_what_cannot_be_separated_is_said_with_the_point_where_hulls_meet():
    panel = Street(CROWD, SIDES, np.inf)
    put(panel, 4, (-1.4, 0.3))
    assert panel.drawn["lines"] == []
    words = panel.drawn["words"]
    assert words == "No line separates these points: their hulls meet at (-1.40, 0.30)."
    assert np.allclose(panel.drawn["cross"], (-1.4, 0.3))
    weights = panel.machine.separation.weights
    assert panel.drawn["rings"] == np.flatnonzero(weights > 1e-6).tolist()
    assert [len(hull) for hull in panel.drawn["hulls"]] == [4, 4]


def test_a_class_on_a_line_has_a_hull_too():
    panel = Street([[0, 0], [2, 0], [1, 0], [1, 1]], [1, 1, -1, -1], np.inf)
    assert [len(hull) for hull in panel.drawn["hulls"]] == [2, 2]


def test_coming_back_brings_the_first_street_back():
    panel = Street(CROWD, SIDES, 1.0)
    first = panel.drawn
    put(panel, 5, (-1.0, 0.0))
    panel.points = panel.start
    assert panel.drawn == first
    assert panel.start == CROWD.tolist()


def test_moving_points_changes_neither_labels_nor_the_data_that_came_in():
    data = CROWD.copy()
    panel = Street(data, SIDES, 1.0)
    put(panel, 5, (-1.0, 0.0))
    assert np.array_equal(data, CROWD)
    assert panel.labels == [-1, -1, -1, -1, 1, 1, 1, 1]


def test_points_without_any_street_are_drawn_without_one():
    panel = Street(*datasets.xor(), 1.0)
    assert panel.drawn["lines"] == panel.drawn["slacks"] == []
    assert "without end, as w = 0" in panel.drawn["words"]


@pytest.mark.parametrize("places", [[[0, 0]], [[0, 0]] * 7 + [[0, np.nan]], [[0, 0, 0]] * 8])
def test_places_that_fit_no_points_are_refused(places):
    panel = Street(CROWD, SIDES, 1.0)
    with pytest.raises(traitlets.TraitError, match="a pair of numbers for each of 8"):
        panel.points = places
    assert panel.points == CROWD.tolist()


def test_points_to_drag_lie_in_a_plane_and_have_both_labels():
    with pytest.raises(ValueError, match="X has 3 features; points to drag need 2"):
        widgets.street(np.zeros((2, 3)), [1, -1])
    with pytest.raises(ValueError, match="both"):
        widgets.street(np.zeros((2, 2)), [1, 1])
    with pytest.raises(ValueError, match="C must be a number > 0"):
        widgets.street(CROWD, SIDES, C=0)


def test_all_that_is_sent_to_the_browser_is_plain_json():
    for C in (1.0, np.inf):
        for X, y in ((CROWD, SIDES), datasets.xor()):
            panel = Street(X, y, C)
            sent = {name: getattr(panel, name) for name in ("points", "labels", "view", "drawn")}
            assert json.loads(json.dumps(sent, allow_nan=False)) == sent


def test_without_a_kernel_the_street_is_told_in_words(capture_display):
    widgets.street(CROWD, SIDES, C=1.0)
    (shown,) = capture_display
    assert (
        "8 points to drag; the street follows. Street width 2/||w||: "
        in (shown["data"]["text/plain"])
    )
    assert "application/vnd.jupyter.widget-view+json" in shown["data"]


def test_the_script_asks_nothing_of_the_network():
    script = Street(CROWD, SIDES)._esm
    assert "export default { render }" in script
    addresses = set(re.findall(r"https?://[^\"'`]+", script))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, never asked for
    assert not re.search(r"\b(import|fetch|XMLHttpRequest|eval)\b", script)


def test_widgets_load_the_dragging_part_only_when_it_is_asked_for():
    code = "import sys; from lectures_lib import widgets; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"anywidget", "ipywidgets"}.isdisjoint(done.stdout.split())
