"""Sliders and players: they add to a static figure, never replace it."""

import ast
import base64
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

from matplotlib.figure import Figure

from .. import plots
from .._arguments import BadArgument, explained
from .._jit import plain

#: every slider of this session: its name, what draws it, where it starts, what it showed there
SHOWN: list[tuple[str, Callable[[int], Figure], int, str]] = []


@explained
def slide(
    draw: Callable[[int], Figure],
    labels: Sequence[str],
    *,
    name: str = "step",
    start: int = 0,
    play: bool = False,
) -> None:
    """Show draw(i) for the i that a slider chooses; `labels[i]` names that position.

    The slider works by mouse and by arrow keys; with `play` a button runs through all positions.
    Below the picture stand its words. Where no kernel runs, one sentence takes its place.

    Parameters
    ----------
    draw : makes a figure of i
    labels : what the positions are called
    name : what varies
    start : the first position
    play : add a button that runs through them

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> widgets.slide(lambda i: plots.points(X, y, mark=[i]).get_figure(), "abcd", name="corner")
    A slider for corner, from a to d (4 positions). Run this cell in Jupyter to move it; a ...
    """
    from IPython.display import display

    panel = player(draw, labels, name=name, start=start, play=play)
    bundle = dict(panel._repr_mimebundle_())
    bundle["text/plain"] = (
        f"A slider for {name}, from {labels[0]} to {labels[-1]} ({len(labels)} positions). "
        "Run this cell in Jupyter to move it; a figure nearby shows the same without it."
    )
    display(bundle, raw=True)


@explained
def player(
    draw: Callable[[int], Figure],
    labels: Sequence[str],
    *,
    name: str = "step",
    start: int = 0,
    play: bool = False,
) -> Any:
    """Return the widget that `slide` displays: a box with the controls, the picture, its words."""
    import ipywidgets as ipw

    if not labels or not 0 <= start < len(labels):
        raise BadArgument(f"start must name one of the {len(labels)} labels, not {start}.")
    wide = ipw.Layout(width="460px")
    slider = ipw.SelectionSlider(
        options=[(text, i) for i, text in enumerate(labels)],
        index=start,
        description=name,
        continuous_update=False,
        style={"description_width": "initial"},
        layout=wide,
    )
    picture, text = ipw.HTML(), ipw.HTML()

    def redraw(_=None):
        fig = draw(slider.index)
        words, position = plots.words(fig), f"{name}: {slider.label}"
        picture.value, text.value = _image(fig, words or position), escape(words)

    slider.observe(redraw, names="index")
    redraw()
    SHOWN.append((name, draw, start, picture.value))
    controls = [slider]
    if play:
        button = ipw.Play(min=0, max=len(labels) - 1, value=start, interval=900)
        ipw.jslink((button, "value"), (slider, "index"))
        controls = [button, slider]
    return ipw.VBox([ipw.HBox(controls), picture, text])


def changed_sliders() -> Iterator[str]:
    """Draw every slider of this session once more; yield what it does not show any more.

    A slider draws when it is moved, and then it reads the variables of the notebook as they are
    by now. A later cell that gives one of them another meaning changes or breaks the slider.
    """
    for name, draw, start, shown in SHOWN:
        try:
            fig = draw(start)
            again = _image(fig, plots.words(fig))
        except Exception as error:
            yield f"The slider for {name} is dead: {type(error).__name__}: {error}"
            continue
        if again.partition("src=")[2] != shown.partition("src=")[2]:
            yield f"The slider for {name} shows another picture than when it was made."


def _image(fig: Figure, words: str) -> str:
    """Return the figure as HTML: ipywidgets.Image has no place for the alternative text."""
    width, height = (round(96 * v) for v in fig.get_size_inches())
    data = base64.b64encode(plots.png(fig)).decode()
    size = f'width="{width}" height="{height}"'
    return f'<img alt="{escape(words)}" {size} src="data:image/png;base64,{data}">'


@explained
def source(function: Callable) -> None:
    """Display the text of a function without its docstring: the code beside the pseudo-code.

    Parameters
    ----------
    function : any function of the library

    Examples
    --------
    >>> widgets.source(perceptron.one_pass)
    <IPython.core.display.Markdown object>
    """
    from IPython.display import Markdown, display

    text = textwrap.dedent(inspect.getsource(plain(function)))
    definition: Any = ast.parse(text).body[0]
    lines = text.splitlines()
    if ast.get_docstring(definition) is not None:
        words = definition.body[0]
        del lines[words.lineno - 1 : words.end_lineno]
    first = definition.lineno - 1
    display(Markdown("```python\n" + "\n".join(lines[first:]) + "\n```"))
