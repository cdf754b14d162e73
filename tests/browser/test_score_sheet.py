"""The score sheet on a phone: numbers under their names, and legible names."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keeper import Keeper
from tests.browser.tables import link
from tests.long_games import long_game
from tests.screens.phone import upload
from tests.screens.scenes import LONG

MIDDLES = """(selector) => [...document.querySelectorAll(selector)].map((each) => {
    const {left, right} = each.getBoundingClientRect();
    return (left + right) / 2;
})"""


def test_numbers_stand_under_their_names_also_in_a_long_game(phone: Page) -> None:
    """Columns of eight line up; the newest of sixty deals is in sight."""
    keeper = Keeper(phone)
    keeper.sit_down(*LONG)
    keeper.tap("pair", LONG[0])
    phone.goto(f"{link(phone)}/games/1")
    names = phone.evaluate(MIDDLES, ".sheet .names b")
    assert len(names) == len(LONG)
    assert names == pytest.approx(phone.evaluate(MIDDLES, ".sheet .column b"), abs=2.5)
    phone.goto(upload(phone.request, "/files", long_game(LONG, 60)))
    phone.goto(f"{link(phone)}/protocol")
    assert phone.evaluate("scrollY") == 0
    expect(phone.locator("#deal-60 .block").first).to_be_in_viewport(ratio=1)
