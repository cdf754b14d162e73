"""Playing a game: `begin`, `apply` one event, `replay` many. A state never changes."""

from collections.abc import Iterable

from msgspec.structs import replace

from app.rules.checks import check, ends_deal, zeroes
from app.rules.codes import EffectCode
from app.rules.ending import (
    break_off,
    end_deal,
    fail_requirement,
    next_dealer,
    strike,
    strike_waiting,
    win,
)
from app.rules.errors import NotAllowed
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
from app.rules.house import covers, points_of
from app.rules.names import seat_behind
from app.rules.rights import meets_requirement
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
    set_score,
    steps_before_play,
    with_deal,
    with_effect,
    with_seat,
)


def begin(setup: Setup) -> GameState:
    """The game before its first event."""
    seats = tuple(Seat(name) for name in setup.players)
    return GameState(setup, setup.players, seats, Deal(1, setup.dealer, first_step(setup.rules)))


def apply(state: GameState, event: Event) -> GameState:
    """The state after the event and all that it sets off. Raises NotAllowed as `check` does."""
    check(state, event)
    return apply_unchecked(state, event)


def apply_unchecked(state: GameState, event: Event) -> GameState:
    """The state after an event as if it were allowed."""
    state = replace(state, effects=())
    match event:
        case BestHand(player=name, hand=hand):
            state = _show(state, name, hand)
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


def _show(state: GameState, name: str, hand: Hand) -> GameState:
    shows = state.seat(name).shows
    state = with_deal(state, begun=True)
    return state if hand in shows else with_seat(state, name, shows=(*shows, hand))


def _pass(state: GameState, event: NoBestHand) -> GameState:
    for name in event.players():
        state = _show(state, name, event.hand) if event.hand else state
    return _after_hand(with_deal(state, begun=True))


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
    state = _book_hand(state, name, hand)
    if zeroing:
        state = strike(state, Zeroing(name, hand, event.victim))
    if covers(rules.winning_hands, hand):
        reached = state.score(name) >= rules.target
        return win(state, (name,), "won_by_hand", hand) if reached else end_deal(state)
    if rules.win_when == "at_once":
        state = _judge_at_once(state, name)
    if state.over:
        return state
    if ends_deal(rules, hand, zeroing):
        return end_deal(state)
    return _after_hand(state)


def _book_hand(state: GameState, name: str, hand: Hand) -> GameState:
    if hand is Hand.FOUR_OF_A_KIND:
        state = with_seat(state, name, scored_four=True)
    rules = state.rules
    if covers(rules.raising_hands, hand):
        score = max(state.score(name), rules.target)
        return set_score(state, "hand_raised", name, score, hand=hand)
    return book(state, "hand", name, points_of(rules, hand), hand=hand)


def _judge_at_once(state: GameState, name: str) -> GameState:
    """Judge a hand scored before the play where a game is won at once (huvudregler Z)."""
    rules = state.rules
    if state.deal.step not in BEFORE_PLAY or state.tie_break:
        return state
    if state.score(name) < rules.target:
        return state
    if not meets_requirement(state, name):
        return fail_requirement(state, name)
    return win(state, (name,), "won_at_once") if rules.finish == "at_target" else state


def _after_hand(state: GameState) -> GameState:
    if state.deal.step is Step.FINAL_HAND:
        return end_deal(state)
    play = Step.PLAY if state.deal.declarer is None else Step.CHICAGO_PLAY
    steps = (*steps_before_play(state.rules), play)
    return with_deal(state, step=steps[steps.index(state.deal.step) + 1])


def _bid_chicago(state: GameState, event: Chicago) -> GameState:
    declared = state.seat(event.player).declared + 1
    state = with_seat(state, event.player, declared=declared)
    early = not event.blind and state.deal.step in BEFORE_PLAY
    state = with_deal(state, begun=True, declarer=event.player, blind=event.blind, early=early)
    state = with_effect(state, Effect("blind_bid" if event.blind else "bid", event.player))
    state = _void_waiting(state)
    if event.blind or state.deal.step is Step.PLAY:
        return with_deal(state, step=Step.CHICAGO_PLAY)
    return state


