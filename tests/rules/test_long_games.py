"""The work on a long game, counted in calls: twice as many events are twice the work."""

import sys
from collections.abc import Callable

from app.rules.edit import Operation, operate, place_entries, replay_by, replay_entries
from app.rules.events import LastTrick, write_event
from app.rules.protocol import assemble
from app.services.figures import describe_game, find_swings, score_curve, seat_statistics
from tests.rules.table import Table, cases, play

# All are at the stop from the first facts on.
RULES = {"exchanges": 1, "hand_after_play": False, "exchange_stop": 1, "last_trick": 0}


def edit_all(table: Table) -> None:
    """Edit a game in each way."""
    setup, entries = table.state.setup, place_entries(table.states, table.events)
    replay_by(setup, entries, table.states)
    trick = write_event(LastTrick(player="Bo"))
    for kind in ("insert", "move", "insert_deal", "remove_deal"):
        replay_entries(setup, operate(entries, [Operation(kind, 5, trick)]))


def count_calls(act: Callable[[Table], object], fact: str, count: int) -> int:
    """Count the calls that something makes of a game of so many equal facts, broken off."""
    table, calls = play(f"Anna 2, Bo 2, Cilla 2, {fact * count}settled", **RULES), list[str]()
    sys.setprofile(lambda _frame, event, _: calls.append(event))
    act(table)
    sys.setprofile(None)
    return len(calls)


@cases("fact", ["Bo trick, ", "Bo 1, "])
@cases(
    "act",
    [
        lambda table: assemble(table.states, table.events),
        lambda table: seat_statistics(table.states),
        lambda table: [each(table.states) for each in (describe_game, score_curve)],
        lambda table: find_swings(1, table.states),
        edit_all,
    ],
)
def test_the_work_grows_as_the_game_does(act: Callable[[Table], object], fact: str) -> None:
    """Whoever looks at a game of a whole night holds others up no more than its length says."""
    assert count_calls(act, fact, 400) < 2.2 * count_calls(act, fact, 200)
