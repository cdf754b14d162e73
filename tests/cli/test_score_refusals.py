"""`score` on bad games and files: an exit status and a sentence, never a traceback."""

import json
from pathlib import Path

import pytest

from tests.cli.games import Run, Write, game_of

OPENING = b'{"format": "chicago-game/1", "players": ["A", "B"], "events": '


BROKEN = {
    "empty": b"",
    "a null byte after the game": json.dumps(game_of()).encode() + b"\x00",
    "half a surrogate pair": OPENING.replace(b'"A"', rb'"A\ud83d"') + b"[]}",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a list": b"[]",
    "a number too long": b"9" * 10_000,
    "a number too large": b"1e999",
    "opened too often": b"[" * 100_000,
}


def test_bytes_that_are_no_game_are_a_bad_file(run: Run, tmp_path: Path) -> None:
    """Any bytes give a line of JSON, or a sentence that names the file; the exit status is 1."""
    paths = [tmp_path / f"{name}.json" for name in BROKEN]
    for path, data in zip(paths, BROKEN.values(), strict=True):
        path.write_bytes(data)
    outcome = run("score", "--json", *map(str, paths))
    codes = [json.loads(line)["error"]["code"] for line in outcome.stdout.splitlines()]
    assert codes == ["bad_file"] * len(BROKEN)
    assert (outcome.exit_code, outcome.stderr) == (1, "")
    outcome = run("score", *map(str, paths))
    sentences = outcome.stderr.splitlines()
    assert all(map(str.startswith, sentences, [f"{path}: " for path in paths]))
    assert len(sentences) == len(BROKEN)
    assert outcome.exit_code == 1


def test_a_score_of_hundreds_of_digits_is_written_in_full(run: Run, write: Write) -> None:
    """A sum that can be computed is written, for programs and for people."""
    points = "9" * 900
    path = write(f"Bo {points}, Bo {points}", rules={"negative_scores": True})
    outcome = run("score", "--json", path)
    assert outcome.exit_code == 0
    assert '"Bo": 1' + "9" * 899 + "8" in outcome.stdout
    assert run("score", path).exit_code == 0


@pytest.mark.parametrize("digits", [1000, 4300, 5000])
def test_points_too_long_to_add_up_are_refused(digits: int, run: Run, write: Write) -> None:
    """Points of a thousand digits are a bad file, in one sentence."""
    path = write("Bo 12321")
    text = Path(path).read_text(encoding="utf-8").replace("12321", "9" * digits)
    Path(path).write_text(text, encoding="utf-8")
    outcome = run("score", "--json", path)
    assert (outcome.exit_code, json.loads(outcome.stdout)["error"]["code"]) == (1, "bad_file")
    assert run("score", path).exit_code == 1


@pytest.mark.parametrize("path", ["missing.json", ".", "/proc/self/mem"])
def test_a_file_that_cannot_be_read_is_named(path: str, run: Run) -> None:
    """The exit status is 2 for a missing file, a folder and an unreadable file."""
    outcome = run("score", "--json", path)
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    assert outcome.stderr.startswith(f"{path} cannot be read: ")


def test_a_file_without_permission_is_named(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is that of the system; root can read all files, hence the stand-in."""

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    path = write()
    monkeypatch.setattr(Path, "read_bytes", refuse)
    outcome = run("score", path)
    assert outcome.exit_code == 2
    assert outcome.stderr == f"{path} cannot be read: Permission denied.\n"


def test_the_other_files_are_scored_all_the_same(run: Run, write: Write) -> None:
    """An unreadable file outranks a bad game in the exit status, and neither stops the rest."""
    outcome = run("score", "--json", "missing.json", write("Bo trick"), write(file="b.json"))
    assert [json.loads(line).get("status") for line in outcome.stdout.splitlines()] == [
        None,
        "playing",
    ]
    assert outcome.exit_code == 2


@pytest.mark.parametrize("args", [[], ["--json"], ["--nonsense", "-"], ["--lang", "de", "-"]])
def test_wrong_use_is_status_2(args: list[str], run: Run) -> None:
    """No file, an unknown option and an unknown language are wrong use."""
    outcome = run("score", *args)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert "Usage:" in outcome.stderr


def test_people_are_told_which_event_is_refused(run: Run, write: Write) -> None:
    """The game is printed up to the event; the error has its number, from one, and the reason."""
    path = write("Anna 14, no hands, Anna chicago, Bo trick")
    outcome = run("score", path)
    assert "+14 → 14" in outcome.stdout
    assert "Exchange 3, then play" in outcome.stdout
    assert outcome.stderr == (
        f"{path}: event number 4 (Anna bids Chicago):"
        " Anna may not bid Chicago: 14 points, 15 needed.\n"
    )


def test_people_are_told_which_line_is_bad(run: Run) -> None:
    """A game on standard input is named by its line, with blank lines counted."""
    outcome = run("score", "-", stdin="\nnonsense\n")
    assert outcome.stderr == "standard input, line 2: This is not JSON.\n"


def test_a_name_from_a_file_cannot_steer_the_terminal(run: Run, write: Write) -> None:
    """Control characters are escaped, not sent to the terminal."""
    outcome = run("score", write(**{"\x1b[31mred": 1}))
    assert "\x1b" not in outcome.stderr
    assert "red" in outcome.stderr
