"""The figures of months and years follow the games through every change."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from app.rules.codes import BestCode
from app.rules.gamefile import read_game
from app.rules.hands import Hand
from app.services import erasure, import_export, ledger, payments, people, statistics, table_view
from app.services.figures import PersonStatistics
from app.services.ledger import Payment
from app.services.statistics import ALWAYS, MOST_MET, HeadToHead, Statistics
from app.store.clock import evening_of
from app.store.database import Database
from tests.rules.recount import recount
from tests.services.keeper import (
    Keeper,
    game_from,
    open_archive,
    paid,
)

VIEWS = Path(__file__).parents[2] / "docs" / "VIEWS.md"
ADDED = (
    "chicagos_said",
    "chicagos_made",
    "zeroings_given",
    "zeroings_suffered",
    "last_tricks",
    "won",
    "ore",
    "score",
)
# The maxima of one game, and those of one evening.
MOST_OF_GAME: dict[BestCode, str] = {
    "highest_win": "ore",
    "highest_score": "score",
    "biggest_swing": "biggest_swing",
    "longest_stop": "longest_stop",
}
MOST_OF_EVENING: dict[BestCode, str] = {
    "win_of_evening": "ore",
    "zeroings_of_evening": "zeroings_given",
    "chicagos_of_evening": "chicagos_made",
}
AT_LEAST = {"zeroings_of_evening": 2, "chicagos_of_evening": 2, "finest_hand": 7}


def read(keeper: Keeper, months: tuple[str, str] = ALWAYS) -> Statistics:
    """Return the figures of the statistics page."""
    return statistics.read_statistics(keeper.db, keeper.table_id, months)


def files(keeper: Keeper) -> list[tuple[str, int, bytes]]:
    """Return the table's game files in the order of play, with their evenings and numbers."""
    found = []
    for number in table_view.list_game_numbers(keeper.db, keeper.link):
        archive = import_export.export_all(keeper.db, keeper.link, [number])
        with zipfile.ZipFile(io.BytesIO(archive)) as entries:
            file = entries.read(entries.namelist()[0])
        at = datetime.fromisoformat(json.loads(file)["at"])
        found.append((evening_of(at).isoformat(), at, number, file))
    return [(evening, number, file) for evening, _, number, file in sorted(found)]


def count(
    keeper: Keeper, months: tuple[str, str] = ALWAYS
) -> tuple[
    dict[str, PersonStatistics], dict[tuple[str, str], HeadToHead], dict[str, tuple[Any, ...]]
]:
    """Count the figures of everybody slowly, from the files of all games."""
    whose = keeper.people.canonical
    games: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pairs_of: dict[tuple[str, str], list[tuple[int, ...]]] = defaultdict(list)
    for evening, number, file in files(keeper):
        if not months[0] <= evening[:7] <= months[1]:
            continue
        seats, pairs = recount(file)
        for name, seat in seats.items():
            at = {"stake": json.loads(file)["stake_ore"], "evening": evening, "number": number}
            length = max(each["deals"] for each in seats.values())
            goal = read_game(json.loads(file)).setup.rules.target
            quick = seat["won"] and seat["score"] >= goal
            games[whose[name]].append({**seat, **at, "quick": quick and length})
        for (a, b), values in pairs.items():
            pairs_of[whose[a], whose[b]].append((1, *values))
    meetings = {
        pair: HeadToHead(pair[1], *map(sum, zip(*each, strict=True)))
        for pair, each in pairs_of.items()
    }
    persons = {name: person(name, each) for name, each in games.items()}
    return persons, meetings, find_records(games)


