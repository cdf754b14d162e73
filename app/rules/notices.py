"""Notices on a player at the step now due: the exchange, and all else, most urgent first."""

from collections.abc import Iterator, Mapping
from typing import get_args

import msgspec

from app.rules.codes import EffectCode, NoticeCode
from app.rules.hands import Hand
from app.rules.house import common_hands, points_of
from app.rules.needs import Play, hands_to_come, play_out
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
from app.rules.state import BEFORE_PLAY, GameState, Step, steps_before_play

BID_AHEAD = (*BEFORE_PLAY, Step.PLAY)
URGENCY: tuple[NoticeCode, ...] = get_args(NoticeCode)
# Notices that are needless, or would be untrue, beside any of these.
_GONE: tuple[NoticeCode, ...] = ("bid_or_zeroed", "make_or_zeroed", "zeroed_after_deal")
UNSAID: Mapping[NoticeCode, tuple[NoticeCode, ...]] = {
    "may_bid": ("bid_or_zeroed", "make_or_zeroed"),
    "can_win_now": ("wins_after_deal",),
    "stopped_next_deal": (*_GONE, "wins_after_deal"),
}
UNMET: tuple[EffectCode, ...] = ("requirement_unmet", "passed_over")


class Notice(msgspec.Struct, frozen=True):
    """One thing to know of a player, with the values that its words need."""

    code: NoticeCode
    values: Mapping[str, object] = {}


def exchange_notice(state: GameState, name: str) -> Notice | None:
    """Whether a player exchanges; None for who does not play, and when no exchange is ahead."""
    if state.over or name not in state.playing or not exchange_ahead(state):
        return None
    if not is_stopped(state, name):
        return Notice("exchanges")
    return Notice("six_cards" if state.rules.exchange_stop_style == "six_cards" else "stopped")


def notices(state: GameState, name: str) -> tuple[Notice, ...]:
    """All but the exchange that matters of a player now; nothing once the game is over."""
    if state.over:
        return ()
    if name in state.out:
        return (Notice("out"),)
    if name not in state.playing:
        return (Notice("sits_out"),)
    found = (*_of_chicago(state, name), *_of_winning(state, name), *_of_cards(state, name))
    codes = {notice.code for notice in found}
    said = [notice for notice in found if codes.isdisjoint(UNSAID.get(notice.code, ()))]
    return tuple(sorted(said, key=lambda notice: URGENCY.index(notice.code)))


def exchange_ahead(state: GameState) -> bool:
    """Whether anybody exchanges cards before the first trick of this deal is led.

    The last exchange comes at the step of the play, unless a hand scores after it too
    (`scored_exchanges`); what is laid open before the play, and a Chicago that is bid there, comes
    when it is over (reading 2).
    """
    deal, rules = state.deal, state.rules
    if deal.step is Step.PLAY or (deal.step is Step.CHICAGO_PLAY and deal.early):
        last = BEFORE_PLAY[rules.exchanges - 1]
        return last not in steps_before_play(rules) and not deal.announced
    return deal.step in BEFORE_PLAY


def may_exchange_now(state: GameState, name: str) -> Verdict:
    """May this player still exchange in this deal; nobody does once the trick is due."""
    verdict = may_exchange(state, name)
    return verdict if exchange_ahead(state) or not verdict.ok else Verdict(False, "exchanges_over")


def _of_chicago(state: GameState, name: str) -> Iterator[Notice]:
    """The declarer, and at the play the bidders and how far others are from bidding."""
    if state.deal.declarer == name and state.deal.step in (*BID_AHEAD, Step.CHICAGO_PLAY):
        yield Notice("declarer")
    if state.deal.step is not Step.PLAY:
        return
    if not any(may_bid(state, other).ok for other in state.playing):
        return
    verdict, minimum = may_bid(state, name), state.rules.chicago_minimum
    if verdict.ok:
        yield Notice("may_bid")
    elif verdict.code == "chicago_minimum" and minimum is not None:
        yield Notice("points_to_bid", {"missing": minimum - state.score(name)})
    else:
        too_high = verdict.code == "chicago_maximum"
        yield Notice("too_high_to_bid" if too_high else "bid_already")


