from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from app.rules.events import write_event
from app.rules.gamefile import Game, read_game, write_game, write_result
from app.rules.json_input import decode
from app.services import play, sheets, tables
from app.services.tables import Write
from app.store.database import Pool
from tests.rules.strategies import Played, games, json
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone


def download_game(phone: Phone) -> Game:
    """Return the game being played, from the file that its page offers."""
    phone.open(f"{phone.table}/protocol")
    phone.open(phone.page.link("Keep the game as a file").href)
    return read_game(decode(phone.answer.data))


def without_times(raw: dict[str, Any]) -> dict[str, Any]:
    """Leave out of a game file when everything happened, which no test knows beforehand."""
    events = [{key: event[key] for key in event if key != "at"} for event in raw["events"]]
    return {key: raw[key] for key in raw if key != "at"} | {"events": events}


def test_the_file_is_one_to_keep(keeper: Phone) -> None:
    """A download with a name, in UTF-8 JSON that a person can read too."""
    keeper.press("Anna: Pair")
    download_game(keeper)
    headers = keeper.answer.headers
    assert headers["Content-Type"] == "application/json"
    assert headers["Content-Disposition"] == 'attachment; filename="chicago-1.json"'
    assert '\n  "Anna",\n' in keeper.answer.text


def test_names_are_written_as_they_are(seat: Seat, phone: Phone) -> None:
    """Letters outside of English are neither escaped nor lost."""
    seat(phone, players=["Åsa Öberg", "Zoë 🃏"])
    assert download_game(phone).setup.players == ("Åsa Öberg", "Zoë 🃏")
    assert "Åsa Öberg" in phone.answer.data.decode()


def test_undone_events_are_left_out(keeper: Phone) -> None:
    """The file is the game as it stands."""
    keeper.press("Anna: Pair")
    keeper.press("Bo: Flush")
    keeper.submit(keeper.page.to("/undo"))
    assert [event.players() for event in download_game(keeper).events] == [("Anna",)]


@pytest.mark.parametrize("happened", [(), ({"event": "break_off", "settle": True},)])
def test_the_file_is_there_during_the_game_and_after(
    seat: Seat, phone: Phone, new_phone: NewPhone, happened: tuple[dict[str, object], ...]
) -> None:
    """Keeper and readers find the link at any time."""
    seat(phone, *happened)
    reader = new_phone()
    reader.open(phone.table)
    assert download_game(reader) == download_game(phone)


@settings(
    max_examples=25,
    # The phones and the database are the same in every example, the tables are not.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(played=games())
def test_the_file_scores_as_the_table_does(pool: Pool, new_phone: NewPhone, played: Played) -> None:
    """Whatever is played under whatever rules: the file gives the very result the table shows."""
    pen = tables.new_pen()
    link = tables.open_table(pool, played.setup, "", pen)
    for event in played.events:
        play.record(pool, Write(link, pen), write_event(event))
    phone = new_phone()
    phone.open(f"/t/{link}/games/1.json")
    sheet, game = sheets.read_sheet(pool, link), read_game(decode(phone.answer.data))
    written = msgspec.json.decode(phone.answer.data)
    assert without_times(written) == json(write_game(sheet.game))
    assert write_result(game.states()) == write_result(sheet.states)
