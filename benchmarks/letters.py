"""Handwritten words: the share of letters right, step by step from letters alone to words.

Usage: ``python -m benchmarks.letters`` (``--quick`` leaves out the ten folds). Three ways to split
the words: train on fold 1 and test on the other nine; train on nine folds and test on the tenth,
ten times; the same, but no word occurs on both sides. Intervals draw the tested words anew.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from lectures_lib import datasets, fast, structured
from lectures_lib.metrics import bootstrap

try:
    import pycrfsuite
except ImportError:  # the comparison is left out; install the extra "bench" for it
    pycrfsuite = None

LETTERS = datasets.letters()
LENGTH = np.array([len(x) for x in LETTERS.X])
START = np.append(0, np.cumsum(LENGTH))
PIXELS = np.concatenate(LETTERS.X)
IMAGES = PIXELS.reshape(-1, 16, 8)
EPOCHS = 10

Split = tuple[np.ndarray, np.ndarray]  #: the words to train on, the words to test on


@dataclass(frozen=True)
class Step:
    """One row of the table."""

    name: str
    features: Callable[[], sparse.csr_array] | None = None  #: None: python-crfsuite's own
    order: int = 1
    ends: bool = True
    alone: bool = False  #: every letter is a sequence of its own
    words: bool = False  #: decode with the list of all 55 words


# --- features ------------------------------------------------------------------------------------


def pixels() -> sparse.csr_array:
    """Return the 128 pixels."""
    return sparse.csr_array(PIXELS)


def positions() -> sparse.csr_array:
    """Return the pixels and the number of the letter in its word, counted from either end."""
    place = np.concatenate([np.arange(n) for n in LENGTH])
    rest = np.concatenate([np.arange(n)[::-1] for n in LENGTH])
    return sparse.hstack(
        [pixels(), *(sparse.csr_array(np.eye(20)[v]) for v in (place, rest))], "csr"
    )


def pairs(reach: int = 2) -> sparse.csr_array:
    """Return the pixels and the products of any two at most `reach` rows and columns apart."""
    parts = [pixels()]
    for down in range(reach + 1):
        for right in range(-reach if down else 1, reach + 1):
            one = IMAGES[:, : 16 - down, max(0, -right) : 8 - max(0, right)]
            other = IMAGES[:, down:, max(0, right) : 8 - max(0, -right)]
            parts.append(sparse.csr_array((one * other).reshape(len(IMAGES), -1)))
    return sparse.hstack(parts, format="csr")


def gaussian(number: int = 800, sigma: float = 1.17, scale: float = 5.0) -> sparse.csr_array:
    """Return the pixels and random features of a Gaussian kernel on blurred images.

    cos(w.x + b), w and b random, has inner products that approach the kernel (Rahimi, Recht 2007).
    """
    weight = np.array([1, 2, 3, 2, 1]) / 9
    wide = np.pad(IMAGES, ((0, 0), (2, 2), (2, 2)))
    rows = sum(v * wide[:, i : i + 16] for i, v in enumerate(weight))
    blurred = sum(v * rows[:, :, j : j + 8] for j, v in enumerate(weight)).reshape(len(IMAGES), -1)
    rng = np.random.default_rng(0)
    W, b = rng.normal(size=(128, number)) / sigma, rng.uniform(0, 2 * np.pi, size=number)
    random = scale * np.sqrt(2 / number) * np.cos(blurred @ W + b)
    return sparse.hstack([pixels(), sparse.csr_array(random)], format="csr")


# --- splits --------------------------------------------------------------------------------------


def fold_one() -> list[Split]:
    """Return the published split: train on fold 1, test on the others."""
    return [(np.flatnonzero(LETTERS.fold == 1), np.flatnonzero(LETTERS.fold != 1))]


def nine_to_one() -> list[Split]:
    """Return ten splits: each fold is tested once."""
    folds = [LETTERS.fold == k for k in range(10)]
    return [(np.flatnonzero(~fold), np.flatnonzero(fold)) for fold in folds]


def new_words() -> list[Split]:
    """Return ten splits in which no word occurs on both sides: the 55 words in ten groups."""
    words = np.array(LETTERS.words)
    different = np.random.default_rng(0).permutation(np.unique(words))
    groups = [np.isin(words, group) for group in np.array_split(different, 10)]
    return [(np.flatnonzero(~group), np.flatnonzero(group)) for group in groups]


# --- one row -------------------------------------------------------------------------------------


def rows(table: sparse.csr_array, words: np.ndarray, step: Step) -> fast.SequenceRows:
    """Return the rows of these words."""
    chosen = np.concatenate([np.arange(START[i], START[i + 1]) for i in words])
    lengths = np.ones(chosen.size, int) if step.alone else LENGTH[words]
    return fast.rows_of_table(table[chosen], np.append(0, np.cumsum(lengths)), ends=step.ends)


def tagged(step: Step, table: sparse.csr_array, train: np.ndarray, test: np.ndarray):
    """Train and return the tags of the test words, one after the other, and the training time."""
    seen, new = rows(table, train, step), rows(table, test, step)
    problem = structured.Chain(26, seen.d, order=step.order)
    y = np.concatenate([LETTERS.y[i] for i in train])
    began = time.process_time()
    run = fast.chain_perceptron(problem, seen, seen.split(y), epochs=EPOCHS, rng=0)
    seconds = time.process_time() - began
    if not step.words:
        return np.concatenate(fast.tag(problem, run.theta, new)), seconds
    listed = structured.WordList(LETTERS.y)
    _, P, Q = problem.parts(run.theta)
    scores = fast.letter_scores(problem, run.theta, new)
    return np.concatenate([structured.best_word(E, P, listed, Q=Q).y for E in scores]), seconds


def crfsuite(train: np.ndarray, test: np.ndarray):
    """Do the same with python-crfsuite's averaged perceptron: black pixels and a constant."""

    def items(i: int) -> list[list[str]]:
        return [[*map(str, np.flatnonzero(row)), "bias"] for row in LETTERS.X[i]]

    trainer = pycrfsuite.Trainer(algorithm="ap", verbose=False)
    trainer.set_params({"max_iterations": EPOCHS, "feature.possible_transitions": True})
    for i in train:
        trainer.append(items(i), [str(s) for s in LETTERS.y[i]])
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "letters.crfsuite")
        trainer.train(file)
        seconds = time.process_time() - began
        tagger = pycrfsuite.Tagger()
        tagger.open(file)
        said = [int(s) for i in test for s in tagger.tag(items(i))]
        tagger.close()
    return np.array(said), seconds


