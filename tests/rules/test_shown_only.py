"""House rules that are shown to the players and change no score."""

import pytest

from app.rules.gamefile import write_result
from app.rules.house import OPTIONS
from app.rules.rights import may_exchange
from tests.rules.table import (
    Happening,
    bid,
    broken,
    deal_with_trick_to,
    gets,
    nobody,
    pair,
    play,
    tie,
    to_the_play,
    trick,
)
from tests.rules.test_rule_values import ALLOWED

SHOWN_ONLY = [field for field, row in OPTIONS.items() if row.affects == "shown"]
A_GAME: tuple[Happening, ...] = (
    gets(Anna=46, Bo=30),
    *deal_with_trick_to("Cilla"),
    *(pair("Anna"), tie("flush", "Bo", "Cilla"), bid("Bo"), broken("Cilla")),
    *(*to_the_play(), trick("Anna"), nobody()),
)


@pytest.mark.rule("exchange_stop_style", "no_exchange", "six_cards")
@pytest.mark.rule("chicago_lead", "declarer", "eldest")
@pytest.mark.rule("chicago_priority", "eldest_first", "overbid")
@pytest.mark.rule("chicago_breaker", "taker", "first_over")
@pytest.mark.rule("open_card", True, False)
@pytest.mark.rule("redeal_low_hand", None, "below_ten", "ten_or_below")
@pytest.mark.rule("lay_aside", True, False)
@pytest.mark.rule("first_dealer_by", "random", "lowest_card")
@pytest.mark.rule("max_exchange")
@pytest.mark.parametrize("field", SHOWN_ONLY)
def test_what_is_only_shown_changes_no_score(field: str) -> None:
    """A whole game has the same result whatever the value of such a rule."""
    without = play(*A_GAME)
    assert without.winners == ("Anna",)
    for value in ALLOWED[field]:
        assert write_result(play(*A_GAME, **{field: value}).states) == write_result(without.states)


@pytest.mark.rule("max_exchange")
def test_the_number_of_cards_is_part_of_the_answer() -> None:
    """`max_exchange` is told to who may exchange."""
    for cards in range(1, 6):
        assert may_exchange(play(max_exchange=cards).state, "Anna").values["cards"] == cards
