"""What a student calls in the notebook: the visible checks, the quizzes, the last look.

Nothing here needs a network or a sandbox; it runs in JupyterLab and in the browser alike.
"""

import importlib
import linecache
import textwrap
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import __main__

from ..language.checks import MISSING, Assignment, Call, Verdict, judge
from ..language.failures import SECONDS, Crashed, Malformed, Missing, TimedOut
from ..language.shown import brief
from ..language.unchanged import and_unchanged
from ..sandbox.inside import values
from .allowed import foreign
from .browser import errors_of_the_grader, inside
from .clock import Overtime, time_limit
from .practice import chosen, drawn_anew, log_try
from .used import used_by

#: Columns of what is told: JupyterLab would break longer lines without an indent.
WIDTH = 100
#: About a function of an earlier question.
BLAME = "this uses your {}, which is not right yet: repair that first."
#: Characters of a line of code that is shown.
LONGEST_LINE = 120
#: About a package that a notebook uses.
NOT_THERE = "the grader has only Python, numpy, scipy and matplotlib, so this will fail there."
#: Seconds of processor time for all calls of one check; the browser is slower. By the clock
#: a call that sleeps or waits may take `ASLEEP` times as long.
PATIENCE, ASLEEP = (3 if inside() else 1) * SECONDS, 6


class LocalCall(Call):
    """Calls functions of this very notebook, on copies, as the grader does."""

    asleep = ASLEEP  #: by the clock a call may take this many times its processor time

    def __init__(self, names: Mapping[str, Any], patience: float = PATIENCE):
        seed = names.get("SEED", 0)
        super().__init__(seed if isinstance(seed, int) and seed >= 0 else 0)
        self.names, self.patience, self._spent = names, patience, 0.0

    def fresh(self) -> None:
        """Begin another check, with all of its time."""
        super().fresh()
        self._spent = 0.0

    def ask(self, function: str, arguments: tuple, *, leaves: bool = False) -> Any:
        """Call the notebook's function of that name."""
        found = self.names.get(function)
        if not callable(found):
            raise Missing(f"there is no function {function}: run the cell that defines it")
        start, left = time.process_time(), self.patience - self._spent
        try:
            with time_limit(self.asleep * self.patience), time_limit(left, time.process_time):
                with errors_of_the_grader():
                    given = values.decode(values.encode(list(arguments)))
                    reply = found(*given)
        except Overtime:
            raise TimedOut(f"{function} did not return within {self.patience:g} seconds") from None
        except NotImplementedError:
            raise Missing(f"{function} is not written yet") from None
        except (Exception, SystemExit) as error:  # exit() must not end the notebook's cell
            line = self._line_of(error)
            raise Crashed(type(error).__name__, _said(error), line) from error
        finally:
            self._spent += time.process_time() - start
        return _plain(given if leaves else reply)

    def _line_of(self, error: BaseException) -> str:
        """Return the last line of the notebook that the error went through."""
        frames = [(f, n) for f, n in traceback.walk_tb(error.__traceback__)]
        own = [(f.f_code.co_filename, n) for f, n in frames if f.f_globals is self.names]
        return linecache.getline(*own[-1]).strip()[:LONGEST_LINE] if own else ""

    def value(self, name: str) -> Any:
        """Return the notebook's variable of that name."""
        return _plain(self.names.get(name))


def _said(error: BaseException, most: int = 400) -> str:
    """Return the message of an error, as far as it can be read."""
    try:
        text = str(error)
    except Exception:
        return "its message cannot be read"
    return text if len(text) <= most else text[: most - 3] + "..."


def _plain(reply: Any) -> Any:
    try:
        return values.decode(values.encode(reply))
    except ValueError as error:
        raise Malformed(f"the answer must be a plain value: {error}") from error


