"""Evenings on a phone without a network, handed over while answers are lost and the server dies.

A longer run of what `tests/offline/test_evenings.py` does: python -m tests.hard.evenings
[--examples 500]. Ends with an exception, and how it came to it, where an evening is lost.
"""

from __future__ import annotations

import argparse
import time

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.hard.figures import Figures
from tests.offline.evenings import Evenings

STEPS = 40


def main() -> None:
    """Play random evenings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=500, help="how many evenings")
    examples, began = parser.parse_args().examples, time.monotonic()
    figures = Figures("evenings without a network")
    chosen = settings(
        deadline=None,
        max_examples=examples,
        stateful_step_count=STEPS,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Evenings, settings=chosen)
    figures.add("handed over, each exactly once", examples)
    figures.add("seconds in all", f"{time.monotonic() - began:.0f}")


if __name__ == "__main__":
    main()
