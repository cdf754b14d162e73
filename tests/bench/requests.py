"""Rows about single requests, beside the barest view that could answer them.

Recording, reading, a tap's page, a tap late in a game, and one in a large database.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from operator import attrgetter
from pathlib import Path

from msgspec.structs import replace

from app.rules.events import write_event
from app.web.table.grid import event_value
from tests.bench import served
from tests.bench.filling import Filling, Table, cookie, filling
from tests.bench.load import (
    Connection,
    Cost,
    call,
    form,
    get,
    interleave,
    measure,
    middle,
    put,
    ratio,
)
from tests.bench.long_game import long_game
from tests.bench.row import Row
from tests.bench.served import Served

PROCESSOR, RATE, LATENCY = attrgetter("processor"), attrgetter("rate"), attrgetter("latency")
CONNECTIONS, GAMES, LENGTH = 4, 4, 40
# A table in the middle of an evening, as somebody looks at it.
MIDDLE, READS = 20, 500
LATE, TABLES = 400, 150
FEW, MANY, GAMES_OF_A_TABLE, SHORT = 10, 100_000, 50, 12


@contextmanager
def servers(fill: Callable[[Filling], None]) -> Iterator[tuple[Served, Served]]:
    """Serve a filled database, and the floor beside it."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        with filling(folder) as into:
            fill(into)
        ours = stack.enter_context(served.ours(folder))
        yield ours, stack.enter_context(served.floor(folder))


def calls(tables: Sequence[Table], first: int, count: int, query: str = "") -> list[bytes]:
    """Record the events of the long game from the `first` on, at each table, over the API."""
    _, events = long_game(first + count)
    raw = [write_event(event) for event in events[first:]]
    return [
        call(f"/api/tables/{table.link}/events{query}", event, table.pen)
        for table in tables
        for event in raw
    ]


def taps(tables: Sequence[Table], first: int, count: int, phone: str) -> list[bytes]:
    """Record the same as taps of a phone, whose cookie it is."""
    _, events = long_game(first + count)
    values = [event_value(event) for event in events[first:]]
    return [
        form(f"/t/{table.link}/events", {"seq": str(table.seq + n), "event": value}, phone)
        for table in tables
        for n, value in enumerate(values)
    ]


def inserts(count: int) -> list[bytes]:
    """As many durable inserts, of what an event is in the database."""
    return [call("/insert", {"event": "best_hand", "player": 1, "hand": "pair"})] * count


def recording(rounds: int) -> Iterator[Row]:
    """Record games over the API on a few connections; the floor inserts as often."""
    tables: list[Table] = []
    each, per_round = GAMES * LENGTH, GAMES * CONNECTIONS
    with servers(lambda into: tables.extend(into.add_tables(per_round * (rounds + 1), 0))) as (
        ours,
        floor,
    ):

        def record(turn: int) -> Cost:
            mine = tables[turn * per_round : (turn + 1) * per_round]
            loads = (calls(mine[n::CONNECTIONS], 0, LENGTH) for n in range(CONNECTIONS))
            return measure(ours, *loads)

        def insert(_: int) -> Cost:
            return measure(floor, *[inserts(each)] * CONNECTIONS)

        mine, its = interleave(rounds, record, insert)
    yield _beside_floor("recording (API)", "one durable insert", mine, its, 0.60)


def reading(rounds: int) -> Iterator[Row]:
    """Read a table's page, as somebody without the pen and as who keeps it."""
    tables: list[Table] = []
    with servers(lambda into: tables.extend(into.add_tables(1, MIDDLE))) as (ours, floor):
        path = f"/t/{tables[0].link}"
        for name, phone in (("", ""), (", keeper's", cookie(tables[0].pen))):
            row = f"reading a table's page{name}"
            again = get(path, _cookie_of(ours, get(path, phone)))
            mine, its = _read(ours, floor, again, rounds)
            yield _beside_floor(row, "one row read, a ready-made page", mine, its, 0.45)


def _cookie_of(server: Served, request: bytes) -> str:
    """The cookie that a phone has once it was shown the page, which remembers the table."""
    connection = Connection(server)
    kept = connection.send(request).headers["set-cookie"].partition(";")[0]
    connection.close()
    return kept


