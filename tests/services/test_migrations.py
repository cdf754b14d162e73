import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from app import store
from app.services.tables import hash_secret
from app.store.database import Pool
from app.store.migrations import migrations
from tests.browser.serving import ROOT
from tests.services.keeper import Keeper

PROCESSES, ROUNDS = 3, 20

# The schema after each migration, as SHA-256: a new migration is a new line, and no line changes.
FROZEN = {
    "m001_schema": "67501b1f8f83a0a97e26da3ebcd8f3b309b6c1c2a67965114acb6f84b05c8c2b",
    "m002_keys_and_quotas": "6164dd39d7f058afa115120d551d9059d70bdcd94334633c46488baaa3b9a58b",
    "m003_pen_links": "c001c419ba759f512840390d02c92903685f5f676e6586ef18e13200e20ccd91",
    "m004_erasure": "29b5a78be61117fd5382846cf39852528a0c305149ac783fe515ef9d9553d986",
    "m005_undo_stack": "abe63e52e0aa40a0c9f5ab61c78e0b5bb23506951c08545ff338d5019fac4167",
    "m006_recovery_and_phones": "718eb5aba4ec0907ebf04e598d13adb5abcc9845b78ac92fc049907c4fe62b24",
    "m007_without_a_network": "c06fed7c593e1001b0db394a279e5fda6791ff7bd692591548a15fd1feb56910",
    "m008_clock_and_currency": "c62fc053e877f327d59094d7ad82964b2747c22945a37abbdbc3148c272f2945",
    "m009_transfers": "76fa61cb9483c465fcd2094bb60f51077c1ea453331cfad5e802d42bb23d337e",
    "m010_month_totals": "99bde28060b6e2ef980acabfbcb4651e564f057a0a00ea73c01016ba0d052f4c",
    "m011_gone_links": "3539791f84efc34b82123408ee9a75b81cfe1ee9d99e5b910c2b5e2afe19a86d",
}

# Opens the database named by each line that comes in, and says so.
OPENS_ON_DEMAND = """
import sys
from app import store
from app.services.tables import (hash_secret)
from app.store.database import Pool
print("ready", flush=True)
for line in sys.stdin:
    Pool(line.strip()).close()
    print("opened", flush=True)
"""


def schema(path: Path) -> list[tuple[str, str]]:
    """Return everything the database is made of."""
    db = Database(path)
    sql = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    rows = [(name, sql) for name, sql in db.execute(sql).fetchall()]
    db.close()
    return rows


def applied(path: Path) -> list[str]:
    """Return the migrations that have run, in order."""
    db = Database(path)
    names = [migration.name for migration in migrations.applied(db)]
    db.close()
    return names


def opener() -> subprocess.Popen[str]:
    """Start a process that opens databases when told to."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", OPENS_ON_DEMAND],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def tell(process: subprocess.Popen[str], line: str) -> None:
    """Send a process one line."""
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def read_answer(process: subprocess.Popen[str]) -> str:
    """Return the next line a process says, or why it cannot say more."""
    assert process.stdout
    assert process.stderr
    return process.stdout.readline().strip() or process.stderr.read()


def test_a_database_is_made_from_nothing_folder_included(path: Path) -> None:
    """Opening a path that is not there makes the folder, the file and every table."""
    Pool(path).close()
    tables = {"tables", "pens", "games", "events", "people", "payments"}
    assert tables <= {name for name, _ in schema(path)}


def test_every_migration_runs_once_and_in_order(path: Path) -> None:
    """Opening a database again changes nothing in it."""
    Pool(path).close()
    before, names = schema(path), applied(path)
    Pool(path).close()
    assert schema(path) == before
    assert applied(path) == names
    assert names == sorted(names)
    assert names[0] == "m001_schema"


def test_a_migrated_database_has_nothing_pending(pool: Pool) -> None:
    """After opening, every migration that exists has run."""
    assert migrations.pending(pool.connection) == []


def fingerprints() -> dict[str, str]:
    """Return the SHA-256 of the schema after each migration, by the migration's name."""
    db, digests = Database(memory=True, strict=True), {}
    sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    for migration in migrations.pending(db):
        migration.fn(db)
        digests[migration.name] = hashlib.sha256(
            repr(db.execute(sql).fetchall()).encode()
        ).hexdigest()
    db.close()
    return digests


def test_a_migration_that_has_run_somewhere_is_never_changed() -> None:
    """Databases that are there already would not follow: what is to change is a new migration."""
    digests = fingerprints()
    differing = [name for name, digest in FROZEN.items() if digests.get(name) != digest]
    assert not differing, f"{differing} must stay as released: write a new migration instead"
    new = {name: digest for name, digest in digests.items() if name not in FROZEN}
    assert not new, f"a new migration is frozen by a new line in FROZEN: {new}"


