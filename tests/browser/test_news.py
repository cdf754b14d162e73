"""What was just recorded is news for a while, on every phone that sees it come, and only there."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import reader_of

# Counts how often the phone is told to vibrate.
FEEL = """
    window.felt = 0;
    Object.defineProperty(Navigator.prototype, "vibrate", {value: () => ++window.felt});
"""
FADE = "document.getAnimations().forEach((animation) => animation.finish())"
# Where everything stands that must not move when a difference comes or goes.
PLACES = """
    () => [...document.querySelectorAll(".head, .score, .way, .row")]
        .map((part) => part.getBoundingClientRect().top)
"""


def difference(keeper: Keeper, player: str) -> str:
    """Return what stands beneath a player's score, where it can be seen."""
    found = keeper.head(player).locator(".difference")
    return found.inner_text() if found.is_visible() and found.inner_text() else ""


def zero(keeper: Keeper, player: str) -> None:
    """Let a player zero the others."""
    keeper.cell("four_of_a_kind", player).click()
    keeper.answer("Nolla alla andra")


def test_differences_are_news_for_some_seconds(keeper: Keeper, new_phone: NewPhone) -> None:
    """On the keeper's phone and on a reader's; then they fade, and nothing has moved."""
    reader = reader_of(keeper, new_phone())
    keeper.tap("nobody")
    places = keeper.page.evaluate(PLACES)
    keeper.correct("Bo", "30")
    expect(keeper.head("Bo").locator(".difference")).to_have_text("+30")
    expect(reader.head("Bo").locator(".difference")).to_have_text("+30")
    for phone in (keeper, reader):
        assert difference(phone, "Bo") == "+30"
        assert difference(phone, "Anna") == ""
        phone.page.evaluate(FADE)
        assert difference(phone, "Bo") == ""
    assert keeper.page.evaluate(PLACES) == places


def test_a_shout_is_felt_on_the_keepers_phone_alone(phone: Page, new_phone: NewPhone) -> None:
    """Once for each, not for what is ordinary; a phone that only follows lies still."""
    phone.add_init_script(FEEL)
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    other = new_phone()
    other.add_init_script(FEEL)
    reader = reader_of(keeper, other)
    keeper.tap("pair", "Anna")
    assert phone.evaluate("felt") == 0
    zero(keeper, "Bo")
    expect(other.locator(".loud")).to_contain_text("Bo nollar med fyrtal")
    assert phone.evaluate("felt") == 1
    assert other.evaluate("felt") == 0
    assert difference(reader, "Anna") == "−1"
    phone.reload()
    expect(phone.locator(".loud")).to_be_visible()
    assert phone.evaluate("felt") == 0
