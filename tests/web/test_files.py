"""Exports of a table: games as files, an evening as an archive, and spreadsheets."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest
from flask import Flask

from app.rules.gamefile import Game, read_game
from app.rules.json_input import decode
from app.services.commit import commit
from app.services.ledger import PayInAdvance
from app.store.clock import this_evening
from app.store.database import Database
from tests.web.conftest import Seat
from tests.web.evenings import NOBODY, SETTLED, VOID, game, next_game, open_games, scored, won
from tests.web.phone import Phone

Event = dict[str, object]

BID: tuple[Event, ...] = (NOBODY, NOBODY, {"event": "chicago", "player": "Dan"})
MADE: Event = {"event": "chicago_result", "won": True}
LOST: Event = {"event": "chicago_result", "won": False}
EVERY = ("ledger", "evenings", "games", "years")
GAMES = [
    game("2024-01-05T19:00:00Z", "Anna Bo Cilla", *won("Anna", 5)),
    game("2024-01-05T21:00:00Z", "Anna Bo Cilla", scored("Bo", 7), VOID),
    game(
        "2024-02-09T19:00:00Z",
        "Bo Dan",
        *(scored("Dan", 31), *BID, MADE, *BID, LOST, SETTLED),
        stake_ore=50,
    ),
]
# The rows of each file, with cells separated by bars.
FILES = {
    "ledger.csv": """
Date|What|Anna|Bo|Cilla|Dan
2024-01-05|Game 1|10,00|-5,00|-5,00|
2024-01-05|Game 2|0,00|0,00|0,00|
2024-02-09|Game 3||-15,50||15,50
2024-02-09|Payment|-12,34|12,34||
|Left to settle|-2,34|-8,16|-5,00|15,50
""",
    "evenings.csv": """
Date (kr)|Anna|Bo|Cilla|Dan|Anna, all in all|Bo, all in all|Cilla, all in all|Dan, all in all
2024-01-05|10,00|-5,00|-5,00||10,00|-5,00|-5,00|
2024-02-09||-15,50||15,50||-20,50||15,50
""",
    "games.csv": """
Date|Game|Players|Winner|How it ended|Anna, points|Bo, points|Cilla, points|Dan, points|\
Anna, kr|Bo, kr|Cilla, kr|Dan, kr
2024-01-05|1|3|Anna|broken off, settled|5|0|0||10,00|-5,00|-5,00|
2024-01-05|2|3||broken off, nobody pays|0|7|0||0,00|0,00|0,00|
2024-02-09|3|2|Dan|broken off, settled||0||31||-15,50||15,50
""",
    "years.csv?from=2024-02": """
Player|Games|Won|kr|Chicago: Said|Chicago: Made|Has zeroed|Was zeroed|Last tricks|\
Biggest swing, points|Longest exchange stop, deals|Pair|Two pairs|Three of a kind|Straight|Flush|\
Full house|Four of a kind|Straight flush|Royal flush|Royal flush in hearts
Dan|1|1|15,50|2|1|0|0|0|15|1|0|0|0|0|0|0|0|0|0|0
Bo|1|0|-15,50|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0
""",
}


@pytest.fixture
def played(db: Database, phone: Phone) -> Phone:
    """Return a phone at a table with these games and an advance payment from Bo to Anna."""
    commit(db, open_games(db, phone, GAMES), PayInAdvance(("Bo", "Anna"), "cash", 1_234))
    return phone


def read_rows(phone: Phone, name: str) -> list[list[str]]:
    """Read a file as a spreadsheet with Swedish settings does."""
    answer = phone.client.get(f"{phone.table}/{name}", headers=phone.headers)
    assert answer.mimetype == "text/csv"
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=";"))


@pytest.mark.parametrize("name", FILES)
def test_a_file_says_what_was_played_and_paid(played: Phone, name: str) -> None:
    """The files list games and payments, evenings with running sums, and players over a period."""
    assert ["|".join(row) for row in read_rows(played, name)] == FILES[name].strip().split("\n")


@pytest.mark.parametrize("query", ["?from=2024-02", "?from=2024-01&to=2023-12"])
def test_the_page_leads_to_the_figures_it_shows(played: Phone, query: str) -> None:
    """The download covers the months of the page, with one month named or both."""
    page = played.open(f"{played.table}/years{query}")
    address = page.link("The figures as a spreadsheet").href.removeprefix(f"{played.table}/")
    assert read_rows(played, address) == read_rows(played, f"years.csv{query}")


@pytest.mark.parametrize("name", EVERY)
def test_no_name_is_a_formula(app: Flask, seat: Seat, phone: Phone, name: str) -> None:
    """A spreadsheet does not evaluate the name of a player."""
    players = ["=1+1", "@SUM(A1)", "-2", "Bo;\"'"]
    seat(phone, *won("=1+1", 5), players=players)
    next_game(app, phone, *won("-2", 5))
    cells = [cell for row in read_rows(phone, f"{name}.csv") for cell in row]
    assert any("=1+1" in cell for cell in cells)
    assert not [cell for cell in cells if cell[:1] in "=+@\t\r" and cell]
    signed = {cell for cell in cells if cell.startswith("-")}
    assert not [cell for cell in signed if not cell[1:].replace(",", "").isdigit()]


def test_before_anything_is_won_every_file_opens(seat: Seat, phone: Phone) -> None:
    """A game in progress has points, and neither a winner nor an evening."""
    seat(phone, scored("Bo", 3), players=["Anna", "Bo"])
    assert read_rows(phone, "games.csv")[1][3:] == ["", "being played", "0", "3", "", ""]
    assert [len(read_rows(phone, f"{name}.csv")) for name in EVERY] == [2, 1, 2, 1]


def download_game(phone: Phone) -> Game:
    """Return the game in progress, from the file that its page offers."""
    phone.open(f"{phone.table}/protocol")
    phone.open(phone.page.link("Keep the game as a file").href)
    return read_game(decode(phone.answer.data))


def test_the_file_is_one_to_keep(keeper: Phone) -> None:
    """The download has a file name, and readable JSON with the game as it stands."""
    keeper.press("Anna: Pair")
    keeper.press("Bo: Flush")
    keeper.submit(keeper.page.to("/undo"))
    assert [event.players() for event in download_game(keeper).events] == [("Anna",)]
    headers = keeper.answer.headers
    assert headers["Content-Type"] == "application/json"
    assert headers["Content-Disposition"] == 'attachment; filename="chicago-1.json"'
    assert '\n  "Anna",\n' in keeper.answer.text


def test_an_evening_comes_out_in_one_file(seat: Seat, phone: Phone) -> None:
    """The archive holds the games of its evening, and none of another evening."""
    seat(phone, VOID)
    for evening, games in {f"{this_evening()}": 1, "1999-12-31": 0, "no day": 0}.items():
        answer = phone.client.get(f"{phone.table}/games.zip", query_string={"evening": evening})
        assert len(zipfile.ZipFile(io.BytesIO(answer.data)).namelist()) == games
