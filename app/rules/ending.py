"""The end of a deal: winners, and the zeroings that strike then (readings 5 to 13)."""

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise

from msgspec.structs import replace

from app.rules.codes import EndCode, Status
from app.rules.hands import Hand
from app.rules.names import clockwise
from app.rules.rights import meets_finish, meets_requirement
from app.rules.state import (
    BEFORE_PLAY,
    Deal,
    Effect,
    GameState,
    Seat,
    Step,
    Zeroing,
    first_step,
    set_score,
    with_deal,
    with_effect,
    with_seat,
    with_step,
)


def strike(state: GameState, zeroing: Zeroing) -> GameState:
    """Zero the victim, or everybody else who plays; those who are out are spared (reading 12)."""
    holder, hand = zeroing.holder, zeroing.hand
    named = (zeroing.victim,) if zeroing.victim else state.playing
    victims = [name for name in named if name in state.playing and name != holder]
    for name in victims:
        state = set_score(state, "zeroed", name, 0, by=holder, hand=hand)
    return _take_chicagos(state, victims) if state.rules.zeroing_takes_chicagos else state


def _take_chicagos(state: GameState, victims: Iterable[str]) -> GameState:
    """Let the victims of a zeroing have said and made no Chicago (reading 19)."""
    for name in victims:
        if state.seat(name).declared or state.seat(name).won:
            state = with_seat(state, name, declared=0, won=0)
            state = with_effect(state, Effect("chicagos_taken", name))
    return state


def strike_waiting(state: GameState) -> GameState:
    """Let a waiting zeroing strike, if there is one."""
    if state.deal.waiting is None:
        return state
    return with_deal(strike(state, state.deal.waiting), waiting=None)


def win(
    state: GameState,
    winners: Collection[str],
    why: EndCode,
    hand: Hand | None = None,
    status: Status = "finished",
) -> GameState:
    """End the game with these winners; `why` is the code of the reason, `hand` its hand, if any."""
    ordered = tuple(name for name in state.players if name in winners)
    state = with_step(state, Step.OVER)
    state = replace(state, status=status, winners=ordered, tie_break=(), ended=why)
    score = state.score(ordered[0]) if ordered else None
    return with_effect(state, Effect(why, players=ordered, hand=hand, reached=score))


def break_off(state: GameState, settle: bool) -> GameState:
    """Stop the game: settled at the standing, or void (reading 13)."""
    if not settle:
        return win(state, (), "broken_off_void", status="broken_off")
    winners = highest_scorers(state, state.playing)
    return win(state, winners, "broken_off_settled", status="broken_off")


def highest_scorers(state: GameState, names: Iterable[str]) -> tuple[str, ...]:
    """Those with the highest score among `names`, in their order."""
    names = tuple(names)
    top = max(state.score(name) for name in names)
    return tuple(name for name in names if state.score(name) == top)


def end_deal(state: GameState) -> GameState:
    """End a deal, also one cut short (reading 6)."""
    state = strike_waiting(state)
    if state.tie_break:
        return _end_tie_break_deal(state)
    return _unless_ended(judge(state, state.playing, "won_highest"), state.deal.number, next_deal)


def judge_booking(
    state: GameState, names: Collection[str], onward: Callable[[GameState], GameState]
) -> GameState:
    """Judge those whom an event gave points, where a game is won at once; then go on (25)."""
    when, deal = state.rules.win_when, state.deal
    at_once = when == "every_booking" or (when == "at_once" and deal.step in BEFORE_PLAY)
    if at_once and not state.tie_break:
        state = judge(state, names, "won_at_once")
    return _unless_ended(state, deal.number, onward)


def _unless_ended(
    state: GameState, deal: int, onward: Callable[[GameState], GameState]
) -> GameState:
    return state if state.over or state.deal.number != deal else onward(state)


def judge(state: GameState, names: Collection[str], why: EndCode) -> GameState:
    """Judge players at the target: requirement, `finish`, the highest of them (reading 6)."""
    reached = [s.name for s in state.seats if s.score >= state.rules.target and s.name in names]
    for name in reached:
        if not meets_requirement(state, name):
            state = fail_requirement(state, name)
    candidates = [name for name in reached if _may_win(state, name)]
    return _decide(state, highest_scorers(state, candidates), why) if candidates else state


def _end_tie_break_deal(state: GameState) -> GameState:
    top = highest_scorers(state, state.tie_break)
    if len(top) == 1:
        return win(state, top, "won_tie_break")
    return next_deal(replace(state, tie_break=top))


def _may_win(state: GameState, name: str) -> bool:
    return meets_requirement(state, name) and meets_finish(state, name)


def fail_requirement(state: GameState, name: str) -> GameState:
    """A player at target without the Chicago the table asks for is zeroed, or passed over."""
    target = state.rules.target
    if state.rules.win_needs_chicago_unmet == "plays_on":
        return with_effect(state, Effect("passed_over", name, reached=target))
    state = set_score(state, "requirement_unmet", name, 0)
    *before, zeroed = state.effects
    return replace(state, effects=(*before, replace(zeroed, reached=target)))


def _decide(state: GameState, top: tuple[str, ...], why: EndCode) -> GameState:
    if len(top) == 1:
        return win(state, top, why)
    match state.rules.tied_winners:
        case "share":
            return win(state, top, "won_shared")
        case "tie_break":
            state = with_effect(state, Effect("tie_break_begins", players=top))
            return next_deal(replace(state, tie_break=top))
        case "play_on":
            return with_effect(state, Effect("tied_play_on", players=top))


def next_deal(state: GameState) -> GameState:
    """Pass the deal clockwise among those who play, and remember how it began."""
    dealer = next_dealer(state.players, state.deal.dealer, state.playing)
    deal = Deal(state.deal.number + 1, dealer, first_step(state.setup))
    seats = [Seat(s.name, s.score, s.declared, s.won, began=s.score) for s in state.seats]
    return replace(state, deal=deal, seats=tuple(seats))


def next_dealer(players: tuple[str, ...], dealer: str, playing: tuple[str, ...]) -> str:
    """The first of those playing who sits after `dealer`, clockwise."""
    return next(name for name in clockwise(players, dealer) if name in playing)


def find_dealer(states: Iterable[GameState], dealer: str) -> str:
    """Who would deal at the end of a game, had `dealer` dealt first; nothing else would differ."""
    for before, after in pairwise(states):
        handed_on = dealer in after.out and not (after.deal.begun or after.over)
        if handed_on or after.deal.number > before.deal.number:
            dealer = next_dealer(after.players, dealer, after.playing)
    return dealer
