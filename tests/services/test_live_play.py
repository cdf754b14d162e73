"""Random keepers: whatever they do, the game in the database is what a list says."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.events import Event, Joins, write_event
from app.rules.game import begin, can, replay
from app.rules.gamefile import read_game, write_game, write_result
from app.rules.json_input import decode
from app.rules.state import GameState, Setup
from app.services import play, tables
from app.store.database import Pool
from tests.empty_database import copy_empty_database
from tests.rules.strategies import all_candidates, happenings, setups
from tests.services.keeper import Keeper


class LivePlay(RuleBasedStateMachine):
    """A table in the database beside lists: what counts, what counted before, and would again."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.counting: list[Event] = []
        self.before: list[list[Event]] = []
        self.undone: list[list[Event]] = []
        self.changes = 1
        self.live: list[GameState] = []

    @initialize(setup=setups())
    def sit_down(self, setup: Setup) -> None:
        """Open a table under whatever rules."""
        path = Path(self.folder.name) / "chicago.db"
        pool, pen = Pool(copy_empty_database(path)), tables.new_pen()
        self.setup = setup
        self.keeper = Keeper(pool, tables.open_table(pool, setup, "", pen), pen)
        self.live = [begin(setup)]

    @precondition(lambda self: not self.live[-1].over)
    @rule(data=st.data())
    def record(self, data: st.DataObject) -> None:
        """Record something that can happen now."""
        event = data.draw(happenings(self.live[-1]))
        sheet = play.record(self.keeper.pool, self.keeper.write(), write_event(event))
        self.change([*self.counting, event])
        assert sheet.state == self.live[-1]

    def change(self, events: list[Event]) -> None:
        """Note that the game has gone like this from now on."""
        self.before.append(self.counting)
        self.undone.clear()
        self.go_to(events)

    def go_to(self, events: list[Event]) -> None:
        """Note which events count by now."""
        self.counting, self.live = events, replay(self.setup, events)
        self.changes += 1

    @rule(data=st.data())
    def try_what_is_refused(self, data: st.DataObject) -> None:
        """Try to record something that cannot happen now."""
        event = data.draw(st.sampled_from(all_candidates(self.live[-1].players)))
        assume(not can(self.live[-1], event))
        # Of who joins it can be seen without playing that the name is taken.
        with pytest.raises((NotAllowed, BadFile) if isinstance(event, Joins) else NotAllowed):
            self.keeper.record(write_event(event))

    @rule()
    def undo(self) -> None:
        """Take the newest change back; there may be none."""
        if not self.before:
            with pytest.raises(NotAllowed):
                self.keeper.undo()
            return
        self.keeper.undo()
        self.undone.append(self.counting)
        self.go_to(self.before.pop())

    @rule()
    def redo(self) -> None:
        """Bring back what was undone last; there may be nothing."""
        if not self.undone:
            with pytest.raises(NotAllowed):
                self.keeper.redo()
            return
        self.keeper.redo()
        self.before.append(self.counting)
        self.go_to(self.undone.pop())

    @rule(data=st.data())
    def mend(self, data: st.DataObject) -> None:
        """Let the game have gone another way from some entry on; perhaps it is the same way."""
        kept = data.draw(st.integers(0, len(self.counting)))
        start = self.counting[:kept]
        state = replay(self.setup, start)[-1]
        new = [] if state.over else [data.draw(happenings(state))]
        mended = [*start, *new]
        play.amend(self.keeper.pool, self.keeper.write(), 1, [*range(kept), *new])
        if mended == self.counting:
            self.changes += 1
        else:
            self.change(mended)

    @rule(behind=st.integers(1, 5))
    def write_from_an_old_version(self, behind: int) -> None:
        """Write from what another window showed some time ago."""
        with pytest.raises(Stale):
            play.undo(self.keeper.pool, self.keeper.write(self.changes - behind))

    @rule()
    def restart(self) -> None:
        """Stop the server and start it again."""
        self.keeper.restart()

    @invariant()
    def the_table_is_what_the_lists_say(self) -> None:
        """The table holds what counts, offers what there is, and has counted every change."""
        if not self.live:
            return
        sheet = self.keeper.sheet
        assert list(sheet.game.events) == self.counting
        assert (sheet.undoable is None) == (not self.before)
        assert (sheet.redoable is None) == (not self.undone)
        assert sheet.seq == self.changes
        assert list(sheet.states) == replay(self.setup, self.counting)

    @invariant()
    def live_play_equals_the_exported_file(self) -> None:
        """The states met live are those of the game file, read back from its text."""
        if not self.live:
            return
        text = msgspec.json.encode(write_game(self.keeper.sheet.game))
        states = read_game(decode(text)).states()
        assert states == self.live
        assert write_result(states) == write_result(self.keeper.sheet.states)

    def teardown(self) -> None:
        """Close the database and throw it away."""
        if self.live:
            self.keeper.pool.close()
        self.folder.cleanup()


def test_live_play_is_a_replay_of_what_counts() -> None:
    """However much is recorded, undone, redone and restarted, nothing is lost or doubled."""
    run_state_machine_as_test(
        LivePlay,
        settings=settings(
            max_examples=20,
            stateful_step_count=30,
            # A database on disk is slow, and few events can be refused early in a game.
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
