"""Numbers, days, lists and cards follow the conventions of each language."""

import re
from datetime import date, datetime

import pytest

from app.i18n.cards import card_name, write_card
from app.i18n.language import CODES, from_environment, get_language, load_texts
from app.rules.hands import parse_cards

NAMES = ["Anna", "Bo", "Cilla"]
DAY = date(2026, 10, 17)
# The space between the groups of a number, and before its unit.
BLANK = "\N{NO-BREAK SPACE}"
# A Finnish ending after a name or a number: `Annan`, `Bo:lle`, `52:een`.
ENDING = re.compile(r"%\(\w+\)s[:’-]?[a-zåäö]")


@pytest.mark.parametrize(
    ("code", "written"), [("sv", "−1 234"), ("en", "−1,234"), ("fi", "−1 234")]
)
def test_numbers(code: str, written: str) -> None:
    """Thousands and minus signs follow the language, and a number does not break over lines."""
    assert get_language(code).number(-1234) == written.replace(" ", BLANK)


@pytest.mark.parametrize(("code", "time"), [("sv", "21:04"), ("en", "21:04"), ("fi", "21.04")])
def test_times(code: str, time: str) -> None:
    """A time of day has the language's sign between hours and minutes."""
    assert get_language(code).time(datetime(2026, 10, 17, 21, 4)) == time  # noqa: DTZ001  # as shown


@pytest.mark.parametrize(
    ("code", "day", "short"),
    [
        ("sv", "17 oktober 2026", "17 okt"),
        ("en", "17 October 2026", "17 Oct"),
        ("fi", "17. lokakuuta 2026", "17.10."),
    ],
)
def test_days(code: str, day: str, short: str) -> None:
    """A day is long on pages, and short where there is little room."""
    assert (get_language(code).day(DAY), get_language(code).short_day(DAY)) == (day, short)


@pytest.mark.parametrize(
    ("code", "listed", "either", "quoted"),
    [
        ("sv", "Anna, Bo och Cilla", "3 eller 4", "”x”"),
        ("en", "Anna, Bo, and Cilla", "3 or 4", "“x”"),
        ("fi", "Anna, Bo ja Cilla", "3 tai 4", "”x”"),
    ],
)
def test_lists_and_quotations(code: str, listed: str, either: str, quoted: str) -> None:
    """Names are listed, alternatives given, and typed text is quoted."""
    speak = get_language(code)
    assert (speak.listing(NAMES), speak.either("34"), speak.quote("x")) == (listed, either, quoted)


@pytest.mark.parametrize(
    ("code", "named", "written"),
    [
        ("sv", ["hjärter kung", "ruter 10", "spader ess"], ["K♥", "10♦", "E♠"]),
        ("en", ["king of hearts", "10 of diamonds", "ace of spades"], ["K♥", "10♦", "A♠"]),
        ("fi", ["herttakuningas", "ruutu 10", "pataässä"], ["K♥", "10♦", "A♠"]),
    ],
)
def test_cards(code: str, named: list[str], written: list[str]) -> None:
    """A card has a spoken name, and a written form that can be typed in again."""
    cards, speak = parse_cards("Kh 10d As 2c 3c")[:3], get_language(code)
    assert [card_name(card, speak) for card in cards] == named
    assert [write_card(card, speak) for card in cards] == written
    assert parse_cards(f"{' '.join(written)} 2c 3c")[:3] == cards


def test_no_value_is_inflected_in_finnish() -> None:
    """A name, a hand or a number has no case ending."""
    texts = load_texts("fi").values()
    forms = [form for text in texts for form in (text if isinstance(text, list) else [text])]
    assert [form for form in forms if ENDING.search(form)] == []
    assert sum("%(player)s" in form for form in forms) > 50


@pytest.mark.parametrize("code", CODES)
def test_a_terminal_is_spoken_to_in_its_language(code: str) -> None:
    """The setting of the terminal decides, with any country or encoding after the language."""
    assert from_environment({"LANG": f"{code}_XX.UTF-8"}).code == code
