"""The score keeper in its real web process, started and stopped by the browser tests."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, TypeVar

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"
# The log has the address before the worker, and between them the addresses for people.
LISTENING = re.compile(r"(?s)Listening at: https?://.*Booting worker with pid: \d+")
UNWANTED = re.compile(r"Traceback|\bWarning:| (?:ERROR|CRITICAL) ")

Found = TypeVar("Found")


class Server:
    """The Procfile's web process with its own database file and port.

    `factory` is the application to serve, by default that of the Procfile. Before it starts, it may
    be given another `command` than that, and another folder to run it in as its `home`.
    """

    def __init__(self, folder: Path, factory: str = "", **environ: str) -> None:
        self.command = [*web_command()[:-1], factory] if factory else web_command()
        self.home = ROOT
        self.database = folder / "chicago.db"
        self.log = folder / "server.log"
        self.port = 0
        self._environ = environ
        self._process: subprocess.Popen[bytes] | None = None
        self._kept: socket.socket | None = None
        self._said, self._silent = threading.Condition(), True
        self._listener = threading.Thread()

    @property
    def url(self) -> str:
        """The address of the front page, without the last slash."""
        return f"http://{HOST}:{self.port}"

    @property
    def pid(self) -> int:
        """The id of this server's leading process."""
        return self._process.pid if self._process else 0

    def start(self) -> None:
        """Start serving, and wait for its log to say so; started again, it keeps its port."""
        if not self.port:
            self._keep_port()
        self.log.touch()
        before = len(self.log.read_text("utf-8"))
        self._process = subprocess.Popen(
            self.command,
            cwd=self.home,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert self._process.stdout
        self._silent = False
        self._listener = threading.Thread(target=self._listen, args=[self._process.stdout])
        self._listener.start()
        self.until(lambda log: LISTENING.search(log, before))

    def _keep_port(self) -> None:
        """Let the kernel choose a port that nobody else gets, also while this server is dead."""
        self._release_port()
        self._kept = socket.socket()
        # Other sockets with this option may listen there.
        self._kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._kept.bind((HOST, 0))
        self.port = self._kept.getsockname()[1]

    def _release_port(self) -> None:
        if self._kept:
            self._kept.close()

    def until(self, done: Callable[[str], Found | None]) -> Found:
        """Wait until a search in the log succeeds, and return its result; an ended server fails."""
        with self._said:
            while not (found := done(self.log.read_text("utf-8"))):
                assert not self._silent, f"The server has ended:\n{self.log.read_text('utf-8')}"
                self._said.wait()
        return found

    def stop(self, unwanted: re.Pattern[str] = UNWANTED) -> None:
        """Ask the server to end, as an operator does; it must end without errors."""
        self._release_port()
        if self._process is None:
            return
        self._process.terminate()
        status = self._end()
        log = self.log.read_text("utf-8")
        assert status == 0, f"The server ended with status {status}:\n{log}"
        assert not unwanted.search(log), f"The server complained:\n{log}"

    def kill(self) -> None:
        """End the server as by a power cut."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._end()

    def _end(self) -> int:
        assert self._process
        status = self._process.wait()
        self._listener.join()
        self._process = None
        return status

    def _listen(self, output: IO[bytes]) -> None:
        with output, self.log.open("ab") as log:
            for line in output:
                with self._said:
                    log.write(line)
                    log.flush()
                    self._said.notify_all()
        with self._said:
            self._silent = True
            self._said.notify_all()

    def environment(self) -> dict[str, str]:
        """Return the environment variables of the server."""
        return {
            **os.environ,
            "CHICAGO_DB": str(self.database),
            "CHICAGO_LIMITS": "off",
            "HOST": HOST,
            "PORT": str(self.port),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
            **self._environ,
        }


def web_command() -> list[str]:
    """Return the command of the Procfile's web process."""
    lines = (ROOT / "Procfile").read_text("utf-8").splitlines()
    return next(shlex.split(line.removeprefix("web:")) for line in lines if line.startswith("web:"))
