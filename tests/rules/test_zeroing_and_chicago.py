"""A zeroing laid open before the play, and a Chicago bid after it in the same deal."""

import pytest

from tests.rules.table import (
    Table,
    bid,
    gets,
    made,
    nobody,
    play,
    to_the_play,
    zero,
)


def zeroed_before_the_play(how: str, chicago_last_trick: str = "never", **points: int) -> Table:
    """Let Anna zero before the play, in a deal that goes on."""
    return play(
        gets(**points),
        *to_the_play(),
        zero("Anna"),
        zeroing={"four_of_a_kind": "choice"},
        after_zeroing="deal_goes_on",
        zeroing_and_chicago=how,
        chicago_last_trick=chicago_last_trick,
    )


@pytest.mark.rule("zeroing_and_chicago", "zeroing_first")
def test_zeroing_may_strike_before_the_bid() -> None:
    """With `zeroing_and_chicago` zeroing_first the bidder needs the minimum after the zeroing."""
    table = zeroed_before_the_play("zeroing_first", Anna=20, Bo=20, Cilla=10)
    assert table.scores == {"Anna": 20, "Bo": 0, "Cilla": 0}
    assert table.refusal(bid("Bo")) == "chicago_minimum"
    assert table.refusal(bid("Anna")) is None


@pytest.mark.rule("zeroing_and_chicago", "chicago_voids_zeroing")
def test_a_chicago_may_cancel_the_zeroing() -> None:
    """With `zeroing_and_chicago` chicago_voids_zeroing the bid saves everybody's score."""
    table = zeroed_before_the_play("chicago_voids_zeroing", Anna=20, Bo=20, Cilla=10)
    assert table.scores == {"Anna": 20, "Bo": 20, "Cilla": 10}
    table = table.then(bid("Bo"), made())
    assert (table.scores, table.deal) == ({"Anna": 20, "Bo": 35, "Cilla": 10}, 2)


@pytest.mark.rule("zeroing_and_chicago", "zeroing_last")
@pytest.mark.parametrize("phase", [1, 2])
def test_a_zeroing_in_an_earlier_phase_strikes_when_booked(phase: int) -> None:
    """`zeroing_and_chicago` is only for a zeroing before the play; any other strikes at once."""
    rules = {"zeroing": {"four_of_a_kind": "choice"}, "after_zeroing": "deal_goes_on"}
    table = play(gets(Bo=20), zeroing_and_chicago="zeroing_last", **rules)
    table = table.then(*(nobody() for _ in range(phase - 1)), zero("Anna"))
    assert table["Bo"] == 0


@pytest.mark.rule("zeroing_and_chicago", "chicago_voids_zeroing")
def test_a_chicago_bid_earlier_does_not_cancel_a_zeroing() -> None:
    """`zeroing_and_chicago` is only for a Chicago bid after the zeroing, not for an early one."""
    table = play(
        gets(Bo=20),
        bid("Bo"),
        zero("Anna"),
        zeroing={"four_of_a_kind": "choice"},
        after_zeroing="deal_goes_on",
        zeroing_and_chicago="chicago_voids_zeroing",
        chicago_when="any_time",
    )
    assert (table["Bo"], table.step) == (0, "hand_2")


@pytest.mark.rule("zeroing_and_chicago", "zeroing_last")
def test_a_waiting_zeroing_reaches_the_named_victim_only() -> None:
    """With `zeroing_and_chicago` zeroing_last and one victim, the others keep their scores."""
    table = play(
        gets(Bo=20, Cilla=10),
        *to_the_play(),
        zero("Anna", victim="Cilla"),
        bid("Bo"),
        made(),
        zeroing={"four_of_a_kind": "choice"},
        zeroing_victims="one",
        after_zeroing="deal_goes_on",
        zeroing_and_chicago="zeroing_last",
    )
    assert table.scores == {"Anna": 0, "Bo": 35, "Cilla": 0}
