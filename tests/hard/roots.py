"""Folders with a Debian in them (debootstrap), in which commands run as on a machine of its own."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "debian"
CERTIFICATES = "/etc/outside.pem"
# As the images of Debian have it, which the Dockerfile reads.
SOURCES = """Types: deb
URIs: {mirror}
Suites: {suite} {suite}-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.{ending}

Types: deb
URIs: {mirror}-security
Suites: {suite}-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.{ending}
"""


class Failed(Exception):
    """A command in a folder ended with another status than 0; the text has its last lines."""


@dataclass
class Debian:
    """A folder with a Debian, and what its commands are told."""

    path: Path
    user: str = "0:0"
    cwd: str = "/"
    variables: dict[str, str] = field(default_factory=dict)
    # Folders of this machine that it sees as its own, by where it sees them.
    mounts: dict[str, Path] = field(default_factory=dict)
    read_only: bool = False

    def command(self, words: Sequence[str]) -> list[str]:
        """Return what runs a command in it: with mounts of its own, and as its process number 1."""
        root = shlex.quote(str(self.path))
        steps = [f"mount --bind {root} {root}", f"cd {root}"]
        steps += ["mount -o remount,bind,ro ."] if self.read_only else []
        steps += [f"mount -t tmpfs tmpfs ./{name}" for name in ("tmp", "dev/shm")]
        for inside, outside in self.mounts.items():
            steps.append(f"mount --bind {shlex.quote(str(outside))} ./{inside}")
        steps.append("mount -t proc proc ./proc")
        variables = " ".join(shlex.quote(f"{n}={v}") for n, v in self._environment().items())
        inner = f"cd {shlex.quote(self.cwd)} && exec {shlex.join(words)}"
        chroot = f"exec chroot --userspec={self.user} . /usr/bin/env -i {variables} /bin/sh -c"
        script = " && ".join([*steps, f"{chroot} {shlex.quote(inner)}"])
        return [*shlex.split("unshare --mount --pid --fork --kill-child"), "sh", "-ec", script]

    def _environment(self) -> dict[str, str]:
        certificates = {
            name: CERTIFICATES for name, value in os.environ.items() if value.endswith(".crt")
        }
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        default = {"PATH": path, "HOME": "/tmp", "DEBIAN_FRONTEND": "noninteractive"}
        return {**default, **certificates, **self.variables}

    def run(self, *words: str) -> str:
        """Run a command to its end; returns what it prints. Raises Failed."""
        done = subprocess.run(
            self.command(words), capture_output=True, check=False, text=True, errors="replace"
        )
        if done.returncode:
            last = "\n".join((done.stdout + done.stderr).splitlines()[-25:])
            raise Failed(f"{shlex.join(words)} ended with status {done.returncode}:\n{last}")
        return done.stdout

    def copy(self, path: Path) -> Debian:
        """Return the same Debian in another folder, which is made anew."""
        remove(path)
        subprocess.run(["cp", "-a", "--reflink=auto", self.path, path], check=True)
        return Debian(path, self.user, self.cwd, dict(self.variables), dict(self.mounts))


def remove(path: Path) -> None:
    """Remove a folder, unless something is mounted in it."""
    mounted = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    inside = [place for place in mounted if place.startswith(f"{path}/")]
    if inside:
        raise Failed(f"{inside[0]} is still mounted.")
    shutil.rmtree(path, ignore_errors=True)


def bootstrap(suite: str, architecture: str, mirror: str) -> Debian:
    """Return a bare Debian of that suite, fetched at the first time. Raises Failed.

    Another architecture than this machine's needs its emulator registered with binfmt_misc: QEMU
    10, of Debian 13; QEMU 7, of Debian 12, ends in the middle of the server's start.
    """
    path = FOLDER / f"{suite}-{architecture}"
    bare = Debian(path)
    if not (path / "done").exists():
        remove(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        command = ["debootstrap", "--foreign", "--variant=minbase", f"--arch={architecture}"]
        subprocess.run([*command, suite, path, mirror], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(
            ["chroot", path, "/debootstrap/debootstrap", "--second-stage"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (path / "done").touch()
    settle(bare, suite, mirror)
    return bare


def settle(debian: Debian, suite: str, mirror: str) -> None:
    """Let it reach what this machine reaches, and fetch packages as Debian's images do."""
    apt = debian.path / "etc" / "apt"
    (apt / "sources.list").unlink(missing_ok=True)
    ending = "gpg" if suite == "bookworm" else "pgp"
    sources = SOURCES.format(mirror=mirror, suite=suite, ending=ending)
    (apt / "sources.list.d" / "debian.sources").write_text(sources)
    # A mirror that was made some weeks ago says that it has expired.
    (apt / "apt.conf.d" / "mirror").write_text('Acquire::Check-Valid-Until "no";\n')
    shutil.copy("/etc/resolv.conf", debian.path / "etc" / "resolv.conf")
    trusted = next((v for v in os.environ.values() if v.endswith(".crt") and Path(v).exists()), "")
    if trusted:
        shutil.copy(trusted, debian.path / CERTIFICATES.lstrip("/"))


def take_sources(into: Path) -> None:
    """Copy what git keeps, or would, into a folder: a fresh clone, with what is not committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, into / name)


def merged(variables: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Return variables and more of them, in which $PATH stands for the one before."""
    path = variables.get("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
    return {**variables, **{name: value.replace("$PATH", path) for name, value in more.items()}}
