"""Pyodide, its Python and the libraries of the kit belong together, and are those locked."""

import hashlib
import importlib.metadata

import pytest

from app.kit.__main__ import CACHE, ROOT
from app.kit.contents import PACKAGES
from app.kit.downloads import read_lock
from app.kit.listing import Listing
from app.kit.versions import ABI, PLATFORM, PYODIDE, PYODIDE_SHA256, PYTHON
from tests.kit.kit_python import KitPython

LOCK = read_lock((ROOT / "requirements.txt").read_text())


def test_pyodides_python_is_that_which_msgspec_is_compiled_for(
    python: KitPython, listing: Listing
) -> None:
    """The one that was fetched for the locked msgspec runs in this Python, under this ABI."""
    inside = python.ask("versions")
    assert "".join(map(str, inside["python"])) == PYTHON
    assert inside["msgspec"] == listing.msgspec == LOCK["msgspec"].version
    assert (listing.pyodide, listing.abi) == (PYODIDE, ABI)
    wheel = (
        CACHE / "downloads" / (f"msgspec-{listing.msgspec}-cp{PYTHON}-cp{PYTHON}-{PLATFORM}.whl")
    )
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() in LOCK["msgspec"].hashes


def test_pyodide_is_what_was_published() -> None:
    """The package that was fetched has the hash that is written down beside its version."""
    package = CACHE / "downloads" / f"pyodide-{PYODIDE}.tgz"
    assert hashlib.sha256(package.read_bytes()).hexdigest() == PYODIDE_SHA256


@pytest.mark.parametrize("name", PACKAGES)
def test_the_kit_has_the_version_that_the_server_runs(name: str) -> None:
    """A library is the same on both sides."""
    assert importlib.metadata.version(name) == LOCK[name].version
