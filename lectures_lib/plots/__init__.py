"""Pictures that can say what they show.

Every function draws on `ax` (or on a new one), returns it, and leaves a sentence with the numbers
in it; `show` displays the figure with those sentences as its alternative text. Colours are safe
for colour-blind readers and never the only sign: markers and line styles differ too.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from ..conventions import check_examples, check_vector
from ..margins import MaxMargin
from ..perceptron import PerceptronRun, VotedRun
from .mistakes import cap, proof
from .structures import handwriting, pair_weights, trellis
from .style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    figure,
    legend,
    number,
    png,
    say,
    show,
    words,
)
from .style import LINES as _LINES
from .style import axes_or_new as _axes
from .trees import tree

__all__ = [
    "BLUE",
    "GREEN",
    "GREY",
    "ORANGE",
    "PURPLE",
    "RED",
    "addition",
    "cap",
    "curves",
    "figure",
    "handwriting",
    "hulls",
    "images",
    "legend",
    "number",
    "pair_weights",
    "png",
    "points",
    "proof",
    "regions",
    "say",
    "separator",
    "show",
    "step",
    "strip",
    "surface",
    "survival",
    "tree",
    "trellis",
    "words",
]


def points(
    X: ArrayLike,
    y: ArrayLike,
    ax: Axes | None = None,
    *,
    mark: Sequence[int] = (),
    origin: bool = False,
) -> Axes:
    """Draw examples in the plane: + blue discs, - red squares; ring those in `mark`.

    The view is a square around the data; with `origin`, a square around the origin.
    """
    ax, (X, y) = _axes(ax, (4.6, 4.4)), _plane(X, y)
    for label, colour, marker in ((1, BLUE, "o"), (-1, RED, "s")):
        Z = X[y == label]
        name = "y = +1" if label > 0 else "y = \N{MINUS SIGN}1"
        ax.scatter(*Z.T, c=colour, marker=marker, s=44, edgecolor="white", label=name, zorder=3)
    if len(mark):
        ring = {"facecolor": "none", "edgecolor": "black", "linewidth": 1.8, "zorder": 4}
        ax.scatter(*X[list(mark)].T, s=150, **ring)
    middle = np.zeros(2) if origin else (X.min(axis=0) + X.max(axis=0)) / 2
    half = 1.15 * (np.abs(X - middle).max() or 1.0)
    ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))
    ax.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    ringed = f", {len(mark)} of them ringed" if len(mark) else ""
    return say(ax, f"{np.sum(y > 0)} positive and {np.sum(y < 0)} negative points{ringed}.")


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
    """
    ax, w = _axes(ax), check_vector(w, 2)
    norm = float(np.linalg.norm(w))
    if norm == 0:
        return say(ax, "The weights are zero: there is no line yet.")
    if scaled:
        _hold(ax, -b * w / norm**2 + w)
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
        ax.annotate("", tip, foot, arrowprops=look)
    street = f", with a street of half-width {gamma:.3f}" if gamma is not None else ""
    line = f"{w[0]:.2f} x1 + {w[1]:.2f} x2 + {b:.2f} = 0".replace("+ -", "- ")
    return say(ax, f"The line {line}{street}.")


def regions(predict: Callable[[np.ndarray], ArrayLike], grid: ArrayLike, ax: Axes) -> Axes:
    """Shade the square of `grid` by what `predict` says of its points: blue above 0, else red."""
    G = np.stack(np.meshgrid(grid, grid), axis=-1)
    says = np.asarray(predict(G.reshape(-1, 2))).reshape(len(G), len(G))
    ax.contourf(grid, grid, says > 0, levels=[-1, 0.5, 2], colors=[RED, BLUE], alpha=0.15)
    return say(ax, f"{100 * np.mean(says > 0):.0f} % of the square is shaded as positive.")


