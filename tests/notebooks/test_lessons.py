"""Negative controls: a lesson that keeps its promises, and one planted fault for each of them."""

import base64
import io
import json
import re

import numpy as np
import pytest
from PIL import Image

from tools import lessons, reading_time

RECALL = """**Recall.** Three questions.

1. What is a vector?
2. What is a line?
3. What is a sum?

<details><summary>Answers</summary>

1. A list.
2. A set.
3. A number.
</details>"""
TASK = """**Exercise.** Add.

<details><summary>Hint</summary>

Use a plus.
</details>
<details><summary>Solution</summary>

```python
def f(x):
    return x + 1
```
</details>"""
PRINTED = {"output_type": "stream", "name": "stdout", "text": ["Not written yet.\n"]}


def markdown(text, name=None):
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": text}


def code(text, name=None, *outputs, tags=(), **folds):
    metadata = {"tags": list(tags), "jupyter": folds}
    cell = {"cell_type": "code", "id": name, "metadata": metadata}
    return {**cell, "source": text, "outputs": list(outputs)}


def picture(array=None):
    """Return the output of a figure: white, with a black square in its middle."""
    if array is None:
        array = np.full((20, 30), 255, dtype=np.uint8)
        array[8:12, 8:12] = 0
    file = io.BytesIO()
    Image.fromarray(array).save(file, format="png")
    data = {"image/png": base64.b64encode(file.getvalue()).decode(), "text/plain": "x" * 200}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def lesson():
    """Return a lesson that keeps everything, as a dictionary of its cells."""
    stub = "def f(x):\n    ...\n\n\nexercises.check('f', f)"
    cells = [
        markdown("# 01 A small lesson\n\n**Time:** 25 minutes for the core.", "title"),
        markdown(RECALL, "recall"),
        markdown("**Predict, then run.** How many?", "prompt"),
        code("print(4)", "answer", PRINTED, tags=["hide-output"], outputs_hidden=True),
        markdown("Four.", "words"),
        code(
            "# Figure: a square in the middle\nplots.show(ax)",
            "drawing",
            picture(),
            tags=["hide-input"],
            source_hidden=True,
        ),
        *(
            cell
            for i in range(3)
            for cell in (markdown(TASK, f"task-{i}"), code(stub, f"exercise-{i}", PRINTED))
        ),
        markdown("## Further", "further"),
        code("\n".join(["x = 1"] * 600), "long"),
        markdown("## Take-away\n\nIt is small.", "end"),
    ]
    return {"cells": cells}


def cell(notebook, name):
    return next(cell for cell in notebook["cells"] if cell["id"] == name)


def test_a_lesson_that_keeps_everything_has_no_problem():
    assert lessons.problems(lesson(), 1) == []


def test_a_cell_below_a_prediction_that_shows_nothing_need_not_be_hidden():
    notebook = lesson()
    at = notebook["cells"].index(cell(notebook, "answer")) + 1
    notebook["cells"].insert(at, code("assert x == 4", "check"))
    assert lessons.problems(notebook, 1) == []


def test_a_part_further_that_states_the_counted_minutes_has_no_problem():
    notebook = lesson()
    further_minutes_that_are_not_counted(notebook)
    more = cell(notebook, "further")
    more["source"] = more["source"].replace("95", "105")
    assert lessons.problems(notebook, 1) == []


FAULTS = {}


def fault(reason):
    """Register a function that spoils the lesson, and what must be said about it."""

    def register(spoil):
        FAULTS[spoil.__name__] = (spoil, reason)
        return spoil

    return register


@fault(r"does not say `\*\*Time:\*\* 25 minutes for the core`")
def no_time(notebook):
    cell(notebook, "title")["source"] = "# 01 A small lesson\n\n**Time** 25 minutes."


@fault("says 15 minutes for the core; counted are 21\\.5")
def a_time_too_short(notebook):
    cell(notebook, "title")["source"] = "# 01\n\n**Time:** 15 minutes for the core."


@fault("takes 12[0-9].* minutes, more than 60")
def a_core_too_long(notebook):
    notebook["cells"].remove(cell(notebook, "further"))


@fault(r"other minutes than those counted:\n\| 7\. More of it \| 105 \|")
def further_minutes_that_are_not_counted(notebook):
    table = "| section | minutes |\n|---|--:|\n| 7. More of it | 95 |"
    cell(notebook, "further")["source"] = f"## Further\n\n{table}"
    at = notebook["cells"].index(cell(notebook, "long"))
    notebook["cells"].insert(at, markdown("## 7. More of it\n\nYou read.", "more"))


@fault("Cell answer: the output that is to be predicted is not hidden")
def an_answer_that_stands_open(notebook):
    cell(notebook, "answer")["metadata"] = {}


@fault("Cell answer: the output that is to be predicted is not hidden")
def an_answer_open_on_the_web(notebook):
    cell(notebook, "answer")["metadata"]["tags"] = []


