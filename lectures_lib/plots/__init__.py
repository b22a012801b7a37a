"""Pictures that can say what they show.

Every function draws on `ax` (or on a new one), returns it, and leaves a sentence with the numbers
in it; `show` displays the figure with those sentences as its alternative text. Colours are safe
for colour-blind readers and never the only sign: markers and line styles differ too.
"""

from .charts import curves, images, surface
from .judged import excess
from .mistakes import cap, proof
from .plane import addition, hulls, points, regions, separator
from .runs import step, strip, survival
from .structures import handwriting, pair_weights, tree, trellis
from .style import (
    BLUE,
    CLASSES,
    GREEN,
    GREY,
    LOOK,
    ORANGE,
    PURPLE,
    RED,
    RING,
    figure,
    legend,
    look,
    number,
    png,
    say,
    show,
    words,
)

__all__ = [
    "BLUE",
    "CLASSES",
    "GREEN",
    "GREY",
    "LOOK",
    "ORANGE",
    "PURPLE",
    "RED",
    "RING",
    "addition",
    "cap",
    "curves",
    "excess",
    "figure",
    "handwriting",
    "hulls",
    "images",
    "legend",
    "look",
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
