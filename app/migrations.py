"""How the database came to look as it does; a migration that has run is never changed."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("chicago")


@migrations()
def m001_tables_games_events(db: Database) -> None:
    """Tables with their pens, games, and the log of events, where nothing is ever erased."""
    for statement in _M001:
        db.execute(statement)


_M001 = (
    """CREATE TABLE tables (
        id INTEGER PRIMARY KEY,
        link_hash TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        seq INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE pens (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        secret_hash TEXT NOT NULL,
        given_at TEXT NOT NULL,
        revoked_at TEXT,
        UNIQUE (table_id, secret_hash)
    ) STRICT""",
    """CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        uid TEXT NOT NULL,
        setup TEXT NOT NULL,
        begun_at TEXT NOT NULL,
        UNIQUE (table_id, number),
        UNIQUE (table_id, uid)
    ) STRICT""",
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY,
        game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        body TEXT NOT NULL,
        recorded_at TEXT NOT NULL,
        taken_back TEXT CHECK (taken_back IN ('undone', 'dropped', 'replaced')),
        taken_back_seq INTEGER
    ) STRICT""",
    "CREATE INDEX events_of_game ON events (game_id, id)",
    """CREATE TABLE changes (
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        what TEXT NOT NULL,
        request_hash TEXT NOT NULL,
        made_at TEXT NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) STRICT""",
    """CREATE TRIGGER events_are_kept BEFORE UPDATE OF game_id, seq, body, recorded_at ON events
    BEGIN SELECT RAISE(ABORT, 'an event that was recorded is never changed'); END""",
    """CREATE TRIGGER changes_are_kept BEFORE UPDATE ON changes
    BEGIN SELECT RAISE(ABORT, 'a change that was made is never changed'); END""",
)


@migrations()
def m002_answers_and_pen_links(db: Database) -> None:
    """Answers given to keyed requests, and links that hand over the pen."""
    for statement in _M002:
        db.execute(statement)


_M002 = (
    """CREATE TABLE answers (
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        scope TEXT NOT NULL,
        key TEXT NOT NULL,
        request_hash TEXT NOT NULL,
        status INTEGER NOT NULL,
        body TEXT NOT NULL,
        made_at TEXT NOT NULL,
        PRIMARY KEY (scope, key)
    ) STRICT""",
    """CREATE TABLE pen_links (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        secret_hash TEXT NOT NULL,
        made_at TEXT NOT NULL,
        revoked_at TEXT
    ) STRICT""",
)


@migrations()
def m003_rule_sets(db: Database) -> None:
    """House rules that a phone keeps under a name; its pen tells whose they are."""
    db.execute(_M003)


_M003 = """CREATE TABLE rule_sets (
    id INTEGER PRIMARY KEY,
    owner_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    rules TEXT NOT NULL,
    kept_at TEXT NOT NULL,
    UNIQUE (owner_hash, name)
) STRICT"""


@migrations()
def m004_people_and_payments(db: Database) -> None:
    """The people of a table and who is the same as whom, and what they have paid each other."""
    for statement in _M004:
        db.execute(statement)


_M004 = (
    """CREATE TABLE people (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        same_as INTEGER REFERENCES people (id) ON DELETE SET NULL,
        swish TEXT,
        UNIQUE (table_id, name)
    ) STRICT""",
    # Payments recorded by the same change are one settlement.
    """CREATE TABLE payments (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        payer INTEGER NOT NULL REFERENCES people (id),
        payee INTEGER NOT NULL REFERENCES people (id),
        ore INTEGER NOT NULL CHECK (ore > 0),
        way TEXT NOT NULL CHECK (way IN ('swish', 'cash', 'other', 'rounding', 'written_off')),
        paid_at TEXT NOT NULL,
        undone_seq INTEGER,
        CHECK (payer <> payee)
    ) STRICT""",
    "CREATE INDEX payments_of_table ON payments (table_id, id)",
    """CREATE TRIGGER payments_are_kept
    BEFORE UPDATE OF table_id, seq, payer, payee, ore, way, paid_at ON payments
    BEGIN SELECT RAISE(ABORT, 'a payment that was recorded is never changed'); END""",
)
