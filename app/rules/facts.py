"""Facts about a player at the step now due, most urgent first: danger, chances, cards, the bid."""

from collections.abc import Iterator, Mapping
from typing import Literal, get_args

import msgspec

from app.rules.ahead import fate, fate_as_it_stands, play_out
from app.rules.events import ChicagoResult, Event, LastTrick
from app.rules.game import strike_waiting
from app.rules.house import common_hands, points_of
from app.rules.outcome import Outcome, hand_events, outcome
from app.rules.rights import (
    Verdict,
    bid_ahead,
    can_win,
    chicago_required,
    is_stopped,
    leader,
    may_bid,
    may_exchange,
    meets_requirement,
    must_show,
)
from app.rules.state import BEFORE_PLAY, HAND_DUE, GameState, Step, exchanges, scored_hands

FactCode = Literal[
    "out",
    "sits_out",
    "declarer",
    "zeroing_waits",
    "bid_or_zeroed",
    "make_or_zeroed",
    "zeroed_after_deal",
    "zeroed_at_target",
    "bid_before_target",
    "make_before_target",
    "wins_after_deal",
    "wins_with_trick",
    "can_win_now",
    "exchanges",
    "exchanges_last",
    "stopped",
    "six_cards",
    "deals",
    "begins",
    "must_show",
    "may_bid",
    "chicago_needed",
    "stopped_next_deal",
    "points_to_bid",
    "too_high_to_bid",
    "bid_already",
    "bid_by",
    "requirement_met",
    "requirement_made",
]
# What a fact means to its player: one of these colours, none where it is not needed now.
Tone = Literal["plays", "loses", "wins", "may", "stop", "six", "shows", ""]
TONES: Mapping[FactCode, Tone] = {
    "declarer": "plays",
    "zeroing_waits": "loses",
    "bid_or_zeroed": "loses",
    "make_or_zeroed": "loses",
    "zeroed_after_deal": "loses",
    "zeroed_at_target": "loses",
    "bid_before_target": "loses",
    "make_before_target": "loses",
    "wins_after_deal": "wins",
    "wins_with_trick": "wins",
    "can_win_now": "wins",
    "exchanges": "may",
    "exchanges_last": "may",
    "stopped": "stop",
    "six_cards": "six",
    "must_show": "shows",
    "may_bid": "may",
    "chicago_needed": "loses",
    "stopped_next_deal": "loses",
}
# Those of the exchange, which is the next one.
EXCHANGE: tuple[FactCode, ...] = ("exchanges", "exchanges_last", "stopped", "six_cards")
URGENCY: tuple[FactCode, ...] = get_args(FactCode)
# Facts that are needless beside any of these.
UNSAID: Mapping[FactCode, tuple[FactCode, ...]] = {
    "may_bid": ("bid_or_zeroed", "make_or_zeroed"),
    "wins_with_trick": ("wins_after_deal",),
    "can_win_now": ("wins_after_deal",),
}
BIDDING = (*BEFORE_PLAY, Step.PLAY, Step.CHICAGO_PLAY)


class Fact(msgspec.Struct, frozen=True):
    """One thing to know of a player, with the values that its words need."""

    code: FactCode
    values: Mapping[str, object] = {}

    @property
    def tone(self) -> Tone:
        """Its meaning to the player: a colour."""
        return TONES.get(self.code, "")


def facts(state: GameState, name: str) -> tuple[Fact, ...]:
    """All that matters of a player now, most urgent first; nothing once the game is over."""
    if state.over:
        return ()
    if name not in state.playing:
        return (Fact("out" if name in state.out else "sits_out"),)
    found = (
        *_of_cards(state, name),
        *_of_roles(state, name),
        *_of_bidding(state, name),
        *_of_winning(state, name),
        *_of_zeroing(state, name),
    )
    codes = {fact.code for fact in found}
    said = [fact for fact in found if codes.isdisjoint(UNSAID.get(fact.code, ()))]
    return tuple(sorted(said, key=lambda fact: URGENCY.index(fact.code)))


def exchange_ahead(state: GameState) -> bool:
    """Whether anybody exchanges cards before the first trick of this deal is led.

    The last exchange comes at the step of the play, unless a hand scores after it too
    (`scored_hands`); what is laid open before the play, and a Chicago that is bid there, comes
    when it is over (reading 2).
    """
    deal = state.deal
    if deal.step is Step.PLAY or (deal.step is Step.CHICAGO_PLAY and deal.early):
        last = BEFORE_PLAY[exchanges(state.setup)]
        return last not in scored_hands(state.setup) and not deal.announced
    return deal.step in BEFORE_PLAY


def may_exchange_now(state: GameState, name: str) -> Verdict:
    """May this player still exchange in this deal; nobody does once the trick is due."""
    verdict = may_exchange(state, name)
    return verdict if exchange_ahead(state) or not verdict.ok else Verdict(False, "exchanges_over")


