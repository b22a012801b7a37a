"""Support vector machines as the lectures pose them, each answer with its certificate.

The standard problem is  half norm(w)^2 + C sum xi  with y (w.x + b) >= 1 - xi and xi >= 0; C = inf
is the hard margin. The dual has a box 0 <= alpha <= C and, with a free offset, sum alpha y = 0.
With ``loss="squared_hinge"`` slack costs C xi^2: the dual loses its upper bound and has
K + I / (2 C) in the place of K, and alpha = 2 C xi. Strong duality makes every answer checkable:
`certificate` takes (K, y, C, alpha, b) alone. `tol` is everywhere the relative duality gap that is
to be proved; `converged` says that it was.
"""

from .._moved import svm as __getattr__  # noqa: F401
from ..proof.duality import Certificate
from ..proof.svm import certificate
from .fewest import FewestMistakes, fewest_mistakes
from .machine import SVMachine
from .problem import SVMProblem, add_ridge, best_offset, largest_alpha, offset_interval, pose
from .programs import dual_program, general_primal_program, primal_program
from .training import dual, hard_margin, primal, train, with_known_margin

__all__ = [
    "Certificate",
    "FewestMistakes",
    "SVMProblem",
    "SVMachine",
    "add_ridge",
    "best_offset",
    "certificate",
    "dual",
    "dual_program",
    "fewest_mistakes",
    "general_primal_program",
    "hard_margin",
    "largest_alpha",
    "offset_interval",
    "pose",
    "primal",
    "primal_program",
    "train",
    "with_known_margin",
]
