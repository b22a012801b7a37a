"""Self-checks for the exercises in the notebooks: they test what an answer must satisfy.

A check never compares with a stored answer: it tries the function on inputs and asks whether the
property of the lecture holds. The verdict names the property, the input and what came back.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from . import (
    _exercises_kernels,
    _exercises_linear,
    _exercises_structured,
    _exercises_svm,
    _exercises_theorems,
)
from ._tries import Try


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    passed: bool
    message: str


#: what is said of an answer that is not there yet: of a function, of a proof
UNWRITTEN = ("Not written yet: the function returns None.", "Not written yet: no sum is given.")

#: name -> the check: it tries an answer and yields what came of each try
EXERCISES: dict[str, Callable[[Callable], Iterator[Try]]] = {
    "lift": _exercises_linear.lift,
    "update": _exercises_linear.update,
    "slope": _exercises_linear.hinge_slope,
    "margin": _exercises_linear.margin,
    "bound": _exercises_linear.bound,
    "average": _exercises_linear.average,
    "column": _exercises_structured.column,
    "step": _exercises_structured.step,
    "unjustified": _exercises_structured.unjustified,
    "trap": _exercises_structured.trap,
    "structural slack": _exercises_structured.slack,
    "map": _exercises_kernels.quadratic_map,
    "gaussian": _exercises_kernels.gaussian,
    "score": _exercises_kernels.score,
    "slack": _exercises_svm.slack,
    "offset": _exercises_svm.offset,
    "pair": _exercises_svm.pair,
    "scale": _exercises_svm.scale,
    "vote": _exercises_svm.vote,
    "precision": _exercises_linear.precision,
    "radon": _exercises_linear.radon,
    "ridge": _exercises_kernels.ridge,
    **{name: _exercises_theorems.asks(name) for name in _exercises_theorems.PROOFS},
}


def check(exercise: str, answer: Callable | str) -> None:
    """Print whether `answer` solves the exercise, and if not, what it breaks and on what input."""
    print(judge(exercise, answer).message)


def question(exercise: str) -> None:
    """Print what is asked in an exercise whose answer is a proof."""
    if exercise not in _exercises_theorems.PROOFS:
        known = sorted(_exercises_theorems.PROOFS)
        raise ValueError(f"No proof is asked for in {exercise!r}; in these it is: {known}.")
    print(_exercises_theorems.question(exercise))


def judge(exercise: str, answer: Callable | str) -> Verdict:
    """Return the verdict on `answer`: the first property that it breaks, or that all hold."""
    if exercise not in EXERCISES:
        raise ValueError(f"No exercise is called {exercise!r}; there are {sorted(EXERCISES)}.")
    count = 0
    try:
        for holds, claim, given, got in EXERCISES[exercise](answer):
            if got is None:
                return Verdict(False, UNWRITTEN[exercise in _exercises_theorems.PROOFS])
            if not holds and exercise in _exercises_theorems.PROOFS:
                return Verdict(False, f"Not yet: {claim}.")
            if not holds:
                return Verdict(False, f"Not yet. Given {given}\nyour answer is {got}, but {claim}.")
            count += 1
    except Exception as error:
        return Verdict(
            False, f"Not yet: your function stopped with {type(error).__name__}: {error}"
        )
    if exercise in _exercises_theorems.PROOFS:
        return Verdict(True, "Right: proved, for all values and in every dimension.")
    return Verdict(True, f"Right: the property held in all {count} tries.")
