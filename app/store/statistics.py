"""Rows of statistics: of each game, their sums by month, and the totals of each person."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from app.store.connection import Connection
from app.store.migrations.m001_schema import MAXIMA, SUMS, each

Columns = dict[str, object]
Months = tuple[str, str]
# What can be added up along the years: öre won or lost, and games won.
WonColumn = Literal["ore", "won"]
ALWAYS = ("0000-00", "9999-99")

_OF_MONTHS = "WHERE table_id = ? AND month BETWEEN ? AND ?"
TOTALS_OF_MONTHS = f"""SELECT month, place, person, body FROM month_totals {_OF_MONTHS}
    ORDER BY month, place"""
SUMS_OF_PAIRS = f"""SELECT name, other, SUM(games), SUM(ahead), SUM(behind), SUM(ore)
    FROM month_pair_statistics {_OF_MONTHS} GROUP BY name, other"""
_SUM_PAIRS = (
    f"DELETE FROM month_pair_statistics {_OF_MONTHS}",
    f"""INSERT INTO month_pair_statistics
            (table_id, month, name, other, games, ahead, behind, ore)
        SELECT table_id, month, name, other, COUNT(*), SUM(ahead), SUM(behind), SUM(ore)
        FROM game_pair_statistics {_OF_MONTHS} GROUP BY month, name, other""",
)
# New games are added to what their months have already, so that nothing is summed up again. There
# is no unique index, of names, by which an insertion could find what is there.
_NEW_PAIR_SUMS = """SELECT month, name, other, COUNT(*) AS games, SUM(ahead) AS ahead,
        SUM(behind) AS behind, SUM(ore) AS ore
    FROM game_pair_statistics WHERE game_id IN
        (SELECT id FROM games WHERE games.table_id = ?1 AND number BETWEEN ?2 AND ?3)
    GROUP BY month, name, other"""
_THERE = """month_pair_statistics.table_id = ?1 AND month_pair_statistics.month = new.month
    AND month_pair_statistics.name = new.name AND month_pair_statistics.other = new.other"""
_ADD_PAIRS = (
    f"""UPDATE month_pair_statistics SET games = month_pair_statistics.games + new.games,
            ahead = month_pair_statistics.ahead + new.ahead,
            behind = month_pair_statistics.behind + new.behind,
            ore = month_pair_statistics.ore + new.ore
        FROM ({_NEW_PAIR_SUMS}) AS new WHERE {_THERE}""",
    f"""INSERT INTO month_pair_statistics
            (table_id, month, name, other, games, ahead, behind, ore)
        SELECT ?1, month, name, other, games, ahead, behind, ore FROM ({_NEW_PAIR_SUMS}) AS new
        WHERE NOT EXISTS (SELECT 1 FROM month_pair_statistics WHERE {_THERE})""",
)
_ONE_OF = "(?2 IS NULL OR month IN (SELECT value FROM json_each(?2)))"
# Each player's statistics with the game's own, by person: merged names lead on to another.
_PLAYED = f"""WITH RECURSIVE whose (id, name, person) AS (
        SELECT id, name, name FROM people WHERE table_id = ?1 AND same_as IS NULL
        UNION ALL
        SELECT people.id, people.name, person FROM whose
        JOIN people ON people.table_id = ?1 AND same_as = whose.id
    )
    SELECT number, begun_at, CASE seat WHEN 1 THEN setup END AS setup, stake_ore,
        COALESCE(person, seat.name) AS name, score, seat, deals, falls,
        {each("{}", (*SUMS, *MAXIMA))}
    FROM game_statistics AS seat JOIN games ON games.id = game_id
    LEFT JOIN whose ON whose.name = seat.name
    WHERE seat.table_id = ?1 AND {_ONE_OF}
    ORDER BY game_id, seat"""


class ResultRow(msgspec.Struct, frozen=True):
    """What an ended game brought one player: `score` in points, `ore` won (+) or lost (−).

    `won` is 1 for a winner, else 0.
    """

    game_id: int
    name: str
    stake_ore: int
    score: int
    ore: int
    won: int


class PairRow(msgspec.Struct, frozen=True):
    """What one name did against another: times ahead and behind, öre won (+) or lost (−)."""

    name: str
    other: str
    games: int
    ahead: int
    behind: int
    ore: int


class TotalsRow(msgspec.Struct, frozen=True):
    """A person's totals of a month as JSON; `place` is from 1 among those who have any."""

    month: str
    place: int
    person: str
    body: str


class GameMonthRow(msgspec.Struct, frozen=True):
    """The month that a game's statistics are of, and when the game began."""

    table_id: int
    game_id: int
    month: str
    begun_at: str


def replace(
    connection: Connection,
    game_id: int,
    seats: Sequence[Columns],
    pairs: Sequence[Columns],
    *,
    is_new: bool = False,
) -> None:
    """Let these be the statistics of a game, which `is_new` where it has none; or none of it.

    The rows of one kind name the same columns in the same order.
    """
    for table, rows in (("game_statistics", seats), ("game_pair_statistics", pairs)):
        if not is_new:
            connection.execute(f"DELETE FROM {table} WHERE game_id = ?", [game_id])
        if rows:
            places = ", ".join([f"(?, {each('?', rows[0])})"] * len(rows))
            sql = f"INSERT INTO {table} (game_id, {each('{}', rows[0])}) VALUES {places}"
            connection.execute(sql, [value for row in rows for value in (game_id, *row.values())])


