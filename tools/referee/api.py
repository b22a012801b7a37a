"""How the library is asked: the names of its fields stand here and nowhere else in the referee."""

import inspect
import re
from dataclasses import fields, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from lectures_lib import svm
from lectures_lib._result import with_fields
from lectures_lib.svm import pose
from tools.referee.rational import exact
from tools.referee.truth import Answer, combined, kernel_answer, linear_answer


class Judged(NamedTuple):
    """What a certificate says."""

    verdict: str
    tol: float


def verdict(certificate) -> str:
    """Return "proved", "refuted" or "undecided"."""
    if hasattr(certificate, "verdict"):
        return certificate.verdict
    for name in ("holds", "proved", "valid"):
        if hasattr(certificate, name):
            said = getattr(certificate, name)
            said = said() if callable(said) else said
            return "proved" if said else "undecided"
    raise AttributeError(f"{type(certificate).__name__} gives no verdict.")


#: What `svm.train`, `dual` and `primal` promise; `fast` and `selection` promise QUICK.
PROMISED, QUICK = 1e-4, 1e-3
#: Where a sentence says nothing about `decision`, it is this near to f.
SILENT = 1e-6


def tolerance(certificate) -> float:
    """Return the relative gap that the printed sentence names; else what was promised."""
    found = re.search(r"within (\S+?)[,;]? of the best|more than tol = (\S+)", str(certificate))
    return PROMISED if found is None else float(found[1] or found[2])


def printed(text: str, before: str, after: str) -> float | None:
    """Return the number that stands between these words of a sentence; None if there is none."""
    found = re.search(re.escape(before) + r"([-+.\de]+)" + re.escape(after), text)
    return None if found is None else float(found[1])


def within(certificate, tol: float) -> bool:
    """Return whether the certificate proves another tolerance."""
    if hasattr(certificate, "within"):
        return bool(certificate.within(tol))
    return bool(certificate.holds(tol)) if callable(certificate.holds) else False


def svm_certificate(K, y, C, alpha, b, *, tol, exact=False, **options) -> Judged:
    """Judge (alpha, b) by the library's certificate at this tolerance."""
    known = inspect.signature(svm.certificate).parameters
    if "tol" in known:
        judged = svm.certificate(K, y, C, alpha, b, tol=tol, exact=exact, **options)
        return Judged(verdict(judged), tol)
    held = svm.certificate(K, y, C, alpha, b, **options).holds(tol)
    return Judged("proved" if held else "undecided", tol)


def svm_answer(machine, X: list, K: list) -> Answer | None:
    """Return what a support vector machine is; None if it has numbers that are none."""
    numbers = [*machine.alpha.tolist(), machine.b]
    if not np.isfinite(numbers).all():
        return None
    beta = [a * y for a, y in zip(exact(machine.alpha), exact(machine.y))]
    return seen_from_centre(machine, beta, X, K)


def seen_from_centre(machine, beta: list, X: list, K: list) -> Answer:
    """Return f(x) = w.(x - centre) + b_centred, w = sum beta (x - centre), if there is a centre."""
    middle = Fraction(float(getattr(machine, "middle", 0.0)))
    if getattr(machine, "centre", None) is None:
        return kernel_answer(K, beta, Fraction(machine.b) + middle)
    Z, own = moved(X, machine.centre), getattr(machine, "own_w", None)
    w = combined(beta, Z) if own is None else exact(own)
    return linear_answer(Z, w, Fraction(float(machine.b_centred)) + middle)


def moved(X: list, centre: np.ndarray) -> list:
    """Return the examples less the centre, exactly."""
    middle = exact(np.asarray(centre, float))
    return [[a - c for a, c in zip(x, middle)] for x in X]


def linear_verdict(machine) -> str:
    """Return what a `linear.LinearSVM` says of itself."""
    if hasattr(machine, "certificate"):
        return verdict(machine.certificate)
    return "proved" if machine.converged else "undecided"


def rejudged(result, **changes):
    """Return a result with other fields, judged anew."""
    return replace(result, **changes).rejudge()


def tube_answer(machine, X: list, K: list) -> Answer:
    """Return what a support vector regression is."""
    return seen_from_centre(machine, exact(machine.beta), X, K)


def psd_verdict(certificate) -> str:
    """Return the verdict on one Gram matrix; an older certificate has `valid` alone."""
    if hasattr(certificate, "verdict"):
        return certificate.verdict
    return "proved" if certificate.valid else "refuted"


def margin_verdict(best) -> str:
    """Return what `max_margin` says of its own answer."""
    if hasattr(best, "certificate"):
        return verdict(best.certificate)
    return "proved" if best.converged else "undecided"


def shattering_verdict(found) -> str:
    """Return whether every labelling's verdict is proved."""
    if hasattr(found, "verdict"):
        return found.verdict
    return "proved" if found.proved else "undecided"


def ball_verdict(found) -> str:
    """Return what `smallest_ball` says of its own answer."""
    if hasattr(found, "verdict"):
        return found.verdict
    if hasattr(found, "certificate"):
        return verdict(found.certificate)
    return "proved" if found.converged else "undecided"


def ridge_answer(model, X: list, K: list) -> Answer:
    """Return what a kernel ridge regression is; where it is centred, w = sum alpha (x - centre)."""
    alpha, centre = exact(model.alpha), getattr(model, "centre", None)
    middle = Fraction(float(getattr(model, "middle", 0.0)))
    if centre is None:
        return kernel_answer(K, alpha, Fraction(model.b) + middle)
    Z = moved(X, centre)
    return linear_answer(Z, combined(alpha, Z), Fraction(float(model.at_centre)) + middle)


def uncentred(machine) -> dict:
    """Return the fields that make a machine f(x) = sum alpha y K(x_i, x) + b."""
    return {name: None for name in ("centre", "own_w") if hasattr(machine, name)}


def with_offset(machine, b: float):
    """Return a machine with another offset, all else the same."""
    moved = (
        {"b_centred": machine.b_centred + b - machine.b} if hasattr(machine, "b_centred") else {}
    )
    return forged(machine, b=b, **moved)


def with_certificate(machine, certificate):
    """Return a machine that carries this certificate, and calls itself converged."""
    known = {f.name for f in fields(machine)}
    more = {"converged": True} if "converged" in known else {}
    return forged(machine, certificate=certificate, **more)


def forged(result, **changes):
    """Return a result with other fields that still carries its proof: what a liar would make."""
    return with_fields(result, **changes)


def built(result, **changes):
    """Return a result that its constructor made, around whatever certificate it is handed."""
    given = {f.name: getattr(result, f.name) for f in fields(result) if f.name[0] != "_"}
    return type(result)(**given | changes)


def known_options(f, **options) -> dict:
    """Return the options that f knows."""
    known = inspect.signature(f).parameters
    return {name: value for name, value in options.items() if name in known}


def judged_machine(kernel, X, y, C, alpha, b, loss, tol) -> str:
    """Return the verdict on (alpha, b) for this kernel; a linear one is seen from the mean of X."""
    judged = pose(X, y, C, kernel, loss=loss, tol=tol).certificate(alpha, b)
    return verdict(judged)
