"""An empty database, made once for a run and copied for each test."""

import tempfile
from functools import cache
from pathlib import Path

from app.store import files
from app.store.database import Database


def copy_empty_database(path: Path) -> Path:
    """Put an empty database of the newest schema at a path without one; return `path`."""
    if not path.exists():
        path.parent.mkdir(mode=files.FOLDER_OF_OWNER, parents=True, exist_ok=True)
        files.prepare(path)
        path.write_bytes(_make_database())
    return path


@cache
def _make_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chicago.db"
        Database(path).close()
        return path.read_bytes()