def _of_cards(state: GameState, name: str) -> Iterator[Fact]:
    """The exchange that is ahead, the stop from the next deal on (5), the hands to show (16)."""
    score, limit = state.score(name), state.rules.exchange_stop
    values = {"score": score, "limit": limit, "deal": state.deal.number + 1}
    last = _stop_begins(state, name)
    if last:
        yield Fact("stopped_next_deal", values)
    if not exchange_ahead(state):
        return
    if is_stopped(state, name):
        six = state.rules.exchange_stop_style == "six_cards"
        yield Fact("six_cards" if six else "stopped", values)
    else:
        yield Fact("exchanges_last" if last else "exchanges", values)
    yield from (Fact("must_show", {"hand": hand}) for hand in must_show(state, name))


def _stop_begins(state: GameState, name: str) -> bool:
    """Whether the stop holds for a player from the next deal on, were nothing more taken in this.

    Whoever wins, is zeroed, or sits a tie-break out by then is not stopped.
    """
    limit = state.rules.exchange_stop
    if limit is None or state.score(name) < limit or is_stopped(state, name):
        return False
    *_, after = play_out(state, name, "nothing", {})
    return not after.over and name in after.playing and is_stopped(after, name)


def _of_roles(state: GameState, name: str) -> Iterator[Fact]:
    """Who deals, until the deal has begun; who leads, until the trick is due; who plays Chicago."""
    deal = state.deal
    if deal.dealer == name and not deal.begun:
        yield Fact("deals")
    if deal.step in BIDDING and leader(state) == name:
        yield Fact("begins")
    if deal.step in BIDDING and deal.declarer == name:
        yield Fact("declarer")


def _of_bidding(state: GameState, name: str) -> Iterator[Fact]:
    """Whether a player may bid, and how far from it they are once they are halfway there."""
    verdict, minimum = may_bid(state, name), state.rules.chicago_minimum
    if not (bid_ahead(state) or state.deal.step is Step.CHICAGO_PLAY):
        return
    match verdict.code:
        case "chicago_already_bid" if verdict.values["by"] != name:
            yield Fact("bid_by", verdict.values)
        case "chicago_minimum" if minimum is not None and 2 * state.score(name) >= minimum:
            yield Fact("points_to_bid", {"missing": minimum - state.score(name)})
        case "chicago_maximum":
            yield Fact("too_high_to_bid")
        case "chicago_once":
            yield Fact("bid_already")
        case _ if verdict.ok:
            yield Fact("may_bid")


def _of_winning(state: GameState, name: str) -> Iterator[Fact]:
    """The consequence of reaching the target with the next fact (readings 6, 7 and 10)."""
    now, there = fate_as_it_stands(state, name), state.score(name) >= state.rules.target
    results = [outcome(state, event) for event in _next_events(state, name)]
    fates = {fate(result, name) for result in results if isinstance(result, Outcome)}
    soon = next((each for each in ("zeroed", "lacks", "wins") if each in fates), None)
    # Who is at the target may lack nothing but the last trick (`finish`).
    lacks_trick = there and can_win(state, name).code == "wins_with_trick"
    if now == "wins":
        yield Fact("wins_after_deal")
    if "lacks" in (now, soon) or "zeroed" in (now, soon):
        missing = max(0, state.rules.target - state.score(name))
        yield Fact(_lack(state, name), {"target": state.rules.target, "missing": missing})
    elif lacks_trick and fate_as_it_stands(state, name, "trick") == "wins":
        yield Fact("wins_with_trick")
    elif soon == "wins":
        yield Fact("can_win_now")
    if soon and chicago_required(state) and meets_requirement(state, name):
        made = state.rules.win_needs_chicago == "won"
        yield Fact("requirement_made" if made else "requirement_met")


def _of_zeroing(state: GameState, name: str) -> Iterator[Fact]:
    """The zeroing that waits for the end of the play, where it costs points (reading 2)."""
    waiting = state.deal.waiting
    if waiting and strike_waiting(state).score(name) < state.score(name):
        yield Fact("zeroing_waits", {"by": waiting.holder})


def _next_events(state: GameState, name: str) -> Iterator[Event]:
    """The best that a player can get next, of all that is common."""
    rules, deal = state.rules, state.deal
    common = common_hands(rules)
    if deal.step in HAND_DUE and common:
        best = max(common, key=lambda hand: points_of(rules, hand))
        yield hand_events(state, name, best)[0]
    elif deal.step is Step.CHICAGO_PLAY:
        by = None if deal.declarer == name else name
        yield ChicagoResult(won=deal.declarer == name, broken_by=by)
    elif deal.step in (Step.PLAY, Step.LAST_TRICK):
        yield LastTrick(player=name)


def _lack(state: GameState, name: str) -> FactCode:
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
        return state.deal.step in BIDDING
    verdict = may_bid(state, name)
    if verdict.code == "chicago_minimum":
        return bid_ahead(state) and state.deal.step in BEFORE_PLAY
    return verdict.ok and bid_ahead(state)
