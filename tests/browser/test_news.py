"""What a new fact gave is shown at the heads, on every phone, until the next one."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import reader_of
from tests.screens.layout import AT_REST

# The places of all elements that must not move when a difference comes or goes.
PLACES = """
    () => [...document.querySelectorAll(".head, .score, .row")]
        .map((part) => part.getBoundingClientRect().top)
"""


def difference(keeper: Keeper, player: str) -> str:
    """Return what the newest fact gave to a player, or nothing."""
    found = keeper.head(player).locator(".difference")
    return found.inner_text() if found.count() else ""


def test_what_was_recorded_is_news_until_the_next_tap(phone: Page, new_phone: NewPhone) -> None:
    """The difference shows on the keeper's phone and a reader's; nothing moves."""
    keeper, other = Keeper(phone), new_phone()
    keeper.open_table(*PLAYERS)
    reader = reader_of(keeper, other)
    stop_time(other)
    keeper.tap("nobody")
    places = phone.evaluate(PLACES)
    keeper.correct("Bo", "30")
    for each in (keeper, reader):
        expect(each.head("Bo").locator(".difference")).to_have_text("+30")
        assert difference(each, "Anna") == ""
    assert phone.evaluate(PLACES) == places
    keeper.correct("Anna", "1")
    assert (difference(keeper, "Anna"), difference(keeper, "Bo")) == ("+1", "")
    keeper.tap_rare("Fyrtal (nollar)", "Bo")
    expect(other.locator(".loud")).to_contain_text("Bo nollar med fyrtal")
    phone.reload()
    expect(phone.locator(".loud")).to_be_hidden()


def stop_time(page: Page) -> None:
    """Stop the animations of a page at their start, for as long as a test needs."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0})


# Whatever is moved is noted: its class, and how its movement begins and ends.
NOTED = """
    window.moved = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, ...options) {
        moved.push([this.className, Object.keys(frames).join()].join(" "));
        return animate.call(this, frames, ...options);
    };
"""


def expect_moved(page: Page, what: str) -> None:
    """Wait until something has moved, and forget all that has."""
    page.wait_for_function("(what) => moved.splice(0).includes(what)", arg=what)


def test_a_gain_flies_a_zeroing_falls_and_a_win_shines(new_phone: NewPhone) -> None:
    """Not where the phone is asked to keep still."""
    page = new_phone(reduced_motion="no-preference")
    page.add_init_script(NOTED)
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    page.evaluate(AT_REST)
    keeper.correct("Anna", "30")
    expect_moved(page, "difference translate,scale")
    page.emulate_media(reduced_motion="reduce")
    keeper.correct("Bo", "30")
    expect(keeper.head("Bo").locator(".difference")).to_be_visible()
    assert page.evaluate("moved") == []
    page.emulate_media(reduced_motion="no-preference")
    keeper.tap_rare("Fyrtal (nollar)", "Anna")
    expect_moved(page, "score translate,opacity")
    keeper.tap_rare("Färgstege (vinner)", "Anna")
    expect_moved(page, "ending clipPath,filter")
