"""Pictures of a perceptron's run: its mistakes one by one, and how long each w survived."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_count
from ..perceptron import PerceptronRun, VotedRun
from ..perceptron.runs import kept_weights
from .plane import addition, hold, in_plane, points, separator
from .style import BLUE, GREY, axes_or_new, figure, say


@explained
def step(run: PerceptronRun, X: ArrayLike, y: ArrayLike, k: int, ax: Axes | None = None) -> Axes:
    """Draw mistake k of a run (0: the start): old w, y x from its tip, new w, and both lines.

    The arrows are to scale, and every k shows the same view: it holds all weights of the run.
    """
    X, y = in_plane(X, y)
    M, weights = len(run.mistakes), kept_weights(run)
    if not 0 <= k <= M:
        raise BadArgument(f"k counts the mistakes of the run: 0 to {M}, not {k}.")
    mark = run.mistakes[k - 1 : k].tolist() if k else []
    ax = points(X, y, ax, mark=mark, origin=True)
    for w in weights:
        hold(ax, w)
    w = weights[k]
    if k and np.any(weights[k - 1]):
        separator(weights[k - 1], ax=ax, colour=GREY, style="--", arrow=False)
    separator(w, ax=ax, arrow=False)
    text = ", ".join(f"{v:.3g}" for v in w).replace("-", "\N{MINUS SIGN}")
    ax.set_title(f"after mistake {k}: w = ({text})" if k else f"start: w = ({text})")
    if k:
        x = ", ".join(f"{v:.3g}" for v in X[mark[0]])
        say(ax, f"Mistake {k} was on example {mark[0] + 1}, ({x}), of label {y[mark[0]]:+.0f}.")
        addition(weights[k - 1], w - weights[k - 1], ax)
    return ax


@explained
def strip(run: PerceptronRun, X: ArrayLike, y: ArrayLike, *, most: int = 6) -> Figure:
    """Draw the start and the first mistakes of a run side by side, `most` panels at most.

    Parameters
    ----------
    run : what `perceptron.perceptron` returned
    X, y : (n, 2) examples and (n,) labels
    most : how many panels at most

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> len(plots.strip(perceptron.perceptron(X, y), X, y).axes)
    4
    """
    panels = min(len(run.mistakes) + 1, check_count(most, "most"))
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


@explained
def survival(run: VotedRun, ax: Axes | None = None) -> Axes:
    """Draw how many examples each hypothesis survived.

    Parameters
    ----------
    run : what `perceptron.voted_perceptron` returned
    ax : a panel; None makes one

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> print(plots.words(plots.survival(perceptron.voted_perceptron(X, y)).get_figure()))
    4 hypotheses; number 1 survived longest: 2 examples.
    """
    ax = axes_or_new(ax)
    ax.bar(np.arange(len(run.counts)), run.counts, color=BLUE, width=0.85)
    ax.set(xlabel="hypothesis $n$", ylabel="survival count $c_n$")
    places: Any = ax.yaxis.get_major_locator()
    places.set_params(integer=True)
    best = int(np.argmax(run.counts))
    return say(
        ax,
        f"{len(run.counts)} hypotheses; number {best} survived longest: "
        f"{run.counts[best]} examples.",
    )
