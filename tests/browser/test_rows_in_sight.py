"""The board in a phone's browser: in sight, read across the table, in place at every step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import CONTRAST
from tests.browser.keeper import Keeper
from tests.browser.serving import Server
from tests.rules.table import write_facts
from tests.screens.layout import find_faults, find_moved
from tests.screens.phone import Look, open_table, resize, show
from tests.screens.scenes import LONG, SHORT, boards

# Viewports of an iPhone, the smallest one, a small Android, and an iPhone on its side.
PHONES = ((390, 664), (375, 553), (320, 640), (780, 360))
# What is left of 320 pixels by letters of 200 per cent.
LARGE_LETTERS = (160, 320)
# Two whose letters run from right to left, and two.
SCRIPTS = ("\u0645\u062d\u0645\u062f", "\u05d9\u05d5\u05e1\u05d9", *SHORT[2:4])
# The least size of a score, in px, by the number of players: read across a table, or beside others.
SCORES = {2: 44, 4: 44, 5: 44, 6: 34, 8: 40}
NAME, SHORT_NAME = 13, 16
# Each ends at the same step.
TOLD = ("", "Dan 20", "Dan 27", "Cilla pair, Bo pair, Anna trick, nobody", "Bo four_of_a_kind")
# What the heads show: letters in px, names, and those of them that are not whole.
HEADS = """() => {
    const names = [...document.querySelectorAll(".head .name")];
    const size = (part) => parseFloat(getComputedStyle(part).fontSize);
    return {
        score: [...document.querySelectorAll(".score")].map(size),
        name: names.map(size),
        shown: names.map((name) => name.innerText),
        cut: names.filter((name) => name.scrollWidth > name.clientWidth)
            .map((name) => name.textContent),
    };
}"""


@pytest.mark.parametrize(
    ("preset", "language", "players", "sizes", "every"),
    [
        ("huvudregler", "fi-FI", SCRIPTS, PHONES, 1),
        ("wikipedia", "sv-SE", LONG[:4], PHONES, 2),
        ("gamerules", "en-GB", SHORT[:6], PHONES, 2),
        ("huvudregler", "en-GB", LONG[:2], PHONES[:1], 3),
        ("huvudregler", "sv-SE", LONG[:5], PHONES[:1], 3),
        ("huvudregler", "sv-SE", LONG, PHONES[:1], 3),
    ],
    ids=["four", "four long", "six", "two long", "five long", "eight long"],
)
def test_the_board_is_in_sight_and_stands_still(
    browser: Browser,
    server: Server,
    barriers: Callable[..., list[str]],
    preset: str,
    language: str,
    players: tuple[str, ...],
    sizes: tuple[tuple[int, int], ...],
    every: int,
) -> None:
    """At its steps all rows fit, scores are large, names whole and different, nothing moves."""
    table = open_table(browser, server.url, language, players, {"preset": preset})
    faults, stood = [], {size: dict[str, list[float]]() for size in sizes}
    for number, scene in enumerate(boards(preset, players)):
        table.record(scene.events)
        if number % every:
            continue
        found = show(table, scene, Look(*sizes[0], "dark", 100))
        found += find_small(table.page, SCORES[len(players)])
        for size in sizes:
            resize(table.page, *size)
            found += find_moved(table.page, stood[size])
            if size != sizes[0]:
                found += [f"{size} {fault}" for fault in find_faults(table.page)]
        faults += [f"{scene.name}: {fault}" for fault in found]
    faults += barriers(table.page, apart=[CONTRAST])
    resize(table.page, *LARGE_LETTERS)
    faults += find_faults(table.page)
    table.close()
    assert not faults, "\n".join(faults)


def find_small(page: Page, score: float) -> list[str]:
    """Find scores under `score` px, and names that are small, cut off, or like another."""
    heads = page.evaluate(HEADS)
    found = [f"cut: {name}" for name in heads["cut"]]
    for part, least in (("score", score), ("name", NAME)):
        found += [f"{part}: {size}" for size in heads[part] if size < least]
    shown = heads["shown"]
    return found if len({*shown}) == len(shown) else [*found, f"alike: {shown}"]


def test_no_tap_moves_a_row(browser: Browser, server: Server) -> None:
    """Neither what is told of a player, a banner nor a zeroing; short names are large."""
    players = ("Anna", "Bo", "Cilla", "Dan")
    table = open_table(browser, server.url, "sv-SE", players, {"preset": "huvudregler"})
    places = list[object]()
    for told in TOLD:
        table.record(write_facts(told))
        table.page.goto(table.address)
        for size in PHONES[::-3]:
            resize(table.page, *size)
            places.append(Keeper(table.page).rows())
    assert places[2:] == places[:-2]
    assert min(table.page.evaluate(HEADS)["name"]) == SHORT_NAME
    table.close()
