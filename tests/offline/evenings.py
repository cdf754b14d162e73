"""Random evenings on a phone without a network, with lost, repeated and reordered answers."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from app.offline import conflicts, exchange
from app.offline.conflicts import Merge
from app.rules.checks import can
from app.rules.errors import ChicagoError
from app.rules.events import BreakOff, Correction, write_event
from app.rules.presets import write_code
from app.services import commit, play, tables
from app.services.commit import Change
from app.services.edit import TakeBackEvent
from app.services.ledger import PayAll
from app.services.rows import LogRow, read_rows
from app.services.table_view import TableView
from tests.offline.phones import Phone, pool_of, serve
from tests.rules.strategies import happenings, setups

# All data of a table.
Copy = list[object]
# What another phone does besides recording facts.
OTHERS = (play.Undo(), play.Redo(), TakeBackEvent(), play.Start(), PayAll("rounded"))
ODDLY = st.integers(0, 5).map(lambda number: number == 0)


class Killed(Exception):
    """A crash of the server."""


class Evenings(RuleBasedStateMachine):
    """A phone plays; now and then the network is there for a moment, and fails in every way."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        folder = Path(self.folder.name)
        self.server = serve(folder)
        self.phone = Phone(self.server, folder)
        self.link = ""
        self.sent: list[dict[str, Any]] = []

    @property
    def view(self) -> TableView:
        """The table on the phone."""
        return self.phone.view(self.link)

    @initialize(setup=setups(), there=st.booleans())
    def sit_down(self, setup: Any, there: bool) -> None:  # noqa: ANN401 - as hypothesis draws it
        """Open a table with any rules, on the phone, or on the server and pulled to the phone."""
        form = {
            "player": list(setup.players),
            "dealer": str(setup.players.index(setup.dealer)),
            "stake": "1,25",
            "preset": "own",
            "own": write_code(setup.preset, setup.rules),
        }
        client: FlaskClient = self.phone.there if there else self.phone.here
        answer = client.post("/", data=form)
        assert answer.status_code == 303
        self.link = answer.headers["Location"].removeprefix("/t/")
        if there:
            self.phone.refresh()

    @precondition(lambda self: not self.view.state.over)
    @rule(data=st.data(), at_once=st.integers(1, 6))
    def record(self, data: st.DataObject, at_once: int) -> None:
        """Record some events that are allowed now."""
        for _ in range(at_once):
            if not self.view.state.over:
                self.phone.tap(self.link, write_event(data.draw(happenings(self.view.state))))

    @precondition(lambda self: not self.view.state.over)
    @rule()
    def end(self) -> None:
        """Give somebody the lead, and break the game off as settled."""
        ahead = Correction(player=self.view.state.seats[0].name, points=5)
        for event in (ahead, BreakOff(settle=True)):
            if can(self.view.state, event):
                self.phone.tap(self.link, write_event(event))

    @rule(paths=st.lists(st.sampled_from(["/undo", "/redo", "/games", "/evening/all"]), max_size=5))
    def press(self, paths: list[str]) -> None:
        """Press buttons; each may be refused."""
        for path in paths:
            self.phone.send(self.link, path, {"way": "rounded"})

    @rule(lost=st.booleans(), killed=st.none() | st.integers(0, 5), again=ODDLY)
    def push(self, lost: bool, killed: int | None, again: bool) -> None:
        """Push the waiting rows, and lose the network or the server in any way."""
        for batch in self.phone.outbox():
            self.sent.append(batch)
            if killed is not None:
                self._kill(batch, killed)
                continue
            answer = self.phone.deliver(batch)
            if answer.status_code == 409:
                # Others wrote there.
                self.phone.acknowledge(batch["link"], answer)
                continue
            assert answer.status_code == 200, answer.text
            if again:
                again_answer = self.phone.deliver(batch)
                assert (again_answer.status_code, again_answer.json) == (200, answer.json)
            if not lost:
                self.phone.acknowledge(batch["link"], answer)

    def _kill(self, batch: dict[str, Any], after: int) -> None:
        """Crash the server in the middle of a batch, and expect none of the batch to be stored."""
        left = after
        real = commit.commit

        def dying(*args: Any) -> TableView:  # noqa: ANN401 - handed on
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return real(*args)

        before = self._copy_there()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exchange, "commit", dying)
            try:
                self.phone.deliver(batch)
            except Killed:
                assert self._copy_there() == before

    @rule(data=st.data(), change=st.none() | st.sampled_from(OTHERS))
    def write_there(self, data: st.DataObject, change: Change | None) -> None:
        """Let another phone with the pen write on the server; it may be refused."""
        if self._copy_there() is None:
            return
        state = self.phone.server_sheet(self.link).state
        if change is None and not state.over:
            change = play.Record(write_event(data.draw(happenings(state))))
        with suppress(ChicagoError):
            write = self.phone.pen_there(self.link)
            commit.commit(pool_of(self.server), write, change or play.Start())

    @precondition(lambda self: bool(self.phone.status()["conflicts"]))
    @rule(data=st.data(), undone=st.booleans())
    def merge(self, data: st.DataObject, undone: bool) -> None:
        """Put what was written on the phone behind the others', some of it or all; perhaps undo it.

        Nothing is lost, doubled, or dated before what it stands behind.
        """
        self.phone.refresh()
        with self.phone.page() as db:
            tried = conflicts.preview(db, self.link)
            assert tried is not None
            wanted = [n for n in range(len(tried.mine)) if not data.draw(ODDLY)]
            merge = conflicts.add_mine(db, self.link, wanted, tried.seen)
            conflicts.note_merged(db, self.link, merge, [])
        self._check_merge(merge)
        if undone and merge.view.seq > merge.there.seq:
            with self.phone.page() as db:
                conflicts.undo_merge(db, self.link)
            assert self.view.game == merge.there.game

    def _check_merge(self, merge: Merge) -> None:
        rows = self._rows_above(merge.there.seq)
        added = [each.written.row for each in merge.mine if each.added]
        # A change that others had made too is none any more.
        assert len(rows) <= len(added)
        assert len({row.seq for row in rows}) == len(rows)
        recorded = [row for row in added if row.kind == "record"]
        assert [row.kind for row in rows].count("record") == len(recorded)
        times = [row.at for row in self._rows_above(0)]
        assert times == sorted(times)

    def _rows_above(self, seq: int) -> list[LogRow]:
        connection = pool_of(self.phone.app).connection
        table = tables.find_access(connection, self.link, None)
        return read_rows(connection, table.id, seq)

    @precondition(lambda self: bool(self.sent))
    @rule(data=st.data())
    def deliver_again(self, data: st.DataObject) -> None:
        """Deliver an old request once more, long after others."""
        batch = data.draw(st.sampled_from(self.sent))
        before = self._copy_there()
        assert self.phone.deliver(batch).status_code in (200, 409)
        if before is not None and not self.phone.status()["waiting"]:
            assert self._copy_there() == before

    @rule()
    def refresh(self) -> None:
        """Pull from the server."""
        before, waits = self._copy_here(), self.phone.status()["waiting"]
        self.phone.refresh()
        assert self._copy_here() == (before if waits else self._copy_there())

    def _copy_here(self) -> Copy:
        return copy_of(self.phone, self.link, there=False)

    def _copy_there(self) -> Copy | None:
        try:
            return copy_of(self.phone, self.link, there=True)
        except tables.NotFound:
            return None

    def teardown(self) -> None:
        """Push everything in the morning, and compare both sides."""
        if self.link:
            self.phone.push()
            if self.phone.status()["conflicts"]:
                with self.phone.page() as db:
                    conflicts.add_mine(db, self.link)
            assert set(self.phone.push()) <= {200}
            assert self._copy_here() == self._copy_there()
            self.phone.refresh()
            assert self._copy_here() == self._copy_there()
        for app in (self.phone.app, self.server):
            pool_of(app).close()
        self.folder.cleanup()


def copy_of(phone: Phone, link: str, *, there: bool) -> Copy:
    """Return all data of a table, on the server or the phone, without keys and pens."""
    connection = pool_of(phone.server if there else phone.app).connection
    table = tables.find_access(connection, link, None)
    changes = "SELECT seq, kind, game, body, at, undone FROM changes"
    people = "SELECT number, name, called, same_as, swish FROM people"
    tellings = [
        connection.execute(f"{sql} WHERE table_id = ? ORDER BY 1", [table.id]).fetchall()
        for sql in (changes, people)
    ]
    seats = connection.table("seats").rows_where("table_id = ?", [table.id], "game, seat")
    return [*tellings, [{**row, "table_id": 0} for row in seats], table.name, table.currency]
