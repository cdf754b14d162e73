"""Quotas of one table over its life: a change beyond them is refused, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.rules.codes import NotAllowed
from app.rules.events import Correction
from app.rules.gamefile import Game
from app.services import access, bounds, import_export, payments, play
from app.services.edit import Edit, EditEvent
from app.services.people import Rename
from app.services.play import Record
from app.store import log
from tests.rules.table import write_facts
from tests.services.keeper import NOBODY, Keeper, game_from

Limit = Callable[..., None]
(POINT,) = write_facts("Bo 1")


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Limit:
    """Return a function that lowers the quotas."""

    def let(**limits: int) -> None:
        for name, value in limits.items():
            monkeypatch.setattr(bounds, name, value)

    return let


def refuse(code: str, most: int, act: Callable[..., object], *args: object) -> None:
    """Expect a refusal with this code, which names the limit."""
    with pytest.raises(NotAllowed) as refused:
        act(*args)
    assert (refused.value.code, refused.value.values) == (code, {"limit": most})


def games(*players: list[str]) -> list[Game]:
    """Return a finished game for each list of players."""
    return [game_from("2025-01-01T20:00Z", " ".join(each), "nobody, void") for each in players]


def bring(keeper: Keeper, *players: list[str]) -> int:
    """Import a finished game for each list of players."""
    return import_export.import_games(keeper.db, keeper.write(), games(*players))


def test_a_full_table_takes_nothing_more(keeper: Keeper, limit: Limit) -> None:
    """Undone changes and undos count; undo and the end of the game stay possible."""
    most = keeper.access.entries + 4
    limit(MAX_ENTRIES=most)
    keeper.record("no hands")
    keeper.undo()
    keeper.record("nobody")
    before = keeper.view
    refuse("table_full", most, keeper.commit, Record(POINT))
    assert keeper.view == before
    assert keeper.undo().seq == before.seq + 1
    assert keeper.record("settled").state.over
    refuse("table_full", most, keeper.next_game)


def test_redoing_fills_a_table(keeper: Keeper, limit: Limit) -> None:
    """Each redo is recorded and counts, so that endless undo and redo cannot fill the disk."""
    keeper.record("nobody")
    most = keeper.access.entries + 3
    limit(MAX_ENTRIES=most, HEADROOM=2)
    for _ in range(2):
        keeper.undo()
        keeper.redo()
    keeper.undo()
    refuse("table_full", most, keeper.redo)


def test_long_remarks_and_all_that_was_undone_count(keeper: Keeper) -> None:
    """Long remarks and undone changes count, so that a full table is bounded in bytes."""
    before = keeper.access.entries
    keeper.record(*["Anna 1"] * 3)
    keeper.undo(2)
    keeper.commit(EditEvent(0, POINT))
    assert keeper.access.entries == before + 3 + 2 + 1
    keeper.undo()
    keeper.record({**NOBODY, "note": "\N{GRINNING FACE}" * 200})
    assert keeper.access.entries == before + 3 + 2 + 1 + 2 + 800 // bounds.ENTRY_BYTES


def test_the_log_of_a_game_is_bounded(keeper: Keeper, limit: Limit) -> None:
    """Each tap reads the whole log of a game; a game at the limit can still be broken off."""
    limit(MAX_GAME_ENTRIES=6)
    keeper.record("nobody")
    for _ in range(2):
        keeper.undo()
        keeper.record("nobody")
    refuse("game_full", 6, keeper.commit, Record(NOBODY))
    refuse("game_full", 6, keeper.commit, EditEvent(0, POINT))
    assert keeper.record("settled").state.over


def test_an_edit_counts_for_every_entry_of_it(keeper: Keeper, limit: Limit) -> None:
    """Each page of a game reads all that its edits hold, and few edits may hold much."""
    limit(MAX_GAME_ENTRIES=50)
    first, second = ([Correction(player="Anna", points=points)] * 30 for points in (1, 2))
    keeper.commit(Edit(1, entries=first))
    refuse("game_full", 50, keeper.commit, Edit(1, entries=second))
    assert keeper.record("settled").state.over


def test_changes_of_no_game_are_bounded_together(keeper: Keeper, limit: Limit) -> None:
    """Each page of any game reads them; the game goes on, and the newest of them is undone."""
    limit(MAX_GAME_ENTRIES=5)
    for number in range(5):
        keeper.commit(Rename(f"Table {number}"))
    refuse("table_full", 5, keeper.commit, Rename("One more"))
    keeper.undo()
    assert keeper.record("nobody").name == "Table 3"


def test_a_table_has_so_many_games(keeper: Keeper, limit: Limit) -> None:
    """Played and imported games count; an undone game does not."""
    limit(MAX_GAMES=2)
    for _ in range(2):
        keeper.record("void")
        keeper.next_game()
        keeper.undo(2)
    keeper.redo(2)
    keeper.record("void")
    refuse("too_many_games", 2, keeper.next_game)
    refuse("too_many_games", 2, bring, keeper, ["Eva", "Fia"])
    assert keeper.view.games == 2


def test_files_count_for_all_their_entries(keeper: Keeper, limit: Limit) -> None:
    """A table is not opened with files that exceed the quota."""
    limit(MAX_ENTRIES=3)
    two = games(["Eva", "Fia"], ["Fia", "Eva"])
    refuse("table_full", 3, import_export.open_with_games, keeper.db, two, "", "pen")
    assert import_export.open_with_games(keeper.db, two[:1], "", "pen")


def test_a_table_has_so_many_names(keeper: Keeper, limit: Limit) -> None:
    """New names are refused, also of latecomers; known names go on, and undone names count."""
    limit(MAX_NAMES=5)
    keeper.record("void")
    keeper.next_game(players=["Anna", "Eva"])
    keeper.undo()
    refuse("too_many_people", 5, keeper.commit, play.Start({"players": ["Anna", "Fia"]}))
    refuse("too_many_people", 5, bring, keeper, ["Eva", "Gun"])
    assert keeper.next_game(players=["Eva", "Dan"]).number == 2
    joins = {"event": "joins", "player": "Hans", "after": "Eva", "points": 0}
    refuse("too_many_people", 5, keeper.commit, Record(joins))


def test_a_table_has_so_many_payments(keeper: Keeper, limit: Limit) -> None:
    """Payments taken back or undone count as well; a payment can still be taken back."""
    limit(MAX_PAYMENTS=2)
    keeper.record("Anna 3, settled")
    pay = payments.Pay(("Bo", "Anna"), "cash", 100)
    keeper.commit(pay)
    keeper.undo()
    keeper.commit(pay)
    refuse("too_many_payments", 2, keeper.commit, pay)
    keeper.commit(payments.Unpay(keeper.seq))
    refuse("too_many_payments", 2, keeper.commit, pay)


def test_so_many_pens_write_at_a_table(keeper: Keeper, limit: Limit) -> None:
    """Pens taken back make room for others."""
    limit(MAX_PENS=2)
    db, link = keeper.db, keeper.link
    access.redeem_pen_link(db, link, access.make_pen_link(db, keeper.write()), "second")
    refuse("too_many_pens", 2, access.make_pen_link, db, keeper.write())
    access.revoke_others(db, keeper.write())
    access.redeem_pen_link(db, link, access.make_pen_link(db, keeper.write()), "third")
    assert access.find_access(db.connection, link, "third").writes


def test_pens_that_come_and_go_fill_no_log(keeper: Keeper) -> None:
    """However often pens are taken back, the log holds one row of it; versions grow."""
    keeper.record(NOBODY)
    before = keeper.seq
    for _ in range(5):
        access.revoke_others(keeper.db, keeper.write())
    assert keeper.seq == before + 5
    rows = log.read_settings(keeper.db.connection, keeper.table_id)
    assert [row.seq for row in rows if row.kind == "pens"] == [keeper.seq]
    assert keeper.undo().undoable is None
