"""What importing costs, and what others notice of it: `python -m tests.bench.imports`.

Ratios of one run, and milliseconds of this machine: importing twice as many games, or games twice
as long; the longest time that others wait for the write lock; taps at another table without and
with an import under way.
"""

from __future__ import annotations

import io
import statistics
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from app.rules.events import BreakOff, write_event
from app.rules.gamefile import Game, read_game, read_setup, write_game
from app.services import import_export, play, tables
from app.services.tables import Write
from app.services.throttle import Throttle
from app.store.database import Pool
from tests.bench.row import say
from tests.bench.weight import EIGHT

DEAL: list[dict[str, object]] = [
    {"event": "best_hand", "player": EIGHT[0], "hand": "pair"},
    {"event": "no_best_hand"},
    {"event": "last_trick", "player": EIGHT[1]},
    {"event": "no_best_hand"},
    {"event": "correction", "player": EIGHT[0], "points": -1},
    {"event": "correction", "player": EIGHT[1], "points": -5},
]
OVER = write_event(BreakOff(settle=True))
TAP: dict[str, object] = {"event": "correction", "player": "Anna", "points": 1}


class StopWatch:
    """A lock that remembers, in seconds, the longest it was held and the most work done then."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since = self._worked = 0.0
        self.longest = self.most_work = 0.0

    def acquire(self, timeout: float) -> bool:
        """Take the lock, as `threading.Lock` does."""
        taken = self._lock.acquire(timeout=timeout)
        if taken:
            self._since, self._worked = time.perf_counter(), time.thread_time()
        return taken

    def release(self) -> None:
        """Give the lock back, and note for how long it was held."""
        self.longest = max(self.longest, time.perf_counter() - self._since)
        self.most_work = max(self.most_work, time.thread_time() - self._worked)
        self._lock.release()

    def __str__(self) -> str:
        most, work = self.longest * 1000, self.most_work * 1000
        return f"the write lock was held {most:.0f} ms at most, {work:.0f} ms of them work"


def archive(games: int, events: int) -> bytes:
    """Return an archive of games of eight players, of so many events each."""
    deals = [event for _ in range(events // len(DEAL) + 1) for event in DEAL]
    raw = {"format": "chicago-game/1", "players": list(EIGHT), "rules": {"target": 1000}}
    game = read_game({**raw, "events": [*deals[: events - 1], OVER]})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as entries:
        for number in range(games):
            entries.writestr(f"{number}.json", _file(game, number))
    return buffer.getvalue()


def _file(game: Game, number: int) -> bytes:
    remarks = {"id": f"game {number}", "at": f"20{number % 40 + 10}-{number % 12 + 1:02}-01T20:00Z"}
    return msgspec.json.encode(write_game(msgspec.structs.replace(game, remarks=remarks)))


@contextmanager
def database() -> Iterator[tuple[Pool, StopWatch]]:
    """Open an empty database whose write lock is timed."""
    with tempfile.TemporaryDirectory() as folder:
        pool, watch = Pool(Path(folder) / "chicago.db"), StopWatch()
        pool._turn = watch  # type: ignore[assignment]  # noqa: SLF001  # what is measured
        yield pool, watch
        pool.close()


def importing(pool: Pool, content: bytes) -> float:
    """Import an archive as the page does, and return the seconds."""
    start = time.perf_counter()
    games = import_export.read_files("all.zip", content)
    import_export.open_table(pool, games, "", "pen", Throttle().rest)
    return time.perf_counter() - start


def compare(games: int, events: int, times_games: int, times_events: int) -> None:
    """Print how much longer it takes to import more."""
    small, large = archive(games, events), archive(games * times_games, events * times_events)
    with database() as (pool, watch):
        rounds = [(importing(pool, small), importing(pool, large)) for _ in range(3)]
    ratio = statistics.median(more / less for less, more in rounds)
    least = min(less for less, _ in rounds)
    say(f"{games} games of {events} events: {least:.2f} s")
    say(f"  × {times_games} games × {times_events} events: {ratio:.2f} times as long")
    say(f"  {watch}")


def tap(pool: Pool, until: threading.Event, seconds: list[float]) -> None:
    """Tap ten times a second, at a table of one's own."""
    setup = read_setup({"players": ["Anna", "Bo"], "rules": {"target": 1000}})
    pen = tables.new_pen()
    link = tables.open_table(pool, setup, "", pen)
    while not until.wait(0.1):
        start = time.perf_counter()
        play.record(pool, Write(link, pen), TAP)
        play.undo(pool, Write(link, pen))
        seconds.append(time.perf_counter() - start)


def taps(pool: Pool, content: bytes | None) -> list[float]:
    """Return the seconds of taps, while an archive is imported or for two seconds of nothing."""
    until, seconds = threading.Event(), list[float]()
    thread = threading.Thread(target=tap, args=[pool, until, seconds])
    thread.start()
    if content is None:
        time.sleep(2)
    else:
        say(f"1000 games of 120 events: {importing(pool, content):.1f} s while others tap")
    until.set()
    thread.join()
    return sorted(seconds)


def listed(seconds: Sequence[float]) -> str:
    """Write the median and the 99th percentile."""
    last = seconds[min(len(seconds) - 1, len(seconds) * 99 // 100)]
    return f"{statistics.median(seconds) * 1000:.0f} ms, p99 {last * 1000:.0f} ms"


def main() -> None:
    """Print all of it."""
    compare(20, 120, 2, 1)
    compare(10, 500, 1, 2)
    compare(2, 2000, 5, 1)
    with database() as (pool, watch):
        say(f"a tap and its undoing, without an import: {listed(taps(pool, None))}")
        say(f"with one: {listed(taps(pool, archive(1000, 120)))}")
        say(str(watch))


if __name__ == "__main__":
    main()
