"""Whatever was handed in is read as far as possible, and a sentence says what was repaired."""

import io
import json
import time
import zipfile

import pytest

from lectures_homework.instructor import notebook
from lectures_homework.instructor.notebook import read

from .conftest import DOUBLE, HONEST, IMPORTS, QUIZ, TOTAL, book

NAMES = ["double", "total", "q3"]


def opened(given, by_hand=("q4",)):
    return read(given, NAMES, by_hand)


def test_a_sound_notebook_is_read_without_a_note():
    handed = opened(book(*HONEST))
    assert handed.cells == list(HONEST)
    assert handed.by_hand == {"q4": "Because 2 x = x + x."}
    assert (handed.notes, handed.seed, handed.homework) == ([], 0, "hw9")


def test_a_path_bytes_and_a_text_are_the_same(tmp_path):
    path = tmp_path / "any name.txt"
    path.write_text(book(*HONEST), encoding="utf-8")
    assert opened(path) == opened(path.read_bytes()) == opened(book(*HONEST))


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_other_encodings_are_read(encoding):
    mark = {"utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    text = json.dumps(
        {"cells": [{"cell_type": "code", "source": "# ü\n" + DOUBLE}]}, ensure_ascii=False
    )
    handed = opened(mark + text.encode(encoding), by_hand=())
    assert handed.cells == ["# ü\n" + DOUBLE]
    assert handed.notes == [] or "not in UTF-8" in handed.notes[0]


def test_format_3_is_read():
    cells = [{"cell_type": "code", "input": [DOUBLE], "language": "python"}]
    cells += [{"cell_type": "markdown", "source": "**Answer q4.** So."}]
    handed = opened(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}))
    assert (handed.cells, handed.by_hand) == ([DOUBLE], {"q4": "So."})


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9, 0.999])
def test_of_a_cut_file_the_whole_cells_are_read(cut):
    text = book(*HONEST)
    handed = opened(text[: int(cut * len(text))])
    assert handed.cells == list(HONEST[: len(handed.cells)]) and handed.cells
    assert any("damaged" in note for note in handed.notes)


def test_text_behind_the_end_does_no_harm():
    assert opened(book(*HONEST) + "\n\x00garbage }").cells == list(HONEST)


MERGED = """\
<<<<<<< HEAD
{ours}
||||||| base
{base}
=======
{theirs}
>>>>>>> other
"""


def test_one_side_of_a_merge_is_read():
    sides = {"ours": book(*HONEST), "base": "{}", "theirs": book(IMPORTS)}
    handed = opened(MERGED.format(**sides))
    assert handed.cells == list(HONEST)
    assert handed.notes == ["The file has the marks of a merge; one side of each was read."]


def test_the_other_side_is_read_if_the_first_is_damaged():
    sides = {"ours": book(*HONEST)[:-40], "base": "", "theirs": book(IMPORTS)}
    assert opened(MERGED.format(**sides)).cells == [IMPORTS]


def test_a_merge_within_a_cell_is_read_too():
    cell = MERGED.format(ours=DOUBLE, base="", theirs="def double(x): return x").strip()
    handed = opened(book(IMPORTS, cell, TOTAL, QUIZ))
    assert handed.cells[1] == DOUBLE
    assert "marks of a merge" in handed.notes[0]


def test_a_line_of_equal_signs_is_no_merge():
    cell = f'"""\n=======\nTitle\n=======\n"""\n{DOUBLE}'
    assert opened(book(cell)).cells == [cell]


@pytest.mark.parametrize("kind", ["markdown", "raw", "heading", None, 3])
def test_an_answer_in_a_cell_that_is_not_code_is_found(kind):
    text = json.loads(book(*HONEST))
    text["cells"][2]["cell_type"] = kind
    handed = opened(json.dumps(text))
    assert handed.cells == list(HONEST)
    assert handed.notes == ["The cell with double is no code cell; it was read all the same."]


def test_an_answer_in_fences_is_found():
    handed = opened(book(IMPORTS, words=f"```python\n{DOUBLE}\n```"), by_hand=())
    assert handed.cells == [IMPORTS, f"\n{DOUBLE}\n"]


def test_text_that_shows_a_function_does_not_replace_it():
    handed = opened(book(*HONEST, words="def double(x): return wrong"), by_hand=())
    assert handed.cells == list(HONEST)


def test_a_script_is_read_as_one_cell():
    handed = opened(f"{IMPORTS}\n{DOUBLE}\n", by_hand=())
    assert handed.cells == [f"{IMPORTS}\n{DOUBLE}\n"]
    assert handed.notes == ["The file is no notebook; it was read as a Python script."]


@pytest.mark.parametrize(
    "start", ["**Answer q4.**", "**Answer q4**:", "answer Q4", "## Answer to q4.", "> Answer q4:"]
)
def test_an_answer_in_words_is_found_by_its_heading(start):
    assert opened(book(words=f"{start} Yes, $2x$.")).by_hand == {"q4": "Yes, $2x$."}


@pytest.mark.parametrize("between", [" ", "\n\n"])
def test_an_answer_in_words_is_kept_as_it_was_written(between):
    handed = opened(book(words=f"**Answer q4.**{between}*First* and _then_."))
    assert handed.by_hand["q4"] == "*First* and _then_."


