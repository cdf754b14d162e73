"""Every sequence of three events leads where it led another engine; `make hard` counts a fourth."""

import pytest

from tests.rules.perft import SETS, counted, expected


@pytest.mark.parametrize("name", SETS)
def test_every_sequence_of_events_leads_where_another_engine_leads(name: str) -> None:
    """Each set of rules has as many sequences of every length, and the same results."""
    wanted = expected(SETS[name], 3)
    assert counted(SETS[name], len(wanted[0])) == wanted
