"""Whether the deal goes on after a zeroing, or after four of a kind."""

import pytest

from tests.rules.table import (
    four,
    gets,
    nobody,
    play,
    royal,
    straight_flush,
    to_the_play,
    trick,
    zero,
)

CHOICE = {"four_of_a_kind": "choice"}
ALWAYS = {"four_of_a_kind": "always"}


@pytest.mark.rule("after_zeroing", "deal_ends")
def test_the_deal_ends_with_a_chosen_zeroing() -> None:
    """With `after_zeroing` deal_ends the next deal begins when somebody has zeroed."""
    table = play(zero("Anna"), zeroing=CHOICE, after_zeroing="deal_ends")
    assert (table.deal, table.step) == (2, "hand_1")


@pytest.mark.rule("after_zeroing", "deal_goes_on")
def test_the_deal_goes_on_after_a_chosen_zeroing() -> None:
    """With `after_zeroing` deal_goes_on the zeroed players may score in the next phase."""
    table = play(gets(Bo=30), zero("Anna"), zeroing=CHOICE, after_zeroing="deal_goes_on")
    assert (table.deal, table.step, table["Bo"]) == (1, "hand_2", 0)


@pytest.mark.rule("after_zeroing", "deal_goes_on")
def test_a_scored_hand_that_wins_ends_the_game_though_the_deal_would_go_on() -> None:
    """`after_zeroing` deal_goes_on does not keep a zeroing and winning hand from winning."""
    table = play(gets(Bo=30), royal("Anna"), preset="huvudregler", after_zeroing="deal_goes_on")
    assert (table.winners, table["Bo"]) == (("Anna",), 0)


@pytest.mark.rule("four_of_a_kind_ends_deal", True)
def test_four_of_a_kind_ends_the_deal_though_zeroing_would_not() -> None:
    """With `four_of_a_kind_ends_deal` the deal ends whatever `after_zeroing` says."""
    rules = {"zeroing": CHOICE, "after_zeroing": "deal_goes_on", "four_of_a_kind_ends_deal": True}
    assert play(four("Anna"), **rules).deal == 2
    assert play(zero("Anna"), **rules).deal == 2


@pytest.mark.rule("four_of_a_kind_ends_deal", True)
def test_only_four_of_a_kind_ends_the_deal() -> None:
    """With `four_of_a_kind_ends_deal` a straight flush scores and the deal goes on."""
    table = play(straight_flush("Anna"), four_of_a_kind_ends_deal=True)
    assert (table.deal, table.step) == (1, "hand_2")


@pytest.mark.rule("four_of_a_kind_ends_deal", False)
@pytest.mark.reading(2)
def test_four_of_a_kind_that_does_not_end_the_deal_scores_like_any_hand() -> None:
    """Reading 2: without `four_of_a_kind_ends_deal` it is not laid open before the play."""
    table = play(four("Anna"), four_of_a_kind_ends_deal=False)
    assert (table.deal, table.step) == (1, "hand_2")
    assert table.then(nobody()).refusal(four("Anna")) == "not_announced"


@pytest.mark.rule("four_of_a_kind_ends_deal", True)
@pytest.mark.reading(1)
def test_four_of_a_kind_may_still_be_scored_at_the_final_hand() -> None:
    """Reading 1: where it ends the deal it is not for zeroing after the play, but it scores."""
    rules = {"zeroing": CHOICE, "after_zeroing": "deal_goes_on", "four_of_a_kind_ends_deal": True}
    table = play(*to_the_play(), trick("Bo"), **rules)
    assert table.refusal(zero("Anna")) == "zero_before_play"
    assert table.then(four("Anna")).scores == {"Anna": 7, "Bo": 5, "Cilla": 0}
