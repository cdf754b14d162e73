from typing import Any

from app.rules.gamefile import Game, read_game
from app.rules.json_input import decode
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


def test_undone_events_are_left_out(keeper: Phone) -> None:
    """The file is the game as it stands."""
    keeper.press("Anna: Pair")
    keeper.press("Bo: Flush")
    keeper.submit(keeper.page.to("/undo"))
    assert [event.players() for event in download_game(keeper).events] == [("Anna",)]
