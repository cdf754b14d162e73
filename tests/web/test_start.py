"""The start page: the last table to go on at, a new evening, and links to everything else."""

from __future__ import annotations

from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone


def test_the_same_again_as_a_table_that_is_gone_says_so(phone: Phone, seat: Seat) -> None:
    """The table was deleted from another phone meanwhile."""
    seat(phone)
    button = phone.open("/").button("New evening, same people")
    phone.send(f"{phone.table}/forget", {"what": "table", "sure": "1"})
    assert phone.submit(button).has("To the start")
    assert phone.answer.status_code == 404


def test_the_last_table_is_gone_on_at(phone: Phone, seat: Seat) -> None:
    """The link describes the table opened last, by its game, and says if that game is over."""
    seat(phone, players=["Eva", "Fia"])
    seat(phone, "nobody", players=["Anna", "Bo"])
    assert phone.open("/").link("Go on: game 1, deal 1 Anna, Bo").href == phone.table
    assert not phone.page.has("Go on: game 1, deal 1 Eva, Fia")
    phone.send(f"{phone.table}/name", {"name": "Torpet", "seq": phone.home().seq})
    assert phone.open("/").has("Go on: game 1, deal 1 Torpet")
    seat(phone, "settled", players=["Cilla", "Dan"])
    assert phone.open("/").has("Go on: game 1 is over Cilla, Dan")


def test_all_else_is_on_the_start_page_itself(phone: Phone, seat: Seat) -> None:
    """Everything is at most two taps away."""
    seat(phone)
    leads_to = {link.href for link in phone.open("/").links}
    assert leads_to >= {"/tables", "/how", "/files", "/transfer", "/install"}
    assert phone.page.elements(".languages button")


def test_nobody_is_shown_another_phone_s_tables(
    keeper: Phone, new_phone: NewPhone, seat: Seat
) -> None:
    """A phone's list is shown on that phone alone."""
    other = seat(new_phone(), players=["Eva", "Fia"])
    for path in ("/", "/tables"):
        other.open(path)
        assert "Eva, Fia" in other.page.text
        assert "Anna" not in other.page.text
        assert keeper.table not in [link.href for link in other.page.links]
