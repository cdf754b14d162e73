"""The languages spoken here: catalogs, numbers, money and lists as people write them."""

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date, datetime
from decimal import Decimal, localcontext
from functools import cache, cached_property
from math import floor
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal, get_decimal_symbol, get_group_symbol
from msgspec import json

from app.rules.settlement import Currency

# Several forms where a text depends on a number, one for each kind of number in the language.
Text = str | list[str]
Texts = Mapping[str, Text]

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

    def money(self, hundredths: int, currency: Currency) -> str:
        """Write öre in kronor, `7,50 kr`, `1 234 kr`, or cents in euros: `7,50 €`, `€7.50`."""
        pattern = self.locale.currency_formats["standard"].pattern.replace("¤", "€")
        if currency == "SEK":
            # Behind the number in every language, as on the table's own notes.
            pattern = "#,##0.00\N{NO-BREAK SPACE}kr"
        whole = not hundredths % 100
        return self._decimal(hundredths, -2, pattern.replace(".00", "") if whole else pattern)

    def signed_money(self, hundredths: int, currency: Currency) -> str:
        """Write a win or a loss: `+24 kr`, `−3 kr`."""
        text = self.money(hundredths, currency)
        return f"+{text}" if hundredths > 0 else text

    def signed_amount(self, hundredths: int) -> str:
        """Write a win or a loss in a column that has the unit: `+24`, `−3,50`."""
        text = self._decimal(hundredths, -2, "#,##0.00" if hundredths % 100 else "#,##0")
        return f"+{text}" if hundredths > 0 else text

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
