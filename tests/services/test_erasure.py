"""Forgetting takes exactly what it says, also from the disk."""

from datetime import date
from pathlib import Path

import pytest

from app import store
from app.rules.errors import NotAllowed
from app.rules.gamefile import read_game
from app.services import erasure, import_export, payments, sheets, tables
from app.services.tables import NoPen, NotFound, Write
from app.store.availability import DriverError
from app.store.database import Database

NAMED = "Annabella Forsgren"


@pytest.fixture
def table(db: Database) -> Write:
    """Return a table with two games, years apart, that a person to be forgotten has played."""
    games = [read_game(_game(year)) for year in (2019, 2026)]
    return Write(import_export.open_table(db, games, f"{NAMED}s bord", "pen"), "pen")


def _game(year: int) -> dict[str, object]:
    return {
        "format": "chicago-game/1",
        "at": f"{year}-05-01T19:00:00.000+00:00",
        "players": [NAMED, "Bo"],
        "rules": {"preset": "pagat"},
        "events": [
            {"event": "best_hand", "player": NAMED, "hand": "pair", "note": f"{NAMED} log"},
            {"event": "break_off", "settle": True},
        ],
    }


def on_disk(db: Database) -> bytes:
    """Return everything that stands in the database's files."""
    return b"".join(path.read_bytes() for path in Path(db.path).parent.glob("*.db*"))


def test_a_forgotten_name_is_nowhere_and_the_scores_stay(db: Database, table: Write) -> None:
    """The name goes from every game, remark and file on disk; what was scored does not."""
    before = [
        [seat.score for seat in sheets.read_sheet(db, table.link, n).state.seats] for n in (1, 2)
    ]
    assert NAMED.encode() in on_disk(db)
    new = erasure.erase_name(db, table, NAMED, "Spelare")
    after = [sheets.read_sheet(db, table.link, n) for n in (1, 2)]
    assert new == "Spelare 1"
    assert [sheet.game.setup.players for sheet in after] == [("Spelare 1", "Bo")] * 2
    assert [[seat.score for seat in sheet.state.seats] for sheet in after] == before
    assert NAMED.encode() not in on_disk(db)


def test_other_tables_keep_the_name(db: Database, table: Write) -> None:
    """A name is forgotten at one table only."""
    other = import_export.open_table(db, [read_game(_game(2020))], "", "pen")
    erasure.erase_name(db, table, NAMED, "Spelare")
    assert sheets.read_sheet(db, other).game.setup.players == (NAMED, "Bo")


def test_what_was_recorded_is_guarded_again_afterwards(db: Database, table: Write) -> None:
    """Forgetting lifts the guards of the log only while it lasts."""
    guards = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_immutable'"
    before = db.connection.execute(guards).fetchone()
    erasure.erase_name(db, table, "Bo", "Spelare")
    assert db.connection.execute(guards).fetchone() == before != (0,)
    for change in ("events SET body = '{}'", "events SET recorded_at = ''"):
        with pytest.raises(DriverError, match="never changed"):
            db.connection.execute(f"UPDATE {change}")


def test_a_name_nobody_has_is_refused(db: Database, table: Write) -> None:
    """Who never played here cannot be forgotten, and nothing changes."""
    seq = sheets.read_sheet(db, table.link).seq
    with pytest.raises(NotAllowed, match="no_such_person"):
        erasure.erase_name(db, table, "Cilla", "Spelare")
    assert sheets.read_sheet(db, table.link).seq == seq


def test_what_is_older_goes_and_the_rest_stays(db: Database, table: Write) -> None:
    """Games begun before the day go, later ones and the newest stay, as was said before."""
    day = date(2020, 1, 1)
    assert erasure.count_before(db, table.link, day).games == 1
    erasure.delete_before(db, table, day)
    assert sheets.list_game_numbers(db, table.link) == [2]
    erasure.delete_before(db, table, date(2100, 1, 1))
    assert sheets.list_game_numbers(db, table.link) == [2]


def test_games_come_in_after_earlier_ones_went(db: Database, table: Write) -> None:
    """Games imported then are numbered on from the newest that is left."""
    erasure.delete_before(db, table, date(2020, 1, 1))
    games = [read_game(_game(year)) for year in (2001, 2002, 2003)]
    assert import_export.import_games(db, table, games) == 3
    assert sheets.list_game_numbers(db, table.link) == [2, 3, 4, 5]


def test_a_deleted_table_is_gone(db: Database, table: Write) -> None:
    """Nothing of a deleted table is left, on disk either."""
    erasure.delete_table(db, table)
    with pytest.raises(NotFound):
        sheets.read_sheet(db, table.link)
    assert NAMED.encode() not in on_disk(db)


def test_a_name_known_from_payments_alone_is_forgotten_too(db: Database, table: Write) -> None:
    """Whose games are gone may still have paid; and a label that is taken is not given again."""
    with db.transaction() as connection:
        key = tables.find_table(connection, table.link).id
        for name in ("Spelare 1", "Doris Karlsson"):
            store.people.find_or_add(connection, key, name)
    assert "Doris Karlsson" in erasure.list_names(db, table.link)
    assert erasure.erase_name(db, table, "Doris Karlsson", "Spelare") == "Spelare 2"
    assert b"Doris Karlsson" not in on_disk(db)


def test_who_only_played_before_the_day_is_not_known_any_more(db: Database, table: Write) -> None:
    """With the last game of somebody goes what the table knows of them, a number to pay to."""
    number = "0701740605"
    payments.save_swish_number(db, table, NAMED, number)
    new = _game(2027) | {"players": ["Bo", "Cilla"], "events": []}
    import_export.import_games(db, table, [read_game(new)])
    assert number.encode() in on_disk(db)
    erasure.delete_before(db, table, date(2027, 1, 1))
    assert erasure.list_names(db, table.link) == ["Bo", "Cilla"]
    assert number.encode() not in on_disk(db)
    assert b'"' + NAMED.encode() not in on_disk(db)


def test_a_games_id_may_tell_a_name_as_well(db: Database, table: Write) -> None:
    """The id that a file brought is replaced where the name stands in it."""
    import_export.import_games(db, table, [read_game(_game(2027) | {"id": f"{NAMED} 3"})])
    erasure.erase_name(db, table, NAMED, "Spelare")
    assert NAMED.encode() not in on_disk(db)


def test_a_key_is_never_given_to_another_table(db: Database, table: Write) -> None:
    """What was kept for a table that is gone is nobody else's."""
    before = tables.read_table_id(db, table.link)
    erasure.delete_table(db, table)
    link = import_export.open_table(db, [read_game(_game(2020))], "", "pen")
    assert tables.read_table_id(db, link) > before


def test_only_the_pen_forgets(db: Database, table: Write) -> None:
    """Whoever reads can take nothing away."""
    reader = Write(table.link, "another")
    with pytest.raises(NoPen):
        erasure.delete_table(db, reader)
    with pytest.raises(NoPen):
        erasure.erase_name(db, reader, "Bo", "Spelare")
    with pytest.raises(NoPen):
        erasure.delete_before(db, reader, date(2100, 1, 1))
    assert sheets.list_game_numbers(db, table.link) == [1, 2]
