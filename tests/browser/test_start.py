"""The start, as a thumb finds it."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import AWAY, Judge
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import unfold

# Buttons of the form by their values, all in one moment.
TAP_ALL = """(values) => {
  const buttons = [...document.querySelectorAll("#start button")];
  for (const tapped of values) buttons.findLast(({ value }) => value === tapped).click();
}"""

# How much there is to see, were the screen as large.
SIZE = "['scrollWidth', 'scrollHeight'].map((side) => document.documentElement[side])"


def test_taps_quicker_than_their_answers_all_count(keeper: Keeper, tolerated: list[str]) -> None:
    """Names and go in one moment: they are seated in that order, and play.

    Without an answer they would be done on a form that was not changed: the person taps again.
    """
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
    page.goto("/")
    page.evaluate(TAP_ALL, ["name:Cilla", "name:Anna", "name:Anna", "name:Dan", "name:Bo", ""])
    expect(page.locator(".board")).to_be_visible()
    seated = [re.compile(name) for name in ("Cilla", "Anna", "Dan", "Bo")]
    expect(page.locator(".heads a")).to_have_text(seated)


def test_all_of_it_is_on_one_screen(keeper: Keeper) -> None:
    """In a phone's browser, with the last table and four names; nothing is wider than a small one.

    Who is to deal is chosen among the names as they are typed, and a fifth seat comes with the
    fourth name.
    """
    page, seats = keeper.page, keeper.page.locator(".seat:visible")
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto("/")
    expect(seats).to_have_count(4)
    keeper.type_names(PLAYERS)
    expect(seats).to_have_count(5)
    expect(page.locator(".sideways label:visible")).to_have_text(["Lotta", *PLAYERS])
    assert page.evaluate(SIZE) == [390, 664]
    keeper.type_names(["N" * 40] * 8)
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(SIZE)[0] == 320


def test_a_chosen_set_turns_the_switches(keeper: Keeper, judge: Judge) -> None:
    """At once; what is typed stays, and another set can be chosen without opening the list anew."""
    page = keeper.page
    page.goto("/")
    keeper.type_names(PLAYERS)
    unfold(page, "sets")
    chicago = page.get_by_role("switch", name="Chicago krävs för att vinna")
    for preset, needed in (("vanlig", False), ("huvudregler", True)):
        page.locator(f"[name=preset][value={preset}]").check()
        expect(chicago).to_be_checked(checked=needed)
    judge(page)
    unfold(page, "mer")
    judge(page)
    expect(page.get_by_label("Spelare 4", exact=True)).to_have_value(PLAYERS[3])
