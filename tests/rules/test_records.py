"""Records: a game compared with all earlier games at its table."""

from __future__ import annotations

from typing import Any

import pytest

from app.rules.hands import Hand
from app.rules.records import GameRecord, find_records
from app.rules.statistics import SeatStatistics

LOST: dict[str, Any] = {
    "won": False,
    "ore": 0,
    "score": 0,
    "deals": 5,
    "chicagos_said": 0,
    "chicagos_made": 0,
    "zeroings_given": 0,
    "zeroings_suffered": 0,
    "falls": 0,
    "last_tricks": 0,
    "biggest_swing": 0,
    "longest_stop": 0,
}
Game = list[SeatStatistics]


def seat(name: str, *hands: Hand, **figures: object) -> SeatStatistics:
    """Return one player's game with these figures, and none besides."""
    counted = {hand: hands.count(hand) for hand in Hand}
    return SeatStatistics(**(LOST | figures), seat=1, name=name, hands=counted)


def game(*anna_had: Hand, **anna: object) -> Game:
    """Return a game of Anna and Bo, in which only Anna has figures."""
    return [seat("Anna", *anna_had, **anna), seat("Bo")]


def codes(now: Game, *before: Game) -> list[str]:
    """Return the codes of a game's records after other games."""
    return [record.code for record in find_records([now], [[each] for each in before])]


def test_the_first_of_all_games_has_no_records() -> None:
    """Without earlier games everything would be a record."""
    assert find_records([game(Hand.ROYAL_FLUSH, won=True, ore=500, biggest_swing=52)], []) == []


def test_a_first_royal_is_the_first_once() -> None:
    """Anna's first royal flush is a record; her second is not, nor is an ordinary hand."""
    royal = game(Hand.ROYAL_FLUSH, Hand.PAIR)
    assert find_records([royal], [[game()]]) == [
        GameRecord("first_hand", ("Anna",), 1, Hand.ROYAL_FLUSH)
    ]
    assert codes(royal, game(), royal) == []


def test_the_third_win_in_a_row_counts_only_games_that_one_sat_in() -> None:
    """Games without her do not end the streak, and a loss does."""
    won, others = game(won=True), [seat("Cilla"), seat("Dan", won=True)]
    found = find_records([won], [[each] for each in (won, others, won)])
    assert GameRecord("wins_in_a_row", ("Anna",), 3) in found
    assert "wins_in_a_row" not in codes(won, won, won, game())
    assert "wins_in_a_row" not in codes(won, won, game(), won)
    assert "wins_in_a_row" not in codes(game(), won, won, won)


@pytest.mark.parametrize(
    ("code", "figure"), [("biggest_swing", "biggest_swing"), ("highest_win", "ore")]
)
def test_the_highest_so_far_is_higher_than_all_before(code: str, figure: str) -> None:
    """A tie is no record, nor is a first value, nor one that beats only a few games."""
    before = [[game(**{figure: 33})], *([game()] for _ in range(4))]
    found = find_records([game(**{figure: 34})], before)
    assert found == [GameRecord(code, ("Anna",), 34)]  # type: ignore[arg-type]  # one of the codes
    assert find_records([game(**{figure: 34})], before[:4]) == []
    assert find_records([game(**{figure: 33})], before) == []
    assert find_records([game(**{figure: 33})], before[1:] * 2) == []


def test_zeroings_of_an_evening_are_compared_with_evenings() -> None:
    """Two games with two each make four, the most in one evening but not in one game."""
    two, three = game(zeroings_given=2), game(zeroings_given=3)
    found = find_records([two, two], [[three], [game(), game()]], evening=True)
    assert found == [GameRecord("zeroings_of_evening", (), 4)]
    assert codes(two, three) == []
    assert codes(game(zeroings_given=1), game()) == []


def test_chicagos_of_a_game_are_everybodys_together() -> None:
    """One of Anna's and one of Bo's are two, more than in any earlier game."""
    both = [seat("Anna", chicagos_made=1), seat("Bo", chicagos_made=1)]
    found = find_records([both], [[game(chicagos_made=1)]])
    assert GameRecord("chicagos_of_game", (), 2) in found
    assert GameRecord("first_chicago", ("Bo",), 1) in found


def test_a_win_at_last_comes_after_ten_games_without_one() -> None:
    """The eleventh game counts; a player without any earlier win has a first win."""
    lost, won = game(), game(won=True)
    found = find_records([won], [[won], *([lost] for _ in range(10))])
    assert found == [GameRecord("win_at_last", ("Anna",), 11)]
    assert codes(won, won, *[lost] * 9) == []
    assert codes(won, *[lost] * 10) == ["first_win"]


def test_who_is_new_has_no_first_win() -> None:
    """A first win takes an earlier game without one."""
    assert codes([seat("Cilla", won=True, chicagos_made=1)], game()) == []


def test_a_round_number_of_games_is_a_jubilee() -> None:
    """The tenth and the hundredth are, the eleventh is not, and an evening may contain one."""
    assert codes(game(), *[game()] * 9) == ["jubilee"]
    assert codes(game(), *[game()] * 99) == ["jubilee"]
    assert codes(game(), *[game()] * 10) == []
    evening = find_records([game()] * 3, [[game()] * 8], evening=True)
    assert evening == [GameRecord("jubilee", (), 10)]
