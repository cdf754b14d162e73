"""Serialization: events and setups with people's numbers at a table in place of their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from app.rules.events import EVENTS, Event, write_event
from app.rules.gamefile import Game, read_setup, write_game
from app.rules.state import Setup
from app.services.fold import Body

NAMED = ("player", "victim", "broken_by", "tied", "after", "players", "dealer")


def write_numbers(event: Event, numbers: Mapping[str, int]) -> Body:
    """Write an event with numbers for names."""
    return rename(write_event(event), numbers)


def read_numbers(body: Body, names: Mapping[int, str]) -> Event:
    """Read an event as `write_numbers` wrote it: it was checked then."""
    raw = rename(body, names)
    return msgspec.convert(raw, EVENTS[raw["event"]])


def write_setup(setup: Setup, numbers: Mapping[str, int]) -> Body:
    """Write what was agreed before the first deal, with numbers for names."""
    raw = write_game(Game(setup, ()))
    del raw["format"], raw["events"]
    return rename(raw, numbers)


def read_setup_numbers(body: Body, names: Mapping[int, str]) -> Setup:
    """Read a setup as `write_setup` wrote it."""
    return read_setup(rename(body, names))


def rename(raw: Body, names: Mapping[Any, object]) -> Body:
    """An event or a setup with everybody named otherwise, names or numbers."""
    copy = dict(raw)
    for key in NAMED:
        if key in copy:
            who = copy[key]
            copy[key] = [names[n] for n in who] if isinstance(who, list | tuple) else names[who]
    return copy


def to_json(value: object) -> str:
    """Write anything as JSON text."""
    return msgspec.json.encode(value).decode()
