"""The fate of a player by an event: wins, is zeroed or passed over, or nothing."""

from app.rules.ahead import fate
from app.rules.outcome import Outcome, outcome
from tests.rules.table import Rules, facts, play
from tests.told import told


@told
def test_what_becomes_of_a_player(text: str, event: str, rules: Rules, told: str | None) -> None:
    """The rest of the deal is played with nothing for anybody."""
    (fact,) = facts(event)
    result = outcome(play(text, **rules).state, fact)
    assert isinstance(result, Outcome)
    assert fate(result, "Anna") == told
