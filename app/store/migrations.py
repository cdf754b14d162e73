"""How the database came to look as it does; a migration that has run is never changed."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from collections.abc import Iterable

from sqlite_utils import Database, Migrations

migrations = Migrations("chicago")


@migrations()
def m001_schema(db: Database) -> None:
    """The first schema: tables and their games, the log of events, people, and statistics.

    Statistics are worked out from the log; `flask years` does so anew.
    """
    for statement in (*_TABLES, *_REQUESTS, *_PEOPLE, *_STATISTICS, *_VIEWS):
        db.execute(statement)


_TABLES = (
    """CREATE TABLE tables (
        id INTEGER PRIMARY KEY,
        link_hash TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        seq INTEGER NOT NULL,
        created_at TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE pens (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        secret_hash TEXT NOT NULL,
        granted_at TEXT NOT NULL,
        revoked_at TEXT,
        UNIQUE (table_id, secret_hash)
    ) STRICT""",
    """CREATE TABLE pen_links (
        id INTEGER PRIMARY KEY,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        secret_hash TEXT NOT NULL,
        created_at TEXT NOT NULL,
        revoked_at TEXT
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
    # An event counts from version `seq` of its table on, and before `until_seq`.
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY,
        game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        body TEXT NOT NULL,
        recorded_at TEXT NOT NULL,
        status TEXT NOT NULL DEFAULT 'effective'
            CHECK (status IN ('effective', 'undone', 'dropped', 'replaced')),
        until_seq INTEGER,
        CHECK ((status = 'effective') = (until_seq IS NULL))
    ) STRICT""",
    # Also what the ledger asks of every game, when it was changed, is answered from here alone.
    "CREATE INDEX events_of_game ON events (game_id, seq, id, until_seq)",
    """CREATE TRIGGER events_immutable
    BEFORE UPDATE OF game_id, seq, body, recorded_at ON events
    BEGIN SELECT RAISE(ABORT, 'an event that was recorded is never changed'); END""",
)

_REQUESTS = (
    """CREATE TABLE idempotency_keys (
        scope TEXT NOT NULL,
        key TEXT NOT NULL,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        request_hash TEXT NOT NULL,
        status INTEGER NOT NULL,
        body TEXT NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (scope, key)
    ) STRICT""",
    """CREATE TABLE rule_sets (
        id INTEGER PRIMARY KEY,
        owner_hash TEXT NOT NULL,
        name TEXT NOT NULL,
        rules TEXT NOT NULL,
        saved_at TEXT NOT NULL,
        UNIQUE (owner_hash, name)
    ) STRICT""",
)

_PEOPLE = (
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
    """CREATE TRIGGER payments_immutable
    BEFORE UPDATE OF table_id, seq, payer, payee, ore, way, paid_at ON payments
    BEGIN SELECT RAISE(ABORT, 'a payment that was recorded is never changed'); END""",
)

# The columns of statistics that add up over games, and those of which the largest counts.
HANDS = (
    "pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "royal_flush_hearts",
)
SUMS = (
    "won",
    "ore",
    *HANDS,
    "chicagos_said",
    "chicagos_made",
    "zeroings_given",
    "zeroings_suffered",
    "last_tricks",
)
MAXIMA = ("biggest_swing", "longest_stop")


def each(sql: str, columns: Iterable[str]) -> str:
    """A piece of SQL for each of some columns, separated by commas."""
    return ", ".join(sql.format(column) for column in columns)


_STATISTICS = (
    f"""CREATE TABLE game_statistics (
        game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        month TEXT NOT NULL,
        stake_ore INTEGER NOT NULL,
        score INTEGER NOT NULL,
        deals INTEGER NOT NULL,
        {each("{} INTEGER NOT NULL", (*SUMS, *MAXIMA))},
        PRIMARY KEY (game_id, seat)
    ) STRICT""",
    "CREATE INDEX games_of_month ON game_statistics (table_id, month)",
    """CREATE TABLE game_pair_statistics (
        game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        other TEXT NOT NULL,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        month TEXT NOT NULL,
        ahead INTEGER NOT NULL,
        behind INTEGER NOT NULL,
        ore INTEGER NOT NULL,
        PRIMARY KEY (game_id, name, other)
    ) STRICT""",
    "CREATE INDEX pairs_of_month ON game_pair_statistics (table_id, month)",
    f"""CREATE TABLE month_statistics (
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        month TEXT NOT NULL,
        name TEXT NOT NULL,
        games INTEGER NOT NULL,
        staked INTEGER NOT NULL,
        {each("{} INTEGER NOT NULL", (*SUMS, *MAXIMA))},
        PRIMARY KEY (table_id, month, name)
    ) STRICT""",
    """CREATE TABLE month_pair_statistics (
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        month TEXT NOT NULL,
        name TEXT NOT NULL,
        other TEXT NOT NULL,
        games INTEGER NOT NULL,
        ahead INTEGER NOT NULL,
        behind INTEGER NOT NULL,
        ore INTEGER NOT NULL,
        PRIMARY KEY (table_id, month, name, other)
    ) STRICT""",
)


def _figure(view: str, sql: str) -> str:
    """A view of one figure by table, month and person."""
    return f"""CREATE VIEW {view} AS
        SELECT f.table_id, f.month, w.person, {sql}
        FROM month_statistics f JOIN person_names w ON w.table_id = f.table_id AND w.name = f.name
        GROUP BY f.table_id, f.month, w.person"""


def _times_of(hand: str) -> str:
    """How often each name had the best hand of one kind, by month."""
    return f"SELECT table_id, month, name, '{hand}' AS hand, {hand} AS times FROM month_statistics"


_VIEWS = (
    # Merged names lead on to the name that is the person's.
    """CREATE VIEW person_names AS
        WITH RECURSIVE links (table_id, name, id) AS (
            SELECT table_id, name, id FROM people
            UNION
            SELECT l.table_id, l.name, p.same_as FROM links l JOIN people p ON p.id = l.id
            WHERE p.same_as IS NOT NULL
        ), ends (table_id, name, person) AS (
            SELECT l.table_id, l.name, p.name FROM links l JOIN people p ON p.id = l.id
            WHERE p.same_as IS NULL
        )
        SELECT DISTINCT f.table_id, f.name, COALESCE(e.person, f.name) AS person
        FROM month_statistics f LEFT JOIN ends e ON e.table_id = f.table_id AND e.name = f.name""",
    _figure("figure_games", "SUM(f.games) AS games"),
    _figure("figure_wins", "SUM(f.won) AS wins"),
    _figure("figure_ore", "SUM(f.ore) AS ore, SUM(f.staked) AS staked"),
    _figure("figure_chicagos_said", "SUM(f.chicagos_said) AS said"),
    _figure("figure_chicagos_made", "SUM(f.chicagos_made) AS made"),
    _figure("figure_zeroings_given", "SUM(f.zeroings_given) AS given"),
    _figure("figure_zeroings_suffered", "SUM(f.zeroings_suffered) AS suffered"),
    _figure("figure_last_tricks", "SUM(f.last_tricks) AS last_tricks"),
    _figure("figure_biggest_swing", "MAX(f.biggest_swing) AS points"),
    _figure("figure_longest_stop", "MAX(f.longest_stop) AS deals"),
    f"""CREATE VIEW figure_best_hands AS
        SELECT f.table_id, f.month, w.person, f.hand, SUM(f.times) AS times
        FROM (
            {" UNION ALL ".join(map(_times_of, HANDS))}
        ) f JOIN person_names w ON w.table_id = f.table_id AND w.name = f.name
        GROUP BY f.table_id, f.month, w.person, f.hand""",
    """CREATE VIEW figure_head_to_head AS
        SELECT f.table_id, f.month, w.person, o.person AS other, SUM(f.games) AS games,
            SUM(f.ahead) AS ahead, SUM(f.behind) AS behind, SUM(f.ore) AS ore
        FROM month_pair_statistics f
        JOIN person_names w ON w.table_id = f.table_id AND w.name = f.name
        JOIN person_names o ON o.table_id = f.table_id AND o.name = f.other
        GROUP BY f.table_id, f.month, w.person, o.person""",
)


@migrations()
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


@migrations()
def m003_pen_links(db: Database) -> None:
    """Links that give a pen are used up, and found without looking at those of other tables."""
    db.execute("ALTER TABLE pen_links ADD COLUMN used_at TEXT")
    db.execute("CREATE INDEX pen_links_of_table ON pen_links (table_id, secret_hash)")


@migrations()
def m004_erasure(db: Database) -> None:
    """Erasures outlive a crash, no index holds names that often change, no key is used again."""
    for view in _VIEWS:
        db.execute(f"DROP VIEW {view.split()[2]}")
    for table in ("game_pair_statistics", "month_statistics", "month_pair_statistics"):
        _drop_primary_key(db, table)
    for statement in (*_STATISTICS_INDEXES, *_VIEWS, *_ERASURES, *_TABLE_KEYS):
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


@migrations()
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


@migrations()
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
