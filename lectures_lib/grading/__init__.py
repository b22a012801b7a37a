"""The old name of `lectures_homework`: it works for one version, and says so."""

import warnings

import lectures_homework

warnings.warn(
    "lectures_lib.grading is now lectures_homework: write `python -m lectures_homework`.",
    DeprecationWarning,
    stacklevel=2,
)
__path__ = lectures_homework.__path__
