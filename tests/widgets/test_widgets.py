"""Sliders, players and sources: they answer without a browser too."""

import base64
import io
import re
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from lectures_lib import datasets, perceptron, plots, widgets

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
    widgets.slide(draw, ["a", "b", "c"], name="letter", play=True)
    (shown,) = capture_display
    assert "A slider for letter, from a to c (3 positions)" in shown["data"]["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in shown["data"]


def test_the_source_shown_is_the_code_that_runs_without_its_docstring(capture_display):
    widgets.source(perceptron.one_pass)
    widgets.source(perceptron.predict)
    loop, public = (shown["data"]["text/markdown"] for shown in capture_display)
    assert loop.startswith("```python\ndef one_pass(")
    assert "w += y[i] * X[i]" in loop
    assert '"""' not in public
    assert "return predicted_label" in public


def test_points_to_drag_lie_in_a_plane_and_have_both_labels():
    with pytest.raises(ValueError, match="X has 3 features; points to drag need 2"):
        widgets.street(np.zeros((2, 3)), [1, -1])
    with pytest.raises(ValueError, match="both"):
        widgets.street(np.zeros((2, 2)), [1, 1])
    with pytest.raises(ValueError, match="C must be a number > 0"):
        widgets.street(CROWD, SIDES, C=0)


def test_without_a_kernel_the_street_is_told_in_words(capture_display):
    widgets.street(CROWD, SIDES, C=1.0)
    (shown,) = capture_display
    assert (
        "8 points to drag; the street follows. Street width 2/||w||: "
        in (shown["data"]["text/plain"])
    )
    assert "application/vnd.jupyter.widget-view+json" in shown["data"]


def test_widgets_load_the_dragging_part_only_when_it_is_asked_for():
    code = "import sys; from lectures_lib import widgets; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"anywidget", "ipywidgets"}.isdisjoint(done.stdout.split())
