"""A phone keeps its tables itself, in its cookie; a transfer is one row."""

from __future__ import annotations

from sqlite_utils import Database


def m014_plain_phones(db: Database) -> None:
    """Without lists of tables in the database, but for the one of the phone that it is on."""
    for statement in _STATEMENTS:
        db.execute(statement)


_STATEMENTS = (
    "DROP TABLE phone_tables",
    "DROP TABLE transfer_tables",
    "DROP TABLE transfers",
    # A phone has one of each kind at a time. `owner_hash` is of the phone that made it, `taken_by`
    # of the one that it went to; `tables` says of links, as JSON, whether each is put away, and
    # `withheld` lists those whose pen does not come along any more.
    """CREATE TABLE transfers (
        secret_hash TEXT PRIMARY KEY,
        owner_hash TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('phone', 'install')),
        language TEXT NOT NULL,
        tables TEXT NOT NULL,
        withheld TEXT NOT NULL DEFAULT '[]',
        created_at TEXT NOT NULL,
        taken_by TEXT,
        UNIQUE (owner_hash, kind)
    ) STRICT, WITHOUT ROWID""",
    "ALTER TABLE phone ADD COLUMN tables TEXT NOT NULL DEFAULT '{}'",
)
