"""What the table has to know for the step now due: who may what, and in which order to ask."""

from __future__ import annotations

import msgspec

from app.rules.checks import can
from app.rules.hands import Hand
from app.rules.outcome import announcements, bookings
from app.rules.rights import leader, may_bid, may_exchange, must_show, speaking_order
from app.rules.state import BEFORE_PLAY, Effect, GameState, Step

UNASKED = ("requirement_unmet", "passed_over", "tied_play_on", "zeroing_voided")


class Exchanging(msgspec.Struct, frozen=True):
    """Before the play: who may not exchange, and who must show what before breaking it up."""

    stopped: tuple[str, ...]
    shown: tuple[tuple[str, Hand], ...]


class Asking(msgspec.Struct, frozen=True):
    """At the play: which hands may be laid open, and who may bid Chicago, in speaking order."""

    hands: tuple[Hand, ...]
    bidders: tuple[str, ...]


class Prompts(msgspec.Struct, frozen=True):
    """What to say of the step now due; what does not concern it is None or empty.

    `unasked`: what the last event set off that nobody tapped, and everybody has to know. `leader`
    leads to the first trick of a Chicago.
    """

    unasked: tuple[Effect, ...]
    exchanging: Exchanging | None
    asking: Asking | None
    declarer: str | None
    leader: str | None


def prompts(state: GameState) -> Prompts:
    """What the table has to know for the step now due."""
    step = state.deal.step
    played = step in (*BEFORE_PLAY, Step.CHICAGO_PLAY, Step.LAST_TRICK)
    return Prompts(
        unasked=tuple(effect for effect in state.effects if effect.code in UNASKED),
        exchanging=_exchanging(state) if step in BEFORE_PLAY else None,
        asking=_asking(state) if step is Step.PLAY else None,
        declarer=state.deal.declarer if played else None,
        leader=leader(state) if step is Step.CHICAGO_PLAY else None,
    )


def _exchanging(state: GameState) -> Exchanging:
    return Exchanging(
        stopped=tuple(name for name in state.playing if not may_exchange(state, name).ok),
        shown=tuple((name, hand) for name in state.playing for hand in must_show(state, name)),
    )


def _asking(state: GameState) -> Asking:
    hands = dict.fromkeys(hand for hand, _ in announcements(state))
    return Asking(
        hands=tuple(hand for hand in hands if _may_be_laid_open(state, hand)),
        bidders=tuple(name for name in speaking_order(state) if may_bid(state, name).ok),
    )


def _may_be_laid_open(state: GameState, hand: Hand) -> bool:
    return any(can(state, way) for name in state.playing for way in bookings(state, name, hand))
