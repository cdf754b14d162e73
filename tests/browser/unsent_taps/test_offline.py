"""A bad network: what was tapped is kept on the phone, and written once, in order, or not at all.

Every test ends by looking at what the server holds.
"""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, CILLA_TRICK, cut, lose_answers
from tests.browser.unsent import (
    FOUR,
    correct_unheard,
    correction,
    expect_written,
    tap_unheard,
    unsent,
    with_sheets,
)

DAN_STRAIGHT: dict[str, object] = {"event": "best_hand", "player": "Dan", "hand": "straight"}


def test_a_tap_without_a_network_waits_in_sight_and_is_sent_later(
    keeper: Keeper, screenshot: Callable[[Page, str], Path]
) -> None:
    """In the middle of a deal the network goes: the tap is shown as not saved, then saved once."""
    keeper.tap("pair", "Anna")
    cut(keeper.page)
    tap_unheard(keeper, "flush", "Bo", 1)
    expect(unsent(keeper)).to_contain_text("Bo: Färg – inte sparat än")
    expect(keeper.cell("flush", "Bo")).to_have_attribute("data-waits", "1")
    keeper.expect_scores(1, 0, 0, 0)
    screenshot(keeper.page, "offline-waits")
    cut(keeper.page, off=False)
    keeper.expect_scores(1, 5, 0, 0)
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)
    keeper.tap("trick", "Cilla")
    expect_written(keeper, ANNA_PAIR, BO_FLUSH, CILLA_TRICK)


def test_several_taps_are_sent_in_order(keeper: Keeper) -> None:
    """What was tapped without a network is written in the order of the taps."""
    cut(with_sheets(keeper).page)
    correct_unheard(keeper, "Cilla", 7, 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    correct_unheard(keeper, "Dan", 3, 3)
    cut(keeper.page, off=False)
    keeper.expect_scores(1, 0, 7, 3)
    expect_written(keeper, correction("Cilla", 7), ANNA_PAIR, correction("Dan", 3))


def test_while_a_hand_waits_no_other_is_taken_for_the_same_exchange(
    keeper: Keeper, screenshot: Callable[[Page, str], Path]
) -> None:
    """The page does not know the next step, says so, and books nothing into it by mistake."""
    cut(with_sheets(keeper).page)
    tap_unheard(keeper, "pair", "Anna", 1)
    keeper.cell("straight", "Dan").click()
    expect(keeper.said).to_contain_text("”Anna: Par” väntar på svar")
    expect(keeper.said).to_have_class(re.compile("calm"))
    screenshot(keeper.page, "offline-held-back")
    keeper.cell(FOUR, "Bo").click()
    keeper.page.locator("#row-nobody .asks").click()
    expect(keeper.sheet).to_have_count(0)
    expect(unsent(keeper).locator(".count")).to_have_text("1")
    cut(keeper.page, off=False)
    keeper.expect_scores(1, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR)
    keeper.tap("flush", "Bo")
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_a_tap_that_waits_can_be_undone_and_made_again(keeper: Keeper) -> None:
    """What may have been written already is taken back on the server, and nothing else is."""
    keeper.tap("straight", "Dan")
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("2")
    tap_unheard(keeper, "flush", "Bo", 3)
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 5, 0, 4)
    expect_written(keeper, DAN_STRAIGHT, BO_FLUSH)


def test_what_the_server_holds_is_undone_without_a_network_but_once(keeper: Keeper) -> None:
    """Where an undo waits, what is due is not known either."""
    keeper.tap("pair", "Anna")
    cut(keeper.page)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("1")
    for tap in (keeper.cell("flush", "Bo"), keeper.undo_button):
        tap.click()
        expect(keeper.said).to_contain_text("väntar på svar")
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 0, 0, 0)
    expect_written(keeper)


def test_unsent_taps_survive_closing_the_page(keeper: Keeper) -> None:
    """A page closed with taps unsent sends them when it is opened again."""
    cut(with_sheets(keeper).page)
    correct_unheard(keeper, "Bo", 7, 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    address, context = keeper.page.url, keeper.page.context
    keeper.page.close()
    cut(keeper.page, off=False)
    again = Keeper(context.new_page())
    again.page.goto("/")
    expect(again.page.locator(".tables")).to_contain_text("2 inte sparat än")
    again.page.goto(address)
    again.expect_scores(1, 7, 0, 0)
    expect_written(again, correction("Bo", 7), ANNA_PAIR)


def test_a_page_closed_between_tap_and_answer_asks_again(keeper: Keeper) -> None:
    """Nobody saw the answer, so the reopened page finds out: written once, and shown."""
    page = keeper.page
    lose_answers(page, "**/events")
    tap_unheard(keeper, "pair", "Anna", 1)
    again = Keeper(page.context.new_page())
    page.close()
    again.page.goto(page.url)
    again.expect_scores(1, 0, 0, 0)
    expect_written(again, ANNA_PAIR)


def test_unsent_taps_can_be_dropped_one_by_one(keeper: Keeper) -> None:
    """What was tapped by mistake without a network is taken off the list, or undone."""
    cut(with_sheets(keeper).page)
    tap_unheard(keeper, "straight", "Dan", 1)
    for waiting, player in enumerate(PLAYERS[:3], start=2):
        correct_unheard(keeper, player, 7, waiting)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("3")
    unsent(keeper).locator("summary").click()
    unsent(keeper).get_by_role("button", name="Släng").first.click()
    expect(unsent(keeper).locator("li span")).to_have_text(["Anna – Rätta, 7", "Bo – Rätta, 7"])
    cut(keeper.page, off=False)
    keeper.expect_scores(7, 7, 0, 0)
    expect_written(keeper, correction("Anna", 7), correction("Bo", 7))


def test_a_tap_dropped_takes_its_undo_along(keeper: Keeper) -> None:
    """What it would have taken back instead was never meant."""
    keeper.tap("pair", "Anna")
    cut(keeper.page)
    tap_unheard(keeper, "flush", "Bo", 1)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("2")
    unsent(keeper).locator("summary").click()
    unsent(keeper).get_by_role("button", name="Släng").first.click()
    cut(keeper.page, off=False)
    expect_written(keeper, ANNA_PAIR)


def test_the_same_correction_again_asks_whether_it_happened_twice(keeper: Keeper) -> None:
    """An impatient finger does not correct a score twice, a patient one may."""
    cut(with_sheets(keeper).page)
    correct_unheard(keeper, "Bo", 7, 1)
    keeper.look_up("Bo")
    keeper.sheet.locator("input[name=points]").fill("7")
    again = keeper.sheet.get_by_role("button", name="Rätta", exact=True)
    again.click()
    expect(keeper.said).to_contain_text("Tryck en gång till om det hände två gånger")
    again.click()
    expect(unsent(keeper).locator(".count")).to_have_text("2")
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 14, 0, 0)
    expect_written(keeper, correction("Bo", 7), correction("Bo", 7))


def test_two_windows_send_what_waits_once(keeper: Keeper) -> None:
    """Both windows of a phone find the same unsent tap, and it is written once."""
    other = Keeper(keeper.page.context.new_page())
    other.page.goto(keeper.page.url)
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    cut(keeper.page, off=False)
    other.page.reload()
    keeper.expect_scores(1, 0, 0, 0)
    other.expect_scores(1, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR)
    expect_written(other, ANNA_PAIR)
