"""The cost of a change and of a view in SQL, without a clock: early in a game and late in it.

Each limit is the present value: it may be lowered, and must not be raised.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import pytest
from msgspec.structs import asdict

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
from tests.told import told

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


def let_nobody_deal(keeper: Keeper) -> None:
    """Have somebody deal who does not play."""
    with pytest.raises(NotAllowed):
        keeper.commit(Edit(dealer="Erik"))


ACTS: dict[str, Callable[[Keeper], object]] = {
    "look": lambda k: table_view.read_view(k.db, k.link),
    "tap": lambda k: k.commit(play.Record(NOBODY)),
    "let nobody deal": let_nobody_deal,
    "undo": lambda k: k.commit(play.Undo()),
    "read the ledger": lambda k: read_ledger(k.db, k.link),
    "read the years": lambda k: k.statistics,
    "list games": lambda k: evenings.read_games(k.db, k.link, Search([], won=False, write_day=str)),
}


@told
def test_what_is_known_is_not_read_again(
    seat: Seat,
    monkeypatch: pytest.MonkeyPatch,
    act: str,
    ended: int,
    events: int,
    work: dict[str, int],
) -> None:
    """Early and late in a game, and after many: what has ended is read together and not folded."""
    keeper = seat(None, RULES)
    for _ in range(ended):
        keeper.record("Anna 5, settled")
        keeper.commit(PayAll("cash"))
        keeper.next_game()
    keeper.record(*map(write_event, long_game(events)[1]))
    ACTS["look"](keeper)
    with counted(keeper, monkeypatch) as done:
        ACTS[act](keeper)
    assert asdict(done) == work


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
