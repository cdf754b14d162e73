"""The commands as processes: streams, locales, broken pipes and colours as they really are."""

import json
import os
import pty
import subprocess
from pathlib import Path

from tests.cli.games import (
    COMMAND,
    ROOT,
    Write,
    best,
    correct,
    game_of,
    start,
)

SCORED = b'{"format": "chicago-result/1", "status": "playing"'


def finish(process: subprocess.Popen[bytes], sent: bytes = b"") -> tuple[int, bytes, bytes]:
    """Send the rest, and wait for exit status, output and errors."""
    out, err = process.communicate(sent)
    return process.returncode, out, err


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    """A program may talk to the command game by game."""
    process = start("score", "--json", "-")
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(3):
        process.stdin.write(json.dumps(game_of()).encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(SCORED)
    assert finish(process) == (0, b"", b"")


def test_a_reader_who_has_seen_enough_ends_it_quietly() -> None:
    """A closed pipe is no error to tell anybody about."""
    process = start("score", "--json", "-")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, _, err = finish(process, (json.dumps(game_of()).encode() + b"\n") * 2000)
    assert err == b""


def test_output_is_utf_8_whatever_the_locale(write: Write, tmp_path: Path) -> None:
    """The protocol, and the sentence on standard error; the name of a file may be any bytes."""
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    good = write(correct("Åsa", 5), players=["Åsa", "山田"])
    bad = os.fsencode(tmp_path) + "/Å".encode() + b"\xff.json"
    Path(os.fsdecode(bad)).write_bytes(b"{")
    process = start("score", "--lang", "sv", good, os.fsdecode(bad), **locale)
    _, out, err = finish(process)
    assert "Åsa" in out.decode("utf-8")
    assert "山田" in out.decode("utf-8")
    assert "/Å\N{REPLACEMENT CHARACTER}.json: " in err.decode("utf-8")
    assert " är " in err.decode("utf-8")


def test_a_closed_standard_input_cannot_be_read() -> None:
    """It is said as of any file, with exit status 2."""
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "score", "--lang", "en", "-"]
    ended = subprocess.run(shell, cwd=ROOT, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.startswith(b"- cannot be read: ")


def in_a_terminal(*args: str, **env: str) -> bytes:
    """Run a command in a terminal and return what it wrote there."""
    ours, theirs = pty.openpty()
    inherited = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [*COMMAND, *args],
        cwd=ROOT,
        env={**inherited, "TERM": "xterm-256color", **env},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.STDOUT,
    )
    os.close(theirs)
    output = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        try:
            while chunk := terminal.read(65536):
                output += chunk
        except OSError:  # how Linux says that the other end of a terminal was closed
            pass
    assert process.wait() == 0
    return output


def test_a_terminal_gets_colours(write: Write) -> None:
    """Gains are green and heads are bold."""
    output = in_a_terminal("score", write(best("Bo", "pair")))
    assert b"\x1b[32m" in output
    assert b"\x1b[1m" in output
