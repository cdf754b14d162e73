"""`score --json`: one line of JSON for each game, exactly in the documented format."""

import json
from pathlib import Path

import pytest

from tests.cli.games import Run, Write, game_of

EVENING = Path(__file__).parents[1] / "golden" / "evening-of-huvudregler-for-four.json"


def test_every_game_is_one_line(run: Run, write: Write) -> None:
    """Several files give as many lines, in the given order."""
    first = write("Bo trick", file="a.json", rules={"scored_exchanges": []})
    second = write(file="b.json", players=["Eva", "Finn"])
    lines = run("score", "--json", second, first, second).stdout.splitlines()
    assert [list(json.loads(line)["scores"]) for line in lines] == [
        ["Eva", "Finn"],
        ["Anna", "Bo", "Cilla"],
        ["Eva", "Finn"],
    ]


def test_the_line_is_plain_python_json(run: Run) -> None:
    """Keys have the order of the format, names are unescaped, and nothing is added."""
    golden = json.loads(EVENING.read_text("utf-8"))
    outcome = run("score", "--json", "-", stdin=json.dumps(golden["game"]))
    assert outcome.stdout == json.dumps(golden["result"], ensure_ascii=False) + "\n"
    assert "Å" in outcome.stdout
    assert (outcome.exit_code, outcome.stderr) == (0, "")


def test_standard_input_holds_a_game_on_each_line(run: Run) -> None:
    """Blank lines are skipped; a line that is not JSON is a game of its own."""
    game = json.dumps(game_of())
    outcome = run("score", "--json", "-", stdin=f"\n{game}\n  \r\nnot json\n{game}")
    results = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [result.get("status") for result in results] == ["playing", None, "playing"]
    assert results[1]["error"]["code"] == "bad_file"
    assert results[1]["error"]["event"] is None
    assert outcome.exit_code == 1


def test_standard_input_without_a_game_says_nothing(run: Run) -> None:
    """No game gives no line and no error."""
    outcome = run("score", "--json", "-", stdin="\n\n")
    assert (outcome.exit_code, outcome.output) == (0, "")


@pytest.mark.parametrize("lang", ["sv", "en"])
def test_the_message_is_english_whatever_the_language(run: Run, write: Write, lang: str) -> None:
    """Programs read one language."""
    path = write("no hands, Bo chicago")
    outcome = run("score", "--json", "--lang", lang, path, LANG="sv_SE.UTF-8")
    error = json.loads(outcome.stdout)["error"]
    assert error == {
        "event": 2,
        "code": "not_allowed",
        "message": "Bo may not bid Chicago: 0 points, 15 needed.",
    }
