"""How many exchanges a deal has, and after which of them the best hand scores."""

import pytest

from tests.rules.table import deal_with_trick_to, nobody, pair, play, royal, trick


def steps_of_a_deal(**rules: object) -> list[str]:
    """Play a deal in which nobody has a hand, and list what was recorded."""
    table, steps = play(**rules), []
    while table.deal == 1:
        steps.append(table.step)
        table = table.then(trick("Anna") if table.step == "play" else nobody())
    return steps


@pytest.mark.rule("exchanges", 1, 2, 3)
@pytest.mark.rule("scored_exchanges", None)
@pytest.mark.parametrize("exchanges", [1, 2, 3])
def test_without_a_list_every_exchange_but_the_last_scores(exchanges: int) -> None:
    """With `scored_exchanges` null the hands before the play are one fewer than the exchanges."""
    steps = steps_of_a_deal(exchanges=exchanges, scored_exchanges=None)
    assert steps == [*["hand_1", "hand_2"][: exchanges - 1], "play", "final_hand"]


@pytest.mark.rule("scored_exchanges")
@pytest.mark.parametrize(
    ("scored", "hands"),
    [
        ([], []),
        ([1], ["hand_1"]),
        ([2], ["hand_2"]),
        ([3], ["hand_3"]),
        ([3, 1], ["hand_1", "hand_3"]),
        ([1, 2, 3], ["hand_1", "hand_2", "hand_3"]),
    ],
)
def test_listed_exchanges_score_and_no_others(scored: list[int], hands: list[str]) -> None:
    """With a list in `scored_exchanges` a hand scores after those exchanges, in their order."""
    assert steps_of_a_deal(scored_exchanges=scored) == [*hands, "play", "final_hand"]


@pytest.mark.rule("hand_after_play", True)
def test_the_best_hand_scores_after_the_play() -> None:
    """With `hand_after_play` the final hand is recorded after the last trick, and gets points."""
    table = play(nobody(), nobody(), trick("Bo"), hand_after_play=True)
    assert table.step == "final_hand"
    assert table.then(pair("Anna")).scores == {"Anna": 1, "Bo": 5, "Cilla": 0}


@pytest.mark.rule("hand_after_play", False)
def test_without_a_hand_after_the_play_the_trick_ends_the_deal() -> None:
    """With `hand_after_play` false the deal is over after the last trick."""
    table = play(nobody(), nobody(), trick("Bo"), hand_after_play=False)
    assert (table.deal, table.step, table["Bo"]) == (2, "hand_1", 5)


def test_the_deal_passes_clockwise() -> None:
    """The dealer of each deal sits left of the one before, round the table."""
    table = play(dealer="Bo")
    dealers = [table.dealer]
    for _ in range(3):
        table = table.then(*deal_with_trick_to("Anna"))
        dealers.append(table.dealer)
    assert dealers == ["Bo", "Cilla", "Anna", "Bo"]


def test_the_deal_passes_after_a_deal_cut_short_too() -> None:
    """A deal that a hand has ended early is followed by the next dealer's, like any other."""
    table = play(
        royal("Anna"),
        zeroing={"royal_flush": "always"},
        hand_points={"royal_flush": 20},
        dealer="Bo",
    )
    assert (table.deal, table.dealer, table.step) == (2, "Cilla", "hand_1")
