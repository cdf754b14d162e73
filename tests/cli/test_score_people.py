"""`score` for people: the protocol in the terminal."""

import json
from pathlib import Path

import pytest

from tests.cli.games import Event, Run, Write

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))
FOUR = ["Anna", "Bo", "Cilla", "Dan"]
HUVUDREGLER: dict[str, object] = {"preset": "huvudregler"}

EVENING: tuple[str | Event, ...] = (
    "Anna pair, tie pair Bo Cilla, Cilla trick, Bo two_pairs",
    {"event": "correction", "player": "Dan", "points": 43, "note": "glömt i går"},
    "nobody, Dan three_of_a_kind, Dan chicago, broken Bo",
    "Dan 20, nobody, Anna flush, Cilla trick, nobody, Cilla zeroes",
)

WHOLE_PROTOCOL = """\
Kräftskiva
Players: Anna, Bo, Cilla, and Dan
Rules: huvudregler, with "exchange_stop": 42, "chicago_breaker_bonus": 8
Stake: 0.50\N{NO-BREAK SPACE}kr a point

Deal 1 · Dan deals
  1. Pair · Anna +1 → 1
  2. Tied: pair · Bo tied · Cilla tied
  Last trick · Cilla +5 → 5
  Two pairs · Bo +2 → 2
  Score · Anna 1 · Bo 2 · Cilla 5 · Dan 0

Deal 2 · Anna deals
  Exchange stop · Dan
  Correction · Dan +43 → 43
  – glömt i går
  1. Nobody
  2. Three of a kind · Dan +3 → 46
  Chicago bid · Dan bids
  Chicago broken · Dan −15 → 31
  Broke the Chicago · Bo +8 → 10
  Score · Anna 1 · Bo 10 · Cilla 5 · Dan 31

Deal 3 · Bo deals
  Exchange stop · Dan
  Correction · Dan +20 → 51
  1. Nobody
  2. Flush · Anna +5 → 6
  Last trick · Cilla +5 → 10
  Nobody
  Score · Anna 6 · Bo 10 · Cilla 10 · Dan 51

Deal 4 · Cilla deals
  Exchange stop · Dan
  1. Zeroing: four of a kind · Cilla zeroes · Anna −6 → 0 · Bo −10 → 0 · Dan −51 → 0
  Score · Anna 0 · Bo 0 · Cilla 10 · Dan 0

Deal 5 · Dan deals
Who has the best hand?
  Anna · 0 points · exchanges
  Bo · 0 points · exchanges
  Cilla · 10 points · exchanges · 5 more to bid
  Dan · 0 points · exchanges
"""


def test_an_evening_reads_like_a_protocol(run: Run, write: Write) -> None:
    """It has a heading, deals with a line for each fact, notes, and the standing now."""
    rules = {**HUVUDREGLER, "exchange_stop": 42, "chicago_breaker_bonus": 8}
    path = write(*EVENING, players=FOUR, rules=rules, name="Kräftskiva", stake_ore=50)
    outcome = run("score", path)
    assert outcome.stdout == WHOLE_PROTOCOL
    assert (outcome.exit_code, outcome.stderr) == (0, "")


def test_a_result_says_who_won_why_and_who_pays(run: Run, write: Write) -> None:
    """It has the winner with the reason, scores and payouts, and a sentence for each payment."""
    outcome = run("score", write("Anna 49, Bo 51, Cilla 33, deal Anna"))
    assert outcome.stdout.replace("\N{NO-BREAK SPACE}", " ").splitlines()[-8:] == [
        "",
        "Anna wins with 54 points",
        "  Anna · 54 points · +24 kr",
        "  Bo · 51 points · −3 kr",
        "  Cilla · 33 points · −21 kr",
        "",
        "Cilla pays Anna 21 kr",
        "Bo pays Anna 3 kr",
    ]


PAGAT: dict[str, object] = {"preset": "pagat"}
VOIDS = {"after_zeroing": "deal_goes_on", "zeroing_and_chicago": "chicago_voids_zeroing"}
ZEROED = {"exchange_stop_when": "at_once", "illegal_exchange": "zeroed"}
LINES: list[tuple[dict[str, object], str, list[str]]] = [
    (HUVUDREGLER, "Bo royal_flush", ["  1. Royal flush · Bo +52 → 52"]),
    (PAGAT, "Anna 15, no hands, Anna chicago, made", ["  Chicago made · Anna +15 → 30"]),
    (
        {"preset": "wikipedia"},
        "Bo blind, broken",
        ["  Blind Chicago bid · Bo bids", "  Blind Chicago broken · Bo −20 → −20"],
    ),
    (
        HUVUDREGLER | VOIDS,
        "Bo 15, no hands, Anna zeroes, Bo chicago",
        ["  Zeroing cancelled · Anna cancelled"],
    ),
    (
        PAGAT,
        "Anna leaves, deal Bo, nobody",
        ["  Leaves the game · Anna leaves", "  Anna · 0 points · out"],
    ),
    (PAGAT, "Bo 52, Bo claims", ["  False claim, out · Bo −52 → 0"]),
    (PAGAT | ZEROED, "Bo 52, Bo exchanges", ["  Illegal exchange · Bo −52 → 0"]),
    (HUVUDREGLER, "Bo 52, deal Anna", ["  Target without Chicago · Bo −52 → 0"]),
]


