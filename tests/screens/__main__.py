"""Pictures of every scene on every kind of screen, and what is wrong with their layout.

    make screens ARGS="[--players 2,4,8] [--languages sv-SE] [--only board]"

They come to `build/screens`, a folder for each language and number of players, with an `index.html`
to look at them side by side. Exits with status 1 where something is covered, cut off, too small or
pale, or moves from step to step.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from app.rules.presets import PRESETS
from tests.browser import chromium
from tests.browser.conftest import FLAGS, SCHEMES
from tests.browser.serving import ROOT, Server
from tests.screens.layout import find_moved
from tests.screens.phone import Look, Table, open_table, show
from tests.screens.scenes import (
    EVERY_PAGE,
    LONG,
    OTHER_RULES,
    RULES,
    SHORT,
    Event,
    Scene,
    boards,
    read_scenes,
)

FOLDER = ROOT / "build" / "screens"
# What a phone's browser leaves come first: an iPhone, its smallest one, a small Android.
SCREENS = ((390, 664), (375, 553), (360, 668), (320, 640), (780, 360), (1920, 1080))
LANGUAGES = ("sv-SE", "en-GB", "fi-FI")
TEXTS = (100, 200)
# Where the parts of a table's board stand, by the screen.
Places = defaultdict[Look, dict[str, list[float]]]


def main() -> int:
    """Take the pictures; returns 1 where a layout has a fault."""
    options = _options()
    faults = 0
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        try:
            for text in TEXTS:
                # What a person sets in the browser: rem and media queries follow it.
                font = f"--blink-settings=defaultFontSize={16 * text // 100}"
                browser = playwright.chromium.launch(
                    executable_path=chromium.find(), args=[*FLAGS, font]
                )
                faults += _walk(browser, server.url, text, options)
                browser.close()
        finally:
            server.stop()
    _write_index()
    print(f"{faults} faults; look at {FOLDER.relative_to(ROOT)}/index.html")
    return 1 if faults else 0


def _walk(browser: Browser, url: str, text: int, options: argparse.Namespace) -> int:
    faults = 0
    for language, count in product(options.languages, options.players):
        names = SHORT if count % 4 else LONG
        folder = FOLDER / f"{language[:2]}-{count}-{text}"
        folder.mkdir(parents=True, exist_ok=True)
        for rules, scenes in _tables(names[:count]):
            if not any(options.only in scene.name for scene in scenes):
                continue
            table = open_table(browser, url, language, names[:count], rules)
            places: Places = defaultdict(dict)
            for number, scene in enumerate(scenes):
                table.record(scene.events)
                table.read_in(scene.files)
                if options.only and options.only not in scene.name:
                    continue
                for (width, height), scheme in product(SCREENS, SCHEMES):
                    path, look = (
                        folder / f"{number:02} {scene.name}",
                        Look(width, height, scheme, text),
                    )
                    faults += _take(table, scene, look, path, places)
            table.close()
    return faults


def _tables(players: Sequence[str]) -> Iterator[tuple[Event, Sequence[Scene]]]:
    yield RULES, read_scenes(players, *EVERY_PAGE)
    yield OTHER_RULES, read_scenes(players, "other hands")
    for preset in PRESETS:
        yield {"preset": preset}, tuple(boards(preset, players))


def _take(table: Table, scene: Scene, look: Look, path: Path, places: Places) -> int:
    faults = show(table, scene, look, path)
    # With large letters the page scrolls as a whole.
    if look.text == 100 and not (scene.reads or scene.gives or scene.path):
        faults += find_moved(table.page, places[look])
    for fault in faults:
        print(f"{path.parent.name}/{path.name} {look}: {fault}", flush=True)
    return len(faults)


def _write_index() -> None:
    pictures = sorted(FOLDER.glob("*/*.png"))
    rows = [
        f'<figure><img loading="lazy" width="240" src="{p.relative_to(FOLDER)}">'
        f"<figcaption>{p.parent.name} {p.stem}</figcaption></figure>"
        for p in pictures
    ]
    style = "figure{display:inline-block;margin:4px;vertical-align:top;font:12px sans-serif}"
    (FOLDER / "index.html").write_text(f"<style>{style}</style>" + "".join(rows))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.screens")
    parser.add_argument("--players", type=_numbers, default=list(range(2, 9)))
    parser.add_argument("--languages", type=lambda text: text.split(","), default=LANGUAGES)
    parser.add_argument("--only", default="", help="scenes whose name has this in it")
    return parser.parse_args()


def _numbers(text: str) -> Sequence[int]:
    return [int(part) for part in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
