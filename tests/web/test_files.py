"""Exports of a table: games as files, an evening as an archive, the ledger as a spreadsheet."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest
from msgspec.structs import replace

from app.http.bodies import PIECE
from app.rules.gamefile import read_game
from app.rules.names import decode
from app.services.commit import commit
from app.services.payments import PayInAdvance
from app.services.table_view import read_view
from app.store.clock import this_evening
from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.conftest import Seat
from tests.web.evenings import open_games
from tests.web.phone import Phone

BID = "no hands, Dan chicago"
GAMES = [
    game_from("2024-01-05T19:00:00Z", "Anna Bo Cilla", "Anna 5, settled"),
    game_from("2024-01-05T21:00:00Z", "Anna Bo Cilla", "Bo 7, void"),
    game_from(
        "2024-02-09T19:00:00Z",
        "Bo Dan",
        f"Dan 31, {BID}, made, {BID}, broken, settled",
        stake_ore=50,
    ),
]


@pytest.fixture
def played(db: Database, phone: Phone) -> Phone:
    """Return a phone at a table with these games and an advance payment from Bo to Anna."""
    commit(db, open_games(db, phone, GAMES), PayInAdvance(("Bo", "Anna"), "cash", 1_234))
    return phone


def read_rows(phone: Phone, delimiter: str = ",") -> list[list[str]]:
    """Read the ledger as a spreadsheet does whose language separates cells by `delimiter`."""
    answer = phone.client.get(f"{phone.table}/ledger.csv", headers=phone.headers)
    assert answer.mimetype == "text/csv"
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=delimiter))


def test_the_ledger_is_written_as_spreadsheets_of_its_language_read_it(played: Phone) -> None:
    """With a decimal comma cells are separated by semicolons, with a point by commas."""
    english = [[cell.replace(".", ",") for cell in row[2:]] for row in read_rows(played)]
    for language in ("sv", "fi"):
        played.headers["Accept-Language"] = language
        assert [row[2:] for row in read_rows(played, ";")] == english


def test_the_file_is_one_to_keep(keeper: Phone) -> None:
    """The download has a file name, and readable JSON with the game as it stands."""
    keeper.press("Anna: Pair")
    keeper.press("Bo: Flush")
    keeper.submit(keeper.page.to("/undo"))
    keeper.open(f"{keeper.table}/protocol")
    keeper.follow("Keep the game as a file")
    game = read_game(decode(keeper.answer.data))
    assert [event.players() for event in game.events] == [("Anna",)]
    headers = keeper.answer.headers
    assert headers["Content-Type"] == "application/json"
    assert headers["Content-Disposition"] == 'attachment; filename="chicago-1.json"'
    assert '\n  "Anna",\n' in keeper.answer.text


def test_an_evening_comes_out_in_one_file(seat: Seat, phone: Phone) -> None:
    """The archive holds the games of its evening, and none of another evening."""
    seat(phone, "void")
    for evening, games in {f"{this_evening()}": 1, "1999-12-31": 0, "no day": 0}.items():
        answer = phone.client.get(f"{phone.table}/games.zip", query_string={"evening": evening})
        assert len(zipfile.ZipFile(io.BytesIO(answer.data)).namelist()) == games


def test_a_large_table_comes_back_in(db: Database, phone: Phone) -> None:
    """The archive of some hundred games, packed as it is, is read in again."""
    open_games(db, phone, [replace(GAMES[0], remarks={"id": f"{n}"}) for n in range(400)])
    archive = phone.client.get(f"{phone.table}/games.zip").data
    assert len(archive) > 2 * PIECE
    phone.send("/files", {"file": (io.BytesIO(archive), "chicago.zip")})
    assert read_view(db, phone.table.rpartition("/")[2]).games == 400
