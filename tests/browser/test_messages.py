"""Messages: in their place, over no needed element, gone when no longer true."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AWAY
from tests.browser.keeper import Keeper
from tests.browser.tables import cut, eventually

TOLERATED = AWAY

# Elements that must stay visible and usable, but lie under the message.
COVERED = """(said) => {
    const {top, bottom} = said.getBoundingClientRect();
    const kept = ".where, .strip, h1, .head, #row-chicago .cell, .bar button, .bar a";
    return [...document.querySelectorAll(kept)].filter((other) => {
        const box = other.getBoundingClientRect();
        return top < box.bottom && box.top < bottom;
    }).map((other) => other.outerHTML);
}"""


@pytest.fixture
def keeper(keeper: Keeper) -> Keeper:
    """Return the keeper's phone at the play, with players who may not bid."""
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    return keeper


def refuse(keeper: Keeper, player: str = "Cilla") -> None:
    """Tap a bid that is not allowed."""
    keeper.cell("chicago", player).click(force=True)
    expect(keeper.said).to_contain_text(f"{player} får inte ropa chicago än")


def test_a_message_is_in_sight_and_covers_nothing_that_is_read(keeper: Keeper) -> None:
    """It lies over the bar, moves nothing, goes with a tap, and is seen on a scrolled page."""
    rows, page = keeper.rows(), keeper.page
    refuse(keeper)
    expect(keeper.said).to_be_in_viewport(ratio=1)
    assert keeper.rows() == rows
    assert keeper.said.evaluate(COVERED) == []
    keeper.said.click()
    expect(keeper.said).to_be_empty()
    # As a phone of 320 with letters twice as large.
    page.set_viewport_size({"width": 160, "height": 240})
    eventually(page, "document.body.scrollTo(0, 1e4), document.body.scrollTop > 150")
    eventually(page, "sheetsAhead()")
    cut(page)
    page.evaluate("all('.sheets').forEach((sheets) => sheets.remove())")
    page.locator("#row-rare").click()
    expect(keeper.said).to_contain_text("Inget svar")
    assert page.evaluate("document.body.scrollTop > 150")
    expect(keeper.said).to_be_in_viewport(ratio=1)