@pytest.mark.parametrize(("rules", "text", "lines"), LINES)
def test_what_happens_has_a_line(
    rules: dict[str, object], text: str, lines: list[str], run: Run, write: Write
) -> None:
    """Hands, Chicagos, everything that sets a score to 0, and players who leave."""
    shown = run("score", write(text, rules=rules)).stdout.splitlines()
    assert [line for line in lines if line not in shown] == []


def test_a_win_by_a_hand_is_told_once(run: Run, write: Write) -> None:
    """An instant win has its reason in the result, and nowhere else."""
    out = run("score", write("Bo royal_flush", rules=HUVUDREGLER)).stdout
    assert out.count("Bo wins at once") == 1


def test_a_tie_break_shows_who_plays_on(run: Run, write: Write) -> None:
    """It has a line for its beginning, one for the deal, and one for who sits out."""
    path = write("Anna 47, Bo 52, deal Anna, nobody", rules={"preset": "gamerules"})
    lines = run("score", path).stdout.splitlines()
    assert "  Tied at the top: Anna and Bo play on alone" in lines
    assert "  Tie-break between Anna and Bo." in lines
    assert "  Cilla · 0 points · sits out" in lines


def test_the_standing_says_what_goes_on(run: Run, write: Write) -> None:
    """It has the Chicago being played, the hands to show, and everybody's rights."""
    now = "Bo 46, deal Anna, Cilla pair, nobody"
    lines = run("score", write(now)).stdout.splitlines()
    assert lines[-5:] == [
        "Deal 2 · Anna deals",
        "Exchange 3, then play",
        "  Anna · 5 points · exchanges",
        "  Bo · 46 points · no exchange · may bid",
        "  Cilla · 1 point · exchanges · shows pair",
    ]
    lines = run("score", write(now, "Bo chicago")).stdout.splitlines()
    assert lines[-4:] == [
        "Bo plays Chicago",
        "  Anna · 5 points",
        "  Bo · 46 points · plays Chicago · can win",
        "  Cilla · 1 point",
    ]


def test_rules_that_differ_are_told(run: Run, write: Write) -> None:
    """Rules of every type are written as in a game file."""
    rules: dict[str, object] = {"preset": "pagat", "exchange_stop": None, "ties": "suits"}
    rules |= {"hand_points": {"straight_flush": 10}, "winning_hands": ["royal_flush"]}
    out = run("score", write(rules=rules)).stdout
    assert "Rules: pagat, with " in out
    for change in (
        '"hand_points": {"straight_flush": 10}',
        '"exchange_stop": null',
        '"ties": "suits"',
        '"winning_hands": ["royal_flush"]',
    ):
        assert change in out


def test_several_games_are_told_apart(run: Run, write: Write) -> None:
    """Each game has the name of its file above it."""
    first, second = write(file="a.json"), write(file="b.json")
    out = run("score", first, second).stdout
    assert out.index(f"═══ {first} ═══") < out.index(f"═══ {second} ═══")


def test_swedish_is_the_language_unless_told(run: Run, write: Write) -> None:
    """The environment sets the language, and `--lang` overrides it."""
    path = write()
    swedish = run("score", path, LANG="C").stdout
    assert run("score", path, LANG="sv_SE.UTF-8").stdout == swedish
    assert run("score", "--lang", "sv", path).stdout == swedish
    assert "Anna, Bo och Cilla" in swedish
    assert "Anna, Bo, and Cilla" in run("score", "--lang", "en", path, LANG="C").stdout


@pytest.mark.parametrize("lang", ["sv", "en"])
def test_every_golden_game_can_be_read(lang: str, run: Run) -> None:
    """Every event has words, under any rules."""
    golden = [json.loads(path.read_text("utf-8")) for path in GOLDEN]
    games = "\n".join(json.dumps(game["game"]) for game in golden)
    outcome = run("score", "--lang", lang, "-", stdin=games)
    assert outcome.stdout.count("═══ ") == len(golden) > 0
    refused = [game for game in golden if "error" in game["result"]]
    assert len(outcome.stderr.splitlines()) == len(refused)
