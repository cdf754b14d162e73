"""A walk over pages: no element is covered, cut off, unreachable, too wide or inaccessible."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from tests.browser.conftest import CONTRAST, LINKS
from tests.screens.layout import find_faults, find_pale_in_print
from tests.screens.phone import Look, Table, resize, show
from tests.screens.scenes import Scene

FIRST = Look(390, 664, "dark", 100)
# A large screen; letters of 200 per cent on 320 pixels, which have the same room as usual ones on
# 160; and a phone on its side.
OTHERS = ((1280, 800), (160, 320), (664, 340))
# For the board, which is never to scroll: a small phone, and a larger one on its side.
OF_BOARDS = ((360, 553), (780, 360), *OTHERS)
# Scenes with the same templates as another scene of the walk; `make screens` shows them too.
TWINS = (
    "second exchange",
    "final hand",
    "stops next deal",
    "read at first",
    "chicago lost",
    "requirement unmet",
    "read after a zeroing",
    "read by one who has no requirement met",
    "read when over",
    "protocol",
    "years",
    "how it is usually played",
    "games",
    "older games",
    "games found",
    "sheet of many",
    "next game begins",
    "page of player",
    "page of more",
    "page of latecomer",
    "page of row",
    "page of hand",
    "an evening",
    "picture of an evening",
    "recovered",
    "rules of one's own",
    "new files",
    "no such table",
)

Barriers = Callable[..., list[str]]


def is_board(scene: Scene) -> bool:
    """Whether a scene is the board, a keeper's or a reader's, or lies in the middle; no sheet."""
    return scene.path.partition("?")[0] in ("", "/middle") and (scene.reads or not scene.tap)


class Walk:
    """A walk over scenes of an evening on every screen and on paper, which collects the faults."""

    def __init__(self, table: Table, barriers: Barriers) -> None:
        self._table, self._barriers = table, barriers
        self._faults: list[str] = []

    def pass_by(self, scenes: Iterable[Scene]) -> None:
        """Record the events that lead to the scenes, and check none of them."""
        for scene in scenes:
            self._table.record(scene.events)
            self._table.read_in(scene.files)

    def see_boards(self, scenes: Iterable[Scene]) -> None:
        """Check those scenes that are a board, and pass by the others."""
        for scene in scenes:
            (self.see if is_board(scene) else self.pass_by)([scene])

    def see(self, scenes: Iterable[Scene], judged: Container[str] | None = None) -> None:
        """Check scenes on each screen, except twins; those in `judged` are checked by axe-core too.

        Without `judged` axe-core checks all of them, for all but contrast: that of all letters is
        found with the other faults, in the dark, and in the light on the last screen.
        """
        for scene in scenes:
            self.pass_by([scene])
            if scene.name in TWINS:
                continue
            self._note(scene, FIRST, show(self._table, scene, FIRST))
            page = self._table.page_of(scene)
            for size in OF_BOARDS if is_board(scene) else OTHERS:
                resize(page, *size)
                if size == OTHERS[-1]:
                    page.emulate_media(color_scheme="light")
                self._note(scene, size, find_faults(page))
            self._note(scene, "printed", find_pale_in_print(page))
            if judged is None or scene.name in judged:
                resize(page, FIRST.width, FIRST.height)
                # What lies half under a bar at the edge comes out there.
                page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
                self._note(scene, "dark", self._barriers(page, apart=[CONTRAST]))
                page.emulate_media(color_scheme="light")
                self._note(scene, "light", self._barriers(page, [LINKS]))

    def end(self) -> None:
        """Close the phones; fail for all faults."""
        self._table.close()
        assert not self._faults, "\n".join(self._faults)

    def _note(self, scene: Scene, where: object, faults: list[str]) -> None:
        self._faults += [f"{scene.name} {where}: {fault}" for fault in faults]
