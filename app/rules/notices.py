"""What to know of a player at the step now due, the most urgent first; nothing that is ordinary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from app.rules.codes import NoticeCode
from app.rules.ending import steps_before_play
from app.rules.rights import (
    Verdict,
    can_win,
    chicago_required,
    is_stopped,
    may_bid,
    may_exchange,
    meets_requirement,
    must_show,
)
from app.rules.state import BEFORE_PLAY, GameState, Step

BID_AHEAD = (*BEFORE_PLAY, Step.PLAY)
# After these the score is gone before the next deal.
ZEROED = ("bid_or_zeroed", "make_or_zeroed", "zeroed_after_deal")
# These say already that the player may bid.
URGES = ("bid_or_zeroed", "bid_before_target", "make_or_zeroed", "make_before_target")


class Notice(msgspec.Struct, frozen=True):
    """One thing to know of a player, with the values that its words need."""

    code: NoticeCode
    values: Mapping[str, object] = {}


def notices(state: GameState, name: str) -> tuple[Notice, ...]:
    """What matters of a player at this step, the most urgent first; none once the game is over."""
    if state.over:
        return ()
    if name in state.out:
        return (Notice("out"),)
    if name not in state.playing:
        return (Notice("sits_out"),)
    return tuple(_in_order(state, name))


def exchange_ahead(state: GameState) -> bool:
    """Whether anybody exchanges cards before the first trick of this deal is led.

    The last exchange comes at step play, unless a hand scores after it too (`scored_exchanges`);
    what is laid open before the play is laid open when it is over (reading 2).
    """
    deal, rules = state.deal, state.rules
    if deal.step is Step.PLAY:
        last = BEFORE_PLAY[rules.exchanges - 1]
        return last not in steps_before_play(rules) and not deal.announced
    return deal.step in BEFORE_PLAY


def may_exchange_now(state: GameState, name: str) -> Verdict:
    """May this player still exchange in this deal; nobody does once the trick is due."""
    verdict = may_exchange(state, name)
    return verdict if exchange_ahead(state) or not verdict.ok else Verdict(False, "exchanges_over")


def _in_order(state: GameState, name: str) -> Iterator[Notice]:
    """At the play the bid comes first, before it the cards; at target how the game may end."""
    if state.deal.declarer == name and state.deal.step in (*BID_AHEAD, Step.CHICAGO_PLAY):
        yield Notice("declarer")
    winning = tuple(_winning(state, name))
    zeroed = any(notice.code in ZEROED for notice in winning)
    exchanging = tuple(_exchanging(state, name, zeroed=zeroed))
    if state.deal.step is Step.PLAY:
        urged = any(notice.code in URGES for notice in winning)
        yield from (*winning, *(() if urged else _bidding(state, name)), *exchanging)
    elif state.score(name) >= state.rules.target:
        yield from (*winning, *exchanging)
    else:
        yield from (*exchanging, *winning)


def _winning(state: GameState, name: str) -> Iterator[Notice]:
    """How things stand at the target, or one last trick away from it (readings 6, 7 and 10)."""
    score, rules = state.score(name), state.rules
    near = score + rules.last_trick >= rules.target
    if near and not meets_requirement(state, name):
        yield Notice(_lack(state, name), {"target": rules.target})
    elif score >= rules.target and _lacks_trick(state, name):
        yield Notice("wins_with_trick")
    elif near and chicago_required(state):
        yield Notice("requirement_met")


def _lacks_trick(state: GameState, name: str) -> bool:
    return state.deal.taker is None and can_win(state, name).code == "wins_with_trick"


def _lack(state: GameState, name: str) -> NoticeCode:
    """What comes without the Chicago that winning takes, and what still helps."""
    rules = state.rules
    there = state.score(name) >= rules.target
    if rules.win_needs_chicago_unmet == "plays_on":
        return "chicago_needed"
    if state.deal.step not in BID_AHEAD or not may_bid(state, name).ok:
        return "zeroed_after_deal" if there else "zeroed_at_target"
    if rules.win_needs_chicago == "won":
        return "make_or_zeroed" if there else "make_before_target"
    return "bid_or_zeroed" if there else "bid_before_target"


def _bidding(state: GameState, name: str) -> Iterator[Notice]:
    """While anybody may bid: who may, and how many points others lack (reading 14)."""
    if not any(may_bid(state, other).ok for other in state.playing):
        return
    verdict, minimum = may_bid(state, name), state.rules.chicago_minimum
    if verdict.ok:
        yield Notice("may_bid")
    elif verdict.code == "chicago_minimum" and minimum is not None:
        yield Notice("points_to_bid", {"missing": minimum - state.score(name)})
    else:
        yield Notice("bid_already")


def _exchanging(state: GameState, name: str, *, zeroed: bool) -> Iterator[Notice]:
    """The exchange stop, now or next deal (reading 5), and what is shown before broken up (16).

    No next deal's stop for who is to be `zeroed` before it.
    """
    limit, ahead = state.rules.exchange_stop, exchange_ahead(state)
    if is_stopped(state, name) and ahead:
        yield Notice("stopped")
    elif limit is not None and state.score(name) >= limit and not zeroed:
        yield Notice("stopped_next_deal")
    hands = must_show(state, name)
    if hands and ahead:
        yield Notice("must_show", {"hands": hands})
