"""Setting the others' scores to 0."""

import pytest

from app.rules.events import BestHand
from tests.rules.table import four, gets, play, royal, royal_hearts, straight_flush, zero

CHOICE = {"four_of_a_kind": "choice"}
ALWAYS = {"four_of_a_kind": "always"}


@pytest.mark.rule("zeroing")
def test_a_hand_that_is_not_listed_zeroes_nobody() -> None:
    """Without a row in `zeroing` four of a kind scores, and cannot be chosen for zeroing."""
    table = play(gets(Bo=30), zeroing={})
    assert table.refusal(zero("Anna")) == "hand_does_not_zero"
    assert table.then(four("Anna")).scores == {"Anna": 7, "Bo": 30, "Cilla": 0}


@pytest.mark.rule("zeroing", "choice", "always")
@pytest.mark.parametrize(
    ("zeroing", "event", "scores"),
    [
        (CHOICE, zero("Anna"), [20, 0, 0]),
        (CHOICE, four("Anna"), [27, 30, 10]),
        (ALWAYS, four("Anna"), [27, 0, 0]),
    ],
)
def test_a_hand_zeroes_by_choice_or_always(
    zeroing: dict[str, object], event: BestHand, scores: list[int]
) -> None:
    """By `zeroing` the holder zeroes all others or scores instead, or does both."""
    table = play(gets(Anna=20, Bo=30, Cilla=10), event, zeroing=zeroing)
    assert list(table.scores.values()) == scores


@pytest.mark.rule("zeroing", "always")
def test_nothing_is_chosen_with_a_hand_that_always_zeroes() -> None:
    """With `zeroing` always there is no choice to zero instead of scoring."""
    assert play(zeroing=ALWAYS).refusal(zero("Anna")) == "always_zeroes"


@pytest.mark.rule("zeroing")
def test_the_royal_flush_in_hearts_may_zero_in_its_own_way() -> None:
    """`zeroing` may name the royal flush in hearts with another value."""
    rules = {"royal_flush": "always", "royal_flush_hearts": "choice"}
    table = play(gets(Bo=30), zeroing=rules)
    assert table.then(royal_hearts("Anna"))["Bo"] == 30
    assert table.then(zero("Anna", "royal_flush_hearts"))["Bo"] == 0
    assert table.then(royal("Anna"))["Bo"] == 0


@pytest.mark.reading(4)
def test_only_the_holder_of_the_best_hand_zeroes() -> None:
    """Reading 4: once the best hand is booked nobody zeroes with a lower one in the same phase."""
    table = play(gets(Bo=30), straight_flush("Bo"), exchanges=2, zeroing=ALWAYS)
    assert table.refusal(four("Anna")) == "not_announced"


@pytest.mark.rule("zeroing_victims", "others")
def test_zeroing_reaches_all_others() -> None:
    """With `zeroing_victims` others everybody but the holder is zeroed, and nobody is named."""
    table = play(gets(Anna=5, Bo=30, Cilla=40), zeroing=CHOICE, zeroing_victims="others")
    assert table.then(zero("Anna")).scores == {"Anna": 5, "Bo": 0, "Cilla": 0}
    assert table.refusal(zero("Anna", victim="Bo")) == "no_victim_to_name"


@pytest.mark.rule("zeroing_victims", "one")
def test_zeroing_reaches_the_one_whom_the_holder_names() -> None:
    """With `zeroing_victims` one only the named player is zeroed."""
    table = play(gets(Anna=5, Bo=30, Cilla=40), zeroing=CHOICE, zeroing_victims="one")
    assert table.then(zero("Anna", victim="Bo")).scores == {"Anna": 5, "Bo": 0, "Cilla": 40}


@pytest.mark.rule("zeroing_victims", "one")
def test_a_victim_is_named_for_a_zeroing_only_and_is_another() -> None:
    """With `zeroing_victims` one the victim is needed, is not the holder, and not for scoring."""
    table = play(gets(Bo=30), zeroing=CHOICE, zeroing_victims="one")
    assert table.refusal(zero("Anna")) == "victim_needed"
    assert table.refusal(zero("Anna", victim="Anna")) == "victim_is_holder"
    assert table.refusal(four("Anna", victim="Bo")) == "no_victim_to_name"


@pytest.mark.rule("zeroing_after_scoring", True, False)
@pytest.mark.parametrize(("may", "refusal"), [(True, None), (False, "zeroing_after_scoring")])
def test_who_scored_four_of_a_kind_may_zero_later_in_the_deal_or_not(
    refusal: str | None, *, may: bool
) -> None:
    """Without `zeroing_after_scoring` the scorer may score again but not zero; others may."""
    table = play(gets(Bo=30), four("Anna"), zeroing=CHOICE, zeroing_after_scoring=may)
    assert table.refusal(zero("Anna")) == refusal
    assert table.refusal(four("Anna")) is None
    assert table.refusal(zero("Bo")) is None


@pytest.mark.rule("zeroing_after_scoring", False)
def test_another_scored_hand_does_not_bar_zeroing() -> None:
    """Without `zeroing_after_scoring` only a scored four of a kind bars, not a straight flush."""
    table = play(straight_flush("Anna"), zeroing=CHOICE, zeroing_after_scoring=False)
    assert table.refusal(zero("Anna")) is None
