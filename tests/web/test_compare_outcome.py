"""The better hand is named under this table's rules, told in a sentence, and booked in one tap."""

from __future__ import annotations

import json

import pytest

from tests.web.comparing import ask, hands
from tests.web.conftest import Seat
from tests.web.pages import Button, Page
from tests.web.phone import Phone

KICKERS = {"ties": "kickers", "flush_suits": False}
KINGS = "Kd Kh 9s 7c 2d"
EQUAL_KINGS = "Kc Ks 9h 7d 2c"
SEVENS = "7h 7s 3s 4s 5h"
NOTHING = "Ah Js 8c 6d 3h"
EQUAL = "equal card for card, and the suit does not decide here: nobody scores."
FOURS = "4c 4d 4h 4s 8s"


def booking(page: Page) -> Button:
    """Return the button that writes the outcome down."""
    buttons = [button for button in page.buttons if button.label.startswith("Write")]
    assert len(buttons) == 1
    return buttons[0]


def book(phone: Phone) -> Page:
    """Press that button: it belongs to the form that records."""
    button = booking(phone.page)
    assert button.attributes["form"] == "book"
    address = f"{phone.table}/events"
    assert phone.htmx or phone.page.form(address).method == "post"
    data = [("seq", phone.page.seq), (button.name, button.value)]
    return phone.send(address, data, plain=True)


def recorded(phone: Phone) -> list[dict[str, object]]:
    """Return the events of the table's game, without the times they were recorded at."""
    answer = phone.client.get(f"{phone.table}/games/1.json", headers=phone.headers)
    events: list[dict[str, object]] = json.loads(answer.text)["events"]
    return [{key: event[key] for key in event if key != "at"} for event in events]


@pytest.mark.parametrize(
    ("rules", "anna", "bo", "told"),
    [
        (KICKERS, KINGS, "Qc Qs Ah 7d 2c", "Anna wins: the king decides."),
        (KICKERS, KINGS, "3c 3s 2h 2s 4c", "Bo wins: two pairs beats pair."),
        (KICKERS, KINGS, NOTHING, "Anna wins: nobody else has a combination."),
        (KICKERS, "Qh Jc 9d 5c 4s", NOTHING, "Nobody has a combination: nobody scores."),
        (KICKERS, KINGS, EQUAL_KINGS, f"Anna and Bo are {EQUAL}"),
        (
            {"ties": "same_type"},
            KINGS,
            SEVENS,
            "Anna and Bo have pair, and here that scores for nobody, whatever the other cards.",
        ),
        (
            {"ties": "suits", "suit_order": "hsdc"},
            KINGS,
            EQUAL_KINGS,
            "Anna wins: the suit decides, king of hearts.",
        ),
        (
            {"ties": "kickers", "flush_suits": True, "suit_order": "cdhs"},
            "10h 9h 8h 7h 6h",
            "10c 9c 8c 7c 6c",
            "Bo wins: the suit decides, 10 of clubs.",
        ),
    ],
)
def test_one_sentence_tells_who_wins_and_why(
    seat: Seat, phone: Phone, rules: dict[str, object], anna: str, bo: str, told: str
) -> None:
    """The sentence names the winner and the card that decides, or why nobody scores here."""
    seat(phone, rules=rules)
    assert ask(phone, *hands({"1": anna, "2": bo})).announcement == told


def test_every_hand_is_named(keeper: Phone) -> None:
    """Beside every full hand stands what it is."""
    page = ask(keeper, *hands({"1": KINGS, "2": NOTHING, "3": "Qc Qs Qd 5c 5s"}))
    for name in ("Pair", "no combination", "Full house"):
        assert name in page.text


def test_the_card_that_decides_is_marked(phone: Phone, seat: Seat) -> None:
    """Of all the cards drawn, only the one that decides stands out."""
    page = ask(seat(phone, rules=KICKERS), *hands({"1": KINGS, "2": "Kc Ks 9h 6d 2c"}))
    assert page.elements("span.decides") == [{"class": "card c decides"}]


def test_the_winner_is_booked_in_one_tap(either: Phone, seat: Seat) -> None:
    """The winner's hand is written as the best hand that is due."""
    keeper = seat(either)
    ask(keeper, *hands({"1": NOTHING, "2": KINGS}))
    assert booking(keeper.page).label == "Write: Bo pair"
    book(keeper)
    assert keeper.answer.status_code == 303
    assert recorded(keeper) == [{"event": "best_hand", "player": "Bo", "hand": "pair"}]


def test_a_tie_is_booked_with_who_tied(either: Phone, seat: Seat) -> None:
    """Equal hands are written with the hand and with those who must show it."""
    keeper = seat(either, rules={"ties": "same_type"})
    ask(keeper, *hands({"1": KINGS, "2": NOTHING, "4": SEVENS}))
    book(keeper)
    tie = {"event": "no_best_hand", "hand": "pair", "tied": ["Anna", "Dan"]}
    assert recorded(keeper) == [tie]


def test_hands_without_a_combination_are_booked_as_nobodys(keeper: Phone) -> None:
    """Where nobody has anything, nobody is written."""
    ask(keeper, *hands({"1": NOTHING, "2": "Qh Jc 9d 5c 4s"}))
    book(keeper)
    assert recorded(keeper) == [{"event": "no_best_hand"}]


def test_a_hand_that_asks_leads_to_its_question(phone: Phone, seat: Seat) -> None:
    """Score or zero, and whom: that is answered on the sheet made for it."""
    page = ask(seat(phone), *hands({"1": KINGS, "3": FOURS}))
    assert page.announcement == "Cilla wins: four of a kind beats pair."
    link = page.link("Write: Cilla four of a kind …")
    view = phone.open(link.href)
    phone.press("Zero all the others")
    assert "Cilla: four of a kind" in view.text
    assert recorded(phone)[0]["choose"] == "zero"


def test_nothing_is_offered_to_book_while_no_hand_is_due(phone: Phone, seat: Seat) -> None:
    """During the play hands can be compared, and that is all."""
    nobody: dict[str, object] = {"event": "no_best_hand"}
    page = ask(seat(phone, nobody, nobody), *hands({"1": KINGS, "2": SEVENS}))
    assert page.announcement == "Anna wins: the king decides."
    assert not page.has("Write: Anna pair")


def test_readers_compare_and_write_nothing(reader: Phone) -> None:
    """Whoever lacks the pen sees who wins, and no button to write it."""
    page = ask(reader, *hands({"1": KINGS, "2": SEVENS}))
    assert page.announcement == "Anna wins: the king decides."
    assert not page.has("Write: Anna pair")


def test_what_somebody_else_recorded_first_stands(keeper: Phone) -> None:
    """A comparison from before a change of the table is not booked into another hand."""
    ask(keeper, *hands({"1": KINGS, "2": SEVENS}))
    compared = keeper.page
    nobody = {"seq": compared.seq, "event": '{"event":"no_best_hand"}'}
    keeper.send(f"{keeper.table}/events", nobody)
    keeper.page = compared
    book(keeper)
    assert keeper.answer.status_code == 409
    assert recorded(keeper) == [{"event": "no_best_hand"}]
