"""The start and the list of tables, as a thumb finds them."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import AWAY, Judge
from tests.browser.keeper import Keeper

NAMES = ("Anna-Karin Lindström", "Bo", "Cecilia Svensson-Ek", "Dan")
# Buttons of the form by their values, all in one moment.
TAP_ALL = """(values) => {
  const buttons = [...document.querySelectorAll("#start button")];
  for (const tapped of values) buttons.findLast(({ value }) => value === tapped).click();
}"""


def test_a_new_table_with_four_known_names_takes_two_taps(keeper: Keeper) -> None:
    """From the start: the company, and go; the same as last time takes one."""
    page, first = keeper.page, keeper.page.url
    page.goto("/")
    page.get_by_role("button", name=", ".join(keeper.players), exact=True).click()
    page.get_by_role("button", name="Börja spela").click()
    expect(page.locator(".board")).to_be_visible()
    second = page.url
    page.goto("/")
    page.get_by_role("button", name="Samma som sist").click()
    expect(page.locator(".board")).to_be_visible()
    assert len({first, second, page.url}) == 3


def test_taps_quicker_than_their_answers_all_count(keeper: Keeper) -> None:
    """Names, one more seat and go in one moment: they are seated in that order, and play."""
    page = keeper.page
    page.goto("/")
    page.evaluate(
        TAP_ALL, ["name:Cilla", "name:Anna", "name:Anna", "name:Dan", "add", "name:Bo", ""]
    )
    expect(page.locator(".board")).to_be_visible()
    seated = [re.compile(name) for name in ("Cilla", "Anna", "Dan", "Bo")]
    expect(page.locator(".heads a")).to_have_text(seated)


def test_what_waits_for_a_tap_without_an_answer_is_not_done(
    keeper: Keeper, tolerated: list[str]
) -> None:
    """It would be done on a form that was not changed; the person is told, and taps again."""
    tolerated.extend((*AWAY, "Failed to fetch"))
    page = keeper.page
    page.goto("/")
    page.context.set_offline(True)
    page.evaluate(TAP_ALL, ["name:Cilla", "name:Anna", ""])
    expect(page.locator("#said")).to_contain_text("Försök igen")
    page.context.set_offline(False)
    page.evaluate(TAP_ALL, ["name:Dan"])
    expect(page.get_by_label("Spelare 1", exact=True)).to_have_value("Dan")
    expect(page.get_by_label("Spelare 2", exact=True)).to_have_value("")


def test_the_list_is_used_with_long_names(phone: Page, judge: Judge) -> None:
    """Renamed, put away and brought back, and everything can be read and hit."""
    keeper = Keeper(phone)
    keeper.open_table(*NAMES)
    phone.goto("/")
    phone.get_by_role("link", name="Alla bord").click()
    phone.locator("summary").click()
    judge(phone)
    phone.get_by_label("Bordets namn").fill("Långa torsdagsgänget i stugan i Ödåkra")
    phone.get_by_role("button", name="Byt namn").click()
    expect(phone.locator(".list a b")).to_have_text("Långa torsdagsgänget i stugan i Ödåkra")
    phone.locator("summary").click()
    phone.get_by_role("button", name="Lägg undan").click()
    judge(phone)
    phone.get_by_role("button", name="Ta fram igen").click()
    expect(phone.get_by_role("button", name="Ta fram igen")).to_have_count(0)
    expect(phone.locator(".list li")).to_have_count(1)
