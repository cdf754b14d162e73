"""The undo stack: amendments and the start of games."""

from __future__ import annotations

from sqlite_utils import Database


def m005_undo_stack(db: Database) -> None:
    """Amendments and the start of games are undone as taps are; amendments of before are final."""
    for statement in (*_AMENDMENTS, *_FORMER_AMENDMENTS, *_STARTS):
        db.execute(statement)
    # How an answer is made again is told by the log alone.
    db.execute("ALTER TABLE idempotency_keys DROP COLUMN events")


_AMENDMENTS = (
    # An amendment counts from version `seq` of its table on, and before `until_seq`. One that is
    # final is never undone; `deal` is the first that it touched.
    """CREATE TABLE amendments (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        deal INTEGER NOT NULL,
        recorded_at TEXT,
        status TEXT NOT NULL DEFAULT 'effective'
            CHECK (status IN ('effective', 'undone', 'dropped', 'final')),
        until_seq INTEGER,
        CHECK ((status IN ('effective', 'final')) = (until_seq IS NULL))
    ) STRICT""",
    "CREATE INDEX amendments_of_table ON amendments (table_id, status, seq)",
    "CREATE INDEX amendments_of_game ON amendments (game_id, seq)",
    # What an amendment took away; what it put in has its `seq`.
    """CREATE TABLE replacements (
        amendment_id INTEGER NOT NULL REFERENCES amendments (id) ON DELETE CASCADE,
        event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        PRIMARY KEY (amendment_id, event_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX replacements_of_event ON replacements (event_id)",
    # An event or an amendment that was undone and redone did not count between these versions.
    """CREATE TABLE undone_spans (
        id INTEGER PRIMARY KEY,
        game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        event_id INTEGER,
        amendment_id INTEGER,
        seq INTEGER NOT NULL,
        until_seq INTEGER NOT NULL,
        CHECK ((event_id IS NULL) <> (amendment_id IS NULL))
    ) STRICT""",
    "CREATE INDEX undone_spans_of_game ON undone_spans (game_id, until_seq)",
    # The event that an amendment put this one in behind, 0 for the start of the game; none for a
    # tap, which comes last.
    "ALTER TABLE events ADD COLUMN after_id INTEGER",
    "CREATE INDEX undone_events ON events (game_id) WHERE status = 'undone'",
    "DROP TRIGGER events_immutable",
    """CREATE TRIGGER events_immutable
    BEFORE UPDATE OF game_id, seq, body, recorded_at, after_id ON events
    WHEN NOT EXISTS (SELECT 1 FROM suspended_guards)
    BEGIN SELECT RAISE(ABORT, 'an event that was recorded is never changed'); END""",
)
_FORMER_AMENDMENTS = (
    """INSERT INTO amendments (table_id, game_id, seq, deal, status)
        SELECT DISTINCT table_id, game_id, until_seq, 1, 'final'
        FROM events JOIN games ON games.id = game_id WHERE status = 'replaced'""",
    """INSERT INTO replacements SELECT amendments.id, events.id FROM events JOIN amendments
        ON amendments.game_id = events.game_id AND amendments.seq = events.until_seq
        WHERE events.status = 'replaced'""",
)
_STARTS = (
    # The version at which people at the table started a game after another; then it can be undone.
    "ALTER TABLE games ADD COLUMN started_seq INTEGER",
    # The version at which a game's start was undone: until it is redone there is no such game.
    "ALTER TABLE games ADD COLUMN undone_seq INTEGER",
    "CREATE INDEX undone_games ON games (table_id, started_seq) WHERE undone_seq IS NOT NULL",
)
