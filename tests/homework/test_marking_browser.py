"""The page for points by hand in a real browser: keyboard, saving, and nothing leaves the machine.

`make test-browser` runs it. It needs playwright (the extra `browser`) and a chromium or chrome of
the system; without them it is skipped, and says so.
"""

import threading

import pytest

from lectures_homework.instructor import by_hand, marking, serving
from tests.browsing import PATIENCE, missing
from tests.browsing import browser as browser  # the fixture

from .test_marking import CHECK, HOMEWORK, graded
from .test_marking import folder as folder  # the grades of alice, who has attachments, and =bob

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(missing()), reason=missing())]


@pytest.fixture
def server(folder):
    """The page's server, and what stops it before the test ends."""
    made = serving.Server(marking.Sheet(HOMEWORK, folder))
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()

    def stop():
        if thread.is_alive():
            made.shutdown()
            thread.join()
            made.server_close()

    yield made, stop
    stop()


@pytest.fixture
def page(browser, server):
    """The page, opened; whatever it reports or asks of other hosts fails the test."""
    context = browser.new_context()
    opened, troubles = context.new_page(), []
    opened.set_default_timeout(PATIENCE)
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    opened.on("request", lambda asked: troubles.append(asked.url) if not ours(asked) else None)
    opened.expected = troubles
    host = server[0].host

    def ours(asked):
        return asked.url.startswith(f"http://{host}/")

    opened.goto(server[0].address)
    shows(opened, "#who", "submission 1, q8")
    yield opened
    assert troubles == []
    context.close()


def shows(page, place, text):
    """Wait until a place of the page has this text. (The page's own rules forbid it scripts.)"""
    from playwright.sync_api import expect

    expect(page.locator(place)).to_have_text(text, timeout=PATIENCE)


def saved(page):
    """Wait until the page says that a change is saved."""
    shows(page, "#said", "saved")


def give(page, points):
    """Type points over those that are there, as a person does."""
    page.keyboard.press("Control+A")
    page.keyboard.type(points)
    saved(page)


def rows(folder):
    return by_hand.rows_by_hand(folder / "by_hand.csv")


def test_points_are_typed_and_the_next_answer_comes_without_a_mouse(page, folder):
    shows(page, "#who", "submission 1, q8")
    give(page, "6,5")  # the field has the focus at once
    shows(page, "#place", "1 of 2, 1 with points")  # at once, too
    page.keyboard.press("Control+Enter")
    shows(page, "#who", "submission 2, q8")
    give(page, "0")
    assert [row["points"] for row in rows(folder)] == ["6.5", "0"]
    page.keyboard.press("PageUp")
    shows(page, "#who", "submission 1, q8")
    assert page.input_value("#points") == "6.5"
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")  # there is no next one
    shows(page, "#who", "submission 2, q8")
    assert "2 with points" in page.inner_text("#place")


def test_saved_is_said_only_when_no_change_is_on_its_way(page, folder):
    give(page, "1")
    held = []
    page.route("**/mark", lambda route: held.append(route))
    page.keyboard.press("Control+A")
    page.keyboard.type("5")
    shows(page, "#said", "saving ...")
    page.keyboard.press("Control+A")
    page.keyboard.type("2")  # the second change waits for the first
    while not held:
        page.wait_for_timeout(20)
    held.pop().continue_()
    while not held:
        page.wait_for_timeout(20)
    assert page.inner_text("#said") != "saved"
    held.pop().continue_()
    saved(page)
    assert rows(folder)[0]["points"] == "2"


def test_the_count_of_answers_with_points_is_that_of_now(page):
    give(page, "6")
    shows(page, "#place", "1 of 2, 1 with points")
    page.fill("#points", "")
    shows(page, "#place", "1 of 2, 0 with points")


def test_a_comment_is_offered_again_on_the_next_answer(page, folder):
    page.fill("#comment", "The start is missing.")
    page.keyboard.press("PageDown")  # from the field itself: no other one is clicked before
    shows(page, "#who", "submission 2, q8")
    page.select_option("#kept", label="The start is missing.", timeout=10_000)
    saved(page)
    assert [row["comment"] for row in rows(folder)] == 2 * ["The start is missing."]


def test_the_next_without_points_is_found_from_anywhere(page, folder):
    page.keyboard.press("PageDown")
    give(page, "3")
    page.keyboard.press("Alt+n")
    shows(page, "#who", "submission 1, q8")


def test_what_was_saved_is_there_after_a_reload_and_at_the_first_open_answer(page, folder):
    give(page, "7")
    page.fill("#comment", "schön; =1+1\nzwei")
    page.keyboard.press("Control+Enter")  # waits until all is saved
    shows(page, "#who", "submission 2, q8")
    page.reload()
    shows(page, "#who", "submission 2, q8")
    page.keyboard.press("PageUp")
    shows(page, "#who", "submission 1, q8")
    assert page.input_value("#comment") == "schön; =1+1\nzwei"
    first = rows(folder)[0]
    assert (first["points"], first["comment"]) == ("7", "schön; =1+1\nzwei")


def test_impossible_points_are_refused_in_words_and_change_nothing(page, folder):
    give(page, "5")
    before = (folder / "by_hand.csv").read_bytes()
    page.keyboard.type("0")
    shows(page, "#said", "not saved: points are a number from 0 to 7")
    assert (folder / "by_hand.csv").read_bytes() == before
    page.expected[:] = [one for one in page.expected if "400" not in one]  # the browser's own words


def test_answers_are_text_and_names_are_hidden(page):
    assert page.inner_text("#answer") == "<b>alice</b> proves it"
    assert page.query_selector("#answer b") is None
    assert "Rubric" in page.inner_text("#rubric")
    words = page.inner_text("body").replace("<b>alice</b> proves it", "")
    assert "alice" not in words and "proof.pdf" not in words


def test_an_automatic_point_is_changed_with_a_reason_only(page, folder):
    page.click("summary")
    points = page.get_by_label(f"points for {CHECK}")
    points.fill("1")
    points.press("Tab")
    assert page.inner_text("#said") == "a change needs a reason"
    assert by_hand.read_overrides(folder / "overrides.csv") == {}
    page.get_by_label(f"reason for {CHECK}").fill("a typing error")
    page.keyboard.press("Tab")
    saved(page)
    changes = by_hand.read_overrides(folder / "overrides.csv")
    (change,) = changes.values()
    assert list(changes) == [("alice", "q1", CHECK)]
    assert (change.points, change.reason) == (1.0, "a typing error")
    (alice,) = by_hand.overridden([graded("alice", [])], changes)
    assert alice.report.points == 1


def test_an_attached_page_is_downloaded_and_never_run(page):
    with page.expect_download() as found:
        page.click("#files a >> nth=1")
    assert found.value.suggested_filename == "text.html"


def test_when_the_command_has_ended_the_page_says_that_nothing_is_saved(page, server, folder):
    server[1]()
    page.keyboard.type("4")
    shows(page, "#said", "NOT SAVED: is the command still running?")
    assert rows(folder)[0]["points"] == ""
    page.expected[:] = [one for one in page.expected if "ERR_CONNECTION_REFUSED" not in one]
