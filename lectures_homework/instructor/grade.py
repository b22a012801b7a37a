"""Grade one submission: a verdict for every check, whatever was handed in.

Visible checks and quizzes come first, hidden checks last, so that nothing a student's code sees in
a hidden check can reach what is told. Points come from a pass and from nothing else.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..language.answers import Answers
from ..language.checks import FAIL, MISSING, PASS, Assignment, Call, Check, Quiz, Verdict, judge
from ..language.failures import Crashed, TimedOut
from ..sandbox.bubblewrap import Limits, Sandbox, require
from ..sandbox.inside import values
from ..sandbox.session import UNREAD, SandboxCall, Work, clean
from ..student.clock import time_limit
from . import notebook
from .diagnosis import PATIENCE, Tried, named
from .following import Judge, followed

#: For the instructor: nobody who computes does this.
ONLY_VISIBLE = "All visible checks hold and no hidden one: is this a table of known answers?"
RECITED = "on the inputs of the notebook and on no others: is this a table of known answers?"
A_NEWER = f"A line {UNREAD}: does a newer one read it? Then it is no mistake."
#: More notes than anybody reads are counted instead.
MOST_NOTES = 12
USUAL = Limits()


@dataclass(frozen=True)
class Report:
    """What a submission earned, and why."""

    homework: str
    verdicts: tuple[Verdict, ...]  #: of every check and every quiz
    notes: tuple[str, ...] = ()  #: what was repaired, skipped or lost, a sentence each
    by_hand: dict[str, str] = field(default_factory=dict)  #: answers in words, by question
    flags: tuple[str, ...] = ()  #: what only the instructor is told
    digest: str = ""  #: of the file handed in

    @property
    def points(self) -> float:
        """The points earned so far: those in words are given by hand."""
        return sum(v.points for v in self.verdicts if v.passed or v.reason)

    @property
    def out_of(self) -> int:
        """The points that could be earned without a hand."""
        return sum(verdict.out_of for verdict in self.verdicts)

    @classmethod
    def from_dict(cls, kept: dict[str, Any]) -> "Report":
        """Return the report that JSON made of `asdict` of it."""
        listed = {name: tuple(kept[name]) for name in ("notes", "flags")}
        verdicts = tuple(Verdict(**facts) for facts in kept["verdicts"])
        return cls(**kept | listed | {"verdicts": verdicts})


def grade(
    homework: Assignment,
    given: bytes | str | Path,
    *,
    answers: Answers | None = None,
    secret: str = "",
    limits: Limits = USUAL,
    seed: int | None = None,
    trust: bool = False,
    sandbox: Sandbox | None = None,
    solutions: Mapping[str, str] | None = None,
) -> Report:
    """Return the report on a submission: a path, the bytes of a file, or a notebook's text.

    `secret` varies the hidden inputs. `seed` is the student's (default: the one in the notebook).
    With `trust` there is no sandbox; without one SandboxError says what to do. `solutions` are
    texts by function: they take the place of wrong ones where later questions are judged.
    """
    place = sandbox or (Sandbox() if trust else require())
    names = [name for functions in homework.functions.values() for name in functions]
    handed = notebook.read(given, [*names, *homework.quizzes], homework.by_hand, homework.name)
    if handed.homework not in (None, homework.name):
        said = clean(handed.homework, 40)
        handed.notes.insert(0, f"The notebook says it is {said}; it was graded as {homework.name}.")
    seed, data = _data(homework, seed, handed)
    work = Work(homework.name, tuple(handed.cells), data, tuple(homework.quizzes))
    with SandboxCall(work, place, limits) as call:
        call.seed = seed
        verdicts = _verdicts(homework, call, answers, secret, solutions or {})
        every = [*handed.notes, *call.notes]
    flags = [*_flags(homework, verdicts), *([A_NEWER] if UNREAD in " ".join(every) else [])]
    return Report(homework.name, verdicts, _few(every), handed.by_hand, tuple(flags))


def _flags(homework: Assignment, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield what looks as if the answers to the visible checks were recited, not computed."""
    checks = [v for v in verdicts if v.question in homework.functions]
    visible, hidden = ([v for v in checks if v.hidden == kind] for kind in (False, True))
    if visible and hidden and all(v.passed for v in visible) and not any(v.passed for v in hidden):
        yield ONLY_VISIBLE
    recited = sum(v.recited for v in visible)
    if recited > 1 and recited >= len(visible) / 2:
        yield f"{recited} visible checks hold {RECITED}"


