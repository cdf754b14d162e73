"""What the kit is built from is fetched once, and refused where it is not what was locked."""

import hashlib
import subprocess
from pathlib import Path

import pytest

from app.kit import downloads
from app.kit.downloads import MissingSource, Requirement, fetch_pyodide, fetch_wheels, read_lock
from app.kit.versions import PYODIDE

CONTENT = b"a wheel"
LOCK = {"flask": Requirement("3.1", frozenset([hashlib.sha256(CONTENT).hexdigest()]))}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let npm and pip fail as they do without a network."""

    def fail(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 1, "", "npm error code ENOTFOUND\nsee the log")

    monkeypatch.setattr(downloads, "npm", fail)
    monkeypatch.setattr(subprocess, "run", fail)


@pytest.mark.usefixtures("no_network")
def test_without_a_network_it_says_what_cannot_be_fetched(tmp_path: Path) -> None:
    """And what npm or pip said."""
    with pytest.raises(
        MissingSource, match=r"^npm could not fetch Pyodide .*: npm error code ENOTFOUND"
    ):
        fetch_pyodide(tmp_path)
    with pytest.raises(
        MissingSource, match=r"^pip could not fetch the kit's packages: .*ENOTFOUND"
    ):
        fetch_wheels(LOCK, ["flask"], tmp_path)


@pytest.mark.usefixtures("no_network")
def test_what_was_fetched_before_needs_no_network(tmp_path: Path) -> None:
    """A wheel with a locked hash is taken as it lies there."""
    wheel = tmp_path / "flask-3.1-py3-none-any.whl"
    wheel.write_bytes(CONTENT)
    assert fetch_wheels(LOCK, ["flask"], tmp_path) == [wheel]


@pytest.mark.usefixtures("no_network")
def test_what_has_another_hash_is_not_taken(tmp_path: Path) -> None:
    """Neither Pyodide nor a wheel; what is wrong is fetched anew the next time."""
    package = tmp_path / f"pyodide-{PYODIDE}.tgz"
    package.write_bytes(CONTENT)
    with pytest.raises(MissingSource, match="is not what was published"):
        fetch_pyodide(tmp_path)
    assert not package.exists()
    (tmp_path / "flask-3.1-py3-none-any.whl").write_bytes(b"another")
    with pytest.raises(MissingSource):
        fetch_wheels(LOCK, ["flask"], tmp_path)


def test_the_lock_is_read_with_its_hashes() -> None:
    """Markers and comments are no part of a version."""
    text = (
        "# made by\na-b==1.0 ; sys_platform == 'linux' \\\n"
        f"    --hash=sha256:{'0' * 64} \\\n    --hash=sha256:{'1' * 64}\n    # via c\nd==2 \\\n"
    )
    assert read_lock(text)["a-b"] == Requirement("1.0", frozenset(["0" * 64, "1" * 64]))
    assert read_lock(text)["d"].version == "2"