def _void_waiting(state: GameState) -> GameState:
    waiting, rules = state.deal.waiting, state.rules
    if waiting is None or rules.zeroing_and_chicago != "chicago_voids_zeroing":
        return state
    effect = Effect("zeroing_voided", waiting.holder, hand=waiting.hand)
    return with_effect(with_deal(state, waiting=None), effect)


def _end_chicago(state: GameState, event: ChicagoResult) -> GameState:
    declarer = state.deal.declarer
    assert declarer is not None  # noqa: S101  # the check has seen to it; this tells mypy
    if event.won:
        seat = state.seat(declarer)
        state = with_deal(with_seat(state, declarer, won=seat.won + 1), taker=declarer)
        win_chicago = _win_blind_chicago if state.deal.blind else _win_chicago
        return win_chicago(state, declarer, event.with_two)
    return _lose_chicago(state, declarer, event.broken_by)


def _win_blind_chicago(state: GameState, declarer: str, with_two: bool) -> GameState:
    blind = state.rules.blind_chicago
    assert blind is not None  # noqa: S101  # bid under this rule; this tells mypy
    if with_two and blind.with_two is not None:
        state = book(state, "blind_won_with_two", declarer, blind.with_two)
        return win(state, (declarer,), "won_by_blind_two")
    return end_deal(book(state, "blind_won", declarer, blind.points))


def _win_chicago(state: GameState, declarer: str, with_two: bool) -> GameState:
    rules = state.rules
    if with_two and rules.chicago_with_two is not None:
        state = book(state, "chicago_won_with_two", declarer, rules.chicago_with_two)
    else:
        state = book(state, "chicago_won", declarer, rules.chicago_points)
    if rules.chicago_last_trick in ("if_won", "always"):
        state = _book_trick(state, declarer, with_two)
    return _final_hand(state, scored=rules.chicago_hand in ("if_won", "always"))


def _lose_chicago(state: GameState, declarer: str, breaker: str | None) -> GameState:
    rules, blind = state.rules, state.rules.blind_chicago
    if state.deal.blind and blind is not None:
        state = book(state, "blind_lost", declarer, -blind.penalty)
    else:
        state = book(state, "chicago_lost", declarer, -rules.chicago_penalty)
    if rules.lost_chicago_takes_won:
        state = _take_won_chicago(state, declarer)
    if breaker is not None and rules.chicago_breaker_bonus:
        state = book(state, "breaker", breaker, rules.chicago_breaker_bonus, by=declarer)
    if state.deal.blind:
        return end_deal(state)
    if rules.chicago_last_trick in ("if_lost", "always"):
        return with_deal(state, step=Step.LAST_TRICK)
    return _final_hand(state, scored=rules.chicago_hand == "always")


def _take_won_chicago(state: GameState, declarer: str) -> GameState:
    """Let who has lost a Chicago have made one less, if there is one (reading 19)."""
    won = state.seat(declarer).won
    if not won:
        return state
    state = with_seat(state, declarer, won=won - 1)
    return with_effect(state, Effect("won_chicago_taken", declarer))


def _final_hand(state: GameState, scored: bool) -> GameState:
    """Go on to the final hand where it scores, else end the deal."""
    if scored and state.rules.hand_after_play and not state.deal.announced:
        return with_deal(state, step=Step.FINAL_HAND)
    return end_deal(state)


def _take_last_trick(state: GameState, event: LastTrick) -> GameState:
    lost_chicago = state.deal.step is Step.LAST_TRICK
    if not lost_chicago:
        state = strike_waiting(state)
    state = _book_trick(
        with_deal(state, begun=True, taker=event.player), event.player, event.with_two
    )
    return _final_hand(state, scored=not lost_chicago or state.rules.chicago_hand == "always")


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
    return with_deal(state, step=first_step(event.rules))


def _correct(state: GameState, event: Correction) -> GameState:
    """Book points; between deals it is as if the deal before had ended so (reading 21)."""
    state = book(state, "correction", event.player, event.points)
    if state.deal.begun:
        return state
    return with_seat(state, event.player, began=state.score(event.player))
