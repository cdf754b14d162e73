"""`score` for people: what the protocol in the terminal shows."""

import json
from pathlib import Path

import pytest

from app.cli.terminal import width
from tests.cli.games import (
    Event,
    Run,
    Write,
    best,
    bid,
    break_off,
    chicago_result,
    correct,
    leaves,
    nobody,
    trick,
)

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))
FOUR = ["Anna", "Bo", "Cilla", "Dan"]
HUVUDREGLER: dict[str, object] = {"preset": "huvudregler"}
EIGHT = [
    "Anna-Karin Svensson, hon som är äldst xx",
    "Anna-Karin Svensson, hon som är yngst xx",
    "Bo",
    "Christoffer af Ugglas på Harbonäs herrg.",
    "山" * 40,
    "Dagmar",
    "W" * 40,
    "Fredrik",
]

EVENING = [
    best("Anna", "pair"),
    {"event": "no_best_hand", "hand": "pair", "tied": ["Bo", "Cilla"]},
    trick("Cilla"),
    best("Bo", "two_pairs"),
    correct("Dan", 43, note="glömt i går"),
    nobody(),
    best("Dan", "three_of_a_kind"),
    bid("Dan"),
    chicago_result(won=False, broken_by="Bo"),
    correct("Dan", 20),
    nobody(),
    best("Anna", "flush"),
    trick("Cilla"),
    nobody(),
    best("Cilla", "four_of_a_kind", choose="zero"),
]

WHOLE_PROTOCOL = """\
Kräftskiva
Players: Anna, Bo, Cilla, and Dan
Rules: huvudregler, with exchange_stop: 42, chicago_breaker_bonus: 8
Stake: 0.50\N{NO-BREAK SPACE}kr a point
──────────────────────────────────────────────────────────────────
Deal 1 · Dan deals              Anna        Bo     Cilla       Dan
1  Pair                      +1 →  1
2  Tied: pair                             tied      tied
   Last trick                                    +5 →  5
   Two pairs                           +2 →  2
   Score                           1         2         5         0
──────────────────────────────────────────────────────────────────
Deal 2 · Anna deals             Anna        Bo     Cilla       Dan
   Exchange stop                                              stop
   Correction                                             +43 → 43
   – glömt i går
1  Nobody
2  Three of a kind                                         +3 → 46
   Chicago bid                                                bids
☆  Chicago broken                                         −15 → 31
   Broke the Chicago                   +8 → 10
   Score                           1        10         5        31
──────────────────────────────────────────────────────────────────
Deal 3 · Bo deals               Anna        Bo     Cilla       Dan
   Exchange stop                                              stop
   Correction                                             +20 → 51
1  Nobody
2  Flush                     +5 →  6
   Last trick                                    +5 → 10
   Nobody
   Score                           6        10        10        51
──────────────────────────────────────────────────────────────────
Deal 4 · Cilla deals            Anna        Bo     Cilla       Dan
   Exchange stop                                              stop
✗  Zeroing: four of a kind   −6 →  0  −10 →  0    zeroes  −51 →  0
   Score                           0         0        10         0

Deal 5 · Dan deals
First exchange: best hand?

       Points  Exchange  Chicago      Win at 52
Anna        0  yes       no, from 15  no, Chicago first
Bo          0  yes       no, from 15  no, Chicago first
Cilla      10  yes       no, from 15  no, Chicago first
Dan         0  yes       no, from 15  yes
"""


def squeezed(text: str) -> list[str]:
    """Take the text line by line, with single spaces only."""
    return [" ".join(line.split()) for line in text.splitlines()]


def test_an_evening_reads_like_a_protocol(run: Run, write: Write) -> None:
    """Heading, deals with a line for each fact, marks and notes, and the standing now."""
    rules = {**HUVUDREGLER, "exchange_stop": 42, "chicago_breaker_bonus": 8}
    path = write(*EVENING, players=FOUR, rules=rules, name="Kräftskiva", stake_ore=50)
    outcome = run("score", path)
    assert outcome.stdout == WHOLE_PROTOCOL
    assert (outcome.exit_code, outcome.stderr) == (0, "")


