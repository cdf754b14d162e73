import hashlib
from contextlib import closing
from pathlib import Path

import pytest
import sqlite_utils
from sqlite_utils import Migrations

from app.rules.edit import Operation
from app.services.edit import Edit
from app.store.database import Database
from app.store.schema import VOID as VOID_GAME
from app.store.schema import _add_void_games, m004_names, m006_edits, migrations
from tests.services.conftest import Seat

# The SHA-256 of the schema after each migration: a new one adds a line, and no line changes.
FROZEN = {
    "m001_log": "f0f6b8079b265d30bcd88bc57eb1b9443e97a6c6bae6ea0c58b74c1f623be104",
    "m002_two_versions": "9ef283ab6dd2603b0f2515b795bd61e8a8bab93338b0201a4ab59b194ba17f5b",
    "m003_ledger": "27fc78dafb7872b682544ab5ca90d60dc61ea205217dc0d8d09793ee33314a98",
    "m004_names": "27fc78dafb7872b682544ab5ca90d60dc61ea205217dc0d8d09793ee33314a98",
    "m005_notes": "00b62e880eabe2149996021cffa45e2f6479485a1053e8fc93d8b7ad5c4b7e87",
    "m006_edits": "00b62e880eabe2149996021cffa45e2f6479485a1053e8fc93d8b7ad5c4b7e87",
}


def schema(path: Path) -> list[object]:
    """Return the schema of a database."""
    with closing(sqlite_utils.Database(path)) as db:
        return db.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


def test_every_migration_runs_once_and_in_order(path: Path) -> None:
    """A database is made from nothing, and opening it again changes nothing in it."""
    Database(path).close()
    before = schema(path)
    Database(path).close()
    assert schema(path) == before
    with closing(sqlite_utils.Database(path)) as db:
        assert [migration.name for migration in migrations.applied(db)] == [*FROZEN]


def fingerprints() -> dict[str, str]:
    """Return the SHA-256 of the schema after each migration, by the migration's name."""
    db, digests = sqlite_utils.Database(memory=True, strict=True), {}
    sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    for migration in migrations.pending(db):
        migration.fn(db)
        digests[migration.name] = hashlib.sha256(
            repr(db.execute(sql).fetchall()).encode()
        ).hexdigest()
    db.close()
    return digests


def test_a_migration_that_has_run_somewhere_is_never_changed() -> None:
    """Existing databases would not follow a change of it: a change is a new migration."""
    digests = fingerprints()
    differing = [name for name, digest in FROZEN.items() if digests.get(name) != digest]
    assert not differing, f"{differing} must stay as released: write a new migration instead"
    new = {name: digest for name, digest in digests.items() if name not in FROZEN}
    assert not new, f"a new migration is frozen by a new line in FROZEN: {new}"


def test_a_migration_that_fails_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed migration leaves nothing, so that the next start begins at the same one."""
    halves = Migrations("log")

    @halves()
    def m001_half(db: sqlite_utils.Database) -> None:
        db.execute("CREATE TABLE half (a TEXT) STRICT")
        raise ZeroDivisionError

    monkeypatch.setattr("app.store.database.migrations", halves)
    with pytest.raises(ZeroDivisionError):
        Database(path)
    assert schema(path) == []


def test_a_game_broken_off_for_nothing_gets_its_seats(seat: Seat) -> None:
    """In a database from before only games that counted have seats, and the newest may go on."""
    keeper = seat(["Anna", "Bo"])
    keeper.record("Eva joins Bo 0, void")
    keeper.next_game()
    keeper.record("nobody")
    connection = keeper.db.connection
    sat = "SELECT game, seat, person, broken_off, evening FROM seats ORDER BY game, seat"
    before = connection.execute(sat).fetchall()
    connection.table("seats").delete_where()
    _add_void_games(connection)
    assert connection.execute(sat).fetchall() == before
    assert [row[:4] for row in before] == [(1, seat, seat, VOID_GAME) for seat in (1, 2, 3)]


def test_names_of_before_are_as_they_are_read_now(seat: Seat) -> None:
    """The same letters are the same name; whose is another's by that gets a number."""
    keeper = seat(["Anna", "Bo", "Cilla", "Dan", "Eva"])
    keeper.record("Anna pair")
    old = ["Bo", "A\u030asa", "\u200b", "Bo\u200b", "\u0958" * 40]
    sql = "UPDATE people SET name = ? WHERE number = ?"
    for number, name in enumerate(old, start=1):
        keeper.db.connection.execute(sql, [name, number])
    m004_names(sqlite_utils.Database(keeper.db.connection.conn))
    keeper.restart()
    *players, long = keeper.view.state.seats
    assert [seat.name for seat in players] == ["Bo", "Åsa", "?", "Bo 2"]
    assert (len(long.name), players[0].score) == (40, 1)


def test_a_game_that_was_otherwise_is_read_from_before(seat: Seat) -> None:
    """Two kinds of change became one: the games, and a phone's other version, are the same."""
    keeper = seat(["Anna", "Bo"])
    keeper.record("Anna pair, Bo pair")
    keeper.commit(Edit(1, [Operation("remove", 0)]))
    keeper.commit(Edit(agreed={"stake_ore": 7}, names={"Bo": "Bosse"}))
    before = keeper.view
    connection = keeper.db.connection
    for kind, of_game in (("mend", "game > 0"), ("revise", "game = 0")):
        sql = f"UPDATE changes SET kind = ? WHERE kind = 'edit' AND {of_game}"  # ours
        connection.execute(sql, [kind])
    connection.execute("""UPDATE tables SET parted = '{"rows":[{"seq":1,"kind":"mend"}]}'""")
    m006_edits(sqlite_utils.Database(connection.conn))
    assert connection.execute("SELECT parted FROM tables").fetchone()[0].count('"kind":"edit"') == 1
    connection.newest.clear()
    assert keeper.view == before
