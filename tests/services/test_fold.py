"""The log is the truth: every view follows from it, at every version, down to every öre."""

import tempfile
from fractions import Fraction
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import get_args

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.rules.codes import BadFile, NotAllowed
from app.rules.edit import Kind, Operation
from app.rules.events import BreakOff, Event, write_event
from app.rules.gamefile import Game
from app.rules.settlement import add_up
from app.rules.state import GameState
from app.services import bounds, figures, import_export, ledger, people, table_view
from app.services.access import NotFound
from app.services.commit import Change, derive_people
from app.services.edit import Edit, TakeBackEvent
from app.services.ledger import Ledger
from app.services.payments import MoneyWay, Pay, PayAll, PayInAdvance, PaymentChoice, Unpay
from app.services.people import Merge, Rename, Split
from app.services.play import Record, Redo, Start, Undo
from app.services.table_view import fold, read_numbers, to_json, write_numbers
from app.store import log
from app.store.log import ChangeRow
from tests.rules.strategies import all_candidates, happenings
from tests.rules.table import write_facts
from tests.services.keeper import Keeper, evening_at, game_from, paid, sit_down

SEATS = [["Anna", "Bo"], ["Anna", "Bo", "Cilla"], ["Eva", "Cilla", "Bo"], ["Fia", "Gun"]]
NAMES = st.sampled_from(["Anna", "Bo", "Cilla", "Eva", "Fia", "Ivar"])
RULES = [{"rules": {"preset": preset}} for preset in ("huvudregler", "pagat")]


DERIVED = ("seats", "people", "tables")
WAYS = st.sampled_from(get_args(PaymentChoice))
# Of these many are refused, or change nothing.
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(lambda settle: Record(write_event(BreakOff(settle=settle))), st.booleans()),
    st.builds(
        Edit,
        agreed=st.sampled_from([{"stake_ore": 7}, {"players": ["Bo", "Anna"]}, *RULES]),
        all_deals=st.booleans(),
    ),
    st.builds(Edit, dealer=NAMES),
    st.builds(Edit, names=st.dictionaries(NAMES, NAMES, min_size=1, max_size=2)),
    st.builds(
        PayInAdvance,
        st.tuples(NAMES, NAMES),
        st.sampled_from(get_args(MoneyWay)),
        st.integers(1, 30_000),
    ),
    st.builds(Merge, NAMES, NAMES),
    st.builds(Split, NAMES),
    st.builds(Rename, st.sampled_from(["", "Wednesdays", "The cabin"])),
    st.just(TakeBackEvent()),
)
DATA = st.data()
POINTS = st.integers(-20, 40).filter(bool)
Content = dict[str, list[dict[str, object]]]


class Picture(msgspec.Struct, frozen=True):
    """The visible data of a table: games with every state, people, money and name."""

    games: dict[int, tuple[Game, list[GameState]]]
    ledger: Ledger
    name: str


def every_row(keeper: Keeper) -> list[ChangeRow]:
    """Return the whole log of a table, with its undone rows."""
    sql = "SELECT seq, kind, game, body, at, undone, entries FROM changes ORDER BY seq"
    return [ChangeRow(*row) for row in keeper.db.connection.execute(sql).fetchall()]


def take_picture(keeper: Keeper) -> Picture:
    """Return the visible data of the table, read without the cache."""
    keeper.db.connection.newest.clear()
    keeper.db.connection.ledgers.clear()
    games = {}
    for number in keeper.games:
        view = table_view.read_view(keeper.db, keeper.link, number)
        games[number] = (view.game, list(view.states))
    money = msgspec.structs.replace(ledger.read_everything(keeper.db, keeper.link), seq=0)
    return Picture(games, money, keeper.access.name)


def read_derived(keeper: Keeper) -> Content:
    """Return the rows derived from the log, with names for numbers, of which a name may have two.

    A person who has taken another's name may be seated under either number.
    """
    db = keeper.db.connection
    rows = {name: sorted(db[name].rows, key=lambda row: [*row.values()][:3]) for name in DERIVED}
    names, _ = people.resolve(db, keeper.table_id)
    for seat in rows["seats"]:
        seat["person"] = names[seat["person"]]
    return rows


def derive_again(keeper: Keeper) -> None:
    """Derive the rows anew from the log."""
    connection, table_id = keeper.db.connection, keeper.table_id
    with keeper.db.transaction():
        connection.execute("DELETE FROM seats")
        connection.execute("UPDATE people SET called = 99, same_as = 99")
        derive_people(connection, table_id, fold(log.read_settings(connection, table_id)))
        for number in keeper.games:
            figures.recount_game(connection, table_id, number)


