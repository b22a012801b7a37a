"""Checks of the exercises whose answer is a proof: a sum of assumptions."""

from collections.abc import Iterator

from .. import theorems
from .tries import Answer, Check, NotYet, Try

#: what is claimed of a sum that is a proof
PROVED = "proved, for all values and in every dimension"

#: name -> the theorem and the line of its proof for which a sum is asked
PROOFS = {
    "above": (theorems.HINGE_ABOVE, "above"),  # 03
    "growth": (theorems.MISTAKE_BOUND, "sum_of_growth"),  # 05
    "slack progress": (theorems.HINGE_BOUND, "sum_of_progress"),  # 05
    "detour": (theorems.HINGE_BOUND_WITHOUT_SQUARING, "bound"),  # 05
    "minors": (theorems.PRODUCT_OF_MINORS, "both"),  # 09
    "terms": (theorems.WEAK_DUALITY, "terms"),  # 12
    "segment": (theorems.SMO_STEP, "best"),  # 13
}


def question(name: str) -> str:
    """Return the question: what is to be a sum, and what may be added up."""
    return theorems.question(*PROOFS[name])


def asks(name: str) -> Check:
    """Return the check of an answer: a text, or a function that returns one."""

    def check(answer: Answer) -> Iterator[Try]:
        got = answer().value if callable(answer.answer) else answer.answer
        if got in (None, "", ...):
            raise NotYet("Not written yet: no sum is given.")
        verdict = theorems.judge_answer(*PROOFS[name], got)
        if not verdict.holds:
            raise NotYet(f"Not yet: {verdict.reason.rstrip('.')}.")
        yield True, PROVED

    return check


CHECKS = {name: asks(name) for name in PROOFS}
