"""Any entry of any golden game changed: exactly that game, or what no longer holds."""

import json
from pathlib import Path

import pytest

from app.rules.errors import NotAllowed
from app.rules.events import Correction, Event
from app.rules.game import fold, replay
from app.rules.gamefile import Game, read_game

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))


def played() -> list[Game]:
    """Return every golden game that can be played to where its file ends."""
    cases = [json.loads(path.read_text(encoding="utf-8")) for path in GOLDEN]
    return [read_game(case["game"]) for case in cases if "error" not in case["result"]]


def mended(game: Game) -> list[tuple[Event, ...]]:
    """Return the game with each entry removed, replaced, and with one put in before it."""
    events = game.events
    other: Event = Correction(player=game.setup.players[0], points=1)
    return [
        changed
        for n in range(len(events))
        for changed in (
            events[:n] + events[n + 1 :],
            (*events[:n], other, *events[n + 1 :]),
            (*events[:n], other, *events[n:]),
        )
    ]


def test_every_edit_gives_the_game_so_changed_or_names_what_no_longer_holds() -> None:
    """An edit is the changed game replayed; else the first entry refused, and why."""
    tried = 0
    for game in played():
        for events in mended(game):
            states, refusal = fold(game.setup, events)
            tried += 1
            if refusal is None:
                assert states == replay(game.setup, events)
                continue
            with pytest.raises(NotAllowed) as raised:
                replay(game.setup, events)
            assert raised.value.event == refusal.event == len(states) - 1
            assert raised.value.code == refusal.code
            assert states == replay(game.setup, events[: refusal.event])
    assert tried > 3000


def test_a_game_left_as_it_was_holds() -> None:
    """What was recorded stands, every entry of it."""
    for game in played():
        states, refusal = fold(game.setup, game.events)
        assert (refusal, len(states)) == (None, len(game.events) + 1)
