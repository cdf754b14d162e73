"""Amounts: as each language writes them, and as people may type them."""

import pytest

from app.i18n.currencies import WORDS, format_amount, read_money, usual_currency
from app.i18n.language import CODES, Language
from app.rules.settlement import CURRENCIES, Currency

# Babel writes Finnish, with or without Finnish pages.
LANGUAGES = dict.fromkeys([*CODES, "fi"])


@pytest.mark.parametrize(
    ("code", "currency", "hundredths", "text"),
    [
        ("sv", "SEK", 750, "7,50 kr"),
        ("sv", "EUR", 750, "7,50 €"),
        ("sv", "EUR", 100_000, "1 000 €"),
        ("sv", "EUR", -5, "−0,05 €"),
        ("en", "SEK", 750, "7.50 kr"),
        ("en", "SEK", -123_400, "−1,234 kr"),
        ("en", "EUR", 750, "€7.50"),
        ("en", "EUR", -750, "−€7.50"),
        ("en", "EUR", 123_400, "€1,234"),
        ("fi", "SEK", 750, "7,50 kr"),
        ("fi", "EUR", 750, "7,50 €"),
        ("fi", "EUR", -123_450, "−1 234,50 €"),
    ],
)
def test_amounts_are_written_as_in_the_language(
    code: str, currency: Currency, hundredths: int, text: str
) -> None:
    """The unit has the language's place, whole amounts no decimals, and the minus is a real one."""
    written = Language(code).money(hundredths, currency)
    assert written.replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("currency", CURRENCIES)
def test_every_language_writes_every_currency(code: str, currency: Currency) -> None:
    """The unit is there once; a gain has a plus; a column that names the unit leaves it out."""
    language = Language(code)
    unit = WORDS[currency].unit
    for hundredths in (0, 5, 100, -250, 10**14 + 1):
        assert language.money(hundredths, currency).count(unit) == 1
        assert unit not in language.signed_amount(hundredths)
    assert language.signed_money(250, currency).startswith("+")
    assert language.signed_money(-250, currency).startswith("\N{MINUS SIGN}")
    assert language.signed_amount(250)[0] == "+"


@pytest.mark.parametrize(
    ("typed", "kronor", "euros"),
    [
        ("0,10", 10, 10),
        ("1", 100, 100),
        ("2.5", 250, 250),
        (",5", 50, 50),
        ("", 0, 0),
        ("7:50", 750, 750),
        ("7,50 kr", 750, None),
        ("5 kronor", 500, None),
        ("1 krona", 100, None),
        ("50 öre", 50, None),
        ("10 cent", None, 10),
        ("10 cents", None, 10),
        ("10 c", None, 10),
        ("20 snt", None, 20),
        ("0,10 €", None, 10),
        ("€0.10", None, 10),
        ("2 Euro", None, 200),
        ("3 euroa", None, 300),
        ("-1", -100, -100),
        ("0,5 öre", None, None),
        ("0,5 cent", None, None),
        ("€1€", None, None),
        ("€ cent", None, None),
        ("1 dollar", None, None),
        ("0,125", None, None),
        ("cent", None, None),
        ("1 2", None, None),
        ("one", None, None),
        ("٣", None, None),
        ("1e3", None, None),
    ],
)
def test_amounts_are_read_as_people_type_them(
    typed: str, kronor: int | None, euros: int | None
) -> None:
    """The unit may be left out, whole or a hundredth, but is never that of the other currency."""
    assert read_money(typed, "SEK") == kronor
    assert read_money(typed, "EUR") == euros


@pytest.mark.parametrize("currency", CURRENCIES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_written_can_be_typed(code: str, currency: Currency) -> None:
    """Amounts below a thousand have no separators between digits."""
    for hundredths in (0, 5, 750, 99_999):
        assert read_money(format_amount(hundredths), currency) == hundredths
        assert read_money(Language(code).money(hundredths, currency), currency) == hundredths


def test_who_reads_finnish_is_offered_euros() -> None:
    """A table in any other language has kronor as its default."""
    assert usual_currency(Language("fi")) == "EUR"
    assert [usual_currency(Language(code)) for code in ("sv", "en")] == ["SEK", "SEK"]
