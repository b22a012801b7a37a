"""The check of the exercise that finds a form in labels (15)."""

from collections.abc import Iterator

import numpy as np

from .tries import Answer, Try

#: labels, m: a form that returns, overlaps itself, never returns, or is all there is
CASES = (
    ([3, 1, 4, 3, 1, 5, 3, 1], 2),
    ([7, 7, 7, 2, 7, 7], 2),
    ([0, 1, 2, 0, 1, 2, 0, 1, 3], 3),
    ([5, 6, 7], 3),
    ([1, 2, 1, 1, 2, 1, 2], 4),
    ([9, 8, 9, 8, 8], 1),
    ([1, -1, -1, 1, -1, -1, -1], 2),  # labels of more than one character
    ([1, 11, 1, 1, 11, 1], 2),
    ([4, 0, 0, 1, 4, 0, 0, 0, 4, 0, 0, 1], 4),
)


def repeats(answer: Answer) -> Iterator[Try]:
    """15: repeats(labels, m) returns every row at which the first m labels stand again."""
    for labels, m in CASES:
        rows = answer(labels=np.array(labels), m=m).wholes(0, len(labels) - 1, "rows")
        form = labels[:m]
        for row in rows:
            there = labels[row : row + m] == form
            yield there, f"the {m} labels from row {row} on are not {form}"
        yield 0 in rows, "row 0 belongs to the list: the form stands there, too"
        last = len(labels) - m
        for row in range(last + 1):
            missed = labels[row : row + m] == form and row not in rows
            yield not missed, f"at row {row} the labels are {form} again, and the row is missing"


CHECKS = {"repeats": repeats}
