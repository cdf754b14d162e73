"""Settling up: payments ticked by hand, taken back, and where they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from app import store_ledger, swish
from app.ledger import Ledger, ledger_of
from app.people import canonical
from app.rules.errors import BadFile, NotAllowed
from app.rules.ledger import Payment, paid, paid_rounded
from app.rules.settlement import Transfer
from app.store import Store
from app.tables import Write, count_change, table_id, writable

# How a payment is ticked: in one of the ways, or in cash rounded to whole kronor.
Ticked = Literal["swish", "cash", "other", "written_off", "rounded"]


def pay(
    store: Store, write: Write, owed: tuple[str, str], ticked: Ticked, ore: int | None = None
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

    _record(store, write, "pay", part)


def pay_all(store: Store, write: Write, ticked: Ticked) -> None:
    """Tick every suggested payment as paid, as one settlement.

    Raises NotAllowed when nobody owes anything.
    """

    def everything(now: Ledger) -> list[Payment]:
        return [made for owed in now.transfers for made in _made(owed, ticked, None)]

    _record(store, write, "pay all", everything)


def _made(owed: Transfer, ticked: Ticked, ore: int | None) -> list[Payment]:
    if ticked == "rounded":
        return paid_rounded(owed if ore is None else Transfer(owed.payer, owed.payee, ore))
    return paid(owed, ticked, ore)


def _record(
    store: Store, write: Write, what: str, make: Callable[[Ledger], Iterable[Payment]]
) -> None:
    with store.writing():
        table, seq = count_change(store, write, what)
        if seq is None:
            return
        payments = list(make(ledger_of(store, table)))
        if not payments:
            raise NotAllowed("all_settled")
        for payment in payments:
            row: dict[str, object] = {"seq": seq, "ore": payment.ore, "way": payment.way}
            payer = store_ledger.person(store, table.id, payment.payer)
            payee = store_ledger.person(store, table.id, payment.payee)
            store_ledger.add_payment(store, table.id, {**row, "payer": payer, "payee": payee})


def undo(store: Store, write: Write, settlement: int) -> None:
    """Take a settlement back: what it paid is owed again, and it stays in the ledger, marked.

    Raises NotAllowed when it has been taken back already, or never was.
    """
    with store.writing():
        table, seq = count_change(store, write, "undo payment")
        if seq is None:
            return
        if not store_ledger.undo_payments(store, table.id, settlement, seq):
            raise NotAllowed("no_such_payment")


def number_of(store: Store, link: str, name: str) -> str | None:
    """The Swish number of somebody who is to be paid, None while it is not known.

    Raises NotFound.
    """
    rows = store_ledger.people(store, table_id(store, link))
    return next((row.swish for row in rows if row.name == name), None)


def keep_number(store: Store, write: Write, name: str, text: str) -> None:
    """Keep somebody's Swish number for payments at this table; no text forgets it.

    Raises BadFile when Swish would not take it, NoPen, NotFound.
    """
    number = swish.read_number(text) if text.strip() else None
    with store.writing():
        table = writable(store, write)
        if name not in canonical(store, table.id).values():
            raise BadFile("unknown_player", player=name)
        store_ledger.keep_swish(store, store_ledger.person(store, table.id, name), number)