def _hold(ax: Axes, point: np.ndarray) -> None:
    """Grow the square view of `ax` so that it holds the point, with some room around it."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    middle = np.array([left + right, low + high]) / 2
    half = max((right - left) / 2, 1.1 * np.abs(point - middle).max())
    ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))


def addition(old: ArrayLike, added: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw the sum of two vectors to scale: `old` grey, `added` green from its tip, the sum black.

    Draw the points first; the view grows to hold the arrows.
    """
    ax, old, added = _axes(ax), check_vector(old, 2), check_vector(added, 2)
    for point in (old, old + added):
        _hold(ax, point)
    look = {"arrowstyle": "-|>", "lw": 2, "shrinkA": 0, "shrinkB": 0}
    tip = old + added
    for start, end, colour in ((0 * old, old, GREY), (old, tip, GREEN), (0 * old, tip, "black")):
        if np.any(start != end):
            ax.annotate("", end, start, arrowprops=look | {"color": colour}, zorder=5)
    terms = " + ".join(f"({v[0]:.3g}, {v[1]:.3g})" for v in (old, added))
    return say(ax, f"Arrows to scale: {terms} = ({tip[0]:.3g}, {tip[1]:.3g}).")


def step(run: PerceptronRun, X: ArrayLike, y: ArrayLike, k: int, ax: Axes | None = None) -> Axes:
    """Draw mistake k of a run (0: the start): old w, y x from its tip, new w, and both lines.

    The arrows are to scale, and every k shows the same view: it holds all weights of the run.
    """
    X, y = _plane(X, y)
    M = len(run.mistakes)
    if not 0 <= k <= M:
        raise ValueError(f"k counts the mistakes of the run: 0 to {M}, not {k}.")
    mark = run.mistakes[k - 1 : k] if k else ()
    ax = points(X, y, ax, mark=mark, origin=True)
    for w in run.weights:
        _hold(ax, w)
    w = run.weights[k]
    if k and np.any(run.weights[k - 1]):
        separator(run.weights[k - 1], ax=ax, colour=GREY, style="--", arrow=False)
    separator(w, ax=ax, arrow=False)
    text = ", ".join(f"{v:.3g}" for v in w).replace("-", "\N{MINUS SIGN}")
    ax.set_title(f"after mistake {k}: w = ({text})" if k else f"start: w = ({text})")
    if k:
        x = ", ".join(f"{v:.3g}" for v in X[mark[0]])
        say(ax, f"Mistake {k} was on example {mark[0] + 1}, ({x}), of label {y[mark[0]]:+.0f}.")
        addition(run.weights[k - 1], w - run.weights[k - 1], ax)
    return ax


