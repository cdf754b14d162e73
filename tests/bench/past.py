"""Rows about a table's past: a tap and the pages of a table of 3 000 games, beside one of ten."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, islice
from pathlib import Path

from msgspec.structs import replace

from app.web.grid import event_value
from tests.bench.filling import Table, cookie, fill
from tests.bench.load import Cost, form, get, interleave, measure, middle, watched
from tests.bench.long_game import long_game
from tests.bench.requests import beside
from tests.bench.row import Row
from tests.bench.served import ours
from tests.browser.serving import Server

MANY, FEW, SHORT, TAPS, PAGES = 3_000, 10, 12, 200, 5
# The promise, in milliseconds of processor time.
MOST = 250


@contextmanager
def tables() -> Iterator[tuple[Server, list[Table]]]:
    """Serve a table of many games and one of few."""
    with tempfile.TemporaryDirectory() as name:
        both = [fill(Path(name), 1, SHORT, games)[0] for games in (MANY, FEW)]
        with ours(Path(name)) as server:
            yield server, both


def tap(rounds: int) -> Iterator[Row]:
    """Tap while a phone looks at the evening."""
    with tables() as (server, both):
        many, few = interleave(rounds, *(partial(_tap, server, table) for table in both))
    yield beside(f"a tap, evening watched, {MANY} games", f"of {FEW}", many, few, 1.1)


def _tap(server: Server, table: Table, turn: int) -> Cost:
    with watched(server, f"/t/{table.link}/evening/live"):
        return measure(server, _there_and_back(table, turn))


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
    with tables() as (server, both):
        versions = [(table, count(table.seq)) for table in both]
        for page in ("evening", "money", "years", "games", "people"):
            costs = [partial(_look, server, page, *each) for each in versions]
            many, few = (middle(each).processor / 1000 for each in interleave(rounds, *costs))
            against = f"of {FEW}: {few:.1f} ms"
            yield Row(f"/{page} of {MANY} games, ms", f"{many:.1f} ms", against, many, MOST)


def _look(server: Server, page: str, table: Table, versions: Iterator[int], _: int) -> Cost:
    fields = {"payer": "1", "payee": "2", "amount": "1", "way": "cash"}
    requests: list[bytes] = []
    for seq in islice(versions, PAGES):
        values, path = {**fields, "seq": f"{seq}"}, f"/t/{table.link}/evening/advance"
        requests += form(path, values, cookie(table.pen)), get(f"/t/{table.link}/{page}")
    cost = measure(server, requests)
    # Of a page and its payment together.
    return replace(cost, processor=2 * cost.processor)
