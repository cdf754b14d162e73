"""What one table may hold over its life: refused in words beyond that, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.rules.errors import NotAllowed
from app.rules.gamefile import Game, read_game
from app.services import import_export, ledger, pens, tables
from app.services.play import Record, ReplaceEvent
from tests.services.keeper import NOBODY, SETTLE, VOID, Keeper, correction

ENGLISH = get_language("en")


def refusal(act: Callable[[], object]) -> str:
    """Do what is refused; return the reason in words."""
    with pytest.raises(NotAllowed) as refused:
        act()
    return error_text(refused.value, ENGLISH)


def limit(monkeypatch: pytest.MonkeyPatch, **limits: int) -> None:
    """Let less be enough."""
    for name, value in limits.items():
        monkeypatch.setattr(tables, name, value)


def game(*names: str) -> Game:
    """Return a game that is over, between these."""
    return read_game({"format": "chicago-game/1", "players": list(names), "events": [NOBODY, VOID]})


def entries(keeper: Keeper) -> int:
    """Return for how many entries a table counts."""
    return keeper.access.entries


def test_a_full_table_takes_nothing_more(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was undone counts, and undoing it. That goes on, and the game can be settled."""
    limit(monkeypatch, MAX_ENTRIES=entries(keeper) + 4)
    keeper.record(NOBODY, NOBODY)
    keeper.undo()
    keeper.record(NOBODY)
    before = keeper.view
    words = refusal(partial(keeper.commit, Record(correction("Bo", 1))))
    assert words.startswith(f"This table is full: it holds {tables.MAX_ENTRIES} entries; start")
    assert keeper.view == before
    assert keeper.undo().seq == before.seq + 1
    assert keeper.record(SETTLE).state.over
    assert "This table is full" in refusal(keeper.next_game)


def test_undoing_counts_too(keeper: Keeper) -> None:
    """Each version of a table is kept, so each counts."""
    before = entries(keeper)
    keeper.record(*[correction("Anna", 1)] * 3)
    keeper.undo(2)
    keeper.commit(ReplaceEvent(0, correction("Anna", 2)))
    assert entries(keeper) == before + 3 + 2 + 1


def test_an_entry_with_long_remarks_counts_for_several(keeper: Keeper) -> None:
    """So that a full table is bounded in bytes."""
    before = entries(keeper)
    keeper.record({**NOBODY, "note": "\N{GRINNING FACE}" * 200})
    assert entries(keeper) == before + 1 + 800 // tables.ENTRY_BYTES


def test_a_game_s_log_is_bounded(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is read at each tap; the game can still be broken off."""
    limit(monkeypatch, MAX_GAME_ENTRIES=6)
    keeper.record(NOBODY)
    for _ in range(2):
        keeper.undo()
        keeper.record(NOBODY)
    words = refusal(partial(keeper.commit, Record(NOBODY)))
    assert words.startswith("This game is full: its log holds 6 entries, those taken back")
    change = partial(keeper.commit, ReplaceEvent(0, correction("Bo", 1)))
    assert "This game is full" in refusal(change)
    assert keeper.record(SETTLE).state.over


def test_a_table_has_so_many_games(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played or from files."""
    limit(monkeypatch, MAX_GAMES=2)
    keeper.record(VOID)
    keeper.next_game()
    keeper.record(VOID)
    words = refusal(keeper.next_game)
    assert words.startswith("This table is full: it holds 2 games; start a new table")
    bring = partial(import_export.import_games, keeper.db, keeper.write(), [game("Eva", "Fia")])
    assert "it holds 2 games" in refusal(bring)
    assert keeper.view.games == 2


def test_files_count_for_all_their_entries(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that they would fill is not begun."""
    limit(monkeypatch, MAX_ENTRIES=3)
    games = [game("Eva", "Fia"), game("Fia", "Eva")]
    act = partial(import_export.open_table, keeper.db, games, "", "pen")
    assert "it holds 3 entries" in refusal(act)
    assert tables.find_access(
        keeper.db.connection, import_export.open_table(keeper.db, games[:1], "", "pen"), "pen"
    ).writes


def test_a_table_has_so_many_names(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """New ones are refused; those who have played go on."""
    limit(monkeypatch, MAX_NAMES=5)
    keeper.record(VOID)
    keeper.next_game(players=["Anna", "Eva"])
    keeper.record(VOID)
    words = refusal(partial(keeper.next_game, players=["Anna", "Fia"]))
    assert words.startswith("This table is full: 5 names have played here")
    bring = partial(import_export.import_games, keeper.db, keeper.write(), [game("Eva", "Gun")])
    assert "5 names have played here" in refusal(bring)
    assert keeper.next_game(players=["Eva", "Dan"]).number == 3


def test_a_table_has_so_many_payments(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those taken back count as well; taking back goes on."""
    limit(monkeypatch, MAX_PAYMENTS=2)
    keeper.record(correction("Anna", 3), SETTLE)
    keeper.next_game(players=["Anna", "Bo"])
    for _ in range(2):
        keeper.commit(ledger.Pay(("Bo", "Anna"), "cash", 100))
        keeper.commit(ledger.Unpay(keeper.seq))
    pay = partial(keeper.commit, ledger.Pay(("Bo", "Anna"), "cash", 100))
    assert refusal(pay).startswith("This table is full: it holds 2 payments")


def test_so_many_pens_write_at_a_table(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once some are taken back there is room again."""
    limit(monkeypatch, MAX_PENS=2)
    db, link = keeper.db, keeper.link

    pens.take(db, link, pens.hand_over(db, keeper.write()), "second")
    words = refusal(partial(pens.hand_over, db, keeper.write()))
    assert words.startswith("2 phones write at this table already")
    pens.take_back(db, keeper.write())
    pens.take(db, link, pens.hand_over(db, keeper.write()), "third")
    assert tables.find_access(db.connection, link, "third").writes
