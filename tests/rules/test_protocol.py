"""The protocol of a game: its deals, and the marks of each player, with their facts."""

from app.rules.gamefile import read_game
from app.rules.protocol import ProtocolDeal, assemble
from app.rules.rights import Verdict
from app.rules.state import Effect
from tests.long_games import long_game
from tests.rules.table import Rules, cases, play

DEAL = "deal Bo"
FREE: Rules = {
    "blind_chicago": {"points": 30, "penalty": 30},
    "chicago_minimum": None,
    "target": 80,
}
VOIDS: Rules = {
    "after_zeroing": "deal_goes_on",
    "zeroing_and_chicago": "chicago_voids_zeroing",
}
TAKES: Rules = {
    "after_zeroing": "deal_goes_on",
    "zeroing_takes_chicagos": True,
    "chicago_minimum": None,
}


def deals_of(text: str, **rules: object) -> list[ProtocolDeal]:
    """Return the deals of a game of three under `huvudregler`, or other rules."""
    table = play(text, **{"preset": "huvudregler", **rules})
    return assemble(table.states, table.events)


def marks_of(deal: ProtocolDeal) -> str:
    """Return the marks of a deal, with player and index of the event."""
    return ", ".join(f"{mark.player} {mark.code} {mark.index}" for mark in deal.marks)


def lines_of(deal: ProtocolDeal) -> str:
    """Return the lines of a deal: the code, and for each player the change and the score."""
    return ", ".join(
        " ".join((line.code, *(f"{cell.player} {cell.points} {cell.score}" for cell in line.cells)))
        for line in deal.lines
    )


@cases(
    ("text", "rules", "lines"),
    [
        # A score stops at 0, and so does the change.
        ("Bo 2, Bo -5", {}, "correction Bo 2 2, correction Bo -2 0"),
        # A zeroing that waits has a line of its own, before the trick.
        (
            "Bo 9, no hands, Anna zeroes, Bo trick",
            {"after_zeroing": "deal_goes_on", "zeroing_and_chicago": "zeroing_last"},
            (
                "correction Bo 9 9, nobody, nobody, zeroes Anna 0 0, zeroed Bo -9 0 Cilla 0 0,"
                " last_trick Bo 5 5"
            ),
        ),
        # All whose Chicagos are taken away share a line, as do all who lack theirs.
        (
            "no hands, Anna chicago, broken, no hands, Bo chicago, broken, Cilla zeroes",
            TAKES,
            "zeroes Cilla 0 0 Anna 0 0 Bo 0 0, chicagos_taken Anna 0 0 Bo 0 0",
        ),
        (
            "Anna 50, Bo 53, deal Anna",
            {},
            (
                "correction Anna 50 50, correction Bo 53 53, nobody, nobody, last_trick Anna 5 55,"
                " nobody, requirement_unmet Anna -55 0 Bo -53 0"
            ),
        ),
        # A hand that always zeroes has two lines; the end of the game has the last one.
        (
            "Bo 9, Anna flush",
            {"preset": "pagat", "zeroing": {"flush": "always"}},
            "correction Bo 9 9, hand Anna 5 5, zeroed Bo -9 0 Cilla 0 0",
        ),
        ("Bo 3, settled", {}, "correction Bo 3 3, broken_off_settled"),
        # Equal hands that score have the line of a hand; nobody else is not nobody.
        (
            "tie pair Bo Cilla, tie pair Anna Bo",
            {"scored_hands": {"1": "equal", "2": "best"}},
            "hand Bo 1 1 Cilla 1 1, tied Anna 0 0 Bo 0 1",
        ),
        (
            "Anna pair, Bo flush, nobody, nobody",
            {"scored_hands": {"1": "everyone", "2": "everyone"}},
            "hand Anna 1 1, hand Bo 5 5, nobody_else, nobody",
        ),
        # A bid strikes what the deal has given, of all who share it in one line.
        (
            "Anna pair, Bo flush, nobody, Anna chicago",
            {"scored_hands": {"1": "everyone"}, "chicago_hand": "struck", "chicago_minimum": None},
            "hand Anna 1 1, hand Bo 5 5, nobody_else, bid Anna 0 1, struck Anna -1 0 Bo -5 0",
        ),
    ],
)
def test_the_lines_of_the_last_deal(text: str, rules: Rules, lines: str) -> None:
    """Each line has the players whom its event changes, with what it really changed."""
    *_, deal = (deal for deal in deals_of(text, **rules) if deal.lines)
    assert lines_of(deal) == lines


