"""Who may exchange."""

import pytest

from app.rules.events import Event
from tests.rules.table import (
    bid,
    deal_with_trick_to,
    exchanges_illegally,
    gets,
    nobody,
    pair,
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
    table = play(nobody(), gets(Anna=46), illegal_exchange="zeroed")
    assert table.refusal(exchanges_illegally("Anna")) == "not_stopped"
    assert table.refusal(exchanges_illegally("Bo")) == "not_stopped"


@pytest.mark.rule("illegal_exchange", "zeroed")
@pytest.mark.rule("exchange_stop_when", "at_once")
def test_an_illegal_exchange_goes_by_the_stop_that_holds_at_once() -> None:
    """With `exchange_stop_when` at_once it is illegal in the deal in which the limit is reached."""
    rules = {"illegal_exchange": "zeroed", "exchange_stop_when": "at_once"}
    assert play(nobody(), gets(Anna=46), exchanges_illegally("Anna"), **rules)["Anna"] == 0


@pytest.mark.reading(21)
def test_a_correction_between_deals_counts_for_the_stop() -> None:
    """Reading 21: it is as if the deal before had ended so, in either direction."""
    table = play(deal_with_trick_to("Bo"), gets(Anna=46))
    assert not table.may_exchange("Anna")
    assert table.then(gets(Anna=-1)).may_exchange("Anna")
    assert table.then(gets(Anna=-1), nobody(), gets(Anna=1)).may_exchange("Anna")


@pytest.mark.reading(21)
@pytest.mark.parametrize("first", [nobody(), pair("Bo"), bid("Bo")])
def test_a_correction_in_mid_deal_is_a_booking_like_any_other(first: Event) -> None:
    """Reading 21: once a hand or a bid is recorded, the stop comes with the next deal."""
    table = play(first, gets(Anna=46), chicago_when="any_time", chicago_minimum=None)
    assert table.may_exchange("Anna")
