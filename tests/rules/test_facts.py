"""Facts beside each player: whatever matters now, most urgent first.

`facts.json` has the reason, the events, the house rules, and all facts of the players that it is
about; and of some facts the values that their words need.
"""

import json
import re
from typing import get_args

from app.rules.facts import URGENCY, FactCode, facts
from tests.rules.table import Rules, play
from tests.told import read_tables, told


@told
def test_what_is_told_of_whom(text: str, rules: Rules, shown: str) -> None:
    """All facts of a player matter now, and come by their urgency."""
    state = play(text, **rules).state
    names = [each.split(":")[0] for each in shown.split("; ")]
    told = {name: ", ".join(fact.code for fact in facts(state, name)) for name in names}
    assert "; ".join(f"{name}: {codes or 'nothing'}" for name, codes in told.items()) == shown


def test_every_fact_is_given() -> None:
    """The table shows every fact."""
    table = json.dumps(read_tables(__file__)["what is told of whom"])
    missing = [code for code in get_args(FactCode) if not re.search(rf": (\w+, )*{code}\b", table)]
    assert missing == [], "tests/rules/facts.json"


def test_danger_comes_before_chances_cards_and_bids() -> None:
    """Whoever has room for one fact only tells what costs most."""
    urgent = ["declarer", "bid_or_zeroed", "zeroed_at_target", "bid_before_target"]
    urgent += ["wins_after_deal", "can_win_now", "exchanges", "must_show", "may_bid"]
    urgent += ["stopped_next_deal", "points_to_bid"]
    assert [code for code in URGENCY if code in urgent] == urgent


@told
def test_facts_have_the_values_of_their_words(
    text: str, rules: Rules, name: str, code: FactCode, values: Rules
) -> None:
    """They tell scores, limits, hands, and how many points are missing."""
    told = {fact.code: fact.values for fact in facts(play(text, **rules).state, name)}
    assert told[code] == values
