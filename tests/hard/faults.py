"""A disk that fails at every write, sync and truncation of an evening, one after the other.

    python -m tests.hard.faults [--every 1]

An evening at two tables, one kept by the API and one by the pages, is played from its first tap to
its last, once for each moment at which the disk can fail: with an error, full, or in the middle of
a write; once, for several taps, or until the program is started anew, as after its end in that
moment. Then everything acknowledged must be there, once, the file sound, and every refusal an
honest 503. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path

from app import create_app
from tests.api.calling import shut_down
from tests.api.network import Answer
from tests.hard.faulty_disk import FULL, IOERR, FaultyDisk
from tests.hard.figures import Figures
from tests.hard.keepers import API, PAGES, Keeper, Unkept, unsound

FAULTS = {"an error": (IOERR, False), "full": (FULL, False), "half written": (IOERR, True)}
LONG, FOREVER, STEPS = 9, 10**9, 12


class Evening:
    """Two keepers who take turns, on a file that is begun with them; `wrong` is what went so."""

    def __init__(self, folder: str, seed: int) -> None:
        self.database = Path(folder) / "chicago.db"
        self.statuses, self.wrong, self.forever = Counter[int](), list[str](), False
        self.begin()
        chance = random.Random(seed)
        self.keepers = [
            Keeper(self.ask, f"keeper {n}", often, random.Random(chance.random()))
            for n, often in enumerate((API, PAGES))
        ]

    def begin(self) -> None:
        """Start the program."""
        self._app = create_app({"DATABASE": str(self.database), "LIMITS": False})
        self._app.test_client().get("/")

    def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Call it; where it is refused while the disk fails for ever, start it anew."""
        client = self._app.test_client(use_cookies=False)
        answer = client.open(path, method=method, data=body, headers=headers)
        self.statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            if (answer.status_code, "Retry-After" in answer.headers) != (503, True):
                self.wrong.append(f"{method} {path}: {answer.status}, which is no honest 503")
            if self.forever:
                self.start_anew()
        return Answer(answer.status_code, dict(answer.headers), answer.data)

    def start_anew(self) -> None:
        """End the program while the disk fails, and start it on one that works."""
        shut_down(self._app)
        DISK.fail(IOERR, 0, 0)
        self.begin()

    def play(self, code: int, first: int, times: int, *, torn: bool) -> int:
        """Play while the disk fails from a moment on; how many moments there were till the end."""
        self.forever = times == FOREVER
        DISK.fail(code, first, times, torn=torn)
        try:
            for keeper in self.keepers:
                keeper.open()
            for keeper in self.keepers * STEPS:
                keeper.step()
        except Unkept as error:
            self.wrong.append(f"{error}")
        count, self.forever = DISK.count, False
        self.check()
        self.start_anew()
        self.check()
        shut_down(self._app)
        self.wrong += unsound(self.database)
        return count

    def check(self) -> None:
        """Hold what is there against what was acknowledged."""
        DISK.fail(IOERR, 0, 0)
        self.wrong += [fault for keeper in self.keepers for fault in keeper.faults()]


DISK = FaultyDisk()


def play(seed: int, code: int, first: int, times: int, *, torn: bool) -> tuple[Evening, int]:
    """Play an evening on an empty disk."""
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(folder, seed)
        return evening, evening.play(code, first, times, torn=torn)


def main() -> int:
    """Fail, check and print; exit status 1 where a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    every, began = parser.parse_args().every, time.monotonic()
    _, count = play(1, IOERR, 0, 0, torn=False)
    figures = Figures(f"a disk that fails at each {every}. of some {count} writes and syncs")
    lengths = {"once": 1, "for a while": LONG, "until a start": FOREVER}
    for (name, (code, torn)), (length, times) in product(FAULTS.items(), lengths.items()):
        moments = range(1, count + 1, every)
        evenings = [play(first, code, first, times, torn=torn)[0] for first in moments]
        statuses = sum((each.statuses for each in evenings), Counter[int]())
        figures.add(f"{name}, {length}: answers", dict(sorted(statuses.items())))
        wrong = [each for evening in evenings for each in evening.wrong]
        figures.none_of(f"{name}, {length}: lost, doubled, unsound", wrong)
    figures.add("evenings", len(FAULTS) * len(lengths) * len(moments))
    figures.add("seconds in all", f"{time.monotonic() - began:.0f}")
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
