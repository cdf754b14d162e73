"""The first schema: tables, games, the log of events, people, statistics and their views."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from collections.abc import Iterable

from sqlite_utils import Database


def m001_schema(db: Database) -> None:
    """The first schema: tables and their games, the log of events, people, and statistics.

    Statistics are worked out from the log; `flask years` does so anew.
    """
    for statement in (*_TABLES, *_REQUESTS, *_PEOPLE, *_STATISTICS, *VIEWS):
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


VIEWS = (
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
