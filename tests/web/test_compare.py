"""Hands compared: entered by taps, decided in one sentence, booked in one tap."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec
import pytest

from tests.rules.table import write_facts
from tests.web.conftest import Seat
from tests.web.evenings import without_times
from tests.web.pages import Page
from tests.web.phone import HTMX, Phone

KICKERS = {"ties": "kickers", "flush_suits": False}
KINGS = "Kd Kh 9s 7c 2d"
MORE_KINGS = "Kc Ks 9h 6c 3d"
EQUAL_KINGS = "Kc Ks 9h 7d 2c"
SEVENS = "7h 7s 3s 4s 5h"
NOTHING = "Ah Js 8c 6d 3h"
LESS = "Qh Jc 9d 5c 4s"
EQUAL = "equal card for card, and suits do not decide here: nobody scores."
FOURS = "4c 4d 4h 4s 8s"
KING_OF_HEARTS = {"ties": "suits", "suit_order": "hsdc"}
CLUBS = {"ties": "kickers", "flush_suits": True, "suit_order": "cdhs"}
NOBODY_SCORES = (
    "Anna and Bo are equal with pair, which scores for nobody here, whatever the other cards."
)


def ask(phone: Phone, entered: str = "", more: str = "", ticked: str = "") -> Page:
    """Return the answer to hands by seat (`1=Kh 2d|2=`), more fields, and ticked cards."""
    headers = phone.headers | (HTMX if phone.htmx else {})
    sent = [("card", card) for card in ticked.split()]
    for hand in entered.split("|") if entered else ():
        who, _, cards = hand.partition("=")
        sent += [("who", who), ("cards", cards)]
    address = f"{phone.table}/compare"
    query = f"{urlencode(sent)}&{more}"
    phone.answer = phone.client.get(address, query_string=query, headers=headers)
    answered = phone.answer.text
    # The answer for scripts is swapped into the form that is there already.
    phone.page = Page(f'<form action="{address}">{answered}</form>' if phone.htmx else answered)
    return phone.page


def held(page: Page) -> str:
    """Return the cards of every hand on the page, by seat, as its form holds them."""
    seats, inputs = page.elements("input[name=who]"), page.elements("input[name=cards]")
    pairs = zip(seats, inputs, strict=True)
    return "|".join(f"{seat['value']}={cards.get('value', '')}" for seat, cards in pairs)


def turn_of(page: Page) -> str:
    """Return the seat of the hand that is being filled, or nothing where it is still the same."""
    return "".join(turn["value"] for turn in page.elements("input[name=turn]"))


def recorded(phone: Phone) -> list[dict[str, object]]:
    """Return the events of the table's game, without their timestamps."""
    answer = phone.client.get(f"{phone.table}/games/1.json", headers=phone.headers)
    events: list[dict[str, object]] = without_times(msgspec.json.decode(answer.data))["events"]
    return events


@pytest.fixture
def table(either: Phone, seat: Seat) -> Phone:
    """Return a keeper's phone, once without scripts and once with them."""
    return seat(either)


def test_it_starts_with_two_hands_of_those_who_play(phone: Phone, seat: Seat) -> None:
    """Others who play can be added; a player who has left has no hand."""
    page = ask(seat(phone, "Bo leaves"))
    assert (held(page), turn_of(page)) == ("1=|3=", "1")
    assert [button.label for button in page.buttons if button.label[0] == "+"] == ["+ Dan"]


def test_there_is_a_cell_for_every_card(phone: Phone, seat: Seat) -> None:
    """All 52 cards are there once, the table's best suit first, aces first."""
    page = ask(seat(phone, rules={"suit_order": "dchs"}))
    codes = [tick["value"] for tick in page.elements("input[name=card]")]
    assert len(set(codes)) == 52
    assert [*codes[:2], codes[-1]] == ["Ad", "Kd", "2s"]


