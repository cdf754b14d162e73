"""What a phone has of the server's tables: all that belongs to them, and only what is new."""

from __future__ import annotations

import json
from typing import Any

from app.phone import sync
from app.services import tables
from app.store import copies
from app.store.connection import Connection
from app.store.database import Database
from tests.services.keeper import NOBODY, SETTLE, best_hand, correction, last_trick
from tests.sync.evenings import copy_of
from tests.sync.phones import Phone, pool_of

PLAYERS = ["Anna", "Bo", "Cilla"]
# What a copy of a table leaves out, as it is of one phone or one server alone.
LEFT_OUT = {
    *("pens", "pen_links", "recovery_links", "idempotency_keys", "receipts"),
    *("replicas", "outbox", "erasures"),
}
# And of what it has, keys of rows, and what is told otherwise.
KEYS = {"id", "table_id", "game_id", "event_id", "amendment_id", "link_hash", "written_by"}


def open_there(phone: Phone, *events: dict[str, object]) -> str:
    """Open a table on the server, and record something there."""
    answer = phone.there.post("/", data={"player": PLAYERS, "stake": "1"})
    link = answer.headers["Location"].removeprefix("/t/")
    for event in events:
        tap_there(phone, link, event)
    return link


def tap_there(phone: Phone, link: str, event: dict[str, object]) -> None:
    """Record something on the server."""
    send_there(phone, link, "/events", event=json.dumps(event))


def send_there(phone: Phone, link: str, path: str, **fields: str) -> None:
    """Send a form to the server."""
    data = {"seq": str(phone.server_sheet(link).seq), **fields}
    assert phone.there.post(f"/t/{link}{path}", data=data).status_code == 303


def fetch(phone: Phone) -> dict[str, Any]:
    """Return what the server has for a phone, as it asks for it."""
    with phone.worker():
        asked = sync.have()
    answer = phone.there.post("/offline/replicas", data=asked, content_type="application/json")
    told: dict[str, Any] = json.loads(answer.text)
    return told


def test_a_copy_has_every_column_of_a_table_or_it_is_said_why_not(phone: Phone) -> None:
    """A column that a migration adds is to be judged: does it belong to the table?"""
    db = pool_of(phone.server)
    fall = (correction("Anna", 52), NOBODY, NOBODY, last_trick("Bo"), NOBODY)
    link = open_there(phone, *fall, SETTLE)
    send_there(phone, link, "/evening/all", way="cash")
    with db.transaction() as connection:
        row = tables.find_table(connection, link)
        copied = copies.read(connection, row.id)
        other = tables.add_table(connection, tables.new_link(), "", "pen")
        copies.write(connection, other, copied)
        assert copies.read(connection, other.id) == copied
        assert columns_that_differ(db, row.id, other.id) == set()


def columns_that_differ(db: Database, one: int, other: int) -> set[str]:
    """Return the columns in which the rows of two tables differ, of all that belongs to them."""
    connection = db.connection
    differing = set()
    for name in {*connection.table_names()} - LEFT_OUT - {"tables"}:
        found = {column.name for column in connection[name].columns}
        if not found & {"table_id", "game_id", "amendment_id"}:
            continue
        for column in found - KEYS - {"after_id", "same_as", "payer", "payee"}:
            values = [list(_values(connection, name, column, found, key)) for key in (one, other)]
            if values[0] != values[1]:
                differing.add(f"{name}.{column}")
    return differing


def _values(db: Connection, name: str, column: str, found: set[str], table_id: int) -> list[object]:
    of_games = "game_id IN (SELECT id FROM games WHERE table_id = ?)"
    where = "table_id = ?" if "table_id" in found else of_games
    if not found & {"table_id", "game_id"}:
        where = f"amendment_id IN (SELECT id FROM amendments WHERE {where})"
    sql = f"SELECT {column} FROM {name} WHERE {where} ORDER BY rowid"
    if name == "replacements":
        sql = sql.replace("rowid", "1")
    return [value for (value,) in db.execute(sql, [table_id]).fetchall()]


def test_what_was_erased_on_the_server_is_erased_on_the_phone(phone: Phone) -> None:
    """A name, out of every game and everything else."""
    link = open_there(phone, SETTLE)
    send_there(phone, link, "/games")
    phone.refresh()
    form = {"what": "name", "name": "Bo", "sure": "1"}
    assert phone.there.post(f"/t/{link}/forget", data=form).status_code == 303
    phone.refresh()
    assert copy_of(phone, link, there=False) == copy_of(phone, link, there=True)
    with pool_of(phone.app).snapshot() as connection:
        rows = connection.execute("SELECT setup FROM games").fetchall()
    assert not any('"Bo"' in setup for (setup,) in rows)


def test_nobodys_pen_and_no_recovery_link_comes_to_a_phone(phone: Phone) -> None:
    """The phone writes with a pen of its own."""
    link = open_there(phone)
    phone.there.post(f"/t/{link}/pen", data={"seq": "1"})
    phone.there.post(f"/t/{link}/recovery", data={"seq": "1"})
    with pool_of(phone.server).snapshot() as connection:
        rows = connection.execute("SELECT secret_hash FROM pens").fetchall()
    text = json.dumps(fetch(phone))
    phone.refresh()
    with pool_of(phone.app).snapshot() as connection:
        assert not any(secret in text for (secret,) in rows)
        assert connection.execute("SELECT COUNT(*) FROM recovery_links").fetchone() == (0,)
        pens = connection.execute("SELECT secret_hash FROM pens").fetchall()
    assert not {secret for (secret,) in rows} & {secret for (secret,) in pens}


def test_a_replica_that_comes_late_changes_nothing_that_waits(phone: Phone) -> None:
    """It was fetched before the phone played on."""
    link = open_there(phone)
    phone.refresh()
    tap_there(phone, link, NOBODY)
    told = json.dumps(fetch(phone))
    phone.refresh()
    phone.tap(link, best_hand("Bo"))
    before = copy_of(phone, link, there=False)
    with phone.worker():
        sync.import_replicas(told)
    assert copy_of(phone, link, there=False) == before


def test_what_the_server_has_said_yes_to_is_not_handed_over(phone: Phone) -> None:
    """It is carried out here so that the phone has it, before the replica comes."""
    link = open_there(phone)
    phone.refresh()
    form = {"seq": "1", "event": json.dumps(NOBODY)}
    assert phone.there.post(f"/t/{link}/events", data=form).status_code == 303
    headers = {"X-Acknowledged": "1"}
    assert phone.here.post(f"/t/{link}/events", data=form, headers=headers).status_code == 303
    assert phone.status()["waiting"] == 0
    phone.tap(link, best_hand("Anna"))
    assert phone.hand_over() == [200]
    assert phone.server_sheet(link) == phone.sheet(link)
