"""Rows about a table's past: a tap and the pages of a table of 3 000 games, beside one of ten."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from app.web.table.grid import event_value
from tests.bench import served
from tests.bench.filling import Table, cookie, filling
from tests.bench.load import Cost, form, get, interleave, measure, middle, watched
from tests.bench.long_game import long_game
from tests.bench.requests import beside
from tests.bench.row import Row
from tests.bench.served import Served

MANY, FEW, SHORT, TAPS, PAGES = 3_000, 10, 12, 200, 5
# The promise, in milliseconds of processor time.
MOST = 250
MILLISECOND = 1000


def tables(stack: ExitStack) -> tuple[Served, list[Table]]:
    """Serve a table of many games and one of few."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    with filling(folder) as into:
        both = [into.add_table(SHORT, games, over=True) for games in (MANY, FEW)]
    return stack.enter_context(served.ours(folder)), both


def tap(rounds: int) -> Iterator[Row]:
    """Tap while a phone looks at the evening."""
    with ExitStack() as stack:
        server, both = tables(stack)
        costs = [_tap(server, table) for table in both]
        many, few = interleave(rounds, *costs)
    yield beside(f"a tap, evening watched, {MANY} games", f"of {FEW}", many, few, 1.1)


def _tap(server: Served, table: Table) -> Callable[[int], Cost]:
    def measured(turn: int) -> Cost:
        with watched(server, f"/t/{table.link}/evening/live"):
            return measure(server, _there_and_back(table, turn))

    return measured


def _there_and_back(table: Table, turn: int) -> list[bytes]:
    """Tap and undo, so often that the game stays as long as it was."""
    _, events = long_game(SHORT + 1)
    value, phone, first = event_value(events[-1]), cookie(table.pen), table.seq + turn * TAPS
    requests = []
    for seq in range(first, first + TAPS, 2):
        fields = {"seq": f"{seq}", "event": value}
        requests.append(form(f"/t/{table.link}/events", fields, phone))
        requests.append(form(f"/t/{table.link}/undo", {"seq": f"{seq + 1}"}, phone))
    return requests


def pages(rounds: int) -> Iterator[Row]:
    """Look at the pages of the past, made anew after each payment, which is counted too."""
    for page in ("evening", "money", "years", "games", "people"):
        with ExitStack() as stack:
            server, both = tables(stack)
            costs = [_look(server, table, page) for table in both]
            many, few = map(middle, interleave(rounds, *costs))
        yield Row(
            f"/{page} of {MANY} games, ms",
            f"{many.processor / MILLISECOND:.1f} ms",
            f"of {FEW}: {few.processor / MILLISECOND:.1f} ms",
            many.processor / MILLISECOND,
            MOST,
        )


def _look(server: Served, table: Table, page: str) -> Callable[[int], Cost]:
    seqs = count(table.seq)
    fields = {"payer": "1", "payee": "2", "amount": "1", "way": "cash"}

    def measured(_: int) -> Cost:
        requests: list[bytes] = []
        for _, seq in zip(range(PAGES), seqs, strict=False):
            values = {**fields, "seq": str(seq)}
            requests.append(form(f"/t/{table.link}/evening/advance", values, cookie(table.pen)))
            requests.append(get(f"/t/{table.link}/{page}"))
        cost = measure(server, requests)
        # Of a page and its payment together.
        return Cost(2 * cost.processor, cost.rate, cost.latency)

    return measured
