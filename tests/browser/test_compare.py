"""Hands compared on a touch screen."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper

KINGS = "Kh Kd 9s 7c 2d"
MORE_KINGS = "Ks Kc 9h 6c 3d"
NARROW = {"width": 320, "height": 568}
NARROWEST = 24
BOXES = "ticks => ticks.map((tick) => tick.getBoundingClientRect().toJSON())"
TAP_AT_ONCE = "codes => codes.forEach((code) => document.getElementById(`card-${code}`).click())"


def test_ten_taps_and_one_book_the_better_hand(new_phone: NewPhone) -> None:
    """Five taps a hand compare them, one more records the winner; every card fits a thumb."""
    page = new_phone(viewport=NARROW)
    keeper, other = Keeper(page), page.locator("#card-2s")
    keeper.sit_down(*PLAYERS)
    page.goto(f"{page.url}/compare")
    expect_cards_in_reach(page)
    loads = keeper.loads
    # The taps come before the answers to those before them.
    page.evaluate(TAP_AT_ONCE, KINGS.split())
    expect(page.locator(".entry legend")).to_contain_text("Bo")
    expect(page.locator("#held-1 .fan span:not(.none)")).to_have_count(5)
    where = other.bounding_box()
    for code in MORE_KINGS.split():
        page.locator(f"#card-{code}").click()
    expect(page.locator("#verdict")).to_have_text("Anna vinner: sjuan avgör.")
    assert other.bounding_box() == where, "The cards moved under the finger."
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
