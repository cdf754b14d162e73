"""The start page: this phone's tables to go on at, and links to everything else."""

from __future__ import annotations

from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone


def test_a_game_that_goes_on_is_gone_on_at(phone: Phone, seat: Seat) -> None:
    """The one button of a card names the game and the deal; of a game that is over it has none."""
    running = seat(phone, "nobody", players=["Anna", "Bo"]).table
    assert phone.open("/").link("Go on: game 1, deal 1").href == running
    assert not [form for form in phone.page.forms if form.action.endswith("/games")]
    seat(phone, "settled", players=["Cilla", "Dan"])
    assert phone.open("/").form(f"{phone.table}/games").named("player")
    assert len([link for link in phone.page.links if link.href == phone.table]) == 1


def test_a_table_that_is_only_read_is_followed(keeper: Phone, reader: Phone) -> None:
    """It has a card with a link, and no form."""
    assert reader.open("/").link("Follow along").href == keeper.table
    assert not reader.page.elements("[data-table]")


def test_a_new_evening_at_a_table_that_is_gone_says_so(phone: Phone, seat: Seat) -> None:
    """The table was deleted from another phone meanwhile."""
    seat(phone, "settled")
    button = phone.open("/").button("New evening")
    phone.send(f"{phone.table}/forget", {"what": "table", "sure": "1"})
    assert phone.submit(button).has("To the start page")
    assert phone.answer.status_code == 404


def test_all_else_is_on_the_start_page_itself(phone: Phone, seat: Seat) -> None:
    """Everything is at most two taps away."""
    seat(phone)
    leads_to = {link.href for link in phone.open("/").links}
    assert leads_to >= {"/tables", "/how", "/files", "/transfer", "/install"}
    assert phone.page.elements("button[name=language]")


def test_nobody_is_shown_another_phone_s_tables(
    keeper: Phone, new_phone: NewPhone, seat: Seat
) -> None:
    """A phone's list is shown on that phone alone."""
    other = seat(new_phone(), players=["Eva", "Fia"])
    for path in ("/", "/tables"):
        other.open(path)
        assert "Fia" in other.page.text
        assert "Anna" not in other.page.text
        assert keeper.table not in [link.href for link in other.page.links]
