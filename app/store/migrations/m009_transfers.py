"""Transfers: what a phone knows, on its way to another one."""

from __future__ import annotations

from sqlite_utils import Database


def m009_transfers(db: Database) -> None:
    """Links that bring a phone's tables and pens to another phone, once."""
    for statement in _TRANSFERS:
        db.execute(statement)


_TRANSFERS = (
    # A phone has one of each kind at a time. `owner_hash` is of the phone that made it, `taken_by`
    # of the one that it went to.
    """CREATE TABLE transfers (
        id INTEGER PRIMARY KEY,
        secret_hash TEXT NOT NULL UNIQUE,
        owner_hash TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('phone', 'install')),
        language TEXT NOT NULL,
        created_at TEXT NOT NULL,
        used_at TEXT,
        taken_by TEXT,
        UNIQUE (owner_hash, kind),
        CHECK ((used_at IS NULL) = (taken_by IS NULL))
    ) STRICT""",
    # `sealed_link` is the table's link, encrypted with the transfer's secret; `writes` is 1 where
    # the pen comes along, as long as the phone that it comes from still has it.
    """CREATE TABLE transfer_tables (
        id INTEGER PRIMARY KEY,
        transfer_id INTEGER NOT NULL REFERENCES transfers (id) ON DELETE CASCADE,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        sealed_link BLOB NOT NULL,
        writes INTEGER NOT NULL CHECK (writes IN (0, 1)),
        put_away INTEGER NOT NULL CHECK (put_away IN (0, 1)),
        UNIQUE (transfer_id, table_id)
    ) STRICT""",
    "CREATE INDEX transfers_of_table ON transfer_tables (table_id)",
)
