"""Five thousand edits of golden games, with what the program before this one made of them.

Each line of `edits.json.gz` is a golden game, the operations, the rules of a whole game counted
anew, and a hash of the events and scores that came of it: none where it asked for facts.
"""

import gzip
import hashlib
import json
from collections import Counter
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from app.rules.edit import (
    Edited,
    Entry,
    Operation,
    find_deal_after,
    operate,
    place_entries,
    replay_by,
    replay_entries,
)
from app.rules.events import write_event
from app.rules.game import fold, replay
from app.rules.gamefile import Game, read_game
from app.rules.presets import PRESETS
from app.rules.state import GameState
from tests.rules.table import GOLDEN

EDITS = Path(__file__).with_name("edits.json.gz")
# What comes out otherwise, and why. A deal that is taken away leaves what belongs to no step of
# it; a deal that was over stays over by other rules, and a hand that zeroes no longer scores;
# what moves on moves to the nearest hand of nobody; a correction waits for no hand before it.
OTHERWISE = {"remove_deal": 81, "rules": 56, "insert+move": 35, "remove": 6, "change": 1}
ASKED = 472


@cache
def recorded(name: str) -> tuple[Game, list[Entry], list[GameState]]:
    """Return a golden game as far as it can be played, and its entries and states."""
    game = read_game(GOLDEN[name.removesuffix(".json")]["game"])
    states, _ = fold(game.setup, game.events)
    return game, place_entries(states, game.events[: len(states) - 1]), states


def edit(name: str, operations: list[Operation], preset: str | None) -> Edited:
    """Return a golden game after an edit."""
    game, entries, states = recorded(name)
    if preset:
        other = replace(game.setup, preset=preset, rules=PRESETS[preset])
        return replay_by(other, entries, states)
    deal = find_deal_after(operations, states[-1].deal.number)
    return replay_entries(game.setup, operate(entries, operations), deal=deal)


def digest(edited: Edited) -> str:
    """Return the hash of an edited game."""
    events = json.dumps([write_event(entry.event) for entry in edited.entries], sort_keys=True)
    state = edited.states[-1]
    text = f"{events}{json.dumps(state.scores)}{state.deal.step}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def test_edits_come_out_as_they_did() -> None:
    """But for what is otherwise on purpose; and nothing is asked for any more."""
    otherwise, asked = Counter[str](), 0
    lines = json.loads(gzip.decompress(EDITS.read_bytes()))
    for name, operations, preset, before in lines:
        edited = edit(name, [Operation(*each) for each in operations], preset)
        events = [entry.event for entry in edited.entries]
        if before is None:
            asked += 1
            assert replay(edited.setup, events) == edited.states
        elif before != digest(edited):
            otherwise["+".join(each[0] for each in operations) or "rules"] += 1
    assert (len(lines), asked, dict(otherwise)) == (5000, ASKED, OTHERWISE)
