"""Structured prediction drawn: a trellis, written words, weights of pairs of tags, a parse."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..structured import bracketed, follow, forward, leaves
from .style import BLUE, GREY, RED, axes_or_new, figure, figure_of, say

HEIGHT, WIDTH = 16, 8  #: the pixels of one handwritten letter
PITCH = WIDTH + 2  #: from one letter of a word to the next
LINE, MARGIN = 8, 42  #: the height of a line of text and the room for names, in pixels
INCHES = 0.042  #: one pixel


@explained
def trellis(
    E: ArrayLike,
    P: ArrayLike,
    tags: Sequence[str],
    inputs: Sequence[str],
    ax: Axes | None = None,
    *,
    upto: int | None = None,
    other: Sequence[int] = (),
) -> Axes:
    """Draw Viterbi's table: a column per position, a row per tag, an edge per pair of tags.

    A node shows V, small beside it E; an edge shows P. The edges that Viterbi keeps are dark, the
    best path is blue. `upto`: only the first columns are filled; `other`: one more path, dashed.

    Parameters
    ----------
    E, P : (n, S) and (S, S), what tags and pairs of tags are worth
    tags, inputs : names of the S tags and of the n positions
    ax : a panel; None makes one
    upto : how many columns are filled; None: all
    other : one more path, dashed

    Examples
    --------
    >>> ax = plots.trellis([[1, 0], [0, 2]], [[0, 0], [0, 1]], "DN", ["the", "dog"])
    >>> print(plots.words(ax.get_figure()))
    Column 1, best scores: D 1, N 0. Column 2, best scores: D 1, N 3. The best path so far ...
    """
    V, back = forward(E, P)
    n, S = V.shape
    filled = n if upto is None else upto
    if not 1 <= filled <= n or len(tags) != S or len(inputs) != n:
        raise BadArgument(f"Give {S} tags, {n} inputs, and upto from 1 to {n}.")
    ax = axes_or_new(ax, (2.6 * n + 0.8, 1.25 * S + 1.0))
    path = follow(V[:filled], back[:filled])
    _edges(ax, np.asarray(P), back, filled)
    for y, colour, style in ((path, BLUE, "-"), (tuple(other), RED, "--")):
        ax.plot(range(len(y)), [-s for s in y], color=colour, ls=style, lw=4, alpha=0.75, zorder=2)
    _nodes(ax, np.asarray(E), V, filled, path)
    ax.set(xlim=(-0.45, n - 0.7), ylim=(-S + 0.45, 0.55))
    ax.set_xticks(range(n), inputs)
    ax.set_yticks([-s for s in range(S)], tags)
    ax.tick_params(length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    return _say_trellis(ax, V, path, tags, other)


@explained
def handwriting(
    words: Sequence[ArrayLike], truth: Sequence[str], readings: Mapping[str, Sequence[str]]
) -> Figure:
    """Draw handwritten words, a row each, and below each letter how it was read, by each reader.

    words[i] has a row of 128 pixels per letter; a wrong letter is red and in brackets.

    Parameters
    ----------
    words : one array per word, a row of 128 pixels per letter
    truth : the words as they are spelt
    readings : name of a reader -> what it read of each word

    Examples
    --------
    >>> letters = datasets.letters()
    >>> fig = plots.handwriting(letters.X[:1], letters.words[:1], {"reader": ["ommandinq"]})
    >>> print(plots.words(fig))
    The word ommanding: reader says ommandinq.
    """
    if not len(words) == len(truth) > 0:
        raise BadArgument(f"words has {len(words)} words, truth {len(truth)}: give one of each.")
    wide, high = PITCH * max(map(len, truth)), HEIGHT + LINE * len(readings) + 5
    fig = figure(len(words), 1, size=(INCHES * (MARGIN + wide), INCHES * high))
    for i, ax in enumerate(fig.axes):
        _picture(ax, np.asarray(words[i], float))
        for row, (name, read) in enumerate(readings.items()):
            _reading(ax, row, name, read[i], truth[i])
        ax.set(xlim=(-MARGIN, wide), ylim=(high, -1))
        said = ", ".join(f"{name} says {read[i]}" for name, read in readings.items())
        say(ax, f"The word {truth[i]}: {said}.")
    return fig


@explained(P="k k")
def pair_weights(P: ArrayLike, tags: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draw the weights of pairs of tags as an image: row r, column s is "s after r", blue > 0.

    Parameters
    ----------
    P : (S, S) what pairs of tags are worth
    tags : their names
    ax : a panel; None makes one

    Examples
    --------
    >>> print(plots.words(plots.pair_weights(np.eye(2), "DN").get_figure()))
    2 of 4 pairs have a weight above 0; the highest: DD, NN, DN, ND.
    """
    P = np.asarray(P, float)
    if P.shape != (len(tags), len(tags)):
        raise BadArgument(f"P has shape {P.shape}; it needs one row and column per tag.")
    ax = axes_or_new(ax, (7.2, 6.2))
    top = np.abs(P).max() or 1.0
    image = ax.imshow(P, cmap="RdBu", vmin=-top, vmax=top)
    figure_of(ax).colorbar(image, ax=ax, label="weight of the pair", shrink=0.8)
    for ticks in (ax.set_xticks, ax.set_yticks):
        ticks(range(len(tags)), tags)
    ax.tick_params(length=0, labelsize=9)
    ax.grid(False)
    ax.set(xlabel="the letter after it", ylabel="a letter")
    best = np.argsort(-P, axis=None, kind="stable")[:5]
    named = ", ".join(f"{tags[k // len(tags)]}{tags[k % len(tags)]}" for k in best)
    return say(
        ax, f"{np.sum(P > 0)} of {P.size} pairs have a weight above 0; the highest: {named}."
    )


