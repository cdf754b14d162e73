"""What becomes of a player by the end of a deal in which nothing more is taken, played out."""

from app.rules.events import ChicagoResult, Event, LastTrick, NoBestHand
from app.rules.game import apply
from app.rules.state import HAND_DUE, GameState, Step


def play_on(before: GameState, event: Event | None, name: str) -> list[GameState]:
    """Return the states from an event to the end of its deal, in which nothing more is taken.

    Without an event, from now on. A Chicago that is played is broken.
    """
    states = [apply(before, event) if event else before]
    while not states[-1].over and states[-1].deal.number == before.deal.number:
        state = states[-1]
        others = [other for other in state.playing if other not in (name, state.deal.declarer)]
        furthest_behind = min((n for n in state.playing if n != name), key=state.score)
        # Of two, the one who does not play it.
        breaker = [*others, name][0] if state.rules.chicago_breaker_bonus else None
        if state.deal.step in HAND_DUE:
            then: Event = NoBestHand()
        elif state.deal.step is Step.CHICAGO_PLAY:
            then = ChicagoResult(won=False, broken_by=breaker)
        else:
            then = LastTrick(player=furthest_behind)
        states.append(apply(state, then))
    return states


def fate_of(states: list[GameState], name: str) -> str | None:
    """Tell whether a player wins on this course, or lacks a Chicago for that, and what it costs."""
    codes = [e.code for state in states for e in state.effects if e.player == name]
    if name in states[-1].winners:
        return "wins"
    if "requirement_unmet" in codes:
        return "zeroed"
    return "lacks" if "passed_over" in codes else None
