"""Whole games by random taps on a phone without a network, in a real browser, and handed over.

    python -m tests.hard.offline [--games 24] [--seed 1]

Each game has a rule set and players of its own. Now and then the worker is ended by force; what is
handed over meets a network that loses, repeats and reorders it, and a server that is killed
meanwhile. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import get_args

from playwright.sync_api import sync_playwright

from app.rules.presets import PRESETS
from tests.browser import chromium
from tests.browser.conftest import FLAGS
from tests.browser.offline_evening import (
    TOLERATED,
    Cabin,
    games_here,
    games_there,
    result_of,
    sit_down,
    table_there,
)
from tests.browser.proxy import Fate
from tests.browser.random_keeper import WAYS, RandomKeeper
from tests.browser.tables import path_of
from tests.hard.figures import Figures

NAMES = ("Anna", "Bo", "Cilla", "Dan", "Eva", "Fia", "Gun", "Hans")
FATES = [fate for fate in get_args(Fate) if fate != "passed"]


class Run:
    """Games on one phone, and what was found of them."""

    def __init__(self, cabin: Cabin, seed: int) -> None:
        self.cabin = cabin
        self.chance = random.Random(seed)
        self.taps = self.ended = 0
        self.fates: list[Fate] = []
        self.differing: list[str] = []
        self.wrong: list[str] = []

    def play(self, seed: int) -> None:
        """Play a game without a server, and a little of the next; then hand both over."""
        cabin, page = self.cabin, self.cabin.page
        keeper = RandomKeeper(page, seed, WAYS)
        preset, count = self.chance.choice(list(PRESETS)), self.chance.randint(2, len(NAMES))
        cabin.kill()
        sit_down(keeper, NAMES[:count], preset)
        for _ in range(self.chance.randint(0, 2)):
            keeper.play(self.chance.randint(1, 15))
            cabin.end_worker()
            page.reload()
            self.ended += 1
        keeper.play_out(40)
        keeper.tap_rematch()
        keeper.play(3)
        self.hand_over(keeper)
        self.taps += keeper.taps
        self.look(f"seed {seed}, {preset}, {count} players", path_of(page))

    def hand_over(self, keeper: RandomKeeper) -> None:
        """Hand over, as far as the network lets it, and play on in between."""
        cabin, fates = self.cabin, self.chance.choices(FATES, k=self.chance.randint(0, 3))
        with cabin.behind(fates) as proxy:
            for _ in fates:
                cabin.meet_next_fate(proxy)
                keeper.play(2)
                if keeper.over:
                    keeper.undo()
                cabin.server.start()
        self.fates += fates

    def look(self, name: str, table: str) -> None:
        """Compare what the phone has with what the server got, and with the rules."""
        cabin = self.cabin
        before = games_here(cabin.page, table, 2)
        cabin.serve()
        cabin.look()
        cabin.expect_handed_over()
        if games_there(cabin.page, table, 2) != before:
            self.differing.append(name)
        if table_there(cabin.page, table)["result"] != result_of(before[1]):
            self.wrong.append(name)


def run(folder: Path, games: int, seed: int) -> Figures:
    """Play so many games, and tell what came of them."""
    figures = Figures(f"{games} games without a network, in a browser (seed {seed})")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        cabin = Cabin(browser, folder)
        cabin.take_along()
        done = Run(cabin, seed)
        for number in range(games):
            done.play(seed * 1000 + number)
        cabin.close()
        browser.close()
    figures.add("taps", done.taps)
    figures.add("workers ended by force", done.ended)
    figures.add("what was handed over was lost, repeated, killed", len(done.fates))
    figures.none_of("games that differ on the server", done.differing)
    figures.none_of("results that the rules do not give", done.wrong)
    figures.none_of(
        "complaints", [said for said in cabin.trouble if not re.search(TOLERATED, said)]
    )
    return figures


def main() -> None:
    """Run it as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(run(Path(folder), given.games, given.seed).print())


if __name__ == "__main__":
    main()
