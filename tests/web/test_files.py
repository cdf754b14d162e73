"""Exports of a table: games as files, an evening as an archive, the ledger as a spreadsheet."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest
from flask import Flask
from msgspec.structs import replace

from app.http.bodies import PIECE
from app.rules.gamefile import Game, read_game
from app.rules.names import decode
from app.services.commit import commit
from app.services.payments import PayInAdvance
from app.services.people import Merge
from app.services.table_view import read_view
from app.store.clock import this_evening
from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, open_games, pen_of, won
from tests.web.pages import Page
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


def test_no_name_is_a_formula(app: Flask, seat: Seat, phone: Phone) -> None:
    """A spreadsheet does not evaluate the name of a player."""
    seat(phone, *won("=1+1", 5), players=["=1+1", "@SUM(A1)", "-2", "Bo;\"',"])
    next_game(app, phone, "-2 5, settled")
    names, *rows = read_rows(phone)
    assert names[2:] == ["'=1+1", "'@SUM(A1)", "'-2", "Bo;\"',"]
    assert {len(row) for row in rows} == {len(names)}


def test_before_anything_is_won_the_ledger_has_no_games(seat: Seat, phone: Phone) -> None:
    """A game in progress has nothing to settle."""
    seat(phone, "Bo 3", players=["Anna", "Bo"])
    assert read_rows(phone)[1:] == [["", "Left to settle", "0.00", "0.00"]]


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


def send_file(phone: Phone, address: str, content: bytes, **fields: str) -> Page:
    """Send a file by the form of its page."""
    return phone.send(address, {"file": (io.BytesIO(content), "kväll.zip"), **fields})


def pack(files: dict[str, bytes]) -> bytes:
    """Return an archive of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_what_came_of_a_file_is_told(db: Database, phone: Phone, new_phone: NewPhone) -> None:
    """Games that are new, games that were there, and what was left out, what is hidden last."""
    open_games(db, phone, GAMES)
    sent = zipfile.ZipFile(io.BytesIO(phone.client.get(f"{phone.table}/games.zip").data))
    files = {f"kväll/{name}": sent.read(name) for name in sent.namelist()}
    others = {".DS_Store": b"Bud1", "__MACOSX/._a.json": b"", "notes/settings.json": b"{}"}
    many = {f"{number}.jpg": b"" for number in range(9)}
    other = new_phone()
    page = send_file(other, "/files", pack(dict([*files.items()][:2]) | others))
    assert page.announcement.startswith("2 games added. Left out, being no games: ")
    told = page.announcement.translate(dict.fromkeys(map(ord, "\u2068\u2069")))
    assert told.endswith("notes/settings.json, .DS_Store, __MACOSX/._a.json.")
    seq = other.open(f"{other.table}/files").seq
    page = send_file(other, f"{other.table}/files", pack(files | many), seq=seq)
    told = page.announcement.translate(dict.fromkeys(map(ord, "\u2068\u2069")))
    assert "1 game added. 2 games were already here. Left out" in told
    assert told.endswith("0.jpg, 1.jpg, 2.jpg, 3.jpg, 4.jpg +4.")


def test_a_file_without_a_game_opens_nothing(phone: Phone) -> None:
    """The form comes again with what the file seems to be."""
    phone.headers["Accept-Language"] = "sv"
    page = send_file(phone, "/files", pack({"a.xml": b""}))
    assert phone.answer.status_code == 422
    assert "kväll.zip: Det här är inget parti från Chicago utan ser ut att vara" in page.text
    assert "Välj en fil med partier först" in phone.send("/files", {"name": ""}).text


def test_a_name_of_any_length_is_cut(phone: Phone) -> None:
    """Its end stays, by which files differ; and no mark of it turns the sentence round."""
    file = io.BytesIO(b"{}"), f"{'x' * 5000}\u202ekväll.json"
    text = phone.send("/files", {"file": file}).text
    assert "xxkväll.json: This is no game from Chicago" in text
    assert "x" * 100 not in text


def test_names_of_files_that_look_alike_are_told(
    db: Database, phone: Phone, new_phone: NewPhone
) -> None:
    """Of two files nobody could be asked; once they are joined nothing is said."""
    open_games(db, phone, [GAMES[0], game_from("2024-03-01T19:00:00Z", "anna Bo", "void")])
    archive = phone.client.get(f"{phone.table}/games.zip").data
    other = new_phone()
    assert "look alike" in send_file(other, "/files", archive).announcement
    commit(db, pen_of(other), Merge("anna", "Anna"))
    seq = other.open(f"{other.table}/files").seq
    page = send_file(other, f"{other.table}/files", archive, seq=seq)
    assert "2 games were already here" in page.announcement
    assert "look alike" not in page.announcement
