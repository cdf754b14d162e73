"""Serialization: events name seats in the database, so that names stand in one place only."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from app.rules.events import REMARKS, Event, read_event, write_event
from app.rules.gamefile import Game, read_setup, write_game
from app.rules.state import Setup

_NAMED = ("player", "victim", "broken_by", "tied")


def serialize_event(event: Event, setup: Setup) -> str:
    """Write an event as JSON with the players' seats, from 1, in place of their names."""
    seats = {name: seat for seat, name in enumerate(setup.players, start=1)}
    return to_json(_rename(write_event(event), lambda name: seats[str(name)]))


def deserialize_event(body: str, setup: Setup) -> Event:
    """Read an event as `serialize_event` wrote it, with remarks as long as they once could be."""
    raw = msgspec.json.decode(body, type=dict[str, object])
    remarks = {key: raw.pop(key) for key in REMARKS if key in raw}
    event = read_event(_rename(raw, lambda seat: setup.players[int(str(seat)) - 1]), setup.players)
    return replace(event, **remarks) if remarks else event


def _rename(raw: dict[str, object], rename: Callable[[object], object]) -> dict[str, object]:
    copy = dict(raw)
    for key in _NAMED:
        if key in copy:
            who = copy[key]
            copy[key] = (
                [rename(one) for one in who] if isinstance(who, (list, tuple)) else rename(who)
            )
    return copy


def serialize_setup(setup: Setup) -> str:
    """Write what was agreed before the first deal as JSON."""
    game = write_game(Game(setup, ()))
    return to_json({key: value for key, value in game.items() if key not in ("format", "events")})


def deserialize_setup(text: str) -> Setup:
    """Read a setup as `serialize_setup` wrote it."""
    return read_setup(msgspec.json.decode(text, type=dict[str, object]))


def to_json(value: object) -> str:
    """Write anything as JSON text."""
    return msgspec.json.encode(value).decode()
