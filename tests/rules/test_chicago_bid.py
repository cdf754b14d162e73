"""Who may bid Chicago, and when."""

import pytest

from tests.rules.table import (
    bid,
    blind,
    broken,
    gets,
    made,
    nobody,
    play,
    to_the_play,
    trick,
)


@pytest.mark.rule("chicago_minimum")
def test_a_bid_needs_the_minimum() -> None:
    """With `chicago_minimum` 15 who has 14 may not bid, and who has 15 may."""
    table = play(gets(Anna=14, Bo=15), *to_the_play(), chicago_minimum=15)
    assert table.refusal(bid("Anna")) == "chicago_minimum"
    assert table.refusal(bid("Bo")) is None
    assert (table.may_bid("Anna"), table.may_bid("Bo")) == (False, True)


@pytest.mark.rule("chicago_maximum")
def test_a_bid_needs_fewer_points_than_the_maximum() -> None:
    """With `chicago_maximum` 32 who has 32 may not bid, and who has 31 may."""
    table = play(gets(Anna=32, Bo=31), *to_the_play(), chicago_maximum=32)
    assert table.refusal(bid("Anna")) == "chicago_maximum"
    assert table.refusal(bid("Bo")) is None
    assert (table.may_bid("Anna"), table.may_bid("Bo")) == (False, True)


@pytest.mark.rule("chicago_maximum", None)
def test_without_a_maximum_any_score_may_bid() -> None:
    """With `chicago_maximum` null who has 51 may bid."""
    assert play(gets(Anna=51), *to_the_play(), chicago_maximum=None).may_bid("Anna")


@pytest.mark.rule("chicago_maximum")
def test_a_blind_chicago_has_no_maximum() -> None:
    """With `chicago_maximum` 32 who has 40 may still bid blind."""
    rules = {"chicago_maximum": 32, "blind_chicago": {"points": 30, "penalty": 20}}
    table = play(gets(Anna=40), **rules)
    assert table.refusal(blind("Anna")) is None


@pytest.mark.rule("chicago_when", "before_play")
def test_chicago_is_bid_after_the_last_exchange() -> None:
    """With `chicago_when` before_play no bid is recorded while a hand is due before the play."""
    table = play(gets(Bo=20), chicago_when="before_play")
    assert table.refusal(bid("Bo")) == "chicago_before_play"
    assert table.then(nobody()).refusal(bid("Bo")) == "chicago_before_play"
    assert table.then(*to_the_play()).refusal(bid("Bo")) is None


@pytest.mark.rule("chicago_when", "any_time")
@pytest.mark.parametrize("passed", [0, 1, 2])
def test_chicago_may_be_bid_in_every_phase_before_the_play(passed: int) -> None:
    """With `chicago_when` any_time a bid is recorded at either hand and before the play."""
    table = play(gets(Bo=20), *(nobody() for _ in range(passed)), chicago_when="any_time")
    assert table.refusal(bid("Bo")) is None


@pytest.mark.rule("chicago_when", "any_time")
def test_chicago_is_not_bid_after_the_play() -> None:
    """With `chicago_when` any_time it is too late once the last trick is taken."""
    table = play(gets(Bo=20), *to_the_play(), trick("Anna"), chicago_when="any_time")
    assert table.refusal(bid("Bo")) == "chicago_too_late"


@pytest.mark.reading(14)
def test_one_chicago_is_bid_in_a_deal() -> None:
    """Reading 14: once one is bid nobody else may bid in the same deal."""
    table = play(gets(Anna=20, Bo=20), bid("Bo"), chicago_when="any_time")
    assert table.refusal(bid("Anna")) == "chicago_already_bid"
    assert table.refusal(bid("Bo")) == "chicago_already_bid"
    assert not table.may_bid("Anna")


@pytest.mark.reading(14)
def test_nobody_may_bid_after_the_chicago_in_the_same_deal() -> None:
    """Reading 14: nobody may bid while the final hand of a deal with a Chicago is due."""
    table = play(gets(Anna=20, Bo=20), *to_the_play(), bid("Bo"), made())
    assert (table.step, table.may_bid("Anna")) == ("final_hand", False)
    assert table.then(nobody()).may_bid("Anna")


@pytest.mark.rule("chicago_once", True, False)
@pytest.mark.parametrize(("once", "refusal"), [(True, "chicago_once"), (False, None)])
def test_a_player_may_be_held_to_one_chicago_in_a_game(refusal: str | None, *, once: bool) -> None:
    """With `chicago_once` who has bid once, made or not, may not bid again; others may."""
    table = play(gets(Anna=20, Bo=40), *to_the_play(), bid("Bo"), broken(), chicago_once=once)
    table = table.then(*to_the_play())
    assert (table.refusal(bid("Bo")), table.refusal(bid("Anna"))) == (refusal, None)
