"""Rows about single requests and a start, mostly beside the barest view that could answer them.

Recording, reading, a tap with all that the phone fetches after it, a table's past, and a replay.
"""

import statistics
import tempfile
import time
import timeit
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from app.rules.game import replay
from app.rules.gamefile import Game
from app.web.grid import dialogs_key, grid_rows
from tests.bench import load
from tests.bench.filling import Table, fill, long_game
from tests.bench.load import (
    Cost,
    Row,
    ask,
    compare,
    connect,
    get,
    in_turns,
    measure,
    medians,
    watched,
)
from tests.browser.serving import Server

# Games in a round, and events of each.
RECORDED, TAPPED, LENGTH = 16, 4, 40
# As static/sheets.js keeps, and one for tables without.
MOST_SHEETS = 5
# A table in the middle of an evening, as somebody looks at it.
MIDDLE, READS = 20, 500
# Games of a long past and of a short one, the events of each, and what is done beside in a round.
MANY, FEW, SHORT, TAPS, PAGES = 3_000, 10, 12, 200, 5
PASTS = (1, SHORT, MANY), (1, SHORT, FEW)
PAID = {"payer": 1, "payee": 2, "amount": 1, "way": "cash"}
# Promises: a page in milliseconds of processor time, a replay of so many events likewise.
MOST_PAGE, REPLAYED, MOST_REPLAY = 250, 200, 0.5
REST_SECONDS = 1.0


@contextmanager
def serving(*fillings: tuple[int, ...]) -> Iterator[tuple[Server, Sequence[Table]]]:
    """Serve a database with tables: for each filling so many, of so many events and games."""
    with tempfile.TemporaryDirectory() as name:
        tables = [table for filling in fillings for table in fill(Path(name), *filling)]
        with load.serve(Path(name)) as server:
            yield server, tables


def recording(rounds: int) -> Iterator[Row]:
    """Record games over the API; the floor inserts what is stored of an event as often."""
    _, events = long_game(LENGTH)
    inserts = cycle([load.call("/insert", {"event": "best_hand", "player": 1, "hand": "pair"})])
    filling = RECORDED * (rounds + 1), 0
    with serving(filling) as (ours, tables), load.serve_floor() as floor:
        calls = (table.call(event) for table in tables for event in events)
        record = partial(measure, ours, calls, RECORDED * LENGTH)
        insert = partial(measure, floor, inserts, RECORDED * LENGTH)
        yield compare("recording (API)", "one durable insert", 1.67, rounds, record, insert)


def reading(rounds: int) -> Iterator[Row]:
    """Read a table's page without the pen; the floor sends a ready-made one that is as long."""
    with serving((1, MIDDLE)) as (ours, tables), load.serve_floor() as floor:
        path = f"/t/{tables[0].link}"
        # The cookie that a phone has then, which remembers the table.
        kept = ask(connect(ours), get(path))[0]["Set-Cookie"].partition(";")[0]
        headers, body = ask(connect(ours), get(path, kept))
        encoding = {"X-Encoding": headers["Content-Encoding"]}
        ask(connect(floor), load.write_request("PUT", "/", encoding, body))
        read = partial(measure, ours, cycle([get(path, kept)]), READS)
        send = partial(measure, floor, cycle([get("/", "chicago=x")]), READS)
        name, other = "reading a table's page", "one row read, a ready-made page"
        yield compare(name, other, 2.22, rounds, read, send)


def following(rounds: int) -> Iterator[Row]:
    """Tap alone, and as the phone does: it watches its table, and fetches sheets where it needs."""
    _, events = long_game(LENGTH)
    with serving((2 * TAPPED * (rounds + 1), 0)) as (ours, tables):
        taps = (table.tap(event) for table in tables[::2] for event in events)
        tap = partial(measure, ours, taps, TAPPED * LENGTH)
        follow = partial(_follow, ours, iter(tables[1::2]))
        name = "a tap with all that the phone fetches"
        yield compare(name, "the tap alone", 2.0, rounds, follow, tap)


