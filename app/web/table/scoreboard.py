"""The players as the scoreboard shows them: score, exchange, and what matters now."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.rules.notices import Notice, exchange_notice, notices
from app.rules.state import GameState, Seat


class Head(msgspec.Struct, frozen=True):
    """A player's head.

    `bid`: a Chicago of theirs counts as said in this game. `exchange`: the word on the exchange
    that comes next, `chips` all other words, the most urgent first.
    """

    number: int
    name: str
    short: str
    score: int
    dealer: bool
    playing: bool
    winner: bool
    bid: bool
    exchange: Notice | None
    chips: tuple[Notice, ...]


def scoreboard(state: GameState) -> list[Head]:
    """One head for every player, in seat order."""
    shorts = short_names(state.players)
    return [
        _head(state, seat, number, shorts[seat.name])
        for number, seat in enumerate(state.seats, start=1)
    ]


def _head(state: GameState, seat: Seat, number: int, short: str) -> Head:
    return Head(
        number=number,
        name=seat.name,
        short=short,
        score=seat.score,
        dealer=state.deal.dealer == seat.name and not state.over,
        playing=seat.name in state.playing,
        winner=seat.name in state.winners,
        bid=seat.declared > 0,
        exchange=exchange_notice(state, seat.name),
        chips=notices(state, seat.name),
    )


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
