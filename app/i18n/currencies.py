"""Currencies in words: in forms, above columns of amounts, and in amounts as people write them."""

import re
from collections.abc import Mapping

import msgspec

from app.i18n.language import N_, Language
from app.rules.codes import BadFile
from app.rules.names import tidy
from app.rules.settlement import USUAL, Amount, Currency, PaymentWay


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


# Each dash that people write for a minus; and the mark that shows digits the other way round.
_REVERSED, _DASH = "\u202e", re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_LONGEST = 40
# Thousands stand in groups of three, if in groups at all.
_WHOLE = r"[0-9]{1,12}|[1-9][0-9]{0,2}(?:(?P<group>[ .,])[0-9]{3}(?:(?P=group)[0-9]{3}){0,2})"
_NUMBER = re.compile(rf"(?P<sign>[+-]?) ?(?P<whole>{_WHOLE})")
# `1 400,50`; in `1 400:-` a dash says that no hundredths follow.
_AMOUNT = re.compile(
    r"(?=.*[0-9])(?P<sign>[+-]?) ?(?P<before>[a-zåäö€]*) ?"
    rf"(?P<whole>{_WHOLE})?(?: ?(?!(?P=group))(?P<mark>[.,:])(?P<part>[0-9]{{1,2}}|-?))?"
    r" ?(?P<behind>[a-zåäö€]*)\.?"
)
# Words beside a number: for the whole, and for the hundredth.
_UNITS: Mapping[Currency, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "SEK": (re.compile("kr|kronor|krona|sek"), re.compile("öre")),
    "EUR": (re.compile("€|euros?|euroa|eur|e"), re.compile("c|ct|cents?|snt|senti|senttiä")),
}


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    plain = _DASH.sub("-", tidy(text[: _LONGEST + 1])).lower()
    return None if len(text) > _LONGEST or _REVERSED in text else pattern.fullmatch(plain)


def _digits(found: re.Match[str]) -> str:
    """The whole number of what was found, with its sign and without what parts its groups."""
    return found["sign"] + re.sub("[ .,]", "", found["whole"] or "0")


def read_number(text: str) -> int | None:
    """Read a whole number: `5`, `1 000`, `−5` with any dash; None for anything else."""
    found = _match(_NUMBER, text)
    return int(_digits(found)) if found and found["group"] in (None, " ") else None


def read_money(text: str, currency: Currency, language: Language) -> int | None:
    """Read an amount, `1`, `0,50`, `1 400 kr`, `1400:-`, `10 cents`, as öre or cents.

    Nothing written is 0; None for anything else, and for a unit of another currency. Raises BadFile
    where two amounts may be meant, `1.400`, unless the language writes thousands so.
    """
    if not text.strip():
        return 0
    if (found := _match(_AMOUNT, text)) is None:
        return None
    unit, (whole, hundredth) = found["before"] + found["behind"], _UNITS[currency]
    if unit and hundredth.fullmatch(unit):
        return int(_digits(found)) if found["whole"] and not found["mark"] else None
    if unit and not whole.fullmatch(unit):
        return None
    ore = int(f"{_digits(found)}{(found['part'] or '').strip('-'):0<2}")
    group = found["group"] or " "
    one_mark = found["whole"] and found["whole"].count(group) == 1 and found["mark"] is None
    if one_mark and group not in (" ", language.group_mark):
        raise BadFile("two_amounts", ore=Amount(ore, currency), part=Amount(ore // 1000, currency))
    return ore


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
