"""Games of any number of deals, with most of the events that a score sheet marks."""

from __future__ import annotations

from collections.abc import Sequence

from app.rules.events import read_event
from app.rules.game import apply, begin
from app.rules.gamefile import Game, read_setup, write_game
from app.rules.rights import can
from app.rules.state import GameState, Step

Raw = dict[str, object]

# A target that nobody reaches keeps a game going.
RULES: Raw = {"preset": "huvudregler", "target": 999}
NOBODY: Raw = {"event": "no_best_hand"}


def long_game(players: Sequence[str], deals: int, rules: Raw = RULES) -> Raw:
    """Play a game of a number of deals, and return it as a game file."""
    return write_game(play_long_game(players, deals, rules))


def play_long_game(players: Sequence[str], deals: int, rules: Raw = RULES) -> Game:
    """Play a game of a number of deals."""
    setup = read_setup({"players": list(players), "dealer": players[-1], "rules": rules})
    events, states = [], [begin(setup)]
    while (number := states[-1].deal.number) <= deals and not states[-1].over:
        raw = _next(states[-1], number)
        event = read_event(raw, states[-1].players)
        if not can(states[-1], event):
            event = read_event(_plain(states[-1], number), states[-1].players)
        events.append(event)
        states.append(apply(states[-1], event))
    return Game(setup, tuple(events))


def _next(state: GameState, number: int) -> Raw:
    """Return the next event: every twelfth deal a zeroing, every fourth a Chicago."""
    players, leader = state.playing, max(state.seats, key=lambda seat: seat.score).name
    if number % 12 == 0:
        holder = players[number // 12 % len(players)]
        return {"event": "best_hand", "player": holder, "hand": "four_of_a_kind", "choose": "zero"}
    if number % 4 == 3 and state.deal.step is Step.PLAY:
        return {"event": "chicago", "player": leader}
    return _plain(state, number)


def _plain(state: GameState, number: int) -> Raw:
    players = state.playing
    winner = players[number * number % len(players)]
    match state.deal.step:
        case Step.HAND_1:
            return {"event": "best_hand", "player": winner, "hand": "three_of_a_kind"}
        case Step.PLAY:
            return {"event": "last_trick", "player": players[number % len(players)]}
        case Step.CHICAGO_PLAY:
            return {"event": "chicago_result", "won": number % 8 == 3}
        case Step.LAST_TRICK:
            return {"event": "last_trick", "player": winner}
        case Step.FINAL_HAND:
            return {"event": "best_hand", "player": winner, "hand": "full_house"}
        case _:
            return NOBODY
