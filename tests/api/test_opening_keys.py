"""Keys that opened a table: the same client soon gets its pen again, and nobody else does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from werkzeug.test import TestResponse

from app.http.application import Application
from app.services import pens
from app.services.tables import Write
from app.store import clock
from app.store.database import Database
from tests.api.calling import PLAYERS, Caller, Table, error

SHORT, LONG = "1", "c0ffee00-1234-4f5e"
MINUTE = 60


def opening(caller: Caller, key: str = LONG, **headers: str) -> TestResponse:
    """Request a table of four."""
    return caller.call("POST", "/api/tables", {"players": PLAYERS}, key=key, headers=headers)


def tables(app: Application) -> int:
    """Return the number of tables."""
    db: Database = app.database
    count = db.connection.execute("SELECT COUNT(*) FROM tables").fetchone()[0]
    return int(count)


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock."""
    let_pass(monkeypatch, 0)


def let_pass(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Advance the clock, and stop it there."""
    then = clock.moment() + timedelta(seconds=seconds)
    monkeypatch.setattr(clock, "moment", lambda: then)


STRANGERS = [
    {"User-Agent": "another/1.0"},
    {"Accept": "application/json"},
    {"Accept-Language": "sv"},
    {"Authorization": "Bearer pen-of-another-table"},
]


@pytest.mark.parametrize("headers", STRANGERS, ids=lambda headers: next(iter(headers)))
@pytest.mark.parametrize("key", [SHORT, LONG])
def test_a_stranger_behind_the_same_address_opens_a_table_of_their_own(
    caller: Caller, key: str, headers: dict[str, str]
) -> None:
    """The same key and body from another program gives another link and another pen."""
    key = f"{key} {next(iter(headers))}"
    mine, theirs = opening(caller, key).get_json(), opening(caller, key, **headers).get_json()
    assert {mine["table"], mine["pen"]}.isdisjoint({theirs["table"], theirs["pen"]})
    assert opening(caller, key).get_json() == mine
    assert opening(caller, key, **headers).get_json() == theirs


@pytest.mark.parametrize(("key", "minutes"), [(SHORT, 1), (LONG, 10)])
def test_a_pen_is_told_again_only_soon(
    app: Application, caller: Caller, monkeypatch: pytest.MonkeyPatch, key: str, minutes: int
) -> None:
    """A lost answer is repeated at once; later it is 422, and no second table is opened."""
    key = f"{key} soon"
    first, count = opening(caller, key), tables(app)
    let_pass(monkeypatch, minutes * MINUTE - 5)
    assert opening(caller, key).data == first.data
    let_pass(monkeypatch, 10)
    late = opening(caller, key)
    assert error(late) == (422, "not_allowed")
    assert first.get_json()["pen"] not in late.text
    assert "use a new key" in late.text
    assert tables(app) == count


def test_a_pen_that_was_taken_back_is_not_told_again(app: Application, caller: Caller) -> None:
    """The pen no longer writes, so that the repeated answer would be wrong."""
    reply = opening(caller, "taken back at once").get_json()
    table = Table(caller, reply["table"], reply["pen"])
    db: Database = app.database
    secret = pens.hand_over(db, Write(table.link, table.pen))
    pens.take(db, table.link, secret, "another pen")
    pens.take_back(db, Write(table.link, "another pen"))
    assert error(opening(caller, "taken back at once")) == (422, "not_allowed")
