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


@migrations()
def m005_figures_of_games_and_months(db: Database) -> None:
    """What each ended game says of its players, summed by month, and the views to read it by.

    Everything here is worked out from the log; `flask years` does so anew.
    """
    for statement in (*_M005_GAMES, *_M005_MONTHS, *_M005_SUMS, *_M005_VIEWS):
        db.execute(statement)


_M005_GAMES = (
    """CREATE TABLE game_figures (
        game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        day TEXT NOT NULL,
        month TEXT NOT NULL,
        stake_ore INTEGER NOT NULL,
        score INTEGER NOT NULL,
        won INTEGER NOT NULL, ore INTEGER NOT NULL, deals INTEGER NOT NULL,
        pair INTEGER NOT NULL, two_pairs INTEGER NOT NULL, three_of_a_kind INTEGER NOT NULL,
        straight INTEGER NOT NULL, flush INTEGER NOT NULL, full_house INTEGER NOT NULL,
        four_of_a_kind INTEGER NOT NULL, straight_flush INTEGER NOT NULL,
        royal_flush INTEGER NOT NULL, royal_flush_hearts INTEGER NOT NULL,
        chicagos_said INTEGER NOT NULL, chicagos_made INTEGER NOT NULL,
        zeroings_given INTEGER NOT NULL, zeroings_suffered INTEGER NOT NULL,
        last_tricks INTEGER NOT NULL,
        biggest_swing INTEGER NOT NULL, longest_stop INTEGER NOT NULL,
        PRIMARY KEY (game_id, seat)
    ) STRICT""",
    # What is left of a month's most is looked up here when a game is taken out.
    "CREATE INDEX swings_of_month ON game_figures (table_id, month, name, biggest_swing)",
    "CREATE INDEX stops_of_month ON game_figures (table_id, month, name, longest_stop)",
    """CREATE TABLE game_pairs (
        game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        a TEXT NOT NULL,
        b TEXT NOT NULL CHECK (a < b),
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        month TEXT NOT NULL,
        a_ahead INTEGER NOT NULL,
        b_ahead INTEGER NOT NULL,
        ore INTEGER NOT NULL,
        PRIMARY KEY (game_id, a, b)
    ) STRICT""",
)

_M005_MONTHS = (
    """CREATE TABLE month_figures (
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        month TEXT NOT NULL,
        name TEXT NOT NULL,
        games INTEGER NOT NULL,
        staked INTEGER NOT NULL,
        won INTEGER NOT NULL, ore INTEGER NOT NULL, deals INTEGER NOT NULL,
        pair INTEGER NOT NULL, two_pairs INTEGER NOT NULL, three_of_a_kind INTEGER NOT NULL,
        straight INTEGER NOT NULL, flush INTEGER NOT NULL, full_house INTEGER NOT NULL,
        four_of_a_kind INTEGER NOT NULL, straight_flush INTEGER NOT NULL,
        royal_flush INTEGER NOT NULL, royal_flush_hearts INTEGER NOT NULL,
        chicagos_said INTEGER NOT NULL, chicagos_made INTEGER NOT NULL,
        zeroings_given INTEGER NOT NULL, zeroings_suffered INTEGER NOT NULL,
        last_tricks INTEGER NOT NULL,
        biggest_swing INTEGER NOT NULL, longest_stop INTEGER NOT NULL,
        PRIMARY KEY (table_id, month, name)
    ) STRICT""",
    """CREATE TABLE month_pairs (
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        month TEXT NOT NULL,
        a TEXT NOT NULL,
        b TEXT NOT NULL CHECK (a < b),
        games INTEGER NOT NULL,
        a_ahead INTEGER NOT NULL,
        b_ahead INTEGER NOT NULL,
        ore INTEGER NOT NULL,
        PRIMARY KEY (table_id, month, a, b)
    ) STRICT""",
)

