"""Curves over a common x, level sets of an objective, and digits as pictures."""

import re
from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_vector
from .style import LINES, ORANGE, axes_or_new, figure, figure_of, look, looks, say


@explained(x="n")
def curves(
    x: ArrayLike,
    ys: dict[str, ArrayLike],
    ax: Axes | None = None,
    *,
    xlabel: str,
    ylabel: str,
) -> Axes:
    """Draw named curves over a common x; what the course draws in one way (`look`) looks so.

    Parameters
    ----------
    x : (n,) the common axis
    ys : name -> (n,) values
    ax : a panel; None makes one
    xlabel, ylabel : what the axes are

    Examples
    --------
    >>> ax = plots.curves([0, 1, 2], {"squares": [0, 1, 4]}, xlabel="x", ylabel="")
    >>> print(plots.words(ax.get_figure()))
    squares goes from 0 to 4.
    """
    ax, x = axes_or_new(ax), np.asarray(x)
    for (name, values), (colour, line) in zip(ys.items(), _lines(list(ys))):
        values = check_vector(values, len(x), f"ys[{name!r}]")
        ax.plot(x, values, color=colour, ls=line, lw=2, label=name)
        plain = _spoken(name)
        say(ax, f"{plain} goes from {values[0]:.3g} to {values[-1]:.3g}.")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    if len(ys) > 1:
        ax.legend(frameon=False)
    return ax


def _lines(names: list[str]) -> list[tuple[Any, Any]]:
    """Return colour and line of each name: its look if it has one, else the next that is free.

    Two curves of one kind keep the colour of their kind and differ in the line.
    """
    found: dict[str, tuple[Any, Any]] = {}
    for name in names:
        if looks.match(name):
            how = look(name)
            lines = (how["ls"], *(line for _, line in LINES if line != how["ls"]))
            taken = {line for colour, line in found.values() if colour == how["color"]}
            found[name] = how["color"], next((v for v in lines if v not in taken), how["ls"])
    colours = {colour for colour, _ in found.values()}
    free = cycle([pair for pair in LINES if pair[0] not in colours] or LINES)
    return [found[name] if name in found else next(free) for name in names]


@explained(J="m n", w1="n", w2="m", path="k 2")
def surface(
    J: np.ndarray, w1: ArrayLike, w2: ArrayLike, ax: Axes | None = None, *, path: ArrayLike = ()
) -> Axes:
    """Draw level sets of J over the plane of weights, and a path of weights on them.

    J[i, j] is the value at (w1[j], w2[i]).

    Parameters
    ----------
    J : (m, k) values
    w1, w2 : (k,) and (m,) the weights where they are taken
    ax : a panel; None makes one
    path : weights to draw as a path

    Examples
    --------
    >>> w = np.linspace(-1.0, 1.0, 5)
    >>> ax = plots.surface(w**2 + w[:, None] ** 2, w, w, path=[[1.0, 1.0], [0.5, 0.5], [0.0, 0.0]])
    >>> print(plots.words(ax.get_figure()))
    Level sets of J, from 0 to 2. A path of 2 steps ends at (0.00, 0.00).
    """
    ax = axes_or_new(ax)
    filled = ax.contourf(w1, w2, J, levels=14, cmap="cividis")
    figure_of(ax).colorbar(filled, ax=ax, label="$J(w)$")
    ax.grid(False)
    path = np.asarray(path, dtype=float)
    if path.size:
        ax.plot(*path.T, color="white", marker=".", ms=6, lw=1.2)
        ax.plot(*path[-1], color=ORANGE, marker="*", ms=15, mec="black", ls="none")
    ax.set(xlabel="$w_1$", ylabel="$w_2$", aspect="equal")
    say(ax, f"Level sets of J, from {J.min():.3g} to {J.max():.3g}.")
    if path.size:
        say(ax, f"A path of {len(path) - 1} steps ends at ({path[-1][0]:.2f}, {path[-1][1]:.2f}).")
    return ax


@explained(X="n pixels")
def images(X: ArrayLike, titles: Sequence[str] = (), *, signed: bool = False) -> Figure:
    """Draw rows of 64 pixels as 8 x 8 pictures; `signed`: blue above 0, red below.

    Parameters
    ----------
    X : (n, 64) pictures
    titles : one per picture, or none
    signed : blue above 0, red below

    Examples
    --------
    >>> X, y = datasets.digits(3, 8)
    >>> len(plots.images(X[:3], titles=y[:3]).axes)
    3
    """
    X = np.atleast_2d(np.asarray(X, dtype=float))
    if X.shape[1:] != (64,):
        raise BadArgument(f"X has shape {X.shape}; a picture of 8 by 8 pixels needs 64 columns.")
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
