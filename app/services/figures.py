"""The figures of ended games: a row for each seat, which follows the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

import msgspec

from app.rules.codes import EndCode
from app.rules.gamefile import Game
from app.rules.state import GameState
from app.services import table_view, tables
from app.services.fold import GameLog, fold, follow
from app.services.game_statistics import seat_statistics
from app.store import clock, log
from app.store.clock import evening_of
from app.store.connection import Connection
from app.store.database import Database
from app.store.schema import MAXIMA, SUMS, VOID

_BROKEN_OFF: Mapping[EndCode | None, int] = {"broken_off_settled": 1, "broken_off_void": VOID}

Figures = dict[str, dict[str, object]]


def count(begun_at: str, game: Game, states: Sequence[GameState]) -> Figures:
    """Work out the figures of a game, by player in seat order; all are 0 of one that was void.

    There are none while it is played. Raises NotAllowed for more points than the database adds up.
    """
    end = states[-1]
    if not end.over:
        return {}
    tables.check_points(end)
    of_game = {
        # So that it sorts.
        "begun_at": clock.write_time(clock.local(begun_at)),
        "evening": evening_of(begun_at).isoformat(),
        "stake_ore": end.setup.stake_ore,
        "target": end.rules.target,
        "broken_off": _BROKEN_OFF.get(end.ended, 0),
    }
    if end.ended == "broken_off_void":
        nothing = dict.fromkeys(("score", "deals", "falls", *SUMS, *MAXIMA), 0)
        return {
            seat.name: of_game | nothing | {"seat": number, "score": seat.score}
            for number, seat in enumerate(end.seats, start=1)
        }
    figures: Figures = {}
    for seat in seat_statistics(states):
        row = msgspec.structs.asdict(seat)
        # By corrections of any size that were taken back it may be larger than a column bears.
        row["biggest_swing"] = min(seat.biggest_swing, tables.MAX_POINTS)
        # Phones of every release read the column by this name.
        row["falls"] = row.pop("busts")
        name, hands = row.pop("name"), row.pop("hands")
        figures[name] = of_game | row | hands
    return figures


def update(
    connection: Connection, table_id: int, number: int, seats: Figures, numbers: Mapping[str, int]
) -> None:
    """Replace the figures of a game."""
    connection.table("seats").delete_where("table_id = ? AND game = ?", [table_id, number])
    add(connection, table_id, write(number, seats, numbers))


def write(number: int, seats: Figures, numbers: Mapping[str, int]) -> list[dict[str, object]]:
    """The rows of a game's figures."""
    return [{"game": number, "person": numbers[name], **seat} for name, seat in seats.items()]


def add(connection: Connection, table_id: int, rows: Sequence[dict[str, object]]) -> None:
    """Add rows of figures to a table."""
    if rows:
        values = map(itemgetter(*rows[0]), rows)
        marks = ", ?" * len(rows[0])
        sql = f"INSERT INTO seats (table_id, {', '.join(rows[0])}) VALUES (?{marks})"  # noqa: S608
        connection.conn.executemany(sql, ((table_id, *each) for each in values))


def recount(connection: Connection, table_id: int, number: int) -> None:
    """Work the figures of a game out anew from the log; there may be no such game any more."""
    seats: Figures = {}
    if (game := fold(log.read_game(connection, table_id, number)).games.get(number)) is not None:
        played = play(game)
        seats = count(game.begun_at, played, played.states())
    update(connection, table_id, number, seats, {name: int(name) for name in seats})


def recount_all(db: Database) -> int:
    """Work the figures of all games of all tables out anew; count the games."""
    sql = f"""SELECT table_id, game FROM changes WHERE undone IS NULL AND {log.STARTS}
        UNION SELECT table_id, game FROM seats"""  # noqa: S608
    games = db.connection.execute(sql).fetchall()
    for game in games:
        # A server has its turn in between.
        with db.transaction() as connection:
            recount(connection, *game)
        clock.give_way()
    db.connection.ledgers.clear()
    return len(games)


def play(game: GameLog) -> Game:
    """Replay a game whose players go by their numbers, so that no two of them share a name."""
    seats = {follow(game.called, number): str(number) for number in game.seated}
    numbers = {*game.seated, *game.called, *game.called.values()}
    names = {number: seats.get(follow(game.called, number), "") for number in numbers}
    return table_view.play(game, names)
