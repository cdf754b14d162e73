"""The figures of months and years follow the games, whatever happens to those."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from app.rules.events import NoBestHand
from app.rules.gamefile import Game
from app.services import erasure, import_export, ledger, people, play, statistics, tables
from app.services.evening import evening_of
from app.services.statistics import HeadToHead, PersonStatistics, Statistics
from app.store.database import Pool
from app.store.migrations.m001_schema import MAXIMA
from app.store.statistics import ALWAYS, SUMS_OF_PAIRS, SUMS_OF_PEOPLE
from tests.rules.recount import recount
from tests.services.conftest import Seat
from tests.services.keeper import (
    NOBODY,
    SETTLE,
    VOID,
    Keeper,
    best_hand,
    golden_games,
    last_trick,
)

VIEWS = Path(__file__).parents[2] / "docs" / "VIEWS.md"
DEAL = (best_hand("Anna"), NOBODY, last_trick("Bo"), best_hand("Cilla", "flush"))
TABLES = (
    "game_statistics",
    "game_pair_statistics",
    "month_statistics",
    "month_pair_statistics",
)
ADDED = (
    "chicagos_said",
    "chicagos_made",
    "zeroings_given",
    "zeroings_suffered",
    "last_tricks",
    "won",
    "ore",
)


def dated_games() -> list[Game]:
    """Return every golden game that ends, one a week, over some years."""
    return [
        replace(game, remarks={"id": f"golden {n}", "at": evening_at(n)})
        for n, game in enumerate(golden_games())
    ]


def evening_at(week: int) -> str:
    """Return an evening, a week after the one before."""
    return f"20{20 + week // 48:02}-{week // 4 % 12 + 1:02}-{week % 4 * 7 + 1:02}T20:00:00+01:00"


def open_archive(path: Path, games: list[Game]) -> Keeper:
    """Open a table where these games have been played."""
    pool, pen = Pool(path), tables.new_pen()
    return Keeper(pool, import_export.open_table(pool, games, "", pen), pen)


@pytest.fixture
def golden(path: Path) -> Iterator[Keeper]:
    """Return the keeper of a table where every golden game that ends was played."""
    keeper = open_archive(path, dated_games())
    yield keeper
    keeper.pool.close()


def read(keeper: Keeper, months: tuple[str, str] = ALWAYS) -> Statistics:
    """Return what the page shows."""
    return statistics.read_statistics(keeper.pool, keeper.table_id, months)


def files(keeper: Keeper) -> list[tuple[str, bytes]]:
    """Return the table's games as files, each with the month it belongs to."""
    archive = import_export.export_all(keeper.pool, keeper.link)
    with zipfile.ZipFile(io.BytesIO(archive)) as entries:
        contents = [entries.read(name) for name in entries.namelist()]
    return [(evening_of(json.loads(file)["at"]).isoformat()[:7], file) for file in contents]


def count(
    keeper: Keeper, months: tuple[str, str] = ALWAYS
) -> tuple[dict[str, PersonStatistics], dict[tuple[str, str], HeadToHead]]:
    """Count everybody's figures slowly, from the files of all games."""
    whose = keeper.people.canonical
    games: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pairs_of: dict[tuple[str, str], list[tuple[int, ...]]] = defaultdict(list)
    for month, file in files(keeper):
        if not months[0] <= month <= months[1]:
            continue
        seats, pairs = recount(file)
        for name, figures in seats.items():
            games[whose[name]].append({**figures, "stake": json.loads(file)["stake_ore"]})
        for (a, b), values in pairs.items():
            pairs_of[whose[a], whose[b]].append((1, *values))
    meetings = {
        pair: HeadToHead(pair[1], *map(sum, zip(*each, strict=True)))
        for pair, each in pairs_of.items()
    }
    return {name: person(name, each) for name, each in games.items()}, meetings


def person(name: str, games: list[dict[str, Any]]) -> PersonStatistics:
    """Add up what games say of one person."""
    hands: Counter[Any] = Counter()
    for game in games:
        hands.update(game["hands"])
    return PersonStatistics(
        name=name,
        games=len(games),
        staked=sum(game["stake"] > 0 for game in games),
        hands={hand: times for hand, times in hands.items() if times},
        biggest_swing=max(game["biggest_swing"] for game in games),
        longest_stop=max(game["longest_stop"] for game in games),
        **{figure: sum(game[figure] for game in games) for figure in ADDED},
    )


def assert_recounted(keeper: Keeper, months: tuple[str, str] = ALWAYS) -> None:
    """Hold what the page shows against a slow recount from the files."""
    figures, (persons, meetings) = read(keeper, months), count(keeper, months)
    assert {each.name: each for each in figures.people} == persons
    pairs = {(name, m.other): m for name, theirs in figures.meetings.items() for m in theirs}
    assert pairs == meetings


