"""Settling up: payments ticked by hand, undone, and where they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from app import store
from app.rules.balances import Payment, make_payment, make_rounded_payment
from app.rules.currency import Amount, Currency
from app.rules.errors import BadFile, NotAllowed
from app.rules.settlement import Transfer
from app.services import quotas, swish
from app.services.ledger import Ledger, load_ledger
from app.services.people import find_people
from app.services.tables import Write, begin_change, find_table, require_pen
from app.store.database import Database

# How money goes from one to another; and how a debt is paid: so, or in cash rounded to the coins
# there are, or let go.
MoneyWay = Literal["swish", "cash", "other"]
Method = Literal[MoneyWay, "written_off", "rounded"]
# What anybody may pay in advance at once: a million kronor, or euros.
MOST_IN_ADVANCE = 100_000_000


def pay(
    db: Database, write: Write, between: tuple[str, str], method: Method, ore: int | None = None
) -> None:
    """Tick a suggested payment, from payer to payee, as paid: whole, or `ore` öre of it.

    Raises NotAllowed when that much is not owed, and for Swish where no kronor are, and otherwise
    as every change.
    """

    def part(now: Ledger) -> list[Payment]:
        debt = next((t for t in now.transfers if (t.payer, t.payee) == between), None)
        if debt is None:
            raise NotAllowed("nothing_owed", player=between[0], by=between[1])
        if ore is not None and ore > debt.ore:
            most = Amount(debt.ore, now.currency)
            raise NotAllowed("pays_too_much", player=between[0], by=between[1], ore=most)
        return _payments(debt, method, ore, now.currency)

    _record(db, write, part)


def pay_all(db: Database, write: Write, method: Method) -> None:
    """Tick every suggested payment as paid, as one settlement.

    Raises NotAllowed when nobody owes anything, and as `pay` for Swish.
    """

    def everything(now: Ledger) -> list[Payment]:
        return [
            payment
            for debt in now.transfers
            for payment in _payments(debt, method, None, now.currency)
        ]

    _record(db, write, everything)


def pay_in_advance(
    db: Database, write: Write, between: tuple[str, str], way: MoneyWay, ore: int
) -> None:
    """Record that one person gave another `ore` öre, whatever either of them owes.

    What is more than was owed is owed back, until games have used it up. Raises NotAllowed for one
    person alone, for more than MOST_IN_ADVANCE, and for Swish where no kronor are; BadFile for
    nothing at all, or somebody who never played here; and otherwise as every change.
    """

    def advance(now: Ledger) -> list[Payment]:
        payer, payee = (_find_person(now, name) for name in between)
        if payer == payee:
            raise NotAllowed("pays_oneself", player=payer)
        if ore <= 0:
            raise BadFile("wrong_value", key="ore", value=ore)
        if ore > MOST_IN_ADVANCE:
            raise NotAllowed("advance_too_large", ore=Amount(MOST_IN_ADVANCE, now.currency))
        return _payments(Transfer(payer, payee, ore), way, None, now.currency)

    _record(db, write, advance)


def _find_person(now: Ledger, name: str) -> str:
    if name not in now.people.canonical:
        raise BadFile("unknown_player", player=name)
    return now.people.canonical[name]


def _payments(debt: Transfer, method: Method, ore: int | None, currency: Currency) -> list[Payment]:
    if method == "swish" and currency != swish.CURRENCY:
        raise NotAllowed("swish_in_kronor")
    if method == "rounded":
        part = debt if ore is None else Transfer(debt.payer, debt.payee, ore)
        return make_rounded_payment(part, currency)
    return make_payment(debt, method, ore)


def _record(db: Database, write: Write, make: Callable[[Ledger], Iterable[Payment]]) -> None:
    with db.transaction() as connection:
        table = begin_change(connection, write)
        payments = list(make(load_ledger(connection, table)))
        if not payments:
            raise NotAllowed("all_settled")
        quotas.check_payments(connection, table.id, len(payments))
        for payment in payments:
            payer = store.people.find_or_add(connection, table.id, payment.payer)
            payee = store.people.find_or_add(connection, table.id, payment.payee)
            between = (payer, payee)
            store.payments.add(connection, table, between, payment.ore, payment.way)


def undo(db: Database, write: Write, settlement: int) -> None:
    """Undo a settlement: what it paid is owed again, and it stays in the ledger, marked.

    Raises NotAllowed when it has been undone already, or never was.
    """
    with db.transaction() as connection:
        table = begin_change(connection, write)
        if not store.payments.undo(connection, table, settlement):
            raise NotAllowed("no_such_payment")


def find_swish_number(db: Database, link: str, name: str) -> str | None:
    """The Swish number of somebody who is to be paid, None while it is not known.

    Raises NotFound.
    """
    with db.snapshot() as connection:
        rows = store.people.find_all(connection, find_table(connection, link).id)
    return next((row.swish for row in rows if row.name == name), None)


def save_swish_number(db: Database, write: Write, name: str, text: str) -> None:
    """Save somebody's Swish number for payments at this table; no text deletes it.

    Raises BadFile when Swish would not take it, NoPen, NotFound.
    """
    number = swish.read_number(text) if text.strip() else None
    with db.transaction() as connection:
        table = require_pen(connection, write)
        if name not in find_people(connection, table.id).canonical.values():
            raise BadFile("unknown_player", player=name)
        person = store.people.find_or_add(connection, table.id, name)
        store.people.save_swish(connection, person, number)
