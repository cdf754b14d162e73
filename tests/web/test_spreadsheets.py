"""What a table has for spreadsheets, read back by Python's own reader, and counted again."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest
from flask import Flask
from msgspec.structs import replace

from app.i18n.game import hand_label
from app.i18n.language import get_language
from app.rules.hands import Hand
from app.services import import_export, payments, statistics, tables
from app.services.tables import Write
from app.store.database import Pool
from tests.services.keeper import golden_games
from tests.services.test_statistics import evening_at
from tests.web.conftest import Seat
from tests.web.evenings import next_game, scored, store_of, won
from tests.web.phone import Phone
from tests.web.slow_accounts import SlowGame, add_along, count_evenings, count_files

Row = dict[str, str]
HEADS = ("Date", "Date (kr)", "What")
YEAR = ("2020-02", "2020-12")
EVERY = ("ledger", "evenings", "games", "years")


@pytest.fixture(scope="module")
def golden(app: Flask, pool: Pool) -> Phone:
    """Return a phone at whose table all golden games were played, three an evening, over years."""
    pen = tables.new_pen()
    games = [
        replace(game, remarks={"id": f"golden {n:03}", "at": evening_at(n // 3)})
        for n, game in enumerate(golden_games())
    ]
    link = import_export.open_table(pool, games, "", pen)
    payments.pay_in_advance(pool, Write(link, pen), ("Bo", "Anna"), "cash", 12_345)
    phone = Phone(app.test_client(), False, "en")
    phone.open(f"/t/{link}")
    return phone


@pytest.fixture(scope="module")
def counted(golden: Phone) -> list[SlowGame]:
    """Return those games counted from their files."""
    return count_files(golden)


def read_rows(phone: Phone, name: str) -> list[list[str]]:
    """Read a file as a spreadsheet set to Swedish would."""
    answer = phone.client.get(f"{phone.table}/{name}", headers=phone.headers)
    assert answer.mimetype == "text/csv"
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=";"))


def read_table(phone: Phone, name: str) -> list[Row]:
    """Read a file by its headings, of which there are as many as cells in each row."""
    head, *rows = read_rows(phone, name)
    assert len(set(head)) == len(head)
    return [dict(zip(head, row, strict=True)) for row in rows]


def ore(cell: str) -> int:
    """Read an amount with a decimal comma as öre."""
    return int(Decimal(cell.replace(",", ".")) * 100)


def amounts_of(row: Row, behind: str = "") -> dict[str, int]:
    """Read the amounts in the columns of persons that end so."""
    return {
        name.removesuffix(behind): ore(cell)
        for name, cell in row.items()
        if cell and name not in HEADS and name.endswith(behind) and (behind or "," not in name)
    }


def test_every_game_is_as_its_file_says(golden: Phone, counted: list[SlowGame]) -> None:
    """When, who, how many, who won, how it ended, everybody's points and what they brought."""
    rows = read_table(golden, "games.csv")
    assert len(rows) == len(counted)
    for row, game in zip(rows, counted, strict=True):
        assert row["Date"] == game.evening.isoformat()
        assert int(row["Players"]) == len(game.scores)
        assert set(filter(None, row["Winner"].split(", "))) == game.winners
        assert row["How it ended"] == game.ended
        points = {name: row[f"{name}, points"] for name in game.scores}
        assert points == {name: str(score) for name, score in game.scores.items()}
        assert amounts_of(row, ", kr") == game.amounts
    assert {row["How it ended"] for row in rows} >= {"played to the end", "broken off, settled"}


def test_every_evening_and_what_it_makes_all_in_all(golden: Phone, counted: list[SlowGame]) -> None:
    """The sums of the files, evening by evening."""
    evenings = count_evenings(counted)
    rows = {row["Date (kr)"]: row for row in read_table(golden, "evenings.csv")}
    assert list(rows) == [day.isoformat() for day in evenings]
    for day, running in add_along(evenings).items():
        assert amounts_of(rows[day.isoformat()]) == evenings[day]
        assert amounts_of(rows[day.isoformat()], ", all in all") == running


