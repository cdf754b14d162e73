"""Currencies in words: what stands in forms and above columns of amounts."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from app.i18n.language import N_, Language
from app.rules.currency import USUAL, Currency


class CurrencyWords(msgspec.Struct, frozen=True):
    """What is said of one currency; `unit` stands in narrow columns, all else is translated."""

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
