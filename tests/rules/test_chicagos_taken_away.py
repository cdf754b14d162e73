"""Chicagos said and made that a house rule takes away again."""

import pytest

from app.rules.events import Event
from tests.rules.table import (
    Table,
    bid,
    blind,
    broken,
    claims_falsely,
    deal_with_trick_to,
    exchanges_illegally,
    gets,
    made,
    nobody,
    play,
    to_the_play,
    zero,
)

CHOICE = {"zeroing": {"four_of_a_kind": "choice"}}
GOES_ON = {**CHOICE, "after_zeroing": "deal_goes_on"}
TAKES = {**CHOICE, "zeroing_takes_chicagos": True}
ANY_TIME = {**TAKES, **GOES_ON, "chicago_when": "any_time", "chicago_minimum": None}


def chicago_made_by(player: str) -> tuple[Event, ...]:
    """A deal in which a Chicago is made, by somebody who is given the points to bid it."""
    return (*gets(**{player: 15}), *to_the_play(), bid(player), made(), nobody())


def bid_early_and_zeroed(**rules: object) -> Table:
    """Let Bo bid Chicago in the first phase, then Anna zero in the second."""
    return play(bid("Bo"), nobody(), zero("Anna"), **ANY_TIME, **rules)


@pytest.mark.rule("zeroing_takes_chicagos", False)
def test_a_zeroing_may_leave_chicagos_alone() -> None:
    """Without `zeroing_takes_chicagos` who is zeroed has still made a Chicago, and wins with it."""
    table = play(*chicago_made_by("Bo"), zero("Anna"), **CHOICE, win_needs_chicago="won")
    assert (table["Bo"], table.chicagos("Bo")) == (0, (1, 1))
    assert table.then(gets(Bo=52), *deal_with_trick_to("Anna")).winners == ("Bo",)


@pytest.mark.rule("zeroing_takes_chicagos", True)
@pytest.mark.reading(19)
def test_a_zeroing_may_take_chicagos_too() -> None:
    """With `zeroing_takes_chicagos` who is zeroed has said and made none; the holder keeps all."""
    table = play(*chicago_made_by("Bo"), *chicago_made_by("Anna"), zero("Anna"), **TAKES)
    assert (table.chicagos("Bo"), table.chicagos("Anna")) == ((0, 0), (1, 1))


@pytest.mark.rule("zeroing_takes_chicagos", True)
def test_only_the_named_victim_loses_chicagos() -> None:
    """With `zeroing_takes_chicagos` and one victim the others keep what they have."""
    table = play(*chicago_made_by("Bo"), *chicago_made_by("Cilla"), zero("Anna", victim="Cilla"),
                 **TAKES, zeroing_victims="one")  # fmt: skip
    assert (table.chicagos("Bo"), table.chicagos("Cilla")) == ((1, 1), (0, 0))


@pytest.mark.rule("zeroing_takes_chicagos", True)
def test_a_zeroing_that_waits_takes_the_chicago_made_meanwhile() -> None:
    """With `zeroing_takes_chicagos` and zeroing_last the Chicago is played, so it is taken too."""
    table = play(gets(Bo=20), *to_the_play(), zero("Anna"), bid("Bo"), made(), **TAKES,
                 after_zeroing="deal_goes_on", zeroing_and_chicago="zeroing_last")  # fmt: skip
    assert (table.deal, table["Bo"], table.chicagos("Bo")) == (2, 0, (0, 0))


@pytest.mark.reading(19)
def test_nothing_but_a_hand_takes_chicagos() -> None:
    """Reading 19: an illegal exchange, a false claim or an unmet requirement costs points only."""
    rules = {**TAKES, "illegal_exchange": "zeroed", "exchange_stop_when": "at_once"}
    exchanged = play(*chicago_made_by("Bo"), gets(Bo=20), exchanges_illegally("Bo"), **rules)
    assert (exchanged["Bo"], exchanged.chicagos("Bo")) == (0, (1, 1))
    claimed = play(*chicago_made_by("Bo"), claims_falsely("Bo"), **TAKES)
    assert (claimed["Bo"], claimed.chicagos("Bo")) == (0, (1, 1))
    lost = (*gets(Bo=67), *to_the_play(), bid("Bo"), broken())
    unmet = play(*lost, **TAKES, win_needs_chicago="won")
    assert (unmet["Bo"], unmet.chicagos("Bo")) == (0, (1, 0))


