"""`compare`: the name of each hand, the best hand, and every mistake in one sentence."""

import json

import pytest

from tests.cli.games import Run

ANNA, BO = "Anna: Ah Ad 9c 7s 2d", "Bo: Kh Kd 9d 7c 2s"
EQUAL = "Bo: As Ac 9d 7c 2s"
FLUSHES = ("Anna: 5h 6h 7h 8h 9h", "Bo: 5s 6s 7s 8s 9s")

HIGHER = ("Anna: 2h 4h 7h 9h Jh", "Bo: 3s 5s 8s 9s Ks")


def test_hands_are_named_and_the_best_is_found(run: Run) -> None:
    """The JSON is one object with the hands in the given order; no combination is null."""
    outcome = run("compare", "--json", BO, ANNA, "Cilla: 2h 4d 6c 8s 10s")
    data = json.loads(outcome.stdout)
    assert data == {
        "format": "chicago-compare/1",
        "hands": {"Bo": "pair", "Anna": "pair", "Cilla": None},
        "best": "Anna",
    }
    assert list(data["hands"]) == ["Bo", "Anna", "Cilla"]
    assert (outcome.exit_code, outcome.stderr) == (0, "")


@pytest.mark.parametrize(
    ("options", "hands", "winner"),
    [
        ([], (ANNA, EQUAL), None),
        (["--ties", "suits"], (ANNA, EQUAL), "Anna"),
        (["--ties", "suits", "--suit-order", "SHDC"], (ANNA, EQUAL), "Bo"),
        ([], FLUSHES, "Anna"),
        (["--no-flush-suits"], FLUSHES, None),
        (["--rules", "pagat"], FLUSHES, None),
        (["--rules", "pagat", "--flush-suits"], FLUSHES, "Anna"),
        ([], HIGHER, "Bo"),
        (["--suit-first"], HIGHER, "Anna"),
    ],
)
def test_the_rules_of_ties_are_options(
    options: list[str], hands: tuple[str, str], winner: str | None, run: Run
) -> None:
    """They override the rule set; the default is huvudregler."""
    assert json.loads(run("compare", "--json", *options, *hands).stdout)["best"] == winner


def test_people_read_names_and_what_decided(run: Run) -> None:
    """Every hand has its cards and name, and the best one the card that decided."""
    out = run("compare", ANNA, "Bo: As Ac 9d 7c 3s").stdout
    assert out.splitlines() == [
        "Anna · A♥ A♦ 9♣ 7♠ 2♦ · Pair",
        "Bo · A♠ A♣ 9♦ 7♣ 3♠ · Pair",
        "",
        "Bo wins: the three decides.",
    ]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["Anna: Ah Ad 9c 7s 1d"], "unreadable_card", "Anna: 1d is not a card."),
        ([ANNA, "Bo: Kh Ad 9d 7c 2s"], "dealt_twice", "Bo: Ad is dealt twice."),
        (["Anna: Ah"], "not_five_cards", "Anna: A hand is five cards, not 1: Ah."),
        (["Ah Ad 9c 7s 2d"], "hand_without_name", 'There is no name in "Ah Ad 9c 7s 2d"'),
        ([ANNA, "Anna : Kh Kd 9d 7c 2s"], "name_twice", "Anna is listed twice"),
        (["\x1b: Ah Ad 9c 7s 2d"], "name_unprintable", "The name "),
        (["--rules", "x", ANNA], "unknown_preset", 'Unknown rule set: "x".'),
        (["--ties", "x", ANNA], "wrong_rule_value", 'The house rule ties cannot be "x".'),
        (["--suit-order", "hsd", ANNA], "wrong_rule_value", "The house rule suit_order cannot"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(
    args: list[str], code: str, message: str, run: Run
) -> None:
    """The sentence is on standard error, with `--json` also in the object; the exit status is 2."""
    plain = run("compare", *args)
    assert (plain.exit_code, plain.stdout) == (2, "")
    assert plain.stderr.startswith(message)
    assert len(plain.stderr.splitlines()) == 1
    outcome = run("compare", "--json", *args)
    data = json.loads(outcome.stdout)
    assert list(data) == ["format", "error"]
    assert data["format"] == "chicago-compare/1"
    assert data["error"]["code"] == code
    assert data["error"]["message"].startswith(message)
    assert (outcome.exit_code, outcome.stderr) == (2, plain.stderr)


def test_no_hand_is_wrong_use(run: Run) -> None:
    """The command needs hands to compare."""
    assert run("compare").exit_code == 2
