"""On every kind of screen all words can be read, and all targets be hit."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import Server
from tests.screens.layout import find_faults
from tests.screens.phone import Look, open_table, show
from tests.screens.scenes import LONG, Scene, deals, evening

LOOKS = (
    Look(320, 780, "light", 100),
    Look(360, 780, "dark", 100),
    Look(780, 360, "dark", 100),
    Look(1280, 720, "light", 100),
)
LARGE = Look(160, 320, "dark", 100)
# Where something stands beside something else, and a long word would push it out of the screen.
PAGES = (
    *("latecomer", "player", "protocol", "entry", "mending", "evening", "years", "rules"),
    *("change rules", "next game", "start page", "tables", "home screen", "compare"),
)


@pytest.mark.parametrize("count", [4, 8])
def test_nothing_covers_anything(browser: Browser, server: Server, count: int) -> None:
    """At every step of a deal and on every page, with the longest names there can be.

    `make screens` looks at more: every number of players, all languages, text of 200 per cent.
    """
    table = open_table(browser, server.url, "sv-SE", LONG[:count])
    faults = []
    for number, scene in enumerate(evening(table.players)):
        table.record(scene.events)
        look = LOOKS[number % len(LOOKS)]
        faults += [f"{scene.name} {look}: {fault}" for fault in show(table, scene, look)]
    table.close()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("count", [4, 8])
def test_the_longest_words_fit_at_every_step(browser: Browser, server: Server, count: int) -> None:
    """Finnish has the longest words of the languages spoken here; a deal is played on phones."""
    table = open_table(browser, server.url, "fi-FI", LONG[:count])
    faults = []
    for number, scene in enumerate(deals(table.players)):
        table.record(scene.events)
        look = LOOKS[number % 2]
        faults += [f"{scene.name} {look}: {fault}" for fault in show(table, scene, look)]
    table.close()
    assert not faults, "\n".join(faults)


def test_large_letters_fit_on_every_page(browser: Browser, server: Server) -> None:
    """Letters of 200 per cent on 320 pixels have the room that usual ones have on 160."""
    table = open_table(browser, server.url, "fi-FI", LONG[:4])
    faults = []
    for scene in evening(table.players):
        table.record(scene.events)
        if scene.name in PAGES:
            faults += [f"{scene.name}: {fault}" for fault in show(table, scene, LARGE)]
    table.close()
    assert not faults, "\n".join(faults)


def test_what_is_wrong_with_a_layout_is_found(browser: Browser, server: Server) -> None:
    """A page spoilt on purpose: covered, cut off, a target too small, wider than the screen."""
    table = open_table(browser, server.url, "sv-SE", LONG[:4])
    show(table, Scene("first exchange"), LOOKS[1])
    table.page.evaluate(
        """() => {
            const main = document.querySelector("main");
            const put = (css, text, tag = "p") => {
                const el = document.createElement(tag);
                el.style.cssText = `position: fixed; ${css}`;
                el.textContent = text;
                main.append(el);
            };
            put("inset: 30px 0 auto; height: 200px; background: red", "");
            put("bottom: 0; width: 4em; white-space: nowrap; overflow: hidden", "cut off here");
            put("bottom: 40px; width: 9px; height: 9px; padding: 0; min-height: 0", "", "button");
            put("position: static; width: 800px; flex: none", "wide");
        }"""
    )
    kinds = {fault.split(":")[0] for fault in find_faults(table.page)}
    table.close()
    assert kinds >= {"covered", "cut", "small", "sideways", "out of reach"}