def _follow(server: Server, tables: Iterator[Table]) -> Cost:
    """The cost of a tap, its stream and its sheets together."""
    with ExitStack() as stack:
        some = [*islice(tables, TAPPED)]
        for table in some:
            stack.enter_context(watched(server, table.get("/live")))
        sent = [each for table in some for each in _taps_and_sheets(table)]
        return measure(server, iter(sent), len(sent), TAPPED * LENGTH)


def _taps_and_sheets(table: Table) -> Iterator[bytes]:
    """Taps, each with the sheets that the phone fetches where it has none that say the same."""
    setup, events = long_game(LENGTH)
    states, ahead = Game(setup, tuple(events)).states(), deque([""], MOST_SHEETS)
    for event, after in zip(events, states[1:], strict=True):
        yield table.tap(event)
        if (key := dialogs_key(after, grid_rows(after), 0)) not in ahead:
            yield table.get("/sheets")
            ahead.append(key)


def past_tap(rounds: int) -> Iterator[Row]:
    """Tap while a phone looks at the evening."""
    with serving(*PASTS) as (server, both):
        costs = (partial(_tap, server, table, _there_and_back(table)) for table in both)
        yield compare(f"a tap, evening watched, {MANY} games", f"of {FEW}", 1.1, rounds, *costs)


def _tap(server: Server, table: Table, taps: Iterator[bytes]) -> Cost:
    with watched(server, table.get("/evening/live")):
        return measure(server, taps, TAPS)


def _there_and_back(table: Table) -> Iterator[bytes]:
    """Tap and undo, so that the game stays as long as it was."""
    _, events = long_game(SHORT + 1)
    while True:
        yield table.tap(events[-1])
        yield table.post("/undo")


def past_pages(rounds: int) -> Iterator[Row]:
    """Look at the pages of the past, made anew after each payment, which is counted too."""
    with serving(*PASTS) as (server, both):
        for page in ("/evening", "/money", "/years", "/games", "/people"):
            looks = (partial(measure, server, _look(t, page), 2 * PAGES, PAGES) for t in both)
            many, few = (medians(costs)[0] / 1000 for costs in in_turns(rounds, *looks))
            name, against = f"{page} of {MANY} games, ms", f"of {FEW}: {few:.1f} ms"
            yield Row(name, f"{many:.1f} ms", against, many, MOST_PAGE)


def _look(table: Table, page: str) -> Iterator[bytes]:
    while True:
        yield table.post("/evening/advance", **PAID)
        yield table.get(page)


def replaying(rounds: int) -> Iterator[Row]:
    """Replay a game over and over, by this thread's processor time."""
    setup, events = long_game(REPLAYED)
    again = partial(replay, setup, events)
    took = timeit.repeat(again, timer=time.thread_time, repeat=20 * (rounds + 1), number=1)
    median = statistics.median(took) * 1000
    each = f"{median / REPLAYED * 1000:.1f} µs an event"
    name = f"replay of {REPLAYED} events"
    yield Row(name, f"{median:.2f} ms", "nothing", median, MOST_REPLAY, each)


def starting(rounds: int) -> Iterator[Row]:
    """Start on a database that is there, in turn with the barest view by the same server."""
    with tempfile.TemporaryDirectory() as folder:
        ours = partial(_start, partial(load.serve, Path(folder)), "/healthz")
        costs = in_turns(rounds, ours, partial(_start, load.serve_floor, "/"))
    (took, held), (bare_took, bare_held) = map(medians, costs)
    beside = f"the barest view: {bare_took:.2f} s"
    yield Row("start to first answer", f"{took:.2f} s", beside, took, 0.5)
    beside = f"the barest view: {bare_held:.0f} MB"
    yield Row("memory at rest (PSS)", f"{held:.0f} MB", beside, held, 90)


def _start(serve: Callable[[], AbstractContextManager[Server]], path: str) -> tuple[float, float]:
    """Start once: seconds to the first answer, and MB at rest, what is shared counted once."""
    began = time.perf_counter()
    with serve() as server:
        ask(connect(server), get(path))
        took = time.perf_counter() - began
        time.sleep(REST_SECONDS)
        return took, load.memory(server, "Pss", "smaps_rollup")
