"""The tables this phone has opened: the last dozen in its cookie, all others in the database.

So looking at a table writes nothing but a cookie, except once in a while, when the cookie is full.
Each is in the database of the instance that has the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from app.http import context, instances, phone_cookie
from app.services import phone_tables, sheets, standings
from app.services.phone_tables import PhoneTable
from app.services.sheets import Sheet
from app.store.availability import DatabaseUnavailable


def remember_table(link: str) -> None:
    """Put a table first among those this phone has opened.

    What the cookie has no room for goes into the database. While that cannot be written to, the
    cookie holds some more, for reading a page must not fail for that.
    """
    phone_cookie.remember_instance(instances.find_instance(link))
    surplus = phone_cookie.remember_table(link)
    for name, links in instances.divide(reversed(surplus)).items():
        with suppress(DatabaseUnavailable):
            instances.call(name, phone_tables.keep, phone_cookie.take_pen(), links)
            phone_cookie.forget_tables(links)


def list_tables(most: int | None = None) -> list[PhoneTable]:
    """The tables this phone has opened and that still are there, the last one opened first.

    Those put away come after all others; `most` is how many are wanted, None for all. Where an
    instance does not answer, its tables are missing.
    """
    pen, links = phone_cookie.pen(), phone_cookie.recent_tables()
    recent = instances.divide(links)

    def ask(name: str) -> list[PhoneTable]:
        return instances.call(name, phone_tables.list_tables, pen, recent.get(name, []), most)

    found = instances.gather(_find_instances(recent), ask)
    places = {link: place for place, link in enumerate(links)}
    return sorted(
        (table for known in found.values() for table in known),
        key=lambda table: (table.put_away, places.get(table.link, len(links))),
    )[:most]


def _find_instances(recent: Iterable[str]) -> list[str]:
    """The instances where this phone may have tables, this one first."""
    known, everyone = [*phone_cookie.instances(), *recent], instances.everyone()
    return list(dict.fromkeys([instances.own(), *(name for name in known if name in everyone)]))


def put_table_away(link: str, *, away: bool) -> None:
    """Put one of this phone's tables away, or bring it back. Raises NotFound."""
    instance, pen = instances.find_instance(link), phone_cookie.take_pen()
    instances.call(instance, phone_tables.put_away, pen, link, away=away)
    phone_cookie.remember_instance(instance)


def read_sheet(link: str) -> Sheet:
    """One of this phone's tables as it stands, wherever it is. Raises NotFound."""
    instance = instances.find_instance(link)
    if instance == instances.own():
        return sheets.read_sheet(context.pool(), link)
    return standings.to_sheet(instances.call(instance, standings.read_standing, link))
