"""The old name of `lectures_homework`: it works for one version, and says so."""

import warnings

import lectures_homework

warnings.warn(
    "lectures_lib.homework is now lectures_homework: "
    "write `from lectures_homework.hw1 import check, data, finish, quiz`.",
    DeprecationWarning,
    stacklevel=2,
)
__path__ = lectures_homework.__path__
