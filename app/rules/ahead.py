"""The rest of a deal: a player's ways to win in it, and the step that each event leads to.

Ways are found by playing the deal out. Scores decide how a game goes on by the target alone, and in
a tie-break: a step is known whatever the scores are, or as long as nobody can have reached the
target, or it is not known.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal
from zlib import crc32

import msgspec
from msgspec.structs import replace

from app.rules.codes import NotAllowed
from app.rules.events import Chicago, ChicagoResult, Event, LastTrick, NoBestHand
from app.rules.game import apply, apply_unchecked
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.outcome import Outcome, hand_events
from app.rules.rights import can, may_bid_blind
from app.rules.state import (
    BEFORE_PLAY,
    HAND_DUE,
    Deal,
    GameState,
    Seat,
    Step,
    first_step,
    scored_hands,
)

# More points than any target.
HIGH = 10_000
# From so many states on nothing is known any more.
MOST_STATES = 80


class Lead(msgspec.Struct, frozen=True):
    """Where an event leads: a state without scores, of another deal where it ends this one.

    `gains` are the most points that each can have got, in seat order, who owes points having none.
    Where it is `risky`, it leads there as long as all are below the target.
    """

    state: GameState
    ends_deal: bool
    gains: tuple[int, ...]
    risky: bool


class Ahead(msgspec.Struct, frozen=True):
    """A state without scores, and where the events that may come lead from it.

    None where that is not known; `known` is False where nothing is.
    """

    state: GameState
    leads: Mapping[Event, Lead | None]
    known: bool = True


def without_scores(state: GameState) -> GameState:
    """What decides how a deal goes on, but for the scores; the deal's number and dealer do not."""
    seats = tuple(Seat(name) for name in state.players)
    told = dict.fromkeys(sorted(state.deal.told), Hand.PAIR)
    deal = replace(state.deal, number=1, dealer=state.playing[0], told=told)
    return replace(state, seats=seats, deal=deal, effects=())


def with_scores(state: GameState, score: int, began: int = 0, chicagos: int = 0) -> GameState:
    """Give everybody a score; those of `HIGH` are so far apart that no event ties them."""
    seats = []
    for place, name in enumerate(state.players, start=1):
        apart = [each * (place if each == HIGH else 1) for each in (score, began)]
        seats.append(Seat(name, apart[0], chicagos, chicagos, apart[1]))
    return replace(state, seats=tuple(seats))


def may_come(state: GameState, event: Event) -> bool:
    """Whether there are scores with which an event can be recorded."""
    blind = state.rules.blind_chicago
    minimums = {0, state.rules.chicago_minimum or 0, (blind and blind.minimum) or 0}
    return any(can(with_scores(state, score), event) for score in minimums)


def find_lead(state: GameState, event: Event) -> Lead | None:
    """Where an event that may come leads from a state without scores; None where nobody knows."""
    high = apply_unchecked(with_scores(state, HIGH, HIGH, chicagos=1), event)
    after = apply_unchecked(state, event)
    reached = any(effect.reached is not None for effect in after.effects)
    if state.tie_break or reached:
        return None
    found, ends_deal = without_scores(after), after.deal.number != state.deal.number
    return Lead(
        found,
        ends_deal,
        _most(state, event, after),
        high.over or (high.deal.number != 1) != ends_deal or without_scores(high) != found,
    )


def _most(state: GameState, event: Event, after: GameState) -> tuple[int, ...]:
    """The most points that each has got by an event."""
    states = [after]
    if isinstance(event, Chicago):
        # It may set scores back to those before the deal, which may be higher.
        states.append(apply_unchecked(with_scores(state, 0, HIGH), event))
    return tuple(
        max(0, *scores) for scores in zip(*(each.scores.values() for each in states), strict=True)
    )


