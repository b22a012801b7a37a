"""How far a reader walks: the files, functions and frames that a call goes through.

``python -m tools.walks`` prints them; `tests/library/test_walks.py` holds them.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from lectures_lib import __file__ as library

HOME = str(Path(library).parent)


@dataclass(frozen=True)
class Walk:
    """What one call of the library went through, its own code alone."""

    files: int  #: files with a function that was called
    functions: int  #: functions that were called
    depth: int  #: frames above each other, at most


def walk(call: Callable[[], object]) -> Walk:
    """Return the walk of a call; it is made once before, so that nothing is loaded or compiled."""
    call()
    seen: set[tuple[str, str, int]] = set()
    depth = deepest = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth, deepest
        code = frame.f_code
        if not code.co_filename.startswith(HOME) or code.co_name.endswith(("comp>", "genexpr>")):
            return  # a comprehension is part of its function
        if event == "call":
            depth += 1
            deepest = max(deepest, depth)
            seen.add((code.co_filename, code.co_qualname, code.co_firstlineno))
        elif event == "return":
            depth -= 1

    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(None)
    return Walk(len({file for file, *_ in seen}), len(seen), deepest)


def walks() -> dict[str, Walk]:
    """Return the walks that are held."""
    from lectures_lib import bounds, datasets, estimators, kernels, perceptron, svm

    problem = datasets.separable(20, rng=0)
    X, y = problem.X, problem.y
    gaussian = kernels.Gaussian(1.0)
    run = perceptron.perceptron(X, y)
    return {
        "svm.train": walk(lambda: svm.train(X, y, 1.0, gaussian)),
        "perceptron.perceptron": walk(lambda: perceptron.perceptron(X, y)),
        "bounds.mistake_bound": walk(lambda: bounds.mistake_bound(run, X, y)),
        "estimators.SVM().fit": walk(lambda: estimators.SVM().fit(X, y)),
    }


if __name__ == "__main__":
    print(f"{'call':24}{'files':>7}{'functions':>11}{'depth':>7}")
    for name, found in walks().items():
        print(f"{name:24}{found.files:7}{found.functions:11}{found.depth:7}")
