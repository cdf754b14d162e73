"""Who has never played learns the game: how it is played, and a sample game to step through."""

from __future__ import annotations

from bs4 import Tag
from hypothesis import given

from app.i18n.how_to import EXAMPLES, example_hands, how_to_play
from app.i18n.language import CODES, get_language
from app.rules.cards import parse_cards
from app.rules.hands import Hand, name_hand
from app.rules.house import HouseRules
from app.rules.presets import PRESETS, read_rules
from app.rules.sample import play_sample
from tests.rules.strategies import raw_rules
from tests.web.conftest import Seat
from tests.web.phone import Phone

RULES = {"preset": "vanlig", "target": 60, "exchange_stop": 47, "chicago_minimum": 13}


def text_of(rules: HouseRules, code: str = "en") -> str:
    """Return how a table plays, as one text."""
    return "\n".join(f"{title}: {text}" for title, text in how_to_play(rules, get_language(code)))


def test_a_table_is_taught_with_its_own_numbers(seat: Seat, phone: Phone) -> None:
    """From the table's settings, and back to the table."""
    seat(phone, rules=RULES)
    phone.open(f"{phone.table}/settings")
    page = phone.follow("How Chicago is played")
    assert "Whoever has 60 points or more when a deal ends can win" in page.text
    assert "Whoever has 47 points or more may not exchange." in page.text
    assert "To bid Chicago a player needs 13 points." in page.text
    assert page.link("Back").href == phone.table


def test_the_start_page_leads_to_the_rules_of_a_new_table_and_to_others(phone: Phone) -> None:
    """Also before there is any table; rules that nobody published are not found."""
    (chosen,) = phone.open("/").soup.select("[name=preset][checked] + span b")
    page = phone.follow("How Chicago is played")
    assert f"by these rules: {chosen.text}." in page.text
    assert "There are 3 exchanges" in page.text
    assert (
        "There are 2 exchanges" in phone.follow("2 exchanges, exchange stop 42, blind Chicago").text
    )
    phone.open("/how/nobodys")
    assert phone.answer.status_code == 404
    phone.open("/sample/nobodys/2")
    assert phone.answer.status_code == 404


def test_what_a_table_does_not_play_is_not_taught() -> None:
    """Without a stop and without zeroing nothing is said of them."""
    text = text_of(read_rules({"preset": "pagat", "exchange_stop": None})[1])
    assert "Exchange stop" not in text
    assert "Zeroing" not in text
    assert "Best hand:" not in text_of(read_rules({"preset": "pagat", "scored_exchanges": []})[1])


@given(raw=raw_rules())
def test_any_rules_are_taught_in_whole_sentences(raw: dict[str, object]) -> None:
    """In every language, with every value filled in; no chapter is empty but what it is about."""
    rules = read_rules(raw)[1]
    for code in CODES:
        chapters = how_to_play(rules, get_language(code))
        assert all(title and text and "%(" not in text for title, text in chapters)
        assert len(example_hands(rules, get_language(code))) >= len(Hand) - 1


def test_every_example_is_the_hand_it_stands_for() -> None:
    """Five cards, and the engine calls them so."""
    assert set(EXAMPLES) == set(Hand)
    assert {hand: name_hand(parse_cards(cards)) for hand, cards in EXAMPLES.items()} == {
        hand: hand for hand in Hand
    }


def test_a_sample_game_is_walked_through_by_addresses(seat: Seat, phone: Phone) -> None:
    """Forward to the end and a step back, by links alone; nothing at the table changes."""
    seat(phone, rules=RULES)
    before = phone.open(phone.table).seq
    phone.open(f"{phone.table}/how")
    page, step = phone.follow("A sample game, step by step"), 1
    while page.has("Next"):
        page, step = phone.follow("Next"), step + 1
        assert f"Step {step} of" in page.text
    assert "wins with" in page.text
    assert page.link("Now play yourselves").href == phone.table
    assert f"Step {step - 1} of {step}" in phone.follow("Back").text
    assert "Step 1 of" in phone.follow("From the beginning").text
    assert phone.open(phone.table).seq == before


def test_every_step_leads_to_its_rule(seat: Seat, phone: Phone) -> None:
    """The part of the rule page in which the rule stands, word for word."""
    seat(phone, rules=RULES)
    rules = phone.open(f"{phone.table}/rules").soup
    phone.open(f"{phone.table}/sample")
    for number in range(2, 20):
        for link in phone.page.soup.select("a.way-in"):
            page, _, anchor = str(link["href"]).partition("#")
            assert page == f"{phone.table}/rules"
            part = rules.find(id=anchor)
            assert isinstance(part, Tag)
            assert link.text.strip() in part.text
        phone.open(f"{phone.table}/sample/{number}")


def test_the_step_says_what_was_asked_and_what_came_of_it(phone: Phone) -> None:
    """Who has too few points may not bid, and who zeroes takes the others' scores."""
    asked = phone.open("/sample/vanlig/4")
    assert "Anna would like to bid Chicago" in asked.text
    assert "Anna may not bid Chicago: 0 points, 15 needed." in asked.text
    lessons = play_sample("vanlig", PRESETS["vanlig"], 100)
    zeroing = next(at for at, each in enumerate(lessons, 1) if each.code == "choice")
    page = phone.open(f"/sample/vanlig/{zeroing}")
    assert "may score 7 or zero" in page.text
    lost = lessons[zeroing - 1].before.score("Cilla")
    assert f"−{lost}" in [tag.text for tag in page.soup.select(".difference")]


def test_a_step_beyond_the_last_leads_to_the_last(phone: Phone) -> None:
    """As where the rules have changed since somebody kept the address."""
    phone.open("/sample/pagat/999")
    assert phone.answer.status_code == 303
    assert "wins with" in phone.open(phone.answer.location).text
    phone.open("/sample/pagat/0")
    assert phone.answer.status_code == 303
