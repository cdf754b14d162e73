"""The steps of the Dockerfile, one after the other, in folders: where no container engine runs."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.hard.roots import FOLDER, ROOT, Debian, Failed, merged, take_sources

MARK = re.compile(r"^--(\w+)=(\S+)\s+")


@dataclass
class Build:
    """A build of the Dockerfile upon a bare Debian; afterwards the last stage is the container."""

    bare: Debian
    arguments: dict[str, str]
    name: str
    stages: dict[str, Debian] = field(default_factory=dict)
    volume: str = ""
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    _arguments: dict[str, str] = field(default_factory=dict)

    def run(self) -> Debian:
        """Take every step. Raises Failed."""
        self.context = make_context(FOLDER / f"{self.name}-context")
        for step, rest in read_steps((ROOT / "Dockerfile").read_text()):
            sys.stderr.write(f"  {step} {rest.strip()[:100]}\n")
            getattr(self, f"_{step.lower()}")(rest)
        return self.now

    def _from(self, rest: str) -> None:
        image, _, alias = rest.partition(" AS ")
        before = self.stages.get(image, self.bare)
        name = alias or "last"
        self.now = before.copy(FOLDER / f"{self.name}-{name}")
        self.stages[name] = self.now

    def _run(self, rest: str) -> None:
        cache = mark(rest, "mount")
        if cache:
            target = str(cache.rpartition("target=")[2])
            outside = FOLDER / "cache"
            outside.mkdir(exist_ok=True)
            self._folder(target)
            self.now.mounts[target.lstrip("/")] = outside
        said = {**self.now.variables, **self._arguments}
        before, self.now.variables = self.now.variables, said
        try:
            self.now.run("sh", "-c", unmarked(rest))
        finally:
            self.now.variables = before
            self.now.mounts.clear()

    def _copy(self, rest: str) -> None:
        source = mark(rest, "from")
        root = self.stages[source].path if source else self.context
        *names, target = shlex.split(unmarked(rest))
        for name in names:
            # A folder's files are copied, a file into a folder where the target says so.
            end = self._inside(target)
            start = root / name.lstrip("/")
            if start.is_dir():
                shutil.copytree(start, end, symlinks=True, dirs_exist_ok=True)
            else:
                end = end / start.name if target.endswith("/") else end
                end.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(start, end)

    def _workdir(self, rest: str) -> None:
        self._folder(rest)
        self.now.cwd = rest

    def _env(self, rest: str) -> None:
        words = dict(word.split("=", 1) for word in shlex.split(rest))
        self.now.variables = merged(self.now.variables, words)

    def _arg(self, rest: str) -> None:
        name, _, value = rest.partition("=")
        self._arguments[name] = self.arguments.get(name, value)

    def _user(self, rest: str) -> None:
        self.now.user = f"{rest}:{rest}"

    def _volume(self, rest: str) -> None:
        self.volume = rest

    def _expose(self, rest: str) -> None:
        assert rest.isdigit()

    def _healthcheck(self, rest: str) -> None:
        self.health = json.loads(rest.partition("CMD ")[2])

    def _cmd(self, rest: str) -> None:
        self.command = json.loads(rest)

    def _folder(self, inside: str) -> None:
        self._inside(inside).mkdir(parents=True, exist_ok=True)

    def _inside(self, name: str) -> Path:
        return self.now.path / str(Path(self.now.cwd) / name).lstrip("/")


def read_steps(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile, each with what stands after it."""
    joined = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.partition(" ") for line in joined.splitlines() if line.strip()]
    return [(step, rest.strip()) for step, _, rest in lines]


def mark(rest: str, name: str) -> str:
    """Return what an instruction's option says, or nothing."""
    found = MARK.match(rest)
    return found[2] if found and found[1] == name else ""


def unmarked(rest: str) -> str:
    """Return what an instruction says, without its options."""
    return MARK.sub("", rest)


def make_context(into: Path) -> Path:
    """Lay out what .dockerignore lets through of a fresh clone."""
    shutil.rmtree(into, ignore_errors=True)
    clone = into.with_name(f"{into.name}-clone")
    shutil.rmtree(clone, ignore_errors=True)
    take_sources(clone)
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        for path in clone.glob(line[1:]) if line.startswith("!") else ():
            end = into / path.relative_to(clone)
            end.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cp", "-a", path, end], check=True)
    if not into.exists():
        raise Failed("Nothing gets past .dockerignore.")
    return into
