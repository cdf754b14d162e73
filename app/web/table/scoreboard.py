"""The players as the scoreboard shows them: score, how far to go, and what each may do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from app.rules.hands import Hand
from app.rules.rights import chicago_required, may_exchange, meets_requirement, must_show
from app.rules.state import BEFORE_PLAY, GameState, Seat, Step

EXCHANGING = (*BEFORE_PLAY, Step.PLAY)

ChipKind = Literal["out", "sits_out", "may", "stop", "plays", "done", "needs", "show"]


class Chip(msgspec.Struct, frozen=True):
    """Something to know of a player at a glance; `hand` is the one to be shown."""

    kind: ChipKind
    hand: Hand | None = None


class Head(msgspec.Struct, frozen=True):
    """A column's head. `done`, `minimum` and `stop` are per cent of the way to the target."""

    number: int
    name: str
    short: str
    score: int
    dealer: bool
    playing: bool
    winner: bool
    done: int
    minimum: int | None
    stop: int | None
    chips: tuple[Chip, ...]


def scoreboard(state: GameState) -> list[Head]:
    """One head for every player, in seat order."""
    shorts = short_names(state.setup.players)
    return [
        _head(state, seat, number, short)
        for number, (seat, short) in enumerate(zip(state.seats, shorts, strict=True), start=1)
    ]


def _head(state: GameState, seat: Seat, number: int, short: str) -> Head:
    rules = state.rules
    return Head(
        number=number,
        name=seat.name,
        short=short,
        score=seat.score,
        dealer=state.deal.dealer == seat.name and not state.over,
        playing=seat.name in state.playing,
        winner=seat.name in state.winners,
        done=_share(seat.score, rules.target),
        minimum=_mark(rules.chicago_minimum, rules.target),
        stop=_mark(rules.exchange_stop, rules.target),
        chips=tuple(chips(state, seat.name)),
    )


def _share(points: int, target: int) -> int:
    return max(0, min(100, 100 * points // target))


def _mark(points: int | None, target: int) -> int | None:
    return _share(points, target) if points is not None and 0 < points < target else None


def chips(state: GameState, name: str) -> Iterator[Chip]:
    """May this player still exchange, has Chicago been said, what must be shown."""
    if state.over:
        return
    if name not in state.playing:
        yield Chip("out" if name in state.out else "sits_out")
        return
    yield Chip("may" if may_exchange(state, name).ok else "stop")
    if state.deal.declarer == name:
        yield Chip("plays")
    elif chicago_required(state):
        yield Chip("done" if meets_requirement(state, name) else "needs")
    if state.deal.step in EXCHANGING:
        yield from (Chip("show", hand) for hand in must_show(state, name))


def short_names(names: tuple[str, ...]) -> list[str]:
    """First names where they tell the players apart, else shortened with the last name."""
    firsts = [name.split()[0] for name in names]
    shorts = [
        first if firsts.count(first) == 1 else _first_and_last(name)
        for first, name in zip(firsts, names, strict=True)
    ]
    return shorts if len(set(shorts)) == len(names) else list(names)


def _first_and_last(name: str) -> str:
    words = name.split()
    return name if len(words) == 1 else f"{words[0][:4]}. {words[-1]}"
