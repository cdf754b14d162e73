"""Learning the game: an explanation of the rules, and a sample game to step through."""

from __future__ import annotations

import pytest
from bs4 import Tag
from hypothesis import given

from app.i18n.how_to import EXAMPLES, example_hands, how_to_play
from app.i18n.language import CODES, get_language
from app.rules.cards import parse_cards
from app.rules.hands import Hand, name_hand
from app.rules.presets import PRESETS, read_rules
from app.rules.sample import play_sample
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
    assert "Whoever has 60 points or more when a deal ends can win" in page.text
    assert "Whoever has 47 points or more may not exchange." in page.text
    assert "To bid Chicago a player needs 13 points." in page.text
    assert page.link("Back").href == learner.table


def test_the_start_page_leads_to_the_rules_of_a_new_table_and_to_others(phone: Phone) -> None:
    """The explanation is there before any table; an unpublished rule set is not found."""
    (chosen,) = phone.open("/").soup.select("[name=preset][checked] + span b")
    page = phone.follow("How Chicago is played")
    assert f"by these rules: {chosen.text}." in page.text
    assert "There are 3 exchanges" in page.text
    page = phone.follow("2 exchanges, exchange stop 42, blind Chicago")
    assert "There are 2 exchanges" in page.text
    for address in ("/how/nobodys", "/sample/nobodys/2"):
        phone.open(address)
        assert phone.answer.status_code == 404


@pytest.mark.parametrize(
    ("rule", "silent"), [("exchange_stop", "Exchange stop"), ("scored_exchanges", "Best hand:")]
)
def test_what_a_table_does_not_play_is_not_taught(rule: str, silent: str) -> None:
    """Without a stop, zeroing or hands that score, the explanation leaves them out."""
    raw: dict[str, object] = {"preset": "pagat", rule: [] if rule == "scored_exchanges" else None}
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


def test_a_sample_game_is_walked_through_by_addresses(learner: Phone) -> None:
    """Links alone lead forward to the end and a step back; nothing at the table changes.

    Every step links to the part of the rule page with the rule, word for word.
    """
    before = learner.home().seq
    rules = learner.open(f"{learner.table}/rules").soup
    learner.open(f"{learner.table}/how")
    page, step, ways = learner.follow("A sample game, step by step"), 1, 0
    while page.has("Next"):
        for link in page.soup.select("a.way-in"):
            address, _, anchor = str(link["href"]).partition("#")
            assert address == f"{learner.table}/rules"
            part = rules.find(id=anchor)
            assert isinstance(part, Tag)
            assert link.text.strip() in part.text
            ways += 1
        page, step = learner.follow("Next"), step + 1
        assert f"Step {step} of" in page.text
    assert ways
    assert "wins with" in page.text
    assert page.link("Now play yourselves").href == learner.table
    assert f"Step {step - 1} of {step}" in learner.follow("Back").text
    assert "Step 1 of" in learner.follow("From the beginning").text
    assert learner.home().seq == before


def test_the_step_says_what_was_asked_and_what_came_of_it(phone: Phone) -> None:
    """A player with too few points may not bid; one who zeroes takes the others' scores."""
    asked = phone.open("/sample/vanlig/4").text
    assert "Anna would like to bid Chicago" in asked
    assert "Anna may not bid Chicago: 0 points, 15 needed." in asked
    lessons = play_sample("vanlig", PRESETS["vanlig"], 100)
    zeroing = next(at for at, each in enumerate(lessons, 1) if each.code == "choice")
    page = phone.open(f"/sample/vanlig/{zeroing}")
    assert "may score 7 or zero" in page.text
    lost = lessons[zeroing - 1].before.score("Cilla")
    assert f"−{lost}" in [tag.text for tag in page.soup.select(".difference")]


@pytest.mark.parametrize("step", [0, 999])
def test_a_step_that_is_none_leads_to_the_last(phone: Phone, step: int) -> None:
    """An address kept from before a change of rules is redirected to the last step."""
    phone.open(f"/sample/pagat/{step}")
    assert phone.answer.status_code == 303
    assert "wins with" in phone.open(phone.answer.location).text
