"""Checks of the exercises whose answer is a proof: a sum of assumptions."""

from collections.abc import Iterator

from .. import theorems
from .reading import NotYet
from .tries import Answer, Check, Try

LONGEST = 1000  # a sum: longer ones are deeper than Python can read

#: what is claimed of a sum that is a proof
PROVED = "proved, for all values and in every dimension"

#: name -> the theorem and the line of its proof for which a sum is asked
PROOFS = {
    "above": (theorems.HINGE_ABOVE, "above"),  # 03
    "growth": (theorems.MISTAKE_BOUND, "sum_of_growth"),  # 05
    "detour": (theorems.HINGE_BOUND_WITHOUT_SQUARING, "bound"),  # 05
    "terms": (theorems.WEAK_DUALITY, "terms"),  # 12
    "segment": (theorems.SMO_STEP, "best"),  # 13
}


def question(name: str) -> str:
    """Return the question: what is to be a sum, and what may be added up."""
    return theorems.question(*PROOFS[name])


def asks(name: str) -> Check:
    """Return the check of an answer: a text, or a function that returns one."""

    def check(answer: Answer) -> Iterator[Try]:
        got = answer.expression()
        if got is None:
            raise NotYet("Not written yet: no sum is given.")
        if isinstance(got, str) and len(got) > LONGEST:
            raise NotYet(f"Not yet: a sum of at most {LONGEST} characters is enough.")
        verdict = theorems.judge_answer(*PROOFS[name], got)
        if not verdict.holds:
            of = (
                " (of what is to be proved, less your sum)" if "left over" in verdict.reason else ""
            )
            raise NotYet(f"Not yet: {verdict.reason.rstrip('.')}{of}.")
        yield True, PROVED

    return check


CHECKS = {name: asks(name) for name in PROOFS}
