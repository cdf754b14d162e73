"""Live: a change is on every other phone by itself, and disturbs nothing that somebody is doing."""

from http import HTTPStatus

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import GLANCE, hold, link, reader_of, recorded, second_pen

# Counts the streams that a page holds open.
COUNTING = """
    window.streams = new Set();
    window.EventSource = class extends EventSource {
        constructor(...options) { super(...options); window.streams.add(this); }
        close() { super.close(); window.streams.delete(this); }
    };
"""
# Nobody can hide a page of a browser without a screen; this is what it would notice.
HIDE = """
    (hidden) => {
        Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }
"""


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
    keeper.tap("pair", "Anna")
    for phone in (reader, other):
        phone.expect_scores(1, 0, 0, 0)
    keeper.undo()
    for phone in (reader, other):
        phone.expect_scores(0, 0, 0, 0)


def test_what_has_not_changed_stays_where_it_is(keeper: Keeper, reader: Keeper) -> None:
    """A change replaces no part of the page but what it changes: nothing flickers."""
    heads = reader.page.locator("#table, .head, .top h1, .bar a")
    heads.evaluate_all("(parts) => parts.forEach((part) => { part.same = true; })")
    keeper.tap("pair", "Anna")
    reader.expect_scores(1, 0, 0, 0)
    assert heads.evaluate_all("(parts) => parts.every((part) => part.same)")


def test_a_half_made_choice_survives_a_change(keeper: Keeper, new_phone: NewPhone) -> None:
    """What is filled in on an open sheet is still there, and the finger in it."""
    other = second_pen(keeper, new_phone)
    other.look_up("Bo")
    points = other.sheet.locator("input[name=points]")
    points.fill("7")
    keeper.tap("pair", "Anna")
    other.expect_scores(1, 0, 0, 0)
    expect(points).to_have_value("7")
    expect(points).to_be_focused()


