"""Winning may need the last trick."""

import pytest

from tests.rules.table import (
    bid,
    broken,
    deal_with_trick_to,
    gets,
    made,
    nobody,
    pair,
    play,
    to_the_play,
)


@pytest.mark.rule("finish", "at_target")
def test_reaching_the_target_may_be_enough() -> None:
    """With `finish` at_target who is at the target wins, whoever takes the trick."""
    table = play(gets(Anna=60), *deal_with_trick_to("Bo"), finish="at_target")
    assert table.winners == ("Anna",)


@pytest.mark.rule("finish", "trick_same_deal")
def test_winning_may_need_the_last_trick_of_the_deal() -> None:
    """With `finish` trick_same_deal who is at the target plays on until the trick is theirs."""
    table = play(gets(Anna=60), *deal_with_trick_to("Bo"), finish="trick_same_deal")
    assert (table.winners, table.deal) == ((), 2)
    assert table.then(*deal_with_trick_to("Anna")).winners == ("Anna",)


@pytest.mark.rule("finish", "trick_same_deal")
def test_who_took_the_trick_wins_below_a_higher_score() -> None:
    """With `finish` trick_same_deal only candidates with the trick count: 52 wins before 60."""
    table = play(gets(Anna=60, Bo=47), *deal_with_trick_to("Bo"), finish="trick_same_deal")
    assert table.winners == ("Bo",)


@pytest.mark.rule("finish", "trick_same_deal")
def test_a_chicago_lost_is_not_the_trick() -> None:
    """With `finish` trick_same_deal nobody has the trick after a lost Chicago played no further."""
    happened = (*gets(Anna=67, Bo=60), *to_the_play(), bid("Anna"), broken())
    assert play(*happened, finish="trick_same_deal").winners == ()


@pytest.mark.rule("finish", "trick_later_deal")
def test_winning_may_need_the_last_trick_of_a_later_deal() -> None:
    """With `finish` trick_later_deal the trick counts in a deal begun at the target."""
    table = play(gets(Anna=60), *deal_with_trick_to("Anna"), finish="trick_later_deal")
    assert (table.winners, table.deal) == ((), 2)
    table = table.then(*deal_with_trick_to("Bo"))
    assert table.winners == ()
    assert table.then(*deal_with_trick_to("Anna")).winners == ("Anna",)


@pytest.mark.rule("finish", "trick_later_deal")
def test_a_deal_begun_one_point_below_is_not_a_later_deal() -> None:
    """With `finish` trick_later_deal a deal that began at 51 of 52 does not count."""
    table = play(gets(Anna=46), *deal_with_trick_to("Anna"), finish="trick_later_deal")
    table = table.then(*deal_with_trick_to("Anna"))
    assert (table.winners, table["Anna"]) == ((), 56)
    assert table.then(*deal_with_trick_to("Anna")).winners == ("Anna",)


@pytest.mark.rule("finish", "trick_later_deal")
def test_the_score_must_still_be_at_the_target() -> None:
    """With `finish` trick_later_deal who has fallen below the target does not win by the trick."""
    table = play(gets(Anna=60), *deal_with_trick_to("Bo"), finish="trick_later_deal")
    assert table.then(gets(Anna=-20), *deal_with_trick_to("Anna")).winners == ()


@pytest.mark.rule("finish", "trick_later_deal")
@pytest.mark.reading(10)
def test_a_chicago_won_in_a_later_deal_counts_as_the_trick() -> None:
    """Reading 10: with trick_later_deal a Chicago made in a deal begun at the target wins."""
    table = play(gets(Anna=60), *deal_with_trick_to("Bo"), finish="trick_later_deal")
    assert table.then(*to_the_play(), bid("Anna"), made(), nobody()).winners == ("Anna",)


@pytest.mark.reading(10)
@pytest.mark.parametrize("finish", ["trick_same_deal", "trick_later_deal"])
def test_a_needed_trick_prevents_a_win_before_the_play(finish: str) -> None:
    """Reading 10: with `win_when` at_once a hand does not win where the trick is needed."""
    table = play(gets(Anna=51), pair("Anna"), finish=finish, win_when="at_once")
    assert (table.winners, table["Anna"], table.step) == ((), 52, "hand_2")


@pytest.mark.rule("finish", "trick_later_deal")
def test_a_deal_begun_exactly_at_the_target_is_a_later_deal() -> None:
    """With `finish` trick_later_deal a deal that began at 52 of 52 counts."""
    table = play(gets(Anna=52), *deal_with_trick_to("Bo"), finish="trick_later_deal")
    assert table.then(*deal_with_trick_to("Anna")).winners == ("Anna",)
