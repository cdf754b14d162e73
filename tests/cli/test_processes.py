"""The commands as processes: real streams, locales and broken pipes."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.checkout import ROOT
from tests.test_documents import ENGLISH

COMMAND = [sys.executable, "-m", "flask", "--app", "app", "score"]
GAME = json.dumps(json.loads((ROOT / "docs" / "example.json").read_text("utf-8"))).encode() + b"\n"
SCORED = b'{"format": "chicago-result/1", "status": "playing"'


def start(*args: str | bytes, **env: str) -> subprocess.Popen[bytes]:
    """Start the command in a process of its own."""
    environment, pipe = os.environ | ENGLISH | env, subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, *args], cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe
    )


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    """A program may use the command game by game."""
    process = start("--json", "-")
    assert process.stdin
    assert process.stdout
    for _ in range(3):
        process.stdin.write(GAME)
        process.stdin.flush()
        assert process.stdout.readline().startswith(SCORED)
    assert (*process.communicate(), process.returncode) == (b"", b"", 0)


def test_a_reader_who_has_seen_enough_ends_it_quietly() -> None:
    """A closed pipe is no error, and is not reported."""
    process = start("--json", "-")
    assert process.stdout
    process.stdout.close()
    process.stdout = None
    assert process.communicate(GAME * 2000)[1] == b""


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    """The protocol and the errors are UTF-8; the name of a file may have any bytes."""
    good, bad = tmp_path / "good.json", os.fsencode(tmp_path) + "/Å".encode() + b"\xff.json"
    good.write_text(GAME.decode().replace("Elsa", "Åsa").replace("Nils", "山田"), encoding="utf-8")
    Path(os.fsdecode(bad)).write_bytes(b"{")
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    out, err = start("--lang", "sv", str(good), bad, **locale).communicate()
    assert "Åsa, 山田 och Maja" in out.decode("utf-8")
    assert "/Å\N{REPLACEMENT CHARACTER}.json: Det där är " in err.decode("utf-8")


def test_a_closed_standard_input_cannot_be_read() -> None:
    """The error is that of any unreadable file, with exit status 2."""
    shell = ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "--lang", "en", "-"]
    ended = subprocess.run(shell, cwd=ROOT, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.startswith(b"- cannot be read: ")
