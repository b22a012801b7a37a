"""Sliders and players: they add to a static figure, never replace it."""

from .exhibits import addition, duality, fold, race, shatter, steps, street, threshold
from .pieces import descent, gaussian, gram, hulls, voting
from .players import changed_sliders, player, slide, source

__all__ = [
    "addition",
    "changed_sliders",
    "descent",
    "duality",
    "fold",
    "gaussian",
    "gram",
    "hulls",
    "player",
    "race",
    "shatter",
    "slide",
    "source",
    "steps",
    "street",
    "threshold",
    "voting",
]
