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
    break_off,
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


def test_output_is_utf_8_whatever_the_locale(write: Write) -> None:
    """The protocol, and the sentence on standard error."""
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    path = write(correct("Åsa", 5), correct("Åsa", 0, note=""), players=["Åsa", "山田"])
    good = write(correct("Åsa", 5), file="good.json", players=["Åsa", "山田"])
    _, out, err = finish(start("score", good, path, **locale))
    assert "Åsa" in out.decode("utf-8")
    assert "山田" in out.decode("utf-8")
    assert err.decode("utf-8").startswith(path)


def test_a_closed_standard_input_cannot_be_read() -> None:
    """It is said as of any file, with exit status 2."""
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "score", "--lang", "en", "-"]
    ended = subprocess.run(shell, cwd=ROOT, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.startswith(b"- cannot be read: ")


def test_a_file_name_may_be_any_bytes(tmp_path: Path) -> None:
    """A name that is not UTF-8 is scored, and shown as well as can be when it is bad."""
    path = os.fsencode(tmp_path) + b"/\xff.json"
    Path(os.fsdecode(path)).write_bytes(b"{")
    status, out, err = finish(start("score", "--lang", "en", os.fsdecode(path)))
    assert (status, out) == (1, b"")
    assert err.endswith(b".json: This is not JSON.\n")


def test_settling_works_as_a_process(write: Write) -> None:
    """The command line of the documentation works as it stands."""
    status, out, err = finish(start("settle", "--json", write(correct("Bo", 1), break_off())))
    assert (status, json.loads(out)["balance_ore"]["Bo"], err) == (0, 200, b"")


def test_comparing_works_as_a_process() -> None:
    """As settling does."""
    status, out, _ = finish(start("compare", "--json", "Bo: 2h 2d 3c 4s 6s"))
    assert (status, json.loads(out)["best"]) == (0, "Bo")


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
