"""Linear support vector machines at scale: dual coordinate descent, Newton's method, Pegasos.

`fast` is the first two together: the one to use where time matters.

The offset is none, or the weight of a constant feature, penalised like any other weight: then

    minimise  half (norm(w)^2 + (b / constant)^2) + sum C_i xi_i        (or C_i xi_i^2)

which is LinearSVC's problem, and another one than that of `svm`, whose offset is free. Examples
may be a scipy sparse matrix; it is never made dense. Every answer is judged from alpha alone.
"""

from ..proof.svm import LOSSES
from .plain import descent_pass, pegasos_steps
from .problem import LinearProblem, posed
from .training import (
    C_from_penalty,
    LinearMachine,
    PegasosRun,
    dual_coordinate_descent,
    fast,
    newton,
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
    "fast",
    "newton",
    "pegasos",
    "pegasos_steps",
    "penalty_from_C",
    "posed",
]
