"""Sequential minimal optimisation: solve the SVM's dual two multipliers at a time (L4).

The functions take a Gram matrix and return alpha; `svm` chooses b and computes the certificate.
`platt` is the algorithm as it is taught. The others work on beta_i = alpha_i y_i, which lies in
[0, C] for a positive example and in [-C, 0] for a negative one:

    maximise  y.beta - half beta'K beta   subject to  sum beta = 0,  low <= beta <= high

F = y - K beta is what the data still asks for. At the optimum F_i <= b where beta_i can grow
and F_i >= b where it can shrink; a pair that breaks this can be improved.
"""

from .._moved import smo as __getattr__  # noqa: F401
from .loops import examine, partner, platt_loop, take_step
from .solvers import SMORun, most_violating, platt, second_order

__all__ = [
    "SMORun",
    "examine",
    "most_violating",
    "partner",
    "platt",
    "platt_loop",
    "second_order",
    "take_step",
]
