"""A table's rows as another database has them too: all that belongs to it, under new keys.

Keys of rows are those of one database, so in a copy an event, an amendment and a person are known
by their place, from 1. Left out is what is of one phone or one server alone: links, pens, requests,
receipts, what phones keep in their lists, and what is being erased.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from app.rules.balances import PaymentWay
from app.rules.currency import USUAL, Currency
from app.store.games import EventStatus
from app.store.migrations.m001_schema import MAXIMA, SUMS

AmendmentStatus = Literal["effective", "undone", "dropped", "final"]
Cells = list[str | int]

SEAT_COLUMNS = (
    *("seat", "name", "evening", "stake_ore", "score", "deals", "falls"),
    *SUMS,
    *MAXIMA,
)


class EventCopy(msgspec.Struct, frozen=True, array_like=True):
    """A row of a game's log; `after` is the place of the event it was put in behind."""

    seq: int
    body: str
    recorded_at: str
    status: EventStatus
    until_seq: int | None
    after: int | None


class AmendmentCopy(msgspec.Struct, frozen=True, array_like=True):
    """An amendment of a game; `replaced` are the places of the events that it took away."""

    seq: int
    deal: int
    recorded_at: str | None
    status: AmendmentStatus
    until_seq: int | None
    replaced: tuple[int, ...]


class SpanCopy(msgspec.Struct, frozen=True, array_like=True):
    """Between which versions an event or an amendment, by its place, did not count."""

    event: int | None
    amendment: int | None
    seq: int
    until_seq: int


class GameCopy(msgspec.Struct, frozen=True):
    """A game with its log; `seats` are its statistics.

    A game that the receiver has already has no log here.
    """

    number: int
    uid: str
    setup: str
    begun_at: str
    started_seq: int | None
    undone_seq: int | None
    events: tuple[EventCopy, ...] | UnsetType = UNSET
    amendments: tuple[AmendmentCopy, ...] = ()
    spans: tuple[SpanCopy, ...] = ()
    seats: tuple[Cells, ...] = ()


class PersonCopy(msgspec.Struct, frozen=True, array_like=True):
    """A person of a table; `same_as` is the place of the one they are merged into."""

    name: str
    same_as: int | None
    swish: str | None


class PaymentCopy(msgspec.Struct, frozen=True, array_like=True):
    """A payment between two people, by their places."""

    seq: int
    payer: int
    payee: int
    ore: int
    way: PaymentWay
    paid_at: str
    undone_seq: int | None


class TableCopy(msgspec.Struct, frozen=True):
    """A table with all that was ever recorded at it."""

    name: str
    seq: int
    created_at: str
    entries: int
    erased_seq: int
    people: tuple[PersonCopy, ...]
    payments: tuple[PaymentCopy, ...]
    games: tuple[GameCopy, ...]
    currency: Currency = USUAL


def without_statistics(copy: TableCopy) -> TableCopy:
    """A copy for somebody who works the statistics out anew."""
    games = tuple(msgspec.structs.replace(game, seats=()) for game in copy.games)
    return msgspec.structs.replace(copy, games=games)
