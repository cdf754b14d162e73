"""Evenings as `tests.hard.simulator` has them: a few of each run, and each planted fault."""

import pytest

from tests.hard import simulator
from tests.hard.simulator import planted, play
from tests.told import read_tables

# Where the program writes otherwise than before, an evening goes on otherwise: so many are tried.
TRIES = 40
FAULTS = read_tables(simulator.__file__)


@pytest.mark.parametrize("seed", range(1, 4))
def test_nothing_is_lost_doubled_misdated_or_shown_wrong(seed: int) -> None:
    """Whatever the network, the disks, the clocks, and the phones and the server do."""
    _, why, story = play(seed)
    assert not why, "\n".join([*story, why])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    """In the evening that is known for it, or soon after."""
    seed, place, *changes = FAULTS[fault]
    with planted(place, *changes):
        assert any(play(each)[1] for each in range(seed, seed + TRIES))
