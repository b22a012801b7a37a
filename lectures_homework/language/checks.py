"""Checks, the assignments they make up, and the verdicts they give.

A check is a function of (call, rng), or of (call, *input) with the inputs that it is asked `on`.
`call("name", *arguments)` runs the student's function on copies of the arguments and returns a
plain value: the check does not know whether the function lives in the notebook next door or in a
sandboxed process. `expect` states a property; the first one that does not hold ends the check.
Points come only from a check that ran to its end.
"""

import copy
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .failures import (
    SLIPS,
    Broken,
    Crashed,
    Malformed,
    Missing,
    TimedOut,
)
from .shown import brief

#: How near an answer must be: single precision and another order of the sums pass.
RTOL, ATOL = 1e-4, 1e-6
#: What a check can say.
PASS, FAIL, TIMEOUT, CRASH, MISSING = "pass", "fail", "timeout", "crash", "missing"
#: The hint where an answer has another form than asked.
FORM = "This is about the form of the answer only. What does the docstring say that it returns?"


#: The reply of a call that did not come back.
NO_REPLY = object()


@dataclass(frozen=True, eq=False)
class Exchange:
    """One call: the function, its arguments, and the plain value that came back.

    `error` is the class of the error that came instead.
    """

    function: str
    arguments: tuple
    reply: Any = NO_REPLY
    error: str = ""


class Call(ABC):
    """How a check reaches the student's functions; `log` keeps what was asked and came back.

    `seed` is the student's: a check about his own data asks `HW.data(call.seed)`. `left` are the
    seconds that the rest may take, by the clock.
    """

    left = 60.0

    def __init__(self, seed: int = 0):
        self.seed = seed
        self.log: list[Exchange] = []

    def __call__(self, function: str, *arguments: Any) -> Any:
        """Return what the student's function returns for copies of these plain arguments."""
        arguments = copy.deepcopy(arguments)  # the check may go on with its arrays
        self.log.append(Exchange(function, arguments))
        try:
            reply = self.ask(function, arguments)
        except Crashed as crash:
            self.log[-1] = Exchange(function, arguments, error=crash.kind)
            raise
        self.log[-1] = Exchange(function, arguments, reply)
        return reply

    def leaves(self, function: str, *arguments: Any) -> list:
        """Return what copies of these arguments are after the student's function was given them."""
        return self.ask(function, copy.deepcopy(arguments), leaves=True)

    def fresh(self) -> None:
        """Begin another check: what was asked before is forgotten."""
        self.log.clear()

    @abstractmethod
    def ask(self, function: str, arguments: tuple, *, leaves: bool = False) -> Any:
        """Call the function on copies, or raise Missing, Crashed, TimedOut.

        A reply that is no plain value raises Broken. With `leaves` the copies are the reply.
        """

    @abstractmethod
    def value(self, name: str) -> Any:
        """Return the plain value of a variable: the answer to a quiz."""


#: Inputs of a check, a tuple each; or what returns them, of (call, rng).
Inputs = Sequence[tuple] | Callable[[Call, np.random.Generator], Iterable[tuple]]


@dataclass(frozen=True, eq=False)
class Check:
    """One property of one question, with the points for it."""

    question: str
    name: str  #: what must hold, in words: "w changes only at a mistake"
    points: int
    hint: str  #: what to think about when it fails; names the likely misconception
    run: Callable[[Call, np.random.Generator], None]
    hidden: bool = False
    again: Callable[[Call, np.random.Generator], None] | None = None  #: on inputs drawn anew
    states: Callable[..., None] | None = None  #: of (call, *input), where `run` states it of each


@dataclass(frozen=True)
class Verdict:
    """What a check found. `given`, `got` and `claim` are for the visible ones only."""

    check: str
    question: str
    hidden: bool
    status: str
    points: float  #: earned; whole, but for what a person changed
    out_of: int
    claim: str = ""  #: the property that was broken
    given: str = ""
    got: str = ""
    hint: str = ""
    misconception: str = ""  #: where the answer behaves like a known wrong one
    recited: bool = False  #: it holds on the inputs that everybody knows, and on no others
    reason: str = ""  #: why a person has changed the points
    follows: str = ""  #: earlier functions that it uses and that are not right: "segment (q1)"

    @property
    def passed(self) -> bool:
        """True only for an explicit pass."""
        return self.status == PASS


