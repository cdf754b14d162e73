"""Hands that a table lists by themselves, and those that are laid open before the play."""

from app.rules.game import begin
from app.rules.gamefile import read_setup
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.outcome import announcements
from app.rules.presets import read_rules
from tests.rules.table import Rules
from tests.told import told


@told
def test_a_royal_flush_in_hearts_is_listed_where_it_differs(rules: Rules, *, listed: bool) -> None:
    """With the values of the royal flush, or none, it is no hand of its own."""
    assert (Hand.ROYAL_FLUSH_HEARTS in listed_hands(read_rules(rules)[1])) == listed


@told
def test_hands_laid_open_before_the_play(rules: Rules, hands: str) -> None:
    """These hands win, zero by choice, or end the deal as four of a kind."""
    state = begin(read_setup({"players": ["Anna", "Bo"], "rules": {**rules, "exchanges": 1}}))
    assert " ".join(dict.fromkeys(hand for hand, _ in announcements(state))) == hands
