"""While one address keeps a server busy with requests that never end, its neighbours are served."""

from pathlib import Path

import pytest

from tests.hard.attacks import attacked
from tests.hard.hostile import Street
from tests.hard.serving import served

SECONDS = 3.0
# Of some twelve taps in that time; a busy machine may be slow, but does go on.
AT_LEAST, ROUNDS = 3, 10


@pytest.mark.parametrize("attack", ["half-sent requests", "slow bodies"])
def test_the_neighbours_go_on_playing(tmp_path: Path, attack: str) -> None:
    """Every tap from another address is answered, and in time."""
    with served(tmp_path, CHICAGO_LIMITS="on") as server:
        street = Street(server.port)
        with attacked([attack], server.port, "/"):
            for _ in range(ROUNDS):
                taps = street.during(SECONDS)
                if len(taps) >= AT_LEAST * len(street.neighbours):
                    break
            else:
                pytest.fail("the neighbours hardly get to play")
        assert street.leave() == []
