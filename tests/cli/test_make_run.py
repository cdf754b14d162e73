"""`make run`: it serves at once, and builds the bundle in the background until the server ends."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.games import ROOT

SERVER = "#!/bin/sh\necho serving\nexec sleep infinity\n"
# The build reports its start through a FIFO, which blocks until somebody reads it.
BUILD = '#!/bin/sh\necho "$@" > {begun}\n{then}\n'


class Run:
    """`make run` with stand-ins for the server and the build, and no up-to-date bundle."""

    def __init__(self, folder: Path, then: str, **variables: str) -> None:
        self.begun = folder / "begun"
        os.mkfifo(self.begun)
        build = BUILD.format(begun=self.begun, then=then)
        for name, script in (("gunicorn", SERVER), ("python", build)):
            (folder / name).write_text(script)
            (folder / name).chmod(0o755)
        for stamp in ("runtime.stamp", "kit.stamp"):
            (folder / stamp).touch()
        here = os.path.relpath(folder, ROOT)
        chosen = {"VENV": here, "BIN": here, "KIT_LIST": f"{here}/kit.json", **variables}
        chosen["KIT_LOG"] = f"{folder}/log"
        self.process = subprocess.Popen(
            ["make", "run", *(f"{name}={value}" for name, value in chosen.items())],
            cwd=ROOT,
            # The test may itself be a part of `make test`.
            env={key: value for key, value in os.environ.items() if "MAKE" not in key},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def read_until(self, *ends: str) -> list[str]:
        """Read lines until all of these have come, in any order."""
        assert self.process.stdout
        missing, lines = {*ends}, []
        for line in self.process.stdout:
            lines.append(line.strip())
            missing -= {line.strip()}
            if not missing:
                return lines
        raise AssertionError(lines)

    def interrupt(self) -> str:
        """End the run as Ctrl-C does; return the rest of the output of all processes."""
        # A background job of a shell ignores the interrupt itself.
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        return self.process.communicate()[0]


def test_a_build_that_is_not_done_ends_with_the_server(tmp_path: Path) -> None:
    """The server does not wait for it, and Ctrl-C leaves nothing behind."""
    run = Run(tmp_path, then="exec sleep infinity")
    assert any("KIT=no" in line for line in run.read_until("serving"))
    assert run.begun.read_text() == "-m app.offline.build\n"
    assert "take the score keeper along" not in run.interrupt()


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("true", "Offline bundle ready."),
        ("false", "No offline bundle: {folder}/log says why."),
    ],
)
def test_a_line_says_how_the_build_ended(tmp_path: Path, then: str, told: str) -> None:
    """The server goes on after the build."""
    run = Run(tmp_path, then)
    run.begun.read_text()
    run.read_until("serving", told.format(folder=tmp_path))
    assert run.process.poll() is None
    run.interrupt()


def test_without_a_bundle_nothing_is_built_or_said(tmp_path: Path) -> None:
    """`KIT=no` asks for that."""
    run = Run(tmp_path, then="true", KIT="no")
    assert run.read_until("serving") == ["serving"]
    assert run.interrupt() == ""
