"""The files of the database: for their owner's eyes only, and the same ones as when opened."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600
FOLDER_OF_OWNER = 0o700
_OTHERS = 0o077
# What SQLite keeps beside a database, and this server's lock.
WRITE_AHEAD_LOG = "-wal"
COMPANIONS = (WRITE_AHEAD_LOG, "-shm", "-journal")
LOCK = ".lock"


def database_path() -> Path:
    """The file of the database: CHICAGO_DB, or `instance/chicago.db` beside the program."""
    usual = Path(__file__).resolve().parents[2] / "instance" / "chicago.db"
    return Path(os.environ.get("CHICAGO_DB") or usual)


def beside(path: Path, suffix: str) -> Path:
    """The file that belongs to a database and has its name and a suffix."""
    return path.with_name(path.name + suffix)


def prepare(path: Path) -> None:
    """Make the folder and the file where there is none yet; let only their owner read the files.

    Raises OSError.
    """
    make_folder(path)
    with suppress(FileExistsError):
        # Never opened when it is there: closing it would drop the locks of this process.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    for file in (path, *(beside(path, suffix) for suffix in (*COMPANIONS, LOCK))):
        # Where it is there, and is ours.
        with suppress(OSError):
            mode = file.stat().st_mode
            if file.is_file() and mode & _OTHERS:
                file.chmod(mode & ~_OTHERS)


def make_folder(path: Path) -> None:
    """Make the folder of a file, for its owner alone, where there is none. Raises OSError."""
    path.parent.mkdir(mode=FOLDER_OF_OWNER, parents=True, exist_ok=True)


def synchronize(path: Path) -> None:
    """Wait until a file, or what a folder holds, is on disk (fsync)."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
