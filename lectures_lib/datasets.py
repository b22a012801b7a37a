"""Data whose margin, radius and separator are known by construction; the lectures' examples; files.

A generator returns `KnownData`: not only points but the truth about them, so that a test or a
notebook can compare what an algorithm found with what is there.
"""

import csv
import hashlib
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from ._arguments import BadArgument, explained
from ._moved import datasets as __getattr__  # noqa: F401
from .conventions import LARGEST, check_choice, check_count, check_positive, check_rng

#: Inside an installed package, beside the package in a clone.
DATA = next(
    (here / "data" for here in Path(__file__).resolve().parents[:2] if (here / "data").is_dir()),
    Path("data"),
)

#: sha256 of each file in data/: a changed file is reported, not used.
CHECKSUMS = {
    "digits.csv": "1a8c0ce573804cf39bc6fdc9a6cc8f23d15cbf27a72575c1ca5fac15163717d0",
    "iris.csv": "9cc1c345c71bcc9b486b74cbf6063fa66f4bb5e0f603a4b3c3471ec2e5e8e355",
    "ocr_letters.npz": "1ccee01eb74047ebaa22d409766beefe91d76ffb6276e0eaebf8593b681c9380",
}


@dataclass(frozen=True, eq=False)
class KnownData:
    """Examples and the truth about them."""

    X: np.ndarray  #: (n, d)
    y: np.ndarray  #: (n,) labels -1, +1
    u: np.ndarray  #: (d,) unit vector: the separator of largest margin through the origin
    gamma: float  #: that margin
    R: float  #: the largest norm of an example


@explained
def separable(
    n: int = 40,
    d: int = 2,
    *,
    gamma: float = 0.1,
    R: float = 1.0,
    rng: int | np.random.Generator | None = 0,
) -> KnownData:
    """Return n points in R^d with exactly this largest margin and exactly this radius.

    Every point is y (s u + v) with s >= gamma, v across u and norm at most R. Two of them are
    y (gamma u + v) and y (gamma u - v), of norm R: half their sum, signed, is gamma u, so no
    separator has a margin above gamma.

    Parameters
    ----------
    n, d : how many examples, of how many features
    gamma, R : the largest margin, the largest norm
    rng : a seed or generator

    Examples
    --------
    >>> problem = datasets.separable(100, 20, gamma=0.1)
    >>> print(problem.X.shape, problem.gamma)
    (100, 20) 0.1
    """
    n, d = check_count(n, "n", 2), check_count(d, "d", 2)
    if not 0 < gamma < R < LARGEST:
        raise BadArgument(f"Need 0 < gamma < R < {LARGEST:g}, not gamma = {gamma} and R = {R}.")
    rng = check_rng(rng)
    u = _unit_rows(rng.normal(size=(1, d)))[0]
    across = rng.normal(size=(n, d))
    across = _unit_rows(across - np.outer(across @ u, u))
    along = gamma + (R - gamma) * rng.uniform(size=n) ** 2  # more points near the margin
    room = np.sqrt(R**2 - along**2)
    reach = room * rng.uniform(0, 1, size=n)
    i, j = rng.choice(n, size=2, replace=False)
    across[j] = -across[i]
    along[[i, j]], reach[[i, j]] = gamma, np.sqrt(R**2 - gamma**2)
    y = np.where(rng.permutation(n) % 2 == 0, 1.0, -1.0)
    X = y[:, None] * (np.outer(along, u) + reach[:, None] * across)
    return KnownData(X, y, u, float(gamma), float(R))


