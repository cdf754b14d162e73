"""Pyodide, its Python and the bundle's libraries: they match each other and the lock."""

import hashlib
import importlib.metadata
from typing import Any

import pytest

from app.offline.build import ABI, CACHE, PACKAGES, PLATFORMS, PYTHON, ROOT, read_lock
from tests.bundle.bundle_python import BundlePython

LOCK = read_lock((ROOT / "requirements.txt").read_text())


def test_pyodides_python_is_that_which_msgspec_is_compiled_for(
    python: BundlePython, listing: dict[str, Any]
) -> None:
    """The wheel of the locked msgspec is compiled for this Python and this ABI."""
    inside = python.ask("versions")
    assert "".join(map(str, inside["python"])) == PYTHON
    assert LOCK["msgspec"].startswith(f"msgspec=={inside['msgspec']} ")
    assert listing["abi"] == ABI
    name = f"msgspec-{inside['msgspec']}-cp{PYTHON}-cp{PYTHON}-{PLATFORMS[0]}.whl"
    for wheel in (CACHE / "downloads").glob(f"*/{name}"):
        assert hashlib.sha256(wheel.read_bytes()).hexdigest() in LOCK["msgspec"]


@pytest.mark.parametrize("name", PACKAGES)
def test_the_bundle_has_the_version_that_the_server_runs(name: str) -> None:
    """A library has the same version on both sides."""
    assert LOCK[name].startswith(f"{name}=={importlib.metadata.version(name)} ")
