"""Evenings of games in place of sums by month; the views of figures add up the games."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from datetime import timedelta

from sqlite_utils import Database

from app.store import clock
from app.store.migrations.m001_schema import HANDS


def m015_evenings(db: Database) -> None:
    """The evening of a game beside its figures; nothing is kept of months and of pairs."""
    for view in db.view_names():
        if view.startswith("figure_") or view == "person_names":
            db.execute(f"DROP VIEW {view}")
    for table in ("month_totals", "month_pair_statistics", "game_pair_statistics"):
        db.execute(f"DROP TABLE {table}")
    db.execute("DROP INDEX games_of_month")
    db.execute("ALTER TABLE game_statistics RENAME COLUMN month TO evening")
    db.execute("CREATE INDEX statistics_of_table ON game_statistics (table_id)")
    db.register_function(_evening_of, name="evening_of")
    db.execute(
        """UPDATE game_statistics SET evening =
            (SELECT evening_of(begun_at) FROM games WHERE games.id = game_id)"""
    )
    for view in _VIEWS:
        db.execute(view)


def _evening_of(begun_at: str) -> str:
    return (clock.local(begun_at) - timedelta(hours=5)).date().isoformat()


def _figure(view: str, sql: str) -> str:
    """A view of one figure by table, month and person."""
    return f"""CREATE VIEW {view} AS
        SELECT table_id, month, person, {sql} FROM person_games
        GROUP BY table_id, month, person"""


def _union(selects: dict[str, str]) -> str:
    """The rows of several figures of games, each under its name."""
    return " UNION ALL ".join(
        f"""SELECT table_id, month, person, '{name}' AS name, {value} AS value,
            evening, begun, number FROM person_games"""
        for name, value in selects.items()
    )


_GAME_BESTS = {
    "highest_win": "ore",
    "highest_score": "score",
    "biggest_swing": "biggest_swing",
    "longest_stop": "longest_stop",
    "finest_hand": "CASE "
    + " ".join(f"WHEN {HANDS[rank - 1]} THEN {rank}" for rank in range(len(HANDS), 0, -1))
    + " ELSE 0 END",
    "quickest_win": "CASE WHEN won AND score >= target THEN -length END",
}
_EVENING_BESTS = {
    "win_of_evening": "ore",
    "zeroings_of_evening": "zeroings_given",
    "chicagos_of_evening": "chicagos_made",
}

_VIEWS = (
    # Merged names lead on to the name that is the person's.
    """CREATE VIEW person_names AS
        WITH RECURSIVE whose (table_id, id, name, person) AS (
            SELECT table_id, id, name, name FROM people WHERE same_as IS NULL
            UNION ALL
            SELECT people.table_id, people.id, people.name, person
            FROM whose JOIN people ON same_as = whose.id
        )
        SELECT table_id, name, person FROM whose""",
    # Each player of each game with a result; every house has the target 52, unless told otherwise.
    """CREATE VIEW person_games AS
        SELECT seats.*, substr(evening, 1, 7) AS month, COALESCE(person, seats.name) AS person,
            number, julianday(begun_at) AS begun,
            COALESCE(setup ->> '$.rules.target', 52) AS target,
            MAX(deals) OVER (PARTITION BY game_id) AS length
        FROM game_statistics seats JOIN games ON games.id = game_id
        LEFT JOIN person_names whose
            ON whose.table_id = seats.table_id AND whose.name = seats.name""",
    _figure("figure_games", "COUNT(*) AS games"),
    _figure("figure_wins", "SUM(won) AS wins"),
    _figure(
        "figure_ore",
        """SUM(ore) AS ore, SUM(stake_ore > 0) AS staked,
            COUNT(DISTINCT evening) FILTER (WHERE stake_ore > 0) AS evenings""",
    ),
    _figure("figure_score", "SUM(score) AS points"),
    _figure("figure_chicagos_said", "SUM(chicagos_said) AS said"),
    _figure("figure_chicagos_made", "SUM(chicagos_made) AS made"),
    _figure("figure_zeroings_given", "SUM(zeroings_given) AS given"),
    _figure("figure_zeroings_suffered", "SUM(zeroings_suffered) AS suffered"),
    _figure("figure_last_tricks", "SUM(last_tricks) AS last_tricks"),
    _figure("figure_biggest_swing", "MAX(biggest_swing) AS points"),
    _figure("figure_longest_stop", "MAX(longest_stop) AS deals"),
    # Wins in a row have the same number of losses before them.
    """CREATE VIEW figure_streaks AS
        WITH counted AS (
            SELECT *, SUM(NOT won) OVER (PARTITION BY table_id, month, person) AS lost,
                SUM(NOT won) OVER (PARTITION BY table_id, month, person
                    ORDER BY begun, number) AS lost_before
            FROM person_games
        ), rows AS (
            SELECT table_id, month, person, COUNT(*) AS games, SUM(won) AS wins,
                lost_before = 0 AS is_first, lost_before = lost AS is_last
            FROM counted GROUP BY table_id, month, person, lost_before
        )
        SELECT table_id, month, person, SUM(games) AS games, SUM(wins * is_first) AS opening,
            MAX(wins) AS longest, SUM(wins * is_last) AS closing
        FROM rows GROUP BY table_id, month, person""",
    # Of equal ones the first.
    f"""CREATE VIEW figure_bests AS
        WITH reached AS (
            {_union(_GAME_BESTS)}
            UNION ALL
            SELECT table_id, month, person, name, SUM(value), evening, MIN(begun), 0
            FROM ({_union(_EVENING_BESTS)}) GROUP BY table_id, month, person, name, evening
        ), ordered AS (
            SELECT *, ROW_NUMBER() OVER (PARTITION BY table_id, month, person, name
                ORDER BY value DESC, begun, number) AS place
            FROM reached WHERE value > 0 OR name = 'quickest_win' AND value IS NOT NULL
        )
        SELECT table_id, month, person, name AS best, value, evening, number AS game
        FROM ordered WHERE place = 1""",
    f"""CREATE VIEW figure_best_hands AS
        SELECT table_id, month, person, name AS hand, SUM(value) AS times
        FROM ({_union({hand: hand for hand in HANDS})}) WHERE value > 0
        GROUP BY table_id, month, person, name""",
    # A loser pays each winner the same; öre that do not divide go round the winners in seat order,
    # on from where the loser before left off.
    """CREATE VIEW figure_head_to_head AS
        WITH seated AS (
            SELECT *, SUM(won) OVER (PARTITION BY game_id) AS winners,
                SUM(won) OVER (PARTITION BY game_id ORDER BY seat) - 1 AS turn
            FROM person_games
        ), shared AS (
            SELECT *, CASE WHEN won THEN 0 ELSE -ore % winners END AS rest FROM seated
        ), paying AS (
            SELECT *, SUM(rest) OVER (PARTITION BY game_id ORDER BY seat) - rest AS begins
            FROM shared
        ), met AS (
            SELECT p.table_id, p.month, p.person, o.person AS other,
                (p.won, p.score) > (o.won, o.score) AS ahead,
                (p.won, p.score) < (o.won, o.score) AS behind,
                CASE WHEN p.won > o.won THEN -o.ore / o.winners
                        + ((p.turn - o.begins % o.winners + o.winners) % o.winners < o.rest)
                    WHEN p.won < o.won THEN p.ore / p.winners
                        - ((o.turn - p.begins % p.winners + p.winners) % p.winners < p.rest)
                    ELSE 0 END AS ore
            FROM paying p JOIN paying o ON o.game_id = p.game_id AND o.seat <> p.seat
        )
        SELECT table_id, month, person, other, COUNT(*) AS games, SUM(ahead) AS ahead,
            SUM(behind) AS behind, SUM(ore) AS ore
        FROM met GROUP BY table_id, month, person, other""",
)
