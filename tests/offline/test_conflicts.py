"""Conflicts: others wrote at a table while changes waited on the phone, which go behind theirs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from app.offline import conflicts, replicas
from app.offline.conflicts import Merge, Tried
from app.rules.codes import NotAllowed, Stale
from app.rules.events import LastTrick
from app.services import play
from app.services.access import Write
from app.services.commit import Change, commit, form_key
from app.services.edit import Edit, Item, TakeBackEvent
from app.services.payments import PayAll
from app.services.people import Rename
from app.services.table_view import TableView
from tests.offline.conftest import NewPhone
from tests.offline.phones import Phone, copy_of, pool_of
from tests.rules.table import facts, write_facts


def write_there(phone: Phone, link: str, *happened: str) -> None:
    """Record events on the server with another pen."""
    write = phone.pen_there(link)
    for event in write_facts(*happened):
        commit(pool_of(phone.server), write, play.Record(event))


def change_here(phone: Phone, link: str, change: Change) -> None:
    """Make a change on the phone, as a form does."""
    pen = replicas.read_phone(pool_of(phone.app)).pen
    key = form_key(pen, str(phone.view(link).seq).encode())
    commit(pool_of(phone.app), Write(link, pen), change, key)


def edit(phone: Phone, link: str, entries: Sequence[Item]) -> None:
    """Edit the first game on the phone."""
    change_here(phone, link, Edit(1, entries=entries))


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


def merge(phone: Phone, link: str, wanted: Sequence[int] | None = None) -> Merge:
    """Put the phone's changes behind the others', as the preview says, and push them."""
    if not phone.status()["conflicts"]:
        assert 409 in phone.push()
    with phone.page() as db:
        tried = conflicts.preview(db, link, wanted)
        assert tried is not None
        done = conflicts.add_mine(db, link, wanted, tried.seen)
        conflicts.note_merged(db, link, done, [])
    assert [result(each) for each in tried.mine] == [result(each) for each in done.mine]
    assert tried.view == done.view
    assert set(phone.push()) <= {200}
    assert copy_of(phone.server, link) == copy_of(phone.app, link)
    return done


def result(tried: Tried) -> str:
    """Return the reason why something does not fit, or whether it was wanted."""
    return tried.reason.code if tried.reason else "added" if tried.wanted else "unwanted"


def results(done: Merge) -> list[str]:
    """Return what came of each of the phone's changes."""
    return [result(each) for each in done.mine]


def test_a_second_pen_that_wrote_first_is_a_conflict_and_changes_nothing(
    phone: Phone, parted: str
) -> None:
    """The server's table is unchanged, the phone plays on, and nothing is sent again."""
    assert kinds(phone.server_sheet(parted)) == ["BestHand", "BestHand"]
    phone.tap(parted, "nobody")
    assert phone.outbox() == []
    assert phone.status()["waiting"] == 4


def test_what_fits_goes_behind_and_the_rest_is_told_with_the_reason(
    phone: Phone, parted: str
) -> None:
    """Bo has the second hand of the deal on the server; a preview changes nothing."""
    before = phone.view(parted)
    with phone.page() as db:
        conflicts.preview(db, parted)
    assert phone.view(parted) == before
    done = merge(phone, parted)
    assert results(done) == ["recorded_already", "added", "added"]
    assert kinds(done.view) == ["BestHand", "BestHand", "LastTrick", "BestHand"]
    assert (len(done.theirs), kinds(done.there)) == (1, ["BestHand", "BestHand"])
    assert phone.status()["conflicts"] == []


def test_what_is_not_wanted_is_left_out(phone: Phone, parted: str) -> None:
    """Then nothing goes into the place of another; without any of it theirs alone counts."""
    assert results(merge(phone, parted, [0, 2])) == [
        "recorded_already",
        "unwanted",
        "entry_missing",
    ]
    phone.tap(parted, "Bo trick")
    write_there(phone, parted, "Anna trick")
    assert results(merge(phone, parted, [])) == ["unwanted"]
    assert phone.status()["waiting"] == 0


