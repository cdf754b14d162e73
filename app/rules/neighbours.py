"""What a doubted entry was most likely instead."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from app.rules.checks import can
from app.rules.events import (
    BestHand,
    Chicago,
    ChicagoResult,
    Correction,
    Event,
    FalseClaim,
    IllegalExchange,
    LastTrick,
    Leaves,
    NoBestHand,
)
from app.rules.game import apply
from app.rules.hands import Hand
from app.rules.house import common_hands, listed_hands
from app.rules.names import clockwise
from app.rules.outcome import bookings
from app.rules.rights import speaking_order
from app.rules.state import GameState, scorers


def neighbours(state: GameState, event: Event, doubters: Sequence[str] = ()) -> list[Event]:
    """What an entry was most likely instead, likeliest first: what may be recorded at its state.

    A hand's are the next one up and down, the same of the next players, and nobody's. Where nobody
    had one, whoever doubts it did. The event is one that may be recorded there.
    """
    found, states = list[Event](), [apply(state, event)]
    for each in _alternatives(state, event, doubters):
        # What the rules make no difference of is the same.
        if can(state, each) and (after := apply(state, each)) not in states:
            found.append(each)
            states.append(after)
    return found


def _alternatives(state: GameState, event: Event, doubters: Sequence[str]) -> Iterable[Event]:
    match event:
        case BestHand(player=player, hand=hand):
            yield from (
                way
                for each in _next_hands(state, hand)
                for way in _book(state, event, player, each)
            )
            yield from (
                way for other in _others(state, player) for way in _book(state, event, other, hand)
            )
            # Of everybody's own hands one is taken out instead: nobody's would end the step.
            if scorers(state) != "everyone":
                yield NoBestHand()
        case NoBestHand(hand=tied):
            for name in doubters if tied is None else ():
                yield from (BestHand(player=name, hand=hand) for hand in common_hands(state.rules))
            # Who was not seen to have anything had little.
            for name in event.tied or speaking_order(state):
                yield from bookings(state, name, tied or listed_hands(state.rules)[0])
            yield NoBestHand()
        case ChicagoResult():
            yield ChicagoResult(won=True)
            yield ChicagoResult(won=True, with_two=True)
            yield ChicagoResult(won=False)
            yield from (ChicagoResult(won=False, broken_by=name) for name in speaking_order(state))
        case LastTrick(player=player):
            yield from (replace(event, player=other) for other in _others(state, player))
            yield replace(event, with_two=not event.with_two)
        case Correction():
            yield replace(event, points=-event.points)
            yield from (replace(event, player=other) for other in _others(state, event.player))
        case Chicago() | Leaves() | FalseClaim() | IllegalExchange():
            yield from (replace(event, player=other) for other in _others(state, event.player))


def _others(state: GameState, player: str) -> Iterable[str]:
    return (name for name in clockwise(state.players, player) if name in state.playing)


def _next_hands(state: GameState, hand: Hand) -> list[Hand]:
    """The next hand up, and the next one down, of those that the rules tell apart."""
    hands = listed_hands(state.rules)
    place = hands.index(hand) if hand in hands else len(hands) - 1
    return [*hands[place + 1 : place + 2], *hands[max(place - 1, 0) : place]]


def _book(state: GameState, was: BestHand, player: str, hand: Hand) -> list[BestHand]:
    """A player's hand booked as another one was, where the rules allow that; else as they do."""
    ways = [way for way in bookings(state, player, hand) if can(state, way)]
    alike = [way for way in ways if (way.choose, way.victim) == (was.choose, was.victim)]
    return alike or ways[:1]
