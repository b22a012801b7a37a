"""A picture of a parse: its tree, the words in a row below."""

from typing import Any

from matplotlib.axes import Axes

from .._arguments import explained
from ..structured import bracketed, leaves
from .style import BLUE, GREY, axes_or_new, say


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
