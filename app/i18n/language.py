"""The languages spoken here: catalogs, numbers, lists, and money as people write and type it."""

import re
from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date, datetime
from decimal import Decimal, localcontext
from functools import cache, cached_property
from math import floor
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec
from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal, get_decimal_symbol, get_group_symbol
from msgspec import json

from app.rules.codes import BadFile
from app.rules.names import tidy
from app.rules.settlement import USUAL, Amount, Currency, PaymentWay

# Several forms where a text depends on a number, one for each kind of number in the language.
Text = str | list[str]
Texts = Mapping[str, Text]
# A table whose texts, but for its keys, are translated where they are shown.
Translated = Mapping

# A folder for each language; in its place a phone carries its texts in a JSON file.
CATALOGS = Path(__file__).with_name("translations")


def load_texts(code: str) -> Texts:
    """The texts of a language; none for one without a catalog, which is English."""
    packed = CATALOGS / f"{code}.json"
    if packed.exists():
        return json.decode(packed.read_bytes(), type=dict[str, Text])
    path = CATALOGS / code / "LC_MESSAGES" / "messages.po"
    return _read_catalog(path, code) if path.exists() else {}


def _read_catalog(path: Path, code: str) -> Texts:
    # A phone starts in a second: it has no module that reads catalogs.
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        catalog = read_po(file, locale=code)
    pairs = [(_text(message.id), _text(message.string)) for message in catalog if message.id]
    return {
        message if isinstance(message, str) else message[0]: text
        for message, text in pairs
        if all(text)
    }


def _text(value: object) -> Text:
    return list(value) if isinstance(value, (list, tuple)) else str(value)


MINUS = "\N{MINUS SIGN}"


class Conventions(NamedTuple):
    """Conventions of a language that Babel lacks or has in a longer form.

    `name`: what the language calls itself. Days are patterns of CLDR, times of `strftime`.
    """

    name: str
    quotation_marks: tuple[str, str]
    day: str
    short_day: str
    time: str


CONVENTIONS: Mapping[str, Conventions] = {
    "sv": Conventions("Svenska", ("”", "”"), "d MMMM y", "d MMM", "%H:%M"),
    "en": Conventions("English", ("“", "”"), "d MMMM y", "d MMM", "%H:%M"),
    "fi": Conventions("Suomi", ("”", "”"), "d. MMMM y", "d.M.", "%H.%M"),
}
CODES = tuple(CONVENTIONS)
DEFAULT = "sv"
# The kinds of numbers in the order of a catalog's forms.
KINDS = ("zero", "one", "two", "few", "many", "other")


def N_(message: str) -> str:  # noqa: N802  # the name that message extraction knows
    """Mark a message for translation where it is written, to be translated where it is shown."""
    return message


# Around a name on its way into a page; no name holds them.
NAME_BEGINS, NAME_ENDS = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolate(name: str) -> str:
    """A name apart from the text around it: in its own direction, and translated by nobody."""
    return name if NAME_BEGINS in name else f"{NAME_BEGINS}{name}{NAME_ENDS}"


