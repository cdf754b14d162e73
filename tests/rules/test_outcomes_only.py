"""The keeper records the outcome of what players settle aloud."""

import pytest

from app.rules.events import EVENTS
from tests.rules.table import bid, broken, gets, play, to_the_play


@pytest.mark.reading(18)
def test_only_outcomes_can_be_recorded() -> None:
    """Reading 18: there is no event for an objection or for an overbid Chicago."""
    assert sorted(EVENTS) == [
        "best_hand",
        "break_off",
        "chicago",
        "chicago_result",
        "correction",
        "false_claim",
        "illegal_exchange",
        "joins",
        "last_trick",
        "leaves",
        "no_best_hand",
    ]


@pytest.mark.rule("chicago_priority", "overbid")
@pytest.mark.reading(7, 18)
def test_an_overbid_chicago_is_not_recorded() -> None:
    """Reading 7 and 18: only who held the bid in the end was declarer and has declared."""
    rules = {"chicago_priority": "overbid", "win_needs_chicago": "declared"}
    table = play(gets(Anna=52, Bo=20), *to_the_play(), bid("Bo"), **rules)
    assert table.refusal(bid("Anna")) == "chicago_already_bid"
    assert table.then(broken()).scores == {"Anna": 0, "Bo": 5, "Cilla": 0}