def test_a_result_says_who_won_why_and_who_pays(run: Run, write: Write) -> None:
    """The winner with the reason, scores and payouts, and a sentence for each payment."""
    deal = [nobody(), nobody(), trick("Anna"), nobody()]
    start = [correct("Anna", 49), correct("Bo", 51), correct("Cilla", 33)]
    outcome = run("score", write(*start, *deal))
    assert squeezed(outcome.stdout)[-9:] == [
        "",
        "Anna wins with 54 points",
        "",
        "Anna 54 points +24 kr",
        "Bo 51 points −3 kr",
        "Cilla 33 points −21 kr",
        "",
        "Cilla pays Anna 21 kr",
        "Bo pays Anna 3 kr",
    ]


PAGAT: dict[str, object] = {"preset": "pagat"}
PASS = [nobody(), nobody()]
LINES: list[tuple[dict[str, object], list[Event], list[str]]] = [
    (HUVUDREGLER, [best("Bo", "royal_flush")], ["1 Royal flush +52 → 52"]),
    (
        PAGAT,
        [correct("Anna", 15), *PASS, bid("Anna"), chicago_result(won=True)],
        ["★ Chicago made +15 → 30"],
    ),
    (
        {"preset": "wikipedia"},
        [bid("Bo", blind=True), chicago_result(won=False)],
        ["Blind Chicago bid bids", "☆ Blind Chicago broken −20 → −20"],
    ),
    (
        {**HUVUDREGLER, "after_zeroing": "deal_goes_on"}
        | {"zeroing_and_chicago": "chicago_voids_zeroing"},
        [
            correct("Bo", 15),
            *PASS,
            best("Anna", "four_of_a_kind", choose="zero"),
            bid("Bo"),
        ],
        ["Zeroing cancelled cancelled"],
    ),
    (
        PAGAT,
        [leaves("Anna"), *PASS, trick("Bo"), nobody(), nobody()],
        ["Leaves the game leaves", "Deal 2 · Bo deals (Anna) Bo Cilla", "Anna 0 out out"],
    ),
    (
        PAGAT,
        [correct("Bo", 52), {"event": "false_claim", "player": "Bo"}],
        ["✗ False claim, out −52 → 0"],
    ),
    (
        {**PAGAT, "exchange_stop_when": "at_once", "illegal_exchange": "zeroed"},
        [correct("Bo", 52), {"event": "illegal_exchange", "player": "Bo"}],
        ["✗ Illegal exchange −52 → 0"],
    ),
    (
        HUVUDREGLER,
        [correct("Bo", 52), *PASS, trick("Anna"), nobody()],
        ["✗ Target without Chicago −52 → 0"],
    ),
]


@pytest.mark.parametrize(("rules", "events", "lines"), LINES)
def test_what_happens_has_a_line_and_its_mark(
    rules: dict[str, object], events: list[Event], lines: list[str], run: Run, write: Write
) -> None:
    """Who wins, a star for a Chicago, a cross for whatever sets a score to 0, and who left."""
    shown = squeezed(run("score", write(*events, rules=rules)).stdout)
    assert [line for line in lines if line not in shown] == []


def test_a_win_by_a_hand_is_told_once(run: Run, write: Write) -> None:
    """An instant win has its reason in the result, and nowhere else."""
    out = run("score", write(best("Bo", "royal_flush"), rules=HUVUDREGLER)).stdout
    assert out.count("Bo wins at once") == 1


def test_a_tie_break_shows_who_plays_on(run: Run, write: Write) -> None:
    """How it began, that it is one, and who sits out."""
    start = [correct("Anna", 47), correct("Bo", 52), nobody(), nobody(), trick("Anna"), nobody()]
    lines = squeezed(run("score", write(*start, nobody(), rules={"preset": "gamerules"})).stdout)
    assert "Equal at the top: Anna and Bo play on alone" in lines
    assert "Tie-break" in lines
    assert "Deal 2 · Anna deals Anna Bo (Cilla)" in lines
    assert "Tie-break between Anna and Bo." in lines
    assert "Cilla 0 sits out sits out" in lines


def test_the_standing_says_what_goes_on(run: Run, write: Write) -> None:
    """Who plays a Chicago, what must be shown, and who may what."""
    start = [correct("Bo", 46), nobody(), nobody(), trick("Anna"), nobody()]
    now = [best("Cilla", "pair"), nobody(), bid("Bo")]
    lines = squeezed(run("score", write(*start, *now)).stdout)
    assert lines[-8:] == [
        "Chicago: made or broken?",
        "Bo plays Chicago.",
        "Cilla shows pair before breaking it up.",
        "",
        "Points Exchange Chicago",
        "Anna 5 yes no, Bo has",
        "Bo 46 no, stop at 46 no, Bo has",
        "Cilla 1 yes no, Bo has",
    ]


