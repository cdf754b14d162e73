"""What would let a player win in this deal, found by playing the rest of it out on the state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from app.rules.checks import can
from app.rules.errors import NotAllowed
from app.rules.events import Chicago
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.playing_on import Play, hands_to_come, play_out
from app.rules.state import GameState, Step

# Easiest first.
PLAYS: tuple[Play, ...] = (
    "nothing",
    "trick",
    "trick_with_two",
    "chicago",
    "blind",
    "blind_with_two",
)
RISING = list(Hand)
# Whoever does one play has done these too: a way that needs no more than one of them is enough.
# To take the last trick is not to be playing a Chicago, so that covers none.
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
    """What a player lacks: points to the target, and the ways to win in this deal, if any."""

    missing: int
    ways: tuple[Way, ...]


def needs(state: GameState, name: str) -> Needs:
    """What would let `name` win in this deal if the others take nothing more."""
    missing = max(0, state.rules.target - state.score(name))
    if state.over or name not in state.playing:
        return Needs(missing, ())
    return Needs(missing, tuple(_ways(state, name)))


def _ways(state: GameState, name: str) -> Iterator[Way]:
    """The least hand for every play, easiest play first; nothing that an easier way covers."""
    found: list[Way] = []
    for play in PLAYS:
        if _open(state, name, play):
            ways = _by_play(state, name, play)
            found += [left for way in ways if (left := _uncovered(way, found)) is not None]
    yield from found


def _open(state: GameState, name: str, play: Play) -> bool:
    """Whether the rest of the deal leaves room for a play."""
    rules, deal = state.rules, state.deal
    if play.startswith("trick") and deal.step in (Step.FINAL_HAND, Step.CHICAGO_PLAY):
        return False
    if play == "trick_with_two":
        return rules.last_trick_with_two is not None
    if play == "chicago" and deal.declarer is not None:
        return deal.declarer == name and not deal.blind and deal.taker is None
    if play.startswith("blind"):
        return can(state, Chicago(player=name, blind=True)) or (
            deal.blind and deal.declarer == name
        )
    return play != "chicago" or deal.step not in (Step.FINAL_HAND, Step.LAST_TRICK)


def _by_play(state: GameState, name: str, play: Play) -> list[Way]:
    if _wins(state, name, play, None, None):
        return [Way(play)]
    least: dict[Hand, list[Step]] = {}
    for step in hands_to_come(state):
        for hand in listed_hands(state.rules):
            if _wins(state, name, play, step, hand):
                least.setdefault(hand, []).append(step)
                break
    return [Way(play, hand, tuple(steps)) for hand, steps in least.items()]


def _uncovered(way: Way, easier: list[Way]) -> Way | None:
    """What is left of a way when easier ones say as much; None when nothing is."""
    easier = [other for other in easier if other.play in INCLUDED[way.play]]
    if any(other.hand is None for other in easier):
        return None
    if way.hand is None:
        return way
    covered = {step for other in easier if _no_better(other.hand, way.hand) for step in other.steps}
    steps = tuple(step for step in way.steps if step not in covered)
    return msgspec.structs.replace(way, steps=steps) if steps else None


def _no_better(hand: Hand | None, other: Hand) -> bool:
    return hand is None or RISING.index(hand) <= RISING.index(other)


def _wins(state: GameState, name: str, play: Play, step: Step | None, hand: Hand | None) -> bool:
    """Play the deal out, the player doing `play` and holding `hand` at `step`: who has won?"""
    held = {step: hand} if step is not None and hand is not None else {}
    try:
        *met, end = play_out(state, name, play, held)
    except NotAllowed:
        return False
    return name in end.winners and (step is None or step in {state.deal.step for state in met})