def _data(
    homework: Assignment, seed: int | None, handed: notebook.ReadSubmission
) -> tuple[int, str]:
    """Return the student's seed and the data made from it, as text."""
    seed = next((known for known in (seed, handed.seed) if known is not None), 0)
    try:
        return seed, values.encode(homework.data(seed))
    except Exception:
        handed.notes.append(f"There is no data for the seed {seed}; that of seed 0 was used.")
        return 0, values.encode(homework.data(0))


def _verdicts(
    homework: Assignment,
    call: SandboxCall,
    answers: Answers | None,
    secret: str,
    solutions: Mapping[str, str],
) -> tuple[Verdict, ...]:
    try:
        call.start()
    except (Crashed, TimedOut) as trouble:
        call.notes.append(f"No function can be called: {trouble}.")
    visible = judged([c for c in homework.checks if not c.hidden], call, secret)
    quizzes = list(_quizzed(homework, call))
    hidden = judged([c for c in homework.checks if c.hidden], call, secret)
    tried = followed(homework, [*visible, *hidden], solutions, _judge_again(call, secret))
    found = [*named(tried, answers), *quizzes]
    place = {question: number for number, question in enumerate(homework.questions)}
    return tuple(sorted(found, key=lambda verdict: place[verdict.question]))


def judged(checks: Iterable[Check], call: Call, secret: str = "") -> list[Tried]:
    """Run checks, each in a copy of its own of the student's process."""
    tried = []
    for check in checks:
        with time_limit(call.left + PATIENCE):  # a strange reply may keep the check itself busy
            verdict = judge(check, call, secret=secret)
        tried.append(Tried(check, verdict, tuple(call.log)))
    return tried


def _judge_again(call: SandboxCall, secret: str) -> Judge:
    """Return what judges checks on the same submission with more code, in another sandbox."""

    def judge_again(stack: ExitStack, texts: Mapping[str, str]) -> Callable[[Tried], Tried]:
        work = replace(call.work, cells=tuple(_replaced(call.work.cells, texts)))
        limits = replace(call.limits, total=call.left)
        other = stack.enter_context(SandboxCall(work, call.sandbox, limits))
        other.seed = call.seed
        other.late = {name: often for name, often in call.late.items() if name not in texts}
        return lambda one: judged([one.check], other, secret)[0]

    return judge_again


def _replaced(cells: Sequence[str], texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the cells, each with the texts of the functions that it defines after it, and all last.

    So a name that a later cell gives to a function means the right one, too.
    """
    for cell in cells:
        yield cell
        yield from (text for name, text in texts.items() if re.search(rf"\b{name}\b", cell))
    yield from texts.values()


def _quizzed(homework: Assignment, call: SandboxCall) -> Iterator[Verdict]:
    call.fresh()
    for quiz in homework.quizzes.values():
        try:
            chosen = call.value(quiz.question)
        except Exception:
            chosen = None
        yield _chosen(quiz, chosen)


def _chosen(quiz: Quiz, chosen: Any) -> Verdict:
    letter = quiz.letter(chosen)
    about = "the right option", quiz.question, False
    if letter == quiz.right:
        return Verdict(*about, PASS, quiz.points, quiz.points)
    if letter:
        return Verdict(*about, FAIL, 0, quiz.points, got=letter, claim=quiz.why[letter])
    blank = chosen is None or (isinstance(chosen, str) and not chosen.strip())
    claim = "no option is chosen" if blank else "what is chosen is no option"
    return Verdict(*about, MISSING, 0, quiz.points, claim=claim)


def _few(notes: list[str]) -> tuple[str, ...]:
    if len(notes) <= MOST_NOTES:
        return tuple(notes)
    return (*notes[:MOST_NOTES], f"There were {len(notes) - MOST_NOTES} more notes like these.")