@pytest.mark.parametrize(
    ("before", "ticked", "more", "after", "turn"),
    [
        ("1=Kh|2=", "Kh 2d", "turn=1", "1=Kh 2d|2=", "same"),
        ("1=Kh 2d|2=", "2d", "turn=1", "1=2d|2=", "same"),
        ("1=|2=", KINGS, "turn=1", f"1={KINGS}|2=", "2"),
        (f"1={KINGS}|2=", KINGS, "turn=1&next=", f"1={KINGS}|2=", "2"),
        ("1=|2=", "Kh", "turn=1&fill=4", "1=Kh|2=|4=", "4"),
        ("1=|2=|3=", KINGS, "turn=2", f"1=|2={KINGS}|3=", "3"),
        ("1=|2=|3=Kh", "", "turn=1&drop=3", "1=|2=|3=", "3"),
        ("1=|2=|3=", "", "turn=3&drop=3", "1=|2=", "1"),
        ("1=|2=", "", "turn=1&drop=2", "1=|2=", "2"),
    ],
)
def test_hands_are_filled_by_taps(
    table: Phone, before: str, ticked: str, more: str, after: str, turn: str
) -> None:
    """Ticked cards belong to the hand being filled; five bring the next that lacks cards.

    Cards are put back, and hands removed, down to two. While the cards that a phone shows are
    still right, the answer for scripts holds no others.
    """
    page = ask(table, before, more, ticked)
    assert held(page) == after
    if turn == "same":
        assert turn_of(page) == ("" if table.htmx else "1")
        return
    assert turn_of(page) == turn
    dimmed = page.elements("input[name=card][aria-disabled]")
    others = [hand[2:] for hand in after.split("|") if hand[0] != turn]
    assert {tick["value"] for tick in dimmed} == set(" ".join(others).split())


@pytest.mark.parametrize(
    ("turn", "ticked", "after", "told"),
    [
        ("2", MORE_KINGS, f"1={KINGS}|2={MORE_KINGS}", "Anna wins: the seven decides."),
        ("2", "3d Kh", f"1={KINGS}|2=3d", "Anna already has the king of hearts."),
        (
            *("1", f"{KINGS} 3s", f"1={KINGS}|2=3d"),
            "Anna has five cards; tap one of them to take it back first.",
        ),
    ],
)
def test_the_last_card_tells_who_wins_and_one_too_many_is_refused(
    table: Phone, turn: str, ticked: str, after: str, told: str
) -> None:
    """A card of another hand stays there, and a full hand keeps its cards."""
    page = ask(table, f"1={KINGS}|2=3d", f"turn={turn}", ticked)
    assert page.announcement == told
    assert table.answer.status_code == (200 if "wins" in told else 422)
    assert held(page) == after


@pytest.mark.parametrize(("third", "told"), [("", "Anna wins: the seven decides."), ("Ah", "")])
def test_an_empty_hand_takes_no_part_and_a_half_filled_one_is_waited_for(
    table: Phone, third: str, told: str
) -> None:
    """A hand without cards is left out; while a hand lacks cards nobody wins."""
    assert ask(table, f"1={KINGS}|2={MORE_KINGS}|3=", "turn=3", third).announcement == told


@pytest.mark.parametrize(
    ("query", "hands"),
    [
        ("1=K♦ kh9s 7♣ 2♦|2=kn♠ D♥ E♦ 10c 9h", f"1={KINGS}|2=Ad Qh Js 10c 9h"),
        ("1=Ac As 4d 4h 8s 9s|2=", "1=Ac As 4d 4h 8s|2="),
        ("1=Ac As 4d 4h 8s|2=Ac Kh 9s 7c 2d", "1=|2="),
        ("1=Anna had nothing|2=Kd Kh 9s 7c 2d", "1=|2="),
    ],
)
def test_hands_that_were_typed_once_are_tapped_on(table: Phone, query: str, hands: str) -> None:
    """An old address shows its hands; where they cannot be, two empty ones."""
    page = ask(table, query, "mode=type")
    assert table.answer.status_code == 200
    assert held(page) == hands
    assert turn_of(page)


@pytest.mark.parametrize(
    "nonsense",
    [
        "turn=9",
        "who=0&cards=Kh",
        "who=%C2%B2&cards=%00",
        f"who=1&cards=Kh&turn=1&card={'x' * 3000}",
        "who=1&cards=Kh+Kh+Kh&turn=2&drop=7&mode=fly",
    ],
)
def test_nonsense_is_answered(keeper: Phone, nonsense: str) -> None:
    """Any query is answered with the page."""
    page = ask(keeper, "", nonsense)
    assert keeper.answer.status_code == 200
    assert held(page)


