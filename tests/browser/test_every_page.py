"""Walks over pages: no element is covered, cut off, unreachable, too wide or inaccessible."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.serving import Server
from tests.browser.walk import FIRST, Barriers, Walk
from tests.screens.layout import find_faults
from tests.screens.phone import Look, open_table, show
from tests.screens.scenes import (
    LONG,
    SHORT,
    Scene,
    deals,
    evening,
)

# Letters of 200 per cent on 320 pixels have the same room as usual ones on 160.
LARGE = Look(160, 320, "dark", 100)
# Pages with elements side by side, which a long word could push out of the screen.
CROWDED = (
    *("player", "protocol", "entry", "editing", "deal left out", "other rules", "who deals"),
    *("evening", "change rules", "next game", "start page"),
)


def test_every_step_of_a_deal_among_four(
    browser: Browser, server: Server, barriers: Barriers
) -> None:
    """The walk is in columns, in Finnish with its long words, dark and light, on every screen."""
    walk = Walk(open_table(browser, server.url, "fi-FI", SHORT[:4]), barriers)
    walk.see(deals(SHORT[:4]))
    walk.end()


def test_letters_twice_as_large_fit(browser: Browser, server: Server) -> None:
    """The pages scroll, but nothing is too wide, covered or out of reach."""
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
    """The page is spoilt on purpose: covered, cut off, too small, too wide, pale, unnamed, fine."""
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
            put("bottom: 120px; font-size: 15.9px", "", "input");
        }"""
    )
    kinds = {fault.split(":")[0] for fault in find_faults(table.page)}
    rules = {fault.split(":")[0] for fault in barriers(table.page)}
    table.close()
    assert kinds >= {"covered", "cut", "small", "sideways", "out of reach", "fine"}
    assert rules >= {"color-contrast", "button-name"}
