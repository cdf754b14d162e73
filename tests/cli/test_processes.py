"""The commands as processes: real streams, locales and broken pipes."""

import json
import os
import subprocess
from pathlib import Path

from tests.cli.games import COMMAND, ROOT, Write, game_of, start

SCORED = b'{"format": "chicago-result/1", "status": "playing"'


def finish(process: subprocess.Popen[bytes], sent: bytes = b"") -> tuple[int, bytes, bytes]:
    """Send the rest of the input, and return exit status, output and errors."""
    out, err = process.communicate(sent)
    return process.returncode, out, err


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    """A program may use the command game by game."""
    process = start("score", "--json", "-")
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(3):
        process.stdin.write(json.dumps(game_of()).encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(SCORED)
    assert finish(process) == (0, b"", b"")


def test_a_reader_who_has_seen_enough_ends_it_quietly() -> None:
    """A closed pipe is no error, and is not reported."""
    process = start("score", "--json", "-")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, _, err = finish(process, (json.dumps(game_of()).encode() + b"\n") * 2000)
    assert err == b""


def test_output_is_utf_8_whatever_the_locale(write: Write, tmp_path: Path) -> None:
    """The protocol and the errors are UTF-8; the name of a file may have any bytes."""
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    good = write("Åsa 5", players=["Åsa", "山田"])
    bad = os.fsencode(tmp_path) + "/Å".encode() + b"\xff.json"
    Path(os.fsdecode(bad)).write_bytes(b"{")
    process = start("score", "--lang", "sv", good, os.fsdecode(bad), **locale)
    _, out, err = finish(process)
    assert "Åsa" in out.decode("utf-8")
    assert "山田" in out.decode("utf-8")
    assert "/Å\N{REPLACEMENT CHARACTER}.json: " in err.decode("utf-8")
    assert " är " in err.decode("utf-8")


def test_a_closed_standard_input_cannot_be_read() -> None:
    """The error is that of any unreadable file, with exit status 2."""
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "score", "--lang", "en", "-"]
    ended = subprocess.run(shell, cwd=ROOT, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.startswith(b"- cannot be read: ")
