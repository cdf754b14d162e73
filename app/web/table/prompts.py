"""What the table has to know for the step now due: who may what, and in which order to ask."""

from __future__ import annotations

import msgspec

from app.rules.checks import can
from app.rules.hands import Hand
from app.rules.outcome import announcements, bookings
from app.rules.rights import leader, may_bid, may_exchange, must_show, speaking_order
from app.rules.state import BEFORE_PLAY, GameState, Step
from app.web.table.scoreboard import short_names


class ExchangePrompt(msgspec.Struct, frozen=True):
    """Before the play: who may not exchange, and who must show what before breaking it up.

    Players are called as over their columns.
    """

    stopped: tuple[str, ...]
    shows: tuple[tuple[str, Hand], ...]


class PlayPrompt(msgspec.Struct, frozen=True):
    """At the play: which hands may be laid open, and who may bid Chicago, in speaking order."""

    hands: tuple[Hand, ...]
    bidders: tuple[str, ...]


class Prompts(msgspec.Struct, frozen=True):
    """What to say of the step now due; what does not concern it is None or empty.

    `leader` leads to the first trick of a Chicago.
    """

    exchange: ExchangePrompt | None
    play: PlayPrompt | None
    declarer: str | None
    leader: str | None


def prompts(state: GameState) -> Prompts:
    """What the table has to know for the step now due."""
    step = state.deal.step
    played = step in (*BEFORE_PLAY, Step.CHICAGO_PLAY, Step.LAST_TRICK)
    return Prompts(
        exchange=_exchange_prompt(state) if step in BEFORE_PLAY else None,
        play=_play_prompt(state) if step is Step.PLAY else None,
        declarer=state.deal.declarer if played else None,
        leader=leader(state) if step is Step.CHICAGO_PLAY else None,
    )


def _exchange_prompt(state: GameState) -> ExchangePrompt:
    short, playing = short_names(state.players), state.playing
    return ExchangePrompt(
        stopped=tuple(short[name] for name in playing if not may_exchange(state, name).ok),
        shows=tuple((short[name], hand) for name in playing for hand in must_show(state, name)),
    )


def _play_prompt(state: GameState) -> PlayPrompt:
    short = short_names(state.players)
    hands = dict.fromkeys(hand for hand, _ in announcements(state))
    return PlayPrompt(
        hands=tuple(hand for hand in hands if _may_lay_open(state, hand)),
        bidders=tuple(short[name] for name in speaking_order(state) if may_bid(state, name).ok),
    )


def _may_lay_open(state: GameState, hand: Hand) -> bool:
    return any(can(state, way) for name in state.playing for way in bookings(state, name, hand))
