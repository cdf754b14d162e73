"""The kit's files compressed as far as they go, once for each content."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brotli

QUALITY, WINDOW, GZIP_LEVEL = 11, 24, 9


def _brotli(content: bytes) -> bytes:
    return bytes(brotli.compress(content, quality=QUALITY, lgwin=WINDOW))


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, GZIP_LEVEL, mtime=0)


# By the ending of a file that is compressed so.
ENDINGS: Mapping[str, Callable[[bytes], bytes]] = {".br": _brotli, ".gz": _gzip}


class Compressor:
    """Compresses contents, and keeps what comes out in a folder, for builds to come."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._used: set[Path] = set()

    def compress_all(self, contents: Iterable[bytes]) -> None:
        """Compress every content, on all processors; the longest first, to end together."""
        jobs = [(content, ending) for content in contents for ending in ENDINGS]
        jobs.sort(key=lambda job: len(job[0]), reverse=True)
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda job: self.compressed(*job), jobs))

    def compressed(self, content: bytes, ending: str) -> bytes:
        """The content compressed as the ending says."""
        path = self._folder / f"{hashlib.sha256(content).hexdigest()}{ending}"
        self._used.add(path)
        if not path.exists():
            unfinished = path.with_name(f"{path.name}.new")
            unfinished.write_bytes(ENDINGS[ending](content))
            unfinished.replace(path)
        return path.read_bytes()

    def forget_unused(self) -> None:
        """Remove what no content of this build was compressed to."""
        for path in self._folder.iterdir():
            if path not in self._used:
                path.unlink()
