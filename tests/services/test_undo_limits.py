"""Where undo ends: at what came from files, at what was erased, and at what was paid."""

from datetime import date, timedelta

import pytest

from app.rules.errors import NotAllowed
from app.rules.gamefile import Game, read_game, read_setup
from app.services import erasure, import_export, ledger, play, table_view, tables
from app.services.play import DraftItem
from app.services.table_view import Changed
from app.services.tables import NotFound
from tests.services.keeper import PLAYERS, SETTLE, VOID, Keeper, best_hand, correction

TOMORROW = date.today() + timedelta(days=2)  # noqa: DTZ011  # any day after today's


def two_games(keeper: Keeper, **changes: object) -> None:
    """Play a game to its end, and start another."""
    keeper.record(correction("Anna", 5), SETTLE)
    keeper.next_game(**changes)


def file_of(uid: str) -> Game:
    """Return a game from a file."""
    events = [correction("Anna", 7), SETTLE]
    raw = {"format": "chicago-game/1", "id": uid, "players": PLAYERS, "events": events}
    return read_game(raw)


def bring_in(keeper: Keeper, uid: str = "a") -> None:
    """Import one game."""
    import_export.import_games(keeper.db, keeper.write(), [file_of(uid)])


def amend_first(keeper: Keeper) -> None:
    """Let Anna have had other points in the first game."""
    keeper.commit(play.Mend(1, [file_of("").events[0], 1]))


def test_a_game_undone_is_at_no_place(keeper: Keeper) -> None:
    """Neither its page, nor files, nor people, nor the evening know it, until it is redone."""
    two_games(keeper, players=["Eva", "Bo"])
    keeper.undo()
    assert table_view.list_game_numbers(keeper.db, keeper.link) == [1]
    assert "Eva" not in keeper.people.numbers
    assert len(ledger.read_ledger(keeper.db, keeper.link).lines) == 1
    with pytest.raises(NotFound):
        table_view.read_view(keeper.db, keeper.link, 2)
    with pytest.raises(NotFound):
        import_export.export_game(keeper.db, keeper.link, 2)
    assert keeper.redo().game.setup.players == ("Eva", "Bo")


def test_a_game_undone_is_gone_once_something_new_is_recorded(keeper: Keeper) -> None:
    """Another may have its number, and counts instead; who was to play can be forgotten."""
    two_games(keeper, players=["Eva", "Bo"])
    keeper.undo()
    assert keeper.view.redoable == Changed("start", 2)
    view = keeper.next_game(players=["Fia", "Bo"])
    assert (view.number, view.redoable) == (2, None)
    assert "Eva" not in keeper.people.numbers
    assert "Eva" in erasure.list_names(keeper.db, keeper.link)