@explained
def noisy(
    n: int = 100,
    d: int = 2,
    *,
    gamma: float = 0.1,
    flips: float = 0.1,
    rng: int | np.random.Generator | None = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return a `separable` problem in the unit ball with a fraction `flips` of labels turned.

    Parameters
    ----------
    n, d, gamma, rng : as in `separable`
    flips : the share of labels that are turned

    Examples
    --------
    >>> X, y = datasets.noisy(50, flips=0.2)
    >>> margins.max_margin(X, y).separable
    False
    """
    if not 0 <= flips <= 0.5:
        raise BadArgument(f"flips is a fraction between 0 and 0.5, not {flips}.")
    rng = check_rng(rng)
    problem = separable(n, d, gamma=gamma, rng=rng)
    y = problem.y.copy()
    y[rng.choice(n, size=round(flips * n), replace=False)] *= -1
    return problem.X, y


@explained
def orthogonal(m: int, *, R: float = 1.0) -> KnownData:
    """Return R e_1, ..., R e_m with labels by turns: under L2's rule all are mistakes.

    The largest margin is R / sqrt(m), so (R / gamma)^2 = m: the mistake bound is attained.

    Parameters
    ----------
    m : how many examples
    R : their length

    Examples
    --------
    >>> datasets.orthogonal(4).gamma
    0.5
    """
    m = check_count(m, "m", 2)
    R = check_positive(R, "R", ": it is a radius")
    y = np.where(np.arange(m) % 2 == 0, 1.0, -1.0)
    return KnownData(R * np.eye(m), y, y / np.sqrt(m), float(R / np.sqrt(m)), float(R))


@explained
def lecture_example() -> tuple[np.ndarray, np.ndarray]:
    """Return L1's six points: mistakes on the first, third and fifth, w ends at (3, 1).

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> print(X.shape, y)
    (6, 2) [-1.  1.  1. -1. -1.  1.]
    """
    X = np.array([[-1, 2], [1, 0], [1, 1], [-1, 0], [-1, -2], [1, -1]], dtype=float)
    return X, np.array([-1.0, 1.0, 1.0, -1.0, -1.0, 1.0])


@explained
def offset_example() -> tuple[np.ndarray, np.ndarray]:
    """Return the points 0 (-) and 1 (+) on a line: separable only with an offset.

    Examples
    --------
    >>> datasets.offset_example()
    (array([[0.],
           [1.]]), array([-1.,  1.]))
    """
    return np.array([[0.0], [1.0]]), np.array([-1.0, 1.0])


@explained
def xor() -> tuple[np.ndarray, np.ndarray]:
    """Return the four corners (+-1, +-1), positive where the signs differ: no line separates.

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> print(y)
    [-1.  1.  1. -1.]
    """
    X = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]], dtype=float)
    return X, np.array([-1.0, 1.0, 1.0, -1.0])


@explained
def branch_trace(
    n: int = 200,
    *,
    rule: Literal["and", "xor"] = "and",
    history: int = 8,
    rng: int | np.random.Generator | None = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Run a small program n times and return its third branch with the branches before it (L1).

    The program is ``if a: ...; if b: ...; if a and b: ...`` (or ``a != b``) on random bits.
    Label +1: the third branch is taken. Features: the last `history` outcomes of any branch,
    as -1 and +1, newest last, and a constant, as in a hardware predictor (Jimenez, Lin 2001).
    "and" is linearly separable (a + b - 1 > 0 on -1, +1), with margin 1 / sqrt(3); "xor" is not.

    Parameters
    ----------
    n : how often the program runs
    rule : "and" or "xor"
    history : how many outcomes the features show
    rng : a seed or generator

    Examples
    --------
    >>> X, y = datasets.branch_trace(5)
    >>> print(X.shape, y)
    (5, 9) [ 1. -1. -1. -1. -1.]
    """
    check_choice(rule, ("and", "xor"), "rule")
    rng, history = check_rng(rng), check_count(history, "history", 2)
    outcomes, X, y = [-1.0] * history, [], []
    for a, b in rng.integers(0, 2, size=(check_count(n, "n"), 2)):
        outcomes += [2.0 * a - 1, 2.0 * b - 1]
        X.append([*outcomes[-history:], 1.0])
        y.append(1.0 if (a and b if rule == "and" else a != b) else -1.0)
        outcomes.append(y[-1])
    return np.array(X), np.array(y)


@explained
def digits(
    positive: int | None = None, negative: int | None = None, *, groups: bool = False
) -> tuple[np.ndarray, ...]:
    """Return 8 x 8 images of digits as rows of 64 pixels in [0, 1] (L1, L4).

    Two digits named: only those, labelled +1 and -1. None: all ten, labelled 0 to 9.

    Parameters
    ----------
    positive, negative : two digits, or None for all ten
    groups : return a third array, too: the sheet of each picture, 0 to 13. One person wrote a
        sheet, so a fair split keeps sheets whole (`sheets` finds them)

    Examples
    --------
    >>> X, y = datasets.digits(3, 8)
    >>> print(X.shape, y[:4])
    (357, 64) [ 1. -1.  1. -1.]
    >>> X, y, sheet = datasets.digits(groups=True)
    >>> print(X.shape, sheet[[0, 129, 130]])
    (1797, 64) [0 0 1]
    """
    table = np.array(_rows("digits.csv"), dtype=float)
    X, digit = table[:, :-1] / 16.0, table[:, -1].astype(int)
    if positive is None and negative is None:
        return (X, digit, sheets(digit)) if groups else (X, digit)
    if positive == negative or {positive, negative} - set(range(10)):
        raise BadArgument(f"Name two different digits from 0 to 9, not {positive}, {negative}.")
    pick = (digit == positive) | (digit == negative)
    y = np.where(digit[pick] == positive, 1.0, -1.0)
    return (X[pick], y, sheets(digit)[pick]) if groups else (X[pick], y)


#: How the form begins: 0 to 9 three times, where a digit may be missing, and on.
FORM = "(?:0?1?2?3?4?5?6?7?8?9?){3}0955650989841773"


@explained
def sheets(digit: np.ndarray) -> np.ndarray:
    """Return for each label of `digits` the number of its sheet, found from the labels alone.

    The file does not name the writers, but all of them copied one form of 130 digits, so its
    beginning returns in the labels: 14 times. Sheets are not complete. The eighth has lost its
    first 0 and begins with the 1 of row 906 (other courses cut at the next 0, row 915).

    Parameters
    ----------
    digit : (n,) the labels 0 to 9, in the order of the file

    Examples
    --------
    >>> X, digit = datasets.digits()
    >>> np.flatnonzero(np.diff(datasets.sheets(digit), prepend=-1))
    array([   0,  130,  256,  386,  516,  646,  776,  906, 1029, 1157, 1287,
           1415, 1545, 1667])
    """
    labels = np.asarray(digit)
    if labels.ndim != 1 or not np.isin(labels, np.arange(10)).all():
        raise BadArgument("digit must be a vector of the digits 0 to 9, in the order of the file.")
    text = "".join(str(int(d)) for d in labels)
    starts = [found.start() for found in re.finditer(FORM, text)]
    if not starts or starts[0] > 0:
        raise BadArgument("The labels do not begin with the form: hand over all, in their order.")
    return np.searchsorted(starts, np.arange(len(text)), side="right") - 1


@explained
def iris(positive: str | None = None, negative: str | None = None) -> tuple[np.ndarray, ...]:
    """Return Fisher's flowers: four lengths in cm; species setosa, versicolor, virginica.

    Two species named: only those, labelled +1 and -1. None: all three, labelled by name.

    Parameters
    ----------
    positive, negative : two species, or None for all three

    Examples
    --------
    >>> X, y = datasets.iris("setosa", "virginica")
    >>> print(X.shape, y[:4])
    (100, 4) [1. 1. 1. 1.]
    """
    rows = _rows("iris.csv")
    X, species = np.array([r[:-1] for r in rows], dtype=float), np.array([r[-1] for r in rows])
    if positive is None and negative is None:
        return X, species
    if positive == negative or {positive, negative} - set(species.tolist()):
        raise BadArgument(f"Name two of setosa, versicolor, virginica: not {positive}, {negative}.")
    pick = (species == positive) | (species == negative)
    return X[pick], np.where(species[pick] == positive, 1.0, -1.0)


@dataclass(frozen=True, eq=False)
class Letters:
    """Handwritten words, letter by letter; the first, capital letter of each word is left out."""

    X: list[np.ndarray]  #: one array (letters, 128) per word: 16 x 8 pixels, 0 white and 1 black
    y: list[np.ndarray]  #: one array (letters,) per word: 0 to 25 for a to z
    fold: np.ndarray  #: (words,) 0 to 9, the folds of the published experiments

    @property
    def words(self) -> list[str]:
        """The words as text."""
        return ["".join(chr(97 + letter) for letter in word) for word in self.y]


@explained
def letters() -> Letters:
    """Return 6,877 handwritten words, 55 different ones, of 52,152 letters (Kassel 1995).

    Examples
    --------
    >>> words = datasets.letters()
    >>> print(words.words[0], words.X[0].shape)
    ommanding (9, 128)
    """
    with np.load(io.BytesIO(_content("ocr_letters.npz"))) as file:
        pixels = np.unpackbits(file["bits"], axis=1).astype(float)
        label, ends = file["label"].astype(int), np.cumsum(file["length"])[:-1]
        fold = file["fold"].astype(int)
    return Letters(np.split(pixels, ends), np.split(label, ends), fold)


def _content(name: str) -> bytes:
    """Return a file of data/ as it was published; in a text file line ends may differ."""
    path = DATA / name
    if not path.exists():
        raise FileNotFoundError(f"data/{name} is missing: restore it from the repository.")
    content = path.read_bytes()
    if name.endswith(".csv"):
        content = content.replace(b"\r\n", b"\n")
    if hashlib.sha256(content).hexdigest() != CHECKSUMS[name]:
        raise BadArgument(f"data/{name} was changed (checksum differs): restore it.")
    return content


def _rows(name: str) -> list[list[str]]:
    return list(csv.reader(_content(name).decode().splitlines()))[1:]


def _unit_rows(V: np.ndarray) -> np.ndarray:
    return V / np.linalg.norm(V, axis=1, keepdims=True)