@pytest.mark.parametrize(
    ("rules", "hands", "told"),
    [
        (KICKERS, f"1={KINGS}|2=Qc Qs Ah 7d 2c", "Anna wins: the king decides."),
        (KICKERS, f"1={KINGS}|2=3c 3s 2h 2s 4c", "Bo wins: two pairs beats pair."),
        (KICKERS, f"1={KINGS}|2={NOTHING}", "Anna wins: nobody else has a combination."),
        (KICKERS, f"1={KINGS}|2={EQUAL_KINGS}", f"Anna and Bo are {EQUAL}"),
        (KICKERS, f"1={NOTHING}|2={LESS}", "Nobody has a combination: nobody scores."),
        ({"ties": "same_type"}, f"1={KINGS}|2={SEVENS}", NOBODY_SCORES),
        (
            *(KING_OF_HEARTS, f"1={KINGS}|2={EQUAL_KINGS}"),
            "Anna wins: the suit decides, king of hearts.",
        ),
        (
            *(CLUBS, "1=10h 9h 8h 7h 6h|2=10c 9c 8c 7c 6c"),
            "Bo wins: the suit decides, 10 of clubs.",
        ),
    ],
)
def test_one_sentence_tells_who_wins_and_why(
    seat: Seat, phone: Phone, rules: dict[str, object], hands: str, told: str
) -> None:
    """The sentence names the winner and the deciding card, or the reason why nobody scores."""
    assert ask(seat(phone, rules=rules), hands).announcement == told


def test_every_hand_is_named_and_the_card_that_decides_is_marked(phone: Phone, seat: Seat) -> None:
    """Of all the cards on the page, only the deciding card is marked."""
    page = ask(seat(phone, rules=KICKERS), f"1={KINGS}|2=Kc Ks 9h 6d 2c|3={LESS}")
    assert page.elements("span.decides") == [{"class": "c decides"}]
    assert [name in page.text for name in ("Pair", "no combination")] == [True] * 2


@pytest.mark.parametrize(
    ("hands", "label", "event"),
    [
        (f"1={NOTHING}|2={KINGS}", "Write: Bo pair", "Bo pair"),
        (f"1={KINGS}|2={NOTHING}|4={SEVENS}", "Write", "tie pair Anna Dan"),
        (f"1={NOTHING}|2={LESS}", "Write", "nobody"),
    ],
)
def test_the_outcome_is_booked_in_one_tap(
    either: Phone, seat: Seat, hands: str, label: str, event: str
) -> None:
    """The button books the winner's hand, equal hands with the tied players, or nobody.

    The button belongs to the form that records.
    """
    page = ask(seat(either, rules={"ties": "same_type"}), hands)
    (button,) = [button for button in page.buttons if button.label.startswith(label)]
    assert button.attributes["form"] == "book"
    address = f"{either.table}/events"
    assert either.htmx or page.form(address).method == "post"
    either.send(address, [("seq", page.seq), (button.name, button.value)], plain=True)
    assert either.answer.status_code == 303
    assert recorded(either) == msgspec.json.decode(msgspec.json.encode(write_facts(event)))


def test_a_hand_that_asks_leads_to_its_question(keeper: Phone) -> None:
    """The choice to score or to zero, and the victim, are asked for on the sheet of the hand."""
    page = ask(keeper, f"1={KINGS}|3={FOURS}")
    assert page.announcement == "Cilla wins: four of a kind beats pair."
    view = keeper.open(page.link("Write: Cilla four of a kind …").href)
    assert "Cilla: four of a kind" in view.text
    keeper.press("Zero all the others")
    assert recorded(keeper)[0]["choose"] == "zero"


def test_nothing_is_offered_to_book_by_a_reader_or_while_no_hand_is_due(
    phone: Phone, seat: Seat, reader: Phone
) -> None:
    """The page compares hands, and has no button to record."""
    for asking in (reader, seat(phone, "no hands")):
        page = ask(asking, f"1={KINGS}|2={SEVENS}")
        assert page.announcement == "Anna wins: the king decides."
        assert "Write: Anna pair" not in page.text


def test_equal_hands_score_where_the_table_plays_that(phone: Phone, seat: Seat) -> None:
    """Nobody is told that nobody scores."""
    rules = {**KICKERS, "scored_hands": {"1": "equal"}}
    page = ask(seat(phone, rules=rules), f"1={KINGS}|2=Kc Ks 9d 7h 2s")
    assert page.announcement == "Anna and Bo are equal with pair: each of them scores."


def test_where_everybodys_own_hand_scores_no_best_one_is_booked(phone: Phone, seat: Seat) -> None:
    """What one tap would book as the best, or as nobody's, would be the others' too."""
    rules = {**KICKERS, "scored_hands": {"1": "everyone"}}
    page = ask(seat(phone, rules=rules), f"1={KINGS}|2={SEVENS}")
    assert page.announcement == "Anna wins: the king decides."
    assert "Write:" not in page.text