def bind(homework: Assignment, names: Mapping[str, Any] | None = None) -> tuple[Callable, ...]:
    """Return check, quiz and finish for a homework; they look for answers in the notebook."""
    names = __main__.__dict__ if names is None else names

    def check(question: str, practice: bool | int = False, log: bool = False) -> None:
        """Run the visible checks of a question and say what they found.

        With `practice` they run on inputs drawn anew, as often as you like; a number repeats an
        earlier draw. With `log` every try from now on is a line of a text file beside the notebook,
        until you delete that file; nothing is sent anywhere.
        """
        draw = None if practice is False else chosen(practice)
        text = _print(lambda: checked(homework, question, names, draw))
        log_try(homework.name, text, begin=log)

    def quiz(question: str) -> None:
        """Answer back to the letter chosen in a quiz."""
        print(quizzed(homework, question, names))

    def finish() -> None:
        """Say what is missing before this homework is handed in."""
        _print(lambda: finished(homework, names))

    return check, quiz, finish


def _print(answer: Callable[[], str]) -> str:
    """Print an answer; whoever stops an endless loop by hand reads why, without a traceback."""
    try:
        text = answer()
    except KeyboardInterrupt:
        text = "Stopped. Is there a loop without an end? The grader stops it too: no points."
    print(text)
    return text


def verdicts(
    homework: Assignment, question: str, names: Mapping[str, Any], draw: int | None = None
) -> list[Verdict]:
    """Return the verdicts of the visible checks of a question, or of a draw for practice."""
    known = homework.checks if draw is None else drawn_anew(homework)
    secret, call = "" if draw is None else f"practice {draw}", LocalCall(names)
    visible = [c for c in known if c.question == question and not c.hidden]
    return [judge(check, call, secret=secret) for check in visible]


def checked(
    homework: Assignment, question: str, names: Mapping[str, Any], draw: int | None = None
) -> str:
    """Return what `check` prints; `draw` is the number of a practice."""
    if question not in homework.functions:
        known = ", ".join(homework.functions)
        raise ValueError(f"{question!r} has no checks; {homework.name} has them for {known}.")
    found = verdicts(homework, question, names, draw)
    if found and all(verdict.status == MISSING for verdict in found):
        return f"{question}: {found[0].claim}."
    held = sum(verdict.passed for verdict in found)
    asked = question if draw is None else f"{question}, practice {draw}"
    lines = [f"{asked}: {_count(held, len(found))}."]
    lines += [line for verdict in found for line in _told(verdict)]
    if held < len(found):
        lines += [
            _row("NOTE", BLAME.format(name)) for name in _to_repair(homework, question, names)
        ]
    lines += [_row("NOTE", f"{package}: {NOT_THERE}") for package in foreign(names)]
    again = f'  check("{question}", practice={draw}) asks the same once more.'
    return "\n".join([*lines, *([again] if draw is not None else _remaining(homework, question))])


def _to_repair(homework: Assignment, question: str, names: Mapping[str, Any]) -> Iterator[str]:
    """Yield the functions of earlier questions that this one uses and whose checks do not hold."""
    used = {f for asked in homework.functions[question] for f in used_by(asked, names)}
    for earlier in homework.questions[: homework.questions.index(question)]:
        mine = [f for f in homework.functions.get(earlier, ()) if f in used]
        if mine and not all(v.passed for v in verdicts(homework, earlier, names)):
            yield f"{', '.join(mine)} ({earlier})"


def _count(held: int, checks: int) -> str:
    if checks == 1:
        return "the visible check holds" if held else "the visible check does not hold"
    count = f"all {held}" if held == checks else f"{held} of {checks}"
    return f"{count} visible checks hold"


def _told(verdict: Verdict) -> list[str]:
    if verdict.passed:
        return [f"  ✓ {verdict.check}"]
    rows = [("given", verdict.given), ("came back", verdict.got)]
    hint = "Your function returned nothing: is there a `return`?" if verdict.got == "None" else ""
    rows += [("but", verdict.claim), ("hint", hint or verdict.hint)]
    return [f"  ✗ {verdict.check}", *(_row(name, text) for name, text in rows if text)]


