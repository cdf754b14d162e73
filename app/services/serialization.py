"""Serialization: events name numbers in the database, so that names stand in one place only.

A game's numbers, from 1, are those of who began in seat order, then of whoever has ever joined it,
in the order in which that was first recorded. They are kept with the game's setup and stay what
they are, whatever is undone or mended; who sits where follows from the events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from app.rules.events import EVENTS, REMARKS, Event, Joins, read_any_event, write_event
from app.rules.gamefile import Game, read_setup, write_game
from app.rules.state import Setup

# A decoder is made once: what a dict holds would be worked out anew for each event.
_OBJECT: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
_NAMED = ("player", "victim", "broken_by", "tied", "after")


class _Names(msgspec.Struct):
    """The part of a game's setup that says whom its events name."""

    players: list[str]
    joined: list[str] = []


def names_in(setup: str) -> tuple[str, ...]:
    """Everybody whom a game's events name, in the order of their numbers.

    `setup` is as the database holds it. There may be some whose joining was undone.
    """
    names = msgspec.json.decode(setup, type=_Names)
    return (*names.players, *names.joined)


def beginners_in(setup: str) -> tuple[str, ...]:
    """Who began a game, in seat order, from its setup as the database holds it."""
    return tuple(msgspec.json.decode(setup, type=_Names).players)


def names_with(names: Sequence[str], events: Iterable[Event]) -> tuple[str, ...]:
    """The same, and behind them whoever joins by these events and was not there yet."""
    joining = (event.player for event in events if isinstance(event, Joins))
    return tuple(dict.fromkeys([*names, *joining]))


def serialize_event(event: Event, names: Sequence[str]) -> str:
    """Write an event as JSON with numbers, from 1, in place of the names."""
    numbers = {name: number for number, name in enumerate(names, start=1)}
    return to_json(_rename(write_event(event), lambda name: numbers[str(name)]))


def deserialize_event(body: str, names: Sequence[str]) -> Event:
    """Read an event from the database, as `serialize_event` wrote it: it was checked then."""
    raw = _rename(_OBJECT.decode(body), lambda number: names[number - 1])
    event: Event = msgspec.convert(raw, EVENTS[str(raw["event"])])
    return event


def read_serialized_event(body: str, names: Sequence[str]) -> Event:
    """Read an event from outside that is to be as `serialize_event` writes it; remarks may be long.

    Raises BadFile, ValueError, LookupError and msgspec's errors for whatever it is instead.
    """
    raw = _OBJECT.decode(body)
    remarks = {key: raw.pop(key) for key in REMARKS if key in raw}
    event = read_any_event(_rename(raw, lambda number: _name_of(names, int(str(number)))))
    return replace(event, **remarks) if remarks else event


def _name_of(names: Sequence[str], number: int) -> str:
    if number < 1:
        raise IndexError(number)
    return names[number - 1]


def _rename(raw: dict[str, object], rename: Callable[[Any], object]) -> dict[str, object]:
    copy = dict(raw)
    for key in _NAMED:
        if key in copy:
            who = copy[key]
            copy[key] = (
                [rename(one) for one in who] if isinstance(who, (list, tuple)) else rename(who)
            )
    return copy


def serialize_setup(setup: Setup, names: Sequence[str] = ()) -> str:
    """Write what was agreed before the first deal as JSON; of `names`, who have joined since."""
    game = write_game(Game(setup, ()))
    raw = {key: value for key, value in game.items() if key not in ("format", "events")}
    joined = names[len(setup.players) :]
    return to_json({**raw, "joined": joined} if joined else raw)


def deserialize_setup(text: str) -> Setup:
    """Read a setup as `serialize_setup` wrote it."""
    return read_setup(_OBJECT.decode(text))


def to_json(value: object) -> str:
    """Write anything as JSON text."""
    return msgspec.json.encode(value).decode()
