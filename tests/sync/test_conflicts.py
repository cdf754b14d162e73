"""Somebody else wrote at a table while changes waited on a phone: a person decides, in three ways.

Whichever it is, what it does not name is lost nowhere.
"""

from __future__ import annotations

import pytest

from app.phone import conflicts
from app.rules.errors import NotAllowed
from app.rules.events import BestHand, LastTrick
from app.services import play, tables
from app.services.sheets import Sheet
from app.services.tables import Write
from tests.services.keeper import NOBODY, best_hand, last_trick
from tests.sync.conftest import NewPhone
from tests.sync.phones import Phone, pool_of

PLAYERS = ["Anna", "Bo", "Cilla"]


def write_there(phone: Phone, link: str, *events: dict[str, object]) -> None:
    """Let somebody else write on the server, who was handed the pen."""
    db, pen = pool_of(phone.server), tables.new_pen()
    with db.transaction() as connection:
        key = tables.find_table(connection, link).id
        sql = "INSERT INTO pens (table_id, secret_hash, granted_at) VALUES (?, ?, '')"
        connection.execute(sql, [key, tables.hash_secret(pen)])
    for event in events:
        play.record(db, Write(link, pen), event)


def kinds(sheet: Sheet) -> list[str]:
    """Return what is recorded in the newest game."""
    return [type(event).__name__ for event in sheet.game.events]


@pytest.fixture
def link(phone: Phone) -> str:
    """Return a table that the server has, with its first hand."""
    link = phone.open_table(PLAYERS)
    phone.tap(link, best_hand("Anna"))
    assert phone.hand_over() == [200]
    phone.refresh()
    return link


@pytest.fixture
def parted(phone: Phone, link: str) -> str:
    """Return that table, gone on with here, and with another hand on the server."""
    for event in (NOBODY, last_trick("Bo"), best_hand("Cilla")):
        phone.tap(link, event)
    write_there(phone, link, best_hand("Bo"))
    assert phone.hand_over() == [409]
    assert phone.status()["conflicts"] == [link]
    return link


def test_a_second_pen_that_wrote_first_is_a_conflict_and_changes_nothing(
    phone: Phone, parted: str
) -> None:
    """The server stands as it was, the phone's goes on being played, and nothing is sent again."""
    assert kinds(phone.server_sheet(parted)) == ["BestHand", "BestHand"]
    phone.tap(parted, NOBODY)
    assert phone.outbox() == []
    assert phone.status()["waiting"] == 4


def test_what_is_added_is_what_fits_and_the_rest_is_named(phone: Phone, parted: str) -> None:
    """The second hand of the deal is Bo's by now; trying first changes nothing."""
    phone.refresh()
    before = phone.sheet(parted)
    with phone.page():
        tried = conflicts.try_to_add(parted)
    assert phone.sheet(parted) == before
    assert phone.status()["waiting"] == 3
    with phone.page():
        assert conflicts.add_mine(parted) == tried
    assert tried.added == 2
    assert [type(each.event).__name__ for each in tried.misfits] == ["NoBestHand"]
    assert kinds(phone.sheet(parted)) == ["BestHand", "BestHand", "LastTrick", "BestHand"]
    assert phone.status()["conflicts"] == []
    assert phone.hand_over() == [200]
    assert phone.server_sheet(parted) == phone.sheet(parted)


def test_mine_can_be_a_table_of_its_own(phone: Phone, parted: str) -> None:
    """With all its games under a link of its own; the table's link leads to the server's."""
    mine = phone.sheet(parted)
    phone.refresh()
    with phone.page():
        own = conflicts.make_own_table(parted)
    assert own != parted
    assert phone.sheet(own).game.events == mine.game.events
    assert phone.sheet(parted) == phone.server_sheet(parted)
    assert phone.hand_over() == [200]
    assert phone.server_sheet(own) == phone.sheet(own)
    assert phone.there.get(f"/t/{own}").status_code == 200
    phone.tap(parted, last_trick("Anna"))
    phone.tap(own, NOBODY)
    assert phone.hand_over() == [200, 200]
    assert [type(e) for e in phone.server_sheet(parted).game.events][-1] is LastTrick


def test_a_table_forgotten_on_the_server_stays_where_something_waits(
    phone: Phone, link: str
) -> None:
    """It can be a table of its own, or be forgotten here too."""
    phone.tap(link, NOBODY)
    form = {"what": "table", "sure": "1"}
    assert phone.there.post(f"/t/{link}/forget", data=form).status_code == 303
    phone.refresh()
    assert phone.status()["conflicts"] == [link]
    with phone.page():
        assert conflicts.read_divergence(link).why == "gone"
        with pytest.raises(NotAllowed):
            conflicts.add_mine(link)
        own = conflicts.make_own_table(link)
    assert phone.hand_over() == [200]
    assert isinstance(phone.server_sheet(own).game.events[0], BestHand)


def test_a_table_forgotten_on_the_server_is_forgotten_here(phone: Phone, link: str) -> None:
    """Where nothing waits there is nothing to decide."""
    phone.there.post(f"/t/{link}/forget", data={"what": "table", "sure": "1"})
    phone.refresh()
    assert phone.status()["held"] == []
    assert phone.here.get(f"/t/{link}").status_code == 404


def test_a_pen_that_was_taken_back_hands_nothing_over(
    phone: Phone, link: str, new_phone: NewPhone
) -> None:
    """What waits stays on the phone, and may be forgotten there."""
    phone.tap(link, NOBODY)
    with pool_of(phone.server).transaction() as connection:
        connection.execute("UPDATE pens SET revoked_at = 'now'")
    assert phone.hand_over() == [401]
    with phone.page():
        assert conflicts.read_divergence(link).why == "no_pen"
        conflicts.keep_servers(link)
    assert phone.status()["held"] == []
