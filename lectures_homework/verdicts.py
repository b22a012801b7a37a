"""Whom to believe, the last question of homework 5: bounds, and the verdict they allow."""

from typing import Any

import numpy as np

from lectures_lib import svm

from .language import reading
from .language.checks import close, expect
from .language.drawing import kept

#: The violation that `lower` lets pass, in units of C.
HAIR = 1e-9
VERDICTS = ("proved", "refuted", "undecided")
Fit = tuple[np.ndarray, float]


def primal(fit: Fit, X: np.ndarray, y: np.ndarray, C: float) -> float:
    """Return half norm(w)^2 + C sum xi of a machine (w, b)."""
    w, b = fit
    return float(0.5 * w @ w + C * np.maximum(0.0, 1.0 - y * (X @ w + b)).sum())


def dual(alpha: np.ndarray, X: np.ndarray, y: np.ndarray) -> float:
    """Return D(alpha), whether alpha is feasible or not."""
    v = (alpha * y) @ X
    return float(alpha.sum() - 0.5 * v @ v)


@kept
def best(X: np.ndarray, y: np.ndarray, C: float) -> tuple[Fit, np.ndarray]:
    """Return the best machine (w, b) and the alpha that proves it."""
    machine = svm.dual(X, y, C)
    return (np.array(machine.w), machine.b), np.array(machine.alpha)


def expect_upper(got: Any, fit: Fit, X: np.ndarray, y: np.ndarray, C: float) -> None:
    """State that the answer is the objective of a machine."""
    found, want = reading.number(got, "upper"), primal(fit, X, y, C)
    expect(close(found, want, atol=0.0), f"½‖w‖² + C Σ ξ = {want:.6g}, not {found:.6g}")


def expect_lower(got: Any, alpha: np.ndarray, X: np.ndarray, y: np.ndarray, C: float) -> None:
    """State that the answer is D(alpha), or -inf where alpha is not feasible."""
    found, want = reading.number(got, "lower"), dual(alpha, X, y)
    facts = f"α from {alpha.min():.4g} to {alpha.max():.4g}, C = {C:.4g}, Σ α y = {alpha @ y:.4g}"
    if max(-alpha.min(), alpha.max() - C, abs(alpha @ y)) > HAIR * C:
        expect(found == -np.inf, f"{facts}: not feasible, so -inf and not {found:.6g}")
    else:
        expect(close(found, want, atol=0.0), f"{facts}: D(α) = {want:.6g}, not {found:.6g}")


def expect_verdict(got: Any, want: str, why: str) -> None:
    """State that the answer is this one of the three words."""
    found = reading.word(got, VERDICTS, "the verdict")
    expect(found == want, f"{why}: {want}, not {found}")


def even(y: np.ndarray, C: float) -> np.ndarray:
    """Return a feasible alpha that is far from the best: the same for all of a class."""
    positives = int(np.sum(y > 0))
    few = 0.3 * C * min(positives, len(y) - positives)
    return np.where(y > 0, few / positives, few / (len(y) - positives))
