"""A disk that fails at every write, sync and truncation of an evening, one after the other.

    python -m tests.hard.faults [--every 1]

An evening at two tables, one kept by the API and one by the pages, is played from its first tap to
its last, once for each moment at which the disk can fail: with an error, full, or in the middle of
a write, and also with the program killed there. Then everything acknowledged must be there, once,
the file sound, and the program must have gone on without hands. Besides, a disk that is really
full, by the kernel's own limit, and a file and a folder that may only be read. Exit status 1 where
a promise was broken. Runs on Linux.
"""

from __future__ import annotations

import argparse
import ctypes
import multiprocessing
import random
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from flask import Flask

from app import create_app
from tests.api.calling import shut_down
from tests.api.network import Answer
from tests.hard.faulty_disk import Fault, FaultyDisk
from tests.hard.figures import Figures
from tests.hard.keepers import Ask, Keeper, PageKeeper, in_process
from tests.hard.kills import integrity_faults

# How long a disk fails: once, and so often that several taps meet it.
ONCE, LONG = 1, 9
FAULTS = [
    (fault, times) for fault in (Fault.ERROR, Fault.FULL, Fault.TORN) for times in (ONCE, LONG)
]
FEW = 2
# The version of what Linux's capset takes.
CAPABILITIES = 0x20080522


