"""Pictures of a mistake bound: the sandwich of its proof, and the cap that is left for w."""

import numpy as np
from matplotlib.axes import Axes

from .._arguments import explained
from ..bounds import MistakeBound
from ..conventions import check_count
from .style import GREEN, GREY, say
from .style import axes_or_new as _axes


@explained
def proof(bound: MistakeBound, ax: Axes | None = None) -> Axes:
    """Draw the proof: k gamma <= w_k.u <= norm(w_k) <= R sqrt(k), until the outer curves cross.

    Parameters
    ----------
    bound : what `bounds.mistake_bound` returned
    ax : a panel; None makes one

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> bound = bounds.mistake_bound(perceptron.perceptron(X, y), X, y)
    >>> print(plots.words(plots.proof(bound).get_figure()))
    After each of 3 mistakes, w.u lies above k gamma and the norm of w below R sqrt(k); ...
    """
    ax = _axes(ax)
    k = np.arange(1, bound.mistakes + 1)
    dot = bound.line("sum of progress").larger.astype(float)
    norm = np.sqrt(bound.line("sum of growth").smaller.astype(float))
    reach = np.linspace(0, 1.12 * max(float(min(bound.bound, 1e6)), 1.0), 200)
    ax.plot(reach, bound.R * np.sqrt(reach), color="black", ls="--", label=r"$R\sqrt{k}$")
    ax.plot(k, norm, color="black", marker="x", ms=5, ls="none", label=r"$\|w_k\|$")
    ax.plot(k, dot, color=GREEN, marker="+", ms=6, ls="none", label=r"$w_k\cdot u$")
    ax.plot(reach, bound.gamma * reach, color=GREEN, ls="-", label=r"$k\gamma$")
    ax.axvline(float(bound.bound), color=GREY, ls=":", label=r"$(R/\gamma)^2$")
    ax.set(xlabel="mistake $k$", ylabel="length", xlim=(0, reach[-1]), ylim=(0, None))
    ax.legend(loc="upper left", frameon=False)
    return say(
        ax,
        f"After each of {bound.mistakes} mistakes, w.u lies above k gamma and the norm of w below "
        f"R sqrt(k); these two curves cross at (R/gamma)^2 = {float(bound.bound):.1f}.",
    )


@explained
def cap(bound: MistakeBound, k: int, ax: Axes | None = None) -> Axes:
    """Draw where w_k / (R sqrt(k)) may lie, along u and across it, and where it does.

    Growth keeps it inside the unit disc, progress to the right of sqrt(k) gamma / R.

    Parameters
    ----------
    bound : what `bounds.mistake_bound` returned
    k : after how many mistakes
    ax : a panel; None makes one

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> bound = bounds.mistake_bound(perceptron.perceptron(X, y), X, y)
    >>> print(plots.words(plots.cap(bound, 3).get_figure()))
    k = 3: w at (0.77, 0.26), the wall at 0.77.
    """
    k = check_count(k, "k", 0)
    ax, wall = _axes(ax), min(np.sqrt(k) * bound.gamma / bound.R, 1.0)
    t, rim = np.linspace(0, 1, 91), np.arccos(wall)
    ax.plot(np.cos(np.pi * t), np.sin(np.pi * t), color="black", ls="--")
    ax.fill([*np.cos(rim * t), wall], [*np.sin(rim * t), 0], color=GREEN, alpha=0.25)
    ax.axvline(wall, color=GREEN)
    ax.set(title=f"$k = {k}$", aspect="equal", xlim=(-1.05, 1.1), ylim=(0, 1.1))
    if k > bound.mistakes:
        return say(ax, f"k = {k}: the wall stands at {wall:.2f}; the run never came here.")
    along = float(bound.line("sum of progress").larger[k - 1])
    across = np.sqrt(max(float(bound.line("sum of growth").smaller[k - 1]) - along**2, 0.0))
    at = np.array([along, across]) / (bound.R * np.sqrt(k))
    ax.annotate("", at, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "black", "lw": 2})
    return say(ax, f"k = {k}: w at ({at[0]:.2f}, {at[1]:.2f}), the wall at {wall:.2f}.")
