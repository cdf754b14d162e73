"""The start page and the list of tables beyond their stories: evenings, and many tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest

from app.store import clock
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import hand_over, won
from tests.web.pages import words
from tests.web.phone import HTMX, Phone, writes

PassDays = Callable[[float], None]
FOUR = ["Anna", "Bosse", "Cissi", "David"]
MANY = 15


@pytest.fixture
def pass_days(monkeypatch: pytest.MonkeyPatch) -> PassDays:
    """Return a function that lets so many days pass; it is a Thursday evening."""
    now = [datetime(2026, 9, 3, 18, tzinfo=UTC)]
    monkeypatch.setattr(clock, "utc_now", lambda: now[0])
    return lambda days: now.append(now.pop() + timedelta(days))


def card(phone: Phone, table: str) -> str:
    """Return what the card of a table says of it, on a start page opened anew."""
    [found] = phone.open("/").soup.select(f"[data-table='{table[3:]}'] .facts")
    return words(found)


def listed(phone: Phone, path: str = "/tables") -> list[str]:
    """Return the addresses of the tables on a page, in its order."""
    return [each["href"] for each in phone.open(path).elements(".card .facts")]


def open_many(seat: Seat, phone: Phone, count: int) -> list[str]:
    """Let a phone open tables, and return their addresses."""
    return [seat(phone, players=[f"Eva {n}", "Fia"]).table for n in range(count)]


def test_a_card_says_who_how_often_who_won_and_who_owes(
    phone: Phone, seat: Seat, pass_days: PassDays
) -> None:
    """An evening that has begun counts; where there is no money nothing is said of debts."""
    table = seat(phone, players=FOUR).table
    assert card(phone, table) == "Anna, Bosse, Cissi, David 1 evening · nobody owes anything"
    table = seat(phone, *won("Anna", 12), players=FOUR).table
    assert card(phone, table).endswith("1 evening · Anna won last · Bosse owes 12 kr")
    pass_days(7)
    phone.open("/").form(f"{table}/games")
    phone.press("New evening")
    assert card(phone, table).endswith("2 evenings · Anna won last · Bosse owes 12 kr")
    free = seat(phone, "settled", players=["Eva", "Fia", "Gun"], stake_ore=0).table
    assert card(phone, free) == "1 evening · Eva, Fia, Gun won last"


def test_the_first_dealer_of_an_evening_is_drawn(
    phone: Phone, seat: Seat, pass_days: PassDays
) -> None:
    """By a secure source, among all; the night belongs to the evening before."""
    ways = (
        ("/", 0, "Start the game"),
        ("@", 0.3, "Rematch"),
        ("@", 1, "Rematch"),
        ("/", 7, "New evening"),
    )
    for number, (page, days, label) in enumerate(ways):
        pass_days(days)
        phone.open(page.replace("@", phone.table))
        if not number:
            phone.page.form("/").fill_each("player", FOUR)
        with patch("app.web.game_form.secrets.choice", lambda players, n=number: players[n]):
            told = phone.press(label).announcement
        assert (f"{FOUR[number]} was drawn to deal first" in told) is (number != 1)
        events = f"/api/tables/{phone.table[3:]}/events"
        phone.client.post(events, json={"event": "break_off", "settle": True})


# Who is there, week by week; at the end somebody has won, and the debts are carried on.
WEEKS = [
    FOUR,
    FOUR,
    ["Anna", "Bosse", "David"],
    [*FOUR, "Eva"],
    ["Anna", "Eva"],
    [*FOUR[1:], "Eva"],
    FOUR,
]
# The last trick wins, so that an evening is a handful of taps.
SHORT = {"rules": {"preset": "pagat", "target": 5, "win_needs_chicago": "no"}}


def test_weeks_at_one_table_are_one_book(
    seat: Seat, new_phone: NewPhone, pass_days: PassDays
) -> None:
    """Link, pens and followers stay, debts are carried, years count; no other group mixes in."""
    keeper, second, follower = new_phone(), new_phone(), new_phone()
    other = seat(keeper, "settled", players=["Eva", "Fredrik"]).table
    table, owed = seat(keeper, players=FOUR, **SHORT).table, Counter[str]()
    second.open(hand_over(keeper))
    second.press("Take the pen")
    follower.open(table)
    follower.follow("I am Bosse")
    for week, there in enumerate(WEEKS):
        winner = there[week % len(there)]
        if week:
            form = {"player": there, "dealer": "draw", "seq": keeper.open(table).seq}
            assert keeper.send(f"{table}/games", form).has(f"{winner}: Pair")
            assert [writes(each, table) for each in (keeper, second, follower)] == [
                True,
                True,
                False,
            ]
            # Whoever followed last week is there, with nothing to scan or to choose.
            assert bool(follower.home().elements("#own-name")) == ("Bosse" in there)
        phone = second if week % 2 else keeper
        phone.open(table)
        nobody = "Nobody has anything"
        for label in (nobody, nobody, f"{winner}: Last trick (5)", nobody):
            phone.press(label)
        owed.update({name: -5 if name != winner else 5 * (len(there) - 1) for name in there})
        pass_days(7)
    most = min(owed, key=owed.__getitem__)
    assert f"7 evenings · Cissi won last · {most} owes {-owed[most]} kr" in card(keeper, table)
    rows = follower.open(f"{table}/years").soup.select("table")[0].select("tbody tr")
    years = {words(row.select("th")[0]): int(words(row.select("td")[0])) for row in rows}
    played = Counter(name for there in WEEKS for name in there)
    # Who has played few games is below the others, without a place.
    assert years == {name: played[name] for name in FOUR}
    assert "1 evening · Eva, Fredrik won last" in card(keeper, other)


def test_many_tables_are_folded_and_can_be_begun_at(seat: Seat, phone: Phone) -> None:
    """The one played last stands first; those folded can be begun at, with who sat last."""
    tables = open_many(seat, phone, 3)
    tables += [seat(phone, "settled", players=[f"Eva {n}", "Fia"]).table for n in range(3, MANY)]
    assert sorted(listed(phone)) == sorted(tables)
    assert len(phone.page.elements("details.older .facts")) == MANY - 12
    phone.open(tables[0])
    phone.press("Eva 0: Pair")
    phone.open(tables[1])
    assert listed(phone)[0] == tables[0]
    assert listed(phone, "/")[:2] == [tables[1], tables[0]]
    assert len(phone.page.elements("details.older [data-table]")) == MANY - 3
    form = phone.page.form(f"{tables[5]}/games")
    assert not form.named("player")
    phone.submit(next(each for each in phone.page.buttons if each.form is form))
    assert phone.open(tables[5]).has("Undo game 2")
    listed(phone)
    assert re.search(r"Eva 14, Fia \d+ \w+ \d{4} · 1 evening", phone.page.text)


def test_a_row_by_itself_sets_no_cookie(seat: Seat, phone: Phone) -> None:
    """It is fetched while other tables are opened; of a table that is gone there is none."""
    table, _ = open_many(seat, phone, 2)
    assert {link.href for link in phone.open(f"{table}/row").links} == {table}
    assert "Set-Cookie" not in phone.answer.headers
    phone.send(f"{table}/forget", {"what": "table", "sure": "1"})
    phone.open(f"{table}/row")
    assert (phone.answer.status_code, phone.answer.text) == (200, "")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_is_no_form_is_refused_in_words(keeper: Phone, headers: dict[str, str]) -> None:
    """More than 64 KiB; JSON, text and broken uploads record nothing."""
    told = keeper.headers | headers
    answer = keeper.client.post("/", data={"player": "x" * 70_000}, headers=told)
    assert answer.status_code == 413
    assert "too much at once" in answer.text
    body = b'--x\r\nContent-Disposition: form-data; name="seq"\r\n\r\n1'
    for kind in ("application/json", "multipart/form-data", "multipart/form-data; boundary=x"):
        for part in ("/events", "/undo", "/redo", "/games"):
            address = keeper.table + part
            answer = keeper.client.post(address, data=body, content_type=kind, headers=told)
            assert answer.status_code in (400, 409, 413, 422)
    assert keeper.home().seq == "1"
