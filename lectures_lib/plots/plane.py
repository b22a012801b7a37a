"""Pictures in the plane: examples, lines, arrows and hulls."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_examples, check_labels, check_vector
from ..margins import MaxMargin
from .style import BLUE, CLASSES, GREEN, GREY, RED, axes_or_new, say


@explained
def points(
    X: ArrayLike,
    y: ArrayLike,
    ax: Axes | None = None,
    *,
    mark: Sequence[int] | np.ndarray = (),
    origin: bool = False,
) -> Axes:
    """Draw examples in the plane: + blue discs, - red squares; ring those in `mark`.

    The view is a square around the data; with `origin`, a square around the origin.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels
    ax : a panel; None makes one
    mark : the examples to ring
    origin : the view is a square around the origin

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> print(plots.words(plots.points(X, y).get_figure()))
    3 positive and 3 negative points.
    """
    ax, (X, y) = axes_or_new(ax, (4.6, 4.4)), in_plane(X, y)
    for label, how in CLASSES.items():
        Z = X[y == label]
        name = "y = +1" if label > 0 else "y = \N{MINUS SIGN}1"
        ax.scatter(Z[:, 0], Z[:, 1], s=44, edgecolor="white", label=name, zorder=3, **how)
    if len(mark) and np.asarray(mark).dtype.kind not in "biu":
        raise BadArgument("mark holds the numbers of the examples to ring.")
    if len(mark):
        ring: dict[str, Any] = {
            "facecolor": "none",
            "edgecolor": "black",
            "linewidth": 1.8,
            "zorder": 4,
        }
        ax.scatter(X[list(mark), 0], X[list(mark), 1], s=150, **ring)
    middle = np.zeros(2) if origin else (X.min(axis=0) + X.max(axis=0)) / 2
    half = 1.15 * (np.abs(X - middle).max() or 1.0)
    ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))
    ax.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    ringed = f", {len(mark)} of them ringed" if len(mark) else ""
    return say(ax, f"{np.sum(y > 0)} positive and {np.sum(y < 0)} negative points{ringed}.")


@explained
def separator(
    w: ArrayLike,
    b: float = 0.0,
    ax: Axes | None = None,
    *,
    gamma: float | None = None,
    arrow: bool = True,
    scaled: bool = False,
    colour: str = "black",
    style: str = "-",
    label: str | None = None,
) -> Axes:
    """Draw the line w.x + b = 0 with its normal, and the street of half-width `gamma`.

    Draw the points first: the line spans the view that they set. With `scaled` the arrow is w
    itself, at the scale of the axes, and the view grows to hold it; else it shows the direction.

    Parameters
    ----------
    w, b : the line w.x + b = 0
    ax : a panel; None makes one
    gamma : half the width of the street; None draws no street
    arrow : draw the normal
    scaled : draw it as long as w
    colour, style, label : of the line

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> ax = plots.separator([1.0, 0.0], 0.0, plots.points(X, y), gamma=1.0)
    >>> print(plots.words(ax.get_figure()))
    3 positive and 3 negative points. The line 1.00 x1 + 0.00 x2 + 0.00 = 0, with a street ...
    """
    ax, w = axes_or_new(ax), check_vector(w, 2)
    norm = float(np.linalg.norm(w))
    if norm == 0:
        return say(ax, "The weights are zero: there is no line yet.")
    if scaled:
        hold(ax, -b * w / norm**2 + w)
    view = float(np.diff(ax.get_xlim())[0])
    ax.autoscale(False)  # the line must not widen the view
    foot, along = -b * w / norm**2, np.array([-w[1], w[0]]) / norm
    ends = foot + np.outer([-1, 1], along) * 4 * view
    ax.plot(*ends.T, color=colour, ls=style, lw=2, label=label, zorder=2)
    if gamma is not None:
        for side in (-1, 1):
            ax.plot(*(ends + side * gamma * w / norm).T, color=colour, ls=":", lw=1.2, zorder=2)
    if arrow:
        tip = foot + (w if scaled else w / norm * 0.3 * view)
        look = {"arrowstyle": "-|>", "color": colour, "lw": 2}
        if scaled:
            look |= {"shrinkA": 0, "shrinkB": 0}
        ax.annotate("", (tip[0], tip[1]), (foot[0], foot[1]), arrowprops=look)
    street = f", with a street of half-width {gamma:.3f}" if gamma is not None else ""
    line = f"{w[0]:.2f} x1 + {w[1]:.2f} x2 + {b:.2f} = 0".replace("+ -", "- ")
    return say(ax, f"The line {line}{street}.")


@explained(grid="m")
def regions(
    predict: Callable[[np.ndarray], ArrayLike], grid: ArrayLike, ax: Axes | None = None
) -> Axes:
    """Shade the square of `grid` by what `predict` says of its points: blue above 0, else red.

    Parameters
    ----------
    predict : takes points (m, 2), returns a number for each
    grid : (m,) the numbers along either side of the square
    ax : a panel; None makes one

    Examples
    --------
    >>> ax = plots.regions(lambda Z: Z[:, 0], np.linspace(-1.0, 1.0, 4))
    >>> print(plots.words(ax.get_figure()))
    50 % of the square is shaded as positive.
    """
    ax = axes_or_new(ax, (4.6, 4.4))
    G = np.stack(np.meshgrid(grid, grid), axis=-1)
    says = np.asarray(predict(G.reshape(-1, 2))).reshape(len(G), len(G))
    ax.contourf(grid, grid, says > 0, levels=[-1, 0.5, 2], colors=[RED, BLUE], alpha=0.15)
    return say(ax, f"{100 * np.mean(says > 0):.0f} % of the square is shaded as positive.")


@explained
def addition(old: ArrayLike, added: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw the sum of two vectors to scale: `old` grey, `added` green from its tip, the sum black.

    Draw the points first; the view grows to hold the arrows.
    """
    ax, old, added = axes_or_new(ax), check_vector(old, 2), check_vector(added, 2)
    for point in (old, old + added):
        hold(ax, point)
    look = {"arrowstyle": "-|>", "lw": 2, "shrinkA": 0, "shrinkB": 0}
    tip = old + added
    for start, end, colour in ((0 * old, old, GREY), (old, tip, GREEN), (0 * old, tip, "black")):
        if np.any(start != end):
            ends = (end[0], end[1]), (start[0], start[1])
            ax.annotate("", *ends, arrowprops=look | {"color": colour}, zorder=5)
    terms = " + ".join(f"({v[0]:.3g}, {v[1]:.3g})" for v in (old, added))
    return say(ax, f"Arrows to scale: {terms} = ({tip[0]:.3g}, {tip[1]:.3g}).")


