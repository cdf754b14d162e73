"""The work of a tap: functions and modules of the app, and SQL, from the route to the commit."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType

from app.http.application import Application
from tests.web.conftest import Seat
from tests.web.phone import Phone

# The view that records a tap, and the statement that ends the change.
VIEW, WRITTEN = "record", "COMMIT"
MOST_FUNCTIONS, MOST_MODULES, MOST_STATEMENTS = 83, 20, 5
OURS = str(Path(__file__).parents[2] / "app") + "/"


class Work:
    """The functions of the app called from the view, or the start, to the commit; statements."""

    def __init__(self, *, begun: bool = False) -> None:
        self._begun = begun
        self.codes: set[CodeType] = set()
        self.statements: list[str] = []

    def call(self, frame: FrameType, event: str, _: object) -> None:
        """Record a call (sys.setprofile)."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(OURS) or WRITTEN in self.statements:
            return
        self._begun |= code.co_name == VIEW and code.co_filename.endswith("web/table.py")
        if self._begun and not code.co_name.startswith("<"):
            self.codes.add(code)

    @property
    def functions(self) -> list[str]:
        """Their names, each with its module."""
        names = ((code.co_filename.removeprefix(OURS), code.co_qualname) for code in self.codes)
        return sorted(f"{module}:{name}" for module, name in names)

    @property
    def modules(self) -> set[str]:
        """Their modules."""
        return {code.co_filename for code in self.codes}


def test_a_tap_is_little_work(app: Application, seat: Seat, phone: Phone) -> None:
    """A best hand, tapped at a table in memory, is recorded by few functions."""
    seat(phone).press("Anna: Pair")
    button, work = phone.page.button("Bo: Two pairs"), Work()
    app.database.connection.conn.set_trace_callback(work.statements.append)
    sys.setprofile(work.call)
    try:
        phone.submit(button)
    finally:
        sys.setprofile(None)
        app.database.connection.conn.set_trace_callback(None)
    assert phone.home().seq == "3"
    written = work.statements[: work.statements.index(WRITTEN) + 1]
    assert len(written) <= MOST_STATEMENTS, written
    assert 0 < len(work.functions) <= MOST_FUNCTIONS, "\n".join(work.functions)
    assert len(work.modules) <= MOST_MODULES, sorted(work.modules)
