"""What the table has to know for the step now due: who may what, and in which order to ask."""

from __future__ import annotations

import msgspec

from app.rules.checks import can
from app.rules.hands import Hand
from app.rules.notices import exchange_ahead
from app.rules.outcome import announcements, bookings
from app.rules.rights import chicago_step, leader, may_bid, may_exchange, must_show, speaking_order
from app.rules.state import GameState, Step
from app.web.table.consequences import head_names


class Prompts(msgspec.Struct, frozen=True):
    """What to say of the step now due, players called as over their columns.

    `dealer` deals, and `eldest` speaks first. `stopped`: who may not exchange, None where nobody
    exchanges any more. `shows`: who shows what before the last exchange, where heads have much to
    tell. `hands`: what may be laid open before the play. `bidders`: who may bid Chicago now, in
    speaking order, None where it is not the time. `declarer` holds a bid, and `leader` leads to
    the first trick of it.
    """

    dealer: str
    eldest: str
    stopped: tuple[str, ...] | None
    shows: tuple[tuple[str, Hand], ...]
    hands: tuple[Hand, ...]
    bidders: tuple[str, ...] | None
    declarer: str | None
    leader: str | None


def prompts(state: GameState) -> Prompts:
    """What the table has to know for the step now due."""
    names, step, declarer = head_names(state), state.deal.step, state.deal.declarer
    return Prompts(
        dealer=names[state.deal.dealer],
        eldest=names[speaking_order(state)[0]],
        stopped=_stopped(state) if exchange_ahead(state) else None,
        shows=_shows(state) if step is Step.PLAY and exchange_ahead(state) else (),
        hands=_laid_open(state) if step is Step.PLAY else (),
        bidders=_bidders(state) if chicago_step(state).ok and declarer is None else None,
        declarer=names[declarer] if declarer and step is not Step.FINAL_HAND else None,
        leader=names[leader(state)] if step is Step.CHICAGO_PLAY else None,
    )


def _stopped(state: GameState) -> tuple[str, ...]:
    names = head_names(state)
    return tuple(names[name] for name in state.playing if not may_exchange(state, name).ok)


def _shows(state: GameState) -> tuple[tuple[str, Hand], ...]:
    names = head_names(state)
    return tuple((names[name], hand) for name in state.playing for hand in must_show(state, name))


def _bidders(state: GameState) -> tuple[str, ...]:
    names = head_names(state)
    return tuple(names[name] for name in speaking_order(state) if may_bid(state, name).ok)


def _laid_open(state: GameState) -> tuple[Hand, ...]:
    hands = dict.fromkeys(hand for hand, _ in announcements(state))
    return tuple(hand for hand in hands if _may_lay_open(state, hand))


def _may_lay_open(state: GameState, hand: Hand) -> bool:
    return any(can(state, way) for name in state.playing for way in bookings(state, name, hand))
