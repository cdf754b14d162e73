"""The figures of months and years, the list of games and swings follow the games."""

import json
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import asdict

from app.rules.gamefile import Game
from app.rules.hands import Hand
from app.services import erasure, evenings, import_export, payments, people, statistics
from app.services.evenings import PAGE_SIZE, GameList, Search, read_query
from app.services.ledger import Payment
from app.store.clock import this_evening
from app.store.database import Database
from tests.services import archive
from tests.services.keeper import Keeper, game_from, open_archive, paid
from tests.told import told

VIEWS = Path(__file__).parents[2] / "docs" / "VIEWS.md"
FEW = PAGE_SIZE + 1
BEGAN = date(2025, 9, 6)


def test_an_archive_is_told_of_as_it_was_recorded(path: Path) -> None:
    """Its list and winners, figures, records and swings, also with people merged."""
    told = json.loads(archive.FILE.read_text("utf-8"))
    found = archive.tell_archive(path, told["names"])
    for key, parts in told.items():
        for part, now in zip(parts, found[key], strict=True):
            assert now == part, key


def test_figures_follow_games_that_come_and_go(path: Path) -> None:
    """One imported later counts first where it began first; a void one has nothing."""
    late = game_from("2026-06-01T18:00:00+00:00", "Anna Bo", "Anna 5, settled")
    early = game_from("2026-06-01T19:00:00+02:00", "Anna Bo", "Bo 5, settled")
    keeper = open_archive(path, [late])
    before = keeper.statistics
    import_export.import_games(keeper.db, keeper.write(), [early])
    assert {each.name: each.wins_now for each in keeper.statistics.people} == {"Anna": 1, "Bo": 0}
    keeper.next_game()
    keeper.record("Anna full_house, void")
    erasure.delete_game(keeper.db, keeper.write(), 2)
    assert keeper.statistics == before
    keeper.next_game()
    keeper.record("Anna flush, settled")
    swings = statistics.read_swings(keeper.db, keeper.table_id, this_evening())
    assert [each.game for each in swings] == [4]
    erasure.delete_table(keeper.db, keeper.write())
    assert keeper.db.connection.table("seats").count == 0
    keeper.db.close()


def test_the_views_say_what_the_pages_say(golden: Keeper) -> None:
    """Figures by person and month, players of games, and payments agree."""
    golden.commit(people.Merge("Anna", "Anders"))
    query, told = golden.db.connection.query, golden.statistics
    numbers = ["games", "staked", "evenings", "won", "ore", "score", "last_tricks", *Hand]
    sums = ", ".join(f"SUM({each}) AS {each}" for each in numbers)
    figures = {
        each.name: {**dict.fromkeys(Hand, 0), **each.hands, **asdict(each)} for each in told.people
    }
    columns = f"person, {sums}, MAX(biggest_swing) AS biggest_swing"
    for row in query(f"SELECT {columns} FROM person_months GROUP BY person"):
        person = figures.pop(row.pop("person"))
        assert {key: person[key] for key in row} == row
    assert figures == {}
    seats = [*query("SELECT * FROM person_games")]
    assert len(seats) == sum(each.games for each in told.people)
    assert {row["evening"] for row in seats} == {*told.evenings}
    assert all(row["month"] == row["evening"][:7] for row in seats)
    golden.commit(payments.PayInAdvance(("Anna", "Bo"), "cash", 100))
    golden.commit(payments.PayAll("cash"))
    golden.commit(payments.Unpay(golden.ledger.settlements[0].seq))
    rows = query("SELECT * FROM payments ORDER BY settlement")
    made = [Payment(row["payer"], row["payee"], row["ore"], row["way"]) for row in rows]
    assert made == paid(golden.ledger)
    queries = re.findall(r"^```sql\n(.*?)^```$", VIEWS.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert queries
    for each in queries:
        assert golden.db.connection.execute(each).fetchall(), each


def test_every_view_is_documented_with_its_columns(db: Database) -> None:
    """The document names every view and all its columns."""
    there = {view.name: [column.name for column in view.columns] for view in db.connection.views}
    assert {*there} == {"person_games", "person_months", "payments"}
    named = {*re.findall(r"`(\w+)`", VIEWS.read_text("utf-8")), *Hand}
    assert named.issuperset([*there, *(name for columns in there.values() for name in columns)])


def search(keeper: Keeper, query: str = "", *, won: bool = False) -> GameList:
    """Return a page of the list of games."""
    asked = Search(read_query(query), won, lambda day: f"{day:%d %B %Y}")
    return evenings.read_games(keeper.db, keeper.link, asked)


def numbers(found: GameList) -> list[int]:
    """Return the numbers of the games on a page of the list."""
    return [game.number for evening in found.evenings for game in evening.games]


def settled(number: int, winner: str, at: str = "") -> Game:
    """Return a short settled game, two weeks after the one with the number before."""
    at = at or f"{BEGAN + timedelta(weeks=2 * number)}T20:00:00Z"
    players = f"Åsa-Östen Bo Gäst{number}"
    return game_from(at, players, f"{winner} 5, settled", stake_ore=0, id=f"{number}")


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keeper]:
    """Return the keeper of a table with a game every other Saturday; Åsa wins every third."""
    games = [settled(n, "Bo" if n % 3 else "Åsa-Östen") for n in range(1, FEW + 1)]
    keeper = open_archive(tmp_path_factory.mktemp("years") / "chicago.db", games)
    yield keeper
    keeper.db.close()


@told
def test_games_are_found_by_player_winner_and_day(
    years: Keeper, query: str, won: bool, found: list[int]
) -> None:
    """A search ignores case and accents; each of its words must begin a word of the game."""
    assert numbers(search(years, query, won=won)) == found


def test_a_person_is_found_in_a_game_without_an_end(keeper: Keeper) -> None:
    """A current or void game has no winner, but is found by its players and their merged names."""
    keeper.record("void")
    keeper.next_game(players=["Anna", "Eva"])
    keeper.record("Anna 1")
    keeper.commit(people.Merge("Cilla", "Eva"))
    assert numbers(search(keeper, "eva")) == [2, 1]
    assert numbers(search(keeper, "cilla")) == [1]


def test_games_stand_as_they_were_begun_on_whatever_clock(path: Path) -> None:
    """Games are sorted by moment, in any time zone; a game after midnight is of the day before."""
    times = ["2026-06-01T20:00:00+02:00", "2026-06-01T19:30:00+01:00", "2026-06-02T00:30:00+02:00"]
    times += ["2026-06-01T21:00:00-08:00", "2026-06-01T23:00:00Z"]
    keeper = open_archive(path, [settled(n, "Bo", at) for n, at in enumerate(times)])
    listed = search(keeper)
    begun = [datetime.fromisoformat(game.begun_at) for day in listed.evenings for game in day.games]
    assert begun == sorted(map(datetime.fromisoformat, times), reverse=True)
    assert [len(evening.games) for evening in listed.evenings] == [1, 4]
    keeper.db.close()
