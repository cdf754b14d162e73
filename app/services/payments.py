"""Settling up: payments ticked by hand, taken back, and where they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from app.rules.balances import Payment, make_payment, make_rounded_payment
from app.rules.errors import BadFile, NotAllowed
from app.rules.settlement import Transfer
from app.services import swish
from app.services.ledger import Ledger, load_ledger
from app.services.people import canonical_names
from app.services.tables import Write, begin_change, require_pen, table_id
from app.store import payments as payment_rows
from app.store.database import Pool

# How a payment is ticked: in one of the ways, or in cash rounded to whole kronor.
Method = Literal["swish", "cash", "other", "written_off", "rounded"]


def pay(
    pool: Pool, write: Write, owed: tuple[str, str], ticked: Method, ore: int | None = None
) -> None:
    """Tick a suggested payment, from payer to payee, as paid: whole, or `ore` öre of it.

    Raises NotAllowed when that much is not owed, and otherwise as every change.
    """

    def part(now: Ledger) -> list[Payment]:
        found = [t for t in now.transfers if (t.payer, t.payee) == owed]
        if not found:
            raise NotAllowed("nothing_owed", player=owed[0], by=owed[1])
        if ore is not None and ore > found[0].ore:
            raise NotAllowed("pays_too_much", player=owed[0], by=owed[1], ore=found[0].ore)
        return _made(found[0], ticked, ore)

    _record(pool, write, "pay", part)


def pay_all(pool: Pool, write: Write, ticked: Method) -> None:
    """Tick every suggested payment as paid, as one settlement.

    Raises NotAllowed when nobody owes anything.
    """

    def everything(now: Ledger) -> list[Payment]:
        return [made for owed in now.transfers for made in _made(owed, ticked, None)]

    _record(pool, write, "pay all", everything)


def _made(owed: Transfer, ticked: Method, ore: int | None) -> list[Payment]:
    if ticked == "rounded":
        return make_rounded_payment(owed if ore is None else Transfer(owed.payer, owed.payee, ore))
    return make_payment(owed, ticked, ore)


def _record(
    pool: Pool, write: Write, what: str, make: Callable[[Ledger], Iterable[Payment]]
) -> None:
    with pool.writing():
        table, seq = begin_change(pool, write, what)
        if seq is None:
            return
        payments = list(make(load_ledger(pool, table)))
        if not payments:
            raise NotAllowed("all_settled")
        for payment in payments:
            row: dict[str, object] = {"seq": seq, "ore": payment.ore, "way": payment.way}
            payer = payment_rows.person(pool, table.id, payment.payer)
            payee = payment_rows.person(pool, table.id, payment.payee)
            payment_rows.add_payment(pool, table.id, {**row, "payer": payer, "payee": payee})


def undo(pool: Pool, write: Write, settlement: int) -> None:
    """Take a settlement back: what it paid is owed again, and it stays in the ledger, marked.

    Raises NotAllowed when it has been taken back already, or never was.
    """
    with pool.writing():
        table, seq = begin_change(pool, write, "undo payment")
        if seq is None:
            return
        if not payment_rows.undo_payments(pool, table.id, settlement, seq):
            raise NotAllowed("no_such_payment")


def swish_number(pool: Pool, link: str, name: str) -> str | None:
    """The Swish number of somebody who is to be paid, None while it is not known.

    Raises NotFound.
    """
    rows = payment_rows.people(pool, table_id(pool, link))
    return next((row.swish for row in rows if row.name == name), None)


def save_swish_number(pool: Pool, write: Write, name: str, text: str) -> None:
    """Keep somebody's Swish number for payments at this table; no text forgets it.

    Raises BadFile when Swish would not take it, NoPen, NotFound.
    """
    number = swish.read_number(text) if text.strip() else None
    with pool.writing():
        table = require_pen(pool, write)
        if name not in canonical_names(pool, table.id).values():
            raise BadFile("unknown_player", player=name)
        payment_rows.keep_swish(pool, payment_rows.person(pool, table.id, name), number)
