"""The balances of people at a table, in whole öre or cents: games won and lost, less payments.

Everything here sums to zero: a payout, a payment, a rounding, and whatever is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeVar

import msgspec

from app.rules.currency import Currency, round_to_cash
from app.rules.settlement import Transfer, add_up, transfers

PaymentWay = Literal["swish", "cash", "other", "rounding", "written_off"]
Money = Mapping[str, int]
Whose = TypeVar("Whose", str, int)


class Payment(msgspec.Struct, frozen=True):
    """A debt of `ore` öre that is no longer owed, and in which way it went.

    `rounding` and `written_off` move no money: the debt is let go.
    """

    payer: str
    payee: str
    ore: int
    way: PaymentWay


def by_person(amounts: Mapping[Whose, int], persons: Mapping[Whose, str]) -> dict[str, int]:
    """Add amounts up by person, where several names or numbers may stand for the same one."""
    sums: dict[str, int] = {}
    for whose, amount in amounts.items():
        person = persons.get(whose, str(whose))
        sums[person] = sums.get(person, 0) + amount
    return sums


def payment_balance(payment: Payment) -> dict[str, int]:
    """What a payment adds to the balances: who pays owes less, who is paid is owed less.

    Two names that turned out to be one person have paid nobody.
    """
    return add_up([{payment.payer: payment.ore}, {payment.payee: -payment.ore}])


def outstanding(payouts: Iterable[Money], payments: Iterable[Payment]) -> dict[str, int]:
    """The outstanding balance of each person: owed to them (+) or by them (−)."""
    return add_up([*payouts, *map(payment_balance, payments)])


def make_payment(owed: Transfer, way: PaymentWay, ore: int | None = None) -> list[Payment]:
    """Make a suggested payment, in whole or in part (`ore`)."""
    return [Payment(owed.payer, owed.payee, owed.ore if ore is None else ore, way)]


def make_rounded_payment(owed: Transfer, currency: Currency) -> list[Payment]:
    """Make a suggested payment in cash as there are coins of it, with the rounding beside it.

    Rounded up, the payee would owe the rest: it is let go the other way round.
    """
    cash = round_to_cash(owed.ore, currency)
    rest = owed.ore - cash
    payments = [Payment(owed.payer, owed.payee, cash, "cash")] if cash else []
    if rest > 0:
        payments.append(Payment(owed.payer, owed.payee, rest, "rounding"))
    elif rest < 0:
        payments.append(Payment(owed.payee, owed.payer, -rest, "rounding"))
    return payments


def payout_difference(old: Money, new: Money) -> list[Transfer]:
    """The transfers that turn one payout of a game into another."""
    return transfers(add_up([new, {name: -ore for name, ore in old.items()}]))
