"""`score --json`: one line of JSON for each game, exactly as the format says."""

import json
from pathlib import Path

import pytest

from tests.cli.games import Run, Write, best, bid, game_of, nobody, trick

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))


def keys_in_order(value: object) -> object:
    """Turn objects into lists of pairs, so that comparing them compares the order too."""
    if isinstance(value, dict):
        return [(key, keys_in_order(item)) for key, item in value.items()]
    return [keys_in_order(item) for item in value] if isinstance(value, list) else value


def test_golden_games_score_as_written_down(run: Run) -> None:
    """The command gives what was worked out by hand, keys in the order of the format."""
    golden = [json.loads(path.read_text("utf-8")) for path in GOLDEN]
    games = "\n".join(json.dumps(case["game"]) for case in golden)
    outcome = run("score", "--json", "-", stdin=games)
    for path, line, case in zip(GOLDEN, outcome.stdout.splitlines(), golden, strict=True):
        data, expected = json.loads(line), case["result"]
        if "error" in expected:
            expected["error"]["message"] = data["error"]["message"]
            assert data["error"]["message"]
        assert keys_in_order(data) == keys_in_order(expected), path.stem
    assert outcome.exit_code == 1


def test_every_game_is_one_line(run: Run, write: Write) -> None:
    """Several files give as many lines, in the order asked for."""
    first = write(trick("Bo"), file="a.json", rules={"scored_exchanges": []})
    second = write(file="b.json", players=["Eva", "Finn"])
    lines = run("score", "--json", second, first, second).stdout.splitlines()
    assert [list(json.loads(line)["scores"]) for line in lines] == [
        ["Eva", "Finn"],
        ["Anna", "Bo", "Cilla"],
        ["Eva", "Finn"],
    ]


def test_the_line_is_plain_python_json(run: Run, write: Write) -> None:
    """Names are data as they are, with the usual separators and nothing around."""
    outcome = run("score", "--json", write(best("Åsa", "pair"), players=["Åsa", "山田"]))
    line = outcome.stdout_bytes.decode("utf-8")
    assert line == json.dumps(json.loads(line), ensure_ascii=False) + "\n"
    assert '"scores": {"Åsa": 1, "山田": 0}' in line
    assert outcome.stderr == ""


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
    """No games, no lines, no error."""
    outcome = run("score", "--json", "-", stdin="\n\n")
    assert (outcome.exit_code, outcome.output) == (0, "")


@pytest.mark.parametrize("lang", ["sv", "en"])
def test_the_message_is_english_whatever_the_language(run: Run, write: Write, lang: str) -> None:
    """Programs read one language."""
    path = write(nobody(), nobody(), bid("Bo"))
    outcome = run("score", "--json", "--lang", lang, path, LANG="sv_SE.UTF-8")
    error = json.loads(outcome.stdout)["error"]
    assert error == {
        "event": 2,
        "code": "not_allowed",
        "message": "Bo may not bid Chicago: 0 points, 15 needed.",
    }
