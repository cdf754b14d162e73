"""What a kit is built of: so that one that is up to date is not built again."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("app", "static", "templates")
FILES = ("LICENSE", "requirements.txt")


def fingerprint(root: Path) -> str:
    """What the sources in `root` are known by; others are known by something else."""
    # Python's own version stands for what compresses and pickles.
    whole = hashlib.sha256(sys.version.encode())
    for path in _sources(root):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return whole.hexdigest()


def _sources(root: Path) -> Iterator[Path]:
    yield from (root / name for name in FILES)
    for folder in FOLDERS:
        paths = (root / folder).rglob("*")
        yield from sorted(
            path for path in paths if path.is_file() and path.parent.name != "__pycache__"
        )