@fault("Cell drawing: the output that is to be predicted is not hidden")
def a_figure_that_shows_the_answer(notebook):
    notebook["cells"].remove(cell(notebook, "words"))


@fault("Cell proof: the output that is to be predicted is not hidden")
def a_second_cell_that_prints_the_answer(notebook):
    at = notebook["cells"].index(cell(notebook, "answer")) + 1
    notebook["cells"].insert(at, code("print(again)", "proof", PRINTED))


@fault("Cell slider: the output that is to be predicted is not hidden")
def a_third_cell_that_shows_the_answer(notebook):
    at = notebook["cells"].index(cell(notebook, "answer")) + 1
    notebook["cells"][at:at] = [code("assert x", "check"), code("slide()", "slider", PRINTED)]


@fault("Cell answer: nothing is to be predicted here")
def an_answer_in_a_later_cell(notebook):
    cell(notebook, "answer")["outputs"] = []


@fault("Cell prompt: no code follows")
def a_prompt_without_code(notebook):
    notebook["cells"].insert(3, markdown("Think."))


@fault("Cell prompt: no code follows")
def a_prompt_at_the_end(notebook):
    notebook["cells"].append(notebook["cells"].pop(2))


@fault("Cell drawing: its output is hidden, but nothing")
def an_output_hidden_for_no_reason(notebook):
    cell(notebook, "drawing")["metadata"]["jupyter"]["outputs_hidden"] = True


@fault("Cell drawing: it draws, and its source is not folded")
def a_drawing_that_stands_open(notebook):
    cell(notebook, "drawing")["metadata"] = {}


@fault("Cell drawing: it names the colour tab:red")
def a_colour_outside_the_palette(notebook):
    cell(notebook, "drawing")["source"] += '\nax.plot(x, color="tab:red")'


@fault("Cell words: 'heaps' is not plain English here")
def a_word_over_which_readers_stumbled(notebook):
    cell(notebook, "words")["source"] = "Two heaps of points."


@fault("Cell words: 'so many' is not plain English here")
def so_many_without_saying_how_many(notebook):
    cell(notebook, "words")["source"] = "There are so many points."


@fault("section 3 never says")
def a_section_without_its_reader(notebook):
    cell(notebook, "words")["source"] = "## 2. One\n\nYou see it.\n\n## 3. Two\n\nOne sees it."


@fault("Cell drawing: a folded source needs both")
def a_fold_without_its_tag(notebook):
    cell(notebook, "drawing")["metadata"]["tags"] = []


@fault("Cell drawing: a folded source needs both")
def a_tag_without_its_fold(notebook):
    cell(notebook, "drawing")["metadata"]["jupyter"] = {}


@fault("Cell drawing: a folded source begins with its title")
def a_fold_without_a_title(notebook):
    cell(notebook, "drawing")["source"] = "plots.show(ax)"


@fault("Cell drawing: it draws in 13 lines")
def a_long_drawing(notebook):
    cell(notebook, "drawing")["source"] = "# Figure: a square\n" * 12 + "plots.show(ax)"


@fault("Cell answer: it uses a private name")
def a_private_name(notebook):
    cell(notebook, "answer")["source"] = "widgets.source(perceptron._pass)"


@fault("Cell answer: its output has a line of 89 characters")
def a_wide_line(notebook):
    cell(notebook, "answer")["outputs"] = [{**PRINTED, "text": "short\n" + "x" * 89 + "\n"}]


@fault("Cell answer: its output has a line of 90 characters")
def a_wide_result(notebook):
    data = {"text/plain": ["'" + "x" * 88 + "'"]}
    cell(notebook, "answer")["outputs"] = [{"output_type": "execute_result", "data": data}]


@fault("Cell answer: its output has a line of 101 characters")
def a_wide_line_of_shown_code(notebook):
    data = {"text/markdown": "```python\n" + "x" * 101 + "\n```", "text/plain": "<Markdown>"}
    cell(notebook, "answer")["outputs"] = [{"output_type": "display_data", "data": data}]


@fault("it poses 2 exercises; at least 3")
def too_few_exercises(notebook):
    notebook["cells"].remove(cell(notebook, "exercise-1"))


@fault("does not open with three questions")
def no_recall(notebook):
    notebook["cells"].remove(cell(notebook, "recall"))


@fault("Recall.* has 2 questions, numbered; three")
def a_recall_with_two_questions(notebook):
    cell(notebook, "recall")["source"] = RECALL.replace("2. What is a line?\n3.", "2.")


@fault("Recall.* has 0 answers, numbered; three")
def a_recall_without_answers(notebook):
    cell(notebook, "recall")["source"] = RECALL.split("<details>")[0]


@pytest.mark.parametrize("name", FAULTS)
def test_a_lesson_with_one_fault_is_told_so(name):
    spoil, reason = FAULTS[name]
    notebook = lesson()
    spoil(notebook)
    found = lessons.problems(notebook, 1)
    assert any(re.search(reason, problem) for problem in found), found


