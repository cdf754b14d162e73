"""Games made ready to be written: all that is worked out of them is, before anybody has to wait."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import MAXYEAR, MINYEAR, datetime

import msgspec
from msgspec.structs import replace

from app.rules.events import Event
from app.rules.gamefile import Game, write_game
from app.rules.state import GameState
from app.services import quotas
from app.services.serialization import names_with, serialize_event, serialize_setup, to_json
from app.services.statistics import game_statistics
from app.services.tables import hash_secret, new_game_id
from app.store.statistics import Columns


class PlayedGame(Game, frozen=True):
    """A game with its states, which have been worked out already."""

    played: Sequence[GameState] = ()

    def states(self) -> list[GameState]:
        """Every state of the game."""
        return list(self.played)


class PreparedGame(msgspec.Struct, frozen=True):
    """A game as it will be written; `at` is what its file says of when, which sorts it.

    `setup` and `events` are JSON, of each event its body and the time it was recorded. It counts
    for so many `entries` of what a table may hold.
    """

    uid: str
    at: str
    begun_at: str | None
    names: tuple[str, ...]
    setup: str
    events: bytes
    entries: int
    over: bool
    statistics: Sequence[Columns]


def play_game(game: Game) -> PlayedGame:
    """Replay a game. Raises NotAllowed with the index of the event refused."""
    return PlayedGame(game.setup, game.events, game.remarks, game.states())


def prepare_game(game: Game) -> PreparedGame:
    """Work out all that is written of a game. Raises NotAllowed as `states` does."""
    states, at = game.states(), game.remarks.get("at")
    names = names_with(game.setup.players, game.events)
    events = [_event_row(event, names) for event in game.events]
    return PreparedGame(
        uid=_uid(game),
        at=str(at or ""),
        begun_at=_time(at),
        setup=serialize_setup(game.setup, names),
        names=names,
        events=msgspec.json.encode(events),
        entries=quotas.weigh(body for body, _ in events),
        over=states[-1].over,
        statistics=game_statistics(game.events, states),
    )


def _uid(game: Game) -> str:
    """The id of a game's file, else one of its own."""
    uid = game.remarks.get("id")
    return uid if isinstance(uid, str) and uid else _own_id(game)


def _own_id(game: Game) -> str:
    """A game without an id is known by its content, so that it is not imported twice."""
    return hash_secret(to_json(write_game(game))) if game.events else new_game_id()


def _event_row(event: Event, names: Sequence[str]) -> tuple[str, str | None]:
    """An event's time goes where the database holds times, if it is one."""
    at = _time(event.at)
    plain = replace(event, at=msgspec.UNSET) if at else event
    return serialize_event(plain, names), at


def _time(at: object) -> str | None:
    if not isinstance(at, str):
        return None
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    # Every clock in the world can tell the evening of a moment in these years.
    return at if moment.tzinfo and MINYEAR < moment.year < MAXYEAR else None
