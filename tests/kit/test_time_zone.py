"""The kit's Python, which knows no time zones by itself, tells evenings as a server does."""

import base64
from collections.abc import Callable

import pytest

from app.services.evening import evening_of
from app.store import clock
from app.offline.routes import read_zone
from tests.kit.kit_python import KitPython

# Around the nights on which clocks are changed, before 1996 as well, and far from now.
MOMENTS = [
    *("1985-09-29T02:30Z", "2026-03-29T02:59Z", "2026-03-29T03:00Z", "2026-10-25T03:59Z"),
    *("2026-10-25T04:00Z", "2026-11-01T08:59Z", "2026-11-01T09:00Z", "2090-07-01T02:59Z"),
]


@pytest.mark.parametrize("zone", ["", "America/New_York", "Europe/Helsinki", "Asia/Kolkata"])
def test_evenings_are_the_same_in_the_kit(
    python: KitPython, set_zone: Callable[[str], None], zone: str
) -> None:
    """In the usual zone, and in any that the server tells of."""
    set_zone(zone or clock.DEFAULT_ZONE)
    copy = read_zone(clock.zone().key)
    assert copy
    rules = base64.b64encode(copy.rules).decode() if zone else ""
    found = python.ask("evenings", moments=MOMENTS, zone=zone, rules=rules)
    assert found["evenings"] == [evening_of(moment).isoformat() for moment in MOMENTS]
    assert found["zone"] == copy.name
