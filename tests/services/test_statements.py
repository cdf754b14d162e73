"""A change reads each row once: how many SQL statements it takes, from request to answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.store.database import Pool
from tests.services.keeper import NOBODY, SETTLE, last_trick

MOST = 12
# Where a game ends, or is taken up again: the statistics of the game and of its month besides.
MOST_AT_END = 19
HTMX = {"HX-Request": "true"}


@pytest.fixture
def link(client: FlaskClient) -> str:
    """Return the link of a table that this client has opened, in the middle of a deal."""
    form = {"player": ["Anna", "Bo", "Cilla"], "preset": "huvudregler"}
    link = client.post("/", data=form).headers["Location"].removeprefix("/t/")
    for seq in (1, 2):
        assert tap(client, link, seq, NOBODY) == 200
    return link


def tap(client: FlaskClient, link: str, seq: int, event: dict[str, object]) -> int:
    """Tap a cell, as htmx sends it; return the status of the answer."""
    form = {"seq": str(seq), "event": json.dumps(event)}
    return client.post(f"/t/{link}/events", data=form, headers=HTMX).status_code


def step(client: FlaskClient, link: str, seq: int, path: str) -> int:
    """Undo or redo, as htmx sends it; return the status of the answer."""
    return client.post(f"/t/{link}/{path}", data={"seq": str(seq)}, headers=HTMX).status_code


@contextmanager
def statements(app: Flask, most: int = MOST) -> Iterator[list[str]]:
    """Collect every statement that a request executes, and hold them against the most."""
    pool: Pool = app.extensions["pool"]
    seen: list[str] = []
    pool.connection.conn.set_trace_callback(seen.append)
    pool.release()
    yield seen
    pool.connection.conn.set_trace_callback(None)
    pool.release()
    assert 0 < len(seen) <= most, "\n".join(seen)


def test_a_tap_takes_few_statements(app: Flask, client: FlaskClient, link: str) -> None:
    """Recording on the page, begin and commit included."""
    with statements(app):
        assert tap(client, link, 3, last_trick("Bo")) == 200


def test_undo_and_redo_take_few_statements(app: Flask, client: FlaskClient, link: str) -> None:
    """There and back, and when something else is recorded instead."""
    for seq, path in ((3, "undo"), (4, "redo"), (5, "undo")):
        with statements(app):
            assert step(client, link, seq, path) == 200
    with statements(app):
        assert tap(client, link, 6, NOBODY) == 200


def test_the_end_of_a_game_takes_few_statements(app: Flask, client: FlaskClient, link: str) -> None:
    """However many played, a game's statistics and its month's are a few statements more."""
    with statements(app, MOST_AT_END):
        assert tap(client, link, 3, SETTLE) == 200
    with statements(app, MOST_AT_END):
        assert step(client, link, 4, "undo") == 200


def test_a_tap_sent_again_takes_few_statements(app: Flask, client: FlaskClient, link: str) -> None:
    """A repetition is known before anything else is read, and shown the table as it stands."""
    for _ in range(2):
        with statements(app):
            assert tap(client, link, 3, last_trick("Bo")) == 200


def test_a_call_takes_few_statements(app: Flask, client: FlaskClient, link: str) -> None:
    """Recording through the API under an idempotency key."""
    with client.session_transaction() as cookie:
        headers = {"Authorization": f"Bearer {cookie['pen']}", "Idempotency-Key": "k"}
    with statements(app):
        url, event = f"/api/tables/{link}/events", last_trick("Bo")
        assert client.post(url, json=event, headers=headers).status_code == 201
