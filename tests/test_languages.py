"""Numbers, days, lists, cards and amounts as each language writes them, and as people type them.

`languages.json` has by language what is written; of what may be typed, the öre and the cents.
"""

import re
from datetime import datetime
from itertools import product
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.i18n import language
from app.i18n.cards import card_name, write_card
from app.i18n.errors import error_text
from app.i18n.language import (
    CODES,
    CURRENCY_WORDS,
    Language,
    format_amount,
    from_environment,
    load_texts,
    read_money,
    read_number,
    usual_currency,
)
from app.rules.codes import BadFile
from app.rules.hands import parse_cards
from app.rules.settlement import CURRENCIES, Amount, Currency
from tests.told import read_tables, told

DATA = read_tables(__file__)
MOMENT = datetime(2026, 10, 17, 21, 4)  # noqa: DTZ001  # as a clock shows it
SWEDISH = Language("sv")
# A Finnish ending after a name or a number: `Annan`, `Bo:lle`, `52:een`.
ENDING = re.compile(r"%\(\w+\)s[:’-]?[a-zåäö]")


@pytest.mark.parametrize("code", CODES)
def test_what_is_written_follows_the_language(code: str) -> None:
    """A card can be typed in again, and a terminal is spoken to in its language."""
    speak, cards = Language(code), parse_cards("Kh 10d As 2c 3c")
    expected = DATA["languages"][code]
    written = [write_card(card, speak) for card in cards]
    assert expected == {
        "number": speak.number(-1000),
        "time": speak.time(MOMENT),
        "day": speak.day(MOMENT),
        "short_day": speak.short_day(MOMENT),
        "names": speak.listing(["Anna", "Bo", "Cilla"]),
        "either": speak.either("34"),
        "quoted": speak.quote("x"),
        "points": [speak.points(1), speak.points(5)],
        "currency": usual_currency(speak),
        "cards": [card_name(card, speak) for card in cards[:3]],
        "written": written[:3],
        "amounts": [[each, name, speak.money(each, name)] for each, name, _ in expected["amounts"]],
    }
    assert parse_cards(" ".join(written)) == cards
    assert from_environment({"LANG": f"{code}_XX.UTF-8"}).code == code


@pytest.mark.parametrize(("code", "currency"), [*product(CODES, CURRENCIES)])
def test_every_language_writes_every_currency(code: str, currency: Currency) -> None:
    """The unit is there once; a gain has a plus; a column that names the unit leaves it out."""
    speak, unit = Language(code), CURRENCY_WORDS[currency].unit
    for ore in (0, 5, 100, -250, 10**14 + 1):
        assert speak.money(ore, currency).count(unit) == 1
        assert unit not in speak.signed_amount(ore)
    signs = [speak.signed_money(each, currency)[0] for each in (250, -250)]
    assert [*signs, speak.signed_amount(250)[0]] == ["+", "\N{MINUS SIGN}", "+"]


def test_amounts_are_read_as_people_type_them() -> None:
    """The unit may be left out, whole or a hundredth, but is never that of the other currency."""
    for typed, *amounts in [*DATA["typed"], ["9" * 5000, None, None]]:
        assert [read_money(typed, each, SWEDISH) for each in CURRENCIES] == amounts, typed


@told
def test_what_may_be_two_amounts_is_asked_about(typed: str, ore: int, part: int) -> None:
    """Three digits behind one mark are read as no amount; the refusal names both."""
    with pytest.raises(BadFile) as refused:
        read_money(typed, "SEK", SWEDISH)
    assert refused.value.values == {"ore": Amount(ore, "SEK"), "part": Amount(part, "SEK")}
    assert SWEDISH.money(ore, "SEK") in error_text(refused.value, SWEDISH)


@given(st.integers(-(10**13), 10**13), st.sampled_from(CURRENCIES), st.sampled_from(CODES))
def test_what_is_written_can_be_typed(number: int, currency: Currency, code: str) -> None:
    """Every amount and number is read as it was, however the language's pages write or copy it.

    A mark within a number may be a comma, and is refused.
    """
    speak, size = Language(code), abs(number)
    signed = [speak.signed_money(number, currency), speak.signed_amount(number)]
    for text in (*signed, format_amount(size)):
        assert abs(read_money(text, currency, speak) or 0) == size
    assert read_money(speak.money(number, currency), currency, speak) == number
    number //= 100
    assert read_number(written := speak.number(number)) == (None if "," in written else number)
    assert read_number(speak.signed(number).replace(",", " ")) == number


def test_each_dash_is_a_minus() -> None:
    """However it is typed, and with a blank behind it, or a mark that nobody sees."""
    blanks = ["", " ", "\u00a0", "\u2009", "\u202f", "\u200e", "\u2060"]
    for dash, blank in product("-−–—\u2012\u2010", blanks):
        assert read_number(f"{dash}{blank}5") == -5
        assert read_money(f"{dash}{blank}5", "SEK", SWEDISH) == -500


def test_no_value_is_inflected_in_finnish() -> None:
    """A name, a hand or a number has no case ending."""
    texts = load_texts("fi").values()
    forms = [form for text in texts for form in (text if isinstance(text, list) else [text])]
    assert [form for form in forms if ENDING.search(form)] == []
    assert sum("%(player)s" in form for form in forms) > 50


def test_a_phone_s_packed_texts_are_those_of_the_catalogs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plural forms are there, and English, which has no catalog, has its own."""
    texts = {code: load_texts(code) for code in CODES}
    for code in CODES:
        (tmp_path / f"{code}.json").write_bytes(msgspec.json.encode(texts[code]))
    monkeypatch.setattr(language, "CATALOGS", tmp_path)
    assert {code: load_texts(code) for code in CODES} == texts
    said = {code: [Language(code).points(number) for number in (1, 5)] for code in CODES}
    assert said == {code: DATA["languages"][code]["points"] for code in CODES}
