import os
import signal
import subprocess
import sys

import pytest

from app.services import tables
from app.services.commit import commit
from app.services.play import Record
from app.store.database import Database
from tests.browser.serving import ROOT
from tests.services.keeper import NOBODY, Keeper, best_hand

ENOUGH = 25

# Records without end, and says the table's version after each write that has returned.
RECORDS = """
import sys
from app.services.commit import commit
from app.services.play import Record
from app.services.tables import Write
from app.store.database import Database
path, link, pen = sys.argv[1:]
db = Database(path)
event = {"event": "correction", "player": "Anna", "points": 1}
while True:
    print(commit(db, Write(link, pen), Record(event)).seq, flush=True)
"""


def write_and_raise(keeper: Keeper, error: BaseException) -> None:
    """Begin a write at the table and do not get to its end."""
    with keeper.db.transaction() as connection:
        tables.mark_version(connection, keeper.access, "pens")
        commit(keeper.db, keeper.write(), Record(NOBODY))
        raise error


def test_what_a_write_has_returned_from_survives_kill_9(keeper: Keeper) -> None:
    """A server killed in the middle of writing has lost nothing it had answered for."""
    where = [str(keeper.db.path), keeper.link, keeper.pen]
    recording = subprocess.Popen(
        [sys.executable, "-c", RECORDS, *where],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert recording.stdout
    answered = [recording.stdout.readline() for _ in range(ENOUGH)]
    recording.send_signal(signal.SIGKILL)
    answered += [line for line in recording.stdout if line.endswith("\n")]
    assert recording.wait() == -signal.SIGKILL
    recording.stdout.close()
    keeper.restart()
    # At most one write had reached the disk and could not be answered for any more.
    assert keeper.seq - int(answered[-1]) in (0, 1)
    assert keeper.view.state.score("Anna") == len(keeper.recorded) == keeper.seq - 1


@pytest.mark.parametrize("error", [ZeroDivisionError(), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_nothing(keeper: Keeper, error: BaseException) -> None:
    """An error in it, or a signal, takes all of it back, what was written first too."""
    keeper.record(best_hand("Anna"))
    before = keeper.view
    with pytest.raises(type(error)):
        write_and_raise(keeper, error)
    assert keeper.view == before
    keeper.restart()
    assert keeper.view == before


def test_writing_goes_on_after_a_write_that_failed(keeper: Keeper) -> None:
    """A failed write leaves no lock behind, neither for this connection nor for another."""
    with pytest.raises(ZeroDivisionError):
        write_and_raise(keeper, ZeroDivisionError())
    keeper.record(NOBODY)
    other = Database(keeper.db.path)
    assert commit(other, keeper.write(), Record(NOBODY)).seq == 3
    other.close()
