"""The figures of ended games: a row for each seat, which follows the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from app.rules.gamefile import Game
from app.rules.state import GameState
from app.rules.statistics import seat_statistics
from app.services import table_view
from app.services.fold import GameLog, fold, follow
from app.store import log
from app.store.clock import evening_of
from app.store.connection import Connection
from app.store.database import Database

# Points know no bounds, integers of the database do: sums of millions of these still fit.
MOST = 10**12

Figures = dict[str, dict[str, object]]


def count(begun_at: str, game: Game, states: Sequence[GameState]) -> Figures:
    """Work out the figures of a game, by player in seat order.

    There are none while it is played, or if it was void.
    """
    end = states[-1]
    of_game = {
        "begun_at": begun_at,
        "evening": evening_of(begun_at).isoformat(),
        "stake_ore": end.setup.stake_ore,
        "target": end.rules.target,
        "broken_off": is_broken_off(end),
    }
    figures: Figures = {}
    for seat in seat_statistics(states, game.events):
        row = msgspec.structs.asdict(seat)
        name, hands = row.pop("name"), row.pop("hands")
        # Cut off at the bound of the database's sums.
        row |= {key: max(-MOST, min(MOST, row[key])) for key in ("ore", "score", "biggest_swing")}
        figures[name] = of_game | row | hands
    return figures


def is_broken_off(end: GameState) -> bool:
    """Whether a game was broken off, settled or void."""
    return end.ended in ("broken_off_settled", "broken_off_void")


def update(
    connection: Connection, table_id: int, number: int, seats: Figures, numbers: Mapping[str, int]
) -> None:
    """Replace the figures of a game."""
    rows = connection.table("seats")
    rows.delete_where("table_id = ? AND game = ?", [table_id, number])
    game = {"table_id": table_id, "game": number}
    rows.insert_all({**game, "person": numbers[name], **seat} for name, seat in seats.items())


def recount(connection: Connection, table_id: int, number: int) -> None:
    """Work the figures of a game out anew from the log; there may be no such game any more."""
    seats: Figures = {}
    if (game := fold(log.read_game(connection, table_id, number)).games.get(number)) is not None:
        played = play(game)
        seats = count(game.begun_at, played, played.states())
    update(connection, table_id, number, seats, {name: int(name) for name in seats})


def recount_all(db: Database) -> int:
    """Work the figures of all games of all tables out anew; count the games."""
    sql = f"SELECT table_id, game FROM changes WHERE undone IS NULL AND {log.STARTS}"  # noqa: S608
    with db.transaction() as connection:
        connection.table("seats").delete_where()
        games = connection.execute(sql).fetchall()
        for game in games:
            recount(connection, *game)
    return len(games)


def play(game: GameLog) -> Game:
    """Replay a game whose players go by their numbers, so that no two of them share a name."""
    seats = {follow(game.called, number): str(number) for number in game.seated}
    numbers = {*game.seated, *game.called, *game.called.values()}
    names = {number: seats.get(follow(game.called, number), "") for number in numbers}
    return table_view.play(game, names)
