"""Conflicts of a table between a phone and the server: a person decides, in three ways.

Each way loses only the changes that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from app.offline import conflicts, replicas
from app.rules.errors import NotAllowed
from app.rules.events import BestHand, LastTrick
from app.services import play, tables
from app.services.commit import commit, form_key
from app.services.ledger import PayAll
from app.services.play import DraftItem
from app.services.revise import Revise
from app.services.settings import Rename
from app.services.table_view import TableView
from app.services.tables import Write
from app.store.database import Database
from tests.offline.conftest import NewPhone
from tests.offline.evenings import copy_of
from tests.offline.phones import Phone, pool_of
from tests.rules.table import facts, write_facts


def pen_there(phone: Phone, link: str) -> Write:
    """Return a write on the server with another pen of the table."""
    db, pen = pool_of(phone.server), tables.new_pen()
    with db.transaction() as connection:
        tables.add_pen(connection, tables.find_access(connection, link, None).id, pen)
    return Write(link, pen)


def write_there(phone: Phone, link: str, *happened: str) -> None:
    """Record events on the server with another pen."""
    write = pen_there(phone, link)
    for event in write_facts(*happened):
        commit(pool_of(phone.server), write, play.Record(event))


def mend(phone: Phone, link: str, entries: Sequence[DraftItem]) -> None:
    """Mend the first game on the phone."""
    pen = replicas.read_phone(pool_of(phone.app)).pen
    change = play.Mend(1, entries)
    commit(pool_of(phone.app), Write(link, pen), change, form_key(pen, b"mended"))


def kinds(view: TableView) -> list[str]:
    """Return the kinds of the events in the newest game."""
    return [type(event).__name__ for event in view.game.events]


@pytest.fixture
def link(phone: Phone) -> str:
    """Return the link of a table on both sides, with its first hand."""
    link = phone.open_table()
    phone.tap(link, "Anna pair")
    assert phone.push() == [200]
    phone.refresh()
    return link


@pytest.fixture
def parted(phone: Phone, link: str) -> str:
    """Return the link of that table, with different later events on the phone and the server."""
    phone.tap(link, "nobody, Bo trick, Cilla pair")
    write_there(phone, link, "Bo pair")
    assert phone.push() == [409]
    assert phone.status()["conflicts"] == [link]
    return link


def test_a_second_pen_that_wrote_first_is_a_conflict_and_changes_nothing(
    phone: Phone, parted: str
) -> None:
    """The server's table is unchanged, the phone plays on, and nothing is sent again."""
    assert kinds(phone.server_sheet(parted)) == ["BestHand", "BestHand"]
    phone.tap(parted, "nobody")
    assert phone.outbox() == []
    assert phone.status()["waiting"] == 4


def test_what_is_added_is_what_fits_and_the_rest_is_named(phone: Phone, parted: str) -> None:
    """Bo has the second hand of the deal on the server; a trial changes nothing."""
    phone.refresh()
    before = phone.view(parted)
    with phone.page():
        tried = conflicts.read_divergence(pool_of(phone.app), parted).addition
    assert phone.view(parted) == before
    assert phone.status()["waiting"] == 3
    with phone.page():
        assert conflicts.add_mine(pool_of(phone.app), parted) == tried
    assert tried is not None
    assert tried.added == 2
    assert [type(each.event).__name__ for each in tried.left_out] == ["NoBestHand"]
    assert kinds(phone.view(parted)) == ["BestHand", "BestHand", "LastTrick", "BestHand"]
    assert phone.status()["conflicts"] == []
    assert phone.push() == [200]
    assert phone.server_sheet(parted) == phone.view(parted)


def add(phone: Phone, link: str) -> tuple[int, int]:
    """Add the phone's changes to the server's; return how many were added and left out."""
    assert phone.push() == [409]
    phone.refresh()
    done = conflicts.add_mine(pool_of(phone.app), link)
    assert set(phone.push()) <= {200}
    assert copy_of(phone, link, there=True) == copy_of(phone, link, there=False)
    return done.added, len(done.left_out)


