"""The form for a new table: seats, dealer and stake, by buttons alone."""

from __future__ import annotations

from unittest.mock import patch

import msgspec
import pytest

from app.rules.names import MAX_PLAYERS
from tests.web.pages import Form
from tests.web.phone import Phone


def form(phone: Phone) -> Form:
    """Return the form for a new table."""
    return phone.page.form("/")


def names(phone: Phone) -> list[str]:
    """Return the names in the seats."""
    return form(phone).values("player")


def seat_names(phone: Phone, *players: str) -> None:
    """Type names into the seats."""
    phone.open("/")
    form(phone).fill_each("player", list(players))


def game(phone: Phone) -> dict[str, object]:
    """Return the file of the new game."""
    phone.open(f"{phone.table}/games/1.json")
    read: dict[str, object] = msgspec.json.decode(phone.answer.data)
    return read


def seated(phone: Phone) -> list[str]:
    """Return the names in the seats, which are eight; nobody sits behind an empty seat."""
    held = names(phone)
    assert len(held) == MAX_PLAYERS
    return held[: held.index("")] if "" in held else held


def test_a_player_is_taken_away(either: Phone) -> None:
    """The other players close up and keep their names."""
    seat_names(either, "Anna", "Bo", "Cilla")
    either.press("Remove 2")
    assert seated(either) == ["Anna", "Cilla"]
    either.press("Remove Anna")
    assert seated(either) == ["Cilla"]


def test_a_player_moves_up(either: Phone) -> None:
    """Seating order is changed seat by seat, from either end."""
    seat_names(either, "Anna", "Bo", "Cilla", "Dan")
    either.press("Move 3 up")
    assert seated(either) == ["Anna", "Cilla", "Bo", "Dan"]
    either.press("Move Cilla up")
    assert seated(either) == ["Cilla", "Anna", "Bo", "Dan"]
    assert not either.page.has("Move Cilla up")


def test_the_dealers_mark_goes_along(either: Phone) -> None:
    """The dealer's mark moves with the seat of the dealer."""
    seat_names(either, "Anna", "Bo", "Cilla", "Dan")
    form(either).fill("dealer", "2")
    either.press("Move 3 up")
    assert form(either).values("dealer") == ["1"]
    either.press("Remove Anna")
    assert form(either).values("dealer") == ["0"]
    either.press("Remove Cilla")
    assert form(either).values("dealer") == ["draw"]


def test_whoever_deals_first_is_chosen(phone: Phone) -> None:
    """A chosen dealer deals, with or without empty seats before."""
    seat_names(phone, "", "Anna", "", "Bo")
    form(phone).fill("dealer", "3")
    phone.press("Start the game")
    assert game(phone)["players"] == ["Anna", "Bo"]
    assert game(phone)["dealer"] == "Bo"


def test_the_first_dealer_is_drawn_among_all(phone: Phone) -> None:
    """Without a choice any player may be drawn, by a secure source; the table reports the draw."""
    drawn = set()
    for n in range(3):
        seat_names(phone, "Anna", "Bo", "Cilla", *["Dan", "Eva"][:n])
        with patch("app.web.setup.draft.secrets.choice", lambda players, n=n: players[n]):
            told = phone.press("Start the game").announcement
        dealer = str(game(phone)["dealer"])
        assert f"{dealer} was drawn" in told
        drawn.add(dealer)
    assert drawn == {"Anna", "Bo", "Cilla"}


@pytest.mark.parametrize(("currency", "ore"), [("SEK", 100), ("EUR", 10)])
def test_a_usual_stake_takes_one_tap(phone: Phone, currency: str, ore: int) -> None:
    """One tap chooses one krona or ten cents, or no stake, over any typed stake."""
    for point, worth in {f"{ore / 100:g} {currency}".replace(".", ","): ore, "0": 0}.items():
        sent = {
            "player": ["Anna", "Bo"],
            "apart": "1",
            "point": point,
            "stake": "7",
            "currency": currency,
        }
        phone.send("/", sent)
        assert game(phone)["stake_ore"] == worth


@pytest.mark.parametrize("second", ["anna", "An na"])
def test_names_that_look_alike_are_asked_about_once(phone: Phone, second: str) -> None:
    """The same names sent again are two people; other similar names are asked about anew."""
    seat_names(phone, "Anna", second)
    phone.press("Start the game")
    form(phone).fill_each("player", ["Bo", "BO"])
    said = phone.press("Start the game").announcement
    assert "Are Bo and BO two different people?" in said
    assert phone.table == ""
    phone.press("Start the game")
    assert game(phone)["players"] == ["Bo", "BO"]


def test_enter_in_a_name_starts_nothing(phone: Phone) -> None:
    """A browser presses a form's first button on Enter; here that is a hidden one to look again."""
    seat_names(phone, "Anna", "Bo")
    first = next(button for button in phone.page.buttons if button.form is form(phone))
    assert (first.name, first.value) == ("do", "look")
    assert first.attributes["aria-hidden"] == "true"
    phone.submit(first)
    assert phone.page.has("Start the game")
    assert names(phone)[:2] == ["Anna", "Bo"]
