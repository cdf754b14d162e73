"""Hands are entered by tapping cards or by typing them, and nothing entered is ever lost."""

from __future__ import annotations

import pytest

from tests.web.comparing import ask, hands, held, tapping, ticks, turn_of
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone

KINGS = "Kd Kh 9s 7c 2d"
MORE_KINGS = "Kc Ks 9h 6c 3d"
LEAVES: dict[str, object] = {"event": "leaves", "player": "Bo"}


@pytest.fixture
def table(either: Phone, seat: Seat) -> Phone:
    """Return the phone of a keeper, with and without scripts."""
    return seat(either)


def test_it_starts_with_two_hands(keeper: Phone) -> None:
    """The first two who play have a hand each, the others can be added."""
    page = ask(keeper)
    assert held(page) == {"1": "", "2": ""}
    assert turn_of(page) == "1"
    assert [button.label for button in page.buttons if button.label.startswith("+")] == [
        "+ Cilla",
        "+ Dan",
    ]


def test_only_those_who_play_are_offered(phone: Phone, seat: Seat) -> None:
    """A player who has left has no hand."""
    page = ask(seat(phone, LEAVES))
    assert held(page) == {"1": "", "3": ""}
    assert not page.has("+ Bo")


def test_there_is_a_cell_for_every_card(phone: Phone, seat: Seat) -> None:
    """All 52 cards are there once, the table's best suit first, aces first."""
    codes = [tick["value"] for tick in ticks(ask(seat(phone, rules={"suit_order": "dchs"})))]
    assert len(set(codes)) == 52
    assert codes[:2] == ["Ad", "Kd"]
    assert codes[-1] == "2s"


def test_a_ticked_card_is_in_the_hand(table: Phone) -> None:
    """Ticked cards are those of the hand being filled; a card without its tick goes back."""
    page = ask(table, *tapping({"1": "Kh", "2": ""}, "1", "Kh 2d"))
    assert held(page) == {"1": "Kh 2d", "2": ""}
    assert held(ask(table, *tapping(held(page), "1", "2d"))) == {"1": "2d", "2": ""}


def test_five_cards_move_on_to_the_next_hand(table: Phone) -> None:
    """The fifth card brings the next hand that lacks cards; the last one stays."""
    page = ask(table, *tapping({"1": "", "2": ""}, "1", KINGS))
    assert held(page) == {"1": KINGS, "2": ""}
    assert turn_of(page) == "2"
    assert {tick["value"] for tick in ticks(page) if "aria-disabled" in tick} == set(KINGS.split())
    page = ask(table, *tapping(held(page), "2", MORE_KINGS))
    assert held(page) == {"1": KINGS, "2": MORE_KINGS}
    assert page.announcement == "Anna wins: the seven decides."


def test_a_card_of_another_hand_is_refused(table: Phone) -> None:
    """A card that another hand holds stays there; the sentence says whose it is."""
    page = ask(table, *tapping({"1": KINGS, "2": "3d"}, "2", "3d Kh"))
    assert table.answer.status_code == 422
    assert "Anna has the king of hearts already." in page.text
    assert held(page) == {"1": KINGS, "2": "3d"}


def test_a_sixth_card_is_refused(table: Phone) -> None:
    """A full hand takes no more cards, and keeps those it has."""
    page = ask(table, *tapping({"1": KINGS, "2": ""}, "1", f"{KINGS} 3s"))
    assert table.answer.status_code == 422
    assert "Anna has five cards; tap one of them to take it back first." in page.text
    assert held(page) == {"1": KINGS, "2": ""}


def test_a_hand_can_be_chosen_and_added(table: Phone) -> None:
    """A tap on a player's hand fills that one; a player not there yet is added."""
    page = ask(table, *tapping({"1": "", "2": ""}, "1", "Kh", ("fill", "4")))
    assert held(page) == {"1": "Kh", "2": "", "4": ""}
    assert turn_of(page) == "4"


def test_cards_are_put_back_and_hands_put_away(table: Phone) -> None:
    """A hand's cards go back with one tap; without cards it goes away, down to two hands."""
    three = {"1": "", "2": "", "3": "Kh"}
    page = ask(table, *tapping(three, "1", "", ("drop", "3")))
    assert held(page) == {"1": "", "2": "", "3": ""}
    page = ask(table, *tapping(held(page), "3", "", ("drop", "3")))
    assert held(page) == {"1": "", "2": ""}
    assert turn_of(page) == "1"
    assert held(ask(table, *tapping(held(page), "1", "", ("drop", "2")))) == {"1": "", "2": ""}


def test_an_empty_hand_takes_no_part(table: Phone) -> None:
    """Whoever got no cards is left out of the comparison."""
    page = ask(table, *tapping({"1": KINGS, "2": "", "3": MORE_KINGS}, "3", MORE_KINGS))
    assert page.announcement == "Anna wins: the seven decides."


def test_a_half_filled_hand_is_waited_for(table: Phone) -> None:
    """While a hand lacks cards nobody wins."""
    full = {"1": KINGS, "2": MORE_KINGS, "3": ""}
    assert ask(table, *tapping(full, "3", "Ah")).announcement == ""


def test_hands_are_typed_as_players_write(table: Phone) -> None:
    """Letters or symbols, with spaces or without, make the same hand."""
    page = ask(table, *hands({"1": "K♦ kh9s 7♣ 2♦", "2": "kn♠ D♥ E♦ 10c 9h"}))
    assert held(page) == {"1": KINGS, "2": "Ad Qh Js 10c 9h"}
    assert page.announcement == "Anna wins: nobody else has a combination."


@pytest.mark.parametrize(
    ("typing", "reason"),
    [
        ("Kd Kh 9s 7c", "Bo: A hand is five cards, not 4: Kd Kh 9s 7c."),
        ("Ac Kh 9s 7c 2d", "Bo: Ac is dealt twice."),
    ],
)
def test_what_cannot_be_a_hand_stays_in_its_field(table: Phone, typing: str, reason: str) -> None:
    """One sentence says whose hand is wrong and how; what was typed is still there."""
    page = ask(table, *hands({"1": "Ac As 4d 4h 8s", "2": typing}))
    assert table.answer.status_code == 422
    assert reason in page.text
    assert held(page) == {"1": "Ac As 4d 4h 8s", "2": typing}
    assert turn_of(page) is None


def test_cards_are_written_in_the_language_of_the_phone(seat: Seat, new_phone: NewPhone) -> None:
    """In Swedish the court cards have Swedish letters, and can be read back."""
    swede = seat(new_phone(language="sv"))
    page = ask(swede, *tapping({"1": "", "2": ""}, "1", "Ac Ks Qh Jd", ("mode", "type")))
    assert held(page)["1"] == "E♣ K♠ D♥ Kn♦"
    assert held(ask(swede, *hands(held(page)), ("mode", "tap")))["1"] == "Ac Ks Qh Jd"


@pytest.mark.parametrize(
    "nonsense",
    [
        [("turn", "9")],
        [("who", "0"), ("cards", "Kh")],
        [("who", "²"), ("cards", "\0")],
        [("who", "1"), ("cards", "Kh"), ("turn", "1"), ("card", "x" * 3000)],
        [("who", "1"), ("cards", "Kh Kh Kh"), ("turn", "2"), ("drop", "7"), ("mode", "fly")],
    ],
)
def test_nonsense_is_answered(keeper: Phone, nonsense: list[tuple[str, str]]) -> None:
    """Whatever an address asks, the page comes back."""
    page = ask(keeper, *nonsense)
    assert keeper.answer.status_code in (200, 422)
    assert held(page)
