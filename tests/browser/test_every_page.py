"""Every page: no element is covered, cut off, unreachable, too wide or inaccessible."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from playwright.sync_api import Browser

from tests.browser.conftest import CONTRAST, LINKS
from tests.browser.serving import Server
from tests.screens.layout import find_faults, find_pale_in_print
from tests.screens.phone import Look, Table, open_table, resize, show
from tests.screens.scenes import EVERY_PAGE, LONG, Scene, read_scenes

FIRST = Look(390, 664, "dark", 100)
# Letters of 200 per cent on 320 pixels, which have the same room as usual ones on 160; a large
# screen for a board, which is never to scroll, and elsewhere a phone on its side.
LARGE_LETTERS, OF_BOARDS, OTHERS = (160, 320), (1280, 800), (664, 340)
LANGUAGES = {
    "deals": "sv-SE",
    "last deals": "fi-FI",
    "long lists": "en-GB",
    "sheets as pages": "sv-SE",
    "elsewhere": "sv-SE",
}
Barriers = Callable[..., list[str]]


def test_every_page_of_eight(browser: Browser, server: Server, barriers: Barriers) -> None:
    """With the longest names and lists, on each screen and on paper, dark and light."""
    table, faults = open_table(browser, server.url, "sv-SE", LONG), list[str]()
    for part in EVERY_PAGE:
        table.speak(LANGUAGES[part])
        for scene in read_scenes(LONG, part):
            if scene.events:
                table.record(scene.events)
            table.read_in(scene.files)
            if scene.judged != "no":
                faults += [f"{scene.name} {fault}" for fault in see(table, scene, barriers)]
    table.close()
    assert not faults, "\n".join(faults)


def see(table: Table, scene: Scene, barriers: Barriers) -> Iterator[str]:
    """Find what is wrong with a scene, in the dark, and with large letters in the light.

    Contrast is left out by axe-core: that of all letters is found with the other faults.
    """
    yield from show(table, scene, FIRST)
    page, sizes = table.page_of(scene), [LARGE_LETTERS]
    if scene.judged == "whole":
        # What lies half under a bar at the edge comes out there.
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        yield from barriers(page, apart=[CONTRAST])
        page.emulate_media(color_scheme="light")
        yield from barriers(page, [LINKS])
        yield from find_pale_in_print(page)
        is_sheet = scene.tap and not scene.reads
        is_board = scene.path.partition("?")[0] in ("", "/middle") and not is_sheet
        sizes.append(OF_BOARDS if is_board else OTHERS)
    page.emulate_media(color_scheme="light")
    for size in sizes:
        resize(page, *size)
        yield from (f"{size}: {fault}" for fault in find_faults(page))


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
