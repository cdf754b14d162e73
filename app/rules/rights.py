"""Rights to exchange, bid and win: each answer is a verdict with its reason."""

import msgspec

from app.rules.codes import RefusalCode, VerdictCode
from app.rules.hands import Hand
from app.rules.names import MAX_PLAYERS, clockwise
from app.rules.state import BEFORE_PLAY, GameState, Step, exchanges, first_step, scored_hands


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
