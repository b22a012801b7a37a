"""Which notebooks are alike: a hint to look, and no verdict.

Of each notebook the code that its author wrote is compared, by runs of words in a row, with names
and layout as they are. What everybody was given counts nothing, and neither does what most of the
class wrote; whole notebooks that are equal are named however many they are.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from .batch import GradedSubmission

#: Words in a row; the share of a notebook's runs that another has; runs below which it says little.
RUN, ALIKE, FEWEST = 8, 0.9, 40
#: What more than this share of the class has in common says nothing.
USUAL = 0.5
WORDS = re.compile(r"\w+|[^\w\s]")
#: The line that differs from student to student; no copy of another's work changes it.
SEED = re.compile(r"^SEED = \d+", re.MULTILINE)


def pairs(
    results: Sequence[GradedSubmission], given: Mapping[str, Any] | None = None
) -> list[tuple[str, str, float]]:
    """Return (student, other, share) of all pairs that are alike, the most alike first.

    `given` is the notebook that was handed out; without it most of the class must differ.
    """
    stubs = _runs(_code(given)) if given else set()
    wrote = {one.submission.student: _runs(_read(one.submission.read())) - stubs for one in results}
    often = Counter(run for found in wrote.values() for run in found)
    usual = max(2, USUAL * len(wrote))
    own = {who: {r for r in found if often[r] <= usual} for who, found in wrote.items()}
    shares = [
        (a, b, 1.0 if given and wrote[a] == wrote[b] else _share(own[a], own[b]))
        for a, b in combinations(sorted(who for who in wrote if len(wrote[who]) >= FEWEST), 2)
    ]
    return sorted((one for one in shares if one[2] >= ALIKE), key=lambda one: -one[2])


def lines(found: Sequence[tuple[str, str, float]]) -> list[str]:
    """Return a line for each group in which every notebook is like another one."""
    groups: list[tuple[list[str], list[float]]] = []
    for one, other, share in found:
        near = [group for group in groups if one in group[0] or other in group[0]]
        groups = [group for group in groups if group not in near]
        names = dict.fromkeys([*(n for who, _ in near for n in who), one, other])
        groups.append(([*names], [*(s for _, how in near for s in how), share]))
    return [f"{', '.join(who[:-1])} and {who[-1]}: {min(how):.0%} alike" for who, how in groups]


def _share(one: set, other: set) -> float:
    least, most = sorted((len(one), len(other)))
    return len(one & other) / most if least >= FEWEST else 0.0


def _read(content: bytes) -> str:
    """Return the code of a notebook; nothing if it cannot be read."""
    try:
        return _code(json.loads(content.decode("utf-8-sig", "replace")))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""


def _code(notebook: Mapping[str, Any]) -> str:
    cells = notebook["cells"]
    return "\n".join("".join(c["source"]) for c in cells if c.get("cell_type") == "code")


def _runs(code: str) -> set[tuple[str, ...]]:
    """Return the runs of words in a text."""
    words = WORDS.findall(SEED.sub("SEED", code))
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
