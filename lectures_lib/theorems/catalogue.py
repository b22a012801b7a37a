"""Every theorem of the course, by its name."""

from . import bounds, kernels, svm

CATALOGUE = {t.name: t for module in (bounds, kernels, svm) for t in module.THEOREMS}