@pytest.mark.parametrize(
    ("place", "side"),
    [((0, 5), "top"), ((-1, 5), "bottom"), ((7, 0), "left"), ((7, -1), "right")],
)
@pytest.mark.parametrize("ink", [0, 199])
def test_ink_on_a_border_is_seen_on_each_side(place, side, ink):
    array = np.full((20, 30), 255, dtype=np.uint8)
    array[place] = ink
    notebook = lesson()
    cell(notebook, "drawing")["outputs"] = [picture(array)]
    said = f"Cell drawing: a figure is cut off at the {side}: 1 dark pixels"
    assert lessons.problems(notebook, 1) == [said]


def test_a_transparent_border_and_light_grid_lines_are_no_ink():
    array = np.zeros((20, 30, 4), dtype=np.uint8)
    array[:, 7] = (221, 221, 221, 255)
    notebook = lesson()
    cell(notebook, "drawing")["outputs"] = [picture(array)]
    assert lessons.problems(notebook, 1) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Two words", 2),
        ("the vector $w + y x$ and $$a + b = c$$ end", 4 + 2 + 38),
        ("see [the notes](../NOTATION.md) - or not", 5),
        ("before <details><summary>A. Hint</summary>\n\nmany words here\n</details> after", 2),
        ("<b>bold</b> **stars**", 2),
    ],
)
def test_words_are_counted_as_they_are_seen(text, words):
    assert lessons.visible_words(text) == words


def test_the_words_of_answers_count_and_those_of_hints_and_solutions_do_not():
    fold = "<details><summary>{}</summary>\n\nthree short words\n</details>"
    for name, words in (("Answer", 3), ("B. one", 3), ("Hint 1", 0), ("Solution", 0)):
        assert lessons.folded_words(fold.format(name)) == words


def test_the_minutes_of_the_core_are_those_of_the_convention():
    core, further = map(lessons.count, lessons.core_and_further(lesson()))
    assert (core.lines, core.exercises, core.figures) == (1 + 3 * 3, (5, 5, 5), 1)
    assert (core.predictions, core.questions, core.folded) == (1, 3, 6 + 3)
    assert core.minutes == (core.words + core.folded) / 150 + 10 / 6 + 2 + 3 / 2 + 1 + 15
    assert (further.lines, further.minutes) == (600, 100 + 1 / 150)


@pytest.mark.parametrize(("lines", "minutes"), [(0, 5), (1, 5), (2, 6), (3, 7), (4, 8), (20, 8)])
def test_an_exercise_takes_five_to_eight_minutes_by_the_length_of_its_solution(lines, minutes):
    assert (
        lessons.exercise_minutes("```python\ndef f(x):\n" + "    x = 1\n\n" * lines + "```")
        == minutes
    )


def stored(**data):
    return {"output_type": "display_data", "data": data, "metadata": {}}


SLIDER = {"text/plain": "A slider for h. Run this cell in Jupyter to move it; a figure nearby."}


@pytest.mark.parametrize(
    ("output", "minutes"),
    [
        (stored(**{"text/markdown": "```python\n" + "x = 1\n" * 12 + "```"}), 2),
        (stored(**{"text/markdown": "word " * 300}), 2),
        (stored(**{lessons.EXHIBIT_TYPE: {}, **SLIDER}), 3),
        (stored(**SLIDER), 1),
        (picture(), 1),
        (PRINTED, 0),
    ],
    ids=["source", "table", "exhibit", "slider", "figure", "numbers"],
)
def test_what_a_cell_shows_takes_time(output, minutes):
    shown = code("x = 1", "shown", output, source_hidden=True)
    assert lessons.count([shown]).minutes == minutes


def test_all_imports_of_a_cell_count_as_one_line():
    text = "import numpy as np\n\nfrom lectures_lib import (\n    a,\n    b,\n)\n\nx = 1"
    assert lessons.open_lines(code(text)) == 2


def test_what_to_read_elsewhere_and_questions_for_the_class_are_no_part_of_the_core():
    notebook = lesson()
    cell(notebook, "end")["source"] += "\n\n## Further reading\n\n- " + "word " * 1500
    core, further = map(lessons.count, lessons.core_and_further(notebook))
    assert core == lessons.count(lessons.core_and_further(lesson())[0])
    assert further.minutes > 110


def test_a_list_for_further_reading_is_no_part_further():
    notebook = lesson()
    cell(notebook, "further")["source"] = "## Further reading"
    names = [one["id"] for one in lessons.core_and_further(notebook)[0]]
    assert names == [one["id"] for one in notebook["cells"]]


def test_the_command_prints_what_to_state(tmp_path, capsys):
    path = tmp_path / "01_small.ipynb"
    path.write_text(json.dumps(lesson()))
    reading_time.main([str(path), "--problems"])
    assert "state 25\n" in capsys.readouterr().out
