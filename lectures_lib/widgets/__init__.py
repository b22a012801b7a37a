"""Sliders and players: they add to a static figure, never replace it."""

from .players import play_run, player, slide, source, street

__all__ = ["play_run", "player", "slide", "source", "street"]