# The months follow the games by themselves, whoever writes or deletes one.
_M005_SUMS = (
    """CREATE TRIGGER figures_come AFTER INSERT ON game_figures BEGIN
        INSERT INTO month_figures (
            table_id, month, name, games, staked, biggest_swing, longest_stop,
            won, ore, deals, pair, two_pairs, three_of_a_kind, straight, flush, full_house,
            four_of_a_kind, straight_flush, royal_flush, royal_flush_hearts, chicagos_said,
            chicagos_made, zeroings_given, zeroings_suffered, last_tricks
        ) VALUES (
            new.table_id, new.month, new.name, 1, new.stake_ore > 0, new.biggest_swing,
            new.longest_stop,
            new.won, new.ore, new.deals, new.pair, new.two_pairs, new.three_of_a_kind,
            new.straight, new.flush, new.full_house, new.four_of_a_kind, new.straight_flush,
            new.royal_flush, new.royal_flush_hearts, new.chicagos_said, new.chicagos_made,
            new.zeroings_given, new.zeroings_suffered, new.last_tricks
        ) ON CONFLICT (table_id, month, name) DO UPDATE SET
            games = games + 1, staked = staked + excluded.staked,
            biggest_swing = MAX(biggest_swing, excluded.biggest_swing),
            longest_stop = MAX(longest_stop, excluded.longest_stop),
            won = won + excluded.won, ore = ore + excluded.ore, deals = deals + excluded.deals,
            pair = pair + excluded.pair, two_pairs = two_pairs + excluded.two_pairs,
            three_of_a_kind = three_of_a_kind + excluded.three_of_a_kind,
            straight = straight + excluded.straight, flush = flush + excluded.flush,
            full_house = full_house + excluded.full_house,
            four_of_a_kind = four_of_a_kind + excluded.four_of_a_kind,
            straight_flush = straight_flush + excluded.straight_flush,
            royal_flush = royal_flush + excluded.royal_flush,
            royal_flush_hearts = royal_flush_hearts + excluded.royal_flush_hearts,
            chicagos_said = chicagos_said + excluded.chicagos_said,
            chicagos_made = chicagos_made + excluded.chicagos_made,
            zeroings_given = zeroings_given + excluded.zeroings_given,
            zeroings_suffered = zeroings_suffered + excluded.zeroings_suffered,
            last_tricks = last_tricks + excluded.last_tricks;
    END""",
    """CREATE TRIGGER figures_go AFTER DELETE ON game_figures BEGIN
        DELETE FROM month_figures WHERE table_id = old.table_id AND month = old.month
            AND name = old.name AND games = 1;
        UPDATE month_figures SET
            games = games - 1, staked = staked - (old.stake_ore > 0),
            biggest_swing = (SELECT MAX(biggest_swing) FROM game_figures
                WHERE table_id = old.table_id AND month = old.month AND name = old.name),
            longest_stop = (SELECT MAX(longest_stop) FROM game_figures
                WHERE table_id = old.table_id AND month = old.month AND name = old.name),
            won = won - old.won, ore = ore - old.ore, deals = deals - old.deals,
            pair = pair - old.pair, two_pairs = two_pairs - old.two_pairs,
            three_of_a_kind = three_of_a_kind - old.three_of_a_kind,
            straight = straight - old.straight, flush = flush - old.flush,
            full_house = full_house - old.full_house,
            four_of_a_kind = four_of_a_kind - old.four_of_a_kind,
            straight_flush = straight_flush - old.straight_flush,
            royal_flush = royal_flush - old.royal_flush,
            royal_flush_hearts = royal_flush_hearts - old.royal_flush_hearts,
            chicagos_said = chicagos_said - old.chicagos_said,
            chicagos_made = chicagos_made - old.chicagos_made,
            zeroings_given = zeroings_given - old.zeroings_given,
            zeroings_suffered = zeroings_suffered - old.zeroings_suffered,
            last_tricks = last_tricks - old.last_tricks
        WHERE table_id = old.table_id AND month = old.month AND name = old.name;
    END""",
    """CREATE TRIGGER pairs_come AFTER INSERT ON game_pairs BEGIN
        INSERT INTO month_pairs (table_id, month, a, b, games, a_ahead, b_ahead, ore)
        VALUES (new.table_id, new.month, new.a, new.b, 1, new.a_ahead, new.b_ahead, new.ore)
        ON CONFLICT (table_id, month, a, b) DO UPDATE SET
            games = games + 1, a_ahead = a_ahead + excluded.a_ahead,
            b_ahead = b_ahead + excluded.b_ahead, ore = ore + excluded.ore;
    END""",
    """CREATE TRIGGER pairs_go AFTER DELETE ON game_pairs BEGIN
        DELETE FROM month_pairs WHERE table_id = old.table_id AND month = old.month
            AND a = old.a AND b = old.b AND games = 1;
        UPDATE month_pairs SET
            games = games - 1, a_ahead = a_ahead - old.a_ahead,
            b_ahead = b_ahead - old.b_ahead, ore = ore - old.ore
        WHERE table_id = old.table_id AND month = old.month AND a = old.a AND b = old.b;
    END""",
)


