"""A move of the hand is drawn at once: with the work that a frame has room for."""

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

#: Calls of functions for one move: counted, because a clock would judge how busy the machine is.
#: The most has 14's exhibit, 210,000 short ones, in less than a frame of 1/60 s on a quiet machine.
CALLS = 300_000


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
def test_a_move_of_the_hand_is_drawn_with_the_work_that_a_frame_has_room_for(opened, kept):
    page, moves = opened(kept["kind"], kept["start"]), 60
    meter = page.context.new_cdp_session(page)
    meter.send("Profiler.enable")
    meter.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
    seen = {page.evaluate(SHOWN)}
    for move, at in enumerate(hand(page, kept["kind"], moves)):
        at()
        if move % 20 == 19:
            seen.add(page.evaluate(SHOWN))
    scripts = meter.send("Profiler.takePreciseCoverage")["result"]
    calls = [f["ranges"][0]["count"] for script in scripts for f in script["functions"]]
    assert 10 < sum(calls) / moves < CALLS
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
