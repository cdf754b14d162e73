"""Playing the rest of a deal out on the state: what it brings one player if nobody else scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from app.rules.checks import can
from app.rules.events import Chicago, ChicagoResult, Event, LastTrick, NoBestHand
from app.rules.game import apply
from app.rules.hands import Hand
from app.rules.outcome import bookings
from app.rules.state import BEFORE_PLAY, HAND_DUE, GameState, Step, steps_before_play

# What the player does in the play. Another's Chicago is broken by a third, unless the player
# `breaks` it (and takes the last trick) or `spares` it.
Play = Literal[
    "nothing", "trick", "trick_with_two", "chicago", "blind", "blind_with_two", "breaks", "spares"
]
_MADE = ("chicago", "blind", "blind_with_two")
_TAKES_TRICK = ("trick", "trick_with_two", "breaks")


def play_out(
    state: GameState, name: str, play: Play, hands: Mapping[Step, Hand]
) -> Iterator[GameState]:
    """Every state from this one to the end of the deal, `name` having these best hands.

    Raises NotAllowed where the house rules forbid such a course.
    """
    deal = state.deal.number
    yield state
    while not state.over and state.deal.number == deal:
        state = apply(state, _next(state, name, play, hands.get(state.deal.step)))
        yield state


def hands_to_come(state: GameState) -> list[Step]:
    """The steps of this deal at which a hand may still score."""
    steps = [*steps_before_play(state.rules), Step.FINAL_HAND]
    if state.deal.step in steps:
        return steps[steps.index(state.deal.step) :]
    return [Step.FINAL_HAND]


def _next(state: GameState, name: str, play: Play, hand: Hand | None) -> Event:
    """The next fact of the deal when nobody else scores."""
    step = state.deal.step
    if play.startswith("blind") and not state.deal.begun:
        return Chicago(player=name, blind=True)
    if step in HAND_DUE:
        return _hand(state, name, play, hand)
    if step is Step.CHICAGO_PLAY:
        return _result(state, name, play)
    if step is Step.PLAY and play == "chicago":
        return Chicago(player=name)
    taker = name if play in _TAKES_TRICK else _other(state, name)
    return LastTrick(player=taker, with_two=play == "trick_with_two")


def _hand(state: GameState, name: str, play: Play, hand: Hand | None) -> Event:
    bid = Chicago(player=name)
    if play == "chicago" and state.deal.step in BEFORE_PLAY and can(state, bid):
        return bid
    if hand is None:
        return NoBestHand()
    return bookings(state, name, hand)[0]


def _result(state: GameState, name: str, play: Play) -> Event:
    """How a Chicago goes, the player's own or another's, as `play` says."""
    declarer = state.deal.declarer
    if play == "spares" or (declarer == name and play in _MADE):
        return ChicagoResult(won=True, with_two=play == "blind_with_two")
    others = [other for other in state.playing if other not in (name, declarer)]
    breaker = name if play == "breaks" else (others or [_other(state, declarer or name)])[0]
    return ChicagoResult(
        won=False, broken_by=breaker if state.rules.chicago_breaker_bonus else None
    )


def _other(state: GameState, name: str) -> str:
    """Whoever of the others is furthest behind: there a trick changes least."""
    return min((other for other in state.playing if other != name), key=state.score)
