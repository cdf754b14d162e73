"""Where undo ends: at what came from files, at what was erased, and at what was paid."""

from datetime import date, timedelta

import pytest

from app.rules.errors import NotAllowed
from app.rules.gamefile import Game, read_game
from app.services import erasure, import_export, ledger, payments, people, play, quotas, sheets
from app.services.amendments import DraftItem
from app.services.sheets import StartedGame
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
    play.amend(keeper.db, keeper.write(), 1, [file_of("").events[0], 1])


def test_a_game_undone_is_at_no_place(keeper: Keeper) -> None:
    """Neither its page, nor files, nor people, nor the evening know it, until it is redone."""
    two_games(keeper, players=["Eva", "Bo"])
    keeper.undo()
    assert sheets.list_game_numbers(keeper.db, keeper.link) == [1]
    assert "Eva" not in keeper.people.names
    assert len(ledger.read_ledger(keeper.db, keeper.link).lines) == 1
    with pytest.raises(NotFound):
        sheets.read_sheet(keeper.db, keeper.link, 2)
    assert import_export.export_game(keeper.db, keeper.link, 2) == b""
    assert keeper.redo().game.setup.players == ("Eva", "Bo")


def test_a_game_undone_is_gone_once_something_new_is_recorded(keeper: Keeper) -> None:
    """Another may have its number, and counts instead of it."""
    two_games(keeper, players=["Eva", "Bo"])
    keeper.undo()
    assert keeper.sheet.redoable == StartedGame(2)
    sheet = keeper.next_game(players=["Fia", "Bo"])
    assert (sheet.number, sheet.redoable) == (2, None)
    assert "Eva" not in erasure.list_names(keeper.db, keeper.link)


def test_a_game_undone_fills_no_table(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts neither as a game nor for its names."""
    monkeypatch.setattr(quotas, "MAX_GAMES", 2)
    monkeypatch.setattr(quotas, "MAX_NAMES", 5)
    for name in ("Eva", "Fia", "Gun"):
        keeper.record(VOID)
        keeper.next_game(players=["Anna", name])
        keeper.undo(2)
    assert keeper.sheet.games == 1


def test_redoing_fills_a_table(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """There and back for ever would fill the disk, as each time is remembered."""
    keeper.record(best_hand("Anna"))
    monkeypatch.setattr(quotas, "MAX_ENTRIES", 4)
    monkeypatch.setattr(quotas, "SPARE", 2)
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
    assert (keeper.sheet.number, keeper.sheet.undoable) == (2, None)
    assert keeper.redo(2).state.over


def test_an_import_ends_redo(keeper: Keeper) -> None:
    """A game that was undone, and one that comes in, never share a number."""
    two_games(keeper)
    keeper.undo()
    bring_in(keeper)
    assert (keeper.sheet.number, keeper.sheet.redoable) == (2, None)
    assert keeper.sheet.game.remarks["id"] == "a"
    amend_first(keeper)
    keeper.undo()
    bring_in(keeper, "b")
    assert keeper.sheet.redoable is None


def test_the_oldest_game_that_is_left_stays(keeper: Keeper) -> None:
    """What is before it was erased, so undoing its start would leave nothing."""
    two_games(keeper)
    keeper.record(best_hand("Bo"))
    erasure.delete_before(keeper.db, keeper.write(), TOMORROW)
    assert keeper.undo().undoable is None
    assert sheets.list_game_numbers(keeper.db, keeper.link) == [2]
    keeper.record(SETTLE)
    keeper.next_game()
    assert keeper.undo().number == 2


def test_erasing_what_is_old_forgets_what_was_undone(keeper: Keeper) -> None:
    """Nothing old comes back by redo."""
    two_games(keeper, players=["Eva", "Bo"])
    keeper.undo(2)
    erasure.delete_before(keeper.db, keeper.write(), TOMORROW)
    assert keeper.sheet.redoable is None
    assert "Eva" not in erasure.list_names(keeper.db, keeper.link)


def test_a_name_is_erased_where_it_was_undone(keeper: Keeper) -> None:
    """Neither a game nor an amendment that is redone brings it back."""
    keeper.record(correction("Bo", 5), SETTLE)
    keeper.next_game(players=["Eva", "Bo"])
    keeper.record({**correction("Bo", 7), "note": "Eva knows"})
    play.amend(keeper.db, keeper.write(), 2, [])
    keeper.undo(3)
    assert "Eva" in erasure.list_names(keeper.db, keeper.link)
    new = erasure.erase_name(keeper.db, keeper.write(), "Eva", "Player")
    keeper.redo(3)
    assert keeper.sheet.game.setup.players == (new, "Bo")
    log = sheets.read_log(keeper.db, keeper.link, 2)
    assert "Eva" not in repr(log)


def test_a_game_whose_players_have_paid_stays(keeper: Keeper) -> None:
    """A payment would name somebody who has never played; taken back, it holds nothing."""
    two_games(keeper, players=["Eva", "Bo"], stake_ore=100)
    keeper.record(correction("Eva", 9), SETTLE)
    payments.pay_all(keeper.db, keeper.write(), "cash")
    keeper.undo(2)
    with pytest.raises(NotAllowed, match="paid_since"):
        keeper.undo()
    assert keeper.sheet.number == 2
    for settlement in ledger.read_ledger(keeper.db, keeper.link).settlements:
        payments.undo(keeper.db, keeper.write(), settlement.seq)
    assert keeper.undo().number == 1


def test_those_who_met_in_a_game_undone_are_not_merged(keeper: Keeper) -> None:
    """Redone, it would have one person in two seats."""
    two_games(keeper, players=["Eva", "Anna"])
    keeper.record(SETTLE)
    keeper.next_game(players=["Eva", "Bo"])
    keeper.undo()
    with pytest.raises(NotAllowed, match="played_each_other"):
        people.merge(keeper.db, keeper.write(), "Eva", "Bo")


@pytest.mark.parametrize("entries", [[1, 2], [file_of("").events[0], 0, 1, 2]])
@pytest.mark.parametrize("undone", [False, True])
def test_money_follows_what_was_paid_when_it_counted(
    keeper: Keeper, entries: list[DraftItem], undone: bool
) -> None:
    """A payment settles the game as it was then, with or without what is undone and redone."""
    keeper.record(correction("Bo", 5), correction("Bo", 3), SETTLE)
    play.amend(keeper.db, keeper.write(), 1, entries)
    back, forth = keeper.undo, keeper.redo
    if undone:
        keeper.undo()
        back, forth = forth, back
    payments.pay_all(keeper.db, keeper.write(), "cash")
    for _ in range(2):
        back()
        now = ledger.read_ledger(keeper.db, keeper.link)
        assert [each.number for each in now.adjustments] == [1]
        assert now.transfers == now.adjustments[0].transfers
        forth()
        now = ledger.read_ledger(keeper.db, keeper.link)
        assert (now.adjustments, now.transfers) == ((), [])
