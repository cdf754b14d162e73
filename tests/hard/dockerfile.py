"""The Dockerfile carried out without Docker: a folder stands in for the image.

    python -m tests.hard.dockerfile

From what git has, with pip and the offline bundle; what comes out serves, and keeps a table. Exit
status 1 where a promise was broken.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from app.web.pwa import LISTING
from tests.api.network import new_table, send
from tests.browser.serving import Server
from tests.checkout import ROOT, clone, files
from tests.hard.figures import Figures

# What the shell is told first: a stage is made in the folder `root`, as an environment of Python
# knows its place, and put aside when the next one begins, which may be on it.
FIRST = """set -e
begin() {
    cd "$TOP"; [ ! -d root ] || mv root "$stage"; stage=$2
    mkdir -p "$1"; cp -a "$1" root; cd root/opt/chicago || true
}
copy() {
    from=$TOP/$1; shift; for to; do :; done; mkdir -p "$to"
    while [ $# -gt 1 ]; do
        cp -a "$from/$1/." "$to" 2>/dev/null || cp -a "$from/$1" "$to"; shift
    done
}"""
# What of a step is about the machine: its packages and users, which need another one or root.
OF_THE_MACHINE = re.compile(r"(?:apt-get|useradd)\b|.*/apt/")
OF_USERS = re.compile(r" -[og] chicago\b")


def read_steps(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile, each with what stands after it."""
    joined = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.partition(" ") for line in joined.splitlines() if line.strip()]
    return [(step, rest.strip()) for step, _, rest in lines]


STEPS = read_steps((ROOT / "Dockerfile").read_text("utf-8"))
# The arguments of each instruction, as the last one of its kind has them.
LAST = dict(STEPS)
HEALTH = json.loads(LAST["HEALTHCHECK"].partition("CMD ")[2])
# What is answered then, and how the health check ends.
SERVED = {"page": 200, "call": 200, "bundle": 200, "health": 0}


def to_shell(step: str, rest: str) -> str:
    """Write an instruction for a shell; users, volumes and ports there are none in a folder."""
    options = re.match(r"(?:--(?:from=)?(\S+) +)?(.*)", rest)
    assert options
    stage, plain = options.groups("context")
    inside = re.sub(r"/(?=(?:opt/chicago|data)\b)", "$TOP/root/", plain)
    parts = [part for part in inside.split(" && ") if not OF_THE_MACHINE.match(part)]
    return {
        "FROM": f"begin {plain.replace(' AS ', ' ')}",
        "WORKDIR": f"mkdir -p {inside} && cd {inside}",
        "COPY": f"copy {stage} {plain}",
        "RUN": f"({OF_USERS.sub('', ' && '.join(parts)) or ':'})",
        "ARG": f"export {plain} $ARGUMENTS",
        "ENV": f"export {inside}",
    }.get(step, ":")


def build(folder: Path, arguments: str = "", **environment: str) -> dict[str, str]:
    """Carry out the Dockerfile, and return the environment of what it makes.

    Raises CalledProcessError for a command that fails.
    """
    let_in = re.findall(r"(?m)^!(.*)", (ROOT / ".dockerignore").read_text("utf-8"))
    paths = {path for name in let_in for path in ROOT.glob(name)}
    clone(folder / "context", [path for path in files() if paths & {path, *path.parents}])
    (folder / "bin").mkdir()
    # The Python of these tests, and none of its packages.
    (folder / "bin" / "python3").symlink_to(Path(sys.executable).resolve())
    told = {"TOP": f"{folder}", "ARGUMENTS": arguments, "PATH": f"{folder}/bin:{os.defpath}"}
    script = "\n".join([FIRST, *(to_shell(*step) for step in STEPS), "env -0 >$TOP/environment"])
    subprocess.run(
        ["sh", "-c", script], env={**outside_of_make(), **told, **environment}, check=True
    )
    said = (folder / "environment").read_text("utf-8").split("\0")
    return dict(line.split("=", 1) for line in said if line)


def outside_of_make() -> dict[str, str]:
    """Return the environment without what `make` says to those that it runs."""
    return {name: value for name, value in os.environ.items() if "MAKE" not in name}


def serve_twice(folder: Path, **environment: str) -> dict[str, object]:
    """Serve what was built, and once more; return what became of a table opened before."""
    server = Server(folder, **environment)
    server.command, server.home = json.loads(LAST["CMD"]), folder / "root" / "opt" / "chicago"
    server.start()
    link, _ = new_table(server.port)
    server.stop()
    server.start()
    check = subprocess.run(HEALTH, cwd=server.home, env=server.environment(), check=False)
    paths = {"page": f"/t/{link}", "call": f"/api/tables/{link}", "bundle": f"/offline/{LISTING}"}
    found = {name: send(server.port, "GET", path).status for name, path in paths.items()}
    server.stop()
    return {**found, "health": check.returncode}


def main() -> int:
    """Build, serve and print; exit status 1 when a promise was broken."""
    figures = Figures("the Dockerfile, carried out in a folder")
    with tempfile.TemporaryDirectory() as name:
        found = serve_twice(Path(name), **build(Path(name)))
    figures.add("a table, after another start", found, kept=found == SERVED)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
