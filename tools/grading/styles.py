"""One mistake costs once, in every style: right homeworks in which one earlier function is wrong.

A style is what the functions of a student hand each other: lists, arrays, or numpy's scalars. Here
the solutions are dressed in a style, and are strict about it: a later function stops with a
TypeError where an earlier one answers in other types. Then one function is made wrong, or is left
unwritten, and the whole homework is judged, follow-through included.

Usage: ``python -m tools.grading.styles [hw1 ...]`` tries every function in every style, and every
right variant that uses an earlier function.
"""

import argparse
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lectures_homework.instructor import batch, masters
from lectures_homework.instructor.diagnosis import Tried
from lectures_homework.instructor.following import followed
from lectures_homework.instructor.grade import judged
from lectures_homework.language.answers import Planted
from lectures_homework.language.checks import Verdict
from tools.grading.naming import Patient

AS_IT_IS, LISTS, ARRAYS, SCALARS = "as it is", "lists", "arrays", "numpy scalars"
STYLES = (LISTS, ARRAYS, SCALARS)
UNWRITTEN = "not written"
#: Right answers that use earlier functions more than the solutions do, as many students' do.
USING = {
    ("hw1", "perceptron"): """
def perceptron(X, y, max_passes):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max_passes):
        before = mistakes
        for x_i, y_i in zip(X, y):
            new_w, new_b = update(w, b, x_i, float(y_i))
            mistakes += new_b != b
            w, b = new_w, new_b
        if mistakes == before:
            return w, b, mistakes, True
    return w, b, mistakes, False
""",
    ("hw2", "set_margin"): """
def set_margin(w, b, X, y):
    return float(min(margins(w, b, X, y)))
""",
    ("hw2", "bound"): """
def bound(X, y, u, c):
    lifted, v = np.column_stack([X, np.ones(len(X))]), np.append(u, c)
    gamma = set_margin(v, 0.0, lifted, y)
    return float((np.linalg.norm(lifted, axis=1).max() / gamma) ** 2) if gamma > 0 else np.inf
""",
    ("hw6", "auc"): """
def auc(y, scores):
    if np.ptp(y) == 0:
        return np.nan
    FPR, TPR = roc(y, scores)
    return float(np.diff(FPR) @ (TPR[1:] + TPR[:-1]) / 2)
""",
    ("hw6", "averages"): """
def averages(y, predicted, k):
    tables = [confusion(np.where(y == c, 1, -1), np.where(predicted == c, 1, -1)) for c in range(k)]
    each = np.array([rates(*(int(n) for n in np.ravel(table))) for table in tables])
    (_, FN), (FP, TP) = np.sum(tables, axis=0)
    return *each.mean(axis=0)[[1, 2, 4]].tolist(), float(2 * TP / (2 * TP + FP + FN))
""",
}


@dataclass(frozen=True)
class Case:
    """A right homework but for one function."""

    homework: str
    broken: str  #: the function
    how: str  #: the phrase of a planted answer, or UNWRITTEN
    style: str
    variant: str = ""  #: the phrase of a right answer in the place of a solution

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.homework} {self.broken}: {self.how}, {self.style} {self.variant}".strip()


def right(homework: str) -> dict[str, str]:
    """Return right answers by function: the solutions, some of them by way of earlier ones."""
    own = {name: text for (hw, name), text in USING.items() if hw == homework}
    return dict(masters.solutions(homework)) | own


def dressed(value: Any, style: str) -> Any:
    """Return a value in the types of a style. A tuple stays one: these are several values."""
    if isinstance(value, tuple):
        return tuple(dressed(part, style) for part in value)
    if isinstance(value, list) and style == LISTS and _plain(value):
        return value
    if isinstance(value, list):
        parts = [dressed(part, style) for part in value]
        flat = not any(isinstance(part, np.ndarray) for part in parts)
        return np.asarray(parts) if style != LISTS and flat and parts else parts
    if style == LISTS and isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if style == SCALARS and isinstance(value, bool | int | float):
        return np.asarray(value)[()]
    return value


def _plain(value: Any) -> bool:
    """True for lists of lists of Python's own numbers."""
    return _plain(value[0]) if isinstance(value, list) and value else type(value) in (int, float)


def types(value: Any) -> Any:
    """Return the types of a value and of its parts; of a list the first speaks for all."""
    if isinstance(value, tuple):
        return tuple, [types(part) for part in value]
    return type(value), [types(part) for part in value[:1]] if isinstance(value, list) else []


def with_arrays(value: Any) -> Any:
    """Return a value as the solutions take it."""
    if not isinstance(value, list):
        return value
    try:
        return np.asarray(value)
    except ValueError:  # rows of different lengths
        return [with_arrays(part) for part in value]


