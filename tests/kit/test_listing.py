"""The list of what is in the kit says what is there, and that it is no more than was promised."""

import gzip
import hashlib
from pathlib import Path

import brotli
import pytest

from app.kit.listing import Listing
from tests.bench.kit import LIMIT, OURS_LIMIT, weigh

CONTENT = ("pyodide.asm.wasm", "stdlib.zip", "site.zip", "app.zip", "licences.txt")


def path_of(kit: Path, url: str) -> Path:
    """Return where a file of the kit lies."""
    return kit / url.removeprefix("/offline/")


def test_every_file_has_the_hash_and_the_size_that_are_listed(kit: Path, listing: Listing) -> None:
    """And is served under its hash."""
    assert {*CONTENT} < {file.name for file in listing.files}
    for file in listing.files:
        content = path_of(kit, file.url).read_bytes()
        assert file.sha256 == hashlib.sha256(content).hexdigest(), file.name
        assert file.url.split("/")[2] == file.sha256[:16]
        assert file.bytes == len(content)
    assert listing.bytes == sum(file.bytes for file in listing.files)
    assert listing.download == sum(file.download for file in listing.files)


@pytest.mark.parametrize(
    ("ending", "unpack"), [(".br", brotli.decompress), (".gz", gzip.decompress)]
)
def test_what_is_compressed_beforehand_is_the_same(
    kit: Path, ending: str, unpack: type[bytes]
) -> None:
    """Of every file in the folder, both compressed forms are there, and give it back."""
    plain = [path for path in kit.rglob("*.*") if path.suffix not in (".br", ".gz")]
    assert len(plain) > len(CONTENT)
    for path in plain:
        assert unpack(path.with_name(path.name + ending).read_bytes()) == path.read_bytes()


def test_the_download_is_what_brotli_makes_of_it(kit: Path, listing: Listing) -> None:
    """The size that people are told is the one that crosses the network."""
    for file in listing.files:
        assert path_of(kit, f"{file.url}.br").stat().st_size == file.download, file.name


def test_the_kit_is_no_larger_than_promised(kit: Path) -> None:
    """All of it, and what another release of ours alone takes."""
    weight = weigh(kit)
    assert weight.all["brotli"] <= LIMIT
    assert weight.ours["brotli"] <= OURS_LIMIT
