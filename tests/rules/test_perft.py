"""Perft: all sequences of events to a depth, counted, against numbers found by another engine.

`perft.json` has for each set of rules the number of sequences of every length, and a hash over
their results. One of more players is left to `make hard`, as is the fourth event.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from app.rules.errors import NotAllowed
from app.rules.events import Event, read_event
from app.rules.game import apply
from app.rules.gamefile import read_game, write_result
from app.rules.state import GameState

PERFT = json.loads(Path(__file__).with_name("perft.json").read_text(encoding="utf-8"))
NAMES = ("Anna", "Bo", "Cilla", "Dan")
DEPTH = 3

Set = dict[str, Any]


def alphabet(names: Sequence[str]) -> list[Event]:
    """Every event that a sequence may have, in the order of its numbers."""
    hands = ({"hand": "pair"}, _FOUR, {**_FOUR, "choose": "zero"}, {"hand": "royal_flush"})
    raw: list[Set] = [
        *({"event": "best_hand", "player": name, **hand} for hand in hands for name in names),
        {"event": "no_best_hand"},
        *({"event": "no_best_hand", "hand": hand, "tied": ["Anna", "Bo"]} for hand in _TIED),
        *({"event": "chicago", "player": name} for name in names),
        *({"event": "chicago", "player": name, "blind": True} for name in names),
        {"event": "chicago_result", "won": True},
        {"event": "chicago_result", "won": True, "with_two": True},
        *({"event": "chicago_result", "won": False, "broken_by": name} for name in names),
        *({"event": "last_trick", "player": name} for name in names),
        *({"event": "illegal_exchange", "player": name} for name in names),
        {"event": "leaves", "player": names[-1]},
        {"event": "correction", "player": "Anna", "points": -10},
        {"event": "rules", "rules": PERFT["change"]},
    ]
    return [read_event(each, tuple(names)) for each in raw]


_FOUR, _TIED = {"hand": "four_of_a_kind"}, ("two_pairs", "royal_flush")


def begun(perft: Set) -> GameState:
    """The game of a set, with what is recorded in it first."""
    names = NAMES[: perft["players"]]
    start = [each for each in perft.get("start", PERFT["start"]) if each["player"] in names]
    game = {"format": "chicago-game/1", "players": names, "rules": perft["rules"], "events": start}
    return read_game({**game, "players": list(names), "stake_ore": 100}).states()[-1]


def sequences(
    state: GameState, events: Sequence[Event], depth: int, path: str = ""
) -> Iterator[tuple[int, str, GameState]]:
    """Every sequence of events that are accepted: its length, its numbers, the state it makes."""
    for number, event in enumerate(events):
        try:
            after = apply(state, event)
        except NotAllowed:
            continue
        numbers = f"{path}{number} "
        yield numbers.count(" "), numbers, after
        if depth > 1:
            yield from sequences(after, events, depth - 1, numbers)


def counted(perft: Set, depth: int) -> tuple[list[int], list[str]]:
    """The number of sequences of each length, and the hash over their results."""
    counts, hashes = [0] * depth, [sha256() for _ in range(depth)]
    events = alphabet(NAMES[: perft["players"]])
    for length, numbers, state in sequences(begun(perft), events, depth):
        result = {k: v for k, v in write_result([state], history=False).items() if k != "format"}
        line = json.dumps(result, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        hashes[length - 1].update(f"{numbers}{line}\n".encode())
        counts[length - 1] += 1
    return counts, [each.hexdigest() for each in hashes]


@pytest.mark.parametrize(
    "perft", PERFT["sets"], ids=lambda each: f"{each['name']} {each['players']}"
)
def test_every_sequence_of_events_leads_where_another_engine_leads(perft: Set) -> None:
    """Each set of rules, to three events in a row: as many sequences, and the same results."""
    depth = min(DEPTH, len(perft["counts"]))
    assert counted(perft, depth) == (perft["counts"][:depth], perft["sha256"][:depth])
