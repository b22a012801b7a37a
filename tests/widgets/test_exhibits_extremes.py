"""At extremes an exhibit can be read and held: piles, far places, every button, every key."""

import re

import pytest

from tests.browsing import browser as browser  # the fixture
from tests.widgets.test_exhibits import DESK, KINDS, PHONE
from tests.widgets.test_exhibits_by_hand import in_a_browser
from tests.widgets.test_exhibits_by_hand import opened as opened
from tests.widgets.test_exhibits_by_hand import start as start
from tests.widgets.test_exhibits_labels import EVERY_LIE, UNREADABLE

#: Points in one place, or nearly; what is numbered must still be told apart.
# the race moves none: its piles are below
PILED = ["addition", "duality", "gram", "hulls", "shatter", "steps", "street", "voting"]
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


def piled(points: list, apart: float) -> list:
    """Return the points with the first three in one place, or so far apart."""
    x, y = points[0]
    return [[x + apart * k, y] for k in range(3)] + points[3:]


@in_a_browser
@SIZES
@pytest.mark.parametrize("kind", PILED)
def test_points_in_one_place_or_nearly_share_no_place_for_their_numbers(opened, start, kind, size):
    points = start[kind]["points"]
    for apart in (0, 0.02, 0.1, 0.3):
        page = opened(kind, start[kind] | {"points": piled(points, apart)}, size)
        assert page.evaluate(UNREADABLE) == []


@in_a_browser
@SIZES
@pytest.mark.parametrize("apart", [0, 0.02, 0.1, 0.3])
def test_a_race_over_points_in_one_place_or_nearly_can_be_read_under_every_lie(
    opened, start, apart, size
):
    both = sorted(zip(start["race"]["labels"], start["race"]["points"], strict=True), reverse=True)
    labels, points = zip(*both, strict=True)  # a pile of one class: no line parts a pile of two
    told = {"points": piled(list(points), apart), "labels": list(labels)}
    page = opened("race", start["race"] | told, size)
    assert page.evaluate(UNREADABLE) == []
    assert page.evaluate(EVERY_LIE) == []


@in_a_browser
@SIZES
@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"race", "steps"}))  # chosen, not moved
def test_what_is_moved_by_keys_to_every_end_can_be_read(opened, start, kind, size):
    page = opened(kind, start[kind], size)
    held = page.locator("svg [tabindex]")
    for k in range(min(held.count(), 4)):
        for key in ("Home", "End", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"):
            for _ in range(1 if key in ("Home", "End") else 21):
                held.nth(k).press(f"Shift+{key}")
            assert page.evaluate(UNREADABLE) == [], (k, key)
            assert "NaN" not in page.locator(".exhibit").inner_html()


@in_a_browser
@SIZES
@pytest.mark.parametrize("height, slope", [("0", "2"), ("1.5", "2"), ("1.5", "0"), ("0", "0")])
def test_the_grips_of_the_fold_stay_in_the_picture_however_it_is_cut(
    opened, start, height, slope, size
):
    page = opened("fold", start["fold"], size)
    page.get_by_text("All of it by sliders").click()
    sliders = page.locator("details")
    sliders.get_by_label("height of the cut").fill(height)
    sliders.get_by_label("slope of the cut").fill(slope)
    turns = [("0", "20"), ("90", "-10"), ("-130", "60"), ("0", "90")]
    for turn, view in turns:
        sliders.get_by_label("turn", exact=True).fill(turn)
        sliders.get_by_label("view from above").fill(view)
        assert page.evaluate(UNREADABLE) == []
        picture = page.locator("svg").first.bounding_box()
        for grip in page.locator("g[role=slider] circle:nth-child(2)").all():
            at = grip.bounding_box()
            assert picture["y"] - 1 <= at["y"]
            assert at["y"] + at["height"] <= picture["y"] + picture["height"] + 1


@in_a_browser
@SIZES
def test_a_threshold_far_below_all_scores_leaves_the_names_of_the_classes_alone(
    opened, start, size
):
    far = start["threshold"] | {"minus": "-60 -41 -39 -20", "plus": "-38 -8 12 20"}
    page = opened("threshold", far, size)
    for key in ("Home", *["ArrowRight"] * 30, "End", *["ArrowLeft"] * 30):
        page.get_by_role("slider", name="threshold").press(key)
        assert page.evaluate(UNREADABLE) == []


@in_a_browser
@pytest.mark.parametrize("kind", KINDS)
def test_hand_and_effect_stay_on_one_phone_screen_after_every_button(opened, start, kind):
    page = opened(kind, start[kind], PHONE)
    tools = page.locator(".exhibit button")
    names = [name for name in dict.fromkeys(tools.all_inner_texts()) if re.match("[A-Z]", name)]
    for name in names:
        for _ in range(4):
            button = page.locator(".exhibit button", has_text=re.compile(f"^{re.escape(name)}$"))
            if not button.count() or not button.first.is_enabled():
                break
            button.first.click()
            assert page.locator(".exhibit").bounding_box()["height"] <= PHONE["height"], name


#: What follows the finger, and where it is.
HELD = "node => { const r = node.getBoundingClientRect(); return [r.x, r.y]; }"


@in_a_browser
@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"race", "steps"}))
def test_what_a_finger_grabs_off_its_middle_does_not_jump(opened, start, kind):
    page = opened(kind, start[kind], PHONE)
    node = page.locator("svg [tabindex][aria-roledescription], svg [role=slider]").first
    node.scroll_into_view_if_needed()
    ball = node.locator("circle, rect").first.bounding_box()
    off = min(6, ball["width"] / 3)
    x, y = ball["x"] + ball["width"] / 2 + off, ball["y"] + min(ball["height"] / 2, 12) + 3
    before, words = node.evaluate(HELD), node.get_attribute("aria-label")
    touch = page.context.new_cdp_session(page)

    def put(kind_of: str, *fingers):
        touch.send("Input.dispatchTouchEvent", {"type": kind_of, "touchPoints": list(fingers)})

    put("touchStart", {"x": x, "y": y})
    for shift in (20, 12, 5, 0):  # away and back: what follows the finger is where it was
        put("touchMove", {"x": x + shift / 4, "y": y + shift})
    put("touchEnd")
    after = node.evaluate(HELD)
    assert after == pytest.approx(before, abs=1.5) and words