def measured(step: Step, splits: list[Split]) -> str:
    """Return the share of letters right with its interval, and the mean training time."""
    table = None if step.features is None else step.features()
    right, tested, seconds = [], [], []
    for train, test in splits:
        said, took = crfsuite(train, test) if table is None else tagged(step, table, train, test)
        hits = said == np.concatenate([LETTERS.y[i] for i in test])
        right.append(np.add.reduceat(hits, np.append(0, np.cumsum(LENGTH[test])[:-1])))
        tested.append(LENGTH[test])
        seconds.append(took)
    counts = np.concatenate(right), np.concatenate(tested)
    share = bootstrap(lambda hits, n: hits.sum() / n.sum(), *counts)
    error = 100 * (1 - share.estimate)
    interval = f"[{share.low:.4f}, {share.high:.4f}]"
    return f"{share.estimate:.4f} {interval}  error {error:5.2f} %  {np.mean(seconds):6.2f} s"


STEPS = (
    Step("letters alone, pixels", pixels, alone=True),
    Step("chain, pixels", pixels),
    Step("chain, pixels and position in the word", positions),
    Step("chain, pairs of pixels", pairs),
    Step("letters alone, Gaussian random features", gaussian, alone=True),
    Step("chain, Gaussian random features", gaussian),
    Step("second order, pixels", pixels, order=2),
    Step("second order, pairs of pixels", pairs, order=2),
    Step("second order, Gaussian random features", gaussian, order=2),
    Step("chain, pixels, list of the 55 words", pixels, words=True),
    Step("chain, Gaussian, list of the 55 words", gaussian, words=True),
)


def steps() -> Iterator[Step]:
    """Yield the rows; python-crfsuite's where it is installed."""
    if pycrfsuite is not None:
        yield Step("python-crfsuite, averaged perceptron")
    yield from STEPS


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="train on fold 1 only")
    quick = parser.parse_args().quick
    ways = {"train on fold 1, test on nine": fold_one}
    if not quick:
        ways |= {"nine folds to one, ten times": nine_to_one, "no word on both sides": new_words}
    for title, splits in ways.items():
        print(title)
        for step in steps():
            print(f"  {step.name:<44} {measured(step, splits())}", flush=True)


if __name__ == "__main__":
    main()
