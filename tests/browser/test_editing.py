"""Editing an old entry on a phone: five taps, Back without a question, everything in sight."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually


@pytest.fixture
def keeper(phone: Page) -> Keeper:
    """Return the keeper's phone, before a table is opened."""
    return Keeper(phone)


def play(keeper: Keeper, *players: str) -> None:
    """Play a deal and begin the next."""
    keeper.sit_down(*players)
    keeper.tap("full_house", players[0])
    keeper.tap("nobody")
    keeper.tap("trick", players[1])
    keeper.tap("pair", players[2])
    keeper.tap("pair", players[3])
    # An answered sheet removes its entry of the history; after that one can go on.
    eventually(keeper.page, "!history.state?.sheet")


def test_an_old_entry_is_edited_in_five_taps_and_back_asks_nothing(keeper: Keeper) -> None:
    """The preview is no page of the history: Back opens the entry as it is by now."""
    page = keeper.page
    play(keeper, *PLAYERS)
    page.get_by_role("link", name="Protokoll").click()
    page.locator("#deal-1 summary").click()
    page.get_by_role("link", name="Anna får +6 för kåk").click()
    expect(page.locator("h1")).to_have_text("Giv 1 · första köpet Anna kåk")
    page.evaluate("scrollTo(0, 9999)")
    page.get_by_role("button", name="Bo: Triss").click()
    expect(page.locator(".edits")).to_contain_text("Anna kåk → Bo triss")
    assert page.evaluate("scrollY") == 0
    expect(page.locator("button[value=save]")).to_be_in_viewport()
    page.locator("button[value=save]").click()
    expect(page.locator(".told")).to_have_text("Partiet är rättat.")
    expect(page.locator("#deal-1 .told")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Ångra rättelsen")).to_be_in_viewport()
    expect(page.locator("#deal-1 ol")).to_be_visible()
    page.go_back()
    expect(page.locator("h1")).to_contain_text("Bo triss")
    page.go_back()
    expect(page.locator(".sheet")).to_be_visible()