def longest_run(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first of the longest runs of won games; try every beginning and every end."""
    runs = [games[a:b] for b in range(len(games) + 1) for a in range(b)]
    won = [run for run in runs if all(game["won"] for game in run)]
    most = max(map(len, won), default=0)
    return next((run for run in won if len(run) == most), [])


def find_records(games: dict[str, list[dict[str, Any]]]) -> dict[str, tuple[Any, ...]]:
    """Return for each record its value, its evening, its game and its holders."""
    did: dict[str, list[tuple[int, str, int, str]]] = defaultdict(list)
    for name, theirs in games.items():
        if run := longest_run(theirs):
            did["wins_in_a_row"].append((len(run), run[-1]["evening"], run[-1]["number"], name))
        for game in theirs:
            at = game["evening"], game["number"], name
            for code, figure in MOST_OF_GAME.items():
                did[code].append((game[figure], *at))
            ranks = [n for n, hand in enumerate(Hand, start=1) if game["hands"][hand]]
            did["finest_hand"].append((max(ranks, default=0), *at))
            if game["quick"]:
                did["quickest_win"].append((-game["quick"], *at))
        for evening in {game["evening"] for game in theirs}:
            on = [game for game in theirs if game["evening"] == evening]
            for code, figure in MOST_OF_EVENING.items():
                did[code].append((sum(game[figure] for game in on), evening, 0, name))
    return {code: the_first(each) for code, each in did.items() if is_told(code, each)}


def is_told(code: str, did: list[tuple[int, str, int, str]]) -> bool:
    """Return whether the maximum is worth a record."""
    most = max(value for value, *_ in did)
    least = 2 if code == "wins_in_a_row" else AT_LEAST.get(code, 1)
    return code == "quickest_win" or most >= least


def the_first(did: list[tuple[int, str, int, str]]) -> tuple[Any, ...]:
    """Return the maximum, its first evening and game, and its holders in order."""
    most = max(value for value, *_ in did)
    when = sorted(at for value, *at in did if value == most)
    return most, *when[0][:2], tuple(dict.fromkeys(at[2] for at in when))


def person(name: str, games: list[dict[str, Any]]) -> PersonStatistics:
    """Add up the games of one person."""
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
        evenings=len({game["evening"] for game in games if game["stake"]}),
        streak=len(longest_run(games)),
        wins_now=next((n for n, g in enumerate(reversed(games)) if not g["won"]), len(games)),
        **{figure: sum(game[figure] for game in games) for figure in ADDED},
    )


def assert_recounted(keeper: Keeper, months: tuple[str, str] = ALWAYS) -> None:
    """Compare the figures of the page with a slow recount of the files."""
    figures, (persons, meetings, records) = read(keeper, months), count(keeper, months)
    assert {each.name: each for each in figures.people} == persons
    pairs = {(name, m.other): m for name, theirs in figures.meetings.items() for m in theirs}
    most = {each.name for each in figures.people[:MOST_MET]}
    assert pairs == {pair: each for pair, each in meetings.items() if most.issuperset(pair)}
    told = {r.code: (r.best.value, r.best.evening, r.best.game, r.holders) for r in figures.records}
    assert told == records


def test_the_figures_are_those_of_a_slow_recount(golden: Keeper) -> None:
    """Figures over all golden games, and over some months of them, match the recount."""
    assert sum(each.games for each in read(golden).people) > 200
    assert_recounted(golden)
    for months in (("2020-01", "2020-12"), ("2021-03", "2021-03"), ("2021-06", "2030-01")):
        assert read(golden, months) != read(golden)
        assert_recounted(golden, months)


def test_merged_names_are_counted_as_one_person(golden: Keeper) -> None:
    """Figures add up over the names of one person, and separate again after a split."""
    apart = read(golden)
    merged = {"Anna": "Anders", "Bengt": "B", "C": "Bo"}
    for name, into in merged.items():
        golden.commit(people.Merge(name, into))
    assert not set(merged) & {each.name for each in read(golden).people}
    assert_recounted(golden)
    assert_recounted(golden, ("2020-02", "2020-11"))
    assert_views_agree(golden)
    for name in merged:
        golden.commit(people.Split(name))
    assert read(golden) == apart


def test_months_follow_games_that_are_deleted(golden: Keeper) -> None:
    """Deleted games take their figures along, including the maximum of a month."""
    played = table_view.list_game_numbers(golden.db, golden.link)
    for number in played[1:-1:3]:
        erasure.delete_game(golden.db, golden.write(), number)
    assert 0 < len(table_view.list_game_numbers(golden.db, golden.link)) < len(played)
    assert_recounted(golden)
    erasure.delete_table(golden.db, golden.write())
    assert golden.db.connection.table("seats").count == 0


def test_games_of_an_evening_are_counted_as_they_were_played(path: Path) -> None:
    """A game imported later counts first where it began first, in any time zone."""
    late = game_from("2026-06-01T18:00:00+00:00", "Anna Bo", "Anna 5, settled")
    early = game_from("2026-06-01T19:00:00+02:00", "Anna Bo", "Bo 5, settled")
    keeper = open_archive(path, [late])
    import_export.import_games(keeper.db, keeper.write(), [early])
    assert {each.name: each.wins_now for each in read(keeper).people} == {"Anna": 1, "Bo": 0}
    assert_recounted(keeper)
    keeper.db.close()


def assert_views_agree(keeper: Keeper) -> None:
    """Compare the views, added up over all months, with the figures of the pages."""
    query, told = keeper.db.connection.query, read(keeper)
    sums = ["games", "staked", "evenings", "deals", "falls", *ADDED, *map(str, Hand)]
    most = ["biggest_swing", "longest_stop"]
    columns = [*(f"SUM({each}) AS {each}" for each in sums)]
    columns += [f"MAX({each}) AS {each}" for each in most]
    rows = query(f"SELECT person, {', '.join(columns)} FROM person_months GROUP BY person")
    by_person = {row["person"]: row for row in rows}
    assert set(by_person) == {each.name for each in told.people}
    for each in told.people:
        row = by_person[each.name]
        figures_ = asdict(each) | {hand: each.hands.get(hand, 0) for hand in Hand}
        assert {key: row[key] for key in row if key in figures_} == {
            key: figures_[key] for key in row if key in figures_
        }
    seats = {(row["game"], row["person"]): row for row in query("SELECT * FROM person_games")}
    assert len(seats) == sum(each.games for each in told.people)
    assert {row["evening"] for row in seats.values()} == {*told.evenings}
    assert all(row["month"] == row["evening"][:7] for row in seats.values())


def test_the_views_say_what_the_pages_say(golden: Keeper) -> None:
    """Figures by person and month, players of games, and payments agree."""
    assert_views_agree(golden)
    golden.commit(payments.PayInAdvance(("Anna", "Bo"), "cash", 100))
    golden.commit(payments.PayAll("cash"))
    golden.commit(payments.Unpay(ledger.read_ledger(golden.db, golden.link).settlements[0].seq))
    assert_payments_agree(golden)
    golden.undo()
    golden.commit(people.Merge("Bengt", "B"))
    assert_payments_agree(golden)


def assert_payments_agree(keeper: Keeper) -> None:
    """Compare the view of payments with the ledger."""
    rows = keeper.db.connection.query("SELECT * FROM payments ORDER BY settlement")
    shown = [Payment(row["payer"], row["payee"], row["ore"], row["way"]) for row in rows]
    assert shown == paid(ledger.read_ledger(keeper.db, keeper.link))


def test_every_view_is_documented_with_its_columns(db: Database) -> None:
    """The document names every view and all its columns."""
    text = VIEWS.read_text(encoding="utf-8")
    there = {view.name: [column.name for column in view.columns] for view in db.connection.views}
    assert {*there} == {"person_games", "person_months", "payments"}
    named = re.findall(r"`(\w+)`", text)
    between = {*map(str, Hand)}
    for name, columns in there.items():
        assert {name, *columns} - between <= {*named}


def test_the_documents_examples_run(golden: Keeper) -> None:
    """Every query of the document runs."""
    golden.commit(payments.PayInAdvance(("Anna", "Bo"), "cash", 100))
    queries = re.findall(r"^```sql\n(.*?)^```$", VIEWS.read_text(), re.MULTILINE | re.DOTALL)
    assert queries
    for query in queries:
        assert golden.db.connection.execute(query).fetchall(), query