def test_what_was_taken_back_meanwhile_is_neither_added_nor_told(phone: Phone, link: str) -> None:
    """Own undone changes are dropped; an older change is undone only where it is the newest."""
    for path in ("/undo", "/redo", "/undo"):
        phone.send(link, path)
    phone.tap(link, "Cilla pair")
    phone.send(link, "/undo")
    phone.tap(link, "Bo 3")
    write_there(phone, link, "Bo 5")
    assert add(phone, link) == (1, 1)
    assert phone.view(link).state.score("Bo") == 8
    assert kinds(phone.view(link))[0] == "BestHand"


def test_a_game_is_not_mended_over_what_others_recorded(phone: Phone, link: str) -> None:
    """The phone's mend is left out and named; the server's game stands."""
    mend(phone, link, facts("Bo pair"))
    write_there(phone, link, "Cilla 5")
    assert add(phone, link) == (0, 1)
    state = phone.view(link).state
    assert (state.score("Anna"), state.score("Cilla")) == (1, 5)


def test_a_game_that_others_mended_is_not_mended_again(phone: Phone, link: str) -> None:
    """The phone's mend is left out: nobody knows which of the two is meant."""
    mend(phone, link, facts("Bo pair"))
    commit(pool_of(phone.server), pen_there(phone, link), play.TakeBackEvent())
    assert add(phone, link) == (0, 1)


def test_payments_that_others_noted_too_are_not_made_twice(phone: Phone, link: str) -> None:
    """The phone's payments are left out, since both may be the same."""
    phone.tap(link, "settled")
    phone.push()
    phone.send(link, "/evening/all", {"way": "cash"})
    phone.send(link, "/games")
    commit(pool_of(phone.server), pen_there(phone, link), PayAll("cash"))
    assert add(phone, link) == (1, 1)
    assert phone.view(link).games == 2


def test_a_person_who_was_renamed_here_is_renamed_there(phone: Phone, link: str) -> None:
    """All later changes use the new name; it is left out of a game in which others wrote."""
    phone.tap(link, "settled")
    phone.push()
    phone.send(link, "/games")
    change, pen = Revise(names={"Bo": "Bosse"}), replicas.read_phone(pool_of(phone.app)).pen
    commit(pool_of(phone.app), Write(link, pen), change, form_key(pen, b"revised"))
    phone.tap(link, "Bosse 4")
    commit(pool_of(phone.server), pen_there(phone, link), Rename("Stugan"))
    assert add(phone, link) == (3, 0)
    assert phone.view(link).state.score("Bosse") == 4


def test_others_who_write_behind_what_came_before_are_no_conflict(phone: Phone, link: str) -> None:
    """Only the answer to the push was lost."""
    phone.tap(link, "nobody")
    (batch,) = phone.outbox()
    phone.deliver(batch)
    write_there(phone, link, "Bo trick")
    assert phone.push() == [200]
    phone.refresh()
    assert copy_of(phone, link, there=True) == copy_of(phone, link, there=False)


def test_mine_can_be_a_table_of_its_own(phone: Phone, parted: str) -> None:
    """All its games get a new link; the old link leads to the server's table."""
    mine = phone.view(parted)
    phone.refresh()
    with phone.page():
        own = conflicts.make_own_table(pool_of(phone.app), parted)
    assert own != parted
    assert phone.view(own).game.events == mine.game.events
    assert phone.view(parted) == phone.server_sheet(parted)
    assert phone.push() == [200]
    assert phone.server_sheet(own) == phone.view(own)
    assert phone.there.get(f"/t/{own}").status_code == 200
    phone.tap(parted, "Anna trick")
    phone.tap(own, "nobody")
    assert phone.push() == [200, 200]
    assert [type(e) for e in phone.server_sheet(parted).game.events][-1] is LastTrick


