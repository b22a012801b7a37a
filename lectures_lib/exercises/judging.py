"""The verdict on an answer: which exercises there are, and what is said of each answer."""

import copy
import difflib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from .._arguments import explained
from . import solved
from .reading import NotYet
from .theorems import PROOFS, PROVED
from .theorems import question as proof_question
from .tries import Answer, Check

#: the inputs of the call that the last verdict is about
_last: dict[str, Any] = {}


@dataclass(frozen=True)
class ExerciseVerdict:
    """What a check found."""

    passed: bool
    message: str
    inputs: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)


def _all_checks() -> dict[str, Check]:
    """Gather the dictionaries CHECKS of the modules of this package: name -> check."""
    package = __name__.rpartition(".")[0]
    found: dict[str, Check] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(import_module(package).__path__)):
        checks = getattr(import_module(f"{package}.{module}"), "CHECKS", {})
        if twice := checks.keys() & found.keys():
            raise ValueError(f"Two exercises are called {sorted(twice)}: rename those of {module}.")
        found |= checks
    return found


#: name -> the check: it tries an answer and yields what came of each try
EXERCISES: dict[str, Check] = _all_checks()


@explained
def check(exercise: str, answer: Callable | str) -> None:
    """Print whether `answer` solves the exercise, and if not, what it breaks and on what input.

    Parameters
    ----------
    exercise : its name, as it stands in the notebook
    answer : the function or the text that you wrote

    Examples
    --------
    >>> exercises.check("margin", lambda w, x, y: y * (w @ x) / np.linalg.norm(w))
    Right: the property held in all 16 tries.
    """
    _require(exercise, EXERCISES)
    _last.clear()
    try:
        verdict = judge(exercise, answer)
        _last.update(verdict.inputs)
        print(verdict.message)
        if verdict.passed:
            _keep(exercise)
        elif verdict.inputs:
            print("(`exercises.last()` returns this input.)")
    except Exception as error:  # the student's own errors do not come here: judge tells them
        print(f"The check itself stopped with {type(error).__name__}: {error}")
        print("That is a fault of the course, not of your answer. Please report it.")


def _keep(exercise: str) -> None:
    """Remember a solved exercise, and print how far the notebook is done."""
    if (place := solved.folder()) is None:
        return
    note = solved.remember(place, exercise, EXERCISES)
    for line in (solved.state(place, EXERCISES).after(exercise), note):
        if line:
            print(line)


def progress() -> solved.Progress:
    """Return which exercises are solved, as far as the file beside the notebooks says.

    It is a table with links in a notebook, and text when it is printed. What is solved is kept in
    `solved_exercises.txt`, in the folder of the notebooks; nothing is sent anywhere.
    """
    if (place := solved.folder()) is None:
        note = "Progress is kept by the notebooks of the course, in their folder."
        return solved.Progress(frozenset(), {}, {}, note)
    return solved.state(place, EXERCISES)


def last() -> dict[str, Any]:
    """Return the inputs that the last `check` spoke of, by name, to try them by hand.

    Examples
    --------
    >>> exercises.check("most", lambda J, n: n * J)
    Not yet. Given J = 0.03125, n = 4
    your answer is 0.125, but the number of mistakes must be a whole number, 0 to 4.
    (`exercises.last()` returns this input.)
    >>> exercises.last()
    {'J': 0.03125, 'n': 4}
    """
    return copy.deepcopy(_last)


@explained
def question(exercise: str) -> None:
    """Print what is asked in an exercise whose answer is a proof.

    Parameters
    ----------
    exercise : its name, as it stands in the notebook

    Examples
    --------
    >>> exercises.question("growth")
    To be proved after a step: k R² + R² − ‖w‖² − 2 w·z − ‖z‖² ≥ 0
    You may use
      unit            ‖u‖² − 1 = 0
      positive        γ > 0
      ratio           B γ² − R² = 0
      margin          z·u − γ ≥ 0
      mistake         −w·z ≥ 0
      radius          R² − ‖z‖² ≥ 0
      sum_of_progress w·u − k γ ≥ 0
      sum_of_growth   k R² − ‖w‖² ≥ 0
    and squares sq( ), squared norms norm( ), products, numbers >= 0.
    """
    if exercise not in PROOFS:
        known = sorted(PROOFS)
        raise ValueError(f"No proof is asked for in {exercise!r}; in these it is: {known}.")
    print(proof_question(exercise))


@explained
def judge(exercise: str, answer: Callable | str) -> ExerciseVerdict:
    """Return the verdict on `answer`: the first property that it breaks, or that all hold."""
    _require(exercise, EXERCISES)
    asked, claims = Answer(answer, exercise), []
    try:
        with np.errstate(all="ignore"):  # the check's own numbers; the answer has its own state
            for holds, claim, *about in EXERCISES[exercise](asked):
                if not holds:
                    (about[0] if about else asked.last).refuse(claim)
                claims.append(claim)
    except NotYet as reason:
        return ExerciseVerdict(False, str(reason), reason.inputs)
    if not claims:
        raise RuntimeError(f"The check of {exercise!r} tried nothing.")
    if claims == [PROVED]:
        return ExerciseVerdict(True, f"Right: {PROVED}.")
    tries = f" in all {len(claims)} tries" if len(claims) > 1 else ""
    return ExerciseVerdict(True, f"Right: the property held{tries}.")


def _require(exercise: str, known: dict) -> None:
    if exercise not in known:
        near = difflib.get_close_matches(str(exercise), known, n=1, cutoff=0.5)
        meant = f"did you mean {near[0]!r}" if near else f"there are {', '.join(sorted(known))}"
        raise ValueError(f"No exercise is called {exercise!r}; {meant}{'?' if near else '.'}")
