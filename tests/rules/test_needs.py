"""What a player needs to win in this deal, as trying it out on the state tells."""

from app.rules.hands import Hand
from app.rules.needs import Way, needs
from app.rules.state import Step
from tests.rules.table import gets, nobody, play, trick

HANDS_TO_COME = (Step.HAND_1, Step.HAND_2, Step.FINAL_HAND)


def test_the_points_missing_are_those_to_the_target() -> None:
    """At 45 of 52 seven are missing; at the target none are."""
    table = play(gets(Anna=45, Bo=60))
    assert needs(table.state, "Anna").missing == 7
    assert needs(table.state, "Bo").missing == 0


def test_every_play_has_the_least_hand_that_is_enough() -> None:
    """Seven points: four of a kind alone, two pairs with the last trick, or a Chicago."""
    ways = needs(play(gets(Anna=45)).state, "Anna").ways
    assert ways == (
        Way("nothing", Hand.FOUR_OF_A_KIND, HANDS_TO_COME),
        Way("trick", Hand.TWO_PAIRS, HANDS_TO_COME),
        Way("chicago"),
    )


def test_after_the_trick_only_the_final_hand_is_left() -> None:
    """Three points short at the final hand, three of a kind is enough."""
    table = play(gets(Anna=49), nobody(), nobody(), trick("Bo"))
    assert needs(table.state, "Anna").ways == (
        Way("nothing", Hand.THREE_OF_A_KIND, (Step.FINAL_HAND,)),
    )


def test_a_chicago_asked_for_must_be_in_the_way_of_winning() -> None:
    """Who has not bid Chicago wins only with one, or with a hand that wins at once."""
    table = play(gets(Anna=45), win_needs_chicago="declared", winning_hands=["royal_flush"])
    plays = {(way.play, way.hand) for way in needs(table.state, "Anna").ways}
    assert plays == {("nothing", Hand.ROYAL_FLUSH), ("chicago", None)}


def test_a_final_trick_asked_for_must_be_taken() -> None:
    """With `finish` trick_same_deal the points alone are not enough."""
    table = play(gets(Anna=60), finish="trick_same_deal")
    assert [way.play for way in needs(table.state, "Anna").ways] == ["trick", "chicago"]


def test_a_blind_chicago_with_a_two_wins_from_nothing() -> None:
    """Where it is played, it is always a way while the deal has not begun."""
    blind = {"points": 30, "penalty": 20, "with_two": 60}
    table = play(blind_chicago=blind)
    assert Way("blind_with_two") in needs(table.state, "Anna").ways
    assert needs(table.then(nobody()).state, "Anna").ways != needs(table.state, "Anna").ways


def test_who_does_not_play_cannot_win() -> None:
    """After the game, and for whoever is out, there is no way."""
    over = play(gets(Anna=45, Bo=52), nobody(), nobody(), trick("Bo"), nobody())
    assert over.state.over
    assert needs(over.state, "Anna").ways == ()
