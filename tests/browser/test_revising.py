"""A game corrected by taps: the switches, a name and the dealer in deal 3, a forgotten hand."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import recorded


@pytest.fixture
def keeper(phone: Page) -> Keeper:
    """Return the keeper's phone of a table in deal 3."""
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    for _ in range(2):
        keeper.tap("full_house", "Anna")
        keeper.tap("nobody")
        keeper.tap("trick", "Bo")
        keeper.tap("nobody")
    keeper.tap("pair", "Anna")
    return keeper


def open_form(keeper: Keeper) -> None:
    """Open the form from the menu."""
    keeper.page.get_by_role("link", name="Meny").click()
    keeper.page.get_by_role("link", name="Ändra partiet").click()
    expect(keeper.page.get_by_role("heading", level=1)).to_have_text("Ändra partiet")


def keep(keeper: Keeper) -> None:
    """Open the preview, and keep the change."""
    keeper.page.get_by_role("button", name="Se vad det blir").click()
    keeper.page.get_by_role("button", name="Spara", exact=True).click()
    expect(keeper.page.locator("#table")).to_be_visible()
    expect(keeper.undo_button).to_contain_text("Ångra")


def test_a_game_is_put_right_in_deal_3_and_undone(keeper: Keeper) -> None:
    """Taps alone make the changes one after the other, each with a preview first."""
    a_switch_is_turned(keeper)
    a_name_is_changed(keeper)
    somebody_else_deals(keeper)
    a_forgotten_hand_is_put_in(keeper)


def undo(keeper: Keeper) -> None:
    """Undo the change."""
    keeper.undo_button.click()
    expect(keeper.page.locator(".redo")).to_be_visible()


def a_switch_is_turned(keeper: Keeper) -> None:
    """Turn one of the few switches among the house rules."""
    switch = keeper.page.locator("#on-chicago")
    open_form(keeper)
    switch.click()
    keep(keeper)
    open_form(keeper)
    expect(switch).not_to_be_checked()
    keeper.page.locator("a.close").click()
    undo(keeper)
    open_form(keeper)
    expect(switch).to_be_checked()
    keeper.page.locator("a.close").click()


def a_name_is_changed(keeper: Keeper) -> None:
    """Rename a player, who keeps all recorded facts."""
    name = keeper.page.locator("#head-2 .name")
    open_form(keeper)
    keeper.page.locator("input[name=player]").nth(1).fill("Bosse")
    keep(keeper)
    expect(name).to_have_text("Bosse")
    undo(keeper)
    expect(name).to_have_text("Bo")


def somebody_else_deals(keeper: Keeper) -> None:
    """Change the dealer from the deal's own line."""
    page, deals = keeper.page, keeper.dealer()
    other = keeper.next_to(deals)
    page.locator(".where a").first.click()
    expect(page.get_by_role("heading", name="Vi är i en annan giv")).to_be_visible()
    page.get_by_role("button", name=f"{other} ger").click()
    expect(page.locator("#said")).to_have_text(f"{other} ger.")
    assert keeper.dealer() == other
    undo(keeper)
    assert keeper.dealer() == deals


def a_forgotten_hand_is_put_in(keeper: Keeper) -> None:
    """Insert a hand into a deal some deals ago, and move the rest on."""
    page = keeper.page
    before = recorded(page)
    page.get_by_role("link", name="Protokoll").click()
    page.locator("#deal-1 summary").click()
    page.get_by_role("link", name="Anna får +6 för kåk").first.click()
    page.locator("input[value=insert]").click()
    page.get_by_role("button", name="Dan: Triss").click()
    page.get_by_role("button", name="Skjut resten ett steg").click()
    expect(page.get_by_role("button", name="Skjut resten ett steg")).to_have_count(0)
    page.get_by_role("button", name="Spara", exact=True).click()
    expect(page.locator(".told")).to_have_text("Partiet är rättat.")
    new = {"event": "best_hand", "player": "Dan", "hand": "three_of_a_kind"}
    assert recorded(page) == [new, before[0], *before[2:]]
