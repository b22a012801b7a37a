"""Exhibits: pieces that follow the hand, with a kernel and on a page without one.

Each has a script of its own, which computes and draws in the browser, and shares `exhibit.js` and
`solvers.js`. The tests hold what the scripts compute against the library. A notebook stores where a
piece starts, as numbers: from them `tools.book` puts the working piece on a page.
"""

import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import bounds, complexity, perceptron, svm
from .._arguments import BadArgument, explained
from ..conventions import check_count, check_examples, check_labels, check_vector

#: Where a notebook keeps the start of an exhibit: {"kind": ..., "start": ..., "words": ...}.
MIME = "application/vnd.lectures.exhibit+json"
FOLDER = Path(__file__).parent
#: What every script is joined with: drawing and dragging, and what several compute.
SHARED = ("exhibit", "solvers")


def script(kind: str) -> str:
    """Return the script of an exhibit with what it shares: one module that imports nothing."""
    texts = ((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in (*SHARED, kind))
    return "\n".join(re.sub(r"^import [^;]*;\n", "", text, flags=re.MULTILINE) for text in texts)


def page(kind: str, start: dict, words: str) -> str:
    """Return an exhibit as HTML that works by itself; without scripts its words are read."""
    code = re.sub(r"^export (?!default)", "", script(kind), flags=re.MULTILINE)
    code = code.replace("export default", "return")
    data = json.dumps(start).replace("<", "\\u003c")
    here = "document.currentScript.previousElementSibling"
    run = f"(() => {{\n{code}\n}})().mount({here}, {data});"
    return f'<div class="exhibit-here">{html.escape(words)}</div><script>{run}</script>'


def panel(kind: str, start: dict) -> Any:
    """Return an exhibit as a widget."""
    import anywidget
    import traitlets

    class Exhibit(anywidget.AnyWidget):
        _esm = script(kind)
        start: traitlets.Dict = traitlets.Dict().tag(sync=True)

    return Exhibit(start=start)


def show(kind: str, start: dict, words: str) -> None:
    """Display an exhibit; what is stored of it are its words and where it starts."""
    from IPython.display import display

    shown: Any = panel(kind, start)._repr_mimebundle_()
    words += " Run this cell in Jupyter to move it."
    kept = {"kind": kind, "start": start, "words": words}
    display({**shown[0], MIME: kept, "text/plain": words}, raw=True)


@explained
def street(X: ArrayLike, y: ArrayLike, C: float = 1.0) -> None:
    """Show points to drag, and the street of the SVM that is trained again at every move.

    Discs are +1 and squares -1. A point moves by mouse, by finger, or with the arrow keys once it
    has the focus (Tab); Shift makes larger steps; Enter or a double click changes its class.
    Support vectors are ringed, slacks are drawn as bars to the edge. C = inf is the hard margin:
    where no line separates, a cross marks a point that both hulls share, and its proof is ringed.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels, both present, at most 60 of them
    C : the price of slack

    Examples
    --------
    >>> widgets.street([[0.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [-1, 1, 1], np.inf)
    3 points to drag; the street follows. Street width 2/||w||: 2.000. Support vectors: 2 ...
    """
    X, y = in_the_plane(X, y, both=True)
    if len(X) > 60:
        raise BadArgument(f"X has {len(X)} points; to drag them by hand give at most 60.")
    machine = svm.primal(X, y, C)
    price = float(C) if np.isfinite(C) else None  # JSON has no infinity
    start = {"points": X.tolist(), "labels": y.astype(int).tolist(), "C": price, "view": view(X)}
    show("street", start, f"{len(y)} points to drag; the street follows. {_width(machine)}")


def _width(machine: svm.SVMachine) -> str:
    """Return what the street of a machine looks like, in words."""
    if not machine.separable:
        return "No line separates these points."
    norm = float(np.linalg.norm(np.asarray(machine.w)))
    wide = f"{2 / norm:.3f}" if norm > 1e-6 else "without end, as w = 0"
    slack = np.maximum(0.0, 1.0 - machine.y * machine.decision(machine.X)).sum()
    held = f"{len(machine.support)} of {len(machine.y)}"
    return f"Street width 2/||w||: {wide}. Support vectors: {held}. Sum of slacks: {slack:.3f}."


@explained
def addition(X: ArrayLike, y: ArrayLike) -> None:
    """Show the perceptron as vector addition: w to scale, y x at its tip, points to drag.

    The run cycles until a pass is clean; a score of 0 is a mistake. Step through its mistakes with
    the slider, the buttons or the list. A point moves by mouse, finger or arrow keys, and Enter or
    a double click changes its class: the run is done again at once.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels

    Examples
    --------
    >>> widgets.addition(*datasets.lecture_example())
    6 points to drag; the perceptron runs again at every move. Run this cell in Jupyter to ...
    """
    X, y = in_the_plane(X, y)
    start = {"points": X.tolist(), "labels": y.astype(int).tolist()}
    words = f"{len(y)} points to drag; the perceptron runs again at every move."
    show("addition", start, words)


def in_the_plane(
    X: ArrayLike, y: ArrayLike, *, both: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return checked examples of two features."""
    X, y = check_examples(X, y, both=both)
    if X.shape[1] != 2:
        raise BadArgument(f"X has {X.shape[1]} features; points to drag need 2.")
    return X, y


@explained
def threshold(
    y: ArrayLike,
    scores: ArrayLike,
    *,
    names: tuple[str, str] = ("−", "+"),
    fp: int = 1,
    fn: int = 1,
) -> None:
    """Show a threshold to drag on two histograms; ROC, precision-recall and cost follow.

    Drag the line by mouse or finger, or move it with the arrow keys. The dashed line in the ROC
    picture joins points of equal cost; a circle without filling marks the cheapest threshold.

    Parameters
    ----------
    y, scores : (n,) labels -1, +1 and (n,) scores, kept to six digits
    names : what the classes are called, the negative first
    fp, fn : what a false positive and a false negative cost at first, from 1 to 20

    Examples
    --------
    >>> widgets.threshold([1, 1, -1, -1], [0.9, 0.3, 0.5, 0.1], fn=4)
    A threshold to drag on the scores of 2 positives and 2 negatives. Run this cell in ...
    """
    scores = check_vector(scores, np.size(scores), "scores")
    y = check_labels(y, len(scores))
    fp, fn = check_count(fp, "fp"), check_count(fn, "fn")
    plus, minus = (" ".join(f"{s:.6g}" for s in scores[y == side]) for side in (1, -1))
    start = {"plus": plus, "minus": minus, "names": list(names), "fp": fp, "fn": fn}
    counts = f"{np.sum(y > 0)} positives and {np.sum(y < 0)} negatives"
    show("threshold", start, f"A threshold to drag on the scores of {counts}.")


@explained
def race(X: ArrayLike, y: ArrayLike) -> None:
    """Show the proof of the mistake bound as a race: two dots between k gamma and R root k.

    Step through the mistakes of the perceptron; each row of the proof shows its two sides as bars.
    Then lie: click another example, and see which rows are false. Their bars cross.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels that a line through the origin separates

    Examples
    --------
    >>> widgets.race(*datasets.lecture_example())
    The proof as a race: 3 mistakes, at most 5 are allowed. Run this cell in Jupyter to ...
    """
    X, y = in_the_plane(X, y)
    proof = bounds.mistake_bound(perceptron.perceptron(X, y), X, y)
    start = {"points": X.tolist(), "labels": y.astype(int).tolist()}
    summary = f"{proof.mistakes} mistakes, at most {np.floor(proof.bound + 1e-9):.0f} are allowed."
    show("race", start, f"The proof as a race: {summary}")


@explained
def shatter(X: ArrayLike, y: ArrayLike) -> None:
    """Show points to drag and to label: a line, or the mixture of both classes that forbids one.

    Beside them stand all labellings, each with its verdict. Enter or a double click changes the
    label of a point; points can be added and taken away.

    Parameters
    ----------
    X, y : (n, 2) points, from 2 to 5 of them, and the labels to begin with

    Examples
    --------
    >>> widgets.shatter(*datasets.xor())
    4 points to drag and to label: 14 of 16 labellings have a line. Run this cell in Jupyter ...
    """
    X, y = in_the_plane(X, y)
    if not 2 <= len(X) <= 5:
        raise BadArgument(f"X has {len(X)} points; to label all of them by hand give 2 to 5.")
    start = {"points": X.tolist(), "labels": y.astype(int).tolist(), "view": view(X, 1.0)}
    count = complexity.shatters(X).count
    summary = f"{count} of {2 ** len(X)} labellings have a line."
    show("shatter", start, f"{len(X)} points to drag and to label: {summary}")


@explained
def duality(X: ArrayLike, y: ArrayLike, C: float = 1.0) -> None:
    """Show primal and dual side by side: the street, a bar for each alpha, and the gap.

    Drag a point, and the machine is trained again. Drag a bar, and the others give way so that
    sum alpha y = 0; the street is that of these alpha, and the gap says how far from the best it
    can be.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels, both present, at most 12 of them
    C : the price of slack, from 0.1 to 10

    Examples
    --------
    >>> widgets.duality([[0.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [-1, 1, 1])
    Primal and dual side by side: 3 points and their alpha to drag, best value 0.500. Run ...
    """
    X, y = in_the_plane(X, y, both=True)
    if len(X) > 12 or not 0.1 <= C <= 10:
        raise BadArgument("Bars to drag need at most 12 points and a C from 0.1 to 10.")
    best = svm.train(X, y, C).certificate.primal
    start = {"points": X.tolist(), "labels": y.astype(int).tolist(), "C": float(C)}
    words = f"{len(y)} points and their alpha to drag, best value {best:.3f}."
    show("duality", start | {"view": view(X)}, f"Primal and dual side by side: {words}")


def view(X: np.ndarray, share: float = 0.65) -> list[float]:
    """Return left, right, bottom and top of a square around points."""
    middle, reach = (X.min(axis=0) + X.max(axis=0)) / 2, share * np.ptp(X, axis=0).max() or 1.0
    return [round(float(v), 6) for m in middle for v in (m - reach, m + reach)]


@explained
def steps(X: ArrayLike, y: ArrayLike, C: float = 1.0) -> None:
    """Show SMO in one player: choose a pair, take the step.

    Box, parabola, bars, street and gap follow. Choose two examples by clicking on
    them, by Tab and Enter, or in the lists. Examples are numbered from 1; one step is taken.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels, both present, at most 12 of them
    C : the price of slack

    Examples
    --------
    >>> widgets.steps([[0.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [-1, 1, 1])
    SMO by hand on 3 points: choose a pair, take the step; the best D is 0.500. Run this ...
    """
    X, y = in_the_plane(X, y, both=True)
    if len(X) > 12:
        raise BadArgument(f"X has {len(X)} points; to choose pairs by hand give at most 12.")
    best = svm.train(X, y, C).certificate.dual
    start = {"points": X.tolist(), "labels": y.astype(int).tolist(), "C": float(C)}
    words = f"{len(y)} points: choose a pair, take the step; the best D is {best:.3f}."
    show("steps", start | {"view": view(X)}, f"SMO by hand on {words}")


@explained
def fold(X: ArrayLike, y: ArrayLike) -> None:
    """Show the fold of the plane to the cone of squares, turned by hand, and a plane that cuts it.

    Above, the points on the cone and the cut; below, the points and the shadow of the cut, a conic.
    Play the fold, drag the picture to turn it, and lift or tilt the plane by its grips or sliders.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels; +1 belongs below the cut

    Examples
    --------
    >>> widgets.fold([[0.1, 0.2], [1.0, -0.9]], [1, -1])
    The fold to space, to turn by hand, with 2 points and a plane to cut. Run this cell in ...
    """
    X, y = in_the_plane(X, y)
    start = {"points": X.tolist(), "labels": y.astype(int).tolist()}
    show(
        "fold",
        start,
        f"The fold to space, to turn by hand, with {len(y)} points and a plane to cut.",
    )
