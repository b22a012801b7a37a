"""What is written in an exhibit can be read: no text lies on another or beyond its picture."""

import pytest

from tests.browsing import browser as browser  # the fixture
from tests.widgets.test_exhibits import DESK, PHONE
from tests.widgets.test_exhibits_at_once import in_the_course
from tests.widgets.test_exhibits_by_hand import in_a_browser, numbers, said
from tests.widgets.test_exhibits_by_hand import opened as opened
from tests.widgets.test_exhibits_by_hand import start as start

#: Texts of one picture that cover each other by more than their air, or leave the picture.
UNREADABLE = """() => [...document.querySelectorAll(".exhibit svg")].flatMap((svg) => {
  const texts = [...svg.querySelectorAll("text")].filter((it) => it.textContent.trim());
  const boxes = texts.map((it) => it.getBoundingClientRect());
  const all = svg.getBoundingClientRect();
  const found = [];
  boxes.forEach((one, i) => {
    const out = one.left < all.left - 1 || one.right > all.right + 1;
    if (out || one.bottom > all.bottom + 2) found.push(`beyond: ${texts[i].textContent}`);
    boxes.slice(i + 1).forEach((other, j) => {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const both = `${texts[i].textContent} | ${texts[i + 1 + j].textContent}`;
      if (wide > 2 && high > 5) found.push(both);
    });
  });
  return found;
})"""


@in_a_browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("kept", in_the_course())
def test_no_text_lies_on_another_at_the_start_and_at_every_step(opened, kept, size):
    page = opened(kept["kind"], kept["start"], size)
    assert page.evaluate(UNREADABLE) == []
    for name in ("Back", "Next", "Take the step", "Worst pair"):
        button = page.get_by_role("button", name=name, exact=True)
        for _ in range(12):
            if not button.count() or not button.is_enabled():
                break
            button.click()
            if name == "Worst pair":
                page.get_by_role("button", name="Take the step").click()
            assert page.evaluate(UNREADABLE) == []


@in_a_browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_first_pages_race_can_be_read_at_every_mistake(opened, start, size):
    page = opened("race", start["race"], size)
    for value in (1, 2, 3):
        page.get_by_label("mistake", exact=True).fill(str(value))
        assert page.evaluate(UNREADABLE) == []


#: Every example claimed at every mistake; what cannot be read then.
EVERY_LIE = """() => {
  const look = LOOK;
  const [slider] = document.querySelectorAll("input[type=range]");
  const truth = [...document.querySelectorAll("button")].at(-1);
  const points = [...document.querySelectorAll(".exhibit svg g[role=button]")];
  const found = [];
  for (let k = 1; k <= Number(slider.max); k++)
    points.forEach((point, i) => {
      truth.click();
      slider.value = k;
      slider.dispatchEvent(new Event("input"));
      point.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      const bad = look();
      if (bad.length) found.push([k, i + 1, ...bad]);
    });
  return found;
}""".replace("LOOK", UNREADABLE)


@in_a_browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_race_can_be_read_under_every_lie(opened, start, size):
    lectures = [kept.values[0] for kept in in_the_course()]
    races = [kept["start"] for kept in lectures if kept["kind"] == "race"]
    assert races
    for race in [start["race"], *races]:
        assert opened("race", race, size).evaluate(EVERY_LIE) == []


@in_a_browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_map_of_the_street_is_told_beside_the_picture_and_says_where_there_is_none(
    opened, start, size
):
    corners = [[-2, -2], [2, 2], [-2, 2], [2, -2], [0, 0]]  # the fifth cannot help
    told = {"C": None, "points": corners, "labels": [1, 1, -1, -1, 1], "view": [-2, 2, -2, 2]}
    page = opened("street", start["street"] | told, size)
    page.locator("g[role=button]").nth(4).focus()
    page.get_by_text("Wherever point 5 goes, no line separates.").wait_for()
    page.locator("g[role=button]").nth(2).focus()  # the others have a line
    page.get_by_text("Green: where point 3 leaves the street wide.").wait_for()
    assert page.evaluate(UNREADABLE) == []


@in_a_browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_size_of_a_long_step_stays_in_the_picture(opened, start, size):
    page = opened("descent", start["descent"], size)
    longest = "it => { it.value = it.max; it.dispatchEvent(new Event('input')); }"
    page.locator("input[type=range]").first.evaluate(longest)
    assert page.evaluate(UNREADABLE) == []
    ball = page.locator("g[role=button]").first
    for _ in range(8):
        ball.press("Shift+ArrowRight")
        assert page.evaluate(UNREADABLE) == []


@in_a_browser
def test_smo_never_says_a_negative_gap_and_writes_true_minus_signs(opened, start):
    page = opened("steps", start["steps"])
    worst = page.get_by_role("button", name="Worst pair")
    while worst.is_enabled():
        assert "-" not in said(page)
        worst.click()
        page.get_by_role("button", name="Take the step").click()
    assert numbers(said(page).partition("gap ")[2])[0] == 0 and "-" not in said(page)