def _read(ours: Served, floor: Served, request: bytes, rounds: int) -> list[list[Cost]]:
    """Read a page again and again, and one as long that is ready-made."""
    connection = Connection(ours)
    page = connection.send(request)
    connection.close()
    connection = Connection(floor)
    connection.send(put(page))
    connection.close()
    loads = [[request] * (READS // CONNECTIONS)] * CONNECTIONS
    its = [[get("/", "chicago=x")] * (READS // CONNECTIONS)] * CONNECTIONS
    return interleave(rounds, lambda _: measure(ours, *loads), lambda _: measure(floor, *its))


def tapping(rounds: int) -> Iterator[Row]:
    """Tap one after the other, the floor inserting in turn: how long the page takes."""
    tables: list[Table] = []
    with servers(lambda into: tables.extend(into.add_tables(GAMES * (rounds + 1), 0))) as (
        ours,
        floor,
    ):
        phone = cookie(tables[0].pen)

        def tap(turn: int) -> Cost:
            return measure(ours, taps(tables[turn * GAMES : (turn + 1) * GAMES], 0, LENGTH, phone))

        mine, its = interleave(rounds, tap, lambda _: measure(floor, inserts(GAMES * LENGTH)))
    figure, cost, bare = ratio(LATENCY, mine, its), middle(mine), middle(its)
    yield Row(
        "a tap's page, median latency",
        f"{cost.latency:.2f} ms",
        f"one durable insert: {bare.latency:.2f} ms",
        figure,
        2.0,
        beside=f"{cost.processor:.0f} µs of processor, the floor {bare.processor:.0f} µs",
    )


def late(rounds: int) -> Iterator[Row]:
    """Record the 400th event of games that are going on, in turn with the first of others."""
    early, older = list[Table](), list[Table]()
    kinds = ("a tap by form", "a call of the API", "a call without its history")
    count = len(kinds) * TABLES * (rounds + 1)

    def fill(into: Filling) -> None:
        early.extend(into.add_tables(count, 0))
        older.extend(into.add_tables(count, LATE - 2))

    with servers(fill) as (ours, _):
        phone = cookie(early[0].pen)
        for kind, name in enumerate(kinds):

            def record(tables: list[Table], first: int, turn: int, kind: int = kind) -> Cost:
                at = (len(kinds) * turn + kind) * TABLES
                mine = tables[at : at + TABLES]
                if first:
                    # The event before; only after a start is a game read whole.
                    measure(ours, calls(mine, first - 1, 1))
                    mine = [replace(table, seq=table.seq + 1) for table in mine]
                if kind == 0:
                    return measure(ours, taps(mine, first, 1, phone))
                return measure(ours, calls(mine, first, 1, "" if kind == 1 else "?history=0"))

            lasts, firsts = interleave(
                rounds, partial(record, older, LATE - 1), partial(record, early, 0)
            )
            yield beside(f"the {LATE}th of a game: {name}", "the first", lasts, firsts, 1.1)


def many_games(rounds: int) -> Iterator[Row]:
    """Tap at a table among 100 000 games, in turn with one among 10."""
    with ExitStack() as stack:
        measures = [_tap_among(stack, count) for count in (MANY, FEW)]
        many, few = interleave(rounds, *measures)
    name = f"a tap in a database of {MANY:,} games".replace(",", " ")
    yield beside(name, f"of {FEW}", many, few, 1.1)


def _tap_among(stack: ExitStack, games: int) -> Callable[[int], Cost]:
    """Serve so many games, and return how a round of taps at a few of their tables is measured."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    each = max(1, games * GAMES_OF_A_TABLE // MANY)
    with filling(folder) as into:
        tables = into.add_tables(games // each, SHORT, each)
    ours = stack.enter_context(served.ours(folder))
    phone, chosen = cookie(tables[0].pen), tables[:: len(tables) // GAMES][:GAMES]
    return lambda turn: measure(ours, there_and_back(chosen, turn, GAMES * LENGTH, phone))


def there_and_back(tables: Sequence[Table], turn: int, count: int, phone: str) -> list[bytes]:
    """Tap and undo at some tables, so often that each game stays as long as it was."""
    _, events = long_game(SHORT + 1)
    value, each = event_value(events[-1]), count // len(tables)
    requests = []
    for table in tables:
        for n in range(table.seq + turn * each, table.seq + (turn + 1) * each, 2):
            fields = {"seq": str(n), "event": value}
            requests.append(form(f"/t/{table.link}/events", fields, phone))
            requests.append(form(f"/t/{table.link}/undo", {"seq": str(n + 1)}, phone))
    return requests


def _beside_floor(
    name: str, floor: str, mine: Sequence[Cost], its: Sequence[Cost], goal: float
) -> Row:
    """A row of the floor's processor time over ours, throughput and latency beside it."""
    cost, bare = middle(mine), middle(its)
    rates = f"throughput {ratio(RATE, mine, its):.2f}: {cost.rate:.0f} of {bare.rate:.0f} a second"
    waits = f"latency {cost.latency:.1f} of {bare.latency:.1f} ms with {CONNECTIONS} at a time"
    row = beside(name, floor, mine, its, goal)
    figure = ratio(PROCESSOR, its, mine)
    return replace(row, figure=figure, at_least=True, beside=f"{rates}; {waits}")


def beside(name: str, other: str, mine: Sequence[Cost], its: Sequence[Cost], goal: float) -> Row:
    """A row of our processor time over that of another request, latency beside it."""
    cost, bare = middle(mine), middle(its)
    times = f"{cost.latency:.1f} of {bare.latency:.1f} ms"
    return Row(
        name,
        f"{cost.processor:.0f} µs",
        f"{other}: {bare.processor:.0f} µs",
        ratio(PROCESSOR, mine, its),
        goal,
        beside=f"latency {ratio(LATENCY, mine, its):.2f}: {times}",
    )