def test_the_figures_are_those_of_a_slow_recount(golden: Keeper) -> None:
    """Every figure over all golden games, and over some months of them, is counted the same."""
    assert sum(each.games for each in read(golden).people) > 200
    assert_recounted(golden)
    for months in (("2020-01", "2020-12"), ("2021-03", "2021-03"), ("2021-06", "2030-01")):
        assert read(golden, months) != read(golden)
        assert_recounted(golden, months)


def test_merged_names_are_counted_as_one_person(golden: Keeper) -> None:
    """Figures add up over the names of one person, and apart again when the names are split."""
    apart = read(golden)
    seats = [set(json.loads(file)["players"]) for _, file in files(golden)]
    names = sorted(set.union(*seats))
    into, name = next(
        (a, b)
        for a in names
        for b in names
        if a != b and not any({a, b} <= players for players in seats)
    )
    people.merge(golden.pool, golden.write(), name, into)
    assert name not in [each.name for each in read(golden).people]
    assert_recounted(golden)
    assert_views_agree(golden)
    people.split(golden.pool, golden.write(), name)
    assert read(golden) == apart


def test_a_game_counts_from_its_end(keeper: Keeper) -> None:
    """While it is played a game has no figures, and once it is over it has."""
    keeper.record(*DEAL)
    assert read(keeper).people == ()
    keeper.record(SETTLE)
    assert len(read(keeper).people) == 4
    assert_recounted(keeper)


def test_undoing_an_end_takes_the_figures_back(keeper: Keeper) -> None:
    """A game that is taken up again counts no more, until its end is brought back."""
    keeper.record(*DEAL, SETTLE)
    before = read(keeper)
    keeper.undo()
    assert read(keeper) == Statistics((), {})
    keeper.redo()
    assert read(keeper) == before


def test_a_mended_game_counts_as_it_is_now(keeper: Keeper) -> None:
    """Mending an earlier game changes its figures, and those of no other."""
    keeper.record(*DEAL, SETTLE)
    keeper.next_game()
    keeper.record(*DEAL, *DEAL, SETTLE)
    events = tables.read_sheet(keeper.pool, keeper.link, 1).game.events
    before = read(keeper)
    play.amend(keeper.pool, keeper.write(), 1, (NoBestHand(), *range(1, len(events))))
    assert read(keeper) != before
    assert_recounted(keeper)


def test_a_void_game_counts_for_nothing(keeper: Keeper) -> None:
    """A game broken off as void leaves no trace, also when it had been settled before."""
    keeper.record(*DEAL, SETTLE)
    events = keeper.sheet.game.events
    keeper.undo()
    keeper.record(VOID)
    assert read(keeper).people == ()
    play.amend(keeper.pool, keeper.write(), 1, events)
    assert len(read(keeper).people) == 4
    assert_recounted(keeper)


def undo_and_fail(keeper: Keeper) -> None:
    """Undo within a write that fails."""
    with keeper.pool.transaction():
        keeper.undo()
        raise ZeroDivisionError


def test_a_change_that_fails_leaves_the_figures(keeper: Keeper) -> None:
    """The figures are written with the change, or not at all."""
    keeper.record(*DEAL, SETTLE)
    before = read(keeper)
    with pytest.raises(ZeroDivisionError):
        undo_and_fail(keeper)
    assert read(keeper) == before


def test_all_figures_can_be_worked_out_anew(golden: Keeper) -> None:
    """From the log alone, as often as one likes, and also when all were lost."""
    before = read(golden)
    statistics.recount(golden.pool)
    assert read(golden) == before
    for table in TABLES:
        golden.pool.connection.execute(f"DELETE FROM {table}")
    assert read(golden) == Statistics((), {})
    statistics.recount(golden.pool)
    assert read(golden) == before


def test_months_follow_games_that_are_deleted(golden: Keeper) -> None:
    """Games that go take their figures along, the most of a month included."""
    played = len(tables.list_game_numbers(golden.pool, golden.link))
    erasure.delete_before(golden.pool, golden.write(), date(2021, 3, 10))
    assert 0 < len(tables.list_game_numbers(golden.pool, golden.link)) < played
    assert_recounted(golden)
    erasure.delete_table(golden.pool, golden.write())
    for table in TABLES:
        assert golden.pool.connection.table(table).count == 0


def test_a_game_belongs_to_the_month_of_its_evening(path: Path) -> None:
    """A game begun after midnight is of the month before, as it is of the evening before."""
    at = "2026-06-01T01:30:00+00:00"
    game = replace(dated_games()[0], remarks={"id": "late", "at": at})
    keeper = open_archive(path, [game])
    evening = ledger.read_ledger(keeper.pool, keeper.link).evenings[0]
    assert statistics.find_months(keeper.pool, keeper.table_id) == (evening.isoformat()[:7],) * 2
    keeper.pool.close()


