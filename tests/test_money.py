"""Amounts: as each language writes them, and as people may type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.i18n.errors import error_text
from app.i18n.language import (
    CODES,
    CURRENCY_WORDS,
    Language,
    format_amount,
    read_money,
    read_number,
    usual_currency,
)
from app.rules.codes import BadFile
from app.rules.settlement import CURRENCIES, Amount, Currency

# Babel writes Finnish, with or without Finnish pages.
LANGUAGES = dict.fromkeys([*CODES, "fi"])
SWEDISH = Language("sv")


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
    unit = CURRENCY_WORDS[currency].unit
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
        ("14 00", None, None),
        ("1\u00a0400", 140000, 140000),
        ("1\u202f400,5", 140050, 140050),
        ("1 400 kr", 140000, None),
        ("400 kr", 40000, None),
        ("97,50", 9750, 9750),
        ("1 400,00", 140000, 140000),
        ("1 234 567 kr", 123456700, None),
        ("1.400,50", 140050, 140050),
        ("1,400.50", 140050, 140050),
        ("1.234.567", 123456700, 123456700),
        ("1.400.50", None, None),
        ("1400:-", 140000, 140000),
        ("1 400 :-", 140000, 140000),
        ("1 400 kr.", 140000, None),
        ("\u2068\u200e1\u2009400\u2069\ufeff", 140000, 140000),
        ("\u202e004", None, None),
        ("1 400,–", 140000, 140000),
        ("1400,00 KR", 140000, None),
        ("kr 5", 500, None),
        ("–7,50", -750, -750),
        ("—7", -700, -700),
        ("−0,50", -50, -50),
        ("- 5", -500, -500),
        ("kr", None, None),
        ("-", None, None),
        (":-", None, None),
        ("9" * 5000, None, None),
        ("one", None, None),
        ("٣", None, None),
        ("1e3", None, None),
    ],
)
def test_amounts_are_read_as_people_type_them(
    typed: str, kronor: int | None, euros: int | None
) -> None:
    """The unit may be left out, whole or a hundredth, but is never that of the other currency."""
    assert read_money(typed, "SEK", SWEDISH) == kronor
    assert read_money(typed, "EUR", SWEDISH) == euros


@pytest.mark.parametrize(
    ("typed", "readings"), [("1.400", (140_000, 140)), ("12,345 kr", (1_234_500, 1234))]
)
def test_what_may_be_two_amounts_is_asked_about(typed: str, readings: tuple[int, int]) -> None:
    """Three digits behind one mark are read as no amount; the refusal names both."""
    with pytest.raises(BadFile) as refused:
        read_money(typed, "SEK", SWEDISH)
    assert refused.value.code == "two_amounts"
    assert refused.value.values == {
        key: Amount(ore, "SEK") for key, ore in zip(("ore", "part"), readings, strict=True)
    }
    said = error_text(refused.value, SWEDISH)
    assert SWEDISH.money(readings[0], "SEK") in said


AMOUNTS = st.integers(-(10**13), 10**13)


@given(AMOUNTS, st.sampled_from(CURRENCIES), st.sampled_from([*LANGUAGES]))
def test_what_is_written_can_be_typed(hundredths: int, currency: Currency, code: str) -> None:
    """Every amount is read as it was, however the language's pages write or copy it."""
    language = Language(code)
    for text in (
        language.money(hundredths, currency),
        language.signed_money(hundredths, currency),
        language.signed_amount(hundredths),
        format_amount(abs(hundredths)),
    ):
        assert abs(read_money(text, currency, language) or 0) == abs(hundredths)
    assert read_money(language.money(hundredths, currency), currency, language) == hundredths


@given(st.integers(-(10**11), 10**11), st.sampled_from([*LANGUAGES]))
def test_whole_numbers_are_read_as_they_are_written(number: int, code: str) -> None:
    """With the language's blanks and minus; a mark within one may be a comma, and is refused."""
    language = Language(code)
    written = language.number(number)
    assert read_number(written) == (None if "," in written else number)
    assert read_number(language.signed(number).replace(",", " ")) == number


@pytest.mark.parametrize("dash", "-−–—\u2012\u2010")
@pytest.mark.parametrize("blank", ["", " ", "\u00a0", "\u2009", "\u202f", "\u200e", "\u2060"])
def test_each_dash_is_a_minus(dash: str, blank: str) -> None:
    """However it is typed, and with a blank behind it, or a mark that nobody sees."""
    assert read_number(f"{dash}{blank}5") == -5
    assert read_money(f"{dash}{blank}5", "SEK", SWEDISH) == -500


def test_who_reads_finnish_is_offered_euros() -> None:
    """A table in any other language has kronor as its default."""
    assert usual_currency(Language("fi")) == "EUR"
    assert [usual_currency(Language(code)) for code in ("sv", "en")] == ["SEK", "SEK"]
