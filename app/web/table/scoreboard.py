"""The players as the scoreboard shows them: score, how far to go, and what matters now."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.rules.notices import Notice, notices
from app.rules.state import GameState, Seat

# More than two would not be seen at a glance: the player's sheet tells the rest.
AT_A_GLANCE = 2


class Head(msgspec.Struct, frozen=True):
    """A player's head. `done`, `minimum` and `stop` are per cent of the way to the target.

    `chips` are what matters most of the player now.
    """

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
    chips: tuple[Notice, ...]


def scoreboard(state: GameState) -> list[Head]:
    """One head for every player, in seat order."""
    shorts = short_names(state.players)
    return [
        _head(state, seat, number, shorts[seat.name])
        for number, seat in enumerate(state.seats, start=1)
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
        chips=notices(state, seat.name)[:AT_A_GLANCE],
    )


def _share(points: int, target: int) -> int:
    return max(0, min(100, 100 * points // target))


def _mark(points: int | None, target: int) -> int | None:
    return _share(points, target) if points is not None and 0 < points < target else None


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name's short one, in the same order.

    That is the first name where it tells the players apart, else shortened with the last name.
    """
    firsts = [name.split()[0] for name in names]
    shorts = {
        name: first if firsts.count(first) == 1 else _first_and_last(name)
        for first, name in zip(firsts, names, strict=True)
    }
    return shorts if len({*shorts.values()}) == len(names) else {name: name for name in names}


def _first_and_last(name: str) -> str:
    words = name.split()
    return name if len(words) == 1 else f"{words[0][:4]}. {words[-1]}"
