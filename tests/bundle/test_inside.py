"""The bundle's Python: its versions match the lock, and it comes to what a server comes to."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Callable
from typing import Any

import pytest

from app.offline.build import ABI, CACHE, PACKAGES, PLATFORMS, PYTHON, ROOT, read_lock
from app.store.clock import evening_of
from tests.bundle.bundle_python import BundlePython
from tests.golden.test_golden import FILES, as_text

LOCK = read_lock((ROOT / "requirements.txt").read_text())
# Around nights with a clock change, before 1996 too, and in the far future.
MOMENTS = [
    *("1985-09-29T02:30Z", "2026-03-29T02:59Z", "2026-03-29T03:00Z", "2026-10-25T03:59Z"),
    *("2026-10-25T04:00Z", "2026-11-01T08:59Z", "2026-11-01T09:00Z", "2090-07-01T02:59Z"),
]


def test_pyodides_python_is_that_which_msgspec_is_compiled_for(
    python: BundlePython, listing: dict[str, Any]
) -> None:
    """For this Python and ABI; any library has the version that the server runs."""
    inside = python.ask("versions")
    assert "".join(map(str, inside["python"])) == PYTHON
    assert LOCK["msgspec"].startswith(f"msgspec=={inside['msgspec']} ")
    assert listing["abi"] == ABI
    name = f"msgspec-{inside['msgspec']}-cp{PYTHON}-cp{PYTHON}-{PLATFORMS[0]}.whl"
    for wheel in (CACHE / "downloads").glob(f"*/{name}"):
        assert hashlib.sha256(wheel.read_bytes()).hexdigest() in LOCK["msgspec"]
    for name in PACKAGES:
        assert LOCK[name].startswith(f"{name}=={importlib.metadata.version(name)} ")


def test_golden_games_have_the_same_results(python: BundlePython) -> None:
    """The JSON of each result is the same as here, with its keys in the same order."""
    golden = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}
    results = python.ask("score", games={name: each["game"] for name, each in golden.items()})
    assert {name: as_text(results[name]) for name in golden} == {
        name: as_text(each["result"]) for name, each in golden.items()
    }


@pytest.mark.parametrize("zone", ["Europe/Stockholm", "America/New_York", "Asia/Kolkata"])
def test_evenings_are_the_same(
    python: BundlePython, set_zone: Callable[[str], None], zone: str
) -> None:
    """They match in the default zone, and in others that a server may have."""
    set_zone(zone)
    found = python.ask("evenings", moments=MOMENTS, zone=zone)
    assert found["evenings"] == [evening_of(moment).isoformat() for moment in MOMENTS]
