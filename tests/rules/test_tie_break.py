"""Equal at the top when the deal is over."""

import pytest

from tests.rules.table import (
    Table,
    blind,
    claims_falsely,
    deal_with_trick_to,
    gets,
    leaves,
    made,
    pair,
    play,
    royal,
)


def tied(**rules: object) -> Table:
    """Let Anna and Bo tie at 53, Cilla have 40, and a tie-break begin."""
    happened = (*gets(Anna=48, Bo=53, Cilla=40), *deal_with_trick_to("Anna"))
    return play(*happened, **{"tied_winners": "tie_break", **rules})


@pytest.mark.rule("tied_winners", "share")
def test_tied_winners_may_share() -> None:
    """With `tied_winners` share both have won."""
    table = tied(tied_winners="share")
    assert (table.winners, table.over) == (("Anna", "Bo"), True)


@pytest.mark.rule("tied_winners", "play_on")
def test_a_tie_may_mean_that_nobody_has_won() -> None:
    """With `tied_winners` play_on everybody plays the next deal, and may win it."""
    table = tied(tied_winners="play_on")
    assert (table.winners, table.tie_break, table.deal, table.step) == ((), (), 2, "hand_1")
    assert table.then(gets(Cilla=20), *deal_with_trick_to("Cilla")).winners == ("Cilla",)


@pytest.mark.rule("tied_winners", "tie_break")
@pytest.mark.reading(11)
def test_the_tied_play_on_alone() -> None:
    """Reading 11: nobody but the tied scores, exchanges, bids or leaves."""
    table = tied(exchange_stop=None)
    assert (table.tie_break, table.winners, table.deal) == (("Anna", "Bo"), (), 2)
    for event in (pair("Cilla"), leaves("Cilla"), gets(Cilla=1)[0], claims_falsely("Cilla")):
        assert table.refusal(event) == "player_frozen"
    assert [table.may_exchange(name) for name in table.scores] == [True, True, False]
    assert [table.may_bid(name) for name in table.scores] == [True, True, False]


@pytest.mark.reading(11)
def test_a_winning_hand_below_target_ends_the_deal_of_a_tie_break() -> None:
    """Reading 11: from -33 a royal flush comes to 19; the deal is over and the highest wins."""
    table = tied(winning_hands=["royal_flush"], hand_points={"royal_flush": 20})
    table = table.then(gets(Anna=-53), royal("Anna"))
    assert (table.winners, table.scores) == (("Bo",), {"Anna": 20, "Bo": 53, "Cilla": 40})


@pytest.mark.reading(11)
def test_a_blind_chicago_with_a_two_still_wins_at_once_in_a_tie_break() -> None:
    """Reading 11: it wins whatever the score."""
    rules = {"blind_chicago": {"points": 30, "penalty": 20, "with_two": 60}}
    table = tied(**rules).then(gets(Bo=70), blind("Anna"), made("with_two"))
    assert (table.winners, table["Anna"], table["Bo"]) == (("Anna",), 113, 123)


@pytest.mark.rule("tied_winners", "tie_break")
def test_a_tie_below_the_top_is_no_tie() -> None:
    """With `tied_winners` tie_break two who tie below the winner do not play on."""
    happened = (*gets(Anna=49, Bo=53, Cilla=53), *deal_with_trick_to("Anna"))
    assert play(*happened, tied_winners="tie_break").winners == ("Anna",)
