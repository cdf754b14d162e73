"""The exchange: all that is said of who may, by the rights, the facts and the result."""

from typing import Any

from app.rules.facts import EXCHANGE, exchange_ahead, facts, may_exchange_now
from app.rules.gamefile import write_result
from app.rules.rights import is_stopped, may_exchange
from app.rules.state import BEFORE_PLAY, GameState, Step
from tests.rules.table import golden_games


def test_all_answers_about_the_exchange_agree() -> None:
    """The facts on the head and on the reader's card, the rights and the result agree."""
    seen = set[tuple[str, Step]]()
    golden = [states[: end + 1] for _, states in golden_games() for end in range(len(states))]
    for states in golden:
        state, answers = states[-1], write_result(states)
        for name in state.players:
            seen |= {(code, state.deal.step) for code in agreed(state, name, answers)}
    assert {step for _, step in seen} == {*BEFORE_PLAY, Step.PLAY, Step.CHICAGO_PLAY}
    assert {code for code, _ in seen} == set(EXCHANGE)


def agreed(state: GameState, name: str, result: dict[str, Any]) -> list[str]:
    """Compare all answers about one player's exchange; its code is returned, if it is told."""
    codes = {fact.code for fact in facts(state, name)}
    told = [code for code in EXCHANGE if code in codes]
    may, ahead = may_exchange(state, name).ok, exchange_ahead(state)
    assert result["may_exchange"][name] == may
    assert may_exchange_now(state, name).ok == (may and ahead)
    assert len(told) == (ahead and name in state.playing)
    assert not told or told[0].startswith("exchanges") == may
    assert not told or (told[0] == "exchanges_last") == ("stopped_next_deal" in codes)
    if is_stopped(state, name):
        assert not codes & {"must_show", "stopped_next_deal"}
    return list(told)