def strip(run: PerceptronRun, X: ArrayLike, y: ArrayLike, *, most: int = 6) -> Figure:
    """Draw the start and the first mistakes of a run side by side, `most` panels at most."""
    panels = min(len(run.mistakes) + 1, most)
    columns = 2 if panels == 4 else min(panels, 3)
    rows = -(-panels // columns)
    fig = figure(rows, columns, size=(2.6, 2.8))
    for k, ax in enumerate(fig.axes):
        if k < panels:
            step(run, X, y, k, ax)
            ax.title.set_fontsize(10)
        else:
            ax.set_axis_off()
    return fig


def curves(
    x: ArrayLike, ys: dict[str, ArrayLike], ax: Axes | None = None, *, xlabel: str, ylabel: str
) -> Axes:
    """Draw named curves over a common x, each with its own line style."""
    ax, x = _axes(ax), np.asarray(x)
    for i, (name, values) in enumerate(ys.items()):
        colour, style = _LINES[i % len(_LINES)]
        values = np.asarray(values, dtype=float)
        ax.plot(x, values, color=colour, ls=style, lw=2, label=name)
        plain = _spoken(name)
        say(ax, f"{plain} goes from {values[0]:.3g} to {values[-1]:.3g}.")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    if len(ys) > 1:
        ax.legend(frameon=False)
    return ax


def hulls(X: ArrayLike, y: ArrayLike, answer: MaxMargin, ax: Axes | None = None) -> Axes:
    """Draw the convex hulls of the two classes and the points that the convex weights make.

    Where the hulls meet the two points coincide; where they do not, the street lies between.
    """
    from scipy.spatial import ConvexHull

    X, y = _plane(X, y)
    ax = points(X, y, ax, mark=np.flatnonzero(answer.weights > 1e-9))
    made = []
    for label, colour in ((1, BLUE), (-1, RED)):
        Z, a = X[y == label], answer.weights[y == label]
        corners = Z[ConvexHull(Z).vertices] if np.linalg.matrix_rank(Z - Z[0]) == 2 else Z
        ax.fill(*corners.T, facecolor=colour, edgecolor=colour, lw=1.5, alpha=0.2, zorder=1)
        made.append(a @ Z / a.sum() if a.sum() > 0 else Z.mean(axis=0))
    ax.plot(*np.array(made).T, color="black", marker="X", ms=9, lw=1.2, zorder=5)
    if answer.separable:
        return separator(answer.w, answer.b, ax, gamma=answer.gamma, arrow=False)
    return say(ax, f"The hulls meet at ({made[0][0]:.3f}, {made[0][1]:.3f}): no line separates.")


def survival(run: VotedRun, ax: Axes | None = None) -> Axes:
    """Draw how many examples each hypothesis survived."""
    ax = _axes(ax)
    ax.bar(np.arange(len(run.counts)), run.counts, color=BLUE, width=0.85)
    ax.set(xlabel="hypothesis $n$", ylabel="survival count $c_n$")
    ax.yaxis.get_major_locator().set_params(integer=True)
    best = int(np.argmax(run.counts))
    return say(
        ax,
        f"{len(run.counts)} hypotheses; number {best} survived longest: "
        f"{run.counts[best]} examples.",
    )


def surface(
    J: np.ndarray, w1: ArrayLike, w2: ArrayLike, ax: Axes | None = None, *, path: ArrayLike = ()
) -> Axes:
    """Draw level sets of J over the plane of weights, and a path of weights on them.

    J[i, j] is the value at (w1[j], w2[i]).
    """
    ax = _axes(ax)
    filled = ax.contourf(w1, w2, J, levels=14, cmap="cividis")
    ax.get_figure().colorbar(filled, ax=ax, label="$J(w)$")
    ax.grid(False)
    path = np.asarray(path, dtype=float)
    if path.size:
        ax.plot(*path.T, color="white", marker="o", ms=3.5, lw=1.2)
        ax.plot(*path[-1], color=ORANGE, marker="*", ms=15, mec="black", ls="none")
    ax.set(xlabel="$w_1$", ylabel="$w_2$", aspect="equal")
    say(ax, f"Level sets of J, from {J.min():.3g} to {J.max():.3g}.")
    if path.size:
        say(ax, f"A path of {len(path) - 1} steps ends at ({path[-1][0]:.2f}, {path[-1][1]:.2f}).")
    return ax


def images(X: ArrayLike, titles: Sequence[str] = (), *, signed: bool = False) -> Figure:
    """Draw rows of 64 pixels as 8 x 8 pictures; `signed`: blue above 0, red below."""
    X = np.atleast_2d(np.asarray(X, dtype=float))
    fig = figure(1, len(X), size=(1.7, 2.0))
    top = np.abs(X).max() or 1.0
    look = {"cmap": "RdBu", "vmin": -top, "vmax": top} if signed else {"cmap": "gray_r"}
    for i, (ax, x) in enumerate(zip(fig.axes, X, strict=True)):
        ax.imshow(x.reshape(8, 8), **look)
        ax.set_axis_off()
        name = titles[i] if i < len(titles) else f"picture {i + 1}"
        ax.set_title(name, fontsize=10)
        say(ax, f"an 8 by 8 picture, {name}.")
    return fig


def _spoken(text: str) -> str:
    """Return a label without the marks of LaTeX, as one would read it aloud."""
    text = re.sub(r"\\sqrt\{?(\w+)\}?", r"root of \1", text)
    for mark, word in ((r"\|", "|"), (r"\cdot", "."), (r"\,", " "), ("$", ""), ("\\", "")):
        text = text.replace(mark, word)
    return text.replace("{", "").replace("}", "")


def _plane(X: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    X, y = check_examples(X, y)
    if X.shape[1] != 2:
        raise ValueError(f"X has {X.shape[1]} features; a picture in the plane needs 2.")
    return X, y
