"""Sheets on a bad network: what was fetched before opens and waits, what was not is no alarm."""

import re

from playwright.sync_api import expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, CILLA_TRICK, cut, eventually, hold
from tests.browser.unsent import (
    FOUR,
    correct_unheard,
    correction,
    expect_written,
    unsent,
    with_sheets,
)

# After so long without an answer a tap is told to wait, and what is only looked at is given up.
SLOW_MS = 2500
LOOK_MS = 4000
AWAY = "Inget svar från poängräknaren just nu. Inget har ändrats."


def test_a_zeroing_is_made_without_a_network(keeper: Keeper) -> None:
    """Its sheet was fetched before, says what it will do, and waits as every tap does."""
    keeper.tap("flush", "Bo")
    cut(with_sheets(keeper).page)
    keeper.cell(FOUR, "Anna").click()
    expect(keeper.sheet).to_contain_text("Bo 5 → 0")
    keeper.sheet.get_by_role("button", name="Nolla alla andra").click()
    expect(unsent(keeper)).to_contain_text("Anna: fyrtal – Nolla alla andra – inte sparat än")
    keeper.cell("pair", "Dan").click()
    expect(keeper.said).to_contain_text("väntar på svar")
    cut(keeper.page, off=False)
    expect_written(keeper, BO_FLUSH, {**ANNA_PAIR, "hand": FOUR, "choose": "zero"})
    keeper.expect_scores(0, 0, 0, 0)


def test_a_tie_is_made_without_a_network(keeper: Keeper) -> None:
    """On a page that was opened without one as well: its copy has the sheets too."""
    page = with_sheets(keeper).page
    copy = "async () => (await (await caches.open('pages-1')).match(location.href))?.text()"
    eventually(page, f"async () => (await ({copy})())?.includes('data-at')")
    cut(page)
    page.reload()
    page.locator("#row-nobody .asks").click()
    for pick in ("Par", "Anna", "Bo"):
        keeper.sheet.get_by_label(pick, exact=True).check(force=True)
    keeper.sheet.locator(".go").click()
    expect(unsent(keeper)).to_contain_text("Par, Anna, Bo – inte sparat än")
    cut(page, off=False)
    expect_written(keeper, {"event": "no_best_hand", "hand": "pair", "tied": ["Anna", "Bo"]})


def test_a_tap_in_the_sheet_of_a_row_waits_under_its_name(keeper: Keeper) -> None:
    """Where columns would be too narrow a tap takes two; it is told as in columns."""
    keeper.open_table(*PLAYERS, "Eva", "Filip", "Gun")
    cut(with_sheets(keeper).page)
    keeper.reach("pair", "Eva").click()
    expect(unsent(keeper).locator(".words")).to_have_text("Eva: Par")
    cut(keeper.page, off=False)
    expect_written(keeper, {**ANNA_PAIR, "player": "Eva"})


def test_a_correction_is_made_without_a_network(keeper: Keeper) -> None:
    """It is kept in words with what was filled in; a sheet stays open while others are sent."""
    cut(with_sheets(keeper).page)
    correct_unheard(keeper, "Bo", 7, 1)
    expect(unsent(keeper)).to_contain_text("Bo – Rätta, 7 – inte sparat än")
    keeper.look_up("Cilla")
    keeper.sheet.locator("input[name=points]").fill("-2")
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 7, 0, 0)
    expect(keeper.sheet.locator("input[name=points]")).to_have_value("-2")
    keeper.answer("Rätta")
    expect_written(keeper, correction("Bo", 7), correction("Cilla", -2))


def test_what_is_only_looked_at_is_no_alarm(keeper: Keeper) -> None:
    """The reason of a dimmed cell, and a sheet that is not here, need the score keeper: no loss."""
    keeper.page.route("**/sheets*", lambda route: route.abort())
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    cut(keeper.page)
    for look in (keeper.cell("chicago", "Cilla"), keeper.page.get_by_role("link", name="Mer")):
        look.click(force=True)
        expect(keeper.said).to_have_text(AWAY)
        expect(keeper.said).to_have_class(re.compile("calm"))
        expect(unsent(keeper)).to_be_hidden()
        keeper.page.locator("[data-hush]").click()
    cut(keeper.page, off=False)
    keeper.tap("trick", "Cilla")
    expect_written(keeper, ANNA_PAIR, BO_FLUSH, CILLA_TRICK)


def test_what_is_no_alarm_goes_by_itself(keeper: Keeper) -> None:
    """Nobody has to put a calm line away."""
    keeper.page.route("**/sheets*", lambda route: route.abort())
    keeper.tap("pair", "Anna")
    keeper.page.clock.install()
    cut(keeper.page)
    keeper.page.get_by_role("link", name="Mer").click()
    expect(keeper.said).to_have_text(AWAY)
    keeper.page.clock.run_for(8000)
    expect(keeper.said).to_be_empty()


def test_a_network_that_swallows_everything_keeps_nobody_waiting_long(keeper: Keeper) -> None:
    """A tap waits in sight, a sheet that is here opens, one that is not is given up.

    What is answered late counts, in order.
    """
    page = with_sheets(keeper).page
    held = hold(page, "**/t/**")
    page.clock.install()
    keeper.cell("pair", "Anna").click()
    page.clock.run_for(SLOW_MS)
    expect(unsent(keeper).locator(".count")).to_have_text("1")
    correct_unheard(keeper, "Bo", 7, 2)
    page.get_by_role("link", name="Mer").click()
    keeper.sheet.get_by_role("link", name="Följ med").click()
    page.clock.run_for(LOOK_MS)
    expect(keeper.said).to_have_text(AWAY)
    next(route for route in held if route.request.url.endswith("/events")).continue_()
    page.unroute("**/t/**")
    keeper.expect_scores(1, 7, 0, 0)
    expect_written(keeper, ANNA_PAIR, correction("Bo", 7))
