"""Damaged notebooks: the grader never breaks, and never gives points by accident."""

import json
import re
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_homework.instructor.grade import grade
from lectures_homework.instructor.notebook import ReadSubmission, read

from .conftest import FULL, HONEST, QUICK, book, toy

NAMES = ("double", "total", "q3")
SOUND = book(*HONEST)
#: What must be whole to earn the points of a question (blanks and comments apart).
ANSWERS = {("defdouble(x):", "return2*np.asarray(x)"): 3, ('q3="B"',): 1}
ANSWERS |= {("deftotal(values):", "forvalueinvalues:", "result+=value", "returnresult"): 3}
junk = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
trees = st.recursive(
    junk,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["cells", "source", "cell_type", "metadata", "x"]), inner)
    ),
    max_leaves=8,
)


@st.composite
def cut(draw):
    """A file without its end, or without its beginning."""
    place = draw(st.integers(0, len(SOUND)))
    return SOUND[:place] if draw(st.booleans()) else SOUND[place:]


@st.composite
def scratched(draw):
    """A file with some bytes replaced, removed or put in."""
    content = bytearray(SOUND.encode())
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(content) - 1))
        content[place : place + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(content)


@st.composite
def shuffled(draw):
    """Cells in another order, some of them twice, some gone, some of another type."""
    tree = json.loads(SOUND)
    cells = draw(st.lists(st.sampled_from(tree["cells"]), max_size=9))
    kinds = st.sampled_from(["code", "markdown", "raw", "heading", None, 3])
    changed = draw(st.integers(0, 9))
    tree["cells"] = [
        {**cell, "cell_type": draw(kinds)} if number == changed else cell
        for number, cell in enumerate(cells)
    ]
    return json.dumps(tree)


@st.composite
def mistyped(draw):
    """A notebook with something of a wrong type in one place."""
    tree = json.loads(SOUND)
    place = draw(st.sampled_from(["book", "cells", "cell", "source", "type", "metadata", "ours"]))
    wrong = draw(trees)
    number = draw(st.integers(0, len(tree["cells"]) - 1))
    if place == "cell":
        tree["cells"][number] = wrong
    elif place in ("source", "type"):
        tree["cells"][number]["source" if place == "source" else "cell_type"] = wrong
    elif place == "ours":
        tree["metadata"]["lectures_lib"] = wrong
    else:
        tree = wrong if place == "book" else {**tree, place: wrong}
    return json.dumps(tree)


@st.composite
def merged(draw):
    """A file with the marks of a merge in some lines."""
    lines = json.dumps(json.loads(SOUND), indent=1).split("\n")
    for mark in ("<<<<<<< HEAD", "=======", ">>>>>>> other"):
        lines.insert(draw(st.integers(0, len(lines))), mark)
    return "\n".join(lines)


damaged = st.binary(max_size=200) | st.text(max_size=200) | trees.map(json.dumps)
damaged = damaged | cut() | scratched() | shuffled() | mistyped() | merged()


def sentence(note: str) -> bool:
    return note[0].isupper() and note.endswith(".") and "\n" not in note


@settings(max_examples=200)
@given(damaged)
def test_any_file_can_be_read(content):
    handed = read(content, NAMES, ["q4"])
    assert isinstance(handed, ReadSubmission) and all(
        isinstance(cell, str) for cell in handed.cells
    )
    assert all(map(sentence, handed.notes))
    assert set(handed.by_hand) == {"q4"}
    json.dumps(handed.by_hand, ensure_ascii=False).encode()


@settings(max_examples=200)
@given(damaged)
def test_no_code_appears_that_was_not_handed_in(content):
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    known = {word for word in re.findall(r"\w+", text) if word.isascii()}
    for cell in read(content, NAMES).cells:
        for word in re.findall(r"[a-zA-Z_]{4,}", cell):
            assert any(word in seen for seen in known) or "\\" in text or not text.isascii()


def deserved(cells: list[str]) -> int:
    """The most that these cells can earn: only what is whole counts."""
    code = "".join("".join(cells).split())
    return sum(n for parts, n in ANSWERS.items() if all(part in code for part in parts))


@pytest.mark.usefixtures("box")
@settings(max_examples=25)
@given(damaged)
def test_no_damage_breaks_the_grader_or_earns_points(content):
    homework = toy().homework
    report = grade(homework, content, limits=QUICK)
    assert len(report.verdicts) == len(homework.checks) + 1
    assert 0 <= report.points <= deserved(read(content, NAMES).cells)
    assert all(map(sentence, report.notes))
    json.dumps(asdict(report)).encode()


@pytest.mark.usefixtures("box")
@settings(max_examples=6)
@given(st.permutations(HONEST[1:]))
def test_the_order_of_the_cells_does_not_matter(cells):
    text = book(HONEST[0], *cells)
    assert grade(toy().homework, text, limits=QUICK).points == FULL