@cases(
    ("text", "rules", "marks"),
    [
        # A stop begins in the deal after, and lasts until it is lifted.
        (
            f"nobody, Anna 44, Anna 2, nobody, Bo trick, nobody, {DEAL}, {DEAL}, Anna -9, {DEAL}",
            {},
            ["", "Anna stop_begins 2", "Anna stopped 2", "", ""],
        ),
        # A correction between deals counts for the coming deal (reading 21).
        (f"{DEAL}, Anna 46, {DEAL}", {}, ["", "Anna stop_begins 4", "Anna stopped 4"]),
        # A stop lifted in mid-deal stays marked.
        (f"Anna 46, {DEAL}, nobody, Anna -9", {}, ["Anna stop_begins 0", "Anna stopped 0"]),
        # A stop that applies at once is marked in its deal.
        (
            "Anna 44, nobody, Anna 2, nobody, Bo trick, nobody",
            {"exchange_stop_when": "at_once"},
            ["Anna stop_begins 2", "Anna stopped 2"],
        ),
        # A zeroing marks its player and all who lost points.
        ("Bo 9, Anna zeroes", {}, ["Anna zeroes 1, Bo zeroed 1", ""]),
        ("Cilla 20, no hands, Anna zeroes, Cilla chicago", VOIDS, ["Cilla bid 4"]),
        # A Chicago has the mark of its outcome, and a blind one marks of its own.
        ("no hands, Bo chicago", FREE, ["Bo bid 2"]),
        ("no hands, Bo chicago, made", FREE, ["Bo chicago_won 3", ""]),
        ("no hands, Bo chicago, broken", FREE, ["Bo chicago_lost 3", ""]),
        ("Bo blind", FREE, ["Bo blind_bid 0"]),
        ("Bo blind, made", FREE, ["Bo blind_won 1", ""]),
        ("Bo blind, broken", FREE, ["Bo blind_lost 1", ""]),
        # A player who lacks the Chicago is marked as zeroed for it.
        (
            "nobody, Anna 60, nobody, Bo trick, nobody",
            {},
            ["Anna zeroed 4, Anna requirement_unmet 4", ""],
        ),
        (
            "Dan joins Anna 0, Bo leaves, Dan claims",
            {"false_claim_loses": True},
            ["Dan joins 0, Bo out 1, Dan out 2"],
        ),
    ],
)
def test_the_marks_of_a_game(text: str, rules: Rules, marks: list[str]) -> None:
    """Each mark stands once for a player and deal, with the fact that caused it."""
    assert [marks_of(deal) for deal in deals_of(text, **rules)] == marks


def test_a_mark_tells_why_it_stands_there() -> None:
    """A stop has its verdict, and a zeroing its effect; only a mark from earlier is inherited."""
    begun = "nobody, Anna 44, Anna 2, nobody, Bo trick, nobody"
    _, two = deals_of(begun)
    verdict = Verdict(False, "exchange_stop", {"player": "Anna", "score": 46, "limit": 45})
    assert [mark.why for mark in two.marks] == [verdict]
    assert (two.inherited(), two.stopped) == (list(two.marks), ("Anna",))
    assert deals_of(begun, exchange_stop_when="at_once")[0].inherited() == []
    effect = deals_of("Bo 9, Anna zeroes")[0].marks[1].why
    assert isinstance(effect, Effect)
    assert effect.by == "Anna"


def test_a_tie_break_marks_those_who_play_it() -> None:
    """The marks stand in each of its deals, with the effect of the tied deal."""
    tied = deals_of("Anna 60, Bo 60, deal Cilla", win_needs_chicago="no", tied_winners="tie_break")[
        -1
    ]
    assert marks_of(tied).endswith("Anna tie_break 5, Bo tie_break 5")
    (why,) = [mark.why for mark in tied.inherited() if mark.code == "tie_break"]
    assert why == Effect("tie_break_begins", players=("Anna", "Bo"))


def test_a_deal_is_laid_out_as_it_began() -> None:
    """A stop lifted during the deal stands; a player who left before it neither deals nor plays."""
    assert deals_of(f"Anna 46, {DEAL}, nobody, Anna -9")[-1].stopped == ("Anna",)
    (deal,) = deals_of("Cilla leaves, nobody")
    assert (deal.dealer, deal.playing) == ("Anna", ("Anna", "Bo"))


def test_some_deals_are_laid_out_as_in_the_whole() -> None:
    """Each mark of a part has its player there, and a fact recorded by then."""
    game = read_game(long_game(["Anna", "Bo", "Cilla", "Dan"], 40))
    states, whole = game.states(), assemble(game.states(), game.events)
    assert {mark.code for deal in whole for mark in deal.marks} >= {"stopped", "zeroed"}
    for first in range(1, 42):
        for last in (first, first + 9, None):
            expected = whole[first - 1 : last]
            assert assemble(states, game.events, first, last) == expected
    for deal in whole:
        newest = deal.lines[-1].index if deal.lines else len(game.events) - 1
        assert all(m.player in deal.scores and 0 <= m.index <= newest for m in deal.marks)