def test_rules_that_differ_are_told(run: Run, write: Write) -> None:
    """As a game file writes them, whatever their type."""
    rules: dict[str, object] = {"preset": "pagat", "exchange_stop": None, "ties": "suits"}
    rules |= {"hand_points": {"straight_flush": 10}, "winning_hands": ["royal_flush"]}
    out = " ".join(run("score", write(rules=rules)).stdout.split())
    assert "Rules: pagat, with " in out
    for change in (
        'hand_points: {"straight_flush": 10}',
        "exchange_stop: null",
        "ties: suits",
        'winning_hands: ["royal_flush"]',
    ):
        assert change in out


def test_several_games_are_told_apart(run: Run, write: Write) -> None:
    """Each has its file above it."""
    first, second = write(file="a.json"), write(file="b.json")
    out = run("score", first, second).stdout
    assert out.index(f"═══ {first} ═══") < out.index(f"═══ {second} ═══")


def eventful() -> list[Event]:
    """Let everything that is wide happen among eight."""
    events = [correct(name, 40 + seat) for seat, name in enumerate(EIGHT)]
    events += [best(EIGHT[0], "three_of_a_kind"), nobody(), bid(EIGHT[1])]
    events += [chicago_result(won=False), leaves(EIGHT[5]), best(EIGHT[3], "full_house")]
    return [*events, best(EIGHT[4], "four_of_a_kind", choose="zero")]


@pytest.mark.parametrize("lang", ["sv", "en"])
@pytest.mark.parametrize("columns", [80, 120])
def test_eight_long_names_fit_the_page(columns: int, lang: str, run: Run, write: Write) -> None:
    """No line is wider than the terminal, playing or over."""
    for events in (eventful(), [*eventful(), break_off()]):
        path = write(*events, players=EIGHT, rules=HUVUDREGLER)
        out = run("score", "--lang", lang, path, COLUMNS=str(columns)).stdout
        assert max(map(width, out.splitlines())) <= columns


def test_eight_players_keep_changes_and_scores_at_80_columns(run: Run, write: Write) -> None:
    """Changes and scores are all there, and cut names are explained."""
    out = run("score", write(*eventful(), players=EIGHT, rules=HUVUDREGLER)).stdout
    lines = squeezed(out)
    assert "☆ Chicago broken −15→26" in lines
    assert "1 Full house +6→49" in lines
    assert "Anna…1 Anna-Karin Svensson, hon som är äldst xx" in lines
    assert "Anna…2 Anna-Karin Svensson, hon som är yngst xx" in lines


def test_scores_too_wide_for_a_narrow_page_stand_alone(run: Run, write: Write) -> None:
    """Where there is no room for the change, the score is kept, never cut."""
    events = [correct(name, 1234) for name in EIGHT]
    path = write(*events, players=EIGHT, rules=HUVUDREGLER)
    lines = squeezed(run("score", path, COLUMNS="60").stdout)
    assert lines.count("Correction 1,234") == 8


def test_swedish_is_the_language_unless_told(run: Run, write: Write) -> None:
    """The environment decides, `--lang` decides over it."""
    path = write()
    swedish = run("score", path, LANG="C").stdout
    assert run("score", path, LANG="sv_SE.UTF-8").stdout == swedish
    assert run("score", "--lang", "sv", path).stdout == swedish
    assert "Anna, Bo och Cilla" in swedish
    assert "Anna, Bo, and Cilla" in run("score", "--lang", "en", path, LANG="C").stdout


@pytest.mark.parametrize("lang", ["sv", "en"])
def test_every_golden_game_can_be_read(lang: str, run: Run) -> None:
    """All that can happen has words and fits 80 columns, whichever rules are played."""
    golden = [json.loads(path.read_text("utf-8")) for path in GOLDEN]
    games = "\n".join(json.dumps(game["game"]) for game in golden)
    outcome = run("score", "--lang", lang, "-", stdin=games)
    assert outcome.stdout.count("═══ ") == len(golden) > 0
    assert max(map(width, outcome.stdout.splitlines())) <= 80
    refused = [game for game in golden if "error" in game["result"]]
    assert len(outcome.stderr.splitlines()) == len(refused)
