"""Mending an old entry on a phone: five taps, Back without a question, everything in sight."""

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
    keeper.open_table(*players)
    keeper.tap("full_house", players[0])
    keeper.tap("nobody")
    keeper.tap("trick", players[1])
    keeper.tap("pair", players[2])
    keeper.tap("pair", players[3])
    # An answered sheet removes its entry of the history; after that one can go on.
    eventually(keeper.page, "!history.state?.sheet")


def test_an_old_entry_is_mended_in_five_taps_and_back_asks_nothing(keeper: Keeper) -> None:
    """Back opens the pages as they were, also past a saved correction."""
    page = keeper.page
    play(keeper, *PLAYERS)
    page.get_by_role("link", name="Protokoll").click()
    page.locator("#deal-1 summary").click()
    page.get_by_role("link", name="Anna får +6 för kåk").click()
    expect(page.locator("h1")).to_have_text("Giv 1 · första köpet Anna kåk")
    page.get_by_role("button", name="Bo: Triss").click()
    expect(page.locator(".edits")).to_contain_text("Anna kåk → Bo triss")
    expect(page.locator("button[value=keep]")).to_be_in_viewport()
    page.locator("button[value=keep]").click()
    expect(page.locator(".told")).to_have_text("Partiet är rättat.")
    expect(page.locator("#deal-1 .told")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Ångra rättelsen")).to_be_in_viewport()
    expect(page.locator("#deal-1 ol")).to_be_visible()
    page.go_back()
    expect(page.locator(".told")).to_have_text("Den rättelsen är redan sparad.")
    page.go_back()
    expect(page.locator("h1")).to_contain_text("Bo triss")
    page.go_back()
    expect(page.locator(".sheet")).to_be_visible()