def look_ahead(state: GameState, events: Callable[[GameState], Iterable[Event]]) -> list[Ahead]:
    """The states that `events` lead to from the next deal on and from here, nearest first."""
    found: dict[str, Ahead] = {}
    deal = Deal(1, state.deal.dealer, first_step(state.setup))
    waiting = [without_scores(replace(state, deal=deal)), without_scores(state)]
    for at in waiting:
        if (name := name_of(at)) in found:
            continue
        if len(found) >= MOST_STATES:
            found[name] = Ahead(at, {}, known=False)
            continue
        leads = {event: find_lead(at, event) for event in events(at) if may_come(at, event)}
        found[name] = Ahead(at, leads)
        waiting += [lead.state for lead in leads.values() if lead]
    return [*found.values()]


def name_of(state: GameState) -> str:
    """Tell a state without scores from others of the same game."""
    return f"{state.deal} {state.playing}"


def board_key(state: GameState) -> str:
    """A short key of a game's state without scores: alike wherever the same board is due."""
    return f"{crc32(f'{without_scores(state)}'.encode('utf-8', 'surrogatepass')):x}"


# The player's course of the play. Another's Chicago is broken by a third, unless the player
# `breaks` it (and takes the last trick) or `spares` it.
Play = Literal[
    "nothing", "trick", "trick_with_two", "chicago", "blind", "blind_with_two", "breaks", "spares"
]
_MADE = ("chicago", "blind", "blind_with_two")
_TAKES_TRICK = ("trick", "trick_with_two", "breaks")


def play_out(
    state: GameState, name: str, play: Play, hands: Mapping[Step, Hand]
) -> Iterator[GameState]:
    """Every state from this one to the end of the deal, `name` having these best hands.

    Raises NotAllowed where the house rules forbid such a course.
    """
    deal = state.deal.number
    yield state
    while not state.over and state.deal.number == deal:
        state = apply(state, _next(state, name, play, hands.get(state.deal.step)))
        yield state


# Wins the game, is zeroed for want of a Chicago, or is passed over for want of one.
Fate = Literal["wins", "zeroed", "lacks"]


def fate(result: Outcome, name: str) -> Fate | None:
    """The end of an event for a player, were nothing more taken in its deal; mostly nothing."""
    after = result.after
    if after.over or after.deal.number != result.before.deal.number:
        return _fate([after], name)
    here = _fate([after], name)
    return here or fate_as_it_stands(after, name)


def fate_as_it_stands(state: GameState, name: str, play: Play = "nothing") -> Fate | None:
    """The end of the deal for a player, were nothing but that taken in it any more."""
    # Who is not there gets there no more; this is asked for every cell.
    if state.over or (state.score(name) < state.rules.target and name not in state.tie_break):
        return None
    return _fate([*play_out(state, name, play, {})][1:], name)


def _fate(course: Sequence[GameState], name: str) -> Fate | None:
    if name in course[-1].winners:
        return "wins"
    codes = {e.code for state in course for e in state.effects if e.player == name}
    if "requirement_unmet" in codes:
        return "zeroed"
    return "lacks" if "passed_over" in codes else None


def _next(state: GameState, name: str, play: Play, hand: Hand | None) -> Event:
    """The next fact of the deal when nobody else scores."""
    step, bid, blind = state.deal.step, Chicago(player=name), Chicago(player=name, blind=True)
    if play.startswith("blind") and can(state, blind):
        return blind
    if step is Step.CHICAGO_PLAY:
        return _result(state, name, play)
    if play == "chicago" and (step is Step.PLAY or (step in BEFORE_PLAY and can(state, bid))):
        return bid
    if step in HAND_DUE:
        if hand is None or name in state.deal.told:
            return NoBestHand()
        return hand_events(state, name, hand)[0]
    taker = name if play in _TAKES_TRICK else _other(state, name)
    return LastTrick(player=taker, with_two=play == "trick_with_two")


def _result(state: GameState, name: str, play: Play) -> Event:
    """The result of a Chicago, the player's own or another's, as `play` says."""
    declarer = state.deal.declarer
    if play == "spares" or (declarer == name and play in _MADE):
        return ChicagoResult(won=True, with_two=play == "blind_with_two" and state.deal.blind)
    others = [other for other in state.playing if other not in (name, declarer)]
    breaker = name if play == "breaks" else (others or [_other(state, declarer or name)])[0]
    return ChicagoResult(
        won=False, broken_by=breaker if state.rules.chicago_breaker_bonus else None
    )


