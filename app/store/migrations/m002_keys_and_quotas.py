"""Keys of requests that say where they left a table, and how much a table holds."""

from __future__ import annotations

from sqlite_utils import Database


def m002_keys_and_quotas(db: Database) -> None:
    """Idempotency keys without answers, and for each table how much it holds.

    Keys live for a day, and those of before told whole answers, so they go.
    """
    db.execute("DROP TABLE idempotency_keys")
    for statement in _KEYS:
        db.execute(statement)
    db.execute("ALTER TABLE tables ADD COLUMN entries INTEGER NOT NULL DEFAULT 0")
    db.execute(
        """UPDATE tables SET entries = seq + (
            SELECT COUNT(*) FROM games JOIN events ON game_id = games.id WHERE table_id = tables.id
        )"""
    )


_KEYS = (
    """CREATE TABLE idempotency_keys (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        key_hash BLOB NOT NULL UNIQUE,
        request_hash BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        status INTEGER NOT NULL,
        seq INTEGER,
        game INTEGER,
        events INTEGER,
        refusal TEXT,
        nonce BLOB
    ) STRICT""",
    "CREATE INDEX keys_by_age ON idempotency_keys (created_at)",
    "CREATE INDEX keys_of_table ON idempotency_keys (table_id)",
    "CREATE INDEX refusals_of_table ON idempotency_keys (table_id) WHERE refusal IS NOT NULL",
)
