"""Hands compared on a touch screen."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper

KINGS = "Kh Kd 9s 7c 2d"
MORE_KINGS = "Ks Kc 9h 6c 3d"
NARROW = {"width": 320, "height": 568}
NARROWEST = 24
BOXES = "ticks => ticks.map((tick) => tick.getBoundingClientRect().toJSON())"
TAP_AT_ONCE = "codes => codes.forEach((code) => document.getElementById(`card-${code}`).click())"


def table(page: Page) -> Keeper:
    """Open a table and go to its page that compares hands."""
    keeper = Keeper(page)
    keeper.sit_down(*PLAYERS)
    page.goto(f"{page.url}/compare")
    return keeper


def card(page: Page, code: str) -> Locator:
    """Return a card to tap."""
    return page.locator(f"#card-{code}")


def tap(page: Page, cards: str) -> None:
    """Tap cards as fast as they can be found."""
    for code in cards.split():
        card(page, code).click()


def turn(page: Page, player: str) -> None:
    """Wait until a hand is the one to fill."""
    expect(page.locator(".entry legend")).to_contain_text(player)


def verdict(page: Page) -> Locator:
    """Return the sentence that names the winner."""
    return page.locator("#verdict")


def test_ten_taps_and_one_book_the_better_hand(new_phone: NewPhone) -> None:
    """Five taps a hand compare them, one more records the winner; every card fits a thumb."""
    page = new_phone(viewport=NARROW)
    keeper = table(page)
    expect_cards_in_reach(page)
    loads = keeper.loads
    # The taps come before the answers to those before them.
    page.evaluate(TAP_AT_ONCE, KINGS.split())
    turn(page, "Bo")
    expect(page.locator("#held-1 .fan span:not(.none)")).to_have_count(5)
    where = card(page, "2s").bounding_box()
    tap(page, MORE_KINGS)
    expect(verdict(page)).to_have_text("Anna vinner: sjuan avgör.")
    assert card(page, "2s").bounding_box() == where, "The cards moved under the finger."
    assert keeper.loads == loads, "A tap loaded a whole page."
    page.get_by_role("button", name="Skriv: Anna par").click()
    keeper.expect_scores(1, 0, 0, 0)


def expect_cards_in_reach(page: Page) -> None:
    """Check that each card is wide enough, higher, and on the screen without scrolling."""
    boxes = page.locator("[name=card]").evaluate_all(BOXES)
    assert len(boxes) == 52
    for box in boxes:
        assert box["width"] >= NARROWEST
        assert box["height"] > 1.5 * NARROWEST
        assert box["left"] >= 0
        assert box["right"] <= NARROW["width"]
        assert box["bottom"] <= NARROW["height"]
