"""Evenings in the bundle's Python are those of a server."""

from collections.abc import Callable

import pytest

from app.store.clock import evening_of
from tests.bundle.bundle_python import BundlePython

# Around nights with a clock change, before 1996 too, and in the far future.
MOMENTS = [
    *("1985-09-29T02:30Z", "2026-03-29T02:59Z", "2026-03-29T03:00Z", "2026-10-25T03:59Z"),
    *("2026-10-25T04:00Z", "2026-11-01T08:59Z", "2026-11-01T09:00Z", "2090-07-01T02:59Z"),
]


@pytest.mark.parametrize("zone", ["Europe/Stockholm", "America/New_York", "Asia/Kolkata"])
def test_evenings_are_the_same_in_the_bundle(
    python: BundlePython, set_zone: Callable[[str], None], zone: str
) -> None:
    """They match in the default zone, and in others that a server may have."""
    set_zone(zone)
    found = python.ask("evenings", moments=MOMENTS, zone=zone)
    assert found["evenings"] == [evening_of(moment).isoformat() for moment in MOMENTS]
