"""Who handed in what: the files of a folder, by student.

These layouts are read: `alice.ipynb`, one file each; `alice/anything.ipynb`, one folder each;
Moodle's downloads, in folders (`Alice A_123_assignsubmission_file_`) or flat
(`Alice A_123_assignsubmission_file_hw1.ipynb`), by name or blind (`Participant_123_...`); and
Canvas's, `alicea_123_456_hw1.ipynb` or anonymous, `anon_x7Qp2_456_hw1.ipynb`. Whatever a student
handed in besides the file that is graded, a proof as PDF, a photo, an online text, is an
attachment: it is named, and never graded instead.
"""

import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from .late import Due

#: Nothing larger is read: a homework has a few hundred kilobytes.
MAX_BYTES = 20 * 2**20

MOODLE = re.compile(
    r"(?P<student>.+?)(?:_(?P<id>\d+))?_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.DOTALL
)
#: Canvas's names, by name and anonymous; what was typed into its page has no number of a file.
_FILE = r"_(?P<file>\d+_.+|text\.html|link\.html)"
CANVAS = re.compile(r"(?P<student>\w+?)_(?P<late>LATE_)?(?P<id>\d+)" + _FILE, re.DOTALL)
ANONYMOUS = re.compile(r"(?P<late>LATE_)?(?P<student>anon_[^_]+)" + _FILE, re.DOTALL)
#: Names of downloads that are not read.
OTHER_SYSTEMS = {
    "Blackboard": re.compile(r".+_attempt_\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d.*", re.DOTALL),
    "Brightspace": re.compile(r"\d+-\d+ ?- .+ ?- .*\d{4}.*", re.DOTALL),
}
#: Endings that are no part of a name: john.smith.ipynb is john.smith's.
ENDINGS = re.compile(
    r"(?:\.(?:ipynb|json|txt|md|py|html?|zip|pdf|docx?|odt|rtf|tex|png|jpe?g|gif|heic|webp))+\Z",
    re.IGNORECASE,
)
#: What may hold a homework, the best first: a notebook, an archive of one, a renamed one, a script.
NOTEBOOK, ARCHIVE, RENAMED, SCRIPT, OTHER = 4, 3, 2, 1, 0
#: What archives of other systems leave behind.
NOBODY = ("__MACOSX", "Thumbs.db", "desktop.ini", ".DS_Store", ".ipynb_checkpoints", ".git")
#: Control characters, ends of lines, and what turns the order of the letters that follow.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
#: What Canvas says of a file after the date.
LATE = "Canvas calls it late."


@dataclass(frozen=True)
class Owner:
    """Whose a file or a folder is, as its name says."""

    student: str
    identity: str = ""  #: the number that Canvas or Moodle put into the name
    participant: bool = False  #: the number is Moodle's


@dataclass(frozen=True)
class HandedFile:
    """One file of a student."""

    path: Path
    name: str  #: without what Canvas or Moodle put in front
    late: bool = False


@dataclass(frozen=True)
class Submission:
    """One student's file; `notes` says what was odd about finding it."""

    student: str
    path: Path | None  #: None: there is nothing to grade
    identity: str = ""  #: the number that Canvas or Moodle put into the name
    notes: tuple[str, ...] = field(default=())
    participant: bool = False  #: the number is Moodle's
    namesake: str = ""  #: the name alone, where the number has joined it
    attachments: tuple[Path, ...] = ()  #: what else was handed in, for a person to look at
    costs: float = 0.0  #: points that being late costs

    @property
    def login(self) -> str:
        """The name as it was handed in."""
        return self.namesake or self.student

    def read(self) -> bytes:
        """Return the bytes of the file; none if it is missing or too large."""
        if self.path is None:
            return b""
        with self.path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        return content if len(content) <= MAX_BYTES else b""


def find(folder: Path, homework: str, due: Due | None = None) -> list[Submission]:
    """Return the submissions in a folder, one for each student, in the order of their names.

    With a deadline a file in time counts before a late one.
    """
    if folder.suffix.lower() == ".zip" and folder.is_file():
        raise ValueError(f"{folder} is an archive: unpack it, and name the folder that comes out.")
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder: name the one that holds the submissions.")
    files: dict[Owner, list[HandedFile]] = {}
    for path in sorted(folder.iterdir()):
        if not _passed_over(path):
            owner, handed = _of_folder(path) if path.is_dir() else _of_file(path)
            files.setdefault(owner, []).extend(handed)
    _no_other_system(folder)
    if not files:
        more = skipped(folder)
        why = f"holds only links and hidden files ({', '.join(more)})" if more else "is empty"
        raise ValueError(f"{folder} {why}: there is nothing to grade.")
    found = [_submission(owner, handed, homework, due) for owner, handed in files.items()]
    return sorted(_legible(_told_apart(found)), key=lambda submission: submission.student)