def test_points_without_bounds_are_held(seat: Seat) -> None:
    """Numbers too large for the database are cut off, and the game ends all the same."""
    keeper = seat(["Anna", "Bo"])
    big = {"event": "correction", "player": "Anna", "points": 10**14}
    keeper.record(*[big] * 3, SETTLE)
    assert {each.ore for each in read(keeper).people} == {statistics.MOST, -statistics.MOST}


@pytest.mark.parametrize("sql", [SUMS_OF_PEOPLE, SUMS_OF_PAIRS])
def test_the_page_reads_sums_alone(golden: Keeper, sql: str) -> None:
    """What the page asks is answered from months by their key, however many games there are."""
    plan = golden.pool.connection.execute(f"EXPLAIN QUERY PLAN {sql}", [1, "", "9"]).fetchall()
    read = [row[3] for row in plan if row[3].startswith(("SCAN", "SEARCH"))]
    assert len(read) == 1
    assert re.fullmatch(r"SEARCH month_\w+ USING INDEX \S+ \(table_id=\? AND month>.*", read[0])


def test_more_games_of_a_month_are_no_more_rows(path: Path) -> None:
    """A month is one row for each name and for each two, however many games it had."""
    games = [
        replace(game, remarks={"id": f"{n} {game.remarks['id']}", "at": evening_at(0)})
        for n in range(2)
        for game in dated_games()[:40]
    ]
    keeper = open_archive(path, games)
    rows = keeper.pool.connection.table("month_statistics").count
    assert rows == len(read(keeper).people) < keeper.pool.connection.table("game_statistics").count
    keeper.pool.close()


def views() -> dict[str, list[str]]:
    """Return each view that the document names, with its columns."""
    text = VIEWS.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(figure_\w+)` \| ([^|]*) \|", text, re.MULTILINE)
    return {name: re.findall(r"`(\w+)`", columns) for name, columns in rows}


def rows_of(keeper: Keeper, sql: str) -> dict[str, Any]:
    """Return what a query says of each person."""
    return {row[0]: row[1:] for row in keeper.pool.connection.execute(sql).fetchall()}


def assert_views_agree(keeper: Keeper) -> None:
    """Hold every view, summed over all months, against what the page shows."""
    figures = read(keeper)
    for view, (column, name) in PLAIN.items():
        how = "MAX" if column in MAXIMA else "SUM"
        rows = rows_of(keeper, f"SELECT person, {how}({name}) FROM {view} GROUP BY person")
        assert rows == {each.name: (asdict(each)[column],) for each in figures.people}, view
    sql = "SELECT person, hand, SUM(times) FROM figure_best_hands GROUP BY person, hand"
    hands = {
        (who, hand): times for who, hand, times in keeper.pool.connection.execute(sql) if times
    }
    assert hands == {
        (p.name, str(h)): times for p in figures.people for h, times in p.hands.items()
    }
    sql = """SELECT person, other, SUM(games), SUM(ahead), SUM(behind), SUM(ore)
        FROM figure_head_to_head GROUP BY person, other"""
    meetings = {
        (row[0], row[1]): HeadToHead(*row[1:]) for row in keeper.pool.connection.execute(sql)
    }
    assert meetings == {
        (name, m.other): m for name, theirs in figures.meetings.items() for m in theirs
    }


PLAIN = {
    "figure_games": ("games", "games"),
    "figure_wins": ("won", "wins"),
    "figure_ore": ("ore", "ore"),
    "figure_chicagos_said": ("chicagos_said", "said"),
    "figure_chicagos_made": ("chicagos_made", "made"),
    "figure_zeroings_given": ("zeroings_given", "given"),
    "figure_zeroings_suffered": ("zeroings_suffered", "suffered"),
    "figure_last_tricks": ("last_tricks", "last_tricks"),
    "figure_biggest_swing": ("biggest_swing", "points"),
    "figure_longest_stop": ("longest_stop", "deals"),
}


def test_the_views_say_what_the_page_says(golden: Keeper) -> None:
    """Each view's numbers are the page's."""
    assert_views_agree(golden)


def test_every_view_is_documented_with_its_columns(pool: Pool) -> None:
    """The document names the views that there are, and their columns in order."""
    there = {
        view.name: [column.name for column in view.columns]
        for view in pool.connection.views
        if view.name.startswith("figure_")
    }
    assert views() == there
    assert set(there) == {*PLAIN, "figure_best_hands", "figure_head_to_head"}


def test_the_documents_examples_run(golden: Keeper) -> None:
    """Every query written out in the document has an answer."""
    queries = re.findall(r"^```sql\n(.*?)^```$", VIEWS.read_text(), re.MULTILINE | re.DOTALL)
    assert queries
    for query in queries:
        assert golden.pool.connection.execute(query).fetchall(), query


def test_a_write_names_the_game_it_is_about(keeper: Keeper) -> None:
    """Starting the next game leaves the figures of the one before."""
    keeper.record(*DEAL, SETTLE)
    before = read(keeper)
    keeper.next_game()
    assert read(keeper) == before
