"""A false claim, and a player who goes home."""

import pytest

from app.rules.events import Event
from tests.rules.table import (
    bid,
    blind,
    claims_falsely,
    deal_with_trick_to,
    four,
    gets,
    leaves,
    made,
    nobody,
    pair,
    play,
    tie,
    to_the_play,
    trick,
    zero,
)


@pytest.mark.rule("false_claim_loses", True)
@pytest.mark.reading(12)
def test_who_claims_falsely_is_out_with_no_points() -> None:
    """Reading 12: with `false_claim_loses` the player is out at 0 and the others play on."""
    table = play(gets(Anna=20, Bo=30, Cilla=10), claims_falsely("Anna"), false_claim_loses=True)
    assert table.scores == {"Anna": 0, "Bo": 30, "Cilla": 10}
    assert (table.state.out, table.over, table.step) == (("Anna",), False, "hand_1")


@pytest.mark.rule("false_claim_loses", False)
def test_a_false_claim_may_cost_nothing() -> None:
    """Without `false_claim_loses` there is nothing to record."""
    table = play(false_claim_loses=False)
    assert table.refusal(claims_falsely("Anna")) == "false_claim_not_played"


@pytest.mark.reading(12)
def test_nothing_more_is_recorded_for_a_player_who_is_out() -> None:
    """Reading 12: who is out holds no hand, ties with nobody, takes no trick, is not corrected."""
    table = play(gets(Anna=20), leaves("Anna"))
    for event in (pair("Anna"), tie("pair", "Anna", "Bo"), leaves("Anna"), gets(Anna=1)[0]):
        assert table.refusal(event) == "player_out"
    table = table.then(*to_the_play())
    assert table.refusal(trick("Anna")) == "player_out"
    assert table.refusal(bid("Anna")) == "player_out"


@pytest.mark.reading(12)
def test_who_is_out_is_not_zeroed_for_lacking_a_chicago() -> None:
    """Reading 12: who left at 60 without a Chicago keeps 60 when the deal is over."""
    table = play(
        gets(Bo=60), leaves("Bo"), *deal_with_trick_to("Anna"), win_needs_chicago="declared"
    )
    assert (table["Bo"], table.winners, table.deal) == (60, (), 2)


@pytest.mark.reading(12)
@pytest.mark.parametrize("goes", [leaves("Cilla"), claims_falsely("Cilla")])
@pytest.mark.parametrize("before", [(), gets(Bo=3)])
def test_a_dealer_who_goes_before_the_first_hand_hands_the_deal_on(
    before: tuple[Event, ...], goes: Event
) -> None:
    """Reading 12: the next clockwise deals at once; a correction does not begin the deal."""
    table = play(before, goes)
    assert (table.deal, table.dealer) == (1, "Anna")
    assert table.then(*deal_with_trick_to("Bo")).dealer == "Bo"


@pytest.mark.reading(12)
@pytest.mark.parametrize("first", [nobody(), blind("Anna")])
def test_a_dealer_who_goes_later_stays_named(first: Event) -> None:
    """Reading 12: once a hand or a bid is recorded the deal keeps its dealer to the end."""
    blind_chicago = {"points": 30, "penalty": 20}
    assert play(first, leaves("Cilla"), blind_chicago=blind_chicago).dealer == "Cilla"


@pytest.mark.reading(12)
def test_only_the_dealer_who_goes_hands_the_deal_on() -> None:
    """Reading 12: anybody else's going changes nothing of who deals, nor does the last one's."""
    assert play(leaves("Bo")).dealer == "Cilla"
    assert play(leaves("Bo"), leaves("Cilla")).dealer == "Cilla"


@pytest.mark.reading(12)
def test_who_is_out_does_not_win() -> None:
    """Reading 12: who left above the target is no candidate."""
    table = play(gets(Anna=47, Bo=60), leaves("Bo"), *deal_with_trick_to("Anna"))
    assert table.winners == ("Anna",)


@pytest.mark.reading(12)
def test_a_waiting_zeroing_does_not_reach_a_victim_who_has_left() -> None:
    """Reading 12: a zeroing that waits strikes nobody when its one victim is out."""
    table = play(
        gets(Bo=30, Cilla=10),
        *to_the_play(),
        zero("Anna", victim="Bo"),
        leaves("Bo"),
        trick("Anna"),
        zeroing={"four_of_a_kind": "choice"},
        zeroing_victims="one",
        after_zeroing="deal_goes_on",
        zeroing_and_chicago="zeroing_last",
    )
    assert table.scores == {"Anna": 5, "Bo": 30, "Cilla": 10}


@pytest.mark.reading(12)
def test_a_declarer_plays_the_chicago_to_its_end() -> None:
    """Reading 12: at the play of the Chicago the declarer neither leaves nor is put out."""
    table = play(gets(Bo=20), *to_the_play(), bid("Bo"))
    assert table.refusal(leaves("Bo")) == "declarer_stays"
    assert table.refusal(claims_falsely("Bo")) == "declarer_stays"
    assert table.refusal(leaves("Anna")) is None
    assert table.then(made()).refusal(leaves("Bo")) is None


@pytest.mark.reading(12)
def test_a_false_claim_takes_an_early_bid_away_too() -> None:
    """Reading 12: with any_time a declarer put out before the play leaves the bid to others."""
    table = play(gets(Anna=20, Bo=20), bid("Bo"), chicago_when="any_time")
    table = table.then(claims_falsely("Bo"), *to_the_play())
    assert (table.step, table.chicagos("Bo")) == ("play", (1, 0))
    assert table.refusal(bid("Anna")) is None


@pytest.mark.reading(12)
def test_a_hand_may_be_laid_open_again_once_the_bid_is_taken_away() -> None:
    """Reading 12: without a bid the deal is one without a Chicago again."""
    rules = {"chicago_when": "any_time", "zeroing": {"four_of_a_kind": "choice"}}
    table = play(gets(Bo=20, Cilla=20), bid("Bo"), leaves("Bo"), *to_the_play(), **rules)
    assert table.then(zero("Anna"))["Cilla"] == 0
    assert table.then(trick("Anna"), four("Anna"))["Anna"] == 12


@pytest.mark.reading(12)
def test_a_bid_stands_when_another_leaves() -> None:
    """Reading 12: only the declarer takes an early bid away."""
    table = play(gets(Bo=20, Cilla=20), bid("Bo"), leaves("Anna"), chicago_when="any_time")
    assert table.refusal(bid("Cilla")) == "chicago_already_bid"
    assert table.then(*to_the_play()).step == "chicago_play"


@pytest.mark.reading(12, 14)
def test_a_declarer_who_leaves_after_the_chicago_frees_no_bid() -> None:
    """Reading 14: one Chicago per deal, also when who made it goes home before the final hand."""
    table = play(gets(Anna=20, Bo=20), *to_the_play(), bid("Bo"), made(), leaves("Bo"))
    assert (table.step, table.may_bid("Anna")) == ("final_hand", False)
