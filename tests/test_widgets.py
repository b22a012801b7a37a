"""Sliders, players and sources: they answer without a browser too."""

import io

import numpy as np
import pytest
from PIL import Image

from lectures_lib import datasets, perceptron, plots, widgets

X, Y = datasets.lecture_example()
RUN = perceptron.perceptron(X, Y)


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
    shown, expected = (
        np.asarray(Image.open(io.BytesIO(b))) for b in (picture.value, plots.png(draw(1)))
    )
    assert np.array_equal(shown, expected)


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
    widgets.source(perceptron._pass)
    widgets.source(perceptron.predict)
    loop, public = (shown["data"]["text/markdown"] for shown in capture_display)
    assert loop.startswith("```python\ndef _pass(")
    assert "w += y[i] * X[i]" in loop
    assert '"""' not in public
    assert "return predicted_label" in public
