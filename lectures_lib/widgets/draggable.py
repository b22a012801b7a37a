"""A street that moves: a widget whose points can be dragged, and the machine is trained again.

`street.js` draws what it is sent and reports where a point was put. All arithmetic is here and in
`svm`. The messages need no throttle of our own: a widget sends the next position only when Python
has answered the last one, and of the positions in between it keeps the newest.
"""

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from numpy.typing import ArrayLike
from scipy.spatial import ConvexHull

from .. import plots, svm
from ..conventions import check_examples

#: Slacks below this, in units of the street's half-width, are rounding.
NO_SLACK = 1e-6
#: A w this short, times the size of the view, has no street one could draw.
NO_WEIGHT = 1e-6


class Street(anywidget.AnyWidget):
    """Points in the plane to drag by mouse, finger or arrow keys, and the street they make."""

    _esm = Path(__file__).with_name("street.js").read_text(encoding="utf-8")

    points: traitlets.List = traitlets.List().tag(
        sync=True
    )  #: [[x1, x2], ...]: what dragging changes
    #: the points before anyone moved them
    start: traitlets.List = traitlets.List().tag(sync=True)
    labels: traitlets.List = traitlets.List().tag(
        sync=True
    )  #: -1 or 1 for each point: moving changes none
    #: left, right, bottom, top
    view: traitlets.List = traitlets.List().tag(sync=True)
    colours = traitlets.List([plots.BLUE, plots.RED]).tag(sync=True)  #: of +1 and of -1
    drawn = traitlets.Dict().tag(sync=True)  #: see `drawing`

    def __init__(self, X: ArrayLike, y: ArrayLike, C: float = 1.0) -> None:
        X, y = check_examples(X, y, both=True)
        if X.shape[1] != 2:
            raise ValueError(f"X has {X.shape[1]} features; points to drag need 2.")
        self.C, self.machine = C, svm.primal(X, y, C)
        middle = (X.min(axis=0) + X.max(axis=0)) / 2
        half = 1.3 * (np.abs(X - middle).max() or 1.0)
        view = [float(v) for m in middle for v in (m - half, m + half)]
        places = X.tolist()
        super().__init__(
            points=places,
            start=places,
            labels=y.astype(int).tolist(),
            view=view,
            drawn=drawing(self.machine, view),
        )
        self.observe(self._train, "points")

    @traitlets.validate("points")
    def _check(self, proposal: dict) -> list:
        """Refuse anything but a place for each point."""
        X = np.asarray(proposal["value"], dtype=float)
        if X.shape != self.machine.X.shape or not np.isfinite(X).all():
            n = len(self.machine.X)
            raise traitlets.TraitError(f"points must be a pair of numbers for each of {n} points.")
        return X.tolist()

    def _train(self, _change: dict) -> None:
        """Train the machine on the points where they are now, and send what to draw."""
        self.machine = svm.primal(self.points, self.labels, self.C)
        self.drawn = drawing(self.machine, self.view)


def drawing(machine: svm.SVMachine, view: list[float]) -> dict:
    """Return what to draw of a machine: `lines`, `slacks`, `rings`, or the `hulls` that meet.

    lines: ends of the plane and its two edges; slacks: from a point with slack straight to its
    edge; rings: the support vectors, or the points whose mixtures meet at `cross`; and `words`.
    """
    if not machine.separable:
        return _meeting(machine)
    w, b, xi = np.asarray(machine.w), machine.b, slacks(machine)
    reach = 4 * (view[1] - view[0])
    norm = float(np.linalg.norm(w))
    picture: dict[str, Any] = {"rings": machine.support}
    if norm * reach > NO_WEIGHT:
        along = reach * np.array([-w[1], w[0]]) / norm
        feet = [(level - b) * w / norm**2 for level in (0.0, 1.0, -1.0)]
        picture["lines"] = [np.concatenate([foot - along, foot + along]) for foot in feet]
        edge = machine.X + (machine.y * xi / norm**2)[:, None] * w
        picture["slacks"] = np.hstack([machine.X, edge])[xi > 0]
    return _message(picture, machine)


def slacks(machine: svm.SVMachine) -> np.ndarray:
    """Return max(0, 1 - y f) of the training examples, rounding removed."""
    xi = np.maximum(0.0, 1.0 - machine.y * machine.decision(machine.X))
    return np.where(xi > NO_SLACK, xi, 0.0)


def words(machine: svm.SVMachine) -> str:
    """Return the sentence below the picture."""
    if not machine.separable:
        x1, x2 = np.round(_meeting_point(machine), 2) + 0.0  # never -0.00
        return f"No line separates these points: their hulls meet at ({x1:.2f}, {x2:.2f})."
    norm = float(np.linalg.norm(np.asarray(machine.w)))
    wide = f"{2 / norm:.3f}" if norm > NO_WEIGHT else "without end, as w = 0"
    return (
        f"Street width 2/||w||: {wide}. Support vectors: {len(machine.support)} of "
        f"{len(machine.y)}. Sum of slacks: {slacks(machine).sum():.3f}."
    )


def _meeting(machine: svm.SVMachine) -> dict:
    rings = np.flatnonzero(_mixture(machine) > NO_SLACK)
    hulls = [_corners(machine.X[machine.y == label]) for label in (1, -1)]
    picture = {"hulls": hulls, "rings": rings, "cross": _meeting_point(machine)}
    return _message(picture, machine)


def _meeting_point(machine: svm.SVMachine) -> np.ndarray:
    """Return the point that mixtures of both classes make: the proof that no line separates."""
    positive = machine.y > 0
    return _mixture(machine)[positive] @ machine.X[positive]


def _mixture(machine: svm.SVMachine) -> np.ndarray:
    """Return the convex weights of a machine for which no line separates."""
    if machine.separation is None:
        raise ValueError("A line separates these points: there is no mixture where the hulls meet.")
    return machine.separation.weights


def _corners(Z: np.ndarray) -> np.ndarray:
    """Return the corners of the hull of points in the plane, in order around it."""
    flat = np.linalg.matrix_rank(Z - Z[0]) < 2
    return Z if flat else Z[ConvexHull(Z).vertices]


def _message(picture: dict, machine: svm.SVMachine) -> dict:
    """Return the picture with every part present, in plain lists: a message carries no arrays."""
    parts = dict.fromkeys(("lines", "slacks", "hulls", "rings", "cross"), ()) | picture
    return {name: _lists(part) for name, part in parts.items()} | {"words": words(machine)}


def _lists(part: Any) -> Any:
    return part.tolist() if isinstance(part, np.ndarray) else [_lists(p) for p in part]
