"""The cache of views: it holds no more bytes than it counts, whatever a game is made of."""

import gc
import json
import sys
import tracemalloc

import pytest

from app.rules.hands import Hand
from app.services import table_view
from tests.rules.table import Rules, write_facts
from tests.services.conftest import Seat

PLAYERS = [f"P{seat}" for seat in range(8)]
DEAL = write_facts("nobody, nobody, P0 trick")
ZEROING = write_facts("P0 zeroes, P1 zeroes, P2 zeroes")
(POINT,) = write_facts("P0 1")
REMARKS = [json.loads("[" * 80 + "]" * 80), [[]] * 200, [{}] * 200, [0.5] * 150, "ö" * 200]

HANDS = list(Hand)
# The largest set of rules that there is.
LONG = {
    "event": "rules",
    "rules": {
        "hand_points": dict.fromkeys(HANDS, 1000),
        "zeroing": dict.fromkeys(HANDS, "always"),
        "winning_hands": HANDS,
        "raising_hands": HANDS,
        "scored_exchanges": [1, 2, 3],
        "win_needs_chicago_players": [*range(2, 9)],
        "blind_chicago": {"points": 1000, "penalty": 1000, "with_two": 1000, "minimum": 1000},
    },
}


@pytest.mark.parametrize(
    "events",
    [
        DEAL * 100,
        [LONG] * 100,
        ZEROING * 40,
        *([POINT | {"note": remark, "at": remark}] * 50 for remark in REMARKS),
    ],
)
def test_a_view_holds_no_more_than_it_counts(seat: Seat, events: list[Rules]) -> None:
    """The cache is bounded by what views say of themselves."""
    keeper = seat(PLAYERS, {"target": 1000, "hand_after_play": False})
    keeper.record(*events)
    keeper.db.connection.newest.clear()
    gc.collect()
    tracemalloc.start()
    view = table_view.read_view(keeper.db, keeper.link)
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] <= sys.getsizeof(view)
    tracemalloc.stop()