@dataclass(frozen=True)
class Quiz:
    """A question with one right option; every option says why."""

    question: str
    points: int
    text: str
    options: dict[str, str]
    right: str
    why: dict[str, str]

    def letter(self, chosen: Any) -> str:
        """Return the option that a student chose; "" if it is none."""
        letter = chosen.strip().upper() if isinstance(chosen, str) else ""
        return letter if letter in self.options else ""


@dataclass(eq=False)
class Assignment:
    """What a homework consists of: its questions, its data, the checks known here.

    The module of an assignment holds the visible checks; the hidden ones are added from a file
    that students do not get.
    """

    name: str  #: hw1
    title: str
    minutes: int
    data: Callable[[int], dict[str, Any]]  #: a student's own data, from his seed
    functions: dict[str, tuple[str, ...]] = field(default_factory=dict)  #: by question
    checks: list[Check] = field(default_factory=list)
    quizzes: dict[str, Quiz] = field(default_factory=dict)
    by_hand: dict[str, int] = field(default_factory=dict)  #: points by question
    hidden_points: dict[str, tuple[int, int]] = field(default_factory=dict)  #: (checks, points)

    def question(self, name: str, *functions: str, hidden: tuple[int, int] = (0, 0)) -> None:
        """Declare a question, the functions it asks for, and how many hidden checks wait."""
        self.functions[name] = functions
        self.hidden_points[name] = hidden

    def check(
        self,
        question: str,
        name: str,
        *,
        points: int = 1,
        hint: str,
        hidden: bool = False,
        on: Inputs | None = None,
    ) -> Callable[[Callable], Callable]:
        """Register the decorated function of (call, rng) as a check.

        With `on` it is a function of (call, *input), which is asked for each of these inputs.
        """
        if question not in self.functions:
            raise ValueError(f"{self.name} has no question {question!r}.")
        if any((c.question, c.name) == (question, name) for c in self.checks):
            raise ValueError(f"{self.name} has two checks {name!r} in {question}.")

        def register(run: Callable) -> Callable:
            whole, states = (run, None) if on is None else (_on_each(run, on), run)
            self.checks.append(Check(question, name, points, hint, whole, hidden, states=states))
            return run

        return register

    def again(self, question: str, name: str) -> Callable[[Callable], Callable]:
        """Register the decorated function as the second half of a visible check.

        It states the same property on inputs that the secret chooses, and runs where homework is
        graded: a table of the inputs that everybody knows is no answer. Where the check was given
        its inputs, the decorated function draws others: from rng alone.
        """
        places = [i for i, c in enumerate(self.checks) if (c.question, c.name) == (question, name)]
        if not places or self.checks[places[0]].hidden:
            raise ValueError(f"{self.name} has no visible check {name!r} in {question}.")

        def register(run: Callable) -> Callable:
            known = self.checks[places[0]]
            again = run if known.states is None else _on_each(known.states, lambda _, rng: run(rng))
            self.checks[places[0]] = replace(known, again=again)
            return run

        return register

    def quiz(
        self,
        question: str,
        text: str,
        options: dict[str, str],
        right: str,
        why: dict[str, str],
        *,
        points: int = 1,
    ) -> None:
        """Declare a quiz: the student sets the variable of that name to a letter."""
        if right not in options or set(why) != set(options):
            raise ValueError(f"{question}: every option needs a reason, and one is right.")
        self.quizzes[question] = Quiz(question, points, text, options, right, why)

    @property
    def questions(self) -> list[str]:
        """Return the names of all questions, in order: q1, q2, ..."""
        every = {*self.functions, *self.quizzes, *self.by_hand}
        return sorted(every, key=lambda name: (len(name), name))

    @property
    def automatic(self) -> int:
        """Return the points that need no hand."""
        quizzes = sum(quiz.points for quiz in self.quizzes.values())
        return sum(check.points for check in self.checks) + quizzes


