"""Recovery links, and which tables a phone knows."""

from __future__ import annotations

from sqlite_utils import Database


def m006_recovery_and_phones(db: Database) -> None:
    """A table's recovery link, and which tables a phone knows, for as long as it has the secret."""
    for statement in _RECOVERY_AND_PHONES:
        db.execute(statement)


_RECOVERY_AND_PHONES = (
    # `unseen` is 1 from when the link has given a pen until somebody who writes has seen that.
    """CREATE TABLE recovery_links (
        table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
        secret_hash TEXT NOT NULL,
        created_at TEXT NOT NULL,
        used_at TEXT,
        unseen INTEGER NOT NULL DEFAULT 0 CHECK (unseen IN (0, 1))
    ) STRICT""",
    # `sealed_link` is the table's link, encrypted with a secret that only the phone has.
    """CREATE TABLE phone_tables (
        id INTEGER PRIMARY KEY,
        owner_hash TEXT NOT NULL,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        sealed_link BLOB NOT NULL,
        kept_at TEXT NOT NULL,
        put_away INTEGER NOT NULL DEFAULT 0 CHECK (put_away IN (0, 1)),
        UNIQUE (owner_hash, table_id)
    ) STRICT""",
    "CREATE INDEX phones_of_table ON phone_tables (table_id, kept_at)",
)
