"""Perft in the bundle: what every sequence of events leads to there."""

from tests.bundle.bundle_python import BundlePython
from tests.rules.perft import SETS, expected


def test_every_sequence_of_events_leads_to_the_same_in_the_bundle(python: BundlePython) -> None:
    """Everybody's own hands, by three players, have the most sequences of three events."""
    counts, hashes = expected(SETS["made everyone 3"], 3)
    asked = python.ask("perft", name="made everyone 3", depth=3)
    assert asked == {"counts": counts, "hashes": hashes}
