"""Pictures of every scene on every kind of screen, and what is wrong with their layout.

    make screens ARGS="[--players 2,4,8] [--languages sv-SE] [--only board]"

They come to `build/screens`, a folder for each language and number of players, with an `index.html`
to look at them side by side. Exits with status 1 where something is covered, cut off, too small or
pale, or moves from step to step.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from app.rules.presets import PRESETS
from tests.browser import chromium
from tests.browser.conftest import FLAGS, SCHEMES
from tests.browser.serving import ROOT
from tests.hard.figures import options, served
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


def main() -> int:
    """Take the pictures; returns 1 where a layout has a fault."""
    numbers, spoken = ",".join(map(str, range(2, 9))), ",".join(LANGUAGES)
    args, faults = options(__doc__, players=numbers, languages=spoken, only=""), 0
    with (
        TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        served(Path(folder)) as server,
    ):
        for text in TEXTS:
            # What a person sets in the browser: rem and media queries follow it.
            font = f"--blink-settings=defaultFontSize={16 * text // 100}"
            browser = playwright.chromium.launch(
                executable_path=chromium.find(), args=[*FLAGS, font]
            )
            for language, count in product(args.languages.split(","), args.players.split(",")):
                names = (LONG if count in ("4", "8") else SHORT)[: int(count)]
                for rules, scenes in _tables(names):
                    table = open_table(browser, server.url, language, names, rules)
                    where = FOLDER / f"{language[:2]}-{count}-{text}"
                    for fault in _walk(table, scenes, where, text, args.only):
                        faults += 1
                        print(fault, flush=True)
                    table.close()
            browser.close()
    _write_index()
    print(f"{faults} faults; look at {FOLDER.relative_to(ROOT)}/index.html")
    return 1 if faults else 0


def _walk(
    table: Table, scenes: Sequence[Scene], folder: Path, text: int, only: str
) -> Iterator[str]:
    # Where the parts of the table's board stand, by the screen.
    places = defaultdict[Look, dict[str, list[float]]](dict)
    folder.mkdir(parents=True, exist_ok=True)
    for number, scene in enumerate(scenes):
        if not any(only in later.name for later in scenes[number:]):
            return
        table.record(scene.events)
        table.read_in(scene.files)
        for (width, height), scheme in product(SCREENS, SCHEMES) if only in scene.name else ():
            path, look = folder / f"{number:02} {scene.name}", Look(width, height, scheme, text)
            faults = show(table, scene, look, path)
            # With large letters the page scrolls as a whole.
            if text == 100 and not (scene.reads or scene.gives or scene.path):
                faults += find_moved(table.page, places[look])
            yield from (f"{path.parent.name}/{path.name} {look}: {fault}" for fault in faults)


def _tables(players: Sequence[str]) -> Iterator[tuple[Event, Sequence[Scene]]]:
    yield RULES, read_scenes(players, *EVERY_PAGE)
    yield OTHER_RULES, read_scenes(players, "other hands")
    for preset in PRESETS:
        yield {"preset": preset}, tuple(boards(preset, players))


def _write_index() -> None:
    pictures = sorted(FOLDER.glob("*/*.png"))
    rows = [
        f'<figure><img loading="lazy" width="240" src="{p.relative_to(FOLDER)}">'
        f"<figcaption>{p.parent.name} {p.stem}</figcaption></figure>"
        for p in pictures
    ]
    style = "figure{display:inline-block;margin:4px;vertical-align:top;font:12px sans-serif}"
    (FOLDER / "index.html").write_text(f"<style>{style}</style>" + "".join(rows))


if __name__ == "__main__":
    sys.exit(main())
