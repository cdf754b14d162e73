"""The list of games names the winners of the files, and replays none of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.rules.gamefile import Game, read_game
from app.rules.settlement import payout
from app.rules.state import GameState
from app.services import evenings, import_export, people, table_view
from app.services.evenings import PAGE_SIZE, EveningWinners, GameList, Search, read_query
from app.store.clock import evening_of
from tests.services.keeper import Keeper, game_from, open_archive

FEW = PAGE_SIZE + 1
BEGAN = date(2025, 9, 6)


def read(keeper: Keeper, query: str = "", page: int = 1, *, won: bool = False) -> GameList:
    """Return a page of the list."""
    search = Search(read_query(query), won, lambda day: f"{day:%d %B %Y}")
    return evenings.read_games(keeper.db, keeper.link, search, page)


def numbers(found: GameList) -> list[int]:
    """Return the numbers of the games on a page of the list."""
    return [game.number for evening in found.evenings for game in evening.games]


def walk(keeper: Keeper) -> Iterator[GameList]:
    """Yield the pages of the list, from the newest to the oldest."""
    for page in count(1):
        found = read(keeper, page=page)
        yield found
        if not found.goes_on:
            break


def settled(number: int, winner: str, players: Sequence[str], stake: int = 0) -> Game:
    """Return a short settled game, two weeks after the one with the number before."""
    at = f"{BEGAN + timedelta(weeks=2 * number)}T20:00:00Z"
    return game_from(at, " ".join(players), f"{winner} 5, settled", stake_ore=stake, id=f"{number}")


def recount(ends: Sequence[GameState]) -> EveningWinners | None:
    """Count the winners of an evening of these games slowly."""
    wins = Counter(name for end in ends for name in end.winners)
    ore: Counter[str] = Counter()
    for end in ends:
        ore.update(payout(end) or {})
    money = any(end.setup.stake_ore for end in ends if end.winners)
    most = max((ore if money else wins).values(), default=0)
    if most <= 0:
        return None
    best = [name for name, each in (ore if money else wins).items() if each == most]
    return EveningWinners(best, most, money)


def test_every_game_and_evening_says_who_won(golden: Keeper) -> None:
    """Every page, the newest first, matches a recount of the files."""
    files = {
        n: json.loads(import_export.export_game(golden.db, golden.link, n))
        for n in table_view.list_game_numbers(golden.db, golden.link)
    }
    ends = {number: read_game(file).states()[-1] for number, file in files.items()}
    days = {number: evening_of(file["at"]) for number, file in files.items()}
    pages = list(walk(golden))
    listed = [n for found in pages for n in numbers(found)]
    assert listed == sorted(files, key=lambda n: (days[n], n), reverse=True)
    assert len(pages) > 2
    for evening in (each for found in pages for each in found.evenings):
        tonight = [end for number, end in ends.items() if days[number] == evening.day]
        counted, told = recount(tonight), evening.winners
        assert told == counted or (told and counted and set(told.names) == set(counted.names))
        for game in evening.games:
            end = ends[game.number]
            assert (game.winners, [*game.scores]) == (end.winners, [*end.players])
            amounts = [(payout(end) or {})[name] for name in end.winners]
            # The list shows the amount of the first winner.
            assert amounts == sorted(amounts, reverse=True)
            assert [(game.payout or {})[name] for name in game.winners] == amounts


@pytest.fixture
def years(path: Path) -> Iterator[Keeper]:
    """Return the keeper of a table with a game every other Saturday; Åsa wins every third."""
    games = [
        settled(n, "Åsa-Östen" if n % 3 == 0 else "Bo", ["Åsa-Östen", "Bo", f"Gäst {n}"])
        for n in range(1, FEW + 1)
    ]
    keeper = open_archive(path, games)
    yield keeper
    keeper.db.close()


@pytest.mark.parametrize(
    ("query", "won", "found"),
    [
        ("ASA", True, [21, 18, 15, 12, 9, 6, 3]),
        ("osten", True, [21, 18, 15, 12, 9, 6, 3]),
        ("gast 7", False, [7]),
        ("november 2025", False, [6, 5, 4]),
        ("Bo nov", True, [5, 4]),
        ("2025-12", False, [8, 7]),
        ("29 nov 2025", False, [6]),
        ("nobody", False, []),
        ("gäst", True, []),
    ],
)
def test_games_are_found_by_player_winner_and_day(
    years: Keeper, query: str, won: bool, found: list[int]
) -> None:
    """A search ignores case and accents; each of its words must begin a word of the game."""
    assert numbers(read(years, query, won=won)) == found


def test_a_person_is_found_in_a_game_without_an_end(keeper: Keeper) -> None:
    """A current or void game has no winner, but is found by its players and their merged names."""
    keeper.record("void")
    keeper.next_game(players=["Anna", "Eva"])
    keeper.record("Anna 1")
    keeper.commit(people.Merge("Cilla", "Eva"))
    assert numbers(read(keeper, "eva")) == [2, 1]
    assert numbers(read(keeper, "cilla")) == [1]


def test_games_stand_as_they_were_begun_on_whatever_clock(path: Path) -> None:
    """Games are sorted by moment, in any time zone; a game after midnight is of the day before."""
    times = ["2026-06-01T20:00:00+02:00", "2026-06-01T19:30:00+01:00", "2026-06-02T00:30:00+02:00"]
    times += ["2026-06-01T21:00:00-08:00", "2026-06-01T23:00:00Z"]
    games = [
        replace(settled(n, "Bo", ["Anna", "Bo"]), remarks={"id": f"{n}", "at": at})
        for n, at in enumerate(times)
    ]
    keeper = open_archive(path, games)
    listed = read(keeper)
    begun = {n: table_view.read_view(keeper.db, keeper.link, n).begun_at for n in numbers(listed)}
    moments = [datetime.fromisoformat(at) for at in begun.values()]
    assert moments == sorted(moments, reverse=True)
    assert [len(evening.games) for evening in listed.evenings] == [1, 4]
    keeper.db.close()
