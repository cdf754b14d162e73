"""Mending an old entry on a phone: five taps, Back without a question, and nothing out of reach."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually, link, recorded

LONG = ("Anna-Karin Lindström", "Bo", "Cecilia Svensson-Ek", "Daniel", "Eva-Lotta Johansson")
EIGHT = (*LONG, "Fredrik", "Gunilla von Essen", "Håkan")
# A full house, two passes and a trick, then the first hand of deal 2.
ZEROING = 'button[value*=\'"choose":"zero"\']'


@pytest.fixture
def keeper(new_phone: NewPhone, scripts: bool) -> Keeper:
    """Return the keeper's phone, which runs scripts or does not, before a table is opened."""
    return Keeper(new_phone(java_script_enabled=scripts))


def play(keeper: Keeper, *players: str) -> None:
    """Play a deal and begin the next."""
    keeper.open_table(*players)
    keeper.tap("full_house", players[0])
    keeper.tap("nobody")
    keeper.tap("trick", players[1])
    keeper.tap("pair", players[2])
    keeper.tap("pair", players[3])
    # A sheet that was answered takes its entry of the history away, after which one can go on.
    eventually(keeper.page, "!history.state?.sheet")


def expect_within(page: Page) -> None:
    """Nothing is wider than the screen."""
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]


def test_an_old_entry_is_mended_in_five_taps_and_back_asks_nothing(keeper: Keeper) -> None:
    """Back goes over the pages as they were, also past what was mistyped and what was kept."""
    page = keeper.page
    play(keeper, *PLAYERS)
    page.get_by_role("link", name="Protokoll").click()
    page.locator("#deal-1 summary").click()
    page.get_by_role("link", name="Anna får +6 för kåk").click()
    expect(page.locator("h1")).to_have_text("Giv 1 · första köpet Anna kåk")
    page.locator("#mistake summary").click()
    page.get_by_label("Lägg till eller dra av poäng").last.fill("fem")
    page.get_by_role("button", name="Rätta", exact=True).click()
    expect(page.get_by_text("Poängen ska vara ett heltal")).to_be_in_viewport()
    expect(page.get_by_label("Lägg till eller dra av poäng").last).to_have_value("fem")
    page.get_by_role("button", name="Bo: Triss").click()
    expect(page.locator(".edits")).to_contain_text("Anna kåk → Bo triss")
    expect(page.locator("button[value=keep]")).to_be_in_viewport()
    page.locator("button[value=keep]").click()
    expect(page.locator(".told")).to_have_text("Partiet är rättat.")
    expect(page.locator("#deal-1 .told")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Ångra rättelsen")).to_be_in_viewport()
    expect(page.locator("#deal-1 ol")).to_be_visible()
    assert recorded(page)[0] == {
        "event": "best_hand",
        "player": "Bo",
        "hand": "three_of_a_kind",
    }
    page.go_back()
    expect(page.locator(".told")).to_have_text("Den rättelsen är redan sparad.")
    page.go_back()
    page.go_back()
    expect(page.locator("h1")).to_contain_text("Bo triss")
    page.go_back()
    expect(page.locator(".sheet")).to_be_visible()


@pytest.mark.parametrize("players", [PLAYERS, EIGHT], ids=["four", "eight"])
@pytest.mark.parametrize("scripts", [True])
def test_the_pages_of_mending_have_no_barriers(
    keeper: Keeper, players: tuple[str, ...], judge: Judge
) -> None:
    """An entry, a change, what no longer fits and what is missing, in the dark and in the light."""
    play(keeper, *players)
    table = link(keeper.page)
    # On a page of its own, as a sheet that closes still goes back in its page's history.
    page = keeper.page.context.new_page()
    entry = f"{table}/games/1/entries/0"
    for tap, sign in ((".board", ".board"), (ZEROING, ".misfits"), ("[value=remove]", "#gap")):
        page.goto(entry)
        for each in page.locator("details summary").all():
            each.click()
        expect_within(page)
        if tap != ".board":
            page.locator(tap).first.click()
        expect(page.locator(sign)).to_be_visible()
        expect_within(page)
        judge(page)
    page.goto(f"{table}/games/1?deal=1#deal-1")
    expect_within(page)
    judge(page)
