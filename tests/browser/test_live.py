"""Live: a change is on every other phone by itself, and disturbs nothing that somebody is doing."""

from http import HTTPStatus

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import Keeper
from tests.browser.tables import GLANCE, link, reader_of, recorded, second_pen


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network or server comes and goes."""
    return [*AWAY, "server error 503"]


@pytest.fixture
def reader(keeper: Keeper, new_phone: NewPhone) -> Keeper:
    """Return a phone that follows along."""
    return reader_of(keeper, new_phone())


def test_a_change_is_on_every_phone(keeper: Keeper, reader: Keeper, new_phone: NewPhone) -> None:
    """The keeper taps; a reader and another pen see it without doing anything."""
    other = second_pen(keeper, new_phone)
    kept = reader.page.locator("#table, .head, .top h1, .bar a")
    kept.evaluate_all("(parts) => parts.forEach((part) => { part.same = true; })")
    keeper.tap("pair", "Anna")
    for phone in (reader, other):
        phone.expect_scores(1, 0, 0, 0)
    assert kept.evaluate_all("(parts) => parts.every((part) => part.same)"), "Something flickers."
    keeper.undo()
    for phone in (reader, other):
        phone.expect_scores(0, 0, 0, 0)
    # What happens while there is no network is there by itself as soon as there is one.
    reader.page.context.set_offline(True)
    expect(reader.page.locator("#live")).to_have_text("väntar på nätet")
    keeper.tap("pair", "Anna")
    reader.page.context.set_offline(False)
    reader.expect_scores(1, 0, 0, 0)
    expect(reader.page.locator("#live")).to_have_class("on")


def test_where_no_stream_is_given_the_page_asks_now_and_then(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """Too many watch already: the table comes all the same, a little later."""
    page = new_phone()
    page.clock.install()
    full = HTTPStatus.SERVICE_UNAVAILABLE
    page.route("**/live", lambda route: route.fulfill(status=full, body="Full."))
    page.goto(link(keeper.page))
    reader = Keeper(page)
    expect(page.locator("#live")).to_have_class("slow")
    keeper.tap("pair", "Anna")
    page.clock.fast_forward(11_000)
    reader.expect_scores(1, 0, 0, 0)
    keeper.tap("flush", "Bo")
    page.clock.fast_forward(11_000)
    reader.expect_scores(1, 5, 0, 0)


def test_a_tap_in_the_moment_of_anothers_change_counts_for_the_table_before(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """Two keepers write the same hand down: it is not the next hand when one is a moment late."""
    other = second_pen(keeper, new_phone)
    # However long this phone takes, the moment is not over before it is told so.
    other.page.evaluate("() => { window.now = performance.now(); performance.now = () => now; }")
    keeper.tap("pair", "Anna")
    other.expect_scores(1, 0, 0, 0)
    other.cell("pair", "Anna").click()
    expect(other.said).to_have_text("Någon annan hann före. Så här står det nu.")
    assert len(recorded(keeper.page)) == 1
    other.page.evaluate("(glance) => { window.now += glance; }", GLANCE)
    other.tap("pair", "Bo")
    keeper.expect_scores(1, 1, 0, 0)
    # For this one the moment is over, however quickly it goes on.
    keeper.page.evaluate("() => { performance.now = () => Infinity; }")
    a_half_made_choice_survives_a_change(keeper, other)


def a_half_made_choice_survives_a_change(keeper: Keeper, other: Keeper) -> None:
    """The finger stays in it; sent, it shows the fresh table first, and then is written."""
    other.look_up("Bo")
    points = other.sheet.locator("input[name=points]")
    points.fill("7")
    keeper.tap("trick", "Cilla")
    other.expect_scores(1, 1, 5, 0)
    expect(points).to_have_value("7")
    expect(points).to_be_focused()
    correct = other.sheet.get_by_role("button", name="Rätta", exact=True)
    correct.click()
    expect(other.said).to_have_text("Någon annan hann före. Så här står det nu.")
    assert len(recorded(keeper.page)) == 3
    correct.click()
    other.expect_scores(1, 8, 5, 0)
