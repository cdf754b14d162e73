"""What the rules allow: players' rights as verdicts with reasons, and the check of an event."""

import msgspec

from app.rules.codes import NotAllowed, RefusalCode, VerdictCode
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
from app.rules.house import HouseRules, covers, zeroing_of
from app.rules.names import MAX_PLAYERS, clockwise
from app.rules.state import (
    BEFORE_PLAY,
    HAND_DUE,
    GameState,
    Step,
    exchanges,
    first_step,
    scored_hands,
)


class Verdict(msgspec.Struct, frozen=True):
    """Yes or no, with the code of the reason and the values that its sentence needs."""

    ok: bool
    code: VerdictCode
    values: dict[str, object] = {}


def is_stopped(state: GameState, name: str) -> bool:
    """Whether the exchange stop holds for a player in this deal (reading 5)."""
    rules, seat = state.rules, state.seat(name)
    limit = rules.exchange_stop
    if limit is None or seat.score < limit:
        return False
    return rules.exchange_stop_when == "at_once" or seat.began >= limit


def may_exchange(state: GameState, name: str) -> Verdict:
    """May this player exchange in the next exchange, and how many cards."""
    if (gone := absence(state, name)) is not None:
        return gone
    rules, score = state.rules, state.score(name)
    values = {"player": name, "score": score, "limit": rules.exchange_stop}
    if is_stopped(state, name):
        return Verdict(False, "exchange_stop", values)
    values["cards"] = rules.max_exchange
    if rules.exchange_stop is None:
        return Verdict(True, "no_exchange_stop", values)
    if score >= rules.exchange_stop:
        return Verdict(True, "exchange_stop_next_deal", values)
    return Verdict(True, "below_exchange_stop", values)


def may_bid(state: GameState, name: str) -> Verdict:
    """Do score and the once-only rule allow a Chicago, and is none bid yet (reading 14)."""
    if (gone := absence(state, name)) is not None:
        return gone
    if state.deal.declarer is not None:
        return Verdict(False, "chicago_already_bid", {"player": name, "by": state.deal.declarer})
    score, maximum = state.score(name), state.rules.chicago_maximum
    verdict = _may_declare(state, name, state.rules.chicago_minimum)
    if verdict.ok and maximum is not None and score >= maximum:
        values = {"player": name, "score": score, "maximum": maximum}
        return Verdict(False, "chicago_maximum", values)
    return verdict


def may_bid_blind(state: GameState, name: str) -> Verdict:
    """May this player bid Chicago blind, with its own minimum: first of all, or at the end."""
    if (gone := absence(state, name)) is not None:
        return gone
    blind = state.rules.blind_chicago
    if blind is None:
        return Verdict(False, "no_blind_chicago")
    if (late := _blind_time(state, blind.when)) is not None:
        return Verdict(False, late, {"player": name})
    return _may_declare(state, name, blind.minimum)


def _blind_time(state: GameState, when: str) -> RefusalCode | None:
    """What a blind bid comes too early or too late for: the deal, or the last cards (31)."""
    deal = state.deal
    if when == "before_looking":
        return "blind_too_late" if deal.begun else None
    last = BEFORE_PLAY[exchanges(state.setup)]
    due = last if last in scored_hands(state.setup) else Step.PLAY
    if deal.step in BEFORE_PLAY and deal.step != due:
        return "blind_too_early"
    return None if deal.step is due and not deal.told and not deal.declarer else "blind_too_late"


def _may_declare(state: GameState, name: str, minimum: int | None) -> Verdict:
    seat = state.seat(name)
    if state.rules.chicago_once and seat.declared:
        return Verdict(False, "chicago_once", {"player": name})
    values = {"player": name, "score": seat.score, "minimum": minimum}
    if minimum is not None and seat.score < minimum:
        return Verdict(False, "chicago_minimum", values)
    return Verdict(True, "may_bid" if minimum is None else "may_bid_from", values)


def must_show(state: GameState, name: str) -> tuple[Hand, ...]:
    """The hands that a player who may exchange shows before breaking them up (reading 16)."""
    return state.seat(name).shows if may_exchange(state, name).ok else ()


def chicago_required(state: GameState) -> bool:
    """Whether winning takes a Chicago: counted by who began, and never in a tie-break."""
    rules, counts = state.rules, state.rules.win_needs_chicago_players
    if rules.win_needs_chicago == "no" or state.tie_break:
        return False
    return counts is None or len(state.setup.players) in counts


def meets_requirement(state: GameState, name: str) -> bool:
    """Whether a player has met the table's Chicago requirement for winning (readings 7, 19)."""
    if not chicago_required(state):
        return True
    seat = state.seat(name)
    return seat.won > 0 or (state.rules.win_needs_chicago == "declared" and seat.declared > 0)


