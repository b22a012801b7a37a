"""Linear support vector machines: dual coordinate descent and Pegasos.

Where time matters, or examples are sparse, use `fast.linear`.

The offset is none, or the weight of a constant feature, penalised like any other weight: then

    minimise  half (norm(w)^2 + (b / constant)^2) + sum C_i xi_i        (or C_i xi_i^2)

which is LinearSVC's problem, and another one than that of `svm`, whose offset is free. Every
answer is judged from alpha alone.
"""

from .._moved import linear as __getattr__  # noqa: F401
from ..proof.svm import LOSSES
from .passes import descent_pass, pegasos_steps
from .problem import LinearProblem, pose
from .training import (
    C_from_penalty,
    LinearMachine,
    PegasosRun,
    dual_coordinate_descent,
    pegasos,
    penalty_from_C,
)

__all__ = [
    "LOSSES",
    "C_from_penalty",
    "LinearMachine",
    "LinearProblem",
    "PegasosRun",
    "descent_pass",
    "dual_coordinate_descent",
    "pegasos",
    "pegasos_steps",
    "penalty_from_C",
    "pose",
]
