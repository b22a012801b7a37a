"""The theorems of the lectures as data that a machine checks: statement, certificate, verdict.

``print(theorems.MISTAKE_BOUND)`` writes the proof out, ``theorems.check`` decides it in fractions,
``theorems.replay`` breaks an assumption and names the term that turns negative, and
``theorems.judge_answer`` judges a certificate that a student wrote. No package is needed.
"""

from .._moved import theorems as __getattr__  # noqa: F401
from .answers import ProofAnswer, judge_answer, question
from .bounds import (
    AVERAGE_OVER_SIGNS,
    CAUCHY_SCHWARZ,
    COSINE,
    HINGE_BOUND,
    HINGE_BOUND_WITHOUT_SQUARING,
    KERNEL_BOUND,
    MISTAKE_BOUND,
    SHATTERED,
    STRUCTURED_BOUND,
    STRUCTURED_HINGE_BOUND,
    UPDATE_GAIN,
)
from .breaking import Trial, TrialOutcome, replay
from .checker import ProofCheck, check
from .counterexamples import CATALOGUE, COUNTEREXAMPLES, EXAMPLES, SPARE, break_it
from .kernels import (
    CUBE_MAP,
    HINGE_ABOVE,
    PRODUCT_OF_MINORS,
    PRODUCT_RULE,
    SCALING_RULE,
    SQUARE_MAP,
    SQUARE_MAP_WITH_CONSTANT,
    SUM_RULE,
)
from .statements import Cases, Combination, Fact, Induction, Lemma, Theorem
from .svm import (
    KKT,
    LEAVE_ONE_OUT,
    LEFT_OUT,
    SMO_PARABOLA,
    SMO_STEP,
    SUM_OF_ALPHA,
    SUPPORT_VECTORS,
    TWO_CONVENTIONS,
    WEAK_DUALITY,
)

__all__ = [
    "AVERAGE_OVER_SIGNS",
    "CATALOGUE",
    "CAUCHY_SCHWARZ",
    "COSINE",
    "COUNTEREXAMPLES",
    "CUBE_MAP",
    "EXAMPLES",
    "HINGE_ABOVE",
    "HINGE_BOUND",
    "HINGE_BOUND_WITHOUT_SQUARING",
    "KERNEL_BOUND",
    "KKT",
    "LEAVE_ONE_OUT",
    "LEFT_OUT",
    "MISTAKE_BOUND",
    "PRODUCT_OF_MINORS",
    "PRODUCT_RULE",
    "SCALING_RULE",
    "SHATTERED",
    "SMO_PARABOLA",
    "SMO_STEP",
    "SPARE",
    "SQUARE_MAP",
    "SQUARE_MAP_WITH_CONSTANT",
    "STRUCTURED_BOUND",
    "STRUCTURED_HINGE_BOUND",
    "SUM_OF_ALPHA",
    "SUM_RULE",
    "SUPPORT_VECTORS",
    "TWO_CONVENTIONS",
    "UPDATE_GAIN",
    "WEAK_DUALITY",
    "Cases",
    "Combination",
    "Fact",
    "Induction",
    "Lemma",
    "ProofAnswer",
    "ProofCheck",
    "Theorem",
    "Trial",
    "TrialOutcome",
    "break_it",
    "check",
    "judge_answer",
    "question",
    "replay",
]