def find_game_months(connection: Connection) -> list[GameMonthRow]:
    """The month of every game that has statistics."""
    sql = """SELECT DISTINCT counted.table_id, game_id, month, begun_at
        FROM game_statistics AS counted JOIN games ON games.id = game_id"""
    return [GameMonthRow(*row) for row in connection.execute(sql).fetchall()]


def move_game(connection: Connection, game_id: int, month: str) -> None:
    """Let the statistics of a game be of another month, but not what is kept of months."""
    for table in ("game_statistics", "game_pair_statistics"):
        sql = f"UPDATE {table} SET month = ? WHERE game_id = ?"
        connection.execute(sql, [month, game_id])


def sum_pairs(connection: Connection, table_id: int, months: Months = ALWAYS) -> None:
    """Sum the statistics of pairs up anew, for the months from one to another."""
    for sql in _SUM_PAIRS:
        connection.execute(sql, [table_id, *months])


def add_pairs(connection: Connection, table_id: int, first: int, last: int) -> None:
    """Add the pairs of new games, by their numbers from one to another, to their months."""
    for sql in _ADD_PAIRS:
        connection.execute(sql, [table_id, first, last])


def find_played(
    connection: Connection, table_id: int, months: Collection[str] | None = None
) -> list[Columns]:
    """All statistics of the players of a table's games, of some months or of all, by person.

    Besides, each row has its game's `number`, `begun_at` and `stake_ore`, the first its `setup`.
    """
    cursor = connection.execute(_PLAYED, [table_id, _listed(months)])
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _listed(months: Collection[str] | None) -> str | None:
    return None if months is None else msgspec.json.encode(sorted(months)).decode()


def save_totals(connection: Connection, table_id: int, rows: Sequence[TotalsRow]) -> None:
    """Let these be the totals of their months, where no month had more people before."""
    # As one value: so many months and people as a table may have are more than SQL takes variables.
    sql = f"""INSERT OR REPLACE INTO month_totals (table_id, month, place, person, body)
        SELECT ?1, {each("value ->> '{}'", TotalsRow.__struct_fields__)} FROM json_each(?2)"""
    connection.execute(sql, [table_id, msgspec.json.encode(rows).decode()])


def drop_totals(
    connection: Connection, table_id: int, months: Collection[str] | None = None
) -> None:
    """Forget the totals of some months of a table, or of all."""
    sql = f"DELETE FROM month_totals WHERE table_id = ?1 AND {_ONE_OF}"
    connection.execute(sql, [table_id, _listed(months)])


def find_months_of(connection: Connection, table_id: int, person: str) -> list[str]:
    """The months of a table in which somebody of this name has totals."""
    sql = "SELECT month FROM month_totals WHERE table_id = ? AND person = ?"
    return [month for (month,) in connection.execute(sql, [table_id, person]).fetchall()]


def find_without_totals(connection: Connection) -> list[int]:
    """The tables that have a month with statistics of games, but without totals."""
    # In every game two have met, and their sums by month are far fewer than games.
    sql = """SELECT DISTINCT table_id FROM month_pair_statistics AS met WHERE NOT EXISTS
        (SELECT 1 FROM month_totals AS kept
            WHERE kept.table_id = met.table_id AND kept.month = met.month)"""
    return [key for (key,) in connection.execute(sql).fetchall()]


def find_results(connection: Connection, table_id: int) -> list[ResultRow]:
    """How a table's games with a result ended, each game's players in seat order."""
    sql = """SELECT game_id, name, stake_ore, score, ore, won FROM game_statistics
        WHERE table_id = ? ORDER BY game_id, seat"""
    return [ResultRow(*row) for row in connection.execute(sql, [table_id]).fetchall()]


def find_totals(connection: Connection, table_id: int, months: Months) -> list[TotalsRow]:
    """Everybody's totals of each month of a time, in order."""
    rows = connection.execute(TOTALS_OF_MONTHS, [table_id, *months]).fetchall()
    return [TotalsRow(*row) for row in rows]


def find_pairs(connection: Connection, table_id: int, months: Months) -> list[PairRow]:
    """What each name did against each other over a time."""
    rows = connection.execute(SUMS_OF_PAIRS, [table_id, *months]).fetchall()
    return [PairRow(*row) for row in rows]


def find_months(connection: Connection, table_id: int) -> Months | None:
    """The first and the last month of a table that have statistics."""
    sql = "SELECT MIN(month), MAX(month) FROM month_totals WHERE table_id = ?"
    first, last = connection.execute(sql, [table_id]).fetchone()
    return None if first is None else (str(first), str(last))


def find_changes(
    connection: Connection, table_id: int, months: Months, column: WonColumn, *, games: bool = False
) -> list[tuple[str, str, int, int]]:
    """When, who, in how many games, and what they won or lost: by month, or game by game.

    The earliest come first. A game is told by the moment when it began.
    """
    figures = f"month, person, body ->> 'games', body ->> '{column}'"
    sql = f"SELECT {figures} FROM month_totals {_OF_MONTHS} ORDER BY month"
    if games:
        sql = f"""SELECT begun_at, name, 1, {column}
            FROM game_statistics AS counted JOIN games ON games.id = game_id
            WHERE counted.table_id = ? AND month BETWEEN ? AND ? ORDER BY begun_at"""
    return connection.execute(sql, [table_id, *months]).fetchall()
