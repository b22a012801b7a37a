"""A move of the hand is drawn within a frame."""

import functools

import numpy as np
import pytest

from lectures_lib.widgets import exhibits
from tests.browsing import browser as browser  # the fixture
from tests.widgets.test_exhibits import (
    KINDS,
)
from tests.widgets.test_exhibits_by_hand import in_a_browser
from tests.widgets.test_exhibits_by_hand import opened as opened
from tests.widgets.test_exhibits_by_hand import start as start
from tests.widgets.test_exhibits_by_keys import FINGERS, SHOWN
from tools import nbrules
from tools.environment import ROOT

# --- at once -------------------------------------------------------------------------------------

#: Milliseconds between two frames at 60 in a second.
FRAME = 1000 / 60


def in_the_course() -> list:
    """Return the exhibits of all notebooks, as they start there."""
    kept = [
        pytest.param(output.data[exhibits.MIME], id=path.stem)
        for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
        for cell in nbrules.code_cells(nbrules.read(path))
        for output in cell.outputs
        if exhibits.MIME in output.get("data", {})
    ]
    assert {one.values[0]["kind"] for one in kept} == set(KINDS)
    return kept


@in_a_browser
@pytest.mark.parametrize("kept", in_the_course())
def test_a_move_of_the_hand_is_drawn_within_a_frame(opened, kept):
    page, moves = opened(kept["kind"], kept["start"]), 60
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})  # of the processor, not a clock

    def spent() -> float:
        told = meter.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in told if one["name"] == "TaskDuration")

    for move, at in enumerate(hand(page, kept["kind"], moves + 10)):
        if move == 10:  # the first ones are read and translated by the browser
            before, seen = spent(), {page.evaluate(SHOWN)}
        at()
        if move % 20 == 19:
            seen.add(page.evaluate(SHOWN))
    assert 1000 * (spent() - before) / moves < FRAME
    assert len(seen) > 2


def hand(page, kind: str, moves: int):
    """Yield moves of a hand that holds a part of an exhibit, or chooses one after another."""
    if kind in ("race", "steps"):  # nothing in them is dragged
        nodes = page.locator("g[role=button]")
        yield from (functools.partial(nodes.nth(k % 6).press, "Enter") for k in range(moves))
        return
    node = page.locator(FINGERS[kind][0]).first
    node.scroll_into_view_if_needed()
    at = node.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(moves):
        yield functools.partial(page.mouse.move, x + 60 * np.sin(k / 8), y + 40 * np.sin(k / 5))
    page.mouse.up()
