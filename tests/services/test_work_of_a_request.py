"""What a request costs, counted where no clock is needed: early in a game and late in it.

Each limit is what it is today: a change that takes less lowers it, and none may take more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import pytest
from flask import Flask, template_rendered
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.test import TestResponse

from app import create_app
from app.http import context
from app.rules import game
from app.rules.events import Event, write_event
from app.rules.state import GameState
from app.services import play
from app.store.database import Database
from app.web.table.event_form import event_value
from tests.bench.filling import Filling, Table
from tests.bench.load import PHONE
from tests.bench.long_game import long_game
from tests.empty_database import copy_empty_database

Send = Callable[[FlaskClient, Table, Event], TestResponse]


class Work(msgspec.Struct):
    """What a request takes: SQL statements, rows that come of them, events folded, bytes sent."""

    statements: int = 0
    rows: int = 0
    folded: int = 0
    sent: int = 0


def tap(client: FlaskClient, table: Table, event: Event) -> TestResponse:
    """Tap a cell, as htmx sends it."""
    form = {"seq": str(table.seq), "event": event_value(event)}
    headers = {**PHONE, "HX-Request": "true"}
    return client.post(f"/t/{table.link}/events", data=form, headers=headers)


def undo(client: FlaskClient, table: Table, _: Event) -> TestResponse:
    """Tap on undo."""
    headers = {**PHONE, "HX-Request": "true"}
    return client.post(f"/t/{table.link}/undo", data={"seq": str(table.seq)}, headers=headers)


def call(client: FlaskClient, table: Table, event: Event) -> TestResponse:
    """Record through the API."""
    headers = {**PHONE, "Authorization": f"Bearer {table.pen}"}
    url = f"/api/tables/{table.link}/events"
    return client.post(url, json=write_event(event), headers=headers)


def look(path: str = "") -> Send:
    """Look at a page of the table."""
    return lambda client, table, _: client.get(f"/t/{table.link}{path}", headers=PHONE)


def read(client: FlaskClient, table: Table, _: Event) -> TestResponse:
    """Look at the table's page on a phone that has no pen."""
    return client.application.test_client().get(f"/t/{table.link}", headers=PHONE)


@contextmanager
def counted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    """Count the work of what is asked within."""
    work, apply = Work(), game.apply
    db: Database = app.extensions["db"]

    def count_statement(_: str) -> None:
        work.statements += 1

    def count_row(_: object, row: tuple[object, ...]) -> tuple[object, ...]:
        work.rows += 1
        return row

    def count_event(state: GameState, event: Event) -> GameState:
        work.folded += 1
        return apply(state, event)

    database = db.connection.conn
    database.set_trace_callback(count_statement)
    database.row_factory = count_row
    # Where a whole game is folded, and where the next event is.
    for folding in (game, play):
        monkeypatch.setattr(folding, "apply", count_event)
    yield work
    for folding in (game, play):
        monkeypatch.setattr(folding, "apply", apply)
    database.set_trace_callback(None)
    database.row_factory = None


def count_work(
    app: Flask, monkeypatch: pytest.MonkeyPatch, send: Callable[[], TestResponse]
) -> Work:
    """Count the work of one request that is carried out."""
    with counted(app, monkeypatch) as work:
        answer = send()
    assert answer.status_code in (200, 201), answer.text
    work.sent = len(answer.data)
    return work


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Return one application for all that is counted here: none of it depends on the others."""
    path = copy_empty_database(tmp_path_factory.mktemp("work") / "chicago.db")
    return create_app({"TESTING": True, "DATABASE": str(path)})


@pytest.fixture
def seat(app: Flask, client: FlaskClient) -> Callable[[int], Table]:
    """Return a way to open a table that this client keeps, some way into its game."""

    def sit(events: int) -> Table:
        with app.app_context():
            db: Database = context.db()
        with db.transaction() as connection:
            table = Filling(connection, events).add_table(events)
        with client.session_transaction() as cookie:
            cookie["pen"] = table.pen
        return table

    return sit


@pytest.mark.parametrize(
    ("send", "before", "most"),
    [
        pytest.param(tap, 9, Work(10, 4, 1, 1550), id="the 10th tap"),
        pytest.param(tap, 399, Work(10, 4, 1, 1700), id="the 400th tap"),
        pytest.param(undo, 399, Work(11, 5, 0, 1650), id="undo of the 399th tap"),
        pytest.param(call, 399, Work(6, 3, 1, 1190), id="the 400th call"),
        pytest.param(look(), 399, Work(5, 3, 0, 2900), id="the table's page"),
        pytest.param(read, 399, Work(5, 3, 0, 4000), id="a reader's page"),
        pytest.param(look("/protocol"), 399, Work(9, 5, 0, 4100), id="the score sheet"),
    ],
)
def test_a_request_takes_no_more_than_it_did(
    app: Flask,
    client: FlaskClient,
    seat: Callable[[int], Table],
    monkeypatch: pytest.MonkeyPatch,
    send: Send,
    before: int,
    most: Work,
) -> None:
    """Statements, rows, events and bytes, each within its limit; bytes with some room for links.

    It comes after another change: early in a game and late in it, only what is new is read.
    """
    *_, last, event = long_game(before + 1)[1]
    table = seat(before - 1)
    assert call(client, table, last).status_code == 201
    table = replace(table, seq=table.seq + 1)
    work = count_work(app, monkeypatch, lambda: send(client, table, event))
    for name in Work.__struct_fields__:
        assert getattr(work, name) <= getattr(most, name), (name, work)
    assert work.statements
    assert work.sent


def test_after_a_start_a_game_is_read_whole(
    app: Flask, client: FlaskClient, seat: Callable[[int], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once: its events, and nothing else that was recorded."""
    table, event = seat(399), long_game(400)[1][-1]
    work = count_work(app, monkeypatch, lambda: tap(client, table, event))
    assert (work.statements, work.rows, work.folded) == (11, 403, 400)


@pytest.mark.parametrize("send", [look(), read], ids=["whoever writes", "a reader"])
def test_a_page_that_is_cached_takes_next_to_nothing(
    app: Flask,
    client: FlaskClient,
    seat: Callable[[int], Table],
    monkeypatch: pytest.MonkeyPatch,
    send: Send,
) -> None:
    """Whose table it is, and of what version, is read each time; no game is, and no template."""
    table, event = seat(399), long_game(400)[1][-1]
    first = send(client, table, event)
    rendered: list[object] = []
    with (
        template_rendered.connected_to(lambda _, **about: rendered.append(about), app),
        counted(app, monkeypatch) as work,
    ):
        again = send(client, table, event)
    assert again.data == first.data
    assert (work.statements, work.rows, work.folded, rendered) == (1, 1, 0, [])
