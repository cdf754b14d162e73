"""The protocol of a game: its deals, and the marks of each player, with their facts."""

from app.rules.gamefile import read_game
from app.rules.protocol import ProtocolDeal, assemble
from app.rules.rights import Verdict
from app.rules.state import Effect
from tests.long_games import long_game
from tests.rules.table import Rules, play
from tests.told import told

DEAL = "deal Bo"


def deals_of(text: str, **rules: object) -> list[ProtocolDeal]:
    """Return the deals of a game of three under `huvudregler`, or other rules."""
    table = play(text, **{"preset": "huvudregler", **rules})
    return assemble(table.states, table.events)


def marks_of(deal: ProtocolDeal) -> str:
    """Return the marks of a deal, with player and index of the event."""
    return ", ".join(f"{mark.player} {mark.code} {mark.index}" for mark in deal.marks)


@told
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
    """A stop lifted during it stands; who left before it does not play, and a latecomer does."""
    assert deals_of(f"Anna 46, {DEAL}, nobody, Anna -9")[-1].stopped == ("Anna",)
    (deal,) = deals_of("Cilla leaves, nobody")
    assert (deal.dealer, deal.playing) == ("Anna", ("Anna", "Bo"))
    first, second, _ = deals_of("deal Anna, Dan joins Anna 50, deal Dan")
    assert ([*first.scores], [*second.scores]) == ([*first.playing], [*second.playing])
    assert (second.playing, second.stopped) == (("Anna", "Dan", "Bo", "Cilla"), ("Dan",))


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
