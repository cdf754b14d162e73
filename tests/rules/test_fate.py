"""The fate of a player by an event: wins, is zeroed or passed over, or nothing."""

from app.rules.ahead import fate
from app.rules.outcome import Outcome, outcome
from tests.rules.table import Rules, cases, facts, play

DECLARED: Rules = {"win_needs_chicago": "declared"}
PLAYS_ON: Rules = {**DECLARED, "win_needs_chicago_unmet": "plays_on"}


@cases(
    ("text", "event", "rules", "told"),
    [
        ("Anna 46, nobody", "Anna flush", {}, None),
        ("Anna 46, nobody", "Anna full_house", {}, "wins"),
        ("Anna 46, nobody", "Anna full_house", DECLARED, "zeroed"),
        ("Anna 46, nobody", "Anna full_house", PLAYS_ON, "lacks"),
        # Another is further ahead; a trick is lacking, which is taken with the event.
        ("Anna 46, Bo 60, nobody", "Anna full_house", {}, None),
        ("Anna 46, nobody", "Anna full_house", {"finish": "trick_same_deal"}, None),
        ("Anna 47, no hands", "Anna trick", {"finish": "trick_same_deal"}, "wins"),
        # The event ends the deal, or the game.
        ("Anna 47, no hands, Bo trick", "Anna flush", {}, "wins"),
        ("Anna 47, no hands, Bo trick", "Anna flush", DECLARED, "zeroed"),
        ("", "Anna straight_flush", {"preset": "huvudregler"}, "wins"),
        # The next deal is nobody's concern; others are not asked about.
        ("Anna 60, no hands, Bo trick", "Anna pair", {"finish": "trick_same_deal"}, None),
    ],
)
def test_what_becomes_of_a_player(text: str, event: str, rules: Rules, told: str | None) -> None:
    """The rest of the deal is played with nothing for anybody."""
    (fact,) = facts(event)
    result = outcome(play(text, **rules).state, fact)
    assert isinstance(result, Outcome)
    assert fate(result, "Anna") == told
