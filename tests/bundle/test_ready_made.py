"""The bundle ready-made: packed into a file, which is known by its hash, and taken from there."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from app.offline import build
from app.offline.build import ROOT, BuildFailed, make_zip, pack, take
from tests.browser.static_host import Host


@pytest.fixture
def packed(bundle: Path, tmp_path: Path) -> tuple[Path, str]:
    """Return the packed bundle, and its hash."""
    assert bundle.exists()
    path = tmp_path / "bundle.zip"
    return path, pack(path)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: tuple[Path, str]) -> Path:
    """Return the folder of the bundle in a checkout that has none."""
    assert packed
    (tmp_path / "cache" / "compressed").mkdir(parents=True)
    monkeypatch.setattr(build, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(build, "OUTPUT", tmp_path / "offline")
    return tmp_path / "offline"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve the folder of the packed bundle."""
    host = Host(tmp_path)
    yield host.url
    host.stop()


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_taken_from_a_file_or_an_address_it_is_the_bundle_that_was_built(
    packed: tuple[Path, str], bundle: Path, empty: Path, address: str
) -> None:
    """File by file, compressed as well; capitals in the hash do not matter."""
    path, digest = packed
    take(str(path), digest)
    assert contents(empty) == contents(bundle)
    take(f"{address}/bundle.zip", digest.upper())
    assert contents(empty) == contents(bundle)


def test_another_than_is_wanted_is_refused_and_leaves_what_was(
    packed: tuple[Path, str], empty: Path, address: str, tmp_path: Path
) -> None:
    """By its hash, by what it is, or because it is of other files than these."""
    path, digest = packed
    empty.mkdir()
    (empty / "kit.json").write_text("before")
    with pytest.raises(BuildFailed, match=f"its SHA-256 is {digest}"):
        take(str(path), "0" * 64)
    for content, words in (
        (b"no archive", "no packed bundle"),
        (make_zip({"kit.json": b"{}"}), "no packed bundle"),
        (other_version(path), "another version"),
    ):
        other = tmp_path / "other.zip"
        other.write_bytes(content)
        with pytest.raises(BuildFailed, match=words):
            take(str(other), hashlib.sha256(content).hexdigest())
    for missing in (str(tmp_path / "nowhere"), f"{address}/nowhere"):
        with pytest.raises(BuildFailed, match="cannot be read"):
            take(missing, digest)
    assert contents(empty) == {"kit.json": b"before"}


def other_version(path: Path) -> bytes:
    """Return a packed bundle whose pages ask for other styles."""
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["kit.json"] = files["kit.json"].replace(b"static/app.css?v=", b"static/app.css?v=0")
    return make_zip(files)


def test_the_command_says_what_is_wrong(packed: tuple[Path, str], tmp_path: Path) -> None:
    """In one line, with another status than 0."""
    command = [sys.executable, "-m", "app.offline.build"]
    asked = [*command, "--from", str(packed[0]), "--sha256", "1" * 64]
    refused = subprocess.run(asked, cwd=ROOT, check=False, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "is not the one that is wanted" in refused.stderr
    target = tmp_path / "again.zip"
    done = subprocess.run(
        [*command, "--pack", str(target)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == [packed[1], str(target)]
