"""Rows of statistics: of each game, and their sums by month."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.store.database import Connection
from app.store.migrations.m001_schema import MAXIMA, SUMS, each

Columns = dict[str, object]
Sums = dict[str, int]
Months = tuple[str, str]
ALWAYS = ("0000-00", "9999-99")

_OF_MONTHS = "WHERE table_id = ? AND month BETWEEN ? AND ?"
SUMS_OF_PEOPLE = f"""SELECT name, {each("SUM({0}) AS {0}", ("games", "staked", *SUMS))},
        {each("MAX({0}) AS {0}", MAXIMA)}
    FROM month_statistics {_OF_MONTHS} GROUP BY name"""
SUMS_OF_PAIRS = f"""SELECT name, other, SUM(games), SUM(ahead), SUM(behind), SUM(ore)
    FROM month_pair_statistics {_OF_MONTHS} GROUP BY name, other"""
_OF_GAMES = """WHERE game_id IN
    (SELECT id FROM games WHERE games.table_id = ?1 AND number BETWEEN ?2 AND ?3)"""
_SUM_MONTHS = (
    f"DELETE FROM month_statistics {_OF_MONTHS}",
    f"DELETE FROM month_pair_statistics {_OF_MONTHS}",
    f"""INSERT INTO month_statistics
            (table_id, month, name, games, staked, {each("{}", (*SUMS, *MAXIMA))})
        SELECT table_id, month, name, COUNT(*), SUM(stake_ore > 0),
            {each("SUM({})", SUMS)}, {each("MAX({})", MAXIMA)}
        FROM game_statistics {_OF_MONTHS} GROUP BY month, name""",
    f"""INSERT INTO month_pair_statistics
            (table_id, month, name, other, games, ahead, behind, ore)
        SELECT table_id, month, name, other, COUNT(*), SUM(ahead), SUM(behind), SUM(ore)
        FROM game_pair_statistics {_OF_MONTHS} GROUP BY month, name, other""",
)

# New games are added to what their months have already, so that nothing is summed up again. There
# is no unique index, of names, by which an insertion could find what is there.
_NEW_SUMS = f"""SELECT month, name, COUNT(*) AS games, SUM(stake_ore > 0) AS staked,
        {each("SUM({0}) AS {0}", SUMS)}, {each("MAX({0}) AS {0}", MAXIMA)}
    FROM game_statistics {_OF_GAMES} GROUP BY month, name"""
_NEW_PAIR_SUMS = f"""SELECT month, name, other, COUNT(*) AS games, SUM(ahead) AS ahead,
        SUM(behind) AS behind, SUM(ore) AS ore
    FROM game_pair_statistics {_OF_GAMES} GROUP BY month, name, other"""


def _add_sums(
    table: str, sums: str, keys: Sequence[str], added: Sequence[str], largest: Sequence[str] = ()
) -> tuple[str, str]:
    """SQL that adds new sums to the rows there are, and that inserts the others."""
    there = f"{table}.table_id = ?1 AND " + " AND ".join(f"{table}.{k} = new.{k}" for k in keys)
    changes = [f"{column} = {table}.{column} + new.{column}" for column in added]
    changes += [f"{column} = MAX({table}.{column}, new.{column})" for column in largest]
    columns = (*keys, *added, *largest)
    return (
        f"UPDATE {table} SET {each('{}', changes)} FROM ({sums}) AS new WHERE {there}",
        f"""INSERT INTO {table} (table_id, {each("{}", columns)})
            SELECT ?1, {each("new.{}", columns)} FROM ({sums}) AS new
            WHERE NOT EXISTS (SELECT 1 FROM {table} WHERE {there})""",
    )


_ADD_TO_MONTHS = (
    *_add_sums(
        "month_statistics", _NEW_SUMS, ("month", "name"), ("games", "staked", *SUMS), MAXIMA
    ),
    *_add_sums(
        "month_pair_statistics",
        _NEW_PAIR_SUMS,
        ("month", "name", "other"),
        ("games", "ahead", "behind", "ore"),
    ),
)


class ResultRow(msgspec.Struct, frozen=True):
    """What an ended game brought one player: `score` in points, `ore` won (+) or lost (−)."""

    game_id: int
    name: str
    stake_ore: int
    score: int
    ore: int


class PairRow(msgspec.Struct, frozen=True):
    """What one name did against another: times ahead and behind, öre won (+) or lost (−)."""

    name: str
    other: str
    games: int
    ahead: int
    behind: int
    ore: int


def replace(
    connection: Connection, game_id: int, seats: Sequence[Columns], pairs: Sequence[Columns]
) -> None:
    """Let these be the statistics of a game; none for a game without a result.

    The rows of one kind name the same columns in the same order.
    """
    for table, rows in (("game_statistics", seats), ("game_pair_statistics", pairs)):
        connection.execute(f"DELETE FROM {table} WHERE game_id = ?", [game_id])
        if rows:
            places = ", ".join([f"(?, {each('?', rows[0])})"] * len(rows))
            sql = f"INSERT INTO {table} (game_id, {each('{}', rows[0])}) VALUES {places}"
            connection.execute(sql, [value for row in rows for value in (game_id, *row.values())])


def sum_months(connection: Connection, table_id: int, months: Months = ALWAYS) -> None:
    """Sum the statistics of a table's games up anew, for the months from one to another."""
    for sql in _SUM_MONTHS:
        connection.execute(sql, [table_id, *months])


def add_to_months(connection: Connection, table_id: int, first: int, last: int) -> None:
    """Add the statistics of new games, by their numbers from one to another, to their months."""
    for sql in _ADD_TO_MONTHS:
        connection.execute(sql, [table_id, first, last])


def find_results(connection: Connection, table_id: int) -> list[ResultRow]:
    """How a table's games with a result ended, each game's players in seat order."""
    sql = """SELECT game_id, name, stake_ore, score, ore FROM game_statistics
        WHERE table_id = ? ORDER BY game_id, seat"""
    return [ResultRow(*row) for row in connection.execute(sql, [table_id]).fetchall()]


def sum_people(connection: Connection, table_id: int, months: Months) -> dict[str, Sums]:
    """Each name's statistics over a time, by column."""
    rows = connection.query(SUMS_OF_PEOPLE, [table_id, *months])
    return {row.pop("name"): row for row in rows}


def sum_pairs(connection: Connection, table_id: int, months: Months) -> list[PairRow]:
    """What each name did against each other over a time."""
    rows = connection.execute(SUMS_OF_PAIRS, [table_id, *months]).fetchall()
    return [PairRow(*row) for row in rows]


def find_months(connection: Connection, table_id: int) -> Months | None:
    """The first and the last month of a table that have statistics."""
    sql = "SELECT MIN(month), MAX(month) FROM month_statistics WHERE table_id = ?"
    first, last = connection.execute(sql, [table_id]).fetchone()
    return None if first is None else (str(first), str(last))
