"""Currencies in words: in forms, above columns of amounts, and in amounts as people write them."""

import re
from collections.abc import Mapping
from decimal import Decimal

import msgspec

from app.i18n.language import N_, Language
from app.rules.settlement import USUAL, Currency, PaymentWay, Transfer


class CurrencyWords(msgspec.Struct, frozen=True):
    """Words of one currency; `unit` stands in narrow columns, all else is translated."""

    unit: str
    won_and_lost: str
    paid: str
    cash: str
    paid_in_cash: str


WORDS: Mapping[Currency, CurrencyWords] = {
    "SEK": CurrencyWords(
        unit="kr",
        won_and_lost=N_("Won and lost, kronor"),
        paid=N_("Kronor paid"),
        cash=N_("Cash, whole kronor"),
        paid_in_cash=N_("Paid in cash, whole kronor: %(amount)s"),
    ),
    "EUR": CurrencyWords(
        unit="€",
        won_and_lost=N_("Won and lost, euros"),
        paid=N_("Euros paid"),
        cash=N_("Cash, to five cents"),
        paid_in_cash=N_("Paid in cash, to five cents: %(amount)s"),
    ),
}
# Where a language is at home in another country than Sweden.
_AT_HOME: Mapping[str, Currency] = {"fi": "EUR"}


def usual_currency(language: Language) -> Currency:
    """The currency that a table is offered by somebody who reads this language."""
    return _AT_HOME.get(language.code, USUAL)


_AMOUNT = re.compile(r"-?(?=\.?[0-9])[0-9]{0,9}(\.[0-9]{0,2}0*)?")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
# Words beside a number: for the whole, and for the hundredth.
_UNITS: Mapping[Currency, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "SEK": (re.compile("kr|kronor|krona|sek"), re.compile("öre")),
    "EUR": (re.compile("€|euros?|euroa|eur|e"), re.compile("c|ct|cents?|snt|senti|senttiä")),
}
_WITH_UNIT = re.compile(r"(€?)([^a-zåäö€]*)([a-zåäö€]*)")


def read_money(text: str, currency: Currency) -> int | None:
    """Read an amount, `1`, `0,50`, `2.5 kr`, `10 cents`, as öre or cents; None for anything else.

    A unit of another currency is anything else.
    """
    plain = text.strip().lower().replace(",", ".").replace(":", ".")
    if (found := _WITH_UNIT.fullmatch(plain)) is None:
        return None
    before, number, behind = (part.strip() for part in found.groups())
    whole, hundredth = _UNITS[currency]
    unit = f"{before}{behind}"
    if unit and hundredth.fullmatch(unit):
        return int(number) if _WHOLE.fullmatch(number) else None
    if (unit and not whole.fullmatch(unit)) or not _AMOUNT.fullmatch(number or "0"):
        return None
    return int(Decimal(number or "0") * 100)


def format_amount(hundredths: int) -> str:
    """An amount as somebody writes it into a form."""
    whole, rest = divmod(hundredths, 100)
    return f"{whole},{rest:02}" if rest else str(whole)


WAYS: Mapping[PaymentWay, str] = {
    "swish": N_("with Swish"),
    "cash": N_("in cash"),
    "other": N_("paid"),
    "rounding": N_("rounding"),
    "written_off": N_("debt cancelled"),
}


def way_text(way: PaymentWay, language: Language) -> str:
    """The way of a payment: `med Swish`."""
    return language.gettext(WAYS[way])


def transfer_text(owed: Transfer, currency: Currency, language: Language) -> str:
    """A payment to be made, within a sentence."""
    amount = language.money(owed.ore, currency)
    values = {"payee": owed.payee, "payer": owed.payer, "kronor": amount}
    return language.gettext("%(payee)s is to have %(kronor)s from %(payer)s", **values)
