"""Evenings on a phone without a network, handed over while answers are lost and the server dies.

A longer run of what `tests/offline/test_evenings.py` does.
"""

from __future__ import annotations

import argparse
import time

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.offline.evenings import Evenings

STEPS = 40


def main() -> None:
    """Play random evenings; ends with an exception, and how it came to it, where one is lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=500, help="how many evenings")
    examples = parser.parse_args().examples
    began = time.monotonic()
    run_state_machine_as_test(
        Evenings,
        settings=settings(
            deadline=None,
            max_examples=examples,
            stateful_step_count=STEPS,
            phases=[Phase.generate, Phase.shrink],
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    print(
        f"{examples} evenings handed over, each exactly once, in {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
