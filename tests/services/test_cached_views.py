"""The cache of views: it holds no more bytes than it counts, whatever a game is made of."""

import gc
import sys
import tracemalloc

from app.services import table_view
from tests.rules.table import Rules
from tests.services.conftest import Seat
from tests.told import told


@told
def test_a_view_holds_no_more_than_it_counts(
    seat: Seat, times: int, happened: list[str | Rules]
) -> None:
    """The cache is bounded by what views say of themselves."""
    keeper = seat([f"P{seat}" for seat in range(8)], {"target": 1000, "hand_after_play": False})
    keeper.record(*happened * times)
    keeper.db.connection.newest.clear()
    gc.collect()
    tracemalloc.start()
    view = table_view.read_view(keeper.db, keeper.link)
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] <= sys.getsizeof(view)
    tracemalloc.stop()
