"""The cost of a change and of a view in SQL, without a clock: early in a game and late in it.

Each limit is the present value: it may be lowered, and must not be raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import pytest

from app.rules import edit, game
from app.rules.codes import NotAllowed
from app.rules.events import Event, write_event
from app.rules.state import GameState
from app.services import evenings, phones, play, table_view
from app.services.edit import Edit
from app.services.evenings import Search
from app.services.ledger import read_ledger
from app.services.payments import PayAll
from app.store import clock, log
from tests.bench.filling import long_game
from tests.long_games import RULES
from tests.services.conftest import Seat
from tests.services.keeper import NOBODY, Keeper

Act = Callable[[Keeper], object]
EDITED = 8


class Work(msgspec.Struct):
    """The work of a request: SQL statements, their rows, and folded events."""

    statements: int = 0
    rows: int = 0
    folded: int = 0


@contextmanager
def counted(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    """Count the work within the block."""
    work, apply = Work(), game.apply

    def count_statement(_: str) -> None:
        work.statements += 1

    def count_row(_: object, row: tuple[object, ...]) -> tuple[object, ...]:
        work.rows += 1
        return row

    def count_event(state: GameState, event: Event) -> GameState:
        work.folded += 1
        return apply(state, event)

    database = keeper.db.connection.conn
    database.set_trace_callback(count_statement)
    database.row_factory = count_row
    with monkeypatch.context() as patch:
        # The fold of a whole game, and that of the next event.
        for folding in (game, play, edit):
            patch.setattr(folding, "apply", count_event)
        yield work
    database.set_trace_callback(None)
    database.row_factory = None


def tap(keeper: Keeper) -> object:
    """Record an event."""
    return keeper.commit(play.Record(NOBODY))


def look(keeper: Keeper) -> object:
    """Read the newest game."""
    return table_view.read_view(keeper.db, keeper.link)


def let_nobody_deal(keeper: Keeper) -> None:
    """Have somebody deal who does not play."""
    with pytest.raises(NotAllowed):
        keeper.commit(Edit(dealer="Erik"))


def read_money(keeper: Keeper) -> object:
    """Read the ledger."""
    return read_ledger(keeper.db, keeper.link)


def list_games(keeper: Keeper) -> object:
    """Read the first page of the list of games."""
    search = Search([], won=False, write_day=str)
    return evenings.read_games(keeper.db, keeper.link, search)


@pytest.mark.parametrize(
    ("ended", "events", "act", "work"),
    [
        pytest.param(0, 9, look, Work(3, 1, 0), id="look"),
        pytest.param(0, 9, tap, Work(4, 1, 1), id="tap early"),
        pytest.param(0, 399, tap, Work(4, 1, 1), id="tap late"),
        pytest.param(0, 40, let_nobody_deal, Work(5, 46, 40), id="nobody deals"),
        pytest.param(3, 40, lambda k: k.commit(play.Undo()), Work(12, 52, 39), id="undo"),
        pytest.param(25, 1, read_money, Work(12, 148, 0), id="the ledger"),
        pytest.param(
            25,
            1,
            lambda k: k.statistics,
            Work(10, 210, 0),
            id="the years",
        ),
        pytest.param(25, 1, list_games, Work(6, 106, 0), id="the list of games"),
    ],
)
def test_what_is_known_is_not_read_again(
    seat: Seat, monkeypatch: pytest.MonkeyPatch, ended: int, events: int, act: Act, work: Work
) -> None:
    """Early and late in a game, and after many: what has ended is read together and not folded."""
    keeper = seat(None, RULES)
    for _ in range(ended):
        keeper.record("Anna 5, settled")
        keeper.commit(PayAll("cash"))
        keeper.next_game()
    keeper.record(*map(write_event, long_game(events)[1]))
    look(keeper)
    with counted(keeper, monkeypatch) as done:
        act(keeper)
    assert done == work


def test_a_list_of_tables_replays_no_game(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are served after each table whose log was read, outside of any transaction."""
    keepers, turns = [seat() for _ in range(3)], list[bool]()
    keepers[0].record("Anna 5, settled")
    db = keepers[0].db
    monkeypatch.setattr(clock, "give_way", lambda: turns.append(db.connection.conn.in_transaction))
    db.connection.newest.clear()
    with counted(keepers[0], monkeypatch) as work:
        phones.list_tables(db, None, {keeper.link: False for keeper in keepers})
    assert (work.folded, turns) == (0, [False, False, False])


def test_a_listed_table_stands_as_its_game_does(
    golden: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sits there, and who won, is the same as in the replay of any game."""
    for number in table_view.list_game_numbers(golden.db, golden.link):
        state = table_view.read_view(golden.db, golden.link, number).state
        monkeypatch.setattr(log, "find_newest_game", lambda *_, number=number: number)
        [table] = phones.list_tables(golden.db, None, {golden.link: False})
        assert (table.players, table.over) == (state.players, state.over)
        assert table.winners == state.winners or not state.over
