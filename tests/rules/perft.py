"""Perft: all sequences of events to a depth, counted as `perft.json` has them by another engine.

It has for each set of rules how many sequences of every length are accepted, and a hash over the
results they lead to.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from app.rules.events import Event, read_event
from app.rules.game import apply
from app.rules.gamefile import read_game, write_result
from app.rules.rights import can
from app.rules.state import GameState
from tests.told import read_tables

PERFT: dict[str, Any] = read_tables(__file__)
# EACH is one player after the other, LAST the last one.
ALPHABET = json.loads(Path(__file__).with_name("alphabet.json").read_text("utf-8"))
SETS = {f"{one['name']} {one['players']}": one for one in PERFT["sets"]}
NAMES = ("Anna", "Bo", "Cilla", "Dan")


def alphabet(players: tuple[str, ...]) -> tuple[Event, ...]:
    """Return the events of the alphabet, in the order of their numbers."""
    return tuple(
        read_event({key: fill.get(f"{value}", value) for key, value in raw.items()}, players)
        for raw in ALPHABET
        for name in (players if "EACH" in raw.values() else players[-1:])
        for fill in [{"EACH": name, "LAST": name, "CHANGE": PERFT["change"]}]
    )


def root(one: dict[str, Any]) -> GameState:
    """Return the state that the sequences of a set begin with."""
    players = NAMES[: one["players"]]
    start = [e for e in one.get("start", PERFT["start"]) if e.get("player") in players]
    game = {"format": "chicago-game/1", "players": players, "dealer": players[-1]}
    return read_game({**game, "rules": one["rules"], "events": start}).states()[-1]


def sequences(
    state: GameState, events: Sequence[Event], depth: int, path: str = ""
) -> Iterator[tuple[int, str, GameState]]:
    """Yield every sequence of accepted events: its length, its numbers, the state it leads to."""
    for number, event in enumerate(events):
        if not can(state, event):
            continue
        after, numbers = apply(state, event), f"{path}{number} "
        yield numbers.count(" "), numbers, after
        if depth > 1:
            yield from sequences(after, events, depth - 1, numbers)


def counted(one: dict[str, Any], depth: int) -> tuple[list[int], list[str]]:
    """Count the sequences of each length in a set, and hash their results."""
    counts, hashes = [0] * depth, [sha256() for _ in range(depth)]
    events = alphabet(NAMES[: one["players"]])
    for length, numbers, state in sequences(root(one), events, depth):
        result = {k: v for k, v in write_result([state], history=False).items() if k != "format"}
        line = json.dumps(result, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        hashes[length - 1].update(f"{numbers}{line}\n".encode())
        counts[length - 1] += 1
    return counts, [each.hexdigest() for each in hashes]


def expected(one: dict[str, Any], depth: int) -> tuple[list[int], list[str]]:
    """Return what the other engine counted, as far as it did."""
    return one["counts"][:depth], one["sha256"][:depth]


def reached(one: dict[str, Any], depth: int) -> Iterator[GameState]:
    """Yield every state that a sequence of at most `depth` events leads to, each once.

    They tell no effects: what they came by is no part of them.
    """
    events, seen = alphabet(NAMES[: one["players"]]), set[bytes]()
    states = [root(one)]
    for _ in range(depth + 1):
        fresh = list[GameState]()
        for state in states:
            plain = replace(state, effects=())
            if (key := msgspec.msgpack.encode(plain)) not in seen:
                seen.add(key)
                fresh.append(plain)
        yield from fresh
        states = [apply(s, event) for s in fresh for event in events if can(s, event)]
