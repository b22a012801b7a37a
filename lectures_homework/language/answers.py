"""Planted answers: the wrong ones prove the grader, and name what a student misunderstood.

A file `answers.py` beside the master holds functions, each a whole answer, and slips: small changes
to the master's solution, each in the words for its mistake::

    A = Answers("hw1")


    @A.wrong("q2", "updates on every example", caught_by="w changes only at a mistake")
    def perceptron(X, y, passes): ...


    @A.right("q2", "loops over lists")
    def perceptron(X, y, passes): ...


    A["q2", "perceptron", "a score of 0 is a mistake"] = {
        "leaves w alone where the score is 0": {"y * u <= 0": "y * u < 0"},
    }

    A.equal["q2 perceptron: b = 0.0  ->  b = 1.0"] = "any start will do"

The last is about changes to the master's solution that a machine makes: one that keeps full marks
must be known to be as right as the solution.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, eq=False)
class Planted:
    """One planted answer to one question."""

    question: str
    phrase: str  #: what is misunderstood, in words for the student; or what is special
    function: Callable
    caught_by: str = ""  #: the check meant for it; "" for a right answer
    endless: bool = False  #: it may not return: never run it outside the sandbox
    alone: str = ""  #: why the master's later code cannot use a right answer: its form, not worth
    change: Mapping[str, str] = field(default_factory=dict)  #: of the solution: old -> new
    text: str = ""  #: the changed solution

    @property
    def name(self) -> str:
        """The name of the function that it answers."""
        return self.function.__name__

    @property
    def misconception(self) -> str:
        """The phrase of a wrong answer."""
        return self.phrase if self.caught_by else ""

    @property
    def only(self) -> str:
        """The question that must be judged; "" for the homework as a whole."""
        return self.question if self.caught_by or self.alone else ""

    @property
    def source(self) -> str:
        """The text of the function without its decorators, as a student would hand it in."""
        if self.text:
            return self.text
        text = textwrap.dedent(inspect.getsource(self.function))
        start = ast.parse(text).body[0].lineno
        return "\n".join(text.splitlines()[start - 1 :])


class Answers:
    """The planted answers of one homework."""

    def __init__(self, homework: str):
        self.homework = homework
        self.planted: list[Planted] = []
        self.equal: dict[str, str] = {}  #: a changed solution that is right, too -> why

    def wrong(
        self, question: str, misconception: str, *, caught_by: str, endless: bool = False
    ) -> Callable[[Callable], Callable]:
        """Register a wrong answer, the words for its mistake and the check that must see it."""
        if not caught_by:
            raise ValueError(f"Which check catches {misconception!r}?")
        return self._register(question, misconception, caught_by, endless)

    def __setitem__(
        self, asked: tuple[str, str, str], slips: Mapping[str, Mapping[str, str]]
    ) -> None:
        """Register slips: for (question, function, check) the changes, by the words for each."""
        question, name, caught_by = asked
        for misconception, change in slips.items():
            if not (caught_by and change):
                raise ValueError(f"What is {misconception!r}, and which check catches it?")
            unwritten = _unwritten(name)
            self.planted.append(
                Planted(question, misconception, unwritten, caught_by, change=change)
            )

    def write_out(self, solutions: Mapping[str, str], names: Mapping[str, object]) -> None:
        """Make the slips functions: the solutions, changed, among the names of the file."""
        self.planted = [
            _written(p, solutions, dict(names)) if p.change else p for p in self.planted
        ]

    def right(self, question: str, what: str, *, alone: str = "") -> Callable[[Callable], Callable]:
        """Register a legitimate variant: it must get full marks, in the homework as a whole.

        `alone` says why it is judged on its question only: later functions of the master are
        written for another form of it. Whoever hands it in writes the later ones to suit.
        """
        return self._register(question, what, "", False, alone)

    def wrong_for(self, question: str) -> Iterator[Planted]:
        """Yield the wrong answers to a question."""
        return (p for p in self.planted if p.question == question and p.caught_by)

    def _register(
        self, question: str, phrase: str, caught_by: str, endless: bool, alone: str = ""
    ) -> Callable:
        def register(function: Callable) -> Callable:
            self.planted.append(Planted(question, phrase, function, caught_by, endless, alone))
            return function

        return register


def _unwritten(name: str) -> Callable:
    def function(*args: object) -> object:
        raise NotImplementedError(f"A slip in {name} is written out with the solutions.")

    function.__name__ = name
    return function


def _written(slip: Planted, solutions: Mapping[str, str], names: dict) -> Planted:
    """Return a slip as a function with its text; each old text must stand in the solution once."""
    text = solutions[slip.name]
    for old, new in slip.change.items():
        if text.count(old) != 1:
            raise ValueError(
                f"{slip.question} {slip.name}, {slip.phrase!r}: {old!r} stands {text.count(old)} "
                "times in the solution, and must stand there once."
            )
        text = text.replace(old, new)
    exec(compile(text, f"<{slip.phrase}>", "exec"), names)
    start = text.index(f"def {slip.name}(")  # without the imports: a notebook has its own
    return replace(slip, function=names[slip.name], text=text[start:])
