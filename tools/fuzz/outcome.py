"""What one spoilt call did: it answered, said what is wrong, or failed obscurely."""

import ast
import linecache
import signal
import traceback
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from lectures_lib import __file__ as package

from .calls import Call
from .mutants import FAULTS, mutants

LIBRARY = Path(package).parent
#: Estimators keep scikit-learn's contract, whose own checks speak for themselves.
GUESTS = ("sklearn/utils/", "sklearn/base.py")
SECONDS = 20  #: of the processor; a call that takes longer is looked at


@dataclass(frozen=True)
class Outcome:
    """`kind` is "answered", "told", "passed" or "obscure"; `text` is what was said."""

    kind: str
    text: str = ""


class TooSlow(Exception):
    """A call took more than `SECONDS`."""


def cases(call: Call) -> list[tuple[str, str, object]]:
    """Return (argument, mutant's name, mutant) for all that can be spoilt in a call."""
    return [
        (arg, name, wrong) for arg, right in call.right.items() for name, wrong in mutants(right)
    ]


def tried(call: Call, argument: str, wrong: object) -> Outcome:
    """Call with one argument replaced."""
    arguments = {**call.fixed, **call.right, argument: wrong}
    before = signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            call.function(**arguments)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return judged(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return Outcome("answered")


def judged(error: BaseException) -> Outcome:
    """Say whether one of our own `raise` statements raised this, with a sentence."""
    if error in FAULTS:
        return Outcome("passed", "the fault of the reader's own function, untouched")
    last = traceback.extract_tb(error.__traceback__)[-1]
    text = f"{type(error).__name__}: {error} [{Path(last.filename).name}:{last.lineno}]"
    ours = Path(last.filename).is_relative_to(LIBRARY) or any(g in last.filename for g in GUESTS)
    named = isinstance(error, (ValueError, TypeError)) and len(str(error).split()) >= 3
    blamed = error.__cause__ in FAULTS  # a fault of the reader's function, called another one
    clear = ours and named and last.lineno in raises(last.filename) and not blamed
    return Outcome("told" if clear else "obscure", text)


@cache
def raises(filename: str) -> frozenset[int]:
    """Return the lines of a file that belong to its `raise` statements."""
    tree = ast.parse("".join(linecache.getlines(filename)))
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Raise))
    return frozenset(line for node in found for line in range(node.lineno, node.end_lineno + 1))


def _too_slow(*_) -> None:
    raise TooSlow(f"more than {SECONDS} seconds")
