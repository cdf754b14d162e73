"""All tables that a phone has opened: listed, renamed, put away and brought back."""

from __future__ import annotations

import re

from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone

FEW, MANY = 3, 15


def listed(phone: Phone, path: str = "/tables") -> list[str]:
    """Return the addresses of the tables on a page, in its order."""
    return [each["href"] for each in phone.open(path).elements(".card .facts")]


def facts_of(phone: Phone, table: str) -> list[str]:
    """Return what the list on the page says of a table."""
    return [link.label for link in phone.page.links if link.href == table and "·" in link.label]


def open_many(seat: Seat, phone: Phone, count: int) -> list[str]:
    """Let a phone open tables, and return their addresses."""
    return [seat(phone, players=[f"Eva {n}", "Fia"]).table for n in range(count)]


def archive(phone: Phone, table: str, do: str = "away") -> None:
    """Press the button that puts a table away, or brings it back."""
    link = table.removeprefix("/t/")
    buttons = phone.open("/tables").buttons
    button = next(b for b in buttons if ("table", link) in b.data and b.value == do)
    phone.submit(button)
    assert phone.answer.status_code == 303


def test_every_table_is_found_again(seat: Seat, phone: Phone) -> None:
    """Each has its people and the day; those beyond a dozen are folded."""
    opened = open_many(seat, phone, MANY)
    assert sorted(listed(phone)) == sorted(opened)
    [entry] = facts_of(phone, opened[0])
    assert re.fullmatch(r"Eva 0, Fia \d+ \w+ \d{4} · 1 evening", entry)
    assert len(phone.page.elements("details.older .facts")) == MANY - 12


def test_the_table_played_last_stands_first(seat: Seat, phone: Phone) -> None:
    """The table opened last does not matter."""
    first, second = open_many(seat, phone, 2)
    phone.open(first)
    phone.press("Eva 0: Pair")
    phone.open(second)
    assert listed(phone) == [first, second]
    assert listed(phone, "/") == [second, first]


def test_a_reader_s_table_says_so_and_is_renamed_by_who_writes(
    keeper: Phone, reader: Phone
) -> None:
    """The name is the same on every phone."""
    assert reader.open("/tables").has("Follow along")
    assert not [form for form in reader.page.forms if form.action.endswith("/name")]
    keeper.open("/tables").form(f"{keeper.table}/name").fill("name", "  Torpet ")
    keeper.press("Rename")
    assert keeper.answer.status_code == 303
    for phone in (keeper, reader):
        phone.open("/tables")
        [entry] = facts_of(phone, keeper.table)
        assert entry.startswith("Torpet Anna, Bo, Cilla, Dan")
        assert "<title>Torpet</title>" in phone.open(keeper.table).html


def test_a_table_put_away_is_passed_over_by_the_start_only(seat: Seat, phone: Phone) -> None:
    """A table put away stays in the list, opens as before, and comes back by one tap."""
    first, second = open_many(seat, phone, 2)
    archive(phone, second)
    assert listed(phone, "/") == [first]
    assert listed(phone) == [first, second]
    assert phone.open(second).has("Eva 1: Pair")
    assert listed(phone, "/") == [first]
    archive(phone, second, "back")
    assert listed(phone, "/") == [second, first]


def test_what_is_put_away_is_so_on_this_phone_alone(keeper: Phone, reader: Phone) -> None:
    """A reader may put a table away too, without the pen."""
    archive(reader, keeper.table)
    assert listed(reader, "/") == []
    assert listed(keeper, "/") == [keeper.table]


def test_a_table_that_is_not_there_cannot_be_put_away(phone: Phone) -> None:
    """Status 404, in words."""
    assert phone.send("/tables", {"table": "nowhere", "do": "away"}).has("To the start page")
    assert phone.answer.status_code == 404


def test_a_deleted_table_is_on_no_list(seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """Neither the phone that deleted it lists it, nor another with its link."""
    [first, second], reader = open_many(seat, phone, 2), new_phone()
    reader.open(first)
    phone.send(f"{first}/forget", {"what": "table", "sure": "1"})
    assert listed(phone) == [second]
    assert first not in listed(reader)
    row = reader.client.get(f"{first}/row")
    assert (row.status_code, row.text) == (200, "")


def test_a_row_by_itself_is_that_of_the_list_and_sets_no_cookie(seat: Seat, phone: Phone) -> None:
    """A list on another server can use it too; it is fetched while other tables are opened."""
    first, second = open_many(seat, phone, 2)
    archive(phone, second)
    for table, button in ((first, "Put away"), (second, "Bring back")):
        page = phone.open(f"{table}/row")
        assert "Set-Cookie" not in phone.answer.headers
        assert {link.href for link in page.links} == {table}
        assert page.has(button)


def test_closing_the_list_leads_back_to_the_table_it_was_opened_at(
    seat: Seat, phone: Phone
) -> None:
    """The link leads to the start from any other page, or from a table that is not this phone's."""
    table = seat(phone).table
    here = "http://localhost"
    for referrer, leads_to in {
        f"{here}{table}": table,
        f"{here}{table}/more?x=1": table,
        f"{here}{table}?x=1": table,
        f"{here}/t/another": "/",
        f"{here}/tables": "/",
        f"http://elsewhere.example{table}": "/",
        "http://[": "/",
        "": "/",
    }.items():
        page = phone.client.get("/tables", headers={"Referer": referrer}).text
        assert f'class="close" href="{leads_to}"' in " ".join(page.split()), referrer


def test_many_tables_can_be_searched(seat: Seat, phone: Phone) -> None:
    """The search finds a name, a player or the day; a short list has none. Matches stay open."""
    open_many(seat, phone, FEW)
    assert not phone.open("/tables").elements("form[role=search]")
    open_many(seat, phone, MANY)
    seat(phone, players=["Åsa", "Bo"])
    assert len(phone.open("/tables").elements("form[role=search]")) == 1
    assert listed(phone, "/tables?q=asa") == [phone.table]
    assert len(listed(phone, "/tables?q=eva+fia")) == FEW + MANY
    assert not phone.page.elements("details.older")
    assert listed(phone, "/tables?q=nobody") == []
    assert "Nothing here matches “nobody”." in phone.page.text
    assert len(phone.follow("All tables").elements("details.older")) == 1
