"""Notebooks that are alike are named, with how alike; what everybody was given counts nothing."""

import json

import pytest

from lectures_homework.instructor import similar
from lectures_homework.instructor.batch import GradedSubmission
from lectures_homework.instructor.grade import Report
from lectures_homework.instructor.submissions import Submission

GIVEN = "import numpy as np\n" + "\n".join(f"given_{i} = np.arange({i})" for i in range(40))


def handed(folder, student, code):
    path = folder / f"{student}.ipynb"
    cells = [{"cell_type": "code", "source": text} for text in (GIVEN, code)]
    path.write_text(json.dumps({"cells": cells}))
    return GradedSubmission(Submission(student, path), Report("hw1", ()))


def program(word):
    return "\n".join(f"{word}_{i} = {word}_{i - 1} * {i} + {word}_0" for i in range(1, 30))


def test_two_equal_notebooks_of_a_class_are_named_and_nobody_else(tmp_path):
    words = {"alice": "a", "bob": "b", "carol": "a", "dan": "d", "eve": "e"}
    results = [handed(tmp_path, who, program(word)) for who, word in words.items()]
    assert similar.pairs(results) == [("alice", "carol", 1.0)]


def test_a_copy_with_a_changed_line_is_still_alike(tmp_path):
    text = program("a")
    results = [handed(tmp_path, "alice", text), handed(tmp_path, "bob", text + "\nx = 1")]
    results += [handed(tmp_path, who, program(who)) for who in ("carol", "dan", "eve")]
    ((one, other, share),) = similar.pairs(results)
    assert (one, other) == ("alice", "bob") and 0.9 < share < 1


def test_most_of_a_class_may_have_copied_one_notebook(tmp_path):
    given = {"cells": [{"cell_type": "code", "source": GIVEN}]}
    words = {"alice": "a", "bob": "a", "carol": "a", "dan": "d", "eve": ""}
    results = [handed(tmp_path, who, program(w) if w else "") for who, w in words.items()]
    results.append(handed(tmp_path, "fay", ""))  # nor has she written anything
    found = similar.pairs(results, given)
    assert {pair[:2] for pair in found} == {("alice", "bob"), ("alice", "carol"), ("bob", "carol")}
    assert similar.lines(found) == ["alice, bob and carol: 100% alike"]


def test_a_copy_under_another_seed_is_equal_where_most_of_a_class_has_it(tmp_path):
    given = {"cells": [{"cell_type": "code", "source": f"{GIVEN}\nSEED = 0"}]}
    codes = {f"s{seed}": f"{program('a')}\nSEED = {seed}" for seed in (3, 14, 159)}
    results = [handed(tmp_path, who, code) for who, code in codes.items()]
    assert similar.lines(similar.pairs(results, given)) == ["s14, s159 and s3: 100% alike"]


def test_groups_of_alike_notebooks_are_told_once_and_joined_where_they_meet():
    found = [("a", "b", 1.0), ("c", "d", 0.97), ("e", "f", 0.95), ("d", "b", 0.92)]
    assert similar.lines(found) == ["e and f: 95% alike", "a, b, c and d: 92% alike"]
    assert similar.lines([]) == []


@pytest.mark.parametrize("content", [b"\xff{", b"[" * 200_000, b'{"cells": 7}', b'{"cells": [7]}'])
def test_what_cannot_be_read_is_like_nothing(tmp_path, content):
    (tmp_path / "x.ipynb").write_bytes(content)
    broken = GradedSubmission(Submission("x", tmp_path / "x.ipynb"), Report("hw1", ()))
    none = GradedSubmission(Submission("y", None), Report("hw1", ()))
    assert similar.pairs([broken, broken, none]) == []
