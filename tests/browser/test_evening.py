"""An evening in a real browser: three games, money, a mended game, and all debts settled."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper
from tests.browser.tables import link

PLAYERS = ("Anna", "Bo", "Cilla")


@pytest.fixture
def keeper(new_phone: NewPhone) -> Keeper:
    """Return the keeper's phone, whose pages may copy to the clipboard."""
    return Keeper(new_phone(permissions=["clipboard-read", "clipboard-write"]))


def end(keeper: Keeper) -> None:
    """Break the game off as it stands."""
    keeper.page.get_by_role("link", name="Meny", exact=True).click()
    keeper.page.get_by_role("link", name="Någon kommer, går").click()
    keeper.answer("Bryt partiet – ställningen gäller")
    expect(keeper.page.locator(".result")).to_be_visible()


def go_to_evening(keeper: Keeper) -> None:
    """Follow the link at the end of a game."""
    keeper.page.get_by_role("link", name="Kvällen", exact=True).click()
    expect(keeper.page.locator("#evening")).to_be_visible()


def press(page: Page, label: str) -> None:
    """Press a button by its label."""
    page.get_by_role("button", name=label, exact=True).click()


def play_three(keeper: Keeper) -> None:
    """Play three games: Anna wins, then Bo at double stake with Dan for Cilla, then Dan.

    Anna wins 6 kr of each of two, Bo 10 kr of each of two, Dan 3 × 2 kr of each of two.
    """
    keeper.open_table(*PLAYERS)
    keeper.tap("full_house", "Anna")
    end(keeper)
    keeper.page.get_by_role("link", name="Ändra spelare, insats eller regler").click()
    keeper.page.get_by_label("Ta bort Cilla").click()
    third = keeper.page.locator("input[name=player]").nth(2)
    expect(third).to_have_value("")
    third.fill("Dan")
    keeper.page.locator("input[name=point][value=other]").check()
    keeper.page.locator("input[name=stake]").fill("2")
    press(keeper.page, "Börja spela")
    expect(keeper.page.locator("#table .board")).to_be_visible()
    keeper.players = ("Anna", "Bo", "Dan")
    keeper.tap("flush", "Bo")
    end(keeper)
    keeper.tap_rematch()
    keeper.tap("three_of_a_kind", "Dan")
    end(keeper)


def mend_first_game(keeper: Keeper) -> None:
    """Change Anna's full house into a straight."""
    table = link(keeper.page)
    keeper.page.goto(f"{table}/games/1/entries/0")
    keeper.page.get_by_role("button", name="Anna: Stege").click()
    keeper.page.locator("button[value=keep]").click()
    expect(keeper.page.locator(".told")).to_be_visible()
    keeper.page.goto(f"{table}/evening")


def test_an_evening_is_played_paid_mended_and_settled(keeper: Keeper, new_phone: NewPhone) -> None:
    """Three games, a payment in part, all paid, a game mended after that, and the difference.

    A reader's page follows the ticks without a touch.
    """
    play_three(keeper)
    page, reader = keeper.page, new_phone()
    go_to_evening(keeper)
    reader.goto(page.url)
    expect(reader.locator(".owed a")).to_have_count(3)
    expect(reader.locator("main button")).to_have_count(0)
    rows = page.locator(".ledger tbody tr")
    expect(rows).to_contain_text(["Anna", "Bo", "Cilla", "Dan"])
    expect(rows.locator(".total")).to_have_text(["−4", "+8", "−6", "+2"])
    expect(page.locator(".owed a")).to_have_count(3)
    pay_a_part(page)
    expect(reader.locator(".record")).to_have_count(1)
    page.locator(".all summary").click()
    page.get_by_role("radio", name="Kontant", exact=True).check()
    press(page, "Alla har betalat")
    expect(page.locator(".left .told")).to_have_text("Ingen är skyldig något.")
    expect(reader.locator(".owed a")).to_have_count(0)
    mend_first_game(keeper)
    expect(page.locator(".corrected")).to_contain_text("Parti 1 ändrades efter uppgörelsen")
    expect(page.locator(".corrected")).to_contain_text("av Anna")
    expect(page.locator(".owed a")).to_have_count(2)
    expect(page.locator(".record")).to_have_count(2)
    page.locator(".all summary").click()
    press(page, "Alla har betalat")
    expect(page.locator(".corrected")).to_have_count(0)
    page.locator(".record button").first.click()
    expect(page.locator(".record.gone")).to_have_count(1)
    expect(page.locator(".corrected")).to_have_count(1)


def pay_a_part(page: Page) -> None:
    """Tick one krona of the first payment, after looking at its code."""
    owed = page.locator(".owed a").first
    before = owed.inner_text()
    owed.click()
    page.locator("input[name=number]").fill("070-123 45 67")
    press(page, "Visa en kod")
    expect(page.locator(".code svg")).to_be_visible()
    expect(page.locator("#number")).to_have_text("070-123 45 67")
    page.get_by_role("button", name="Kopiera numret").click()
    expect(page.get_by_text("Kopierat")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "0701234567"
    page.locator("input[name=amount]").fill("1")
    press(page, "Betalt med Swish")
    expect(page.locator(".record")).to_have_count(1)
    expect(page.locator(".owed a").first).not_to_have_text(before)
