"""The tables this phone has opened: the last dozen in its cookie, all others in the database.

So looking at a table writes nothing but a cookie, except once in a while, when the cookie is full.
"""

from __future__ import annotations

from app.http import context, phone_cookie
from app.services import phone_tables
from app.services.phone_tables import PhoneTable
from app.store.availability import DatabaseUnavailable


def remember_table(link: str) -> None:
    """Put a table first among those this phone has opened.

    What the cookie has no room for goes into the database. While that cannot be written to, the
    cookie holds some more, for reading a page must not fail for that.
    """
    surplus = phone_cookie.remember_table(link)
    if not surplus:
        return
    try:
        phone_tables.keep(context.pool(), phone_cookie.take_pen(), reversed(surplus))
    except DatabaseUnavailable:
        return
    phone_cookie.forget_tables(surplus)


def list_tables(most: int | None = None) -> list[PhoneTable]:
    """The tables this phone has opened and that still are there, the last one opened first.

    Those put away come after all others; `most` is how many are wanted, None for all.
    """
    recent = phone_cookie.recent_tables()
    return phone_tables.list_tables(context.pool(), phone_cookie.pen(), recent, most)
