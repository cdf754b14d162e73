"""Mending any entry of any golden game: exactly the game so changed, or what no longer holds."""

import json
from pathlib import Path

import pytest

from app.rules.errors import NotAllowed
from app.rules.events import Correction, Event
from app.rules.game import replay
from app.rules.gamefile import Game, read_game
from app.rules.mending import attempt, first_difference

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
            outcome = attempt(game.setup, events)
            tried += 1
            if outcome.refusal is None:
                assert list(outcome.states) == replay(game.setup, events)
                continue
            with pytest.raises(NotAllowed) as refusal:
                replay(game.setup, events)
            assert refusal.value.event == outcome.refusal.event == outcome.held
            assert refusal.value.code == outcome.refusal.code
            assert list(outcome.states) == replay(game.setup, events[: outcome.held])
    assert tried > 3000


def test_a_game_left_as_it_was_holds() -> None:
    """What was recorded stands, every entry of it."""
    for game in played():
        outcome = attempt(game.setup, game.events)
        assert (outcome.refusal, outcome.held) == (None, len(game.events))


def test_the_first_difference_is_where_two_games_part() -> None:
    """Only what comes after it has to be recorded anew."""
    one, two = Correction(player="Anna", points=1), Correction(player="Bo", points=1)
    assert first_difference([one, two], [one, one, two]) == 1
    assert first_difference([one, two], [one]) == 1
    assert first_difference([one], [one]) == 1
