"""The board in a phone's browser: every row of the step in sight, high enough, and in place."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.keeper import Keeper
from tests.browser.serving import Server
from tests.screens.boards import boards
from tests.screens.phone import Table, open_table, resize
from tests.screens.scenes import SHORT

# Viewports of an iPhone, the smallest one and a small Android, each with its least row height.
PHONES = {(390, 664): 40, (375, 553): 34, (360, 668): 40}
ROWS = """
    () => {
        const boxOf = (part) => document.querySelector(part).getBoundingClientRect();
        const cells = [...document.querySelectorAll(".row .fact, .board .cell")]
            .map((cell) => cell.getBoundingClientRect()).filter((box) => box.height);
        return {
            cells: cells.length,
            least: Math.min(...cells.map((box) => box.height)),
            room: boxOf(".bar").top - Math.max(...cells.map((box) => box.bottom)),
            gap: Math.min(...cells.map((box) => box.top)) - boxOf(".heads").bottom,
            scrolls: ["html", ".table", ".top", ".field", ".middle"].filter((part) => {
                const box = document.querySelector(part);
                return box.scrollHeight > box.clientHeight;
            }),
        };
    }
"""


@pytest.mark.parametrize(
    ("preset", "count"), [("huvudregler", 2), ("wikipedia", 4), ("huvudregler", 5)]
)
def test_every_row_is_in_sight(browser: Browser, server: Server, preset: str, count: int) -> None:
    """At each step, with any stops, bids and hands to show, all rows fit above the bar."""
    table = open_table(browser, server.url, "sv-SE", SHORT[:count], {"preset": preset})
    for scene in boards(preset, table.players):
        table.record(scene.events)
        _load(table)
        for size, height in PHONES.items():
            _expect_rows(table.page, size, height, scene.name)
    table.close()


def test_what_is_told_of_a_player_moves_no_row(browser: Browser, server: Server) -> None:
    """A correction to 47 adds notices, and the board stays in place."""
    table = open_table(browser, server.url, "sv-SE", SHORT[:4], {"preset": "huvudregler"})
    places = []
    for points in (20, 27):
        table.record([{"event": "correction", "player": SHORT[0], "points": points}])
        _load(table)
        for width, height in PHONES:
            resize(table.page, width, height)
            places.append(Keeper(table.page).rows())
    table.close()
    assert places[: len(PHONES)] == places[len(PHONES) :]


def _load(table: Table) -> None:
    table.page.goto(table.address)


def _expect_rows(page: Page, size: tuple[int, int], height: int, name: str) -> None:
    resize(page, *size)
    found = page.evaluate(ROWS)
    where = f"{name}, {size}: {found}"
    assert found["cells"], where
    assert found["least"] >= height, where
    assert found["room"] >= 0, where
    assert 0 <= found["gap"] <= 16, where
    assert found["scrolls"] == [], where
