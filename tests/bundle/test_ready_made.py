"""The bundle ready-made: packed into a file, which is known by its hash, and taken from there."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from app.offline import build
from app.offline.build import ROOT, BuildFailed, make_zip, pack, put, take
from tests.browser.static_host import Host


@pytest.fixture
def packed(bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str]:
    """Return the packed bundle, and its hash, in a checkout that has no bundle any more."""
    assert bundle.exists()
    path = tmp_path / "bundle.zip"
    digest = pack(path)
    (tmp_path / "cache" / "compressed").mkdir(parents=True)
    monkeypatch.setattr(build, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(build, "OUTPUT", tmp_path / "offline")
    return path, digest


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
    packed: tuple[Path, str], bundle: Path, address: str
) -> None:
    """File by file, compressed as well; capitals in the hash do not matter."""
    path, digest = packed
    for source, known in ((str(path), digest), (f"{address}/bundle.zip", digest.upper())):
        take(source, known)
        assert contents(build.OUTPUT) == contents(bundle)
        shutil.rmtree(build.OUTPUT)


def test_another_than_is_wanted_is_refused_and_leaves_what_was(
    packed: tuple[Path, str], address: str, tmp_path: Path
) -> None:
    """By its hash, by what it is, or because its pages ask for other styles than these."""
    path, digest = packed
    put(build.OUTPUT, {"kit.json": b"before"})
    with ZipFile(path) as archive:
        listing = archive.read("kit.json").replace(b"static/app.css?v=", b"static/app.css?v=0")
        files = {name: archive.read(name) for name in archive.namelist()}
    other = tmp_path / "other.zip"
    for content, words in (
        (b"no archive", "no packed bundle"),
        (make_zip({"kit.json": b"{}"}), "no packed bundle"),
        (make_zip(files | {"kit.json": listing}), "another version"),
    ):
        other.write_bytes(content)
        with pytest.raises(BuildFailed, match=words):
            take(str(other), hashlib.sha256(content).hexdigest())
    for source, known, words in (
        (f"{path}", "0" * 64, f"its SHA-256 is {digest}"),
        (f"{tmp_path}/nowhere", digest, "cannot be read"),
        (f"{address}/nowhere", digest, "cannot be read"),
    ):
        with pytest.raises(BuildFailed, match=words):
            take(source, known)
    assert contents(build.OUTPUT) == {"kit.json": b"before"}


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
