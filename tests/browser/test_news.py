"""What a new fact gave is shown at the heads, on every phone, until the next one."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import reader_of

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
    keeper.sit_down(*PLAYERS)
    reader = reader_of(keeper, other)
    # Its animations stop at their start, for as long as this needs.
    devtools = other.context.new_cdp_session(other)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0})
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