def test_a_database_from_before_keeps_its_rows_and_nothing_that_was_deleted(path: Path) -> None:
    """Versions that overwrote nothing left names in the file: coming here they are gone."""
    path.parent.mkdir()
    db = Database(path, strict=True)
    migrations.apply(db, stop_before="m004_erasure")
    for name in ("Annabella", "Bo"):
        sql = "INSERT INTO tables (link_hash, name, seq, created_at) VALUES (?, ?, 1, '')"
        db.execute(sql, [name, f"{name}s bord"])
    db.execute("INSERT INTO games VALUES (1, 2, 1, '', '', '')")
    pair = ["Annabella", "Bo", "2026-05"]
    db.execute("INSERT INTO game_pair_statistics VALUES (1, ?, ?, 2, ?, 1, 0, 0)", pair)
    db.execute("DELETE FROM tables WHERE name = 'Annabellas bord'")
    db.conn.commit()
    db.close()
    assert b"Annabellas bord" in path.read_bytes()
    pool = Pool(path)
    sql = "SELECT name, other, month FROM game_pair_statistics"
    assert pool.connection.execute(sql).fetchall() == [tuple(pair)]
    assert store.tables.add(pool.connection, "new", "").id == 3
    pool.close()
    assert b"Annabellas bord" not in path.read_bytes()


def test_a_table_from_before_keeps_its_games_and_what_can_be_undone(path: Path) -> None:
    """Taps go on being undone and redone; what was amended before stays, and is in the log."""
    path.parent.mkdir()
    db = Database(path, strict=True)
    migrations.apply(db, stop_before="m005_undo_stack")
    for sql in FORMER_TABLE:
        db.execute(sql)
    db.conn.commit()
    db.close()
    keeper = Keeper(Pool(path), "link", "pen")
    assert keeper.sheet.number == 2
    assert [row.status for row in store.games.find_events(keeper.pool.connection, 1)] == [
        "effective",
        "replaced",
        "effective",
    ]
    assert store.games.find_counting_at(keeper.pool.connection, 1, 3) == {1, 2}
    assert store.games.find_counting_at(keeper.pool.connection, 1, 4) == {1, 3}
    assert len(keeper.redo().game.events) == 2
    assert keeper.undo(2).undoable is None
    assert len(keeper.redo(2).game.events) == 2
    keeper.pool.close()


# A game whose end was amended, and one whose second event is undone.
FORMER_TABLE = (
    f"""INSERT INTO tables (link_hash, name, seq, created_at)
        VALUES ('{hash_secret("link")}', '', 8, '')""",
    f"INSERT INTO pens VALUES (1, 1, '{hash_secret('pen')}', '', NULL)",
    """INSERT INTO games SELECT value, 1, value, value, '{"players":["Anna","Bo"]}', '2026-01-01'
        FROM json_each('[1, 2]')""",
    """INSERT INTO events VALUES
        (1, 1, 2, '{"event":"no_best_hand"}', '', 'effective', NULL),
        (2, 1, 3, '{"event":"break_off","settle":true}', '', 'replaced', 4),
        (3, 1, 4, '{"event":"break_off","settle":false}', '', 'effective', NULL),
        (4, 2, 6, '{"event":"no_best_hand"}', '', 'effective', NULL),
        (5, 2, 7, '{"event":"no_best_hand"}', '', 'undone', 8)""",
)


def test_a_migration_that_fails_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a migration is never seen: the next start begins where this one did."""
    halves = Migrations("chicago")

    @halves()
    def m001_half(db: Database) -> None:
        db.execute("CREATE TABLE half (a TEXT) STRICT")
        raise ZeroDivisionError

    monkeypatch.setattr("app.store.database.migrations", halves)
    with pytest.raises(ZeroDivisionError):
        Pool(path)
    assert schema(path) == []


def test_processes_that_start_at_once_make_one_database(tmp_path: Path) -> None:
    """Servers started together on no database all come up, and each migration runs once."""
    processes = [opener() for _ in range(PROCESSES)]
    assert [read_answer(process) for process in processes] == ["ready"] * PROCESSES
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.db"
        for process in processes:
            tell(process, str(path))
        assert [read_answer(process) for process in processes] == ["opened"] * PROCESSES
        names = applied(path)
        assert len(names) == len(set(names)) > 0
    for process in processes:
        process.communicate()
        assert process.returncode == 0
