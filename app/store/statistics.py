"""Rows of statistics: of each game, and their sums by month.

Months follow from games within the database, so only the statistics of games are written here.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.store.database import Connection

Columns = dict[str, object]
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

SUMS_OF_PEOPLE = f"""SELECT name, {", ".join(f"SUM({each})" for each in SUMS)},
        {", ".join(f"MAX({each})" for each in MOSTS)}
    FROM month_statistics WHERE table_id = ? AND month BETWEEN ? AND ? GROUP BY name"""  # noqa: S608  # our own names of columns
SUMS_OF_PAIRS = """SELECT a, b, SUM(games), SUM(a_ahead), SUM(b_ahead), SUM(ore)
    FROM month_pair_statistics WHERE table_id = ? AND month BETWEEN ? AND ? GROUP BY a, b"""


class OutcomeRow(msgspec.Struct, frozen=True):
    """What an ended game brought one player: `score` in points, `ore` won (+) or lost (−)."""

    game_id: int
    name: str
    stake_ore: int
    score: int
    ore: int


def replace(
    connection: Connection, game_id: int, seats: Sequence[Columns], pairs: Sequence[Columns]
) -> None:
    """Let these be the statistics of a game; none for a game without a result."""
    for table, rows in (("game_statistics", seats), ("game_pair_statistics", pairs)):
        connection.execute(f"DELETE FROM {table} WHERE game_id = ?", [game_id])  # noqa: S608  # our own names
        for row in rows:
            names, marks = ", ".join(row), ", ".join("?" for _ in row)
            sql = f"INSERT INTO {table} (game_id, {names}) VALUES (?, {marks})"  # noqa: S608  # our own names
            connection.execute(sql, [game_id, *row.values()])


def find_outcomes(connection: Connection, table_id: int) -> list[OutcomeRow]:
    """How a table's games with a result ended, each game's players in seat order."""
    sql = """SELECT game_id, name, stake_ore, score, ore FROM game_statistics
        WHERE table_id = ? ORDER BY game_id, seat"""
    return [OutcomeRow(*row) for row in connection.execute(sql, [table_id]).fetchall()]


def sum_people(
    connection: Connection, table_id: int, months: tuple[str, str]
) -> list[tuple[str, list[int]]]:
    """Each name with its statistics over a time, in the order of SUMS and then MOSTS."""
    rows = connection.execute(SUMS_OF_PEOPLE, [table_id, *months]).fetchall()
    return [(str(name), [int(each) for each in rest]) for name, *rest in rows]


def sum_pairs(
    connection: Connection, table_id: int, months: tuple[str, str]
) -> list[tuple[str, str, list[int]]]:
    """Each two names with their games, times either was ahead, and öre that the second paid."""
    rows = connection.execute(SUMS_OF_PAIRS, [table_id, *months]).fetchall()
    return [(str(a), str(b), [int(each) for each in rest]) for a, b, *rest in rows]


def find_months(connection: Connection, table_id: int) -> tuple[str, str] | None:
    """The first and the last month of a table that have statistics."""
    sql = "SELECT MIN(month), MAX(month) FROM month_statistics WHERE table_id = ?"
    first, last = connection.execute(sql, [table_id]).fetchone()
    return None if first is None else (str(first), str(last))