def _other(state: GameState, name: str) -> str:
    """The player furthest behind among the others: there a trick changes least."""
    return min((other for other in state.playing if other != name), key=state.score)


RISING = list(Hand)
# Easiest first. One play includes these: a way that needs no more than one of them is enough. To
# take the last trick is not to be playing a Chicago, so that covers none.
INCLUDED: Mapping[Play, tuple[Play, ...]] = {
    "nothing": ("nothing",),
    "trick": ("nothing", "trick"),
    "trick_with_two": ("nothing", "trick", "trick_with_two"),
    "chicago": ("nothing", "chicago"),
    "blind": ("nothing", "chicago", "blind"),
    "blind_with_two": ("nothing", "chicago", "blind", "blind_with_two"),
}


class Way(msgspec.Struct, frozen=True):
    """One way of winning in this deal: `play` and a best hand of at least `hand` at any of `steps`.

    Without a hand needed, `hand` is None and `steps` are empty.
    """

    play: Play
    hand: Hand | None = None
    steps: tuple[Step, ...] = ()


class Needs(msgspec.Struct, frozen=True):
    """A player's needs: points to the target, and the ways to win in this deal, if any."""

    missing: int
    ways: tuple[Way, ...]


def needs(state: GameState, name: str) -> Needs:
    """The ways for `name` to win in this deal if the others take nothing more."""
    found: list[Way] = []
    # The least hand for every play, easiest play first; nothing that an easier way covers.
    for play in INCLUDED if name in state.playing and not state.over else ():
        if _open(state, name, play):
            ways = _by_play(state, name, play)
            found += [left for way in ways if (left := _uncovered(way, found)) is not None]
    return Needs(max(0, state.rules.target - state.score(name)), tuple(found))


def _open(state: GameState, name: str, play: Play) -> bool:
    """Whether a Chicago of this kind is possible; any other impossible play changes nothing."""
    is_own_blind = state.deal.blind and state.deal.declarer == name
    if play.startswith("blind"):
        verdict = may_bid_blind(state, name)
        return is_own_blind or verdict.ok or verdict.code == "blind_too_early"
    return play != "chicago" or not is_own_blind


def _by_play(state: GameState, name: str, play: Play) -> list[Way]:
    """The least hand at each step of this deal at which one may still score."""
    if _wins(state, name, play, None, None):
        return [Way(play)]
    least: dict[Hand, list[Step]] = {}
    steps, due = [*scored_hands(state.setup)], state.deal.step
    for step in steps[steps.index(due) :] if due in steps else steps[-1:]:
        for hand in listed_hands(state.rules):
            if _wins(state, name, play, step, hand):
                least.setdefault(hand, []).append(step)
                break
    return [Way(play, hand, tuple(steps)) for hand, steps in least.items()]


def _uncovered(way: Way, easier: list[Way]) -> Way | None:
    """The rest of a way when easier ones say as much; None when nothing is left."""
    easier = [other for other in easier if other.play in INCLUDED[way.play]]
    if any(other.hand is None for other in easier):
        return None
    if way.hand is None:
        return way
    no_better = RISING[: RISING.index(way.hand) + 1]
    covered = {step for other in easier if other.hand in no_better for step in other.steps}
    steps = tuple(step for step in way.steps if step not in covered)
    return replace(way, steps=steps) if steps else None


def _wins(state: GameState, name: str, play: Play, step: Step | None, hand: Hand | None) -> bool:
    """Play the deal out, the player doing `play` and holding `hand` at `step`: who has won?"""
    held = {step: hand} if step is not None and hand is not None else {}
    try:
        *met, end = play_out(state, name, play, held)
    except NotAllowed:
        return False
    return name in end.winners and (step is None or step in {state.deal.step for state in met})
