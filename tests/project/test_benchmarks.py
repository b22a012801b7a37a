"""What the pages say of a stored run is made of it."""

import re

import numpy as np
import pytest

from benchmarks import unseen
from benchmarks.unseen import ROOT, Line


def part(page):
    """Return what stands between the marks of the unseen table."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.search(r"<!-- unseen -->\n(.*)\n<!-- end unseen -->", text, re.DOTALL)[1]


def test_the_pages_say_of_the_unseen_table_what_its_stored_run_says():
    described, lines = unseen.stored()
    assert {line.data for line in lines} == set(unseen.SETS)
    assert part("README.md") == unseen.sentence(lines)
    assert part("benchmarks/RESULTS.md") == f"{described}\n\n{unseen.summary(lines)}"
    losses = part("benchmarks/RESULTS.md").partition("Every loss")[2].count("\n|") - 2
    assert losses == sum(line.ratio < 1 for line in lines)


@pytest.mark.parametrize("ratios", [[0.5, 2.0, 3.0], [1.0], [0.2, 0.4]])
def test_the_sentence_counts_the_comparisons_that_are_won(ratios):
    lines = [Line("iris", 150, 4, 3, "SVM", 1.0, ratio, ratio) for ratio in ratios]
    won, median = sum(r >= 1 for r in ratios), np.median(ratios)
    said = unseen.sentence(lines)
    assert f"On 1 data sets that nothing was tuned on, {won} of {len(ratios)} " in said
    assert said.endswith(f"{median:.2f}.")
