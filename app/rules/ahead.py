"""What comes after events whose scores nobody knows: the step that each leads to.

Scores decide how a game goes on by the target alone, and in a tie-break. So a step is known
whatever the scores are, or as long as nobody can have reached the target, or it is not known.
"""

from collections.abc import Callable, Iterable, Mapping
from zlib import crc32

import msgspec
from msgspec.structs import replace

from app.rules.checks import can
from app.rules.events import Chicago, Event
from app.rules.game import apply_unchecked
from app.rules.hands import Hand
from app.rules.state import Deal, GameState, Seat, first_step

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
