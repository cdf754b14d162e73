"""What must be shown before a combination is broken up."""

import pytest

from tests.rules.table import best, deal_with_trick_to, gets, leaves, pair, play, tie


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


@pytest.mark.reading(16)
@pytest.mark.parametrize("style", ["no_exchange", "six_cards"])
def test_who_is_stopped_shows_nothing(style: str) -> None:
    """Reading 16: who may not exchange breaks nothing up, dealt five cards or six."""
    table = play(gets(Anna=46), *deal_with_trick_to("Bo"), exchange_stop_style=style)
    table = table.then(pair("Anna"), tie("flush", "Anna", "Bo"))
    assert table.shows == {"Bo": ["flush"]}


@pytest.mark.reading(16)
def test_a_stop_that_is_lifted_leaves_the_hand_to_be_shown() -> None:
    """Reading 16: who comes under the limit within the deal may exchange, and shows."""
    table = play(gets(Anna=46), *deal_with_trick_to("Bo")).then(pair("Anna"), *gets(Anna=-2))
    assert table.shows == {"Anna": ["pair"]}
