"""Names that have moved: they work for one version, and say where they are now.

A package offers its old names by ``from .._moved import svm as __getattr__``.
"""

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

#: package -> old name -> new name.
MOVED = {
    "datasets": {"Problem": "datasets.KnownData"},
    "exercises": {"Verdict": "exercises.ExerciseVerdict"},
    "linear": {"fast": "fast.linear", "posed": "linear.pose"},
    "proof": {
        "UNIT": "proof.rounding.UNIT",
        "decided": "proof.verdict.decided",
        "enclosed_dot": "proof.rounding.enclosed_dot",
        "enclosed_product": "proof.rounding.enclosed_product",
        "enclosed_sum": "proof.rounding.enclosed_sum",
        "growth": "proof.rounding.growth",
        "worst": "proof.verdict.worst",
    },
    "smo": {"fast": "fast.smo"},
    "structured": {
        "Line": "proof.lines.ProofLine",
        "Rows": "fast.SequenceRows",
        "chain_perceptron": "fast.chain_perceptron",
        "lazily_averaged_structured_perceptron": "structured.averaged_structured_perceptron",
        "letter_scores": "fast.letter_scores",
        "rows_of": "fast.rows_of",
        "rows_of_table": "fast.rows_of_table",
        "tag": "fast.tag",
    },
    "svm": {"posed": "svm.pose", "ridged": "svm.add_ridge", "train_fast": "fast.svm"},
    "theorems": {"Replay": "theorems.TrialOutcome"},
}


def _old_names(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package some of whose names stand elsewhere now."""

    def look_up(name: str) -> Any:
        """Return what stands under its new name."""
        new = MOVED[package].get(name)
        if new is None:
            raise AttributeError(f"module 'lectures_lib.{package}' has no attribute {name!r}")
        sentence = f"{package}.{name} is now {new}; the next version drops the old name."
        warnings.warn(sentence, DeprecationWarning, stacklevel=2)
        home, _, own = new.rpartition(".")
        return getattr(import_module(f"lectures_lib.{home}"), own)

    return look_up


datasets, exercises, linear, proof, smo, structured, svm, theorems = map(_old_names, MOVED)
