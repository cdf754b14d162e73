"""Fixtures of the bundle: the files that `make offline` built."""

import os
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.offline.build import OUTPUT, ROOT


@pytest.fixture(scope="session")
def bundle() -> Path:
    """Return the folder of the bundle, which is built from these sources."""
    asked = ["make", "--question", "--assume-old=.venv/kit.stamp", "build/offline/kit.json"]
    done = subprocess.run(asked, cwd=ROOT, env={**os.environ, "MAKEFLAGS": ""}, check=False)
    assert done.returncode == 0, "There is no bundle of these sources: make offline"
    return OUTPUT


@pytest.fixture(scope="session")
def listing(bundle: Path) -> dict[str, Any]:
    """Return the list of the bundle's files."""
    read: dict[str, Any] = msgspec.json.decode((bundle / "kit.json").read_bytes())
    return read
