"""One person's figures over all tables that a phone has opened, where that person says who it is.

Who somebody is at a table is known by a code (`code_of`). Only the phone keeps those codes: here
nothing ties a phone to a name.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress

import msgspec

from app.rules.currency import Currency
from app.rules.hands import Hand
from app.rules.totals import PersonStatistics, add_up, group_by_person
from app.services.import_export import YIELD_SECONDS
from app.services.people import code_of, resolve
from app.services.phone_tables import PhoneTable
from app.services.statistics import read_games
from app.services.tables import NotFound, find_access
from app.store.connection import Connection
from app.store.database import Database

_MOST = ("biggest_swing", "longest_stop", "streak")


class OwnTable(msgspec.Struct, frozen=True):
    """A table with its people by their codes; `me` are the figures of who this phone is there."""

    title: str
    currency: Currency
    people: dict[str, str]
    me: PersonStatistics | None


def read_own_tables(
    db: Database, tables: Sequence[PhoneTable], chosen: Collection[str]
) -> list[OwnTable]:
    """The tables where games have ended, and who a phone that has chosen these codes is there."""
    found = []
    for table in tables:
        # It may have been deleted since the phone's tables were listed.
        with suppress(NotFound), db.snapshot() as connection:
            found.append(_read_table(connection, table, chosen))
        # A table may have thousands of games: others are served in between.
        time.sleep(YIELD_SECONDS)
    return [table for table in found if table.people]


def _read_table(connection: Connection, table: PhoneTable, chosen: Collection[str]) -> OwnTable:
    access = find_access(connection, table.link, None)
    played = group_by_person(read_games(connection, access.id))
    names, persons = resolve(connection, access.id)
    mine = {persons[number] for number in names if code_of(table.link, names[number]) in chosen}
    me = next((add_up(name, played[name]) for name in played if name in mine), None)
    people = {code_of(table.link, name): name for name in sorted(played)}
    title = table.name or ", ".join(table.state.players)
    return OwnTable(title, access.currency, people, me)


def add_up_figures(people: Sequence[PersonStatistics]) -> PersonStatistics:
    """One person's figures at one or more tables as one: sums, and of each maximum the largest.

    The sum of öre means something only where the tables have one currency.
    """
    hands: Counter[Hand] = Counter()
    for each in people:
        hands.update(each.hands)
    columns = {
        field: (max if field in _MOST else sum)(getattr(each, field) for each in people)
        for field in PersonStatistics.__struct_fields__
        if field not in ("name", "hands", "wins_now")
    }
    return PersonStatistics(name="", hands=hands, wins_now=0, **columns)
