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
COMPRESSIONS: Mapping[str, Callable[[bytes], bytes]] = {".br": _brotli, ".gz": _gzip}


def compress_all(contents: Iterable[bytes], cache: Path) -> None:
    """Have every content compressed in the cache, on all processors."""
    with ThreadPoolExecutor() as pool:
        jobs = [(content, ending) for content in contents for ending in COMPRESSIONS]
        # The longest first: the others are done meanwhile.
        jobs.sort(key=lambda job: len(job[0]), reverse=True)
        list(pool.map(lambda job: compressed(job[0], job[1], cache), jobs))


def compressed(content: bytes, ending: str, cache: Path) -> bytes:
    """The content compressed as the ending says, from the cache where it is there."""
    path = cache / f"{hashlib.sha256(content).hexdigest()}{ending}"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f"{ending}.new")
        unfinished.write_bytes(COMPRESSIONS[ending](content))
        unfinished.replace(path)
    return path.read_bytes()
