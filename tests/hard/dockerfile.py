"""The Dockerfile carried out without Docker: a folder stands in for the image.

    python -m tests.hard.dockerfile

From what git has, with pip and the offline bundle; what comes out serves, and keeps a table. Exit
status 1 where a promise was broken.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path

from app.web.pwa import LISTING
from tests.api.network import new_table, send
from tests.browser.serving import Server
from tests.checkout import ROOT, clone, files
from tests.hard.figures import Figures

MARK = re.compile(r"^--(\w+)=(\S+)\s+")
# What of a step is about the machine: its packages and users, which need another one or root.
OF_THE_MACHINE = re.compile(r"(?:apt-get|useradd)\b|.*/apt/")
OF_USERS = re.compile(r" -[og] chicago\b")
# The folders of the image that the steps name.
FOLDERS = re.compile(r"/(?=(?:opt/chicago|data)\b)")


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


def sent_to_docker() -> list[Path]:
    """Return the files of the project that .dockerignore lets in."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    let_in = [line[1:] for line in lines if line.startswith("!")]

    def is_let_in(name: Path) -> bool:
        return any(fnmatch(str(part), each) for part in (name, *name.parents) for each in let_in)

    return [path for path in files() if is_let_in(path.relative_to(ROOT))]


class Image:
    """What the instructions of a Dockerfile make, in a folder `root` that stands for `/`.

    Each stage is made there, as an environment of Python knows its place, and put aside when the
    next one begins. `environment` is the machine's, `arguments` are those of `--build-arg`.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str], **arguments: str) -> None:
        self.root, self.home = folder / "root", folder / "root"
        self.command: list[str] = []
        self.health: list[str] = []
        self._folder, self._name, self._arguments = folder, "", arguments
        self._context = clone(folder / "context", sent_to_docker())
        (folder / "bin").mkdir()
        # The Python of these tests, and none of its packages.
        (folder / "bin" / "python3").symlink_to(Path(sys.executable).resolve())
        self._machine = {**environment, "PATH": f"{folder}/bin:{os.defpath}"}
        self.environment = self._machine

    def build(self, text: str) -> None:
        """Carry out a Dockerfile. Raises CalledProcessError for a command that fails."""
        for step, rest in read_steps(text):
            match step:
                case "FROM":
                    self._begin(*rest.split(" AS "))
                case "WORKDIR":
                    self.home = self._inside(rest)
                    self.home.mkdir(parents=True)
                case "COPY":
                    self._copy(mark(rest, "from"), *unmarked(rest).split())
                case "RUN":
                    self._run(unmarked(rest))
                case "ARG":
                    name, _, usual = rest.partition("=")
                    self.environment[name] = self._arguments.get(name, usual)
                case "ENV":
                    self._set(dict(each.split("=") for each in rest.split()))
                case "CMD":
                    self.command = json.loads(rest)
                case "HEALTHCHECK":
                    self.health = json.loads(rest.partition("CMD ")[2])
                case "USER" | "VOLUME" | "EXPOSE":
                    pass  # Of these there is nothing in a folder.
                case _:
                    raise NotImplementedError(step)

    def _begin(self, base: str, name: str = "") -> None:
        """Begin a stage on another one; one on an image from elsewhere begins with nothing."""
        if self._name:
            self.root.rename(self._folder / self._name)
        self._name, self.environment = name, dict(self._machine)
        if (self._folder / base).is_dir():
            shutil.copytree(self._folder / base, self.root, symlinks=True)
        else:
            self.root.mkdir()

    def _inside(self, path: str) -> Path:
        return self.root / path.lstrip("/") if path.startswith("/") else self.home / path

    def _copy(self, stage: str, *paths: str) -> None:
        target = self._inside(paths[-1])
        for path in paths[:-1]:
            source = (self._folder / stage if stage else self._context) / path.lstrip("/")
            if source.is_dir():
                shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
            else:
                target.mkdir(exist_ok=True)
                shutil.copy2(source, target)

    def _run(self, command: str) -> None:
        parts = [part for part in command.split(" && ") if not OF_THE_MACHINE.match(part)]
        own = FOLDERS.sub(f"{self.root}/", OF_USERS.sub("", " && ".join(parts)))
        subprocess.run(["sh", "-c", own], cwd=self.home, env=self.environment, check=True)

    def _set(self, variables: dict[str, str]) -> None:
        for name, value in variables.items():
            inside = FOLDERS.sub(f"{self.root}/", value)
            self.environment[name] = inside.replace("$PATH", self.environment["PATH"])


def outside_of_make() -> dict[str, str]:
    """Return the environment without what `make` says to those that it runs."""
    return {name: value for name, value in os.environ.items() if "MAKE" not in name}


def serve_twice(image: Image, folder: Path) -> dict[str, object]:
    """Serve what an image holds, and once more; return what became of a table opened before."""
    server = Server(folder, **image.environment)
    server.command, server.home = image.command, image.home
    server.start()
    link, _ = new_table(server.port)
    server.stop()
    server.start()
    check = subprocess.run(image.health, cwd=image.home, env=server.environment(), check=False)
    found: dict[str, object] = {
        "the table, as a page": send(server.port, "GET", f"/t/{link}").status,
        "the table, as a program": send(server.port, "GET", f"/api/tables/{link}").status,
        "the bundle": send(server.port, "GET", f"/offline/{LISTING}").status,
        "the health check": check.returncode,
    }
    server.stop()
    return found


def main() -> int:
    """Build, serve and print; exit status 1 when a promise was broken."""
    figures = Figures("the Dockerfile, carried out in a folder")
    with tempfile.TemporaryDirectory() as name:
        image = Image(Path(name), outside_of_make())
        image.build((ROOT / "Dockerfile").read_text())
        for what, value in serve_twice(image, Path(name)).items():
            figures.add(what, value, kept=value == (0 if what == "the health check" else 200))
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
