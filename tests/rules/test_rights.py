"""Rights to exchange, to bid Chicago and to win: the reasons of the answers."""

from collections.abc import Callable

from app.rules.codes import VerdictCode
from app.rules.rights import Verdict, can_win, may_bid, may_bid_blind, may_exchange
from app.rules.state import GameState
from tests.rules.table import Rules, play
from tests.told import told

ASKED: dict[str, Callable[[GameState, str], Verdict]] = {
    each.__name__: each for each in (may_exchange, may_bid, may_bid_blind, can_win)
}


@told
def test_why_a_player_may_or_not(
    ask: str, text: str, rules: Rules, why: VerdictCode, values: Rules, *, may: bool
) -> None:
    """The verdict has the reason, with the score and the limit, or the number of cards."""
    verdict = ASKED[ask](play(text, **rules).state, "Anna")
    assert verdict == Verdict(may, why, values)