def test_all_that_was_added_is_taken_out_again_while_nothing_else_is_written(
    phone: Phone, parted: str
) -> None:
    """Redo brings it again."""
    theirs = phone.server_sheet(parted)
    phone.refresh()
    done = merge(phone, parted)
    with phone.page() as db:
        conflicts.undo_merge(db, parted)
        with pytest.raises(NotAllowed):
            conflicts.undo_merge(db, parted)
    assert phone.view(parted).game == theirs.game
    assert phone.push() == [200]
    assert phone.server_sheet(parted).game == theirs.game
    for _ in range(2):
        phone.send(parted, "/redo")
    assert phone.view(parted).game == done.view.game


def test_after_something_new_it_is_taken_out_at_the_table(phone: Phone, parted: str) -> None:
    """A newer tap is never undone with it."""
    merge(phone, parted)
    phone.tap(parted, "Anna 3")
    with phone.page() as db, pytest.raises(Stale):
        conflicts.undo_merge(db, parted)


def test_versions_that_nobody_has_seen_are_not_put_together(phone: Phone, parted: str) -> None:
    """A tap since the preview would be left out without a word."""
    with phone.page() as db:
        tried = conflicts.preview(db, parted)
        assert tried is not None
    phone.tap(parted, "nobody")
    with phone.page() as db, pytest.raises(Stale):
        conflicts.add_mine(db, parted, [0, 1, 2], tried.seen)
    assert phone.status()["waiting"] == 4


def test_what_was_taken_back_meanwhile_is_neither_added_nor_told(phone: Phone, link: str) -> None:
    """Own undone changes are dropped; an older entry stays, and that is told."""
    for path in ("/undo", "/redo", "/undo"):
        phone.send(link, path)
    phone.tap(link, "Cilla pair")
    phone.send(link, "/undo")
    phone.tap(link, "Bo 3")
    write_there(phone, link, "Bo 5")
    assert results(merge(phone, link)) == ["stale", "added"]
    assert phone.view(link).state.score("Bo") == 8
    assert kinds(phone.view(link))[0] == "BestHand"


def test_an_older_entry_is_not_edited_over_what_others_wrote(phone: Phone, link: str) -> None:
    """The edit is left out and named, whether others recorded or edited; new entries fit."""
    edit(phone, link, facts("Bo pair, nobody"))
    write_there(phone, link, "Cilla 5")
    assert results(merge(phone, link)) == ["recorded_already", "added", "stale"]
    edit(phone, link, [0, 1])
    commit(pool_of(phone.server), phone.pen_there(link), TakeBackEvent())
    assert results(merge(phone, link)) == ["stale"]


def test_own_entries_go_behind_as_they_were_edited(phone: Phone, link: str) -> None:
    """What was tapped wrong and put right is not added wrong."""
    phone.tap(link, "nobody, Bo trick, Cilla pair")
    edit(phone, link, [0, 1, *facts("Anna trick"), 3])
    write_there(phone, link, "Bo 5")
    assert results(merge(phone, link)) == ["added", "added", "added"]
    assert phone.view(link).game.events[3] == LastTrick(player="Anna")


def test_a_game_in_which_nobody_else_wrote_is_edited_as_here(phone: Phone, link: str) -> None:
    """Also an older entry; what stands behind an edit that is not wanted is left out with it."""
    phone.tap(link, "settled")
    phone.push()
    edit(phone, link, facts("Bo pair, settled"))
    phone.send(link, "/games")
    phone.tap(link, "nobody")
    commit(pool_of(phone.server), phone.pen_there(link), Rename("Stugan"))
    assert results(merge(phone, link, [1, 2])) == ["unwanted", "added", "added"]
    edit(phone, link, facts("Cilla pair, settled"))
    edit(phone, link, facts("Bo pair, settled"))
    write_there(phone, link, "Anna pair")
    assert results(merge(phone, link, [1])) == ["unwanted", "stale"]


