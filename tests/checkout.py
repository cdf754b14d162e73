"""The project as it would come out of a clone: what git has, in the form it has just now."""

import shutil
import sys
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


def files() -> set[Path]:
    """Return the files of the project, without those made by runs and tests."""
    lines = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    ignored = {".git/", *(line.lstrip("/") for line in lines if line and line[0] != "#")}
    found, folders = set[Path](), [ROOT]
    for folder in folders:
        for path in folder.iterdir():
            name = f"{path.name}/" if path.is_dir() else path.name
            if any(fnmatch(name, pattern) for pattern in ignored):
                continue
            if path.is_dir():
                folders.append(path)
            else:
                found.add(path)
    return found


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
