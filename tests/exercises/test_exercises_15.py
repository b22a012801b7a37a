"""The form in the labels (15): right answers in other forms, and wrong ones with the reason."""

import numpy as np


def repeats(labels, m):
    labels = list(labels)
    return [i for i in range(len(labels) - m + 1) if labels[i : i + m] == labels[:m]]


def repeats_by_windows(labels, m):
    windows = np.lib.stride_tricks.sliding_window_view(labels, m)
    return np.flatnonzero((windows == labels[:m]).all(axis=1))


def repeats_as_text(labels, m):
    text, rows, at = "".join(map(str, labels)), [], -1
    while (at := text.find(text[:m], at + 1)) >= 0:
        rows.append(at)
    return tuple(rows)


def repeats_without_overlaps(labels, m):
    rows, at = [], 0
    while at <= len(labels) - m:
        here = list(labels[at : at + m]) == list(labels[:m])
        rows += [at] if here else []
        at += m if here else 1
    return rows


def repeats_without_the_end(labels, m):
    return repeats(labels, m)[:1] + [i for i in repeats(labels, m)[1:] if i + m < len(labels)]


RIGHT = {"repeats": [repeats, repeats_by_windows, lambda labels, m: set(repeats(labels, m))]}
WRONG = [
    ("repeats", lambda labels, m: repeats(labels, m)[1:], "the form stands there, too"),
    ("repeats", repeats_without_overlaps, "and the row is missing"),
    ("repeats", repeats_without_the_end, "and the row is missing"),
    ("repeats", lambda labels, m: np.flatnonzero(labels == labels[0]), "on are not"),
    ("repeats", repeats_as_text, "rows are whole numbers from 0 to 6"),  # labels of one letter only
    ("repeats", lambda labels, m: len(repeats(labels, m)), "a list of rows"),
    ("repeats", lambda labels, m: [*repeats(labels, m), 0], "one comes twice"),
]