class LiveTable(RuleBasedStateMachine):
    """A table with random changes, and a model that remembers every earlier state."""

    @initialize()
    def sit_down(self) -> None:
        """Open a table for two."""
        self.folder = tempfile.TemporaryDirectory()
        self.keeper = sit_down(Path(self.folder.name) / "chicago.db", ["Anna", "Bo"])
        self.now = take_picture(self.keeper)
        self.before: list[Picture] = []
        self.undone: list[Picture] = []
        self.shown = [self.keeper.view]

    def teardown(self) -> None:
        """Compare every version with its view at the time."""
        if not hasattr(self, "keeper"):
            return
        with self.keeper.db.snapshot() as connection:
            for shown in self.shown:
                then = table_view.read_view_at(connection, self.keeper.access, shown.seq)
                assert (then.number, then.name) == (shown.number, self.keeper.access.name)
                assert (then.game, then.states) == (shown.game, shown.states)
        self.keeper.db.close()
        self.folder.cleanup()

    def look(self) -> None:
        """Take a new picture of the table."""
        self.now = take_picture(self.keeper)
        self.shown.append(self.keeper.view)

    def commit(self, change: Change) -> None:
        """Make a change, which may be refused or change nothing, and update the model."""
        was, version = self.now, self.keeper.seq
        try:
            self.make(change)
        except (NotAllowed, BadFile, NotFound):
            assert self.keeper.seq == version
        self.look()
        if self.keeper.seq == version:
            assert self.now == was
        else:
            self.before.append(was)
            self.undone.clear()

    def make(self, change: Change) -> None:
        """Make a change; its answer is the table on disk."""
        assert self.keeper.commit(change) == self.keeper.view

    @rule(data=DATA)
    def tap(self, data: st.DataObject) -> None:
        """Record an allowed event, or start the next game."""
        view = self.keeper.view
        if view.state.over:
            seats, rules = data.draw(st.sampled_from(SEATS)), data.draw(st.sampled_from(RULES))
            self.commit(Start({"players": seats, "stake_ore": 100, **rules}))
        else:
            self.commit(Record(write_event(data.draw(happenings(view.state)))))

    @precondition(lambda self: self.keeper.view.state.over)
    @rule(seats=st.sampled_from(SEATS), stake=st.sampled_from([0, 25, 333]), won=POINTS)
    def play(self, seats: list[str], stake: int, won: int) -> None:
        """Play a game to its end."""
        self.commit(Start({"players": seats, "stake_ore": stake}))
        for event in write_facts(f"{seats[0]} {won}, settled"):
            self.commit(Record(event))

    @rule(change=CHANGES)
    def try_change(self, change: Change) -> None:
        """Change the table by what may be refused, or change nothing, but undo nothing."""
        is_event = isinstance(self.keeper.view.undoable, Event)
        if not (is_event and isinstance(change, TakeBackEvent)):
            self.commit(change)

    @rule(data=DATA)
    def operate(self, data: st.DataObject) -> None:
        """Edit a game by an operation, whatever that leaves out."""
        number = data.draw(st.sampled_from(list(self.now.games)))
        view = table_view.read_view(self.keeper.db, self.keeper.link, number)
        place = data.draw(st.integers(0, len(view.game.events)))
        state = view.states[place]
        kinds: st.SearchStrategy[Kind] = st.sampled_from(
            ["insert", "change", "remove", "move", "remove_deal"]
        )
        event = BreakOff(settle=True) if state.over else data.draw(happenings(state))
        made = paid(self.now.ledger)
        self.commit(Edit(number, [Operation(data.draw(kinds), place, write_event(event))]))
        assert paid(self.now.ledger) == made

    @precondition(lambda self: self.now.ledger.debts or self.now.ledger.settlements)
    @rule(data=DATA, way=WAYS, part=st.fractions(0, 1))
    def pay(self, data: st.DataObject, way: PaymentChoice, part: Fraction) -> None:
        """Pay all that is suggested, one payment or a part of it, or take a settlement back."""
        now = self.now.ledger
        changes: list[Change] = [Unpay(settlement.seq) for settlement in now.settlements]
        for owed in now.debts:
            changes += [PayAll(way), Pay((owed.payer, owed.payee), way, ceil(owed.ore * part) or 1)]
        self.commit(data.draw(st.sampled_from(changes)))

    @precondition(lambda self: self.keeper.view.state.over)
    @rule(uid=st.sampled_from("abc"))
    def bring_in(self, uid: str) -> None:
        """Import a game: undo takes its events back one by one, and no earlier change."""
        brought = game_from(evening_at(1), "Anna Hans", "Anna 7, settled", id=uid)
        if import_export.import_games(self.keeper.db, self.keeper.write(), [brought]):
            self.undone.clear()
            self.keeper.undo(2)
            self.before = []
            for _ in range(2):
                self.before.append(take_picture(self.keeper))
                self.keeper.commit(Redo())
        self.look()

    @precondition(lambda self: self.before or self.undone)
    @rule(data=DATA, steps=st.integers(1, 9))
    def go(self, data: st.DataObject, steps: int) -> None:
        """Undo restores the table as it was, down to every state and öre; redo as it was after."""
        ways = (Undo(), self.before, self.undone), (Redo(), self.undone, self.before)
        change, there, here = data.draw(st.sampled_from([way for way in ways if way[1]]))
        for _ in range(min(steps, len(there))):
            self.make(change)
            here.append(self.now)
            self.look()
            assert self.now == there.pop()

    @invariant()
    def every_sum_is_nought(self) -> None:
        """Each game and the open balances sum to zero; the suggested payments settle them."""
        now = self.now.ledger
        assert [sum((line.payout or {}).values()) for line in now.lines] == [0] * len(now.lines)
        assert sum(now.outstanding.values()) == 0
        paid = [{each.payer: each.ore, each.payee: -each.ore} for each in now.debts]
        assert not any(add_up([now.outstanding, *paid]).values())

    @invariant()
    def undo_and_redo_are_offered(self) -> None:
        """Undo and redo are offered exactly where there is a change to undo or redo."""
        view = self.keeper.view
        assert (view.undoable is not None) == bool(self.before)
        assert (view.redoable is not None) == bool(self.undone)

    @invariant()
    def rows_mark_what_counts(self) -> None:
        """A row is marked as undone exactly where the undo and redo rows leave it undone."""
        rows = every_row(self.keeper)
        assert [row.seq for row in rows] == [*range(1, len(rows) + 1)]
        marked = [row for row in rows if row.undone is None and row.kind not in ("undo", "redo")]
        assert log.counting(rows) == marked

    @invariant()
    def every_change_counts_for_all_that_it_holds(self) -> None:
        """Whatever its kind, a row adds its events to the entries of its table, one at least."""
        rows = every_row(self.keeper)
        for before, row in pairwise(rows):
            events = row.body.count('"event":')
            assert row.entry_count - before.entry_count >= max(1, events)
        view = self.keeper.view
        assert view.entry_count == bounds.count_entries(rows, view.number)

    @invariant()
    def every_game_is_the_same_in_the_whole_log(self) -> None:
        """A game folded from its own rows is the same as one folded from the whole log."""
        whole = fold(log.counting(every_row(self.keeper)))
        connection, table_id = self.keeper.db.connection, self.keeper.table_id
        assert whole.name == self.now.name
        assert [*whole.games] == [*self.now.games]
        for number, game in whole.games.items():
            assert fold(log.read_game(connection, table_id, number)).games[number] == game

    @invariant()
    def what_is_derived_follows_the_log(self) -> None:
        """Figures, people and the table's own row match the log."""
        rows = read_derived(self.keeper)
        derive_again(self.keeper)
        assert read_derived(self.keeper) == rows


def test_what_is_shown_follows_from_the_log() -> None:
    """The invariants hold after any changes of a table, in any order."""
    run_state_machine_as_test(LiveTable, settings=settings(max_examples=12, stateful_step_count=25))


def test_an_event_is_read_as_it_was_written() -> None:
    """Every kind of event is read back as written, with long remarks; no name is stored in it."""
    names = {1: "Anna", 2: "Bo", 7: "Cilla"}
    numbers = {name: number for number, name in names.items()}
    remarks = {"at": "2026-05-01T20:00:00Z", "note": "x" * 60_000, "name": ["a", {"b": None}]}
    for event in all_candidates(("Anna", "Bo")):
        noted = msgspec.structs.replace(event, **remarks)
        body = write_numbers(noted, numbers)
        assert not any(name in to_json(body) for name in numbers)
        assert read_numbers(body, names) == noted
        assert read_numbers(write_numbers(event, numbers), names) == event
