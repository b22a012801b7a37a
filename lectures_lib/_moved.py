"""Names that have moved: they work for one version, and say where they are now.

A package offers its old names by ``from .._moved import svm as __getattr__``.
"""

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any


def _old_names(package: str, **moved: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package some of whose names stand elsewhere now."""

    def look_up(name: str) -> Any:
        """Return what stands under its new name."""
        if name not in moved:
            raise AttributeError(f"module 'lectures_lib.{package}' has no attribute {name!r}")
        sentence = f"{package}.{name} is now {moved[name]}; the next version drops the old name."
        warnings.warn(sentence, DeprecationWarning, stacklevel=2)
        home, _, new = moved[name].rpartition(".")
        return getattr(import_module(f"lectures_lib.{home}"), new)

    return look_up


smo = _old_names("smo", fast="fast.smo")
svm = _old_names("svm", train_fast="fast.svm")
structured = _old_names(
    "structured",
    Rows="fast.SequenceRows",
    chain_perceptron="fast.chain_perceptron",
    letter_scores="fast.letter_scores",
    rows_of="fast.rows_of",
    rows_of_table="fast.rows_of_table",
    tag="fast.tag",
)
