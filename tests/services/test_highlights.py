"""The highlights of an evening match a slow recount of all files."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from operator import itemgetter
from typing import Any

from app.rules.gamefile import read_game
from app.rules.statistics import find_moments
from app.services import settings
from app.services.statistics import MOMENTS, read_highlights
from tests.rules.recount import recount
from tests.services.keeper import SETTLE, VOID, Keeper, best_hand
from tests.services.test_statistics import files


def test_highlights_are_those_counted_slowly(golden: Keeper) -> None:
    """The figures of each evening match its files, and no swing is larger than those told."""
    golden.commit(settings.Merge("Erik", "Anna"))
    whose = golden.people.canonical
    for _, evening in groupby(files(golden), itemgetter(0)):
        played = [(number, file) for _, number, file in evening]
        told = read_highlights(golden.db, golden.table_id, [number for number, _ in played])
        seats: list[dict[str, Any]] = []
        swings = []
        for number, file in played:
            counted = recount(file)[0]
            seats += [{**seat, "name": whose[name]} for name, seat in counted.items()]
            if counted:
                swings += find_moments(number, read_game(json.loads(file)).states())
        zeroings = Counter({seat["name"]: 0 for seat in seats})
        for seat in seats:
            zeroings[seat["name"]] += seat["zeroings_given"]
        assert told.zeroings == +zeroings
        for chicagos in ("chicagos_said", "chicagos_made"):
            assert getattr(told, chicagos) == sum(seat[chicagos] for seat in seats)
        largest = sorted((abs(swing.points) for swing in swings), reverse=True)[:MOMENTS]
        assert [abs(moment.points) for moment in told.moments] == largest
        for moment in told.moments:
            named = [tuple(whose[name] for name in swing.players) for swing in swings]
            assert moment.players in named


def test_a_void_game_has_no_highlights(keeper: Keeper) -> None:
    """A void game has no figures and no swing, and one after it has."""
    keeper.record(best_hand("Anna", "full_house"), VOID)
    void = read_highlights(keeper.db, keeper.table_id, [1])
    assert (void.games, void.moments) == (0, [])
    keeper.next_game()
    keeper.record(best_hand("Anna", "flush"), SETTLE)
    both = read_highlights(keeper.db, keeper.table_id, [1, 2])
    assert (both.games, [moment.players for moment in both.moments]) == (1, [("Anna",)])
