"""Who handed in what: the files of a folder, by student.

Three layouts are read: `alice.ipynb`, one file each; `alice/anything.ipynb`, one folder each, also
as Moodle names it (`Alice A_123_assignsubmission_file`); and Canvas's download,
`alicea_123_456_hw1.ipynb`.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

#: Nothing larger is read: a homework has a few hundred kilobytes.
LARGEST = 20 * 2**20

MOODLE = re.compile(r"(?P<student>.+)_(?P<id>\d+)_assignsubmission_\w+")
CANVAS = re.compile(r"(?P<student>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_.+")
#: Endings that are no part of a name: john.smith.ipynb is john.smith's.
ENDINGS = re.compile(r"(?:\.(?:ipynb|json|txt|py|html?|zip|pdf|docx?))+\Z", re.IGNORECASE)
#: What archives of other systems leave behind.
NOBODY = ("__MACOSX", "Thumbs.db", "desktop.ini", ".DS_Store", ".ipynb_checkpoints", ".git")


@dataclass(frozen=True)
class Submission:
    """One student's file; `notes` says what was odd about finding it."""

    student: str
    path: Path | None  #: None: there is nothing to grade
    identity: str = ""  #: the number that Canvas or Moodle put into the name
    notes: tuple[str, ...] = field(default=())
    participant: bool = False  #: the number is Moodle's
    namesake: str = ""  #: the name alone, where the number has joined it

    @property
    def login(self) -> str:
        """The name as it was handed in."""
        return self.namesake or self.student

    def read(self) -> bytes:
        """Return the bytes of the file; none if it is missing or too large."""
        if self.path is None:
            return b""
        with self.path.open("rb") as file:
            content = file.read(LARGEST + 1)
        return content if len(content) <= LARGEST else b""


def find(folder: Path, homework: str) -> list[Submission]:
    """Return the submissions in a folder, one for each student, in the order of their names."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder: name the one that holds the submissions.")
    found: dict[tuple[str, str], Submission] = {}
    for path in sorted(folder.iterdir()):
        if _passed_over(path):
            continue
        new = _of_folder(path, homework) if path.is_dir() else _of_file(path)
        key = (new.student, new.identity)
        found[key] = _later(found[key], new) if key in found else new
    if not found:
        more = skipped(folder)
        why = f"holds only links and hidden files ({', '.join(more)})" if more else "is empty"
        raise ValueError(f"{folder} {why}: there is nothing to grade.")
    return sorted(_told_apart(found.values()), key=lambda submission: submission.student)


def skipped(folder: Path) -> list[str]:
    """Return what is in a folder and is not read: links, and names that begin with a dot."""
    names = [_printable(path.name) for path in sorted(folder.iterdir()) if _passed_over(path)]
    return [name for name in names if name not in NOBODY]


def _passed_over(path: Path) -> bool:
    return path.name.startswith(".") or path.name in NOBODY or path.is_symlink()


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


def _printable(name: str) -> str:
    """Return a file's name as text that can be written; one spelling for each accent."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "backslashreplace").decode("utf-8"))


def _of_file(path: Path) -> Submission:
    if named := CANVAS.fullmatch(path.stem):
        return _checked(Submission(_printable(named["student"]), path, named["id"]))
    return _checked(Submission(_printable(ENDINGS.sub("", path.name)), path))


def _of_folder(folder: Path, homework: str) -> Submission:
    name = _printable(folder.name)
    named = MOODLE.fullmatch(name.rstrip("_"))
    student, identity = (named["student"], named["id"]) if named else (name, "")
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and not p.is_symlink()]
    files = [p for p in files if not _is_hidden(p.relative_to(folder))]
    notebooks = [p for p in files if p.suffix == ".ipynb"] or files
    if not notebooks:
        none = ("The folder holds no file.",)
        return Submission(student, None, identity, none, participant=bool(named))
    best = max(notebooks, key=lambda p: (homework in p.name.lower(), p.stat().st_mtime, p.name))
    name = _printable(best.name)
    notes = () if len(notebooks) == 1 else (f"Of {len(notebooks)} files, {name} was graded.",)
    return _checked(Submission(student, best, identity, notes, participant=bool(named)))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part in NOBODY for part in path.parts)


def _checked(submission: Submission) -> Submission:
    """Add what is odd about the file itself."""
    notes, path, name = [*submission.notes], submission.path, _printable(submission.path.name)
    if not path.is_file():  # reading a pipe would never end
        return replace(submission, path=None, notes=(*notes, f"{name} is no file to be read."))
    if path.suffix != ".ipynb":
        notes.append(f"{name} is not named *.ipynb; it was read all the same.")
    if path.stat().st_size > LARGEST:
        notes.append(f"The file is larger than {LARGEST // 2**20} MB and was not read.")
    return replace(submission, notes=tuple(notes))


def _later(old: Submission, new: Submission) -> Submission:
    """Of two files of one student the later one counts, and it says so."""
    times = [s.path.stat().st_mtime if s.path else 0.0 for s in (old, new)]
    kept, other = (new, old) if times[1] >= times[0] else (old, new)
    if other.path is None:
        return kept
    names = [_printable(one.path.name) for one in (other, kept)]
    note = f"There is also {names[0]}; {names[1]} is newer and was graded."
    return replace(kept, notes=(*kept.notes, note))