def test_every_figure_of_the_years(golden: Phone) -> None:
    """As the page has them, for the time it shows."""
    table = tables.read_table_id(store_of(golden.client.application), golden.table[3:])
    for query, months in (("", ("0000-00", "9999-99")), ("?from=2020-12&to=2020-02", YEAR)):
        figures = statistics.read_statistics(store_of(golden.client.application), table, months)
        rows = {row["Player"]: row for row in read_table(golden, f"years.csv{query}")}
        assert list(rows) == [person.name for person in figures.people]
        for person in figures.people:
            row, english = rows[person.name], get_language("en")
            assert (int(row["Games"]), int(row["Won"])) == (person.games, person.won)
            assert ore(row["kr"]) == person.ore
            assert int(row["Chicago: Said"]) == person.chicagos_said
            assert int(row["Was zeroed"]) == person.zeroings_suffered
            assert int(row["Longest exchange stop, deals"]) == person.longest_stop
            hands = {hand: int(row[hand_label(hand, english)]) for hand in Hand}
            assert {hand: n for hand, n in hands.items() if n} == person.hands


@pytest.mark.parametrize("query", ["?from=2020-02", "?from=2020-12&to=2020-02"])
def test_the_page_leads_to_the_figures_it_shows(golden: Phone, query: str) -> None:
    """Whichever of the two months was named."""
    page = golden.open(f"{golden.table}/years{query}")
    address = page.link("The figures as a spreadsheet").href.removeprefix(f"{golden.table}/")
    assert read_rows(golden, address) == read_rows(golden, f"years.csv{query}")


def test_every_payment_counts_in_the_ledger(golden: Phone, counted: list[SlowGame]) -> None:
    """Each game as its file has it; in the end what is left, in advance included."""
    *rows, left = read_table(golden, "ledger.csv")
    games = [amounts_of(row) for row in rows if row["What"] != "Payment"]
    assert games == [game.amounts for game in counted]
    total = {"Anna": -12_345, "Bo": 12_345}
    for game in counted:
        for name, amount in game.amounts.items():
            total[name] = total.get(name, 0) + amount
    assert {name: n for name, n in amounts_of(left).items() if n} == {
        name: n for name, n in total.items() if n
    }


@pytest.mark.parametrize("name", EVERY)
def test_no_name_is_a_formula(app: Flask, seat: Seat, phone: Phone, name: str) -> None:
    """What somebody calls themselves is not carried out by whoever opens the file."""
    players = ["=1+1", "@SUM(A1)", "-2", "Bo;\"'"]
    seat(phone, *won("=1+1", 5), players=players)
    next_game(app, phone, *won("-2", 5))
    cells = [cell for row in read_rows(phone, f"{name}.csv") for cell in row]
    assert any("=1+1" in cell for cell in cells)
    assert not [cell for cell in cells if cell[:1] in "=+@\t\r" and cell]
    signed = {cell for cell in cells if cell.startswith("-")}
    assert not [cell for cell in signed if not cell[1:].replace(",", "").isdigit()]


def test_a_game_being_played_has_points_and_no_winner(seat: Seat, phone: Phone) -> None:
    """And no evening yet; every file opens before anything is won."""
    seat(phone, scored("Bo", 3), players=["Anna", "Bo"])
    (game,) = read_table(phone, "games.csv")
    assert (game["How it ended"], game["Winner"]) == ("being played", "")
    assert (game["Anna, points"], game["Bo, points"]) == ("0", "3")
    assert (game["Anna, kr"], game["Bo, kr"]) == ("", "")
    assert [len(read_rows(phone, f"{name}.csv")) for name in EVERY] == [2, 1, 2, 1]


def test_headings_are_in_the_language_of_the_reader(seat: Seat, phone: Phone) -> None:
    """In Swedish and with the euro too."""
    seat(phone, *won("Bo", 3), players=["Anna", "Bo"])
    phone.headers = {**phone.headers, "Accept-Language": "sv"}
    heads = [read_rows(phone, f"{name}.csv")[0] for name in EVERY]
    assert heads[0] == ["Datum", "Vad", "Anna", "Bo"]
    assert heads[1] == ["Datum (kr)", "Anna", "Bo", "Anna, sammanlagt", "Bo, sammanlagt"]
    assert heads[2][:5] == ["Datum", "Parti", "Spelare", "Vinnare", "Hur det slutade"]
    assert heads[3][0] == "Spelare"
