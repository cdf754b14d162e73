"""Walks over pages: no element is covered, cut off, unreachable, too wide or inaccessible."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.serving import Server
from tests.browser.walk import FIRST, Barriers, Walk
from tests.screens.layout import find_faults, find_pale_in_print
from tests.screens.phone import open_table, show
from tests.screens.scenes import (
    LONG,
    SHORT,
    Scene,
    deals,
    last_deals,
)

# Two whose letters run from right to left.
PLAYERS = ("\u0645\u062d\u0645\u062f", "\u05d9\u05d5\u05e1\u05d9", *SHORT[2:4])


def test_every_page_of_an_evening_of_four(
    browser: Browser, server: Server, barriers: Barriers
) -> None:
    """The walk is in columns, in Finnish with its long words, dark and light, on every screen.

    Sheets and other pages have more in them with eight: `test_pages_of_eight.py`.
    """
    walk = Walk(open_table(browser, server.url, "fi-FI", PLAYERS), barriers)
    walk.see_boards([*deals(PLAYERS), *last_deals(PLAYERS)])
    walk.end()


def test_what_is_wrong_with_a_page_is_found(
    browser: Browser, server: Server, barriers: Barriers
) -> None:
    """A page spoilt on purpose: covered, cut off, too small, too wide, pale, unnamed, fine."""
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
            put("bottom: 150px; opacity: .5", "faint on paper");
        }"""
    )
    kinds = {fault.split(":")[0] for fault in find_faults(table.page)}
    rules = {fault.split(":")[0] for fault in barriers(table.page)}
    printed = "".join(find_pale_in_print(table.page))
    table.close()
    assert "faint on paper" in printed
    assert kinds >= {"covered", "cut", "small", "sideways", "out of reach", "fine", "pale"}
    assert rules >= {"color-contrast", "button-name"}
