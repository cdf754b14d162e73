"""The cache of views: it holds no more bytes than it counts, whatever a game is made of."""

import gc
import json
import sys
import tracemalloc

import pytest

from app.services import table_view
from tests.rules.table import Rules, write_facts
from tests.services.conftest import Seat

PLAYERS = [f"P{seat}" for seat in range(8)]
DEAL = write_facts("nobody, nobody, P0 trick")
ZEROING = write_facts("P0 zeroes, P1 zeroes, P2 zeroes")
(POINT,) = write_facts("P0 1")
REMARKS = [json.loads("[" * 80 + "]" * 80), [[]] * 200, [{}] * 200, [0.5] * 150, "ö" * 200]


@pytest.mark.parametrize(
    "events",
    [
        DEAL * 100,
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
