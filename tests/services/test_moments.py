"""The moments of an evening are the largest swings of all its games."""

import json
from datetime import date
from itertools import groupby
from operator import itemgetter

from app.rules.gamefile import read_game
from app.services import people
from app.services.figures import MOMENTS, find_moments
from app.services.statistics import read_moments
from app.store.clock import this_evening
from tests.services.keeper import Keeper
from tests.services.test_statistics import files


def test_no_swing_of_an_evening_is_larger_than_those_told(golden: Keeper) -> None:
    """Of each evening the moments are those of all its files, by person."""
    golden.commit(people.Merge("Erik", "Anna"))
    whose = golden.people.canonical
    for day, evening in groupby(files(golden), itemgetter(0)):
        games = {number: read_game(json.loads(file)) for _, number, file in evening}
        told = read_moments(golden.db, golden.table_id, date.fromisoformat(day))
        swings = [each for n, game in games.items() for each in find_moments(n, game.states())]
        largest = sorted((abs(swing.points) for swing in swings), reverse=True)[:MOMENTS]
        assert [abs(moment.points) for moment in told] == largest
        by_person = [
            (swing.game, swing.deal, tuple(whose[name] for name in swing.players), swing.points)
            for swing in swings
        ]
        assert {(m.game, m.deal, m.players, m.points) for m in told} <= {*by_person}


def test_a_void_game_has_no_moments(keeper: Keeper) -> None:
    """Only the game after it has one."""
    keeper.record("Anna full_house, void")
    keeper.next_game()
    keeper.record("Anna flush, settled")
    assert [each.game for each in read_moments(keeper.db, keeper.table_id, this_evening())] == [2]
