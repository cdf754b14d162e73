"""Whose hand is best, asked with a thumb, by typing, and on a phone without scripts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper

EIGHT = (*PLAYERS, "Erik", "Fatima", "Gunnar", "Hedvig")
KINGS = "Kh Kd 9s 7c 2d"
MORE_KINGS = "Ks Kc 9h 6c 3d"
FOURS = "4c 4d 4h 4s 8s"
NARROWEST = 24
SHOT = Callable[[Page, str], Path]
Barriers = Callable[[Page], list[str]]


def table(page: Page, *players: str) -> Keeper:
    """Open a table and go to its question."""
    keeper = Keeper(page)
    keeper.open_table(*(players or PLAYERS))
    page.goto(f"{page.url}/compare")
    return keeper


def card(page: Page, code: str) -> Locator:
    """Return a card to tap."""
    return page.locator(f"#card-{code}")


def tap(page: Page, cards: str) -> None:
    """Tap cards as quickly as they can be found."""
    for code in cards.split():
        card(page, code).click()


def turn(page: Page, player: str) -> None:
    """Wait until a hand's turn has come."""
    expect(page.locator(".entry legend")).to_contain_text(player)


def verdict(page: Page) -> Locator:
    """Return the sentence that tells who wins."""
    return page.locator("#verdict")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_ten_taps_and_one_book_the_better_hand(
    new_phone: NewPhone, scheme: str, screenshot: SHOT, barriers: Barriers
) -> None:
    """Five taps a hand compare them, one more writes the winner down."""
    page = new_phone(color_scheme=scheme)
    keeper = table(page)
    screenshot(page, f"compare-{scheme}-1-empty")
    loads = keeper.loads
    tap(page, KINGS)
    turn(page, "Bo")
    where = card(page, "2s").bounding_box()
    tap(page, MORE_KINGS)
    expect(verdict(page)).to_have_text("Anna vinner: sjuan avgör.")
    assert card(page, "2s").bounding_box() == where, "The cards moved under the finger."
    assert keeper.loads == loads, "A tap loaded a whole page."
    screenshot(page, f"compare-{scheme}-2-compared")
    assert barriers(page) == []
    page.get_by_role("button", name="Skriv: Anna par").click()
    keeper.expect_scores(1, 0, 0, 0)


@pytest.mark.parametrize(("width", "height"), [(360, 780), (320, 568)])
def test_every_card_fits_a_thumb(new_phone: NewPhone, width: int, height: int) -> None:
    """On a narrow phone each card is wide enough, higher, and on the screen without scrolling."""
    phone = new_phone(viewport={"width": width, "height": height})
    table(phone)
    boxes = [tick.bounding_box() for tick in phone.locator(".tick").all()]
    assert len(boxes) == 52
    for box in boxes:
        assert box is not None
        assert box["width"] >= NARROWEST
        assert box["height"] > 1.5 * NARROWEST
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height


def test_taps_as_quick_as_they_come_lose_no_card(phone: Page) -> None:
    """Cards tapped before the answer to the one before are all there."""
    table(phone)
    phone.evaluate("codes => codes.forEach((c) => document.getElementById(`card-${c}`).click())",
                   KINGS.split())  # fmt: skip
    turn(phone, "Bo")
    expect(phone.locator("#held-1 .card:not(.none)")).to_have_count(5)


def test_a_card_goes_back_and_a_taken_one_says_whose(phone: Page) -> None:
    """A second tap takes a card back; one in another hand answers who holds it."""
    table(phone)
    tap(phone, "Kh Kd Kh")
    expect(phone.locator("#held-1 .card:not(.none)")).to_have_count(1)
    tap(phone, "9s 7c 2d 3d")
    turn(phone, "Bo")
    # Playwright holds what is marked as disabled back from a tap; a person's finger is not.
    card(phone, "9s").click(force=True)
    expect(phone.locator("#said")).to_have_text("Anna har redan spader 9.")
    expect(card(phone, "9s")).not_to_be_checked()
    tap(phone, "Ah")
    expect(phone.locator("#said")).to_be_empty()
    expect(phone.locator("#held-2 .card:not(.none)")).to_have_count(1)


def test_a_hand_that_asks_is_answered(phone: Page) -> None:
    """Four of a kind leads to its sheet, whose answer is recorded on the table."""
    keeper = table(phone)
    phone.get_by_role("button", name="+ Dan").click()
    turn(phone, "Dan")
    tap(phone, FOURS)
    turn(phone, "Anna")
    tap(phone, KINGS)
    expect(verdict(phone)).to_have_text("Dan vinner: fyrtal slår par.")
    phone.get_by_role("link", name="Skriv: Dan fyrtal").click()
    phone.get_by_role("button", name="8 poäng").click()
    keeper.expect_scores(0, 0, 0, 8)


def test_typed_hands_are_compared(phone: Page, screenshot: SHOT, barriers: Barriers) -> None:
    """Hands are typed instead, and what cannot be read stays to be mended."""
    table(phone)
    tap(phone, "Kh Kd")
    expect(phone.locator("#held-1 .card:not(.none)")).to_have_count(2)
    phone.get_by_role("button", name="Skriv i stället").click()
    anna, bo = (phone.get_by_role("textbox", name=name) for name in ("Anna", "Bo"))
    expect(anna).to_have_value("K♦ K♥")
    anna.fill("K♦ K♥ 9s 7c 2d")
    bo.fill("Es")
    bo.press("Enter")
    expect(phone.locator("#said")).to_have_text("Bo: En hand är fem kort, inte 1: As.")
    screenshot(phone, "compare-typed")
    assert barriers(phone) == []
    bo.fill("qh dd 9h 7h 2h")
    bo.press("Enter")
    expect(verdict(phone)).to_have_text("Anna vinner: kungen avgör.")


def test_without_scripts_it_works_by_forms(
    phone_without_js: Page, screenshot: SHOT, barriers: Barriers
) -> None:
    """Without scripts five ticks and a button fill a hand, and the winner is booked too."""
    page = phone_without_js
    keeper = table(page)
    tap(page, KINGS)
    page.get_by_role("button", name="Nästa").click()
    turn(page, "Bo")
    tap(page, MORE_KINGS)
    page.get_by_role("button", name="Nästa").click()
    expect(verdict(page)).to_have_text("Anna vinner: sjuan avgör.")
    screenshot(page, "compare-without-scripts")
    page.get_by_role("button", name="Skriv: Anna par").click()
    keeper.expect_scores(1, 0, 0, 0)


def test_eight_hands_scroll_above_the_cards(
    phone: Page, screenshot: SHOT, barriers: Barriers
) -> None:
    """However many hands there are, the cards and the verdict stay in reach."""
    table(phone, *EIGHT)
    for name in EIGHT[2:]:
        phone.get_by_role("button", name=f"+ {name}").click()
        turn(phone, name)
    phone.locator("#held-1 .hand").click()
    turn(phone, "Anna")
    tap(phone, KINGS)
    turn(phone, "Bo")
    tap(phone, MORE_KINGS)
    expect(verdict(phone)).to_have_text("Anna vinner: sjuan avgör.")
    expect(verdict(phone)).to_be_in_viewport(ratio=1)
    expect(card(phone, "2c")).to_be_in_viewport(ratio=1)
    screenshot(phone, "compare-eight-hands")
    assert barriers(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
