"""What must be shown before a combination is broken up."""

import pytest

from tests.rules.table import (
    best,
    leaves,
    pair,
    play,
    tie,
)


@pytest.mark.reading(16)
def test_hands_are_listed_in_the_order_booked_and_once() -> None:
    """Reading 16: full house, then the pair; a hand booked twice is listed once."""
    rules = {"scored_exchanges": [1, 2, 3]}
    table = play(best("Anna", "full_house"), pair("Anna"), tie("pair", "Anna", "Bo"), **rules)
    assert table.shows == {"Anna": ["full_house", "pair"], "Bo": ["pair"]}


@pytest.mark.reading(16)
def test_nothing_need_be_shown_by_who_is_out() -> None:
    """Reading 16: who has left is not asked."""
    assert play(pair("Anna"), tie("flush", "Anna", "Bo"), leaves("Anna")).shows == {"Bo": ["flush"]}
