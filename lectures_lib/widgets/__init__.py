"""Sliders and players: they add to a static figure, never replace it."""

from .exhibits import addition, duality, fold, race, shatter, steps, street, threshold
from .players import play_run, player, slide, source

__all__ = [
    "addition",
    "duality",
    "fold",
    "play_run",
    "player",
    "race",
    "shatter",
    "slide",
    "source",
    "steps",
    "street",
    "threshold",
]