def _no_other_system(folder: Path) -> None:
    """Refuse downloads in which one student has several names: each would be a student."""
    names = [printable(path.name) for path in folder.iterdir()]
    for system, form in OTHER_SYSTEMS.items():
        like = [name for name in names if form.fullmatch(name)]
        if like:
            raise ValueError(
                f"{shown(like[0])} looks like a download of {system}, which is not read: put each "
                "student's files into a folder of the student's name, and grade the folder above."
            )


def skipped(folder: Path) -> list[str]:
    """Return what is in a folder and is not read: links, and names that begin with a dot."""
    names = [printable(path.name) for path in sorted(folder.iterdir()) if _passed_over(path)]
    return [name for name in names if name not in NOBODY]


def printable(name: str) -> str:
    """Return a file's name as text that can be written; one spelling for each accent."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "backslashreplace").decode("utf-8"))


def shown(name: str) -> str:
    """Return a name for a terminal: what a student chose must not move its cursor."""
    return "".join("?" if unicodedata.category(c)[0] == "C" else c for c in printable(name))


def legible(name: str) -> str:
    """Return a name without what moves a cursor, ends a line or turns the order of letters."""
    return "".join("?" if UNSEEN.match(c) else c for c in name)


# --- whose it is ---------------------------------------------------------------------------------


def _passed_over(path: Path) -> bool:
    return path.name.startswith(".") or path.name in NOBODY or path.is_symlink()


def _of_file(path: Path) -> tuple[Owner, list[HandedFile]]:
    name = printable(path.name)
    if (named := MOODLE.fullmatch(name)) and named["file"]:
        return _participant(named), [HandedFile(path, named["file"])]
    if named := ANONYMOUS.fullmatch(name) or CANVAS.fullmatch(name):
        owner = Owner(named["student"], named.groupdict().get("id", ""))
        return owner, [HandedFile(path, named["file"], late=bool(named["late"]))]
    return Owner(ENDINGS.sub("", name)), [HandedFile(path, name)]


def _of_folder(folder: Path) -> tuple[Owner, list[HandedFile]]:
    name = printable(folder.name)
    named = MOODLE.fullmatch(name)
    return _participant(named) if named else Owner(name), list(_inside(folder))


def _participant(named: re.Match) -> Owner:
    """Return a student of Moodle; where names are hidden the number is the name.

    Who is in no group of an assignment for groups has a name in common, and no number.
    """
    if not named["id"]:
        return Owner(named["student"])
    blind = named["student"].casefold() == "participant"
    return Owner(f"Participant {named['id']}" if blind else named["student"], named["id"], True)


def _inside(folder: Path) -> Iterator[HandedFile]:
    for path in sorted(folder.rglob("*")):
        hidden = any(p.startswith(".") or p in NOBODY for p in path.relative_to(folder).parts)
        below = path.resolve().is_relative_to(folder.resolve())
        if path.is_file() and not path.is_symlink() and not hidden and below:
            yield HandedFile(path, printable(path.name))


def _told_apart(found: Iterable[Submission]) -> list[Submission]:
    """Two students of one name are two students: the number of each joins the name."""
    found = list(found)
    often = Counter(one.student for one in found)
    return [
        replace(one, student=f"{one.student} ({one.identity})", namesake=one.student)
        if often[one.student] > 1 and one.identity
        else one
        for one in found
    ]


def _legible(found: Iterable[Submission]) -> list[Submission]:
    """Take control characters out of the names; where two become one, a number tells them apart."""
    found = list(found)
    taken = {one.student for one in found if legible(one.student) == one.student}
    for place, one in enumerate(found):
        if (name := legible(one.student)) != one.student:
            free = (n for n in count(2) if f"{name} ({n})" not in taken)
            name = name if name not in taken else f"{name} ({next(free)})"
            taken.add(name)
            found[place] = replace(one, student=name, namesake=legible(one.namesake))
    return found


# --- which file counts ---------------------------------------------------------------------------


def _submission(
    owner: Owner, handed: list[HandedFile], homework: str, due: Due | None = None
) -> Submission:
    """Return what is graded of a student: the first in the ranking; the rest is attached."""
    ranked = sorted(handed, key=lambda one: rank(one, homework, due), reverse=True)
    about: dict[str, Any] = {"identity": owner.identity, "participant": owner.participant}
    if not ranked:
        return Submission(owner.student, None, notes=("The folder holds no file.",), **about)
    best, kind = ranked[0], kind_of(ranked[0].path)
    named = printable(best.path.name)
    if not best.path.is_file():  # reading a pipe would never end
        return Submission(owner.student, None, notes=(f"{named} is no file to be read.",), **about)
    attached = tuple(one.path for one in ranked[kind not in (ARCHIVE, OTHER) :])
    if kind == OTHER:
        others = ", ".join(printable(path.name) for path in attached)
        notes = (f"There is no notebook, only {others}.",)
        return Submission(owner.student, None, notes=notes, attachments=attached, **about)
    others = [one for one in ranked[1:] if kind_of(one.path) >= RENAMED]
    notes = tuple(_odd(best, kind, others))
    late = due.days(best.path, best.late) if due else 0
    if due and late:
        notes, about["costs"] = (*(n for n in notes if n != LATE), due.note(late)), late * due.cost
    elif due and (after := [one for one in others if due.days(one.path, one.late)]):
        names = ", ".join(printable(one.path.name) for one in after)
        notes = (*notes, f"After the deadline came {names}: the file in time counts.")
    return Submission(owner.student, best.path, notes=notes, attachments=attached, **about)


def rank(one: HandedFile, homework: str, due: Due | None = None) -> tuple:
    """Return the place of a file: notebook first, in time, the homework's name, time, and name."""
    named = bool(re.search(rf"{re.escape(homework)}(?!\d)", one.name, re.IGNORECASE))
    time, name = one.path.stat().st_mtime, _natural(ENDINGS.sub("", one.name))
    in_time = not (due and one.path.is_file() and due.days(one.path, one.late))
    return one.path.is_file(), kind_of(one.path), in_time, named, time, name, one.name