def _edges(ax: Axes, P: np.ndarray, back: np.ndarray, filled: int) -> None:
    n, S = back.shape
    for t in range(1, n):
        for r in range(S):
            for s in range(S):
                kept = t < filled and back[t, s] == r
                colour, width = ("black", 1.6) if kept else ("#bbbbbb", 0.8)
                ax.plot([t - 1, t], [-r, -s], color=colour, lw=width, zorder=1)
                place = 0.27 + 0.06 * (s % 2)  # near its start, where edges lie apart
                height = -r + place * (r - s)
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
                weight = _signed(P[r, s])
                middle: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 2.5}
                ax.text(t - 1 + place, height, weight, fontsize=9, color=GREY, bbox=box, **middle)


def _nodes(ax: Axes, E: np.ndarray, V: np.ndarray, filled: int, path: Sequence[int]) -> None:
    n, S = V.shape
    for t in range(n):
        for s in range(S):
            on = t < filled and path[t] == s
            edge = BLUE if on else "black" if t < filled else "#bbbbbb"
            look: dict[str, Any] = {
                "mfc": "white",
                "mec": edge,
                "mew": 2.5 if on else 1.2,
                "zorder": 3,
            }
            ax.plot(t, -s, "o", ms=25, **look)
            value = f"{V[t, s]:.3g}".replace("-", "\N{MINUS SIGN}") if t < filled else ""
            ax.text(t, -s, value, ha="center", va="center", fontsize=11, zorder=4)
            small = _signed(E[t, s])
            ax.text(t, -s + 0.27, small, ha="center", va="bottom", fontsize=9, color=GREY, zorder=4)


def _signed(value: float) -> str:
    return f"{value:+.3g}".replace("-", "\N{MINUS SIGN}") if value else "0"


def _say_trellis(ax: Axes, V: np.ndarray, path: Sequence[int], tags, other) -> Axes:
    for t in range(len(path)):
        best = ", ".join(f"{tag} {v:.3g}" for tag, v in zip(tags, V[t]))
        say(ax, f"Column {t + 1}, best scores: {best}.")
    score = V[len(path) - 1, path[-1]]
    say(ax, f"The best path so far is {' '.join(tags[s] for s in path)} with {score:.3g}.")
    if len(other):
        say(ax, f"The dashed path is {' '.join(tags[s] for s in other)}.")
    return ax


def _picture(ax: Axes, x: np.ndarray) -> None:
    """Draw the letters of a word side by side, a white column between them."""
    gap = np.zeros((HEIGHT, PITCH - WIDTH))
    columns = [np.hstack([row.reshape(HEIGHT, WIDTH), gap]) for row in x]
    ax.imshow(np.hstack(columns), cmap="gray_r", vmin=0, vmax=1, interpolation="nearest")
    ax.set_axis_off()


def _reading(ax: Axes, row: int, name: str, said: str, truth: str) -> None:
    height = HEIGHT + LINE * (row + 0.5)
    ax.text(-3, height, name, ha="right", va="center", fontsize=10, color=GREY)
    for t, (letter, right) in enumerate(zip(said, truth, strict=True)):
        wrong = letter != right
        text = f"[{letter}]" if wrong else letter
        look: dict[str, Any] = {"color": RED, "weight": "bold"} if wrong else {"color": "black"}
        x = t * PITCH + WIDTH / 2 - 0.5
        ax.text(x, height, text, ha="center", va="center", fontsize=11, **look)


@explained
def tree(
    parse: tuple, ax: Axes | None = None, *, title: str = "", marked: tuple[str, ...] = ()
) -> Axes:
    """Draw a parse, the nodes in `marked` (symbols) blue and bold; it says itself in brackets.

    Parameters
    ----------
    parse : a tree of `structured`
    ax : a panel; None makes one
    title : above the tree
    marked : symbols to be drawn blue and bold

    Examples
    --------
    >>> print(plots.words(plots.tree(("S", ("NP", "dogs"), ("VP", "bark"))).get_figure()))
    The tree (S (NP dogs) (VP bark)).
    """
    words = leaves(parse)
    ax = axes_or_new(ax, (1.0 * len(words) + 0.6, 3.4))
    height = _grown(ax, parse, 0, marked)[1]
    ax.set(xlim=(-0.6, len(words) - 0.4), ylim=(-0.5, height + 0.5), title=title)
    ax.set_axis_off()
    return say(ax, f"The tree {bracketed(parse)}.")


def _grown(ax: Axes, parse: tuple, i: int, marked: tuple[str, ...]) -> tuple[float, int]:
    """Draw a tree whose first word is number i; return where its root stands."""
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    middle: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 2, "bbox": box}
    if len(parse) == 2:
        x, y, below = float(i), 1, [(float(i), 0)]
        ax.text(x, 0, parse[1], style="italic", **middle)
    else:
        left = _grown(ax, parse[1], i, marked)
        right = _grown(ax, parse[2], i + len(leaves(parse[1])), marked)
        below = [left, right]
        x, y = (left[0] + right[0]) / 2, max(left[1], right[1]) + 1
    for a, b in below:
        ax.plot([x, a], [y, b], color=GREY, lw=1.2, zorder=1)
    look: dict[str, Any] = {"color": BLUE, "weight": "bold"} if parse[0] in marked else {}
    ax.text(x, y, parse[0], **look, **middle)
    return x, y
