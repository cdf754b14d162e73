"""Erasures that go on after a crash."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from sqlite_utils import Database

from app.store.migrations.m001_schema import VIEWS


def m004_erasure(db: Database) -> None:
    """Erasures outlive a crash, no index holds names that often change, no key is used again."""
    for view in VIEWS:
        db.execute(f"DROP VIEW {view.split()[2]}")
    for table in ("game_pair_statistics", "month_statistics", "month_pair_statistics"):
        _drop_primary_key(db, table)
    for statement in (*_STATISTICS_INDEXES, *VIEWS, *_ERASURES, *_TABLE_KEYS):
        db.execute(statement)


def _drop_primary_key(db: Database, table: str) -> None:
    """Make a table anew with the same rows, but without its primary key, an index of names."""
    sql = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
    schema, _, _ = db.execute(sql, [table]).fetchone()[0].partition(",\n        PRIMARY KEY")
    db.execute(f"ALTER TABLE {table} RENAME TO before")
    db.execute(f"{schema}) STRICT")
    db.execute(f"INSERT INTO {table} SELECT * FROM before")
    db.execute("DROP TABLE before")


_STATISTICS_INDEXES = (
    "CREATE INDEX pairs_of_game ON game_pair_statistics (game_id)",
    "CREATE INDEX pairs_of_month ON game_pair_statistics (table_id, month)",
    "CREATE INDEX sums_of_month ON month_statistics (table_id, month)",
    "CREATE INDEX pair_sums_of_month ON month_pair_statistics (table_id, month)",
)
_ERASURES = (
    # What is still to be erased: rows, then traces of `words` in the file, then the log.
    """CREATE TABLE erasures (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL,
        stage TEXT NOT NULL CHECK (stage IN ('rows', 'file', 'log')),
        task TEXT NOT NULL,
        words TEXT NOT NULL
    ) STRICT""",
    # It has a row within a transaction that erases, and never outside of one.
    "CREATE TABLE suspended_guards (id INTEGER PRIMARY KEY) STRICT",
    "DROP TRIGGER events_immutable",
    """CREATE TRIGGER events_immutable
    BEFORE UPDATE OF game_id, seq, body, recorded_at ON events
    WHEN NOT EXISTS (SELECT 1 FROM suspended_guards)
    BEGIN SELECT RAISE(ABORT, 'an event that was recorded is never changed'); END""",
    # Whoever deletes people asks who has paid or been paid.
    "CREATE INDEX payments_by ON payments (payer)",
    "CREATE INDEX payments_to ON payments (payee)",
)
_TABLE_KEYS = (
    # The version at which something was erased last; what a phone keeps of earlier ones is to go.
    "ALTER TABLE tables ADD COLUMN erased_seq INTEGER NOT NULL DEFAULT 0",
    # The newest key of a table that was ever given.
    "CREATE TABLE newest_table (id INTEGER NOT NULL) STRICT",
    "INSERT INTO newest_table SELECT COALESCE(MAX(id), 0) FROM tables",
)
