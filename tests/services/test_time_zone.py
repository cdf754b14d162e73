"""The configured time zone: stored data follow it, and only a zone is one."""

import io
import zipfile
from collections.abc import Callable
from contextlib import closing
from unittest.mock import Mock

import pytest

from app.services import access, figures, import_export, ledger
from app.store import clock, database
from app.store.database import Database
from tests.services.keeper import PLAYERS, game_from
from tests.told import told

SetZone = Callable[[str], None]
# The last evening of October in Stockholm; in Helsinki it is past five in the morning.
NIGHT, AFTERNOON = "2025-11-01T03:30:00+00:00", "2025-10-30T13:00:00+00:00"
HELSINKI = "Europe/Helsinki"


@pytest.fixture
def link(db: Database) -> str:
    """Return the link of a table with a game of that night, and one of the day before."""
    games = [
        game_from(at, " ".join(PLAYERS), "Anna pair, settled", id=at) for at in (NIGHT, AFTERNOON)
    ]
    return import_export.open_with_games(db, games, "", "pen")


def by_month(db: Database, link: str) -> dict[str, int]:
    """Return the number of games in the figures, by month and person."""
    sql = "SELECT month, person, games FROM person_months WHERE table_id = ?"
    rows = db.connection.execute(sql, [access.find_access(db.connection, link, None).id]).fetchall()
    return {f"{month} {name}": games for month, name, games in rows}


def test_figures_worked_out_anew_are_of_the_zone_that_is_set(
    db: Database, link: str, set_zone: SetZone
) -> None:
    """The months in SQL follow a recount; the ledger follows the setting at once."""
    in_stockholm = {f"2025-10 {name}": 2 for name in PLAYERS}
    in_helsinki = {f"{month} {name}": 1 for month in ("2025-10", "2025-11") for name in PLAYERS}
    assert by_month(db, link) == in_stockholm
    set_zone(HELSINKI)
    figures.recount_all(db)
    assert by_month(db, link) == in_helsinki
    evenings = ledger.read_ledger(db, link).evenings
    assert [evening.isoformat() for evening in evenings] == ["2025-10-30", "2025-11-01"]


def test_a_server_writes_while_figures_are_worked_out_anew(
    db: Database, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between any two games the database is free for others."""
    monkeypatch.setattr(database, "WAIT_SECONDS", 0)
    with closing(Database(db.path)) as served:
        turn = Mock(side_effect=served.check_writable)
        monkeypatch.setattr(clock, "give_way", turn)
        assert figures.recount_all(db) == turn.call_count == 2


def test_files_are_named_by_their_evening(db: Database, link: str) -> None:
    """The date in a file's name is that of the ledger, not that of UTC."""
    packed = io.BytesIO(import_export.export_all(db, link))
    dates = [name[:10] for name in zipfile.ZipFile(packed).namelist()]
    assert dates == ["2025-10-30", "2025-10-31"]


@told
def test_only_a_name_of_a_zone_names_one(name: str) -> None:
    """Folders of zones, other files and empty names are refused."""
    with pytest.raises(clock.UnknownZone):
        clock.find_zone(name)