@dataclass
class Evening:
    """Two keepers who take turns, and what went wrong on the way.

    `unclear`: answers that do not say that it is the disk, and when to come again.
    """

    database: Path
    seed: int
    steps: int = 12
    wrong: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    def keepers(self, ask: Ask) -> list[Keeper]:
        """Seat the keepers, who have not written anything yet."""
        kinds = enumerate([Keeper, PageKeeper])
        chance = random.Random(self.seed)
        return [kind(ask, f"keeper {n}", random.Random(chance.random())) for n, kind in kinds]

    def counting(self, ask: Ask) -> Ask:
        """Call, and take note of what may not be answered."""

        def call(method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
            answer = ask(method, path, body, **headers)
            self.statuses[answer.status] += 1
            if answer.status >= 500 and not honest(answer):
                self.unclear.append(f"{method} {path.rpartition('/')[2]}: {answer.status}")
                # That is noted: whoever writes goes on as after an honest answer.
                return Answer(503, answer.headers, answer.data)
            return answer

        return call


def honest(answer: Answer) -> bool:
    """Return whether an answer says that it is the disk, and when to come again."""
    return answer.status == 503 and "Retry-After" in answer.headers and bool(answer.data)


def serve(database: Path) -> Flask:
    """Make an application on a database file."""
    return create_app({"DATABASE": str(database), "LIMITS": False})


def play(evening: Evening, keepers: list[Keeper]) -> None:
    """Let them open their tables and keep them, in turn; what is refused is noted."""
    try:
        for keeper in keepers:
            keeper.open()
        for _ in range(evening.steps):
            for keeper in keepers:
                keeper.step()
    except AssertionError as error:
        evening.wrong.append(str(error))


@dataclass
class Trial:
    """The evening that is played again and again, in a folder of its own each time."""

    folder: Path
    steps: int

    def new(self, seed: int) -> Evening:
        """Prepare an evening on an empty disk."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        return Evening(self.folder / "chicago.db", seed, self.steps)


def check(evening: Evening, keepers: list[Keeper]) -> None:
    """Open the database anew, and hold what is there against what was acknowledged."""
    app = serve(evening.database)
    for keeper in keepers:
        keeper.ask = in_process(app)
        evening.wrong += keeper.faults()
    shut_down(app)
    evening.wrong += integrity_faults(evening.database)


def one_fault(disk: FaultyDisk, evening: Evening, fault: Fault, first: int, times: int) -> int:
    """Play an evening at which the disk fails from a moment on, and then works again.

    Returns how many moments there were until its end.
    """
    app = serve(evening.database)
    keepers = evening.keepers(evening.counting(in_process(app)))
    app.test_client().get("/")
    disk.fail(fault, first, times)
    play(evening, keepers)
    count = disk.count
    disk.work()
    evening.wrong += [told for keeper in keepers for told in keeper.faults()]
    shut_down(app)
    check(evening, keepers)
    return count


def one_kill(evening: Evening, first: int) -> None:
    """Play an evening at which the program dies at a moment, and go on where it stood."""
    log = list(in_child(_die, evening, first))
    app = serve(evening.database)
    keepers = evening.keepers(_replaying(log, evening.counting(in_process(app))))
    play(evening, keepers)
    shut_down(app)
    check(evening, keepers)


def in_child(act: Callable[..., None], *arguments: object) -> Iterator[Any]:
    """Do something in a process of its own, and return what it tells until it ends."""
    listening, telling = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=act, args=(*arguments, telling))
    child.start()
    telling.close()
    try:
        while True:
            yield listening.recv()
    except EOFError:
        child.join()


def _die(evening: Evening, first: int, told: Connection) -> None:
    """Play until the disk kills this process; every answer is told as it is given."""
    disk, app = FaultyDisk(), serve(evening.database)
    app.test_client().get("/")
    ask = in_process(app)

    def telling(method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        answer = ask(method, path, body, **headers)
        told.send((path, answer))
        return answer

    disk.fail(Fault.KILLED, first)
    play(evening, evening.keepers(telling))


def _replaying(log: list[tuple[str, Answer]], ask: Ask) -> Ask:
    """Give the keepers the answers again that they had before the program died."""
    answers = iter(log)

    def call(method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        for was_sent_to, answer in answers:
            assert was_sent_to == path
            return answer
        return ask(method, path, body, **headers)

    return call


def really_full(evening: Evening, told: Connection) -> None:
    """Play while no file may grow any more, as on a full disk, until there is room again."""
    app = serve(evening.database)
    keepers = evening.keepers(evening.counting(in_process(app)))
    for keeper in keepers:
        keeper.open()
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (evening.database.stat().st_size, most[1]))
    _write_until_possible(evening, keepers, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, most))
    told.send(evening)


def read_only(evening: Evening, told: Connection) -> None:
    """Begin with a file in a folder that may only be read, until both may be written to."""
    app = serve(evening.database)
    before = evening.keepers(in_process(app))
    for keeper in before:
        keeper.open()
    shut_down(app)
    # Root may write everywhere, unless it gives that up.
    ctypes.CDLL(None).capset((ctypes.c_uint * 2)(CAPABILITIES, 0), (ctypes.c_uint * 6)())
    _allow(evening.database, 0o500, 0o400)
    app = serve(evening.database)
    for keeper in before:
        keeper.ask = evening.counting(in_process(app))
    _write_until_possible(evening, before, lambda: _allow(evening.database, 0o700, 0o600))
    told.send(evening)


def _allow(database: Path, folder: int, file: int) -> None:
    database.parent.chmod(0o700)
    for path in database.parent.iterdir():
        path.chmod(file)
    database.parent.chmod(folder)


def _write_until_possible(
    evening: Evening, keepers: list[Keeper], mend: Callable[[], object]
) -> None:
    """Let each keeper write, mend the disk once they were refused a few times, and go on."""
    refused = 0

    def mending(ask: Ask) -> Ask:
        def call(method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
            nonlocal refused
            answer = ask(method, path, body, **headers)
            refused += answer.status == 503
            if refused == FEW:
                mend()
            return answer

        return call

    for keeper in keepers:
        keeper.ask = mending(keeper.ask)
    try:
        for _ in range(evening.steps * 4):
            for keeper in keepers:
                keeper.step()
    except AssertionError as error:
        evening.wrong.append(str(error))
    if refused < FEW:
        evening.wrong.append(f"only {refused} refusals")
    evening.wrong += [told for keeper in keepers for told in keeper.faults()]


def run(every: int, steps: int = 12) -> Figures:
    """Let the disk fail at each moment, or at every so manyeth, and hold what is there."""
    began, disk, evenings = time.monotonic(), FaultyDisk(), dict[str, list[Evening]]()
    with tempfile.TemporaryDirectory() as name:
        trial = Trial(Path(name) / "evening", steps)
        count = one_fault(disk, trial.new(1), Fault.ERROR, 0, 0)
        for first in range(1, count + 1, every):
            for fault, times in FAULTS:
                evening = trial.new(first)
                one_fault(disk, evening, fault, first, times)
                evenings.setdefault(fault.value, []).append(evening)
            evening = trial.new(first)
            one_kill(evening, first)
            evenings.setdefault(Fault.KILLED.value, []).append(evening)
        for act in (really_full, read_only):
            evenings[act.__name__.replace("_", " ")] = list(in_child(act, trial.new(1)))
    figures = Figures(f"a disk that fails at each {every}. of {count} writes and syncs")
    for fault_name, played in evenings.items():
        _tell(figures, fault_name, played)
    figures.add("seconds in all", f"{time.monotonic() - began:.0f}")
    return figures


def _tell(figures: Figures, name: str, played: list[Evening]) -> None:
    statuses: Counter[int] = Counter()
    for evening in played:
        statuses += evening.statuses
    figures.add(f"{name}: evenings", len(played), kept=bool(played))
    figures.add(f"{name}: answers", dict(sorted(statuses.items())))
    wrong = [each for evening in played for each in evening.wrong]
    unclear = [each for evening in played for each in evening.unclear]
    figures.none_of(f"{name}: lost, doubled, unsound", wrong)
    figures.none_of(f"{name}: no honest 503", unclear)


def main(argv: list[str] | None = None) -> int:
    """Fail, check and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--steps", type=int, default=12)
    args = parser.parse_args(argv)
    return run(args.every, args.steps).print()


if __name__ == "__main__":
    # A copy of a process with threads may wait for ever for their locks.
    multiprocessing.set_start_method("forkserver")
    sys.exit(main())
