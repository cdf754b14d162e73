"""The kit as `make offline` built it, and its Python, started once for all tests here."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from app.kit.__main__ import BUILT_OF, OUTPUT, ROOT
from app.kit.listing import Listing
from app.kit.sources import fingerprint
from tests.kit.kit_python import KitPython


@pytest.fixture(scope="session")
def kit() -> Path:
    """Return the folder of the kit; it is of these sources."""
    assert BUILT_OF.exists(), "There is no kit: make offline"
    assert BUILT_OF.read_text() == fingerprint(ROOT), "The kit is of other sources: make offline"
    return OUTPUT


@pytest.fixture(scope="session")
def listing(kit: Path) -> Listing:
    """Return the list of what is in the kit."""
    return msgspec.json.decode((kit / "kit.json").read_bytes(), type=Listing)


@pytest.fixture(scope="session")
def python(kit: Path) -> Iterator[KitPython]:
    """Start the kit's Python."""
    started = KitPython(kit)
    yield started
    started.stop()
