"""How far models are from their best: one bar for each judgement."""

from collections.abc import Collection, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from .._arguments import BadArgument, explained
from ..proof.judgement import Judgement
from .style import BLUE, GREY, RED, axes_or_new, say

#: Bars begin here: what is nearer to the best is drawn as if it were this near.
LEAST = 1e-9


@explained
def excess(
    judgements: Mapping[str, Judgement], ax: Axes | None = None, *, warned: Collection[str] = ()
) -> Axes:
    """Draw how far each model is from its best, relative, and the tolerance as a line.

    A refuted model has a red bar as long as its excess, which is proved; any other a blue one as
    long as its gap, which is at most that large. Hollow bars: the model's library had warned.

    Parameters
    ----------
    judgements : name -> what `certify.certify` returned
    ax : a panel; None makes one
    warned : the names of those whose library had warned

    Examples
    --------
    >>> judged = certify.svm([1.0], 0.0, [[1.0], [-1.0]], [1, -1], 9.0)
    >>> print(plots.words(plots.excess({"mine": judged}).get_figure()))
    mine is proved: at most 1e-09 above its best. The line is the tolerance, 0.001.
    """
    if not judgements:
        raise BadArgument("judgements is empty: give at least one, by its name.")
    ax, names = axes_or_new(ax), list(judgements)
    tol = max(judged.tol for judged in judgements.values())
    lengths = {name: _length(judged) for name, judged in judgements.items()}
    far = 10 * max(tol, *(v for v in lengths.values() if np.isfinite(v)))
    for row, name in enumerate(names):
        colour = RED if judgements[name].verdict == "refuted" else BLUE
        face = "none" if name in warned else colour
        width = min(lengths[name], far) - LEAST / 10
        ax.barh(row, width, left=LEAST / 10, color=face, edgecolor=colour, lw=1.5, height=0.6)
        say(ax, _words(name, judgements[name], lengths[name], name in warned))
    line = ax.axvline(tol, color=GREY, ls="--", label=f"tolerance {tol:g}")
    ax.set(xscale="log", xlim=(LEAST / 10, far), xlabel="above the best, relative")
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    shown = {"refuted: at least": RED, "else: at most": BLUE}
    keys = [Patch(facecolor=colour, label=label) for label, colour in shown.items()]
    keys += [Patch(facecolor="none", edgecolor=GREY, label="hollow: it had warned")]
    beside = (1.0, 1.0)
    ax.legend(
        handles=[*keys, line], loc="upper left", bbox_to_anchor=beside, frameon=False, fontsize=10
    )
    return say(ax, f"The line is the tolerance, {tol:g}.")


def _length(judged: Judgement) -> float:
    return max(LEAST, judged.excess if judged.verdict == "refuted" else judged.gap)


def _words(name: str, judged: Judgement, length: float, warned: bool) -> str:
    way = "at least" if judged.verdict == "refuted" else "at most"
    warning = ", and its library had warned" if warned else ""
    return f"{name} is {judged.verdict}: {way} {length:.2g} above its best{warning}."