def test_a_game_undone_fills_no_table(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts as no game; the names of who was to play stand in the log, and count."""
    monkeypatch.setattr(tables, "MAX_GAMES", 2)
    monkeypatch.setattr(tables, "MAX_NAMES", 6)
    for name in ("Eva", "Fia"):
        keeper.record(VOID)
        keeper.next_game(players=["Anna", name])
        keeper.undo(2)
    assert keeper.view.games == 1
    keeper.record(VOID)
    with pytest.raises(NotAllowed, match="too_many_people"):
        keeper.next_game(players=["Anna", "Gun"])


def test_a_game_undone_holds_no_currency(keeper: Keeper) -> None:
    """It was for money, and is not there any more."""
    setup, pen = read_setup({"players": PLAYERS, "stake_ore": 0}), keeper.pen
    table = Keeper(keeper.db, play.open_table(keeper.db, setup, "", pen), pen)
    table.record(VOID)
    table.next_game(stake_ore=100)
    table.undo()
    assert table.commit(play.Start({}, "EUR")).currency == "EUR"
    assert table.undo().currency == "SEK"


def test_redoing_fills_a_table(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """There and back for ever would fill the disk, as each time is remembered."""
    keeper.record(best_hand("Anna"))
    monkeypatch.setattr(tables, "MAX_ENTRIES", keeper.access.entries + 3)
    monkeypatch.setattr(tables, "SPARE", 2)
    for _ in range(2):
        keeper.undo()
        keeper.redo()
    keeper.undo()
    with pytest.raises(NotAllowed, match="table_full"):
        keeper.redo()


def test_what_was_before_an_import_is_settled(keeper: Keeper) -> None:
    """The events that came in are undone one by one, the game itself and what was before stays."""
    keeper.record(correction("Anna", 5), SETTLE)
    amend_first(keeper)
    bring_in(keeper)
    keeper.undo(2)
    assert (keeper.view.number, keeper.view.undoable) == (2, None)
    assert keeper.redo(2).state.over


def test_an_import_ends_redo(keeper: Keeper) -> None:
    """A game that was undone, and one that comes in, never share a number."""
    two_games(keeper)
    keeper.undo()
    bring_in(keeper)
    assert (keeper.view.number, keeper.view.redoable) == (2, None)
    assert keeper.view.game.remarks["id"] == "a"
    amend_first(keeper)
    keeper.undo()
    bring_in(keeper, "b")
    assert keeper.view.redoable is None


def test_the_oldest_game_that_is_left_stays(keeper: Keeper) -> None:
    """What is before it was erased, so undoing its start would leave nothing."""
    two_games(keeper)
    keeper.record(best_hand("Bo"))
    erasure.delete_before(keeper.db, keeper.write(), TOMORROW)
    assert keeper.undo().undoable is None
    assert table_view.list_game_numbers(keeper.db, keeper.link) == [2]
    keeper.record(SETTLE)
    keeper.next_game()
    assert keeper.undo().number == 2


def test_erasing_what_is_old_forgets_what_was_undone(keeper: Keeper) -> None:
    """Nothing old comes back by redo."""
    two_games(keeper, players=["Eva", "Bo"])
    keeper.undo(2)
    erasure.delete_before(keeper.db, keeper.write(), TOMORROW)
    assert keeper.view.redoable is None
    assert "Eva" not in erasure.list_names(keeper.db, keeper.link)


def test_a_name_is_erased_where_it_was_undone(keeper: Keeper) -> None:
    """Neither a game nor an amendment that is redone brings it back."""
    keeper.record(correction("Bo", 5), SETTLE)
    keeper.next_game(players=["Eva", "Bo"])
    keeper.record({**correction("Bo", 7), "note": "Eva knows"})
    keeper.commit(play.Mend(2, []))
    keeper.undo(3)
    assert "Eva" in erasure.list_names(keeper.db, keeper.link)
    new = erasure.erase_name(keeper.db, keeper.write(), "Eva", "Player")
    keeper.redo(3)
    assert keeper.view.game.setup.players == (new, "Bo")
    log = table_view.read_log(keeper.db, keeper.link, 2)
    assert "Eva" not in repr(log)


def test_what_was_paid_is_undone_before_what_it_was_paid_for(keeper: Keeper) -> None:
    """In the order in which it was done, so that nobody has paid who has never played."""
    two_games(keeper, players=["Eva", "Bo"], stake_ore=100)
    keeper.record(correction("Eva", 9), SETTLE)
    keeper.commit(ledger.PayAll("cash"))
    keeper.undo()
    assert ledger.read_ledger(keeper.db, keeper.link).outstanding["Bo"] < 0
    assert keeper.undo(3).number == 1
    keeper.redo(4)
    assert not any(ledger.read_ledger(keeper.db, keeper.link).outstanding.values())


@pytest.mark.parametrize("entries", [[1, 2], [file_of("").events[0], 0, 1, 2]])
def test_money_follows_what_was_paid_when_it_counted(
    keeper: Keeper, entries: list[DraftItem]
) -> None:
    """A payment settles the game as it was then, however it is mended afterwards."""
    keeper.record(correction("Bo", 5), correction("Bo", 3), SETTLE)
    keeper.commit(ledger.PayAll("cash"))
    for _ in range(2):
        keeper.commit(play.Mend(1, entries))
        now = ledger.read_ledger(keeper.db, keeper.link)
        assert [*now.adjustments] == [1]
        assert now.transfers == now.adjustments[1]
        keeper.undo()
        now = ledger.read_ledger(keeper.db, keeper.link)
        assert (now.adjustments, now.transfers) == ({}, [])
