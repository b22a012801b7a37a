"""Perceptrons, margins, kernels and support vector machines: the library of the course.

Each module mirrors a part of the lectures; ``import lectures_lib`` alone loads none of them.
Write ``from lectures_lib import perceptron`` or ``lectures_lib.perceptron``: both load on use.
The examples in docstrings assume ``import numpy as np`` and the packages that they name.
"""

import importlib
import pkgutil
from types import ModuleType

__version__ = "0.3.0"
#: Old names of another package: they still load, with a warning, but are not listed.
_MOVED = {"grading", "homework"}


def __getattr__(name: str) -> ModuleType:
    """Load a submodule the first time it is asked for."""
    if name in __dir__():
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"lectures_lib has no module {name!r}; it has {', '.join(__dir__())}")


def compiled() -> bool:
    """Say whether numba compiles the loops here; else they run as plain Python, to the same bit."""
    return importlib.import_module(f"{__name__}._jit").COMPILED


def __dir__() -> list[str]:
    """List the public modules."""
    names = {m.name for m in pkgutil.iter_modules(__path__)} - _MOVED
    return sorted(name for name in names if not name.startswith("_"))
