"""Payments: debts that are no longer owed, and what is still outstanding after them."""

from collections.abc import Iterable, Mapping

import msgspec

from app.rules.settlement import Currency, PaymentWay, Transfer, Whose, add_up, transfers


def round_to_cash(hundredths: int, currency: Currency) -> int:
    """Round an amount to coins: up from the half, down below it."""
    unit = CASH[currency]
    return (hundredths + unit // 2) // unit * unit


Money = Mapping[str, int]


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


def outstanding(payouts: Iterable[Money], payments: Iterable[Payment]) -> dict[str, int]:
    """The outstanding balance of each person: owed to them (+) or by them (−).

    Whoever paid owes less, and is owed less who was paid.
    """
    balance = add_up(payouts)
    for payment in payments:
        balance[payment.payer] = balance.get(payment.payer, 0) + payment.ore
        balance[payment.payee] = balance.get(payment.payee, 0) - payment.ore
    return balance


def make_payment(owed: Transfer, way: PaymentWay) -> list[Payment]:
    """Make a suggested payment."""
    return [Payment(owed.payer, owed.payee, owed.ore, way)]


def make_rounded_payment(owed: Transfer, currency: Currency) -> list[Payment]:
    """Make a suggested payment in cash as there are coins of it, with the rounding beside it.

    Rounded up, the payee would owe the rest: it is let go the other way round.
    """
    cash = round_to_cash(owed.ore, currency)
    rest = owed.ore - cash
    back = (owed.payer, owed.payee) if rest > 0 else (owed.payee, owed.payer)
    payments = [
        Payment(owed.payer, owed.payee, cash, "cash"),
        Payment(*back, abs(rest), "rounding"),
    ]
    return [payment for payment in payments if payment.ore]


def take_off(whole: Money, part: Money) -> dict[str, int]:
    """What is left of amounts by person when others are taken off."""
    return add_up([whole, {name: -ore for name, ore in part.items()}])


def payout_difference(old: Money, new: Money) -> list[Transfer]:
    """The transfers that turn one payout of a game into another."""
    return transfers(take_off(new, old))


# The unit that cash is rounded to in shops: whole kronor in Sweden, five cents in Finland.
CASH: Mapping[Currency, int] = {"SEK": 100, "EUR": 5}