def meets_finish(state: GameState, name: str) -> bool:
    """Whether a player has taken the trick that `finish` asks for (reading 10)."""
    finish = state.rules.finish
    if finish == "at_target" or state.deal.taker != name:
        return finish == "at_target"
    return finish == "trick_same_deal" or state.seat(name).began >= state.rules.target


def can_win(state: GameState, name: str) -> Verdict:
    """Would reaching the target win, when this deal ends with nothing but points to come."""
    if (gone := absence(state, name)) is not None:
        return gone
    rules, seat = state.rules, state.seat(name)
    values = {"player": name, "score": seat.score, "target": rules.target}
    if state.tie_break:
        return Verdict(True, "wins_by_most", values)
    if not meets_requirement(state, name):
        made = rules.win_needs_chicago == "won"
        lack: RefusalCode = "win_needs_chicago_won" if made else "win_needs_chicago_declared"
        return Verdict(False, lack, values)
    if rules.finish == "trick_later_deal" and seat.began < rules.target:
        return Verdict(False, "win_needs_trick_later", values)
    if rules.finish != "at_target":
        return Verdict(True, "wins_with_trick", values)
    return Verdict(True, "wins_at_target", values)


def chicago_step(state: GameState) -> Verdict:
    """Is this a moment at which an ordinary Chicago may be recorded."""
    deal, when = state.deal, state.rules.chicago_when
    if when == "first_exchange":
        early = deal.step is first_step(state.setup) and not deal.told
        return Verdict(early, "chicago_time" if early else "chicago_too_late")
    if deal.step is Step.PLAY or (deal.step in BEFORE_PLAY and when == "any_time"):
        return Verdict(True, "chicago_time")
    before = deal.step in BEFORE_PLAY
    return Verdict(False, "chicago_before_play" if before else "chicago_too_late")


def bid_ahead(state: GameState) -> bool:
    """Whether this is a moment at, or before, which an ordinary Chicago may be recorded."""
    if state.rules.chicago_when == "first_exchange":
        return chicago_step(state).ok
    return state.deal.step in (*BEFORE_PLAY, Step.PLAY)


def may_tell(state: GameState) -> tuple[str, ...]:
    """Those whose hand may be recorded at a step that a hand is due at (readings 24, 29)."""
    deal, rules = state.deal, state.rules
    others = rules.chicago_hand == "others" and deal.step is Step.FINAL_HAND
    gone = (*deal.told, *((deal.declarer,) if others else ()))
    return tuple(name for name in state.playing if name not in gone)


def may_join(state: GameState) -> Verdict:
    """May somebody sit down now: before anything is recorded in a deal (reading 20)."""
    if state.over:
        return Verdict(False, "game_over")
    if state.tie_break:
        return Verdict(False, "no_joining_tie_break")
    if len(state.players) >= MAX_PLAYERS:
        return Verdict(False, "no_seat_left")
    if state.deal.begun:
        return Verdict(False, "joins_too_late")
    return Verdict(True, "may_join")


def speaking_order(state: GameState) -> tuple[str, ...]:
    """Those who play, from eldest hand to the dealer: who is asked first, and who leads."""
    order = clockwise(state.players, state.deal.dealer)
    return tuple(name for name in order if name in state.playing)


def leader(state: GameState) -> str:
    """The leader to the first trick (`huvudregler` M): eldest hand, or the declarer."""
    declarer = state.deal.declarer
    if declarer is not None and state.rules.chicago_lead == "declarer":
        return declarer
    return speaking_order(state)[0]


def absence(state: GameState, name: str) -> Verdict | None:
    """The verdict for those who do not play: after the game, out, or frozen in a tie-break."""
    if state.over:
        return Verdict(False, "game_over")
    if name in state.playing:
        return None
    return Verdict(False, "player_out" if name in state.out else "player_frozen", {"player": name})


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
    four = rules.four_of_a_kind_ends_deal and hand is Hand.FOUR_OF_A_KIND
    return four or (zeroing and rules.after_zeroing == "deal_ends")


def _require(verdict: Verdict | None) -> None:
    if verdict is not None and not verdict.ok:
        raise NotAllowed(verdict.code, **verdict.values)


def _require_seat(state: GameState, name: str) -> None:
    """Raise NotAllowed for somebody who has no seat, at least not yet."""
    if name not in state.players:
        raise NotAllowed("unknown_player", player=name)


def _check_best_hand(state: GameState, event: BestHand) -> None:
    if state.deal.step is Step.PLAY:
        _check_announcement(state, event)
    else:
        _check_may_tell(state, event)
    if event.choose == "zero":
        _check_may_zero(state, event)
    rules, values = state.rules, {"player": event.player, "hand": event.hand}
    if rules.zeroing_victims == "others" or not zeroes(rules, event):
        if event.victim is not None:
            raise NotAllowed("no_victim_to_name", **values)
    elif event.victim is None:
        raise NotAllowed("victim_needed", **values)
    elif event.victim == event.player:
        raise NotAllowed("victim_is_holder", **values)


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
