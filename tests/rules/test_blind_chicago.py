"""A Chicago bid before looking at the cards."""

import pytest

from tests.rules.table import (
    bid,
    blind,
    broken,
    gets,
    leaves,
    made,
    nobody,
    pair,
    play,
    to_the_play,
    trick,
)

BLIND = {"points": 30, "penalty": 20, "with_two": 60}


@pytest.mark.rule("blind_chicago", None)
def test_blind_chicago_may_not_be_played() -> None:
    """With `blind_chicago` null nobody bids blind."""
    table = play(blind_chicago=None)
    assert table.refusal(blind("Bo")) == "no_blind_chicago"
    assert not table.may_bid_blind("Bo")


@pytest.mark.rule("blind_chicago")
def test_a_blind_chicago_is_bid_first_thing_in_the_deal() -> None:
    """`blind_chicago` comes before any hand or bid; a correction does not stand in its way."""
    rules = {"blind_chicago": BLIND, "chicago_when": "any_time"}
    table = play(gets(Anna=20), **rules)
    assert table.refusal(blind("Bo")) is None
    assert table.then(nobody()).refusal(blind("Bo")) == "blind_too_late"
    assert table.then(pair("Anna")).refusal(blind("Bo")) == "blind_too_late"
    assert table.then(bid("Anna")).refusal(blind("Bo")) == "blind_too_late"


@pytest.mark.rule("blind_chicago")
def test_a_blind_chicago_is_not_bid_after_the_play() -> None:
    """`blind_chicago` comes first also where no hand scores before the play."""
    table = play(blind_chicago=BLIND, exchanges=1)
    assert table.refusal(blind("Bo")) is None
    assert table.then(trick("Anna")).refusal(blind("Bo")) == "blind_too_late"


@pytest.mark.rule("blind_chicago")
def test_a_blind_chicago_does_not_follow_a_bid_that_was_taken_away() -> None:
    """`blind_chicago` comes before any bid, also one whose bidder has left."""
    rules = {"blind_chicago": BLIND, "chicago_when": "any_time"}
    table = play(gets(Anna=20), bid("Anna"), leaves("Anna"), **rules)
    assert table.refusal(blind("Bo")) == "blind_too_late"


@pytest.mark.rule("blind_chicago")
def test_an_ordinary_chicago_is_not_bid_after_a_blind_one() -> None:
    """A `blind_chicago` is the one Chicago of its deal."""
    table = play(gets(Anna=20), blind("Bo"), blind_chicago=BLIND, chicago_when="any_time")
    assert table.refusal(bid("Anna")) == "chicago_already_bid"
    assert table.refusal(blind("Anna")) == "blind_too_late"


@pytest.mark.rule("blind_chicago")
def test_an_ordinary_chicago_keeps_its_own_points_where_blind_ones_are_played() -> None:
    """Where `blind_chicago` is played an ordinary one gives and costs 15 and wins nothing."""
    table = play(gets(Bo=20), *to_the_play(), bid("Bo"), blind_chicago=BLIND)
    assert table.then(made("with_two"))["Bo"] == 35
    assert table.then(broken())["Bo"] == 5
