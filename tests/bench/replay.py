"""Time of a replay by the engine: a row of `python -m tests.bench`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from app.rules.game import replay
from tests.bench.long_game import long_game
from tests.bench.row import Row

EVENTS = 200


def measure(rounds: int) -> Iterator[Row]:
    """Replay a game over and over, by this thread's processor time."""
    setup, events = long_game(EVENTS)
    taken = []
    for _ in range(20 * (rounds + 1)):
        before = time.thread_time()
        replay(setup, events)
        taken.append((time.thread_time() - before) * 1000)
    median = statistics.median(taken)
    each = f"{median / EVENTS * 1000:.1f} µs an event"
    yield Row(f"replay of {EVENTS} events", f"{median:.2f} ms", "nothing", median, 0.5, beside=each)
