"""What is told of a game or an evening is what a slow recount of all files says."""

from __future__ import annotations

import io
import itertools
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from app.rules.records import GameRecord, find_records
from app.rules.statistics import SeatStatistics
from app.services import import_export, settings, table_view, tables
from app.services.statistics import Highlights, read_highlights
from app.store.clock import evening_of, this_evening
from app.store.database import Database
from tests.rules.recount import recount
from tests.services.conftest import Seat
from tests.services.keeper import SETTLE, VOID, Keeper, best_hand, golden_games

A_NIGHT = 4

Figures = dict[str, dict[str, Any]]
# A game's number, its evening, and its figures.
Counted = tuple[int, date, Figures]
# What a record is of, and the figures that are added up for it.
OFTEN = {"zeroings": ("zeroings_given", "falls"), "chicagos": ("chicagos_made",)}


def at(number: int) -> str:
    """Return when a game was played: four on each evening, the newest evenings first."""
    return f"2025-{12 - number // A_NIGHT // 28:02}-{28 - number // A_NIGHT % 28:02}T20:00:00Z"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keeper]:
    """Return the keeper of a table of all golden games, four on an evening."""
    games = [
        replace(game, remarks={"id": f"golden {n}", "at": at(n)})
        for n, game in enumerate(golden_games())
    ]
    db, pen = Database(tmp_path_factory.mktemp("years") / "chicago.db"), tables.new_pen()
    keeper = Keeper(db, import_export.open_table(db, games, "", pen), pen)
    keeper.commit(settings.Merge("Erik", "Anna"))
    yield keeper
    db.close()


@pytest.fixture(scope="module")
def games(archive: Keeper) -> list[Counted]:
    """Return what is counted of them."""
    return count(archive)


def count(keeper: Keeper) -> list[Counted]:
    """Count every game from its file, in the order in which they were played, by person."""
    whose, games = keeper.people.canonical, []
    for number in table_view.list_game_numbers(keeper.db, keeper.link):
        archive = import_export.export_all(keeper.db, keeper.link, [number])
        with zipfile.ZipFile(io.BytesIO(archive)) as entries:
            file = entries.read(entries.namelist()[0])
        people_of = {whose[name]: figures for name, figures in recount(file)[0].items()}
        games.append((number, evening_of(json.loads(file)["at"]), people_of))
    return sorted((game for game in games if game[2]), key=lambda game: (game[1], game[0]))


def total(games: list[Figures], *figures: str) -> int:
    """Add figures up over games and people."""
    return sum(int(each[what]) for what in figures for game in games for each in game.values())


def told_of(now: list[Figures], before: list[list[Figures]], kind: str) -> set[GameRecord]:
    """Return the records of what was counted, as the rules have them, those of sums again."""

    def seats(games: list[Figures]) -> list[list[SeatStatistics]]:
        return [
            [SeatStatistics(**{**each, "name": name}) for name, each in game.items()]
            for game in games
        ]

    found = set(find_records(seats(now), [*map(seats, before)], evening=kind == "evening"))
    summed = set()
    for what, figures in OFTEN.items():
        times = total(now, *figures)
        if before and times > max(1, *(total(group, *figures) for group in before)):
            summed.add(GameRecord(f"{what}_of_{kind}", (), times))  # type: ignore[arg-type]
    assert {record for record in found if record.code.endswith(f"s_of_{kind}")} == summed
    return found


def expect_figures(told: Highlights, now: list[Figures]) -> None:
    """Expect the figures of games together to be those counted."""
    assert told.games == len(now)
    named = ((told.wins, "won"), (told.zeroings, "zeroings_given"), (told.falls, "falls"))
    for figures, figure in named:
        sums: Counter[str] = Counter()
        for game in now:
            sums.update({name: int(each[figure]) for name, each in game.items()})
        assert figures == {name: n for name, n in sums.items() if n}
    assert told.chicagos_said == total(now, "chicagos_said")
    assert told.chicagos_made == total(now, "chicagos_made")
    swings = [(each["biggest_swing"], name) for game in now for name, each in game.items()]
    most = max((points for points, _ in swings), default=0)
    assert (told.swing is None) == (most == 0)
    if told.swing:
        assert (told.swing.biggest_swing, told.swing.name) in swings
        assert told.swing.biggest_swing == most


def test_every_game_is_told_as_counted_slowly(archive: Keeper, games: list[Counted]) -> None:
    """Each golden game's figures and records are those of its file and of those before it."""
    seen, jubilees = set(), list[int]()
    for place, (number, evening, figures) in enumerate(games):
        told = read_highlights(archive.db, archive.table_id, evening, number)
        expect_figures(told, [figures])
        before = [[game] for *_, game in games[:place]]
        assert set(told.records) == told_of([figures], before, "game")
        assert told.evening == evening
        jubilees += [record.value for record in told.records if record.code == "jubilee"]
        seen |= {record.code for record in told.records}
    assert seen >= {"first_hand", "wins_in_a_row", "biggest_swing", "first_chicago"}
    assert jubilees == [10, 25, 50, *range(100, len(games) + 1, 100)]


def test_every_evening_is_told_as_counted_slowly(archive: Keeper, games: list[Counted]) -> None:
    """Each evening's figures and records are those of its files and of the evenings before."""
    before: list[list[Figures]] = []
    seen = set()
    for evening, group in itertools.groupby(games, lambda game: game[1]):
        now = [figures for *_, figures in group]
        told = read_highlights(archive.db, archive.table_id, evening)
        expect_figures(told, now)
        assert set(told.records) == told_of(now, before, "evening")
        before.append(now)
        seen |= {record.code for record in told.records}
    assert "zeroings_of_evening" in seen or "chicagos_of_evening" in seen


def test_a_void_game_tells_nothing_and_counts_for_nothing(seat: Seat) -> None:
    """What was broken off as void has no figures, and what comes after it is the first."""
    keeper = seat()
    keeper.record(best_hand("Anna", "full_house"), VOID)
    void = read_highlights(keeper.db, keeper.table_id, this_evening(), 1)
    assert (void.games, void.swing, void.records) == (0, None, [])
    keeper.next_game()
    keeper.record(best_hand("Anna", "flush"), SETTLE)
    assert read_highlights(keeper.db, keeper.table_id, this_evening(), 2).records == []