def _of_winning(state: GameState, name: str) -> Iterator[Notice]:
    """The consequence of reaching the target in this deal (readings 6, 7 and 10)."""
    if _wins_as_it_stands(state, name):
        yield Notice("wins_after_deal")
    if not _is_within_reach(state, name):
        return
    courses = [_best_course(state, name, play) for play in _plays(state, name)]
    if any(_falls_short(course, name) for course in courses):
        yield Notice(_lack(state, name), {"target": state.rules.target})
    elif _wins_soon(state, name):
        yield Notice("wins_with_trick" if _lacks_trick(state, name) else "can_win_now")
    if chicago_required(state) and meets_requirement(state, name):
        made = state.rules.win_needs_chicago == "won"
        yield Notice("requirement_made" if made else "requirement_met")


def _wins_soon(state: GameState, name: str) -> bool:
    """Whether the next hand and the play may win, and not only the best of all to come."""
    soon = [_best_course(state, name, play, hands=1) for play in _plays(state, name)]
    return any(name in course[-1].winners for course in soon)


def _wins_as_it_stands(state: GameState, name: str) -> bool:
    """Whether the end of the deal makes the player win if nobody takes anything more."""
    if state.score(name) < state.rules.target and not state.tie_break:
        return False
    *_, end = play_out(state, name, "nothing", {})
    return name in end.winners


def _is_within_reach(state: GameState, name: str) -> bool:
    """Whether the points to be had in this deal could lead to the target: no more than a bound."""
    rules, deal = state.rules, state.deal
    if state.tie_break:
        return False
    hand = max((points_of(rules, hand) for hand in common_hands(rules)), default=0)
    most = hand * len(hands_to_come(state)) + rules.last_trick + rules.chicago_breaker_bonus
    if deal.declarer == name:
        blind = rules.blind_chicago
        most += blind.points if deal.blind and blind is not None else rules.chicago_points
    return state.score(name) + most >= rules.target


def _plays(state: GameState, name: str) -> tuple[Play, ...]:
    """The ways the play of a deal may go for a player who does not bid any more."""
    deal = state.deal
    if deal.declarer is None or deal.step in (Step.LAST_TRICK, Step.FINAL_HAND):
        return ("trick",)
    if deal.declarer != name:
        return ("breaks", "spares")
    return ("blind" if deal.blind else "chicago", "trick")


def _best_course(
    state: GameState, name: str, play: Play, hands: int | None = None
) -> list[GameState]:
    """The rest of the deal when the player has the best common hand, every time or so often."""
    rules, common = state.rules, common_hands(state.rules)
    if not common:
        return list(play_out(state, name, play, {}))
    best: Hand = max(common, key=lambda hand: points_of(rules, hand))
    steps = hands_to_come(state)[:hands]
    return list(play_out(state, name, play, dict.fromkeys(steps, best)))


def _falls_short(course: list[GameState], name: str) -> bool:
    """Whether a player reaches the target on this course without the Chicago it takes."""
    effects = (effect for state in course[1:] for effect in state.effects)
    return any(effect.player == name and effect.code in UNMET for effect in effects)


def _lacks_trick(state: GameState, name: str) -> bool:
    there = state.score(name) >= state.rules.target
    return there and can_win(state, name).code == "wins_with_trick"


def _lack(state: GameState, name: str) -> NoticeCode:
    """The consequence of lacking the Chicago that winning takes, and the remedy."""
    rules = state.rules
    there = state.score(name) >= rules.target
    if rules.win_needs_chicago_unmet == "plays_on":
        return "chicago_needed"
    if not _may_yet_bid(state, name):
        return "zeroed_after_deal" if there else "zeroed_at_target"
    if rules.win_needs_chicago == "won":
        return "make_or_zeroed" if there else "make_before_target"
    return "bid_or_zeroed" if there else "bid_before_target"


def _may_yet_bid(state: GameState, name: str) -> bool:
    """Whether a Chicago of the player's own may still be played in this deal, or is."""
    if state.deal.declarer == name:
        return state.deal.step in (*BID_AHEAD, Step.CHICAGO_PLAY)
    verdict = may_bid(state, name)
    if verdict.code == "chicago_minimum":
        return state.deal.step in BEFORE_PLAY
    return verdict.ok and state.deal.step in BID_AHEAD


def _of_cards(state: GameState, name: str) -> Iterator[Notice]:
    """The hands to show (reading 16), and the stop from the next deal on (5)."""
    hands, limit = must_show(state, name), state.rules.exchange_stop
    if hands and exchange_ahead(state):
        yield Notice("must_show", {"hands": hands})
    if limit is not None and state.score(name) >= limit and not is_stopped(state, name):
        yield Notice("stopped_next_deal")
