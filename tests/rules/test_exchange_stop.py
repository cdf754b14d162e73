"""Who may exchange."""

import pytest

from tests.rules.table import (
    deal_with_trick_to,
    exchanges_illegally,
    gets,
    nobody,
    play,
    to_the_play,
    trick,
)

GOES_ON = {"zeroing": {"four_of_a_kind": "choice"}, "after_zeroing": "deal_goes_on"}


@pytest.mark.reading(5)
def test_the_answer_after_the_last_exchange_is_this_deals() -> None:
    """Reading 5: who reaches the limit with the last trick is stopped when the next deal begins."""
    table = play(gets(Anna=41), *to_the_play(), trick("Anna"))
    assert (table.step, table["Anna"], table.may_exchange("Anna")) == ("final_hand", 46, True)
    assert not table.then(nobody()).may_exchange("Anna")


@pytest.mark.rule("illegal_exchange", "refused")
def test_an_illegal_exchange_may_just_be_refused() -> None:
    """With `illegal_exchange` refused there is nothing to record."""
    table = play(gets(Anna=46), *deal_with_trick_to("Bo"), illegal_exchange="refused")
    assert table.refusal(exchanges_illegally("Anna")) == "illegal_exchange_refused"


@pytest.mark.rule("illegal_exchange", "zeroed")
def test_an_illegal_exchange_may_cost_all_points() -> None:
    """With `illegal_exchange` zeroed the player is set to 0 and the deal goes on."""
    table = play(gets(Anna=46), *deal_with_trick_to("Bo"), illegal_exchange="zeroed")
    table = table.then(exchanges_illegally("Anna"))
    assert (table.scores, table.step) == ({"Anna": 0, "Bo": 5, "Cilla": 0}, "hand_1")


@pytest.mark.rule("illegal_exchange", "zeroed")
def test_only_who_is_stopped_exchanges_illegally() -> None:
    """With `illegal_exchange` zeroed who may still exchange cannot be zeroed for it."""
    table = play(gets(Anna=46), illegal_exchange="zeroed")
    assert table.refusal(exchanges_illegally("Anna")) == "not_stopped"
    assert table.refusal(exchanges_illegally("Bo")) == "not_stopped"


@pytest.mark.rule("illegal_exchange", "zeroed")
@pytest.mark.rule("exchange_stop_when", "at_once")
def test_an_illegal_exchange_goes_by_the_stop_that_holds_at_once() -> None:
    """With `exchange_stop_when` at_once it is illegal in the deal in which the limit is reached."""
    rules = {"illegal_exchange": "zeroed", "exchange_stop_when": "at_once"}
    assert play(gets(Anna=46), exchanges_illegally("Anna"), **rules)["Anna"] == 0
