"""Playing a game: `begin`, `apply` one event, `replay` many; zeroing, winning, a deal's end.

A state never changes.
"""

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise

from msgspec.structs import replace

from app.rules.codes import EffectCode, EndCode, NotAllowed, Status
from app.rules.events import (
    BestHand,
    BreakOff,
    Chicago,
    ChicagoResult,
    Correction,
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
from app.rules.house import ChicagoTerms, chicago_terms, covers, points_of
from app.rules.names import clockwise, seat_behind
from app.rules.rights import check, ends_deal, may_tell, meets_finish, meets_requirement, zeroes
from app.rules.state import (
    BEFORE_PLAY,
    Deal,
    Effect,
    GameState,
    RuleChange,
    Seat,
    Setup,
    Step,
    Zeroing,
    book,
    first_step,
    scored_hands,
    scorers,
    set_score,
    steps_before_play,
    with_deal,
    with_effect,
    with_seat,
    with_step,
)


def begin(setup: Setup) -> GameState:
    """The game before its first event."""
    seats = tuple(Seat(name) for name in setup.players)
    return GameState(setup, setup.players, seats, Deal(1, setup.dealer, first_step(setup)))


def apply(state: GameState, event: Event) -> GameState:
    """The state after the event and all that it sets off. Raises NotAllowed as `check` does."""
    check(state, event)
    return apply_unchecked(state, event)


def apply_unchecked(state: GameState, event: Event) -> GameState:
    """The state after an event as if it were allowed."""
    state = replace(state, effects=())
    match event:
        case BestHand(player=name, hand=hand):
            state = _tell(state, name, hand)
            return (_zero_by_choice if event.choose == "zero" else _score_hand)(state, event)
        case NoBestHand():
            return _pass(state, event)
        case LastTrick():
            return _take_last_trick(state, event)
        case Chicago():
            return _bid_chicago(state, event)
        case ChicagoResult():
            return _end_chicago(state, event)
        case IllegalExchange():
            return set_score(state, "illegal_exchange", event.player, 0)
        case Correction():
            return _correct(state, event)
        case Rules():
            return _change_rules(state, event)
        case BreakOff():
            return break_off(state, event.settle)
    return _apply_to_seats(state, event)


def _apply_to_seats(state: GameState, event: Event) -> GameState:
    match event:
        case FalseClaim(player=name):
            return _go_out(set_score(state, "false_claim", name, 0), name)
        case Leaves(player=name):
            code: EffectCode = "leaves" if state.setup.stake_ore else "leaves_for_nothing"
            state = with_effect(state, Effect(code, name, reached=state.score(name)))
            return _go_out(replace(state, left=(*state.left, name)), name)
        case Joins():
            return _seat_latecomer(state, event)
    raise TypeError(event)


def replay(setup: Setup, events: Iterable[Event]) -> list[GameState]:
    """Every state of a game, the first before any event.

    Raises NotAllowed, with the index of the event that is refused.
    """
    states, refusal = fold(setup, events)
    if refusal is not None:
        raise refusal
    return states


def fold(setup: Setup, events: Iterable[Event]) -> tuple[list[GameState], NotAllowed | None]:
    """Every state as far as the events hold, and the refusal, with its index, that ended it."""
    states = [begin(setup)]
    for index, event in enumerate(events):
        try:
            states.append(apply(states[-1], event))
        except NotAllowed as refusal:
            refusal.event = index
            return states, refusal
    return states, None


def _tell(state: GameState, name: str, hand: Hand) -> GameState:
    """Note that a player has told a hand: before it is broken up it is shown (reading 16)."""
    shows, told = state.seat(name).shows, {**state.deal.told, name: hand}
    state = with_deal(state, begun=True, told=told)
    if hand in shows or state.deal.step is Step.FINAL_HAND:
        return state
    return with_seat(state, name, shows=(*shows, hand))


def _pass(state: GameState, event: NoBestHand) -> GameState:
    """Nobody has the best hand, or nobody else a hand; equal ones may score (reading 23)."""
    state, tied, hand = with_deal(state, begun=True), event.players(), event.hand
    if hand is None:
        return _close_hand(state)
    for name in tied:
        state = _tell(state, name, hand)
    if scorers(state) != "equal":
        return _close_hand(state)
    for name in tied:
        state = _book_hand(state, name, hand)
    if covers(state.rules.winning_hands, hand):
        return end_deal(state)
    return judge_booking(state, tied, _close_hand)


def _zero_by_choice(state: GameState, event: BestHand) -> GameState:
    zeroing = Zeroing(event.player, event.hand, event.victim)
    state = with_effect(state, Effect("zeroes", event.player, hand=event.hand))
    if ends_deal(state.rules, event.hand, zeroing=True):
        return end_deal(strike(state, zeroing))
    if state.deal.step is not Step.PLAY:
        return _after_hand(strike(state, zeroing))
    state = with_deal(state, announced=True)
    if state.rules.zeroing_and_chicago == "zeroing_first":
        return strike(state, zeroing)
    return with_deal(state, waiting=zeroing)


def _score_hand(state: GameState, event: BestHand) -> GameState:
    """Book a scored hand; a winning one wins or ends the deal (reading 3)."""
    rules, name, hand = state.rules, event.player, event.hand
    zeroing = zeroes(rules, event)
    if covers(rules.raising_hands, hand):
        score = max(state.score(name), rules.target)
        state = _note_four(state, name, hand)
        state = set_score(state, "hand_raised", name, score, hand=hand)
    else:
        state = _book_hand(state, name, hand)
    if zeroing:
        state = strike(state, Zeroing(name, hand, event.victim))
    if covers(rules.winning_hands, hand):
        reached = state.score(name) >= rules.target
        return win(state, (name,), "won_by_hand", hand) if reached else end_deal(state)
    if ends_deal(rules, hand, zeroing):
        return end_deal(state)
    return judge_booking(state, (name,), _after_hand)


def _book_hand(state: GameState, name: str, hand: Hand) -> GameState:
    points = points_of(state.rules, hand)
    return book(_note_four(state, name, hand), "hand", name, points, hand=hand)


def _note_four(state: GameState, name: str, hand: Hand) -> GameState:
    return with_seat(state, name, scored_four=True) if hand is Hand.FOUR_OF_A_KIND else state


def _after_hand(state: GameState) -> GameState:
    """Go on, once no other hand may score at this step (reading 24)."""
    own = scorers(state) == "everyone"
    return state if own and may_tell(state) else _close_hand(state)


def _close_hand(state: GameState) -> GameState:
    if state.deal.step is Step.FINAL_HAND:
        return end_deal(state)
    play = Step.PLAY if state.deal.declarer is None else Step.CHICAGO_PLAY
    steps = (*steps_before_play(state.setup), play)
    return with_step(state, steps[steps.index(state.deal.step) + 1])


def _bid_chicago(state: GameState, event: Chicago) -> GameState:
    declared = state.seat(event.player).declared + 1
    state = with_seat(state, event.player, declared=declared)
    early = not event.blind and state.deal.step in BEFORE_PLAY
    state = with_deal(state, begun=True, declarer=event.player, blind=event.blind, early=early)
    state = with_effect(state, Effect("blind_bid" if event.blind else "bid", event.player))
    strikes = state.rules.chicago_hand == "struck" and not event.blind
    voids = strikes or state.rules.zeroing_and_chicago == "chicago_voids_zeroing"
    if voids and (waiting := state.deal.waiting):
        effect = Effect("zeroing_voided", waiting.holder, hand=waiting.hand)
        state = with_effect(with_deal(state, waiting=None), effect)
    for name in state.playing if strikes else ():
        # The scores are those before the deal again (reading 30).
        seat = state.seat(name)
        if seat.score != seat.began:
            state = set_score(state, "struck", name, seat.began, by=event.player)
    at_once = strikes or event.blind or state.deal.step is Step.PLAY
    return with_step(state, Step.CHICAGO_PLAY) if at_once else state


def _end_chicago(state: GameState, event: ChicagoResult) -> GameState:
    declarer, blind = state.deal.declarer, state.deal.blind
    assert declarer is not None  # noqa: S101  # the check has seen to it; this tells mypy
    terms = chicago_terms(state.rules, blind)
    if event.won:
        return _make_chicago(state, declarer, terms, event.with_two)
    return _lose_chicago(state, declarer, terms, event.broken_by)


def _make_chicago(
    state: GameState, declarer: str, terms: ChicagoTerms, with_two: bool
) -> GameState:
    """Book a Chicago made, with the last trick where it goes with it; it may win by itself."""
    rules, blind = state.rules, state.deal.blind
    state = with_seat(state, declarer, won=state.seat(declarer).won + 1)
    state = with_deal(state, taker=declarer)
    if special := with_two and terms.with_two is not None:
        code: EffectCode = "blind_won_with_two" if blind else "chicago_won_with_two"
        state = book(state, code, declarer, terms.with_two or 0)
    else:
        state = book(state, "blind_won" if blind else "chicago_won", declarer, terms.points)
    if not blind and rules.chicago_last_trick in ("if_won", "always"):
        state = _book_trick(state, declarer, with_two)
    if blind and special:
        return win(state, (declarer,), "won_by_blind_two")
    if rules.chicago_wins == "made":
        return win(state, (declarer,), "won_by_chicago")
    return judge_booking(state, (declarer,), _final_hand)


def _lose_chicago(
    state: GameState, declarer: str, terms: ChicagoTerms, breaker: str | None
) -> GameState:
    """Book a Chicago lost, which may take one made before (reading 19)."""
    rules, blind = state.rules, state.deal.blind
    code: EffectCode = "blind_lost" if blind else "chicago_lost"
    if terms.penalty == "all":
        state = set_score(state, code, declarer, 0)
    else:
        state = book(state, code, declarer, -terms.penalty)
    if rules.lost_chicago_takes_won and (won := state.seat(declarer).won):
        state = with_seat(state, declarer, won=won - 1)
        state = with_effect(state, Effect("won_chicago_taken", declarer))
    if breaker is None or not rules.chicago_breaker_bonus:
        return _after_loss(state)
    state = book(state, "breaker", breaker, rules.chicago_breaker_bonus, by=declarer)
    return judge_booking(state, (breaker,), _after_loss)


def _after_loss(state: GameState) -> GameState:
    trick = state.rules.chicago_last_trick in ("if_lost", "always") and not state.deal.blind
    return with_step(state, Step.LAST_TRICK) if trick else _final_hand(state)


def _final_hand(state: GameState) -> GameState:
    """Go on to the final hand where it scores, else end the deal."""
    deal, scores = state.deal, Step.FINAL_HAND in scored_hands(state.setup)
    if deal.declarer is not None:
        made = deal.step is Step.CHICAGO_PLAY and deal.taker == deal.declarer
        kept = state.rules.chicago_hand in ("always", "others", *(["if_won"] if made else []))
        scores = scores and kept and not deal.blind
    due = scores and not deal.announced
    return with_step(state, Step.FINAL_HAND) if due else end_deal(state)


def _take_last_trick(state: GameState, event: LastTrick) -> GameState:
    if state.deal.step is not Step.LAST_TRICK:
        state = strike_waiting(state)
    state = with_deal(state, begun=True, taker=event.player)
    state = _book_trick(state, event.player, event.with_two)
    return judge_booking(state, (event.player,), _final_hand)


def _book_trick(state: GameState, name: str, with_two: bool) -> GameState:
    special = state.rules.last_trick_with_two
    if with_two and special is not None:
        return book(state, "last_trick_with_two", name, special)
    return book(state, "last_trick", name, state.rules.last_trick)


def _go_out(state: GameState, name: str) -> GameState:
    """Take a player out of the game; the last one left wins at once (reading 12).

    The next player deals a deal that has not begun, if its dealer is out.
    """
    tied = tuple(other for other in state.tie_break if other != name)
    state = replace(state, out=(*state.out, name), tie_break=tied)
    if state.deal.declarer == name and state.deal.step in BEFORE_PLAY:
        state = with_effect(
            with_deal(state, declarer=None, early=False), Effect("bid_withdrawn", name)
        )
    if len(state.playing) == 1:
        return win(state, state.playing, "won_last_left")
    deal = state.deal
    if deal.begun or deal.dealer not in state.out:
        return state
    return with_deal(state, dealer=next_dealer(state.players, deal.dealer, state.playing))


def _seat_latecomer(state: GameState, event: Joins) -> GameState:
    """Seat a latecomer, as if the deal before had ended with those points (reading 20)."""
    players = seat_behind(state.players, event.player, event.after)
    standings = {seat.name: seat for seat in state.seats}
    seats = tuple(standings.get(name) or Seat(name) for name in players)
    state = replace(state, players=players, seats=seats)
    state = set_score(state, "joins", event.player, event.points, by=event.after)
    return with_seat(state, event.player, began=state.score(event.player))


def _change_rules(state: GameState, event: Rules) -> GameState:
    """Let the deal, and all that come, go by other rules; nothing is booked (reading 26)."""
    change = RuleChange(state.deal.number, state.rules, event.rules)
    setup = replace(state.setup, preset=event.preset, rules=event.rules)
    state = with_effect(replace(state, setup=setup), Effect("rules", change=change))
    return with_step(state, first_step(setup))


def _correct(state: GameState, event: Correction) -> GameState:
    """Book points; between deals it is as if the deal before had ended so (reading 21)."""
    state = book(state, "correction", event.player, event.points)
    if state.deal.begun:
        return state
    return with_seat(state, event.player, began=state.score(event.player))


def strike(state: GameState, zeroing: Zeroing) -> GameState:
    """Zero the victim, or everybody else who plays; those who are out are spared (reading 12).

    It may take their Chicagos too (reading 19).
    """
    holder, hand = zeroing.holder, zeroing.hand
    named = (zeroing.victim,) if zeroing.victim else state.playing
    victims = [name for name in named if name in state.playing and name != holder]
    for name in victims:
        state = set_score(state, "zeroed", name, 0, by=holder, hand=hand)
    for name in victims if state.rules.zeroing_takes_chicagos else ():
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
    if not state.tie_break:
        judged = judge(state, state.playing, "won_highest")
        return _unless_ended(judged, state.deal.number, next_deal)
    top = highest_scorers(state, state.tie_break)
    if len(top) == 1:
        return win(state, top, "won_tie_break")
    return next_deal(replace(state, tie_break=top))


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
    finished = [name for name in reached if meets_finish(state, name)]
    candidates = [name for name in finished if meets_requirement(state, name)]
    return _decide(state, highest_scorers(state, candidates), why) if candidates else state


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
