"""What a phone keeps besides the changes of tables, and who it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.phone import replicas
from app.services import erasure, sheets
from app.services.tables import Write
from tests.services.keeper import NOBODY, SETTLE, correction
from tests.sync.conftest import NewPhone
from tests.sync.evenings import copy_of
from tests.sync.phones import Phone, pool_of

PLAYERS = ["Anna", "Bo", "Cilla"]


def test_a_phones_pen_outlives_its_cookie(phone: Phone) -> None:
    """It is in the same file as the tables, so that neither is lost without the other."""
    link = phone.open_table(PLAYERS)
    phone.here = phone.app.test_client()
    phone.tap(link, NOBODY)
    assert phone.status()["waiting"] == 2


def test_the_browser_writes_at_a_table_that_its_phone_opened(phone: Phone) -> None:
    """Also where the answer with its cookie was lost, and it is sent again by another cookie."""
    link = phone.open_table(PLAYERS)
    (batch,) = phone.outbox()
    assert phone.deliver(batch).status_code == 200
    phone.there = phone.server.test_client()
    assert phone.hand_over() == [200]
    form = {"seq": "1", "event": '{"event":"no_best_hand"}'}
    assert phone.there.post(f"/t/{link}/events", data=form).status_code == 303
    assert link in phone.there.get("/").text


def test_another_browser_with_the_link_alone_reads(phone: Phone, new_phone: NewPhone) -> None:
    """The link that the phone chose opens the table everywhere."""
    link, other = phone.open_table(PLAYERS), new_phone()
    phone.hand_over()
    assert other.there.get(f"/t/{link}").status_code == 200
    assert other.there.post(f"/t/{link}/undo", data={"seq": "1"}).status_code == 401


def test_what_waits_is_told(phone: Phone) -> None:
    """How much, since when, and at which tables."""
    assert phone.status() == {
        "waiting": 0,
        "since": None,
        "only_here": [],
        "unopened": [],
        "conflicts": [],
        "held": [],
    }
    link = phone.open_table(PLAYERS)
    phone.tap(link, NOBODY)
    status = phone.status()
    lines = sheets.read_log(pool_of(phone.app), link, 1)
    assert (status["waiting"], status["unopened"]) == (2, [link])
    assert status["since"] <= lines[0].recorded_at
    phone.hand_over()
    assert (phone.status()["waiting"], phone.status()["held"]) == (0, [link])


def test_a_table_that_is_put_away_here_is_put_away_there(phone: Phone) -> None:
    """And brought back."""
    link = phone.open_table(PLAYERS)
    phone.hand_over()
    phone.refresh()
    for do, away in (("away", True), ("back", False)):
        phone.here.post("/tables", data={"table": link, "do": do})
        phone.refresh()
        assert (f'href="/t/{link}"' in phone.there.get("/").text) is not away
    phone.there.post("/tables", data={"table": link, "do": "away"})
    phone.refresh()
    assert f'href="/t/{link}"' not in phone.here.get("/").text


def test_a_table_that_the_server_never_heard_of_can_be_forgotten(phone: Phone) -> None:
    """A name out of it too: then it is never handed over."""
    link = phone.open_table([*PLAYERS, "Quintilianus"])
    phone.tap(link, {"event": "leaves", "player": "Quintilianus"})
    name = {"what": "name", "name": "Quintilianus", "sure": "1"}
    assert phone.send(link, "/forget", name).status_code == 303
    assert phone.status()["waiting"] == 2
    assert b"Quintilianus" not in Path(phone.app.config["DATABASE"]).read_bytes()
    assert phone.send(link, "/forget", {"what": "table", "sure": "1"}).status_code == 303
    assert phone.status()["waiting"] == 0
    assert phone.outbox() == []


def test_a_table_that_was_erased_in_part_is_handed_over_as_it_is_left(phone: Phone) -> None:
    """Names and payments of before stay, and what was undone goes with its game."""
    link, db = phone.open_table(PLAYERS), pool_of(phone.app)
    phone.tap(link, correction("Anna", 7))
    phone.tap(link, SETTLE)
    for path in ("/games", "/undo", "/redo", "/undo", "/undo", "/redo"):
        phone.send(link, path)
    phone.send(link, "/name", {"name": "Stugan"})
    phone.send(link, "/games")
    write = Write(link, replicas.read_phone(db).pen)
    erasure.delete_before(db, write, datetime.now(UTC).date() + timedelta(days=2))
    phone.tap(link, NOBODY)
    assert phone.hand_over() == [200]
    assert copy_of(phone, link, there=True) == copy_of(phone, link, there=False)
    assert (phone.server_sheet(link).name, phone.server_sheet(link).number) == ("Stugan", 2)


def test_what_the_server_may_have_is_forgotten_there(phone: Phone) -> None:
    """On a phone that cannot ask it nothing is erased, and it says so."""
    link = phone.open_table(PLAYERS)
    phone.outbox()
    answer = phone.send(link, "/forget", {"what": "table", "sure": "1"})
    assert answer.status_code == 422
    assert phone.status()["held"] == [link]
