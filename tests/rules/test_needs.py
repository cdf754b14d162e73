"""What a player needs to win in this deal, as trying it out on the state tells."""

from itertools import combinations

from hypothesis import given

from app.rules.hands import Hand
from app.rules.needs import INCLUDED, RISING, Way, needs
from app.rules.state import Step
from tests.rules.strategies import Played, games
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


def test_a_hand_that_is_enough_alone_is_not_asked_for_with_a_chicago() -> None:
    """Where a straight flush wins by itself, a Chicago made besides is no way of its own."""
    ways = needs(play(preset="huvudregler").state, "Anna").ways
    assert [(way.play, way.hand) for way in ways] == [("nothing", Hand.STRAIGHT_FLUSH)]


def test_nothing_more_is_easier_than_anything() -> None:
    """Who is at the target already, and may win, need do nothing for it."""
    assert needs(play(gets(Anna=60)).state, "Anna").ways == (Way("nothing"),)


def test_a_blind_chicago_is_no_way_where_an_ordinary_one_is_enough() -> None:
    """A blind Chicago is the harder one, and with a two it is harder still."""
    blind = {"points": 30, "penalty": 20, "with_two": 60}
    table = play(gets(Anna=40), blind_chicago=blind)
    assert not [way for way in needs(table.state, "Anna").ways if way.play.startswith("blind")]
    low = play(gets(Anna=30), blind_chicago=blind, chicago_points=15)
    assert [way for way in needs(low.state, "Anna").ways if way.play.startswith("blind")] == [
        Way("blind")
    ]


@given(games())
def test_no_way_is_covered_by_another(played: Played) -> None:
    """Of two ways to win with the same play or an easier one, neither makes the other needless."""
    state = played.states[-1]
    for name in state.players:
        ways = needs(state, name).ways
        for easier, harder in combinations(ways, 2):
            if easier.play in INCLUDED[harder.play]:
                assert easier.hand is not None
                needless = harder.hand is not None and RISING.index(easier.hand) <= RISING.index(
                    harder.hand
                )
                assert not (needless and set(easier.steps) & set(harder.steps))


def test_who_does_not_play_cannot_win() -> None:
    """After the game, and for whoever is out, there is no way."""
    over = play(gets(Anna=45, Bo=52), nobody(), nobody(), trick("Bo"), nobody())
    assert over.state.over
    assert needs(over.state, "Anna").ways == ()