def test_an_open_sheet_never_answers_for_a_table_it_was_not_opened_on(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """The first answer shows the fresh table; the second, sent knowingly, is written."""
    other = second_pen(keeper, new_phone)
    other.cell("four_of_a_kind", "Dan").click()
    keeper.tap("pair", "Anna")
    other.expect_scores(1, 0, 0, 0)
    score = other.sheet.get_by_role("button", name="8 poäng")
    score.click()
    expect(other.said).to_have_text("Någon annan hann före. Så här står det nu.")
    assert len(recorded(keeper.page)) == 1
    score.click()
    other.expect_scores(1, 0, 0, 8)


def test_the_scroll_position_survives_a_change(keeper: Keeper, new_phone: NewPhone) -> None:
    """A small screen that was scrolled stays there."""
    other = second_pen(keeper, new_phone)
    other.page.set_viewport_size({"width": 320, "height": 480})
    middle = other.page.locator(".middle")
    middle.evaluate("(part) => { part.scrollTop = 60; }")
    before = middle.evaluate("(part) => part.scrollTop")
    assert before > 0
    keeper.tap("pair", "Anna")
    other.expect_scores(1, 0, 0, 0)
    assert middle.evaluate("(part) => part.scrollTop") == before


def test_the_stream_takes_no_words_away(keeper: Keeper) -> None:
    """What was answered to a tap stays, although the stream repeats the same table."""
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    keeper.cell("chicago", "Cilla").click(force=True)
    expect(keeper.said).to_contain_text("Cilla får inte ropa chicago än")
    with keeper.page.expect_event("request", lambda request: request.url.endswith("/live")):
        keeper.page.evaluate("dispatchEvent(new Event('online'))")
    keeper.page.wait_for_timeout(300)
    expect(keeper.said).to_contain_text("Cilla får inte ropa chicago än")


def test_it_is_live_again_after_the_network_was_gone(keeper: Keeper, reader: Keeper) -> None:
    """What happened meanwhile is there by itself, and the phone says what it waits for."""
    reader.page.context.set_offline(True)
    expect(reader.page.locator("#live")).to_have_text("väntar på nätet")
    keeper.tap("pair", "Anna")
    reader.page.context.set_offline(False)
    reader.expect_scores(1, 0, 0, 0)
    expect(reader.page.locator("#live")).to_have_class("on")


def test_it_is_live_again_after_the_server_was_restarted(
    new_phone: NewPhone, own_server: Server
) -> None:
    """A power cut at the server is over when it is over, for readers too."""
    keeper = Keeper(new_phone())
    keeper.open_table(*PLAYERS, at=own_server.url)
    reader = reader_of(keeper, new_phone())
    own_server.kill()
    expect(reader.page.locator("#live")).to_have_class("off")
    own_server.start()
    expect(keeper.page.locator("#live")).to_have_class("on")
    keeper.tap("pair", "Anna")
    reader.expect_scores(1, 0, 0, 0)


def test_a_page_nobody_sees_holds_no_connection(keeper: Keeper, new_phone: NewPhone) -> None:
    """Hidden, it lets go; shown again, it is up to date."""
    page = new_phone()
    page.context.add_init_script(COUNTING)
    reader = reader_of(keeper, page)
    assert page.evaluate("streams.size") == 1
    page.evaluate(HIDE, True)
    assert page.evaluate("streams.size") == 0
    keeper.tap("pair", "Anna")
    reader.expect_scores(0, 0, 0, 0)
    page.evaluate(HIDE, False)
    reader.expect_scores(1, 0, 0, 0)
    assert page.evaluate("streams.size") == 1


@pytest.mark.parametrize("status", [HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS])
def test_where_no_stream_is_given_the_page_asks_now_and_then(
    keeper: Keeper, new_phone: NewPhone, status: HTTPStatus
) -> None:
    """Too many watch already: the table comes all the same, a little later."""
    page = new_phone()
    page.clock.install()
    page.route("**/live", lambda route: route.fulfill(status=status, body="Full."))
    page.goto(link(keeper.page))
    reader = Keeper(page)
    expect(page.locator("#live")).to_have_class("slow")
    keeper.tap("pair", "Anna")
    page.clock.fast_forward(11_000)
    reader.expect_scores(1, 0, 0, 0)
    keeper.tap("flush", "Bo")
    page.clock.fast_forward(11_000)
    reader.expect_scores(1, 5, 0, 0)


def test_a_stream_that_died_without_telling_is_found_out(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """After a long silence the page looks for itself."""
    page = new_phone()
    page.clock.install()
    held = hold(page, "**/live")
    page.goto(link(keeper.page))
    keeper.tap("pair", "Anna")
    page.clock.fast_forward(46_000)
    Keeper(page).expect_scores(1, 0, 0, 0)
    for route in held:
        route.abort()


def test_readers_without_scripts_get_the_page_again(keeper: Keeper, phone_without_js: Page) -> None:
    """Where nothing can listen, the page loads itself anew; the keeper's never does."""
    phone_without_js.goto(link(keeper.page))
    expect(phone_without_js.locator("meta[http-equiv=refresh]")).to_have_attribute("content", "15")
    expect(keeper.page.locator("noscript")).to_have_count(0)


def test_a_tap_in_the_moment_of_anothers_change_counts_for_the_table_before(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """Two keepers write the same hand down: it is not the next hand when one is a moment late."""
    other = second_pen(keeper, new_phone)
    # However long this phone takes, the moment is not over.
    other.page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
    keeper.tap("pair", "Anna")
    other.expect_scores(1, 0, 0, 0)
    other.cell("pair", "Anna").click()
    expect(other.said).to_have_text("Någon annan hann före. Så här står det nu.")
    assert len(recorded(keeper.page)) == 1
    other.page.evaluate("() => { delete performance.now; }")
    other.page.wait_for_timeout(GLANCE)
    other.tap("pair", "Anna")
    other.expect_scores(2, 0, 0, 0)
