"""Metrics: what the counts of right and wrong answers say, and how surely they say it (L4).

Tables have predictions as rows and truth as columns, as on L4's slide; ``table("true")`` gives the
transpose, which is scikit-learn's. Every 0/0 is `zero_division`, by default 0.0. The areas under
curves carry a certificate that counts them again without the curve. Every example counts once:
there are no sample weights.
"""

from .classes import ConfusionMatrix, confusion_matrix
from .counts import Confusion, Rates, confusion, four_questions
from .curves import (
    ROC,
    AreaCertificate,
    Costs,
    PRCurve,
    PrecisionCertificate,
    area_certificate,
    average_precision,
    bayes_threshold,
    cost_curve,
    costs,
    pr_curve,
    precision_certificate,
    roc,
    sweep,
)
from .evidence import (
    Calibration,
    Interval,
    McNemar,
    bootstrap,
    calibration,
    mcnemar,
)
from .proportions import Proportion, clopper_pearson, coverage, least_coverage, wilson

__all__ = [
    "ROC",
    "AreaCertificate",
    "Calibration",
    "Confusion",
    "ConfusionMatrix",
    "Costs",
    "Interval",
    "McNemar",
    "PRCurve",
    "PrecisionCertificate",
    "Proportion",
    "Rates",
    "area_certificate",
    "average_precision",
    "bayes_threshold",
    "bootstrap",
    "calibration",
    "clopper_pearson",
    "confusion",
    "confusion_matrix",
    "cost_curve",
    "costs",
    "coverage",
    "four_questions",
    "least_coverage",
    "mcnemar",
    "pr_curve",
    "precision_certificate",
    "roc",
    "sweep",
    "wilson",
]