@explained
def hulls(X: ArrayLike, y: ArrayLike, answer: MaxMargin, ax: Axes | None = None) -> Axes:
    """Draw the convex hulls of the two classes and the points that the convex weights make.

    Where the hulls meet the two points coincide; where they do not, the street lies between.

    Parameters
    ----------
    X, y : (n, 2) examples and (n,) labels
    answer : what `margins.max_margin(X, y, offset=True)` returned
    ax : a panel; None makes one

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> print(plots.words(plots.hulls(X, y, margins.max_margin(X, y, offset=True)).get_figure()))
    2 positive and 2 negative points, 4 of them ringed. The hulls meet at (0.000, 0.000): ...
    """
    from scipy.spatial import ConvexHull

    X, y = in_plane(X, y)
    check_labels(y, len(X))
    ax = points(X, y, ax, mark=np.flatnonzero(answer.weights > 1e-9))
    made = []
    for label, colour in ((1, BLUE), (-1, RED)):
        Z, a = X[y == label], answer.weights[y == label]
        if np.linalg.matrix_rank(Z - Z[0]) == 2:
            corners = Z[ConvexHull(Z).vertices].T
            ax.fill(*corners, facecolor=colour, edgecolor=colour, lw=1.5, alpha=0.2, zorder=1)
        else:  # the hull is a segment
            ax.plot(*Z.T, color=colour, ls="-" if label > 0 else "--", lw=2, zorder=1)
        made.append(a @ Z / a.sum() if a.sum() > 0 else Z.mean(axis=0))
    ax.plot(*np.array(made).T, color="black", marker="X", ms=9, lw=1.2, zorder=5)
    if answer.separable and answer.w is not None:
        return separator(answer.w, answer.b, ax, gamma=answer.gamma, arrow=False)
    return say(ax, f"The hulls meet at ({made[0][0]:.3f}, {made[0][1]:.3f}): no line separates.")


def hold(ax: Axes, point: np.ndarray) -> None:
    """Grow the square view of `ax` so that it holds the point, with some room around it."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    middle = np.array([left + right, low + high]) / 2
    half = max((right - left) / 2, 1.1 * np.abs(point - middle).max())
    ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))


def in_plane(X: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return checked examples of two features."""
    X, y = check_examples(X, y)
    if X.shape[1] != 2:
        raise BadArgument(f"X has {X.shape[1]} features; a picture in the plane needs 2.")
    return X, y
