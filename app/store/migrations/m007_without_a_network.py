"""What a phone needs to go on without a network, and the server to take over what it did."""

from __future__ import annotations

from sqlite_utils import Database


def m007_without_a_network(db: Database) -> None:
    """Receipts on the server; on the phone who it is, its replicas, and the outbox."""
    for statement in (*_SERVER, *_PHONE):
        db.execute(statement)


_SERVER = (
    # How far the changes that a phone made are in: up to its `number`, which led to version `seq`.
    """CREATE TABLE receipts (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        phone_hash TEXT NOT NULL,
        number INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        UNIQUE (table_id, phone_hash)
    ) STRICT""",
    # By which pen the newest version of a table was made, as far as that is known.
    "ALTER TABLE tables ADD COLUMN written_by TEXT",
)
_PHONE = (
    # The phone this database is on: its name for the server, the pen it writes with, the language
    # that was chosen on it, and what the server is known to have of its rule sets and tables.
    """CREATE TABLE phone (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        name TEXT NOT NULL,
        pen TEXT NOT NULL,
        language TEXT NOT NULL DEFAULT '',
        known TEXT NOT NULL DEFAULT ''
    ) STRICT""",
    # A table of this phone's. The server has it at version `base_seq`, or not at all: then
    # `opening` is what it is to be opened with, `opened_at` when it was, and `sent` whether the
    # server may have been told. `conflict` says why the changes that wait cannot be handed over.
    """CREATE TABLE replicas (
        table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
        link TEXT NOT NULL,
        base_seq INTEGER NOT NULL,
        opening TEXT,
        opened_at TEXT,
        sent INTEGER NOT NULL DEFAULT 0 CHECK (sent IN (0, 1)),
        conflict TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT '',
        CHECK ((base_seq = 0) = (opening IS NOT NULL)),
        CHECK ((opening IS NULL) = (opened_at IS NULL))
    ) STRICT""",
    # Changes that wait to be handed over. No number is given twice, so that the server knows what
    # it has; `path` is that of the form below the table's, `effect` what it did there.
    """CREATE TABLE outbox (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        table_id INTEGER NOT NULL REFERENCES replicas (table_id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        path TEXT NOT NULL,
        fields TEXT NOT NULL,
        at TEXT NOT NULL,
        effect TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX outbox_of_table ON outbox (table_id, number)",
)
