"""Highlights of a game or an evening: its figures, and its records in the light of the years.

All of it is of the same rows as the page of the years.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby

import msgspec

from app.rules.records import PlayedGame, Record, find_records
from app.rules.statistics import SeatStatistics
from app.services.evening import evening_of
from app.services.sheets import find_game
from app.services.statistics import read_games
from app.services.tables import find_table
from app.store.database import Database


class Swing(msgspec.Struct, frozen=True):
    """The most points that a score rose or fell by in one deal, and whose score that was."""

    player: str
    points: int


class Highlights(msgspec.Struct, frozen=True):
    """Figures and records of games that were played together, by person; nothing of void ones.

    `evening` is when. `wins`, `zeroings` (each once however many it struck) and `falls` (at the
    target for want of a Chicago) name only those who have any.
    """

    evening: date
    games: int
    wins: Mapping[str, int]
    swing: Swing | None
    zeroings: Mapping[str, int]
    falls: Mapping[str, int]
    chicagos_said: int
    chicagos_made: int
    records: Sequence[Record]


def read_game_highlights(db: Database, link: str, number: int) -> Highlights:
    """The highlights of one game. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_table(connection, link)
        evening = evening_of(find_game(connection, table.id, number).begun_at)
        games = read_games(connection, table.id)
    place = next((n for n, game in enumerate(games) if game.number == number), len(games))
    now = [game.seats for game in games[place : place + 1]]
    before = [[game.seats] for game in games[:place]]
    return _tell(evening, now, find_records(now, before))


def read_evening_highlights(db: Database, link: str, evening: date) -> Highlights:
    """The highlights of the games of one evening together. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_table(connection, link)
        games = read_games(connection, table.id)
    day = evening.isoformat()
    now = [game.seats for game in games if game.evening == day]
    earlier = groupby((game for game in games if game.evening < day), lambda game: game.evening)
    before = [[game.seats for game in group] for _, group in earlier]
    return _tell(evening, now, find_records(now, before, evening=True))


def _tell(evening: date, now: Sequence[PlayedGame], records: Sequence[Record]) -> Highlights:
    seats = [seat for game in now for seat in game]
    return Highlights(
        evening=evening,
        games=len(now),
        wins=_add_up((seat.name, int(seat.won)) for seat in seats),
        swing=_find_swing(seats),
        zeroings=_add_up((seat.name, seat.zeroings_given) for seat in seats),
        falls=_add_up((seat.name, seat.falls) for seat in seats),
        chicagos_said=sum(seat.chicagos_said for seat in seats),
        chicagos_made=sum(seat.chicagos_made for seat in seats),
        records=records,
    )


def _add_up(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Counts by person, the most first; who has none is left out."""
    sums: Counter[str] = Counter()
    for name, count in counts:
        sums[name] += count
    return {name: count for name, count in sums.most_common() if count}


def _find_swing(seats: Sequence[SeatStatistics]) -> Swing | None:
    """The biggest swing; of equal ones the first, None where no score moved."""
    most = max(seats, key=lambda seat: seat.biggest_swing, default=None)
    return Swing(most.name, most.biggest_swing) if most and most.biggest_swing else None
