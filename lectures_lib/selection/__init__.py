"""Choose C and the kernel by cross-validation instead of try-and-see (L4, L5).

Each Gram matrix is computed once; folds are slices of it, and along C each answer is the start of
the next. The examples are taken as they are: whatever else is learnt from data (a scaling, a choice
of features) must be learnt inside each training part, or the errors found here are too low.
"""

from .results import Curve, Grid, Path
from .validation import (
    cross_validate,
    folds,
    grid,
    learning_curve,
    regularisation_path,
    validation_curve,
)

__all__ = [
    "Curve",
    "Grid",
    "Path",
    "cross_validate",
    "folds",
    "grid",
    "learning_curve",
    "regularisation_path",
    "validation_curve",
]
