"""Swedish and English: catalogs, numbers, money and lists as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal, localcontext
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from threading import Lock

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.support import Translations

CODES = ("sv", "en")
DEFAULT = "sv"
MINUS = "\N{MINUS SIGN}"
QUOTATION_MARKS = {"sv": ("”", "”"), "en": ("“", "”")}
BEGINNING = datetime.fromtimestamp(0, UTC)
_CATALOGS = Path(__file__).with_name("translations")


def N_(message: str) -> str:  # noqa: N802  # the name that message extraction knows
    """Mark a message for translation where it is written, to be translated where it is shown."""
    return message


class Language:
    """One language: its messages and its ways with numbers."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.locale = Locale.parse(code)
        self._catalog = _load_catalog(code)

    def gettext(self, message: str, /, **values: object) -> str:
        """Translate a message and fill in its values."""
        return self._catalog.gettext(message) % values if values else self._catalog.gettext(message)

    def ngettext(self, one: str, many: str, number: int, /, **values: object) -> str:
        """Translate a message that depends on a number, which is also the value `num`."""
        return self._catalog.ngettext(one, many, number) % {
            "num": self.number(number),
            **values,
        }

    def number(self, number: int) -> str:
        """Write a number: `1 234`, `−15`."""
        if abs(number) < 1000:  # nothing to separate, and every page writes dozens of these
            return str(number).replace("-", MINUS)
        return self._decimal(number, 0, "#,##0")

    def signed(self, number: int) -> str:
        """Write a change: `+5`, `−15`, `0`."""
        return f"+{self.number(number)}" if number > 0 else self.number(number)

    def quote(self, text: str) -> str:
        """Put a text into quotation marks: `”5 kr”`."""
        opening, closing = QUOTATION_MARKS[self.code]
        return f"{opening}{text}{closing}"

    def points(self, points: int) -> str:
        """Write points with their unit."""
        return self.ngettext("%(num)s point", "%(num)s points", points)

    def kronor(self, ore: int) -> str:
        """Write an amount of öre in kronor: `7,50 kr`, `1 234 kr`."""
        pattern = "#,##0.00" if ore % 100 else "#,##0"
        return f"{self._decimal(ore, -2, pattern)}\N{NO-BREAK SPACE}kr"

    def _decimal(self, number: int, exponent: int, pattern: str) -> str:
        """Write a number of any length, with the language's separators."""
        with localcontext(prec=number.bit_length() // 3 + 28):
            scaled = Decimal(number).scaleb(exponent)
            text = format_decimal(scaled, format=pattern, locale=self.locale)
        return text.replace("-", MINUS)

    def signed_kronor(self, ore: int) -> str:
        """Write what somebody wins or loses: `+24 kr`, `−3 kr`."""
        return f"+{self.kronor(ore)}" if ore > 0 else self.kronor(ore)

    def day(self, day: date) -> str:
        """Write a day: `17 oktober 2026`."""
        return format_date(day, "d MMMM y", locale=self.locale)

    def short_day(self, day: date) -> str:
        """Write a day in a few letters: `17 okt`."""
        return format_date(day, "d MMM", locale=self.locale).rstrip(".")

    def listing(self, names: Iterable[str]) -> str:
        """Write names as a list: `Anna, Bo och Cilla`."""
        return format_list(list(names), locale=self.locale)

    def either(self, names: Iterable[str]) -> str:
        """Write names as alternatives: `färgstege eller royal`."""
        return format_list(list(names), style="or", locale=self.locale)


def _load_catalog(code: str) -> NullTranslations:
    """Read a catalog as it stands in the source; a phone carries it compiled."""
    path = _CATALOGS / code / "LC_MESSAGES" / "messages.po"
    compiled = path.with_suffix(".mo")
    if compiled.exists():
        return Translations(BytesIO(compiled.read_bytes()))
    if not path.exists():
        return NullTranslations()
    return Translations(BytesIO(compile_catalog(path, code)))


def compile_catalog(path: Path, code: str) -> bytes:
    """Compile a catalog of messages in a language."""
    # What compiles is left out where a phone starts in a second.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with path.open("rb") as file:
        catalog = read_po(file, locale=code)
    # Else it would be that of now, and no two would be the same.
    catalog.creation_date = catalog.revision_date = BEGINNING
    write_mo(compiled, catalog)
    return compiled.getvalue()


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
