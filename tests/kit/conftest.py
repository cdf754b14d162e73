"""Fixtures of the bundle: the files that `make offline` built, and its Python, started once."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.offline.build import OUTPUT, ROOT
from tests.kit.kit_python import PHONE, KitPython


@pytest.fixture(scope="session")
def kit() -> Path:
    """Return the folder of the bundle, which is built from these sources."""
    asked = ["make", "--question", "--assume-old=.venv/kit.stamp", "build/offline/kit.json"]
    done = subprocess.run(asked, cwd=ROOT, env={**os.environ, "MAKEFLAGS": ""}, check=False)
    assert done.returncode == 0, "There is no bundle of these sources: make offline"
    return OUTPUT


@pytest.fixture(scope="session")
def listing(kit: Path) -> dict[str, Any]:
    """Return the list of the bundle's files."""
    read: dict[str, Any] = msgspec.json.decode((kit / "kit.json").read_bytes())
    return read


@pytest.fixture(scope="session")
def python(kit: Path) -> Iterator[KitPython]:
    """Start the bundle's Python, with the phone's application."""
    started = KitPython(kit, PHONE)
    yield started
    started.stop()
