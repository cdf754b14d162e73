"""The board in a phone's browser: all of it in sight, large enough, and in place at every step."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.keeper import Keeper
from tests.browser.serving import Server
from tests.screens.boards import boards
from tests.screens.layout import find_faults, find_moved
from tests.screens.phone import Look, open_table, resize, show
from tests.screens.scenes import LONG, SHORT

# Viewports of an iPhone, the smallest one, a small Android, and an iPhone on its side.
PHONES = ((390, 664), (375, 553), (320, 640), (780, 360))


@pytest.mark.parametrize(
    ("preset", "players"),
    [("huvudregler", SHORT[:4]), ("wikipedia", LONG[:4]), ("gamerules", SHORT[:6])],
    ids=["four", "four with long names", "six"],
)
def test_the_board_is_in_sight_and_stands_still(
    browser: Browser, server: Server, preset: str, players: tuple[str, ...]
) -> None:
    """At each step, with any stops, bids and hands to show, all rows fit and nothing moves."""
    table = open_table(browser, server.url, "sv-SE", players, {"preset": preset})
    faults, stood = [], {size: dict[str, list[float]]() for size in PHONES}
    for scene in boards(preset, players):
        table.record(scene.events)
        show(table, scene, Look(*PHONES[0], "dark", 100))
        for size in PHONES:
            resize(table.page, *size)
            found = [*find_faults(table.page), *find_moved(table.page, stood[size])]
            faults += [f"{scene.name} {size}: {fault}" for fault in found]
    table.close()
    assert not faults, "\n".join(faults)


def test_what_is_told_of_a_player_moves_no_row(browser: Browser, server: Server) -> None:
    """A correction to 47 adds facts, and the board stays in place."""
    table = open_table(browser, server.url, "sv-SE", SHORT[:4], {"preset": "huvudregler"})
    places = []
    for points in (20, 27):
        table.record([{"event": "correction", "player": SHORT[0], "points": points}])
        table.page.goto(table.address)
        for size in PHONES:
            resize(table.page, *size)
            places.append(Keeper(table.page).rows())
    table.close()
    assert places[: len(PHONES)] == places[len(PHONES) :]
