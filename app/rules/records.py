"""Totals and records: a person's figures over a time, and the best among games at a table.

Void games, and one that is still played, are not among them.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from app.rules.codes import BestCode
from app.rules.hands import Hand


class PersonStatistics(msgspec.Struct, frozen=True):
    """One person's figures over a time; `staked` of the `games` were for money, `ore` won or lost.

    Those were on so many `evenings`. `score` in points over all games, `biggest_swing` in points,
    `longest_stop` in deals; `streak` is the most games won in a row, `wins_now` those at the end.
    `hands` holds only those that came up.
    """

    name: str
    games: int
    staked: int
    evenings: int
    won: int
    ore: int
    score: int
    hands: Mapping[Hand, int]
    chicagos_said: int
    chicagos_made: int
    zeroings_given: int
    zeroings_suffered: int
    last_tricks: int
    biggest_swing: int
    longest_stop: int
    streak: int
    wins_now: int


class Best(msgspec.Struct, frozen=True):
    """The most of something, and when it was first reached: in a `game`, or 0 for all evening.

    The value counts öre, points, deals, wins or times; of `finest_hand` it is the hand's rank from
    1, of `quickest_win` the deals, negative, as fewer are better.
    """

    value: int
    evening: str = ""
    game: int = 0


class TableRecord(msgspec.Struct, frozen=True):
    """The best at a table, and who did it: the first, then those who did as well later."""

    code: BestCode
    best: Best
    holders: tuple[str, ...]
