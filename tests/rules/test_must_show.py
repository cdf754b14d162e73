"""What must be shown before a combination is broken up."""

import pytest

from tests.rules.table import (
    best,
    broken_off,
    deal_with_trick_to,
    four,
    gets,
    leaves,
    nobody,
    pair,
    play,
    tie,
    to_the_play,
    trick,
    zero,
)


@pytest.mark.reading(16)
def test_who_scored_with_a_hand_must_show_it() -> None:
    """Reading 16: Anna scored a pair in the first phase and must show before breaking it up."""
    assert play(pair("Anna")).shows == {"Anna": ["pair"]}


@pytest.mark.reading(16)
def test_who_tied_for_best_hand_must_show_it() -> None:
    """Reading 16: both who tied must show, in seat order, though neither scored."""
    table = play(tie("flush", "Cilla", "Anna"))
    assert list(table.shows.items()) == [("Anna", ["flush"]), ("Cilla", ["flush"])]


@pytest.mark.reading(16)
def test_who_zeroed_with_a_hand_must_show_it() -> None:
    """Reading 16: where the deal goes on the zeroing hand is shown like a scored one."""
    rules = {"zeroing": {"four_of_a_kind": "choice"}, "after_zeroing": "deal_goes_on"}
    assert play(zero("Anna"), **rules).shows == {"Anna": ["four_of_a_kind"]}


@pytest.mark.reading(16)
def test_hands_are_listed_in_the_order_booked_and_once() -> None:
    """Reading 16: full house, then the pair; a hand booked twice is listed once."""
    rules = {"scored_exchanges": [1, 2, 3]}
    table = play(best("Anna", "full_house"), pair("Anna"), tie("pair", "Anna", "Bo"), **rules)
    assert table.shows == {"Anna": ["full_house", "pair"], "Bo": ["pair"]}


@pytest.mark.reading(16)
def test_nothing_need_be_shown_of_an_earlier_deal() -> None:
    """Reading 16: a new deal begins with nothing to show."""
    table = play(pair("Anna"), nobody(), trick("Bo"))
    assert table.shows == {"Anna": ["pair"]}
    assert table.then(four("Bo")).shows == {}


@pytest.mark.reading(16)
def test_nothing_need_be_shown_by_who_is_out() -> None:
    """Reading 16: who has left is not asked."""
    assert play(pair("Anna"), tie("flush", "Anna", "Bo"), leaves("Anna")).shows == {"Bo": ["flush"]}


def test_nothing_need_be_shown_when_the_game_is_over() -> None:
    """A game that is over asks nobody to show anything."""
    assert play(pair("Anna"), broken_off("void")).shows == {}
    assert play(gets(Anna=60), *deal_with_trick_to("Bo")).shows == {}


def test_all_pass_and_nobody_shows() -> None:
    """Where all pass there is nothing to show."""
    assert play(*to_the_play()).shows == {}
