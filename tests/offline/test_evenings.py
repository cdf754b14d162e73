"""Evenings of a phone are stored on the server once, however often they arrive."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.offline.evenings import Evenings


def test_an_evening_stands_on_the_server_exactly_once() -> None:
    """Games, times, log, payments and people match after any failures in between."""
    run_state_machine_as_test(
        Evenings,
        settings=settings(
            max_examples=3,
            stateful_step_count=20,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