def _row(name: str, text: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"      {name:<10}",
        subsequent_indent=" " * 16,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _remaining(homework: Assignment, question: str) -> list[str]:
    count, points = homework.hidden_points[question]
    if count == 0:
        return []
    checks = "1 hidden check" if count == 1 else f"{count} hidden checks"
    return [f"  {checks} ({_points(points)}) will run when the homework is graded."]


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def quizzed(homework: Assignment, question: str, names: Mapping[str, Any]) -> str:
    """Return what `quiz` prints."""
    if question not in homework.quizzes:
        known = ", ".join(homework.quizzes) or "no quiz"
        raise ValueError(f"{question!r} is not a quiz; {homework.name} has {known}.")
    asked = homework.quizzes[question]
    chosen = names.get(question)
    letters = ", ".join(f'"{letter}"' for letter in asked.options)
    if chosen is None or (isinstance(chosen, str) and not chosen.strip()):
        return f"{question}: not answered yet. Set {question} to one of {letters}."
    letter = asked.letter(chosen)
    if not letter:
        shown = brief(chosen) if type(chosen) in (str, int, float, bool) else "that"
        return f"{question}: {shown} is not an option. Set {question} to one of {letters}."
    mark = "✓" if letter == asked.right else "✗"
    return f"{question}: {mark} {letter}. {asked.why[letter]}"


def finished(homework: Assignment, names: Mapping[str, Any]) -> str:
    """Return what `finish` prints."""
    rows = [(name, _state(homework, name, names)) for name in homework.questions]
    lines = [f"{homework.name}: before you hand in", *(f"  {name:<5}{text}" for name, text in rows)]
    lines += [_row("NOTE", f"{package}: {NOT_THERE}") for package in foreign(names)]
    return "\n".join([*lines, "Save the notebook, then hand in this one file."])


def _state(homework: Assignment, question: str, names: Mapping[str, Any]) -> str:
    if question in homework.by_hand:
        points = _points(homework.by_hand[question])
        return f"in words, {points}: read by a person. Is your answer in its cell?"
    if question in homework.quizzes:
        done = homework.quizzes[question].letter(names.get(question))
        return "answered" if done else "NOT ANSWERED"
    found = verdicts(homework, question, names)
    missing = sum(verdict.status == MISSING for verdict in found)
    if missing:
        return "NOT WRITTEN" if missing == len(found) else "PARTLY WRITTEN"
    held = sum(verdict.passed for verdict in found)
    hidden = homework.hidden_points[question][0]
    rest = f"; {hidden} hidden to come" if hidden else ""
    return f"{_count(held, len(found))}{rest}"


class Unmet(AssertionError):
    """A check that does not hold: a notebook shows its words, and nothing of the code behind it."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


def verify(homework: str, question: str, name: str, *, hidden: str = "") -> None:
    """Raise Unmet unless that check holds: how a cell of nbgrader asks.

    `hidden` is the text of the file with the hidden checks, where the check is one of them.
    """
    known = _with_hidden(homework, hidden)
    chosen = next(c for c in known.checks if (c.question, c.name) == (question, name))
    verdict = judge(chosen, LocalCall(__main__.__dict__))
    if not verdict.passed:
        raise Unmet("\n".join(_told(verdict)))


@cache
def _with_hidden(homework: str, hidden: str) -> Assignment:
    """Return a homework with the checks of that text; read once, as each check has its own cell."""
    known = visible(homework)
    if hidden:
        scope: dict[str, Any] = {}
        exec(compile(hidden, f"{homework}/hidden.py", "exec"), scope)
        scope["add"](known)
        known.checks = [and_unchanged(check) for check in known.checks]
    return known


def verify_quiz(homework: str, question: str) -> None:
    """Raise Unmet unless the quiz is answered right."""
    quiz = visible(homework).quizzes[question]
    if quiz.letter(__main__.__dict__.get(question)) != quiz.right:
        raise Unmet(f"{question}: what is chosen is not the right option")


def visible(name: str) -> Assignment:
    """Return a homework with the checks that students have; others can be added to it."""
    public = importlib.import_module(f"lectures_homework.{name}").HW
    return replace(public, checks=list(public.checks))
