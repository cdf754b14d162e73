"""The project as it would come out of a clone: what git has, in the form it has just now."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


def tracked() -> set[Path] | None:
    """Return the tracked files, or None outside of a git checkout."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    paths = {ROOT / name for name in listed.stdout.split("\0") if name}
    return {path for path in paths if path.is_file()}


def walked() -> set[Path]:
    """Return the existing files, without those made by runs and tests."""
    ignored = [line for line in (ROOT / ".gitignore").read_text().splitlines() if line.strip()]
    folders = {line.strip("/") for line in ignored if line.endswith("/")} | {".git"}
    return set(_below(ROOT, folders))


def _below(folder: Path, ignored: set[str]) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_file():
            yield path
        elif path.is_dir() and path.name not in ignored and not path.name.endswith(".egg-info"):
            yield from _below(path, ignored)


def files() -> set[Path]:
    """Return the files of the project."""
    paths = tracked()
    return walked() if paths is None else paths


def clone(folder: Path, paths: Iterable[Path] = ()) -> Path:
    """Copy files of the project to a folder, all of them unless told which; return it."""
    for path in paths or files():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return folder


def set_up(folder: Path) -> Path:
    """Let `make` take a clone for set up, with the packages of these tests; return it."""
    (folder / ".venv").mkdir()
    (folder / ".venv" / "bin").symlink_to(BIN)
    for stamp in ("runtime", "kit", "dev"):
        (folder / ".venv" / f"{stamp}.stamp").touch()
    return folder
