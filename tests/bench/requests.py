"""Rows about single requests, beside the barest view that could answer them.

Recording, reading, and a tap with all that the phone fetches after it.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec.structs import replace

from app.rules.events import write_event
from app.rules.gamefile import Game
from app.web.grid import dialogs_key, event_value, grid_rows
from tests.bench import served
from tests.bench.filling import Table, cookie, fill
from tests.bench.load import (
    Cost,
    ask,
    call,
    connect,
    form,
    get,
    interleave,
    measure,
    middle,
    put,
    ratio,
    watched,
)
from tests.bench.long_game import long_game
from tests.bench.row import Row
from tests.browser.serving import Server

CONNECTIONS, GAMES, LENGTH = 4, 4, 40
# As static/sheets.js keeps, and one for tables without.
MOST_SHEETS = 5
# A table in the middle of an evening, as somebody looks at it.
MIDDLE, READS = 20, 500


@contextmanager
def servers(count: int, events: int = 0) -> Iterator[tuple[Sequence[Table], Server, Server]]:
    """Serve a database of so many tables, and the floor beside it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = fill(folder, count, events)
        with served.ours(folder) as ours, served.floor(folder) as floor:
            yield tables, ours, floor


def calls(tables: Sequence[Table], count: int) -> list[bytes]:
    """Record the first events of the long game at each table, over the API."""
    raw = [write_event(event) for event in long_game(count)[1]]
    return [
        call(f"/api/tables/{table.link}/events", event, table.pen)
        for table in tables
        for event in raw
    ]


def taps(tables: Sequence[Table], count: int) -> list[bytes]:
    """Record the same as taps of a phone."""
    values = [event_value(event) for event in long_game(count)[1]]
    return [
        form(f"/t/{table.link}/events", {"seq": f"{seq}", "event": value}, cookie(table.pen))
        for table in tables
        for seq, value in enumerate(values, table.seq)
    ]


def inserts(count: int) -> list[bytes]:
    """As many durable inserts, of what an event is in the database."""
    return [call("/insert", {"event": "best_hand", "player": 1, "hand": "pair"})] * count


def recording(rounds: int) -> Iterator[Row]:
    """Record games over the API on a few connections; the floor inserts as often."""
    each, per_round = GAMES * LENGTH, GAMES * CONNECTIONS
    with servers(per_round * (rounds + 1)) as (tables, ours, floor):

        def record(turn: int) -> Cost:
            mine = tables[turn * per_round : (turn + 1) * per_round]
            return measure(ours, *(calls(mine[n::CONNECTIONS], LENGTH) for n in range(CONNECTIONS)))

        def insert(_: int) -> Cost:
            return measure(floor, *[inserts(each)] * CONNECTIONS)

        mine, its = interleave(rounds, record, insert)
    yield _beside_floor("recording (API)", "one durable insert", mine, its, 0.60)


def reading(rounds: int) -> Iterator[Row]:
    """Read a table's page, as somebody without the pen and as who keeps it."""
    with servers(1, MIDDLE) as (tables, ours, floor):
        path = f"/t/{tables[0].link}"
        for name, phone in (("", ""), (", keeper's", cookie(tables[0].pen))):
            row = f"reading a table's page{name}"
            # The cookie that a phone has then, which remembers the table.
            kept = ask(connect(ours), get(path, phone))[0]["Set-Cookie"].partition(";")[0]
            mine, its = _read(ours, floor, get(path, kept), rounds)
            yield _beside_floor(row, "one row read, a ready-made page", mine, its, 0.45)


def _read(ours: Server, floor: Server, request: bytes, rounds: int) -> list[list[Cost]]:
    """Read a page again and again, and one as long that is ready-made."""
    ask(connect(floor), put(ask(connect(ours), request)))
    loads = [[request] * (READS // CONNECTIONS)] * CONNECTIONS
    its = [[get("/", "chicago=x")] * (READS // CONNECTIONS)] * CONNECTIONS
    return interleave(rounds, lambda _: measure(ours, *loads), lambda _: measure(floor, *its))


def following(rounds: int) -> Iterator[Row]:
    """Tap alone, and as the phone does: it watches its table, and fetches sheets where it needs."""
    with servers(2 * GAMES * (rounds + 1)) as (tables, ours, _):
        halves = tables[::2], tables[1::2]

        def tap(turn: int) -> Cost:
            return measure(ours, taps(halves[0][turn * GAMES : (turn + 1) * GAMES], LENGTH))

        def follow(turn: int) -> Cost:
            return _follow(ours, halves[1][turn * GAMES : (turn + 1) * GAMES])

        all_of_it, alone = interleave(rounds, follow, tap)
    yield beside("a tap with all that the phone fetches", "the tap alone", all_of_it, alone, 2.0)


def _follow(ours: Server, tables: Sequence[Table]) -> Cost:
    """The cost of a tap, its stream and its sheets together."""
    with ExitStack() as stack:
        for table in tables:
            stack.enter_context(watched(ours, f"/t/{table.link}/live", cookie(table.pen)))
        requests = [each for table in tables for each in _taps_and_sheets(table)]
        cost = measure(ours, requests)
    return replace(cost, processor=cost.processor * len(requests) / (len(tables) * LENGTH))


def _taps_and_sheets(table: Table) -> Iterator[bytes]:
    """Taps, each with the sheets that the phone fetches where it has none that say the same."""
    setup, events = long_game(LENGTH)
    states, ahead = Game(setup, tuple(events)).states(), deque([""], MOST_SHEETS)
    for tap, after in zip(taps([table], LENGTH), states[1:], strict=True):
        yield tap
        if (key := dialogs_key(after, grid_rows(after), 0)) not in ahead:
            yield get(f"/t/{table.link}/sheets", cookie(table.pen))
            ahead.append(key)


def _beside_floor(
    name: str, floor: str, mine: Sequence[Cost], its: Sequence[Cost], goal: float
) -> Row:
    """A row of the floor's processor time over ours."""
    row = beside(name, floor, mine, its, goal)
    return replace(row, figure=ratio(its, mine), at_least=True)


def beside(name: str, other: str, mine: Sequence[Cost], its: Sequence[Cost], goal: float) -> Row:
    """A row of our processor time over that of another request, latency beside it."""
    cost, bare = middle(mine), middle(its)
    return Row(
        name,
        f"{cost.processor:.0f} µs",
        f"{other}: {bare.processor:.0f} µs",
        ratio(mine, its),
        goal,
        beside=f"latency {cost.latency:.1f} of {bare.latency:.1f} ms",
    )