def in_style(homework: str, style: str, texts: Mapping[str, str]) -> dict:
    """Return the names of a homework whose functions hand each other what the style says."""
    names: dict = {"SEED": 0, "np": np}
    for name, text in texts.items():
        if style == AS_IT_IS:
            exec(text, names)
            continue
        inner: dict = {"np": np}
        inner |= {other: _asked(names, other, style) for other in texts if other != name}
        exec(text, inner)
        names[name] = _answering(inner[name], style)
    return names


def _answering(function: Callable, style: str) -> Callable:
    """Return a function that takes the types of a style, and answers in them."""
    return lambda *given: dressed(function(*map(with_arrays, given)), style)


def _asked(names: Mapping[str, Any], name: str, style: str) -> Callable:
    """Return what calls an earlier function as a student of that style does."""

    def ask(*given: Any) -> Any:
        reply = names[name](*dressed(given, style))
        if types(reply) != types(dressed(reply, style)):
            raise TypeError(f"{name} answers in other types than mine")
        if isinstance(reply, tuple):
            return tuple(map(with_arrays, reply))
        return reply if name == "viterbi" and style == LISTS else _own(name, with_arrays(reply))

    return ask


def _own(name: str, reply: Any) -> Any:
    """Return an answer as the solutions use it: a tagging is a list there."""
    return [int(tag) for tag in reply] if name == "viterbi" else reply


def lost(case: Case, secret: str, *, near: bool = False) -> list[Verdict]:
    """Return the verdicts on checks that a case loses; with `near`, of those who use it only."""
    known, answers = batch.loaded(case.homework, str(masters.FOLDER))
    planted, head = answers.planted, "import numpy as np\n"
    texts = right(case.homework)
    for answer in planted:
        if answer.phrase == case.variant and not answer.caught_by:
            texts[answer.name] = head + answer.source
    texts[case.broken] = head + _wrong(case, planted)

    def call(*more: str) -> Patient:
        names = in_style(case.homework, case.style, texts)
        for text in more:
            exec(text, names)
        return Patient(names)

    def again(_: object, more: Mapping[str, str]) -> Callable[[Tried], Tried]:
        other = call(*more.values())
        return lambda one: judged([one.check], other, secret)[0]

    asked = _users(case, texts) if near else _questions(case)
    checks = [check for check in known.checks if check.question in asked]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        tried = judged(checks, call(), secret)
        after = followed(known, tried, masters.solutions(case.homework), again)
    return [one.verdict for one in after if not one.verdict.passed]


def _wrong(case: Case, planted: list[Planted]) -> str:
    if case.how == UNWRITTEN:
        return f"def {case.broken}(*given):\n    raise NotImplementedError"
    same = [p for p in planted if p.name == case.broken and p.phrase == case.how]
    return same[0].source


def own(case: Case) -> str:
    """Return the question of the function that is wrong."""
    asked = batch.loaded(case.homework, str(masters.FOLDER))[0].functions
    return next(question for question, names in asked.items() if case.broken in names)


def _questions(case: Case) -> list[str]:
    """Return the questions from that of the wrong function on."""
    asked = [*batch.loaded(case.homework, str(masters.FOLDER))[0].functions]
    return asked[asked.index(own(case)) :]


def _users(case: Case, texts: Mapping[str, str]) -> set[str]:
    """Return the question of the wrong function, and those whose functions call it."""
    asked = batch.loaded(case.homework, str(masters.FOLDER))[0].functions
    users = {name for name, text in texts.items() if uses(text, case.broken)}
    return {q for q, names in asked.items() if users & {*names}} | {own(case)}


def cases(homework: str) -> Iterator[Case]:
    """Yield every case of a homework: functions that a later one uses, and variants that do."""
    solutions, planted = right(homework), batch.loaded(homework, str(masters.FOLDER))[1].planted
    for name in solutions:
        if not any(uses(text, name) for other, text in solutions.items() if other != name):
            continue
        hows = [p.phrase for p in planted if p.name == name and p.caught_by and not p.endless]
        for style in STYLES:
            yield from (Case(homework, name, how, style) for how in (UNWRITTEN, *hows))
    for answer in planted:
        for name in solutions:
            if not answer.caught_by and answer.name != name and uses(answer.source, name):
                yield Case(homework, name, UNWRITTEN, AS_IT_IS, answer.phrase)


def uses(text: str, name: str) -> bool:
    """True if a text calls a function of that name."""
    return re.search(rf"(?<!def )\b{name}\(", text) is not None


def main() -> None:
    """Print every case that loses points outside of its own question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("homework", nargs="*", default=[])
    tried = faults = 0
    for homework in parser.parse_args().homework or masters.names():
        for case in cases(homework):
            tried += 1
            elsewhere = [v for v in lost(case, "styles") if v.question != own(case)]
            faults += bool(elsewhere)
            for verdict in elsewhere:
                print(f"{case}: {verdict.question} {verdict.check}: {verdict.claim}", flush=True)
    print(f"{tried} homeworks with one wrong function, {faults} lose points elsewhere")


if __name__ == "__main__":
    main()
