"""Swish: whose number it is, and what its app takes: amounts, messages, addresses."""

from __future__ import annotations

import re
from urllib.parse import quote

from app.rules.codes import BadFile, Stale
from app.rules.settlement import Currency
from app.services import people
from app.services.tables import Access, Write, find_access, require_pen
from app.store.connection import Connection
from app.store.database import Database

CURRENCY: Currency = "SEK"
LEAST_ORE, MOST_ORE = 100, 99_999_999
LONGEST_MESSAGE = 50


def find_number(db: Database, table_id: int, name: str) -> str | None:
    """The Swish number of somebody who is to be paid, None while it is not known."""
    sql = """SELECT own.swish FROM people AS own JOIN people AS named
            ON named.table_id = own.table_id AND named.number = COALESCE(own.called, own.number)
        WHERE own.table_id = ? AND named.name = ? ORDER BY own.number LIMIT 1"""
    row = db.connection.execute(sql, [table_id, name]).fetchone()
    return row[0] if row else None


def save_number(db: Database, write: Write, name: str, text: str) -> None:
    """Save somebody's Swish number for payments at this table; no text deletes it.

    It is in no log, so that it can be deleted. Raises BadFile when Swish would not take it, NoPen,
    NotFound.
    """
    number = read_number(text) if text.strip() else None
    with db.transaction() as connection:
        _save(connection, require_pen(connection, write), name, number)


def save_own_number(db: Database, link: str, name: str, text: str) -> None:
    """Save the Swish number of somebody who reads along, where none is known yet.

    Raises BadFile as `save_number`, Stale where there is one, which only a pen changes, NotFound.
    """
    number = read_number(text)
    with db.transaction() as connection:
        table = find_access(connection, link, None)
        if find_number(db, table.id, name):
            raise Stale("stale")
        _save(connection, table, name, number)


def _save(connection: Connection, table: Access, name: str, number: str | None) -> None:
    names, persons = people.resolve(connection, table.id)
    if name not in persons.values():
        raise BadFile("unknown_player", player=name)
    whose = people.numbers_of(names)[name]
    connection.table("people").update((table.id, whose), {"swish": number})


def read_number(text: str) -> str:
    """A number as Swish takes it, however it was typed: `0701234567`. Raises BadFile."""
    plain = re.sub(r"[\s()/.–-]", "", text)
    plain = re.sub(r"^(\+|00)460?", "0", plain)
    # A mobile number, or one of the numbers that Swish gives companies and clubs.
    if not re.fullmatch(r"07[0-9]{8}|123[0-9]{7}", plain):
        raise BadFile("swish_number_unreadable")
    return plain


def format_number(number: str) -> str:
    """A number as people read it: `070-123 45 67`."""
    return f"{number[:3]}-{number[3:6]} {number[6:8]} {number[8:]}"


def accepts(ore: int, currency: Currency) -> bool:
    """Whether Swish takes an amount: 1 krona to 999 999,99."""
    return currency == CURRENCY and LEAST_ORE <= ore <= MOST_ORE


def message(text: str) -> str:
    """A text as Swish takes it: letters, digits and a few marks, 50 characters at most."""
    return re.sub(r"[^\w!?(),.:; -]|_", "", text)[:LONGEST_MESSAGE].strip()


def amount(ore: int) -> str:
    """An amount as Swish takes it: `49.5`."""
    kronor, rest = divmod(ore, 100)
    return f"{kronor}.{rest:02}".rstrip("0").rstrip(".")


def payment_url(number: str, ore: int, text: str) -> str:
    """The content of a QR code that opens Swish with everything filled in.

    The amount and the message can be changed there.
    """
    return (
        f"https://app.swish.nu/1/p/sw/?sw={number}&amt={amount(ore)}&cur=SEK"
        f"&msg={quote(message(text), safe='')}&edit=amt,msg&src=qr"
    )
