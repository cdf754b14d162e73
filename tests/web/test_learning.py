"""Learning the game: an explanation of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given

from app.i18n.house_rules import EXAMPLES, example_hands, how_to_play
from app.i18n.language import CODES, get_language
from app.rules.hands import Hand, name_hand, parse_cards
from app.rules.presets import read_rules
from tests.rules.strategies import raw_rules
from tests.web.conftest import Seat
from tests.web.phone import Phone

RULES = {"preset": "vanlig", "target": 60, "exchange_stop": 47, "chicago_minimum": 13}


@pytest.fixture
def learner(seat: Seat, phone: Phone) -> Phone:
    """Return a phone at a table with its own numbers in the rules."""
    return seat(phone, rules=RULES)


def test_a_table_is_taught_with_its_own_numbers(learner: Phone) -> None:
    """The settings link to the explanation, which links back to the table."""
    learner.open(f"{learner.table}/settings")
    page = learner.follow("How Chicago is played")
    assert "The game is played to 60 points" in page.text
    assert "Whoever has 47 points or more may not exchange." in page.text
    assert "To bid Chicago a player needs 13 points." in page.text
    assert page.link("Back to the table").href == learner.table


def test_the_start_page_leads_to_the_rules_of_a_new_table_and_to_others(phone: Phone) -> None:
    """The explanation is there before any table; an unpublished rule set is not found."""
    (chosen,) = phone.open("/").soup.select("[name=preset][checked] + span b")
    page = phone.follow("How it is played")
    assert f"by these rules: {chosen.text}." in page.text
    assert "There are 3 exchanges" in page.text
    page = phone.follow("2 exchanges, exchange stop 42, blind Chicago")
    assert "There are 2 exchanges" in page.text
    phone.open("/how/nobodys")
    assert phone.answer.status_code == 404


@pytest.mark.parametrize(
    ("rule", "silent"), [("exchange_stop", "Exchange stop"), ("scored_hands", "Best hand:")]
)
def test_what_a_table_does_not_play_is_not_taught(rule: str, silent: str) -> None:
    """Without a stop, zeroing or hands that score, the explanation leaves them out."""
    raw: dict[str, object] = {"preset": "pagat", rule: {} if rule == "scored_hands" else None}
    taught = how_to_play(read_rules(raw)[1], get_language("en"))
    text = "\n".join(f"{title}: {text}" for title, text in taught)
    assert silent not in text
    assert "Zeroing" not in text


@given(raw=raw_rules())
def test_any_rules_are_taught_in_whole_sentences(raw: dict[str, object]) -> None:
    """In every language each chapter has a title, and a text with every value filled in."""
    rules = read_rules(raw)[1]
    for code in CODES:
        chapters = how_to_play(rules, get_language(code))
        assert all(title and text and "%(" not in text for title, text in chapters)
        assert len(example_hands(rules, get_language(code))) >= len(Hand) - 1


def test_every_example_is_the_hand_it_stands_for() -> None:
    """Each example has five cards, and the engine names them by that hand."""
    named = {hand: name_hand(parse_cards(cards)) for hand, cards in EXAMPLES.items()}
    assert named == {hand: hand for hand in Hand}
