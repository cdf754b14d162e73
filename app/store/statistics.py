"""The figures of games, and their sums by month, in the same database as the games.

Months follow from games within the database, so only the figures of games are written here.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.store.database import Pool

Row = dict[str, object]
ALWAYS = ("0000-00", "9999-99")

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
    "games",
    "staked",
    "won",
    "ore",
    "chicagos_said",
    "chicagos_made",
    "zeroings_given",
    "zeroings_suffered",
    "last_tricks",
    *HANDS,
)
MOSTS = ("biggest_swing", "longest_stop")

OF_PEOPLE = f"""SELECT name, {", ".join(f"SUM({each})" for each in SUMS)},
        {", ".join(f"MAX({each})" for each in MOSTS)}
    FROM month_figures WHERE table_id = ? AND month BETWEEN ? AND ? GROUP BY name"""  # noqa: S608  # our own names of columns
OF_PAIRS = """SELECT a, b, SUM(games), SUM(a_ahead), SUM(b_ahead), SUM(ore)
    FROM month_pairs WHERE table_id = ? AND month BETWEEN ? AND ? GROUP BY a, b"""
OF_MONTHS = "SELECT MIN(month), MAX(month) FROM month_figures WHERE table_id = ?"


def replace(pool: Pool, game_id: int, seats: Sequence[Row], pairs: Sequence[Row]) -> None:
    """Let these be the figures of a game; none for a game without any."""
    for table, rows in (("game_figures", seats), ("game_pairs", pairs)):
        pool.db.execute(f"DELETE FROM {table} WHERE game_id = ?", [game_id])  # noqa: S608
        pool.db.table(table).insert_all({"game_id": game_id, **row} for row in rows)


def game(pool: Pool, game_id: int) -> tuple[int, str, str]:
    """The table of a game, its setup, and when it began."""
    sql = "SELECT table_id, setup, begun_at FROM games WHERE id = ?"
    table_id, setup, begun_at = pool.db.execute(sql, [game_id]).fetchone()
    return int(table_id), str(setup), str(begun_at)


def all_games(pool: Pool) -> list[int]:
    """The keys of all games of all tables."""
    return [int(row[0]) for row in pool.db.execute("SELECT id FROM games ORDER BY id").fetchall()]


def of_people(pool: Pool, table_id: int, months: tuple[str, str]) -> list[tuple[str, list[int]]]:
    """Each name with its figures over a time, in the order of SUMS and then MOSTS."""
    rows = pool.db.execute(OF_PEOPLE, [table_id, *months]).fetchall()
    return [(str(name), [int(each) for each in rest]) for name, *rest in rows]


def of_pairs(
    pool: Pool, table_id: int, months: tuple[str, str]
) -> list[tuple[str, str, list[int]]]:
    """Each two names with their games, times either was ahead, and öre that the second paid."""
    rows = pool.db.execute(OF_PAIRS, [table_id, *months]).fetchall()
    return [(str(a), str(b), [int(each) for each in rest]) for a, b, *rest in rows]


def first_and_last(pool: Pool, table_id: int) -> tuple[str, str] | None:
    """The first and the last month of a table that have figures."""
    first, last = pool.db.execute(OF_MONTHS, [table_id]).fetchone()
    return None if first is None else (str(first), str(last))
