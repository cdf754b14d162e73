"""Random evenings on a phone without a network, with lost, repeated and reordered answers."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from app.offline import exchange
from app.rules.checks import can
from app.rules.events import BreakOff, Correction, write_event
from app.rules.presets import write_code
from app.services import commit, tables
from app.services.table_view import TableView
from tests.offline.phones import Phone, pool_of, serve
from tests.rules.strategies import happenings, setups

# All data of a table.
Copy = list[object]
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
        before = self._copy_here()
        self.phone.refresh()
        assert self._copy_here() == before

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
