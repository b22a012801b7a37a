"""Checks of the exercises whose answer is a proof: a sum of assumptions; `exercises` lists them."""

from collections.abc import Callable, Iterator

from .. import theorems
from .tries import Try

#: name -> the theorem and the line of its proof for which a sum is asked
PROOFS = {
    "above": (theorems.HINGE_ABOVE, "above"),  # 03
    "growth": (theorems.MISTAKE_BOUND, "growth"),  # 05
    "slack progress": (theorems.HINGE_BOUND, "progress"),  # 05
    "detour": (theorems.HINGE_BOUND_WITHOUT_SQUARING, "bound"),  # 05
    "minors": (theorems.PRODUCT_OF_MINORS, "both"),  # 09
    "terms": (theorems.WEAK_DUALITY, "terms"),  # 12
    "segment": (theorems.SMO_STEP, "best"),  # 13
}


def question(name: str) -> str:
    """Return the question: what is to be a sum, and what may be added up."""
    return theorems.question(*PROOFS[name])


def asks(name: str) -> Callable[[object], Iterator[Try]]:
    """Return the check of an answer: a text, or a function that returns one."""

    def check(answer: object) -> Iterator[Try]:
        got = answer() if callable(answer) else answer
        if got in (None, "", ...):
            yield False, "", question(name), None
        verdict = theorems.judge_answer(*PROOFS[name], got)
        yield verdict.holds, verdict.reason, question(name), got

    return check
