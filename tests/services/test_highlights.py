"""The highlights of a game or an evening match a slow recount of all files."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any, Literal

import pytest

from app.rules.records import find_records
from app.rules.statistics import SeatStatistics
from app.services import settings
from app.services.statistics import read_highlights
from app.store.clock import this_evening
from tests.rules.recount import recount
from tests.services.keeper import SETTLE, VOID, Keeper, best_hand
from tests.services.test_statistics import files

# The seats of a game; a void one has none.
Counted = list[SeatStatistics]


def count(keeper: Keeper, kind: Literal["game", "evening"]) -> list[tuple[str, int, list[Counted]]]:
    """Count games by person from their files: each alone, or all of an evening together."""
    whose, games = keeper.people.canonical, []
    for evening, number, file in files(keeper):
        seats: dict[str, Any] = recount(file)[0]
        counted = [SeatStatistics(**{**each, "name": whose[n]}) for n, each in seats.items()]
        games.append((evening, number, [counted] if counted else []))
    if kind == "game":
        return [game for game in games if game[2]]
    groups = itertools.groupby(games, lambda game: game[0])
    return [(day, 0, [seats for *_, each in group for seats in each]) for day, group in groups]


@pytest.mark.parametrize("kind", ["game", "evening"])
def test_highlights_are_those_counted_slowly(
    golden: Keeper, kind: Literal["game", "evening"]
) -> None:
    """The figures and records of each match its files and those before it."""
    golden.commit(settings.Merge("Erik", "Anna"))
    before: list[list[Counted]] = []
    seen = set()
    for day, number, games in count(golden, kind):
        evening = this_evening().fromisoformat(day)
        told = read_highlights(golden.db, golden.table_id, evening, number or None)
        seats = [seat for game in games for seat in game]
        for figures, name in (("wins", "won"), ("zeroings", "zeroings_given"), ("falls", "falls")):
            sums = Counter({seat.name: 0 for seat in seats})
            for seat in seats:
                sums[seat.name] += getattr(seat, name)
            assert getattr(told, figures) == +sums
        for chicagos in ("chicagos_said", "chicagos_made"):
            assert getattr(told, chicagos) == sum(getattr(seat, chicagos) for seat in seats)
        most = max((seat.biggest_swing for seat in seats), default=0)
        swing = next((seat for seat in seats if seat.biggest_swing == most > 0), None)
        assert (told.evening, told.games, told.swing) == (evening, len(games), swing)
        assert told.records == find_records(games, before, evening=kind == "evening")
        before += [games] if games else []
        seen |= {record.code for record in told.records}
    assert seen >= {"first_hand", "wins_in_a_row", "biggest_swing"} or kind == "evening"
    assert len(seen) > 3


def test_a_void_game_has_no_highlights_and_counts_for_nothing(keeper: Keeper) -> None:
    """A void game has no figures, and the one after it is the first."""
    keeper.record(best_hand("Anna", "full_house"), VOID)
    void = read_highlights(keeper.db, keeper.table_id, this_evening(), 1)
    assert (void.games, void.swing, void.records) == (0, None, [])
    keeper.next_game()
    keeper.record(best_hand("Anna", "flush"), SETTLE)
    assert read_highlights(keeper.db, keeper.table_id, this_evening(), 2).records == []
