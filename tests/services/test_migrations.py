import hashlib
from pathlib import Path

import pytest
import sqlite_utils
from sqlite_utils import Migrations

from app.store.database import Database
from app.store.migrations import migrations

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
    "m012_falls": "d69936cec794253133261ecb492b815790647cf3d7e0e0c695eb1d611844fa38",
    "m013_plain_erasure": "e09a9131286f0ffc1647b30d4a8b200c252c3a9b6205b8576b9f22eb130a73a3",
    "m014_plain_phones": "dd115d2e7ca1352f61726b6b2aa329cc70b66e2411dfccc7de7104a53f820bca",
    "m015_evenings": "06f585d56ca6249e52ca076deed534234cb4806206d0f34df9f94eac72cda667",
}


def schema(path: Path) -> list[tuple[str, str]]:
    """Return everything the database is made of."""
    db = sqlite_utils.Database(path)
    sql = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    rows = [(name, sql) for name, sql in db.execute(sql).fetchall()]
    db.close()
    return rows


def applied(path: Path) -> list[str]:
    """Return the migrations that have run, in order."""
    db = sqlite_utils.Database(path)
    names = [migration.name for migration in migrations.applied(db)]
    db.close()
    return names


def test_a_database_is_made_from_nothing_folder_included(path: Path) -> None:
    """Opening a path that is not there makes the folder, the file and every table."""
    Database(path).close()
    tables = {"tables", "pens", "games", "events", "people", "payments"}
    assert tables <= {name for name, _ in schema(path)}


def test_every_migration_runs_once_and_in_order(path: Path) -> None:
    """Opening a database again changes nothing in it."""
    Database(path).close()
    before, names = schema(path), applied(path)
    Database(path).close()
    assert schema(path) == before
    assert applied(path) == names
    assert names == sorted(names)
    assert names[0] == "m001_schema"


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
    """Databases that are there already would not follow: what is to change is a new migration."""
    digests = fingerprints()
    differing = [name for name, digest in FROZEN.items() if digests.get(name) != digest]
    assert not differing, f"{differing} must stay as released: write a new migration instead"
    new = {name: digest for name, digest in digests.items() if name not in FROZEN}
    assert not new, f"a new migration is frozen by a new line in FROZEN: {new}"


def test_a_migration_that_fails_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a migration is never seen: the next start begins where this one did."""
    halves = Migrations("chicago")

    @halves()
    def m001_half(db: sqlite_utils.Database) -> None:
        db.execute("CREATE TABLE half (a TEXT) STRICT")
        raise ZeroDivisionError

    monkeypatch.setattr("app.store.database.migrations", halves)
    with pytest.raises(ZeroDivisionError):
        Database(path)
    assert schema(path) == []
