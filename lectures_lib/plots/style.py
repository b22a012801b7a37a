"""What every picture of the course shares: palette, panels, sentences, and the way it is shown."""

import base64
import html
import io
import re
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .._arguments import BadArgument, explained
from ..conventions import check_count

#: Okabe and Ito's palette: blue for +, vermillion for -, and companions.
BLUE, RED, GREEN, ORANGE, PURPLE, GREY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#E69F00",
    "#CC79A7",
    "#666666",
)
LINES = ((BLUE, "-"), (RED, "--"), (GREEN, "-."), (ORANGE, ":"), (PURPLE, (0, (5, 1, 1, 1))))
#: A disc is an example of the class +, a square one of the class -, and they mark nothing else.
CLASSES: dict[int, dict[str, Any]] = {
    1: {"color": BLUE, "marker": "o"},
    -1: {"color": RED, "marker": "s"},
}
#: What a figure wants you to look at has a ring around it.
RING: dict[str, Any] = {"marker": "o", "mfc": "none", "mec": "black", "ms": 13, "ls": "none"}
#: One colour and one line for one thing, through the whole course.
LOOK: dict[str, dict[str, Any]] = {
    "0/1": {"color": "black", "ls": "-"},
    "perceptron": {"color": BLUE, "ls": "-"},
    "hinge": {"color": RED, "ls": "--"},
    "logistic": {"color": GREEN, "ls": "-."},
    "primal": {"color": BLUE, "ls": "-"},
    "dual": {"color": RED, "ls": "--"},
    "last": {"color": ORANGE, "ls": ":"},
    "average": {"color": BLUE, "ls": "-"},
    "vote": {"color": GREEN, "ls": "-."},
    "bound": {"color": GREY, "ls": "-"},
    "mistakes": {"color": BLUE, "ls": "-"},
    "online": {"color": BLUE, "ls": "-"},
    "batch": {"color": RED, "ls": ":"},
}
#: "averaged" and "voted" are drawn as "average" and "vote", and "duality gap" not as "dual"
looks = re.compile(rf"({'|'.join(LOOK)})d?\b")
STYLE: Any = {
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "legend.frameon": False,
}
DPI = 144


@explained
def figure(rows: int = 1, columns: int = 1, *, size: tuple[float, float] = (6.0, 4.0)) -> Figure:
    """Return a figure with rows x columns panels, each of `size` inches, in the course's style.

    Parameters
    ----------
    rows, columns : how many panels
    size : inches of each panel

    Examples
    --------
    >>> fig = plots.figure(1, 2, size=(3.0, 3.0))
    >>> len(fig.axes)
    2
    """
    rows, columns = check_count(rows, "rows"), check_count(columns, "columns")
    with mpl.rc_context(STYLE):
        fig = Figure(figsize=(columns * size[0], rows * size[1]), layout="constrained")
        fig.subplots(rows, columns)
    return fig


@explained
def look(name: str) -> dict[str, Any]:
    """Return colour and line of a thing that the whole course draws in one way.

    Parameters
    ----------
    name : how the thing is called in a legend; it begins with one of the names of `LOOK`

    Examples
    --------
    >>> plots.look("hinge, h = 1")["ls"]
    '--'
    """
    if found := looks.match(name):
        return dict(LOOK[found[1]])
    raise BadArgument(f"Nothing is drawn in one way under {name!r}; these are: {sorted(LOOK)}.")


@explained
def say(ax: Axes, sentence: str) -> Axes:
    """Add a sentence to what `ax` says about itself.

    Parameters
    ----------
    ax : a panel
    sentence : what it shows

    Examples
    --------
    >>> ax = plots.say(plots.figure().axes[0], "An empty picture.")
    >>> print(plots.words(ax.get_figure()))
    An empty picture.
    """
    vars(ax)["lectures_words"] = [*getattr(ax, "lectures_words", []), sentence]
    return ax


@explained
def words(fig: Figure) -> str:
    """Return all that the panels of `fig` say, panel by panel."""
    parts = [" ".join(getattr(ax, "lectures_words", [])) for ax in fig.axes]
    parts = [p for p in parts if p]
    if len(parts) == 1:
        return parts[0]
    return " ".join(f"Panel {i}: {p}" for i, p in enumerate(parts, 1))


@explained
def png(fig: Figure) -> bytes:
    """Return the figure as a PNG file, the same bytes each time it is drawn."""
    buffer = io.BytesIO()
    with mpl.rc_context(STYLE):
        fig.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()


@explained
def show(what: Axes | Figure, *sentences: str) -> None:
    """Display a figure with its alternative text, and the same words to open below it.

    JupyterLab passes the text on to a screen reader where `lab/` is installed, as by `make lab`.

    Parameters
    ----------
    what : a figure, or one of its panels
    sentences : what it shows; the panels add their own words

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> plots.show(plots.points(X, y), "No line separates these.")
    No line separates these. 2 positive and 2 negative points.
    <IPython.core.display.HTML object>
    """
    from IPython.display import HTML, display

    fig = what if isinstance(what, Figure) else figure_of(what)
    alt = " ".join([*sentences, words(fig)]).strip()
    if len(alt) < 30:
        raise BadArgument("Say in a sentence what the figure shows: show(ax, 'The line ...').")
    width, height = (round(96 * inches) for inches in fig.get_size_inches())
    metadata = {"image/png": {"alt": alt, "width": width, "height": height}}
    encoded = base64.b64encode(png(fig)).decode()  # the kernel in the browser does not encode bytes
    display({"image/png": encoded, "text/plain": alt}, metadata=metadata, raw=True)
    box = f"<details><summary>The figure in words</summary>{html.escape(alt)}</details>"
    display(HTML(box))


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that a panel stands in."""
    fig = ax.get_figure(root=True)
    if fig is None:
        raise BadArgument("The panel has no figure any more: draw it on plots.figure().axes[0].")
    return fig


@explained
def number(value: float, digits: int = 2) -> str:
    """Return a number for a label or a title, with a true minus sign.

    Parameters
    ----------
    value : a number
    digits : how many after the point

    Examples
    --------
    >>> plots.number(-1.5)
    '−1.50'
    """
    digits = check_count(digits, "digits", 0)
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")


@explained
def legend(ax: Axes) -> Axes:
    """Put the legend to the right of the picture, where it covers no data.

    Parameters
    ----------
    ax : a panel whose curves have labels

    Examples
    --------
    >>> ax = plots.curves([0, 1], {"rising": [0, 1]}, xlabel="x", ylabel="y")
    >>> [text.get_text() for text in plots.legend(ax).get_legend().get_texts()]
    ['rising']
    """
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax


def axes_or_new(ax: Axes | None, size: tuple[float, float] = (6.0, 4.0)) -> Axes:
    """Return `ax`, or the panel of a new figure if there is none."""
    return figure(size=size).axes[0] if ax is None else ax
