"""A disk that fails at every write, sync and truncation of an evening, one after the other.

    python -m tests.hard.faults [--every 1]

An evening at two tables, one kept by the API and one by the pages, is played from its first tap to
its last, once for each moment at which the disk can fail: full, or in the middle of a write; once,
for several taps, or until the program is started anew, as after its end in that moment. Then
everything acknowledged must be there, once, the file sound, and every refusal an honest 503. Exit
status 1 where a promise was broken.
"""

from __future__ import annotations

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
from tests.hard.figures import Figures, options
from tests.hard.keepers import API, PAGES, Keeper, Unkept, unsound

STEPS, FOREVER = 12, 10**9
FAULTS = {"full": FULL, "half written": IOERR}
LENGTHS = {"once": 1, "for a while": 9, "until a start": FOREVER}
DISK = FaultyDisk()


class Evening:
    """Two keepers who take turns while the disk fails from a moment on.

    `wrong` is what went so, `count` how many moments there were till the end.
    """

    def __init__(self, code: int, first: int, times: int) -> None:
        self.statuses, self.wrong = Counter[int](), list[str]()
        with tempfile.TemporaryDirectory() as folder:
            self._database = Path(folder) / "chicago.db"
            self._start()
            self._forever = times == FOREVER
            DISK.fail(code, first, times)
            keepers = [Keeper(self._ask, f"{often}", often) for often in (API, PAGES)]
            for keeper in keepers:
                keeper.chance = random.Random(first)
            self._play(keepers)
            self.count = DISK.count
            for _ in range(2):
                DISK.fail(IOERR, 0, 0)
                self.wrong += [fault for keeper in keepers for fault in keeper.faults()]
                self._start_anew()
            shut_down(self._app)
            self.wrong += unsound(self._database)

    def _play(self, keepers: list[Keeper]) -> None:
        try:
            for keeper in keepers:
                keeper.open()
            for keeper in keepers * STEPS:
                keeper.step()
        except Unkept as error:
            self.wrong.append(f"{error}")

    def _start(self) -> None:
        self._app = create_app({"DATABASE": str(self._database), "LIMITS": False})
        self._app.test_client().get("/")

    def _start_anew(self) -> None:
        """End the program while the disk fails, and start it on one that works."""
        shut_down(self._app)
        DISK.fail(IOERR, 0, 0)
        self._start()

    def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        client = self._app.test_client(use_cookies=False)
        answer = client.open(path, method=method, data=body, headers=headers)
        self.statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            if (answer.status_code, "Retry-After" in answer.headers) != (503, True):
                self.wrong.append(f"{method} {path}: {answer.status}, which is no honest 503")
            if self._forever:
                self._start_anew()
        return Answer(answer.status_code, dict(answer.headers), answer.data)


def main() -> int:
    """Fail, check and print; exit status 1 where a promise was broken."""
    every, began = options(__doc__, every=1).every, time.monotonic()
    moments = range(1, Evening(IOERR, 0, 0).count + 1, every)
    figures = Figures(f"a disk that fails at each {every}. of {moments.stop - 1} writes and syncs")
    for fault, length in product(FAULTS, LENGTHS):
        evenings = [Evening(FAULTS[fault], first, LENGTHS[length]) for first in moments]
        statuses = sum((each.statuses for each in evenings), Counter[int]())
        figures.add(f"{fault}, {length}: answers", dict(sorted(statuses.items())))
        wrong = [told for each in evenings for told in each.wrong]
        figures.none_of(f"{fault}, {length}: lost, doubled, unsound", wrong)
    figures.add("seconds in all", f"{time.monotonic() - began:.0f}")
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
