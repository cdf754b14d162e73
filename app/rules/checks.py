"""May an event be recorded now? `check` raises the reason why not."""

from app.rules.errors import NotAllowed
from app.rules.events import (
    BestHand,
    Chicago,
    ChicagoResult,
    Event,
    FalseClaim,
    IllegalExchange,
    Joins,
    LastTrick,
    Leaves,
    NoBestHand,
    Rules,
)
from app.rules.hands import Hand
from app.rules.house import HouseRules, covers, four_ends_deal, zeroing_of
from app.rules.rights import (
    Verdict,
    absence,
    chicago_step,
    is_stopped,
    may_bid,
    may_bid_blind,
    may_join,
)
from app.rules.state import HAND_DUE, GameState, Step


def check(state: GameState, event: Event) -> None:
    """Raise NotAllowed, with code and values, when the event cannot be recorded now."""
    if state.over:
        raise NotAllowed("game_over")
    for name in event.players():
        if name not in state.playing:
            _require_seat(state, name)
            _require(absence(state, name))
    match event:
        case BestHand():
            _check_best_hand(state, event)
        case NoBestHand():
            _check_may_tell(state, event)
        case LastTrick() if state.deal.step not in (Step.PLAY, Step.LAST_TRICK):
            raise NotAllowed("no_trick_due", step=state.deal.step)
        case Chicago():
            _check_chicago(state, event)
        case ChicagoResult():
            _check_chicago_result(state, event)
        case IllegalExchange():
            _check_illegal_exchange(state, event.player)
        case FalseClaim() | Leaves():
            _check_going(state, event)
        case Joins() | Rules():
            _check_between_deals(state, event)


def can(state: GameState, event: Event) -> bool:
    """Whether the event can be recorded now."""
    return why_not(state, event) is None


def why_not(state: GameState, event: Event) -> NotAllowed | None:
    """The refusal that recording the event would meet now, or None."""
    try:
        check(state, event)
    except NotAllowed as refusal:
        return refusal
    return None


def zeroes(rules: HouseRules, event: BestHand) -> bool:
    """Whether booking this hand zeroes somebody."""
    return event.choose == "zero" or zeroing_of(rules, event.hand) == "always"


def ends_deal(rules: HouseRules, hand: Hand, zeroing: bool) -> bool:
    """Whether a hand booked ends the deal: a zeroing where the table says so, or four of a kind."""
    return four_ends_deal(rules, hand) or (zeroing and rules.after_zeroing == "deal_ends")


def _require(verdict: Verdict | None) -> None:
    if verdict is not None and not verdict.ok:
        raise NotAllowed(verdict.code, **verdict.values)


def _require_seat(state: GameState, name: str) -> None:
    """Raise NotAllowed for somebody who has no seat, at least not yet."""
    if name not in state.players:
        raise NotAllowed("unknown_player", player=name)


def _check_best_hand(state: GameState, event: BestHand) -> None:
    step = state.deal.step
    if step is Step.PLAY:
        _check_announcement(state, event)
    else:
        _check_may_tell(state, event)
    if event.choose == "zero":
        _check_may_zero(state, event)
    _check_victim(state, event)


def _check_may_tell(state: GameState, event: BestHand | NoBestHand) -> None:
    """A hand is due; nobody has two that score, nor the declarer one where that is ruled out."""
    deal = state.deal
    if deal.step not in HAND_DUE:
        raise NotAllowed("no_hand_due", step=deal.step)
    if isinstance(event, BestHand) and event.player in deal.told:
        raise NotAllowed("told_already", player=event.player)
    others = deal.step is Step.FINAL_HAND and state.rules.chicago_hand == "others"
    if others and deal.declarer in event.players():
        raise NotAllowed("declarers_hand", player=deal.declarer)


def _check_announcement(state: GameState, event: BestHand) -> None:
    """At the play only a hand laid open before it may be booked, and only one (reading 2)."""
    rules = state.rules
    if state.deal.announced:
        raise NotAllowed("announced_already", hand=event.hand)
    wins = covers(rules.winning_hands, event.hand)
    if event.choose == "score" and not wins and not ends_deal(rules, event.hand, zeroing=False):
        raise NotAllowed("not_announced", hand=event.hand)


def _check_may_zero(state: GameState, event: BestHand) -> None:
    """Check who may choose to zero, and when (reading 1, huvudregler J)."""
    rules, values = state.rules, {"player": event.player, "hand": event.hand}
    if zeroing_of(rules, event.hand) != "choice":
        always = zeroing_of(rules, event.hand) == "always"
        raise NotAllowed("always_zeroes" if always else "hand_does_not_zero", **values)
    if state.seat(event.player).scored_four and not rules.zeroing_after_scoring:
        raise NotAllowed("zeroing_after_scoring", **values)
    late = rules.after_zeroing == "deal_ends" or rules.four_of_a_kind_ends_deal
    if state.deal.step is Step.FINAL_HAND and late:
        raise NotAllowed("zero_before_play", **values)


def _check_victim(state: GameState, event: BestHand) -> None:
    rules, values = state.rules, {"player": event.player, "hand": event.hand}
    if rules.zeroing_victims == "others" or not zeroes(rules, event):
        if event.victim is not None:
            raise NotAllowed("no_victim_to_name", **values)
    elif event.victim is None:
        raise NotAllowed("victim_needed", **values)
    elif event.victim == event.player:
        raise NotAllowed("victim_is_holder", **values)


def _check_chicago(state: GameState, event: Chicago) -> None:
    if event.blind:
        _require(may_bid_blind(state, event.player))
    else:
        _require(may_bid(state, event.player))
        _require(chicago_step(state))


def _check_chicago_result(state: GameState, event: ChicagoResult) -> None:
    declarer = state.deal.declarer
    if state.deal.step is not Step.CHICAGO_PLAY:
        raise NotAllowed("no_chicago_played")
    if event.broken_by == declarer and not event.won:
        raise NotAllowed("breaker_is_declarer", player=declarer)
    if not event.won and event.broken_by is None and state.rules.chicago_breaker_bonus:
        raise NotAllowed("breaker_needed", points=state.rules.chicago_breaker_bonus)


def _check_illegal_exchange(state: GameState, name: str) -> None:
    if state.rules.illegal_exchange != "zeroed":
        raise NotAllowed("illegal_exchange_refused", player=name)
    if not is_stopped(state, name):
        raise NotAllowed("not_stopped", player=name, score=state.score(name))


def _check_going(state: GameState, event: FalseClaim | Leaves) -> None:
    """Nobody who plays a Chicago goes, or is put out, before its end."""
    if isinstance(event, FalseClaim) and not state.rules.false_claim_loses:
        raise NotAllowed("false_claim_not_played")
    if state.deal.step is Step.CHICAGO_PLAY and state.deal.declarer == event.player:
        raise NotAllowed("declarer_stays", player=event.player)


def _check_between_deals(state: GameState, event: Joins | Rules) -> None:
    if isinstance(event, Rules):
        if state.deal.begun:
            raise NotAllowed("rules_too_late")
        return
    _require(may_join(state))
    if event.player in state.players:
        raise NotAllowed("name_taken", player=event.player)
    _require_seat(state, event.after)
