"""One walk over all pages: nothing covered, cut off, out of reach, too wide, or shutting out."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import COLOUR_RULES
from tests.browser.serving import Server
from tests.screens.layout import find_faults
from tests.screens.phone import Look, Table, open_table, show
from tests.screens.scenes import LONG, SHORT, Scene, deals, evening, every_page

FIRST = Look(390, 664, "dark", 100)
OTHERS = ((375, 553), (360, 668), (1280, 800))
# Letters of 200 per cent on 320 pixels have the room that usual ones have on 160.
LARGE = Look(160, 320, "dark", 100)
# Where something stands beside something else, and a long word would push it out of the screen.
CROWDED = ("player", "protocol", "mending", "evening", "change rules", "next game", "start page")
# Of a deal among eight: the board as a list, and what a row asks. Four have the rest in columns.
OF_EIGHT = ("row", "who may bid", "chicago")

Barriers = Callable[..., list[str]]


class Walk:
    """Somebody who looks at scenes of an evening on every screen, and notes what is wrong."""

    def __init__(self, table: Table, barriers: Barriers) -> None:
        self.faults: list[str] = []
        self._table, self._barriers = table, barriers

    def go(self, scenes: Sequence[Scene], seen: Container[str], judged: Container[str]) -> None:
        """Look at what is to be `seen` on each screen; what is `judged` shuts nobody out either."""
        for scene in scenes:
            self._table.record(scene.events)
            self._table.read_in(scene.files)
            if scene.name not in seen:
                continue
            self._note(scene, FIRST.width, show(self._table, scene, FIRST))
            page = self._table.page_of(scene)
            for width, height in OTHERS:
                page.set_viewport_size({"width": width, "height": height})
                self._note(scene, width, find_faults(page))
            if scene.name in judged:
                page.set_viewport_size({"width": FIRST.width, "height": FIRST.height})
                self._note(scene, "dark", self._barriers(page))
                page.emulate_media(color_scheme="light")
                self._note(scene, "light", self._barriers(page, COLOUR_RULES))

    def _note(self, scene: Scene, where: object, faults: list[str]) -> None:
        self.faults += [f"{scene.name} {where}: {fault}" for fault in faults]


def test_every_step_of_a_deal_among_four(
    browser: Browser, server: Server, barriers: Barriers
) -> None:
    """In columns, in Finnish, whose words are the longest, dark and light, on every screen."""
    table = open_table(browser, server.url, "fi-FI", SHORT[:4])
    walk, scenes = Walk(table, barriers), deals(SHORT[:4])
    everything = {scene.name for scene in scenes}
    walk.go(scenes, everything, everything)
    table.close()
    assert not walk.faults, "\n".join(walk.faults)


@pytest.mark.parametrize("half", [0, 1])
def test_every_page_of_a_table_of_eight(
    browser: Browser, server: Server, barriers: Barriers, half: int
) -> None:
    """With the longest names there can be; in two halves, as it takes the longest of all."""
    table = open_table(browser, server.url, "sv-SE", LONG)
    walk, scenes = Walk(table, barriers), every_page(LONG)
    seen = {scene.name for scene in scenes[half::2]}
    in_columns = {scene.name for scene in deals(LONG)} - set(OF_EIGHT)
    walk.go(scenes, seen, seen - in_columns)
    table.close()
    assert not walk.faults, "\n".join(walk.faults)


def test_letters_twice_as_large_fit(browser: Browser, server: Server) -> None:
    """The pages scroll, but nothing is wider than the screen, nor covered, nor out of reach."""
    table = open_table(browser, server.url, "fi-FI", LONG[:4])
    faults = []
    for scene in evening(table.players):
        table.record(scene.events)
        if scene.name in CROWDED:
            faults += [f"{scene.name}: {fault}" for fault in show(table, scene, LARGE)]
    table.close()
    assert not faults, "\n".join(faults)


def test_what_is_wrong_with_a_page_is_found(
    browser: Browser, server: Server, barriers: Barriers
) -> None:
    """On one spoilt on purpose: covered, cut off, too small, too wide, pale, without a name."""
    table = open_table(browser, server.url, "sv-SE", LONG[:4])
    show(table, Scene("first exchange"), FIRST)
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
            put("bottom: 90px; background: #000; color: #222", "pale");
        }"""
    )
    kinds = {fault.split(":")[0] for fault in find_faults(table.page)}
    rules = {fault.split(":")[0] for fault in barriers(table.page)}
    table.close()
    assert kinds >= {"covered", "cut", "small", "sideways", "out of reach"}
    assert rules >= {"color-contrast", "button-name"}