def test_an_answer_in_words_goes_on_in_the_next_cells():
    cells = [("markdown", "**Answer q4.** First."), ("markdown", "Then."), ("raw", "Last.")]
    cells += [("markdown", "## q5. Another"), ("markdown", "not this")]
    made = [{"cell_type": kind, "source": text} for kind, text in cells]
    handed = opened(json.dumps({"cells": made}))
    assert handed.by_hand == {"q4": "First.\n\nThen.\n\nLast."}


def test_an_answer_in_words_in_a_code_cell_is_words():
    handed = opened(book("**Answer q4.** Because.", DOUBLE, words=None))
    assert (handed.cells, handed.by_hand) == ([DOUBLE], {"q4": "Because."})


@pytest.mark.parametrize("text", ["**Answer q4.** *Write here.*", "**Answer q4.**", "nothing"])
def test_an_answer_that_was_not_written_is_told(text):
    handed = opened(book(*HONEST, words=text))
    assert handed.by_hand == {"q4": ""}
    assert handed.notes == ["There is no answer to q4, the question in words."]


def test_a_picture_in_an_answer_is_told():
    text = json.loads(book(*HONEST, words="**Answer q4.** ![proof](attachment:p.png)"))
    text["cells"][-1]["attachments"] = {"p.png": {"image/png": "AAAA"}}
    handed = opened(json.dumps(text))
    assert handed.notes == ["The answer to q4 has a picture: look at it in the notebook."]


def test_a_missing_file_is_told_in_a_sentence(tmp_path):
    handed = opened(tmp_path / "none.ipynb", by_hand=())
    assert handed.notes[0] == "The file cannot be read: No such file or directory."
    assert handed.cells == []


@pytest.mark.parametrize(
    "seed, kept", [(7, 7), (-1, None), (2**40, None), ("7", None), (True, None), (1.5, None)]
)
def test_only_a_proper_seed_is_believed(seed, kept):
    assert opened(book(*HONEST, seed=seed)).seed == kept


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        '{"cells": ' * 50_000,
        '{"cell_type": ' * 200_000,
        "[" * 1_000_000,
        '{"cells": [' + '{"cell_type": "code", "source": [1, null, {}]},' * 1000,
        "<<<<<<< \n" * 100_000,
    ],
    ids=["braces", "cells", "types", "brackets", "sources", "marks"],
)
def test_malice_costs_no_time(text):
    start = time.process_time()
    opened(text)
    assert time.process_time() - start < 3


def test_too_much_code_is_cut():
    handed = opened(book(IMPORTS, "#" * notebook.MOST_CODE, DOUBLE), by_hand=())
    assert handed.cells == [IMPORTS]
    assert handed.notes == ["The notebook has too much code; its end was left out."]


def test_a_comment_above_code_is_no_answer_in_words():
    cell = {"cell_type": "code", "source": "# Answer q2\ndef double(x):\n    return 2 * x"}
    assert read(json.dumps({"cells": [cell]}), ["double"]).cells == [cell["source"]]


def test_a_million_stars_take_no_time():
    cells = [{"cell_type": "markdown", "source": s} for s in ("Answer q4. x", "*" * 10**6 + "y")]
    start = time.process_time()
    assert read(json.dumps({"cells": cells}), [], ["q4"]).by_hand["q4"].startswith("x\n\n**")
    assert time.process_time() - start < 2


def zipped(*files, how=zipfile.ZIP_DEFLATED):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", how) as archive:
        for name, text in files:
            archive.writestr(name, text)
    return target.getvalue()


def test_the_one_notebook_of_a_zip_archive_is_read():
    more = ("__MACOSX/._hw9.ipynb", "x"), ("hw9/README.txt", "y")
    handed = opened(zipped(("hw9/hw9.ipynb", book(*HONEST)), *more))
    assert DOUBLE in handed.cells
    assert handed.notes == ["The file is a zip archive; the notebook in it was graded."]


def test_of_several_notebooks_in_an_archive_the_one_of_the_homework_is_read():
    archive = zipped(("b/notes.ipynb", "{}"), ("a/hw9_twice.ipynb", book(*HONEST)))
    handed = read(archive, NAMES, ("q4",), "hw9")
    assert handed.cells == list(HONEST)
    assert handed.notes == ["The file is a zip archive; a/hw9_twice.ipynb was graded."]


@pytest.mark.parametrize(
    "files",
    [
        (("x/My_HW9.IPYNB", book(*HONEST)),),
        (("HW9_mine.ipynb", book(*HONEST)), ("hw91.ipynb", "[]"), ("z.ipynb", "[1]")),
        (("a_hw9.ipynb", book(*HONEST)), ("z_hw9.ipynb", "{}")),
    ],
)
def test_in_an_archive_neither_capitals_nor_an_empty_notebook_hide_the_homework(files):
    assert read(zipped(*files), NAMES, ("q4",), "hw9").cells == list(HONEST)


@pytest.mark.parametrize("how", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_archive_is_called_damaged_however_it_was_packed(how):
    content = bytearray(zipped(("a.ipynb", book(*HONEST)), how=how))
    content[80:300] = bytes(220)
    handed = opened(bytes(content))
    assert handed.cells == []
    assert "zip archive that cannot be opened" in handed.notes[0]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (zipped(("a.txt", "x")), "with no notebook"),
        (zipped(("a.ipynb", " " * 30_000_000)), "too large to open"),
        (zipped(("a.ipynb", book(*HONEST)))[:200], "that cannot be opened"),
    ],
)
def test_another_archive_is_called_what_it_is(content, reason):
    handed = opened(content)
    assert handed.cells == []
    assert f"zip archive {reason}" in handed.notes[0]