def test_letting_theirs_count_can_be_undone(phone: Phone, parted: str) -> None:
    """Both versions are back, and every way is open again."""
    mine = phone.view(parted)
    phone.refresh()
    with phone.page() as db:
        conflicts.keep_theirs(db, parted)
    assert phone.view(parted) == phone.server_sheet(parted)
    phone.refresh()
    with phone.page() as db:
        conflicts.undo_choice(db, parted)
    assert phone.view(parted).game == mine.game
    assert phone.status()["conflicts"] == [parted]
    with phone.page() as db:
        own = conflicts.make_own_table(db, parted)
        conflicts.undo_choice(db, parted)
    assert phone.status()["held"] == [parted]
    assert own
    with phone.page() as db:
        assert conflicts.add_mine(db, parted).added == 2
    assert phone.push() == [200]
    assert phone.server_sheet(parted) == phone.view(parted)


def test_once_something_new_waits_the_choice_stands(phone: Phone, parted: str) -> None:
    """An undo of the choice would lose the waiting change."""
    phone.refresh()
    with phone.page() as db:
        conflicts.keep_theirs(db, parted)
    phone.tap(parted, "Anna 3")
    with phone.page() as db, pytest.raises(NotAllowed):
        conflicts.undo_choice(db, parted)


def test_a_table_forgotten_on_the_server_stays_where_something_waits(
    phone: Phone, link: str
) -> None:
    """The waiting changes become a table of their own, or are deleted too."""
    phone.tap(link, "nobody")
    form = {"what": "table", "sure": "1"}
    assert phone.there.post(f"/t/{link}/forget", data=form).status_code == 303
    phone.refresh()
    assert phone.status()["conflicts"] == [link]
    with phone.page():
        assert conflicts.read_divergence(pool_of(phone.app), link).row.conflict == "gone"
        with pytest.raises(NotAllowed):
            conflicts.add_mine(pool_of(phone.app), link)
        own = conflicts.make_own_table(pool_of(phone.app), link)
    assert phone.push() == [200]
    assert isinstance(phone.server_sheet(own).game.events[0], BestHand)


def test_a_table_forgotten_on_the_server_is_forgotten_here(phone: Phone, link: str) -> None:
    """Without waiting changes there is nothing to decide."""
    phone.there.post(f"/t/{link}/forget", data={"what": "table", "sure": "1"})
    phone.refresh()
    assert phone.status()["held"] == []
    assert phone.here.get(f"/t/{link}").status_code == 404


def test_a_pen_that_was_taken_back_hands_nothing_over(
    phone: Phone, link: str, new_phone: NewPhone
) -> None:
    """Waiting rows stay on the phone, and can be deleted there."""
    phone.tap(link, "nobody")
    with pool_of(phone.server).transaction() as connection:
        connection.execute("UPDATE pens SET revoked_at = 'now'")
    assert phone.push() == [401]
    with phone.page():
        assert conflicts.read_divergence(pool_of(phone.app), link).row.conflict == "no_pen"
        conflicts.keep_theirs(pool_of(phone.app), link)
    assert phone.status()["held"] == []


@pytest.mark.parametrize("opened", [True, False])
@pytest.mark.parametrize("way", [conflicts.keep_theirs, conflicts.make_own_table])
def test_what_the_server_refuses_can_be_decided(
    phone: Phone, link: str, way: Callable[[Database, str], object], opened: bool
) -> None:
    """Also where nobody else wrote, so that a pull brings no rows of the table."""
    table = link if opened else phone.open_table()
    phone.tap(table, "nobody")
    assert phone.receive(table, 422, '{"message": "Too much."}') == 204
    phone.refresh()
    with phone.page() as db:
        conflicts.read_divergence(db, table)
        way(db, table)
    assert phone.status()["conflicts"] == []
