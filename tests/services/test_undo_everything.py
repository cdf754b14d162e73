"""Whatever is done at a table can be undone in the order it was done, and redone forward again."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.errors import NotAllowed
from app.rules.events import BreakOff, Correction, Event, write_event
from app.services import import_export, ledger, play, sheets, statistics
from app.services.amendments import DraftItem
from app.services.ledger import Ledger
from app.services.sheets import Sheet
from app.services.statistics import Statistics
from tests.rules.strategies import happenings
from tests.services.keeper import Keeper, read_uncached, sit_down

SEATS = [["Anna", "Bo"], ["Anna", "Bo", "Cilla"], ["Eva", "Cilla", "Bo"]]
PRESETS = ["huvudregler", "pagat"]
ENDS = st.builds(BreakOff, settle=st.booleans())


class Picture(msgspec.Struct, frozen=True):
    """All that a table shows: its games as files, its figures and its money."""

    files: bytes
    figures: Statistics
    ledger: Ledger


def picture(keeper: Keeper) -> Picture:
    """Return the whole table as it is on disk, but for its version."""
    db, link = keeper.db, keeper.link
    return Picture(
        import_export.export_all(db, link),
        statistics.read_statistics(db, keeper.table_id),
        msgspec.structs.replace(ledger.read_ledger(db, link), seq=0),
    )


def corrections(names: tuple[str, ...]) -> st.SearchStrategy[Event]:
    """Return corrections, which hold nearly everywhere."""
    points = st.integers(-9, 30).filter(bool)
    return st.builds(Correction, player=st.sampled_from(names), points=points)


def entries(data: st.DataObject, sheet: Sheet) -> list[DraftItem]:
    """Draw a game with an entry taken away, put in or replaced; it may not hold."""
    count = len(sheet.game.events)
    start = data.draw(st.integers(0, count))
    end = data.draw(st.integers(start, min(count, start + 2)))
    state = sheet.states[start]
    put_in = corrections(state.setup.players)
    new = st.lists(put_in if state.over else put_in | happenings(state), max_size=2)
    return [*range(start), *data.draw(new), *range(end, count)]


def draw_change(data: st.DataObject, keeper: Keeper) -> Sheet:
    """Tap, mend a game, or start the next. Raises NotAllowed for a mended game that cannot be."""
    sheet = keeper.sheet
    kind = data.draw(st.sampled_from(["tap", "tap", "end", "mend", "mend", "last"]))
    if kind == "mend":
        number = data.draw(st.integers(1, sheet.games))
        drawn = entries(data, sheets.read_sheet(keeper.db, keeper.link, number))
        return play.amend(keeper.db, keeper.write(), number, drawn)
    if kind == "last" and sheet.newest_change:
        return play.undo_newest_event(keeper.db, keeper.write())
    if sheet.state.over:
        seats, preset = data.draw(st.sampled_from(SEATS)), data.draw(st.sampled_from(PRESETS))
        return keeper.next_game(players=seats, rules={"preset": preset})
    event = data.draw(ENDS if kind == "end" else happenings(sheet.state))
    return play.record(keeper.db, keeper.write(), write_event(event))


def is_recorded(keeper: Keeper) -> bool:
    """Return whether the table's newest version is of a change that can be undone."""
    sql = """SELECT ?1 IN (SELECT seq FROM events) OR ?1 IN (SELECT seq FROM amendments)
        OR ?1 IN (SELECT started_seq FROM games WHERE started_seq IS NOT NULL)"""
    return bool(keeper.db.connection.execute(sql, [keeper.seq]).fetchone()[0])


class Witness:
    """Who remembers how a table stood before each change, and what redo would bring."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.now = picture(keeper)
        self.before: list[Picture] = []
        self.undone: list[Picture] = []
        self.sheets = [keeper.sheet]

    def change(self, data: st.DataObject) -> None:
        """See something change, or be refused, or mended into what it was."""
        try:
            sheet = draw_change(data, self.keeper)
        except NotAllowed:
            return self.look(self.now)
        assert sheet == read_uncached(self.keeper.db, self.keeper.link, sheet.number)
        if not is_recorded(self.keeper):
            return self.look(self.now)
        self.before.append(self.now)
        self.undone.clear()
        self.now = picture(self.keeper)
        return self.look_ahead()

    def undo(self) -> None:
        """See the newest change undone, if there is one."""
        if self.before:
            sheet = play.undo(self.keeper.db, self.keeper.write())
            assert sheet == self.keeper.sheet
            self.undone.append(self.now)
            self.look(self.before.pop())

    def redo(self) -> None:
        """See what was undone last come back, if anything was undone."""
        if self.undone:
            sheet = play.redo(self.keeper.db, self.keeper.write())
            assert sheet == self.keeper.sheet
            self.before.append(self.now)
            self.look(self.undone.pop())

    def look(self, expected: Picture) -> None:
        """Hold the table against what it should be."""
        self.now = picture(self.keeper)
        assert self.now == expected
        self.look_ahead()

    def look_ahead(self) -> None:
        """Hold what can be undone and redone against what should be."""
        sheet = self.keeper.sheet
        assert (sheet.undoable is None, sheet.redoable is None) == (
            not self.before,
            not self.undone,
        )
        self.sheets.append(sheet)


def assert_told_again(witness: Witness) -> None:
    """Hold each game that is still there against what the log says of each version seen."""
    db, link = witness.keeper.db, witness.keeper.link
    games = [
        sheets.read_sheet(db, link, number).game.remarks
        for number in sheets.list_game_numbers(db, link)
    ]
    for seen in witness.sheets:
        if seen.game.remarks in games:
            now = sheets.read_sheet_at(db, link, seen.number, seen.seq)
            assert (now.game, now.states) == (seen.game, seen.states)


@settings(max_examples=15)
@given(data=st.data())
def test_undo_leads_back_to_the_beginning_and_redo_forward_again(data: st.DataObject) -> None:
    """After any taps, mends, rematches and changes of rules and seats, games and figures follow."""
    with tempfile.TemporaryDirectory() as folder:
        keeper = sit_down(Path(folder) / "chicago.db", ["Anna", "Bo"])
        with closing(keeper.db):
            witness = Witness(keeper)
            steps = st.sampled_from([witness.undo, witness.redo, *[None] * 4])
            for step in data.draw(st.lists(steps, min_size=5, max_size=25)):
                step() if step else witness.change(data)
            count = len(witness.before) + len(witness.undone)
            while witness.before:
                witness.undo()
            sheet = witness.keeper.sheet
            assert (sheet.games, sheet.game.events) == (1, ())
            while witness.undone:
                witness.redo()
            assert len(witness.before) == count
            figures = witness.now.figures
            statistics.recount(witness.keeper.db)
            assert picture(witness.keeper).figures == figures
            assert_told_again(witness)
