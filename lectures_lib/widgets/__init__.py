"""Sliders and players: they add to a static figure, never replace it."""

from .exhibits import addition, race, shatter, threshold
from .players import play_run, player, slide, source, street

__all__ = [
    "addition",
    "play_run",
    "player",
    "race",
    "shatter",
    "slide",
    "source",
    "street",
    "threshold",
]