def _natural(name: str) -> list[tuple[str, int]]:
    """Return a key by which hw1-2 comes before hw1-10, and hw1 before both."""
    return [(text, int(n or -1)) for text, n in re.findall(r"(\D*)(\d{0,18})", name)]


def kind_of(path: Path) -> int:
    """Return how likely a file holds a homework, by its name."""
    name = path.name.lower()
    if name.endswith(".ipynb"):
        return NOTEBOOK
    if name.endswith(".zip"):
        return ARCHIVE if _holds_notebook(path) else OTHER
    if ".ipynb" in name or name.endswith(".json"):
        return RENAMED
    return SCRIPT if name.endswith((".py", ".txt")) or "." not in name else OTHER


def _holds_notebook(path: Path) -> bool:
    if not path.is_file() or path.stat().st_size > MAX_BYTES:
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.lower().endswith(".ipynb") for name in archive.namelist())
    except Exception:  # a damaged archive raises whatever it likes
        return False


def _odd(best: HandedFile, kind: int, others: list[HandedFile]) -> Iterator[str]:
    """Yield what is odd about a file that is graded, and about the choice."""
    name = printable(best.path.name)
    if others:
        more = ", ".join(printable(one.path.name) for one in others)
        yield f"Of {len(others) + 1} notebooks {name} was graded; there is also {more}."
    if best.late:
        yield LATE
    if kind in (RENAMED, SCRIPT):
        yield f"{name} is not named *.ipynb; it was read all the same."
    if best.path.stat().st_size > MAX_BYTES:
        yield f"The file is larger than {MAX_BYTES // 2**20} MB and was not read."


def compared(listed: Collection[str], students: Collection[str]) -> list[str]:
    """Say where the list of students and the submissions differ: a name may be misspelt."""
    if not listed:
        return []
    unknown = [name for name in students if name not in listed]
    absent = [name for name in listed if name not in students]
    differences = (
        ("not in the list, so with the notebook's seed", unknown),
        ("no submission", absent),
    )
    return [f"{what}: {', '.join(names)}" for what, names in differences if names]
