"""The time zone that is set: what is stored follows it, and a server without one does not start."""

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from app.rules.gamefile import read_game
from app.services import erasure, figures, import_export, ledger, table_view, tables
from app.services.tables import Write
from app.store import clock
from app.store.database import Database
from tests.browser.serving import ROOT
from tests.services.keeper import PLAYERS, SETTLE, best_hand

SetZone = Callable[[str], None]
# Late on the last evening of October in Stockholm; in Helsinki it is past five in the morning.
NIGHT, AFTERNOON = "2025-11-01T03:30:00+00:00", "2025-10-30T13:00:00+00:00"
HELSINKI = "Europe/Helsinki"


@pytest.fixture
def link(db: Database) -> str:
    """Return the link of a table with a game of that night, and one of a day before."""
    games = [
        read_game(
            {
                "format": "chicago-game/1",
                "id": at,
                "at": at,
                "players": PLAYERS,
                "events": [best_hand("Anna"), SETTLE],
            }
        )
        for at in (NIGHT, AFTERNOON)
    ]
    return import_export.open_table(db, games, "", "pen")


def by_month(db: Database, link: str) -> dict[str, int]:
    """Return how many games each person has figures for, by month and person."""
    sql = "SELECT month, person, games FROM person_months WHERE table_id = ?"
    rows = db.connection.execute(sql, [tables.find_access(db.connection, link, None).id]).fetchall()
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


def test_what_goes_before_a_day_goes_by_the_tables_clock(
    db: Database, link: str, set_zone: SetZone
) -> None:
    """The night's game, on the first of November in UTC, is of October's last evening."""
    newest = read_game({"format": "chicago-game/1", "players": PLAYERS, "events": [SETTLE]})
    import_export.import_games(db, Write(link, "pen"), [newest])
    november = date(2025, 11, 1)
    assert erasure.count_before(db, link, november)[0] == 2
    set_zone(HELSINKI)
    assert erasure.count_before(db, link, november)[0] == 1
    erasure.delete_before(db, Write(link, "pen"), november)
    assert table_view.list_game_numbers(db, link) == [2, 3]


def test_files_are_named_by_their_evening(db: Database, link: str) -> None:
    """As the ledger has it, and not by the date in Greenwich."""
    packed = io.BytesIO(import_export.export_all(db, link))
    dates = [name[:10] for name in zipfile.ZipFile(packed).namelist()]
    assert dates == ["2025-10-30", "2025-10-31"]


def test_no_server_starts_in_a_zone_that_does_not_exist(tmp_path: Path) -> None:
    """One sentence says so, the exit status is 1, and no database was made."""
    chosen = {"CHICAGO_TIMEZONE": "Mars/Base", "CHICAGO_DB": str(tmp_path / "chicago.db")}
    done = subprocess.run(
        [sys.executable, "-m", "gunicorn", "app:create_app()"],
        cwd=ROOT,
        env={**os.environ, **chosen, "LC_ALL": "en.UTF-8", "PORT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    sentence = "There is no time zone Mars/Base: CHICAGO_TIMEZONE is one like Europe/Stockholm."
    assert (done.returncode, done.stderr) == (1, f"{sentence}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", " ", "Europe", "/etc/passwd", "../Stockholm", "Mars", "\0"])
def test_only_a_name_of_a_zone_names_one(name: str) -> None:
    """Neither a folder of the zones, nor another file, nor nothing."""
    with pytest.raises(clock.UnknownZone):
        clock.find_zone(name)