def _on_each(states: Callable[..., None], inputs: Inputs) -> Callable:
    def run(call: Call, rng: np.random.Generator) -> None:
        for one in inputs(call, rng) if callable(inputs) else inputs:
            states(call, *one)

    return run


def expect(holds: Any, claim: str) -> None:
    """End the check with `claim`, the property in words, unless `holds`."""
    if not (isinstance(holds, bool | np.bool_) and holds):
        raise Broken(claim)


def numbers(value: Any) -> np.ndarray:
    """Return a value as an array of floats; ValueError if it holds anything else. Text is none."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ValueError("not made of numbers")
    return array.astype(float)


def close(got: Any, want: Any, *, rtol: float = RTOL, atol: float = ATOL) -> bool:
    """True if `got` has the shape and, up to the stated tolerance, the numbers of `want`.

    Whatever cannot be read as numbers is not close. Lists and tuples count as arrays.
    """
    try:
        got, want = numbers(got), numbers(want)
    except ValueError:
        return False
    if got.shape != want.shape:
        return False
    return bool(np.allclose(got, want, rtol=rtol, atol=atol, equal_nan=False))


def same_direction(got: Any, want: Any, *, tol: float = RTOL) -> bool:
    """True if `got` is a positive multiple of `want`: any learning rate or scale of w will do.

    `tol` is the largest angle between the two.
    """
    try:
        got, want = numbers(got).ravel(), numbers(want).ravel()
    except ValueError:
        return False
    if got.shape != want.shape or not np.isfinite(got).all():
        return False
    got, want = _of_size_one(got), _of_size_one(want)  # huge numbers must not overflow to a pass
    lengths = np.linalg.norm(got) * np.linalg.norm(want)
    return bool(lengths > 0 and got @ want >= (1.0 - tol**2 / 2) * lengths)


def _of_size_one(vector: np.ndarray) -> np.ndarray:
    size = np.abs(vector).max(initial=0.0)
    return vector / size if size > 0 else vector


def judge(check: Check, call: Call, *, secret: str = "") -> Verdict:
    """Run one check. Points only if it ended by itself and asked the student's code at all."""
    call.fresh()
    status, claim, hint, known = PASS, "", check.hint, False
    try:
        check.run(call, generator(check, secret))
        if check.again is not None:
            known = True
            check.again(call, generator(check, f"{secret}|again"))
        if not call.log:
            status, claim = FAIL, "the check asked nothing"
    except Malformed as malformed:
        status, claim, hint = FAIL, str(malformed), FORM
    except Broken as broken:
        status, claim = FAIL, str(broken)
    except Missing as missing:
        status, claim, hint = MISSING, str(missing), ""
    except TimedOut as late:
        status, claim, hint = TIMEOUT, str(late), late.hint
    except Crashed as crash:
        status, claim, hint = CRASH, crash.sentence, SLIPS.get(crash.kind, hint)
    except Exception as error:  # a value of a strange shape broke the check itself: no points
        what = "what came back cannot be used" if call.log else "this check could not run here"
        status, claim = FAIL, f"{what} ({type(error).__name__})"
    verdict = _verdict(check, status, claim, hint, call.log)
    return replace(verdict, recited=known and status != PASS)


def generator(check: Check, secret: str) -> np.random.Generator:
    """Return the random numbers of a check: another secret, other hidden inputs."""
    text = f"{secret}|{check.question}|{check.name}".encode()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))


def _verdict(check: Check, status: str, claim: str, hint: str, log: Sequence[Exchange]) -> Verdict:
    """Build the verdict; of a hidden check nothing that the student's code said is kept."""
    about = check.name, check.question, check.hidden, status
    if status == PASS:
        return Verdict(*about, check.points, check.points)
    if check.hidden:
        return Verdict(*about, 0, check.points, hint=hint)
    given, got = ("", "") if not log else (_asked(log[-1]), _came_back(log[-1]))
    return Verdict(*about, 0, check.points, claim=claim, given=given, got=got, hint=hint)


def _asked(exchange: Exchange) -> str:
    return f"{exchange.function}({', '.join(brief(value) for value in exchange.arguments)})"


def _came_back(exchange: Exchange) -> str:
    return "" if exchange.reply is NO_REPLY else brief(exchange.reply)
