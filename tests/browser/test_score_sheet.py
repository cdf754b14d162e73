"""The score sheet on a phone: numbers under their names, and legible names."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keeper import Keeper
from tests.browser.tables import link
from tests.long_games import long_game
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
    open_long_sheet(phone)
    assert phone.evaluate("scrollY") == 0
    expect(phone.locator("#deal-60 .block").first).to_be_in_viewport(ratio=1)


def open_long_sheet(phone: Page) -> None:
    """Open the score sheet of sixty deals among eight with the longest names."""
    phone.goto("/files")
    content = json.dumps(long_game(LONG, 60)).encode()
    upload = {"name": "game.json", "mimeType": "application/json", "buffer": content}
    phone.locator("input[type=file]").set_input_files(upload)  # type: ignore[arg-type]  # a payload, as playwright documents it
    phone.locator("button.go").click()
    phone.wait_for_url(re.compile("/t/"))
    phone.goto(f"{link(phone)}/protocol")
