"""Pushed rows are stored on the server exactly once."""

from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
import pytest
from flask import Flask
from msgspec.structs import replace

from app.offline import replicas
from app.offline import server as servers
from app.rules.events import BreakOff, Correction
from app.rules.gamefile import write_game
from app.services import access, table_view
from app.store.clock import write_time
from tests.offline.conftest import NewPhone
from tests.offline.phones import Phone, copy_of, pool_of
from tests.offline.stories import Story
from tests.services.keeper import golden_games

LONG = [
    "open",
    "here Anna pair, nobody, Bo 4",
    "here /undo",
    "here /undo",
    "here /redo",
    "here settled",
]


def test_a_link_that_a_deleted_table_had_opens_no_other(phone: Phone, new_phone: NewPhone) -> None:
    """Readers of the deleted table would read at a stranger's."""
    link = phone.open_table()
    phone.push()
    other = new_phone()
    other.open_table()
    (batch,) = other.outbox()
    phone.there.post(f"/t/{link}/forget", data={"what": "table", "sure": "1"})
    answer = other.deliver({**batch, "link": link})
    assert (answer.status_code, answer.mimetype) == (404, "application/json")
    with pytest.raises(access.NotFound):
        phone.server_sheet(link)


def test_an_edit_by_a_bundle_of_before_is_pushed(phone: Phone) -> None:
    """Such a phone swaps its bundle once nothing waits any more."""
    link = phone.open_table()
    phone.tap(link, "Anna pair, Bo pair")
    phone.send(link, "/games/1/edit", {"operations": '[["remove",0]]', "do": "save"})
    phone.send(link, "/deal", {"player": "Bo"})
    (batch,) = phone.outbox()
    edits = [row for row in batch["rows"] if row["kind"] == "edit"]
    for row in edits:
        row["kind"] = "mend" if row["game"] else "revise"
    assert {row["kind"] for row in edits} == {"mend", "revise"}
    # As a bundle writes it.
    answer = phone.there.post(f"/offline/tables/{link}", data=msgspec.json.encode(batch))
    assert answer.status_code == 200
    assert phone.server_sheet(link).game == phone.view(link).game


def test_a_row_without_a_key_is_no_other_of_the_same_content(phone: Phone) -> None:
    """What a program recorded meanwhile, without a key too, is not what the phone pushes."""
    link = phone.open_table()
    phone.push()
    phone.tap(link, "Anna pair")
    (batch,) = phone.outbox()
    (row,) = batch["rows"]
    event = {"event": "best_hand", "player": "Anna", "hand": "pair"}
    assert phone.there.post(f"/api/tables/{link}/events", json=event).status_code == 201
    assert phone.deliver({**batch, "rows": [{**row, "key": None}]}).status_code == 409


def test_what_goes_behind_others_entries_keeps_its_time(phone: Phone) -> None:
    """Also on a phone whose clock stands behind, and goes on from what it heard."""
    told = ["open", "push 200", "at -20500 here nobody", "there /name?name=Thursdays", "push 409"]
    story = Story(phone).tell(told)

    def tapped_at() -> str:
        changes, *_ = copy_of(phone.app, story.link)
        return str(max(at for _, kind, _, _, at, _ in changes if kind == "record"))

    before = tapped_at()
    story.tell(["at -20500 merge added"])
    assert before <= tapped_at() <= write_time(datetime.now(UTC))


@pytest.mark.parametrize(("rows", "seconds"), [(3, 60.0), (100, 0.0)])
def test_a_long_evening_goes_in_portions(
    phone: Phone, monkeypatch: pytest.MonkeyPatch, rows: int, seconds: float
) -> None:
    """No other writer waits long, and no request is large."""
    monkeypatch.setattr(replicas, "MOST_ROWS", rows)
    monkeypatch.setattr(servers, "LONGEST_SECONDS", seconds)
    story = Story(phone).tell(LONG)
    answers = phone.push()
    assert (len(answers) > 2, {*answers}) == (True, {200})
    story.same("")


def take_in(phone: Phone, games: list[dict[str, object]]) -> Story:
    """Read games from a file on the phone."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as file:
        for number, game in enumerate(games):
            file.writestr(f"{number}.json", msgspec.json.encode({**game, "id": str(number)}))
    form = {"file": (BytesIO(packed.getvalue()), "games.zip")}
    answer = phone.here.post("/files", data=form)
    assert answer.status_code == 303
    return Story(phone, answer.headers["Location"].split("/")[2])


def test_long_games_go_one_by_one(phone: Phone) -> None:
    """A batch is bounded by its bytes, and the server takes a game of any text."""
    games = []
    for count, note in ((50, "\U0001f0a1"), (300, '"')):
        pair = [Correction(player="Anna", points=n, note=note * 200) for n in (1, -1)]
        events = (*pair * count, BreakOff(settle=True))
        games.append(write_game(replace(golden_games()[0], events=events)))
    take_in(phone, games)
    (first,) = phone.outbox()
    assert len(msgspec.json.encode(first)) < replicas.MOST_BYTES
    assert {*phone.push()} == {200}


def test_games_that_were_played_elsewhere_come_along(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each keeps its time, and the newest can be undone event by event."""
    monkeypatch.setattr(replicas, "MOST_ROWS", 20)
    games = [write_game(game) for game in golden_games()[:3]]
    games[0]["at"], games[1]["at"] = "2020-01-01T20:00:00+01:00", "2019-01-01T20:00:00+01:00"
    story = take_in(phone, games)

    def begun(app: Flask) -> list[datetime]:
        views = [table_view.read_view(pool_of(app), story.link, n) for n in (1, 2, 3)]
        return [datetime.fromisoformat(view.begun_at) for view in views]

    before = begun(phone.app)
    story.sync("")
    assert begun(phone.server) == before
    story.tell(["here /undo", "sync 1"])