class Language:
    """One language: its messages and its ways with numbers."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.isolates = False
        self.locale = Locale.parse(code)
        self.decimal_mark = get_decimal_symbol(self.locale)
        self.group_mark = get_group_symbol(self.locale)
        self._conventions = CONVENTIONS[code]
        self._texts = load_texts(code)
        kinds = {*self.locale.plural_form.tags, "other"}
        self._kinds = [kind for kind in KINDS if kind in kinds]

    def gettext(self, message: str, /, **values: object) -> str:
        """Translate a message and fill in its values."""
        text = self._texts.get(message, message)
        return str(text) % values if values else str(text)

    def ngettext(self, one: str, many: str, number: int, /, **values: object) -> str:
        """Translate a message that depends on a number, which is also the value `num`."""
        forms = self._texts.get(one, (one, many))
        form = forms[self._kinds.index(self.locale.plural_form(number))]
        return form % {"num": self.number(number), **values}

    def number(self, number: int) -> str:
        """Write a number: `1 234`, `−15`."""
        if abs(number) < 1000:  # nothing to separate, and every page writes dozens of these
            return str(number).replace("-", MINUS)
        return self._decimal(number, 0, "#,##0")

    def tenths(self, number: float) -> str:
        """Write a number with one decimal: `38,4`."""
        return self._decimal(floor(number * 10 + 0.5), -1, "#,##0.0")

    def percent(self, share: float) -> str:
        """Write a share of 1: `67 %`."""
        return self.gettext("%(number)s%%", number=self.number(floor(share * 100 + 0.5)))

    def signed(self, number: int) -> str:
        """Write a change: `+5`, `−15`, `0`."""
        return f"+{self.number(number)}" if number > 0 else self.number(number)

    def quote(self, text: str) -> str:
        """Put a text into quotation marks: `”5 kr”`."""
        opening, closing = self._conventions.quotation_marks
        return f"{opening}{text}{closing}"

    def points(self, points: int) -> str:
        """Write points with their unit."""
        return self.ngettext("%(num)s point", "%(num)s points", points)

    def money(self, ore: int, currency: Currency) -> str:
        """Write öre in kronor, `7,50 kr`, `1 234 kr`, or cents in euros: `7,50 €`, `€7.50`."""
        pattern = self.locale.currency_formats["standard"].pattern.replace("¤", "€")
        if currency == "SEK":
            # Behind the number in every language, as on the table's own notes.
            pattern = "#,##0.00\N{NO-BREAK SPACE}kr"
        whole = not ore % 100
        return self._decimal(ore, -2, pattern.replace(".00", "") if whole else pattern)

    def signed_money(self, ore: int, currency: Currency) -> str:
        """Write a win or a loss: `+24 kr`, `−3 kr`."""
        text = self.money(ore, currency)
        return f"+{text}" if ore > 0 else text

    def signed_amount(self, ore: int) -> str:
        """Write a win or a loss in a column that has the unit: `+24`, `−3,50`."""
        text = self._decimal(ore, -2, "#,##0.00" if ore % 100 else "#,##0")
        return f"+{text}" if ore > 0 else text

    def _decimal(self, number: int, exponent: int, pattern: str) -> str:
        """Write a number of any length, with the language's separators."""
        with localcontext(prec=number.bit_length() // 3 + 28):
            scaled = Decimal(number).scaleb(exponent)
            text = format_decimal(scaled, format=pattern, locale=self.locale)
        return text.replace("-", MINUS)

    def day(self, day: date) -> str:
        """Write a day: `17 oktober 2026`, `17. lokakuuta 2026`."""
        return format_date(day, self._conventions.day, locale=self.locale)

    def short_day(self, day: date) -> str:
        """Write a day in a few letters: `17 okt`, `17.10.`."""
        pattern = self._conventions.short_day
        text = format_date(day, pattern, locale=self.locale)
        return text if pattern.endswith(".") else text.rstrip(".")

    def time(self, moment: datetime) -> str:
        """Write a moment's time of day, as it stands in its time zone: `21:04`, `21.04`."""
        return moment.strftime(self._conventions.time)

    def name(self, name: str) -> str:
        """Write a name within a text."""
        return isolate(name) if self.isolates else name

    def names(self, names: Iterable[str]) -> str:
        """Write names as a list: `Anna, Bo och Cilla`."""
        return self.listing(map(self.name, names))

    def listing(self, texts: Iterable[str]) -> str:
        """Write a list: `par, triss och stege`."""
        return format_list(list(texts), locale=self.locale)

    def either(self, texts: Iterable[str]) -> str:
        """Write alternatives: `färgstege eller royal`."""
        return format_list(list(texts), style="or", locale=self.locale)

    @cached_property
    def of_pages(self) -> "Language":
        """The same for texts of pages, in which names stand apart."""
        other = copy(self)
        other.isolates = True
        return other


_loading = Lock()


def get_language(code: str) -> Language:
    """The language with this code; Swedish for a code that is not spoken here."""
    # One loads it and the rest wait: a hall full of phones may come at once to a server just begun.
    with _loading:
        return _language(code if code in CODES else DEFAULT)


@cache
def _language(code: str) -> Language:
    return Language(code)


def from_environment(environ: Mapping[str, str]) -> Language:
    """The language a terminal asks for, Swedish where it names neither."""
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    return get_language(locale[:2])


class CurrencyWords(msgspec.Struct, frozen=True):
    """Words of one currency; `unit` stands in narrow columns, all else is translated."""

    unit: str
    won_and_lost: str
    paid: str
    cash: str
    paid_in_cash: str


CURRENCY_WORDS: Mapping[Currency, CurrencyWords] = {
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
# `1 400,50`; in `1 400:-` a dash says that no öre follow.
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


def format_amount(ore: int) -> str:
    """An amount as somebody writes it into a form."""
    whole, rest = divmod(ore, 100)
    return f"{whole},{rest:02}" if rest else str(whole)


WAYS: Translated[PaymentWay, str] = {
    "swish": "with Swish",
    "cash": "in cash",
    "other": "paid",
    "rounding": "rounding",
    "written_off": "debt cancelled",
}


def way_text(way: PaymentWay, language: Language) -> str:
    """The way of a payment: `med Swish`."""
    return language.gettext(WAYS[way])
