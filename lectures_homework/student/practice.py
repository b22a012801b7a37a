"""More tries: the visible checks on inputs drawn anew, and a log of tries for who wants one."""

import importlib
import secrets
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from ..language.checks import Assignment, Check
from ..language.unchanged import and_unchanged

#: The number of a practice is below this.
DRAWS = 1_000_000


def chosen(practice: bool | int) -> int:
    """Return the number of a draw: the one that was asked for, or any."""
    if practice is True:
        return secrets.randbelow(DRAWS)
    if not isinstance(practice, int) or practice < 0:
        raise ValueError(f"practice is True or a whole number of 0 or more, not {practice!r}.")
    return practice


def drawn_anew(homework: Assignment) -> list[Check]:
    """Return the visible checks with the second half, on random inputs, in place of the first."""
    known = replace(homework, checks=list(homework.checks))
    try:
        module = importlib.import_module(f"lectures_homework.practice.{homework.name}")
    except ModuleNotFoundError:
        raise ValueError(f"There is no practice for {homework.name}.") from None
    module.add_again(known)
    found = map(and_unchanged, known.checks)
    return [replace(c, run=c.again, again=None) for c in found if c.again]


def log_try(homework: str, text: str, *, begin: bool = False) -> None:
    """Add a line to the log of tries beside the notebook, if there is one or it shall begin."""
    path = Path(f"{homework}_tries.txt")
    try:
        if begin or path.is_file():
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{datetime.now():%Y-%m-%d %H:%M:%S}  {text.partition(chr(10))[0]}\n")
        if begin:
            print(f"This and later tries are noted in {path}. Delete it to end the log.")
    except OSError as error:
        print(f"The try could not be noted in {path}: {error.strerror}.")