def _figure(view: str, sql: str) -> str:
    """A view of one figure by table, month and person."""
    return f"""CREATE VIEW {view} AS
        SELECT f.table_id, f.month, w.person, {sql}
        FROM month_figures f JOIN who w ON w.table_id = f.table_id AND w.name = f.name
        GROUP BY f.table_id, f.month, w.person"""  # noqa: S608  # our own views


_M005_VIEWS = (
    # Merged names lead on to the name that is the person's.
    """CREATE VIEW who AS
        WITH RECURSIVE leads (table_id, name, id) AS (
            SELECT table_id, name, id FROM people
            UNION
            SELECT l.table_id, l.name, p.same_as FROM leads l JOIN people p ON p.id = l.id
            WHERE p.same_as IS NOT NULL
        ), ends (table_id, name, person) AS (
            SELECT l.table_id, l.name, p.name FROM leads l JOIN people p ON p.id = l.id
            WHERE p.same_as IS NULL
        )
        SELECT DISTINCT f.table_id, f.name, COALESCE(e.person, f.name) AS person
        FROM month_figures f LEFT JOIN ends e ON e.table_id = f.table_id AND e.name = f.name""",
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
    """CREATE VIEW figure_best_hands AS
        SELECT f.table_id, f.month, w.person, f.hand, SUM(f.times) AS times
        FROM (
        SELECT table_id, month, name, 'pair' AS hand, pair AS times FROM month_figures
        UNION ALL SELECT table_id, month, name, 'two_pairs', two_pairs FROM month_figures
        UNION ALL
        SELECT table_id, month, name, 'three_of_a_kind', three_of_a_kind FROM month_figures
        UNION ALL SELECT table_id, month, name, 'straight', straight FROM month_figures
        UNION ALL SELECT table_id, month, name, 'flush', flush FROM month_figures
        UNION ALL SELECT table_id, month, name, 'full_house', full_house FROM month_figures
        UNION ALL SELECT table_id, month, name, 'four_of_a_kind', four_of_a_kind FROM month_figures
        UNION ALL SELECT table_id, month, name, 'straight_flush', straight_flush FROM month_figures
        UNION ALL SELECT table_id, month, name, 'royal_flush', royal_flush FROM month_figures
        UNION ALL
        SELECT table_id, month, name, 'royal_flush_hearts', royal_flush_hearts FROM month_figures
        ) f JOIN who w ON w.table_id = f.table_id AND w.name = f.name
        GROUP BY f.table_id, f.month, w.person, f.hand""",
    """CREATE VIEW figure_head_to_head AS
        SELECT f.table_id, f.month, w.person, o.person AS other, SUM(f.games) AS games,
            SUM(f.ahead) AS ahead, SUM(f.behind) AS behind, SUM(f.ore) AS ore
        FROM (
            SELECT table_id, month, a AS name, b AS other, games,
                a_ahead AS ahead, b_ahead AS behind, ore FROM month_pairs
            UNION ALL SELECT table_id, month, b, a, games, b_ahead, a_ahead, -ore FROM month_pairs
        ) f JOIN who w ON w.table_id = f.table_id AND w.name = f.name
        JOIN who o ON o.table_id = f.table_id AND o.name = f.other
        GROUP BY f.table_id, f.month, w.person, o.person""",
)
