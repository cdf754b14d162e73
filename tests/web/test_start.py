"""The start: what this is, the last table to go on at, and the same again."""

from __future__ import annotations

import msgspec

from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone


def game(phone: Phone) -> dict[str, object]:
    """Return the file of the first game of the table that a phone is at."""
    answer = phone.client.get(f"{phone.table}/games/1.json")
    read: dict[str, object] = msgspec.json.decode(answer.data)
    return read


def test_the_same_again_as_a_table_that_is_gone_says_so(phone: Phone, seat: Seat) -> None:
    """Deleted from another phone meanwhile."""
    seat(phone)
    button = phone.open("/").button("Same as last time")
    phone.send(f"{phone.table}/forget", {"what": "table", "sure": "1"})
    assert phone.submit(button).has("To the start")
    assert phone.answer.status_code == 404


def test_a_new_table_with_four_known_names_takes_two_taps(either: Phone, seat: Seat) -> None:
    """One for the company, one to start, wherever it sat down last."""
    seat(either, players=["Anna", "Bo", "Cilla", "Dan"])
    seat(either, players=["Eva", "Fia"])
    either.open("/")
    either.press("Anna, Bo, Cilla, Dan")
    either.press("Start the game")
    assert either.answer.status_code == 303
    assert game(either)["players"] == ["Anna", "Bo", "Cilla", "Dan"]


def test_nobody_is_shown_another_phone_s_tables(
    keeper: Phone, new_phone: NewPhone, seat: Seat
) -> None:
    """What a phone has opened is told to that phone alone."""
    other = seat(new_phone(), players=["Eva", "Fia"])
    for path in ("/", "/tables"):
        other.open(path)
        assert "Eva, Fia" in other.page.text
        assert "Anna" not in other.page.text
        assert keeper.table not in [link.href for link in other.page.links]
