"""Somebody joins: from More to their own column, with a network and without."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AWAY
from tests.browser.keeper import Keeper
from tests.browser.tables import cut
from tests.browser.unsent import expect_written, unsent, with_sheets


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network is gone: that is what is tested."""
    return [*AWAY, "Failed to fetch", "server error 503"]


def sit_down(keeper: Keeper, name: str, after: str, points: str) -> None:
    """Fill in the sheet that More leads to."""
    keeper.page.get_by_role("link", name="Mer", exact=True).click()
    keeper.sheet.get_by_role("link", name="Någon kommer till…").click()
    keeper.sheet.get_by_label("Namn").fill(name)
    keeper.sheet.get_by_label(after, exact=True).check(force=True)
    keeper.sheet.get_by_label("Börjar med, poäng").fill(points)
    keeper.sheet.get_by_role("button", name="Ta plats", exact=True).click()


def test_somebody_joins_without_a_network(keeper: Keeper) -> None:
    """The sheet was fetched before; what was filled in waits, and is written when it can be."""
    page = with_sheets(keeper).page
    cut(page)
    sit_down(keeper, "Eva", "Bo", "-3")
    expect(unsent(keeper)).to_contain_text("Någon kommer till – Ta plats, Eva, Bo, -3")
    keeper.cell("pair", "Anna").click()
    expect(unsent(keeper).locator(".count")).to_have_text("2")
    cut(page, off=False)
    joins: dict[str, object] = {"event": "joins", "player": "Eva", "after": "Bo", "points": -3}
    expect_written(keeper, joins, {"event": "best_hand", "player": "Anna", "hand": "pair"})
    expect(page.locator(".head")).to_have_count(5)
