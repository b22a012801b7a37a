"""Self-checks for the exercises in the notebooks: they test what an answer must satisfy.

A check never compares with a stored answer: it tries the function on inputs and asks whether the
property of the lecture holds. The verdict names the property, the input and what came back.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from . import kernels, linear, svm, theorems
from .tries import Try


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    passed: bool
    message: str


#: what is said of an answer that is not there yet: of a function, of a proof
UNWRITTEN = ("Not written yet: the function returns None.", "Not written yet: no sum is given.")

#: name -> the check: it tries an answer and yields what came of each try
EXERCISES: dict[str, Callable[[Callable], Iterator[Try]]] = {
    "lift": linear.lift,
    "update": linear.update,
    "slope": linear.hinge_slope,
    "margin": linear.margin,
    "bound": linear.bound,
    "average": linear.average,
    "map": kernels.quadratic_map,
    "gaussian": kernels.gaussian,
    "score": kernels.score,
    "slack": svm.slack,
    "offset": svm.offset,
    "pair": svm.pair,
    "scale": svm.scale,
    "vote": svm.vote,
    "precision": linear.precision,
    "radon": linear.radon,
    "ridge": kernels.ridge,
    **{name: theorems.asks(name) for name in theorems.PROOFS},
}


def check(exercise: str, answer: Callable | str) -> None:
    """Print whether `answer` solves the exercise, and if not, what it breaks and on what input."""
    print(judge(exercise, answer).message)


def question(exercise: str) -> None:
    """Print what is asked in an exercise whose answer is a proof."""
    if exercise not in theorems.PROOFS:
        known = sorted(theorems.PROOFS)
        raise ValueError(f"No proof is asked for in {exercise!r}; in these it is: {known}.")
    print(theorems.question(exercise))


def judge(exercise: str, answer: Callable | str) -> Verdict:
    """Return the verdict on `answer`: the first property that it breaks, or that all hold."""
    if exercise not in EXERCISES:
        raise ValueError(f"No exercise is called {exercise!r}; there are {sorted(EXERCISES)}.")
    count = 0
    try:
        for holds, claim, given, got in EXERCISES[exercise](answer):
            if got is None:
                return Verdict(False, UNWRITTEN[exercise in theorems.PROOFS])
            if not holds and exercise in theorems.PROOFS:
                return Verdict(False, f"Not yet: {claim}.")
            if not holds:
                return Verdict(False, f"Not yet. Given {given}\nyour answer is {got}, but {claim}.")
            count += 1
    except Exception as error:
        return Verdict(
            False, f"Not yet: your function stopped with {type(error).__name__}: {error}"
        )
    if exercise in theorems.PROOFS:
        return Verdict(True, "Right: proved, for all values and in every dimension.")
    return Verdict(True, f"Right: the property held in all {count} tries.")
