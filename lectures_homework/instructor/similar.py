"""Which notebooks are alike: a hint to look, and no verdict.

Of each notebook the code that its author wrote is compared, by runs of words in a row, with names
and layout as they are. What most of the class has, the stubs and the given cells, counts nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from .batch import GradedSubmission

#: Words in a row; the share of a notebook's runs that another has; runs below which it says little.
RUN, ALIKE, FEWEST = 8, 0.9, 40
#: What more than this share of the class has in common was given to them.
GIVEN = 0.5
WORDS = re.compile(r"\w+|[^\w\s]")


def pairs(results: Sequence[GradedSubmission]) -> list[tuple[str, str, float]]:
    """Return (student, other, share) of all pairs that are alike, the most alike first."""
    runs = {one.submission.student: _runs(one.submission.read()) for one in results}
    often = Counter(run for own in runs.values() for run in own)
    common = max(2, GIVEN * len(runs))
    own = {who: {r for r in found if often[r] <= common} for who, found in runs.items()}
    own = {who: found for who, found in own.items() if len(found) >= FEWEST}
    found = [(a, b, _share(own[a], own[b])) for a, b in combinations(sorted(own), 2)]
    return sorted((one for one in found if one[2] >= ALIKE), key=lambda one: -one[2])


def _share(one: set, other: set) -> float:
    return len(one & other) / max(len(one), len(other))


def _runs(content: bytes) -> set[tuple[str, ...]]:
    """Return the runs of words in the code of a notebook; none if it cannot be read."""
    try:
        cells = json.loads(content.decode("utf-8-sig", "replace"))["cells"]
        code = "\n".join("".join(c["source"]) for c in cells if c.get("cell_type") == "code")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return set()
    words = WORDS.findall(code)
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
