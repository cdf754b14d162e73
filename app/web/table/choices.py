"""What there is to choose in the dialogs, and what may be chosen now: the engine is asked."""

from __future__ import annotations

import msgspec

from app.i18n.language import N_
from app.rules.events import BestHand, BreakOff, Event, FalseClaim, IllegalExchange, Leaves
from app.rules.hands import Hand
from app.rules.notices import may_exchange_now
from app.rules.outcome import Outcome, bookings, is_played, outcome, supposed_outcome
from app.rules.rights import Verdict, can_win, may_bid
from app.rules.state import GameState
from app.web.table.consequences import (
    Consequences,
    consequences,
    strikes_others,
    wins_at_once,
)


class Choice(msgspec.Struct, frozen=True):
    """One thing to choose: a message to be translated, what it records, and whether it may now.

    `moves_on`: something else is due at the table afterwards.
    """

    label: str
    event: Event
    open: bool
    moves_on: bool


class HandChoice(msgspec.Struct, frozen=True):
    """One way of booking a hand, and by how many points it changes its holder's score.

    `zeroes`: it strikes others besides; `wins`: it ends the game there and then. `told` is all that
    it means, None for a way that may not be chosen now.
    """

    event: BestHand
    points: int
    zeroes: bool
    wins: bool
    told: Consequences | None

    @property
    def open(self) -> bool:
        """Whether it may be chosen now."""
        return self.told is not None


def verdicts(state: GameState, name: str) -> list[Verdict]:
    """May this player exchange, bid and win; each reason once."""
    reasons: list[Verdict] = []
    for verdict in (may_exchange_now(state, name), may_bid(state, name), can_win(state, name)):
        if verdict not in reasons:
            reasons.append(verdict)
    return reasons


def hand_choices(state: GameState, player: str, hand: Hand) -> list[HandChoice]:
    """Every way of booking a hand for a player, as the house rules know it."""
    return [_hand_choice(state, way) for way in bookings(state, player, hand)]


def offered(choices: list[HandChoice]) -> list[HandChoice]:
    """Those that may be chosen now; all of them, each refused with its reason, where none may."""
    return [choice for choice in choices if choice.open] or choices


def break_off_choices(state: GameState) -> list[Choice]:
    """To end a game before its time, with the standing that it has or with none."""
    settled = N_("Break off the game – the standing counts")
    void = N_("Break off the game – nobody pays")
    return [
        _choice(state, settled, BreakOff(settle=True)),
        _choice(state, void, BreakOff(settle=False)),
    ]


def _hand_choice(state: GameState, way: BestHand) -> HandChoice:
    result = outcome(state, way)
    if isinstance(result, Outcome):
        points, told = result.points(way.player), consequences(result)
    else:
        result = supposed_outcome(state, way)
        points, told = result.booked(way.player), None
    return HandChoice(way, points, strikes_others(result), wins_at_once(result), told)


def rare_choices(state: GameState, name: str) -> list[Choice]:
    """What else can happen to a player, as far as the house rules know it."""
    choices = [_choice(state, N_("Leaves the game"), Leaves(player=name))]
    somebody = state.playing[0]
    if is_played(state, FalseClaim(player=somebody)):
        choices.append(_choice(state, N_("Claimed falsely: out"), FalseClaim(player=name)))
    if is_played(state, IllegalExchange(player=somebody)):
        label = N_("Exchanged in spite of the stop: zero")
        choices.append(_choice(state, label, IllegalExchange(player=name)))
    return choices


def _choice(state: GameState, label: str, event: Event) -> Choice:
    result = outcome(state, event)
    if not isinstance(result, Outcome):
        return Choice(label, event, open=False, moves_on=False)
    return Choice(label, event, open=True, moves_on=result.moves_on())
