"""The figures of a table's people over months and years, read from sums by month alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from app import people, store_ledger, store_years
from app.rules.hands import Hand
from app.store import Store
from app.store_years import ALWAYS, HANDS, MOSTS, SUMS


class Person(msgspec.Struct, frozen=True):
    """One person's figures over a time; `staked` of the `games` were for money, `ore` won or lost.

    `biggest_swing` in points, `longest_stop` in deals; `hands` holds only those that came up.
    """

    name: str
    games: int
    staked: int
    won: int
    ore: int
    hands: Mapping[Hand, int]
    chicagos_said: int
    chicagos_made: int
    zeroings_given: int
    zeroings_suffered: int
    last_tricks: int
    biggest_swing: int
    longest_stop: int


class Meeting(msgspec.Struct, frozen=True):
    """What one person did against another: `ore` is what the other paid (− what was paid)."""

    other: str
    games: int
    ahead: int
    behind: int
    ore: int


class Years(msgspec.Struct, frozen=True):
    """A table's people over a time, most games first, and each one's meetings in that order."""

    people: tuple[Person, ...]
    meetings: Mapping[str, tuple[Meeting, ...]]

    @property
    def has_money(self) -> bool:
        """Whether any game of that time was for money."""
        return any(person.staked for person in self.people)


def years(store: Store, table_id: int, months: tuple[str, str] = ALWAYS) -> Years:
    """The figures of a table's people between two months, as `2026-10`, both included."""
    with store.reading():
        found = store_years.of_people(store, table_id, months)
        met = store_years.of_pairs(store, table_id, months)
        rows = store_ledger.people(store, table_id)
    canonical = people.of([[name for name, _ in found]], rows).canonical
    persons = _persons(found, canonical)
    order = [person.name for person in persons]
    return Years(tuple(persons), _meetings(met, canonical, order))


def span(store: Store, table_id: int) -> tuple[str, str] | None:
    """The first and the last month that have figures."""
    return store_years.first_and_last(store, table_id)


def _persons(found: Iterable[tuple[str, list[int]]], canonical: Mapping[str, str]) -> list[Person]:
    sums: dict[str, list[int]] = {}
    for name, values in found:
        person = canonical[name]
        sums[person] = _joined(sums[person], values) if person in sums else values
    persons = [_person(name, values) for name, values in sums.items()]
    return sorted(persons, key=lambda person: (-person.games, -person.won, person.name))


def _joined(one: list[int], other: list[int]) -> list[int]:
    """The figures of two names of one person."""
    added = [a + b for a, b in zip(one[: len(SUMS)], other, strict=False)]
    most = [max(a, b) for a, b in zip(one[len(SUMS) :], other[len(SUMS) :], strict=True)]
    return added + most


def _person(name: str, values: list[int]) -> Person:
    named = dict(zip((*SUMS, *MOSTS), values, strict=True))
    hands = {Hand(hand): times for hand in HANDS if (times := named.pop(hand))}
    return Person(name=name, hands=hands, **named)


def _meetings(
    met: Iterable[tuple[str, str, list[int]]], canonical: Mapping[str, str], order: list[str]
) -> dict[str, tuple[Meeting, ...]]:
    sums: dict[tuple[str, str], list[int]] = {}
    for a, b, (games, a_ahead, b_ahead, ore) in met:
        one, other = canonical[a], canonical[b]
        for key, values in (
            ((one, other), (games, a_ahead, b_ahead, ore)),
            ((other, one), (games, b_ahead, a_ahead, -ore)),
        ):
            before = sums.get(key, [0, 0, 0, 0])
            sums[key] = [x + y for x, y in zip(before, values, strict=True)]
    return {
        name: tuple(Meeting(b, *sums[name, b]) for b in order if (name, b) in sums)
        for name in order
    }
