"""`settle`: the balances of an evening, and the payments."""

import json

import pytest

from tests.cli.games import Run, Write, game_of


@pytest.fixture
def evening(write: Write) -> list[str]:
    """Return two games: Bo wins 3 kr of Anna and of Cilla, then Anna 2 kr of Bo."""
    first = write("Bo 3, settled", file="first.json")
    second = write("Anna 2, settled", file="second.json", players=["Anna", "Bo"])
    return [first, second]


def test_payouts_add_up_by_name(run: Run, evening: list[str]) -> None:
    """Balances are in öre, in order of first appearance; the payments are as few as possible."""
    outcome = run("settle", "--json", *evening)
    assert json.loads(outcome.stdout) == {
        "format": "chicago-settlement/1",
        "balance_ore": {"Anna": -100, "Bo": 400, "Cilla": -300},
        "transfers": [
            {"from": "Cilla", "to": "Bo", "ore": 300},
            {"from": "Anna", "to": "Bo", "ore": 100},
        ],
    }
    assert list(json.loads(outcome.stdout)) == ["format", "balance_ore", "transfers"]
    assert (outcome.exit_code, outcome.stderr) == (0, "")


def test_people_read_balances_and_payments(run: Run, evening: list[str]) -> None:
    """Everybody has a balance, and each payment a sentence."""
    assert run("settle", *evening).stdout.splitlines() == [
        "After 2 games",
        "Anna · −1\N{NO-BREAK SPACE}kr",
        "Bo · +4\N{NO-BREAK SPACE}kr",
        "Cilla · −3\N{NO-BREAK SPACE}kr",
        "",
        "Cilla pays Bo 3\N{NO-BREAK SPACE}kr",
        "Anna pays Bo 1\N{NO-BREAK SPACE}kr",
    ]


def test_standard_input_is_an_evening_too(run: Run) -> None:
    """It has a game on each line; blank lines are skipped."""
    game = json.dumps(game_of("Bo 3, settled"))
    outcome = run("settle", "--json", "-", stdin=f"{game}\n\n{game}\n")
    assert json.loads(outcome.stdout)["balance_ore"] == {"Anna": -600, "Bo": 1200, "Cilla": -600}


def test_a_void_game_costs_nobody(run: Run, write: Write) -> None:
    """It leaves nothing to pay, which is no error."""
    path = write("Bo 3, void")
    assert json.loads(run("settle", "--json", path).stdout)["transfers"] == []
    assert run("settle", path).stdout.endswith("Nobody owes anybody anything.\n")


def test_no_games_settle_to_nothing(run: Run) -> None:
    """An empty evening is no error."""
    outcome = run("settle", "--json", "-")
    assert json.loads(outcome.stdout)["balance_ore"] == {}
    assert outcome.exit_code == 0
    assert run("settle", "-").exit_code == 0


def test_a_game_still_playing_is_named(run: Run, evening: list[str], write: Write) -> None:
    """The error has the number of the game and its file."""
    playing = write("Bo 3", file="third.json")
    outcome = run("settle", "--json", *evening, playing, "missing.json")
    assert json.loads(outcome.stdout) == {
        "format": "chicago-settlement/1",
        "error": {
            "game": 2,
            "code": "not_allowed",
            "message": f"{playing}: The game is still being played.",
        },
    }
    assert outcome.exit_code == 1


def test_a_bad_game_is_named(run: Run, evening: list[str], write: Write) -> None:
    """A game that cannot be scored stops the settlement."""
    bad = write("Bo 3, Bo 0", file="bad.json")
    outcome = run("settle", "--json", evening[0], bad)
    error = json.loads(outcome.stdout)["error"]
    assert (error["game"], error["code"]) == (1, "bad_file")
    message = f"{bad}: event number 2: A correction of 0 points changes nothing."
    assert error["message"] == message
    assert run("settle", evening[0], bad).stderr == message + "\n"
    assert outcome.exit_code == 1


def test_a_file_that_cannot_be_read_is_status_2(run: Run, evening: list[str]) -> None:
    """Without the file nothing is settled."""
    outcome = run("settle", "--json", *evening, "missing.json")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("missing.json cannot be read")
