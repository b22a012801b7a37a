"""Read what was handed in, whatever happened to it: code, answers in words, what was repaired.

Nothing here raises and nothing runs code. Cells are not recognised by their place: functions are
found by name later, answers in words by their heading `**Answer q6.**`.
"""

import codecs
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Longer files are not read, and longer code or answers are cut.
MOST_BYTES, MOST_CODE, MOST_WORDS = 20_000_000, 1_000_000, 50_000
MARKERS = re.compile(r"^(<{7}|\|{7}|={7}|>{7})(\s.*)?$")
ZIP = b"PK\x03\x04"
ANSWER = re.compile(r"\A[\s*_#>]*answer\s+(?:to\s+)?(q\d+)\b[.:]*[*_]*[.:]*", re.IGNORECASE)
EMPTY = ("", "write here", "write here.")  # an answer without its blanks and stars
BLANK = " \t\r\n*_"
CELL = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata|source|outputs)"')
MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32"}  # longest first
MARKS |= {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
MARKS |= {codecs.BOM_UTF8: "utf-8-sig"}


@dataclass
class ReadSubmission:
    """A submission as far as it can be read."""

    cells: list[str] = field(default_factory=list)  #: the code, in order
    by_hand: dict[str, str] = field(default_factory=dict)  #: answers in words, by question
    notes: list[str] = field(default_factory=list)  #: one sentence for each repair or loss
    seed: int | None = None
    homework: str | None = None


@dataclass(frozen=True)
class Cell:
    """One cell of any format: "code" or what else it is, and its text."""

    kind: str
    text: str
    pictures: int = 0


def read(
    given: bytes | str | Path,
    names: Sequence[str] = (),
    by_hand: Iterable[str] = (),
    homework: str = "",
) -> ReadSubmission:
    """Return the code and the answers of a submission.

    `names` are the functions and quiz variables asked for, `by_hand` the questions in words. A
    string is the text itself. `homework` chooses among the notebooks of an archive.
    """
    handed = ReadSubmission()
    text = _text(given, handed.notes, homework)
    book = _book(text, handed.notes) if text.strip() else None
    cells = list(_cells(book, text, handed.notes))
    _about(book, handed)
    handed.cells = list(_code(cells, names, handed.notes))
    handed.by_hand = _words(cells, list(by_hand), handed.notes)
    if not handed.cells:
        handed.notes.append("There is no code in the file.")
    return handed


# --- from bytes to cells -------------------------------------------------------------------------


def _text(given: bytes | str | Path, notes: list[str], homework: str) -> str:
    if isinstance(given, str):
        given = given.encode("utf-8", "replace")
    if isinstance(given, Path):
        try:
            with given.open("rb") as file:
                given = file.read(MOST_BYTES + 1)
        except OSError as error:
            notes.append(f"The file cannot be read: {error.strerror}.")
            return ""
    if len(given) > MOST_BYTES:
        most = MOST_BYTES // 1_000_000
        notes.append(f"The file is longer than {most} MB: clear its outputs and hand it in again.")
        return ""
    given = bytes(given)
    return _decoded(_unzipped(given, notes, homework) if given.startswith(ZIP) else given, notes)


def _unzipped(content: bytes, notes: list[str], homework: str) -> bytes:
    """Return the notebook in a zip archive: bundles are handed out so.

    Of several the one with the homework's name counts, then the newest, as in a folder; an empty
    one counts last.
    """
    asked = re.compile(rf"{re.escape(homework)}(?!\d)", re.IGNORECASE)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            inside = [one for one in archive.infolist() if _is_notebook(one.filename)]
            inside.sort(key=lambda one: (one.date_time, one.filename))
            inside.sort(key=lambda one: (one.file_size > 2, bool(asked.search(one.filename))))
            if inside and inside[-1].file_size <= MOST_BYTES:
                with archive.open(inside[-1]) as file:
                    content = file.read(MOST_BYTES)
                chosen = inside[-1].filename if len(inside) > 1 else "the notebook in it"
                notes.append(f"The file is a zip archive; {chosen} was graded.")
                return content
        reason = "too large to open" if inside else "with no notebook in it"
    except Exception:  # a damaged archive raises whatever its compression does
        reason = "that cannot be opened"
    notes.append(f"The file is a zip archive {reason}: ask for the notebook itself.")
    return b""


def _is_notebook(name: str) -> bool:
    return (
        name.lower().endswith(".ipynb")
        and not name.startswith("__MACOSX")
        and "/." not in f"/{name}"
    )


def _decoded(content: bytes, notes: list[str]) -> str:
    coding = next((name for mark, name in MARKS.items() if content.startswith(mark)), "utf-8")
    if coding == "utf-8" and content[1:2] == b"\0":
        coding = "utf-16-le"
    try:
        text = content.decode(coding)
    except UnicodeDecodeError:
        coding, text = "an unknown encoding", content.decode("cp1252", "replace")
    if coding not in ("utf-8", "utf-8-sig"):
        notes.append(f"The file was not in UTF-8; it was read as {coding.replace('an un', 'un')}.")
    return text


def _book(text: str, notes: list[str]) -> Any:
    """Return the parsed file; None if it is not JSON."""
    if _has_markers(text) and "{" in text:
        for side in (0, 1):
            book = _json(_one_side(text, side))
            if book is not None:
                notes.append("The file has the marks of a merge; one side of each was read.")
                return book
    return _json(text)


def _json(text: str) -> Any:
    try:
        return json.JSONDecoder(strict=False).raw_decode(text.lstrip())[0]
    except (ValueError, RecursionError):
        return None


def _has_markers(text: str) -> bool:
    return "<<<<<<<" in text or ">>>>>>>" in text


def _one_side(text: str, side: int) -> str:
    """Return a text without the marks of a merge: side 0 or side 1 of every conflict."""
    kept, inside = [], None
    for line in text.split("\n"):
        mark = MARKERS.match(line.strip("\r"))
        if mark and (mark[1][0] in "<>" or inside is not None):
            inside = {"<": 0, "|": 2, "=": 1, ">": None}[mark[1][0]]
        elif inside in (None, side):
            kept.append(line)
    return "\n".join(kept)


def _cells(book: Any, text: str, notes: list[str]) -> Iterator[Cell]:
    """Yield the cells of a notebook of format 3 or 4, of what is left of one, or of a script."""
    raw = list(_raw_cells(book))
    if not raw and text.strip():
        raw = _salvaged(text)
        if raw:
            notes.append(f"The file is damaged; {len(raw)} of its cells could be read.")
        elif not isinstance(book, dict | list):
            notes.append("The file is no notebook; it was read as a Python script.")
            raw = [{"cell_type": "code", "source": text}]
    odd = 0
    for cell in raw:
        made = _cell(cell)
        odd += made is None
        if made is not None:
            yield made
    if odd:
        notes.append(f"Of the cells in the file {odd} cannot be read.")


def _raw_cells(book: Any) -> Iterator[Any]:
    if isinstance(book, list):
        yield from (cell for cell in book if isinstance(cell, dict))
    if not isinstance(book, dict):
        return
    sheets = book.get("worksheets")
    for holder in (book, *(sheets if isinstance(sheets, list) else ())):
        cells = holder.get("cells") if isinstance(holder, dict) else None
        yield from cells if isinstance(cells, list) else ()


def _salvaged(text: str) -> list[dict]:
    """Return the cells in a broken file that are whole themselves."""
    decoder, found, place, failures = json.JSONDecoder(strict=False), [], 0, 0
    while failures < 20 and (start := CELL.search(text, place)):
        try:
            cell, place = decoder.raw_decode(text, start.start())
            if "source" in cell or "input" in cell:
                found.append(cell)
        except (ValueError, RecursionError):
            failures, place = failures + 1, start.end()
    return found


def _cell(cell: Any) -> Cell | None:
    if not isinstance(cell, dict):
        return None
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return None
    pictures = cell.get("attachments")
    source = source.encode("utf-8", "replace").decode("utf-8")
    count = len(pictures) if isinstance(pictures, dict) else 0
    return Cell("code" if cell.get("cell_type") == "code" else "text", source, count)


def _about(book: Any, handed: ReadSubmission) -> None:
    """Find which homework it says it is, and for which seed."""
    for key in ("metadata", "lectures_lib"):
        book = book.get(key) if isinstance(book, dict) else None
    if isinstance(book, dict):
        seed, homework = book.get("seed"), book.get("homework")
        handed.seed = seed if type(seed) is int and 0 <= seed < 2**32 else None
        handed.homework = homework[:40] if isinstance(homework, str) else None


# --- what the cells hold -------------------------------------------------------------------------


def _code(cells: list[Cell], names: Sequence[str], notes: list[str]) -> Iterator[str]:
    """Yield the code cells, and those that hold an answer but are no longer code cells."""
    asked = {name: re.compile(_DEFINES.format(re.escape(name)), re.MULTILINE) for name in names}
    code = "\n".join(cell.text for cell in cells if cell.kind == "code")
    lost = {name: pattern for name, pattern in asked.items() if not pattern.search(code)}
    room = MOST_CODE
    for cell in cells:
        text, back = cell.text, [n for n, p in lost.items() if p.search(cell.text)]
        if cell.kind == "code" and ANSWER.match(text) and not text.lstrip().startswith("#"):
            continue  # words; but "# Answer q2" is a comment above code
        if cell.kind != "code" and not back:
            continue
        if cell.kind != "code":
            notes.append(f"The cell with {back[0]} is no code cell; it was read all the same.")
            text = "\n".join("" if line.startswith("```") else line for line in text.split("\n"))
        if _has_markers(text):
            text = _one_side(text, 0)
            notes.append("A cell has the marks of a merge; the first side of each was read.")
        if len(text) > room:
            notes.append("The notebook has too much code; its end was left out.")
            return
        room -= len(text)
        yield text


#: How a cell begins to define a name: a function or a variable.
_DEFINES = r"^(?:def\s+{0}\s*\(|{0}\s*=[^=])"


def _words(cells: list[Cell], questions: list[str], notes: list[str]) -> dict[str, str]:
    """Return the answers in words; an answer goes on in the text cells that follow it."""
    found: dict[str, list[str]] = {question: [] for question in questions}
    pictured: set[str] = set()
    current = None
    for cell in cells:
        start = ANSWER.match(cell.text)
        if start:
            current = start[1].lower()
        elif cell.kind == "code" or cell.text.lstrip().startswith("#"):
            current = None
        if current in found:
            text = cell.text[start.end() :] if start else cell.text
            found[current] += [] if text.strip(BLANK).lower() in EMPTY else [text.strip()]
            pictured |= {current} if cell.pictures else set()
    for question in questions:
        if question in pictured:
            notes.append(f"The answer to {question} has a picture: look at it in the notebook.")
        elif not found[question]:
            notes.append(f"There is no answer to {question}, the question in words.")
    return {question: "\n\n".join(texts)[:MOST_WORDS] for question, texts in found.items()}