@pytest.mark.reading(19)
def test_a_bid_stands_though_its_bidder_is_zeroed() -> None:
    """Reading 19: Bo's early bid is played on; made it counts as made, broken as nothing."""
    table = bid_early_and_zeroed(chicago_hand="never")
    assert (table.step, table.chicagos("Bo")) == ("chicago_play", (0, 0))
    assert table.refusal(bid("Cilla")) == "chicago_already_bid"
    assert table.then(made()).chicagos("Bo") == (0, 1)
    assert table.then(broken()).chicagos("Bo") == (0, 0)


@pytest.mark.reading(19)
def test_who_has_made_a_chicago_has_said_one() -> None:
    """Reading 19: a Chicago made is enough where one has to be said, though the bid was taken."""
    table = bid_early_and_zeroed(chicago_hand="never", win_needs_chicago="declared")
    last = (*gets(Bo=52), *deal_with_trick_to("Anna"))
    assert table.then(made(), *last).winners == ("Bo",)
    assert table.then(broken(), *last)["Bo"] == 0


def chicago_lost_by(player: str) -> tuple[Event, ...]:
    """A deal in which a Chicago is lost, by somebody who is given the points to bid it."""
    return (*gets(**{player: 15}), *to_the_play(), bid(player), broken())


@pytest.mark.rule("lost_chicago_takes_won", False)
def test_a_lost_chicago_may_leave_earlier_ones_alone() -> None:
    """Without `lost_chicago_takes_won` the Chicago made first lets Bo win after the lost one."""
    rules = {"lost_chicago_takes_won": False, "win_needs_chicago": "won"}
    table = play(*chicago_made_by("Bo"), *chicago_lost_by("Bo"), **rules)
    assert table.chicagos("Bo") == (2, 1)
    assert table.then(gets(Bo=22), *deal_with_trick_to("Anna")).winners == ("Bo",)


@pytest.mark.rule("lost_chicago_takes_won", True)
@pytest.mark.reading(19)
def test_a_lost_chicago_may_take_an_earlier_one() -> None:
    """With `lost_chicago_takes_won` Bo has made none again, and lacks one at the target."""
    rules = {"lost_chicago_takes_won": True, "win_needs_chicago": "won"}
    table = play(*chicago_made_by("Bo"), *chicago_lost_by("Bo"), **rules)
    assert (table["Bo"], table.chicagos("Bo")) == (30, (2, 0))
    assert table.then(gets(Bo=22), *deal_with_trick_to("Anna")).scores["Bo"] == 0


@pytest.mark.rule("lost_chicago_takes_won", True)
@pytest.mark.reading(19)
def test_a_lost_chicago_takes_one_at_most_and_the_declarers_own() -> None:
    """Reading 19: of two made one is left, with none made none is taken; others keep theirs."""
    made_two = (*chicago_made_by("Bo"), *chicago_made_by("Bo"), *chicago_made_by("Cilla"))
    table = play(*made_two, *chicago_lost_by("Bo"), lost_chicago_takes_won=True, target=100)
    assert (table.chicagos("Bo"), table.chicagos("Cilla")) == ((3, 1), (1, 1))
    table = table.then(*chicago_lost_by("Bo"), *chicago_lost_by("Bo"))
    assert table.chicagos("Bo") == (5, 0)


@pytest.mark.rule("lost_chicago_takes_won", True)
@pytest.mark.reading(19)
def test_a_lost_blind_chicago_takes_an_earlier_one_too() -> None:
    """Reading 19: blind or not, made or lost, they are all Chicagos."""
    rules = {"preset": "wikipedia", "lost_chicago_takes_won": True}
    table = play(blind("Bo"), made(), **rules)
    assert table.chicagos("Bo") == (1, 1)
    assert table.then(blind("Bo"), broken()).chicagos("Bo") == (2, 0)