def test_payments_that_others_noted_too_are_not_made_twice(phone: Phone, link: str) -> None:
    """The phone's payments are left out, since both may be the same."""
    phone.tap(link, "settled")
    phone.push()
    phone.send(link, "/evening/all", {"way": "cash"})
    phone.send(link, "/games")
    commit(pool_of(phone.server), phone.pen_there(link), PayAll("cash"))
    assert results(merge(phone, link)) == ["stale", "added"]
    assert phone.view(link).games == 2


def test_entries_of_a_game_that_others_have_followed_are_too_late(phone: Phone, link: str) -> None:
    """So are those of a game whose start does not fit."""
    phone.tap(link, "nobody, Bo 3")
    write_there(phone, link, "settled")
    write = phone.pen_there(link)
    commit(pool_of(phone.server), write, play.Start())
    assert results(merge(phone, link)) == ["game_was_over", "game_was_over"]
    phone.tap(link, "Anna pair, settled")
    phone.send(link, "/games")
    phone.tap(link, "nobody")
    write_there(phone, link, "Cilla 5")
    assert results(merge(phone, link, [0, 2, 3])) == [
        "added",
        "unwanted",
        "still_playing",
        "no_such_game",
    ]


def test_a_person_who_was_renamed_here_is_renamed_there(phone: Phone, link: str) -> None:
    """All later changes use the new name."""
    phone.tap(link, "settled")
    phone.push()
    phone.send(link, "/games")
    change_here(phone, link, Edit(names={"Bo": "Bosse"}))
    phone.tap(link, "Bosse 4")
    commit(pool_of(phone.server), phone.pen_there(link), Rename("Stugan"))
    assert results(merge(phone, link)) == ["added", "added", "added"]
    assert phone.view(link).state.score("Bosse") == 4


def test_others_who_write_behind_what_came_before_are_no_conflict(phone: Phone, link: str) -> None:
    """Only the answer to the push was lost."""
    phone.tap(link, "nobody")
    (batch,) = phone.outbox()
    phone.deliver(batch)
    write_there(phone, link, "Bo trick")
    assert phone.push() == [200]
    phone.refresh()
    assert copy_of(phone.server, link) == copy_of(phone.app, link)


def let_go(phone: Phone, link: str, why: str) -> None:
    """See that nothing can be merged, and let the phone's copy go."""
    with phone.page() as db:
        row = replicas.find(db.connection, link)
        assert row is not None
        assert (row.conflict, conflicts.preview(db, link)) == (why, None)
        with pytest.raises(NotAllowed):
            conflicts.add_mine(db, link)
        conflicts.let_go(db, link)
    assert phone.status()["held"] == []


def test_a_table_forgotten_on_the_server_stays_where_something_waits(
    phone: Phone, link: str
) -> None:
    """Until its keeper lets it go; without anything waiting it goes by itself."""
    phone.tap(link, "nobody")
    phone.there.post(f"/t/{link}/forget", data={"what": "table", "sure": "1"})
    phone.refresh()
    let_go(phone, link, "gone")


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
    let_go(phone, link, "no_pen")


@pytest.mark.parametrize("opened", [True, False])
def test_what_the_server_refuses_can_be_left_out(phone: Phone, link: str, opened: bool) -> None:
    """Also where nobody else wrote; a table that the server does not open can be let go."""
    table = link if opened else phone.open_table()
    phone.tap(table, "nobody")
    assert phone.receive(table, 422, '{"message": "Too much."}')
    phone.refresh()
    if opened:
        assert results(merge(phone, table, [])) == ["unwanted"]
    else:
        phone_only = phone.status()["held"]
        with phone.page() as db:
            conflicts.let_go(db, table)
        assert phone.status()["held"] == [each for each in phone_only if each != table]
    assert phone.status()["conflicts"] == []
