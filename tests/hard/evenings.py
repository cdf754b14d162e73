"""Evenings on a phone without a network, handed over while answers are lost and the server dies.

A longer run of what `tests/offline/test_evenings.py` does: python -m tests.hard.evenings
[--examples 500]. Ends with an exception, and how it came to it, where an evening is lost.
"""

from __future__ import annotations

import time

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from app.offline import routes
from tests.hard.figures import Figures, options
from tests.offline.evenings import Evenings


def main() -> None:
    """Play random evenings."""
    examples, began = options(__doc__, examples=500).examples, time.monotonic()
    figures = Figures("evenings without a network")
    # How far a push comes within its time is no draw of chance.
    routes.LONGEST_SECONDS = 60
    chosen = settings(deadline=None, max_examples=examples, stateful_step_count=40, database=None)
    chosen = settings(chosen, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(Evenings, settings=chosen)
    figures.add("handed over, each exactly once", examples)
    figures.add("seconds in all", f"{time.monotonic() - began:.0f}")


if __name__ == "__main__":
    main()
