"""The list of a table's games, the newest first: who won each, and who won its evening."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import groupby, islice

import msgspec

from app import store
from app.rules.game import replay
from app.rules.settlement import payout
from app.rules.state import Effect, GameState
from app.services.evening import evening_of
from app.services.game_states import deserialize_events, effective_events
from app.services.people import group_names
from app.services.searching import has_words, split_words
from app.services.serialization import deserialize_setup
from app.services.tables import find_table
from app.store.connection import Connection
from app.store.database import Database
from app.store.game_list import ListedRow
from app.store.games import GameRow

PAGE_SIZE = 20


class ListedGame(msgspec.Struct, frozen=True):
    """One game: `why` says how it ended, None while it is played; `deal` is where it stands.

    `ore` is what each of its `winners` won, 0 where nobody did or nothing was at stake.
    """

    number: int
    players: tuple[str, ...]
    winners: tuple[str, ...]
    why: Effect | None
    deal: int
    ore: int


class EveningWinners(msgspec.Struct, frozen=True):
    """Whom an evening goes to: by öre where there was a stake (then `ore`), else by games won."""

    names: tuple[str, ...]
    wins: int
    ore: int


class ListedEvening(msgspec.Struct, frozen=True):
    """An evening with those of its games that are listed; `winners` are of all of its games."""

    day: date
    winners: EveningWinners | None
    games: tuple[ListedGame, ...]


class GameList(msgspec.Struct, frozen=True):
    """A page of the list, and whether it goes on."""

    evenings: tuple[ListedEvening, ...]
    goes_on: bool


class Search(msgspec.Struct, frozen=True):
    """What is looked for: words of names and days; of names only winners' where `won` says so.

    `write_day` writes a day as it is looked for.
    """

    words: Sequence[str]
    won: bool
    write_day: Callable[[date], str]


def read_games(db: Database, link: str, search: Search, page: int = 1) -> GameList:
    """A page, from 1, of the games of a table that a search finds. Raises NotFound."""
    first = (page - 1) * PAGE_SIZE
    with db.snapshot() as connection:
        table = find_table(connection, link)
        found = list(_find(connection, table.id, search, first, PAGE_SIZE + 1))
        rows = found[:PAGE_SIZE]
        games = store.game_list.find_rows(connection, [row.id for row in rows])
        listed = [(evening_of(row.begun_at), _read(connection, games[row.id])) for row in rows]
        winners = _find_winners(connection, table.id, [day for day, _ in listed])
    evenings = tuple(
        ListedEvening(day, winners.get(day), tuple(game for _, game in group))
        for day, group in groupby(listed, lambda each: each[0])
    )
    return GameList(evenings, goes_on=len(found) > PAGE_SIZE)


def find_evening_winners(
    db: Database, link: str, days: Collection[date]
) -> Mapping[date, EveningWinners]:
    """Whom each of some evenings goes to, where it goes to anybody. Raises NotFound."""
    with db.snapshot() as connection:
        return _find_winners(connection, find_table(connection, link).id, days)


def find_neighbours(db: Database, link: str, number: int) -> tuple[int | None, int | None]:
    """The numbers of the games before and after one of a table's. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_table(connection, link)
        return store.game_list.find_neighbours(connection, table.id, number)


def _find(
    connection: Connection, table_id: int, search: Search, first: int, count: int
) -> Iterator[ListedRow]:
    """So many of the games that a search finds, the newest first; each text is split once."""
    if not search.words and not search.won:
        return store.game_list.walk(connection, table_id, count, first)
    people = store.people.find_all(connection, table_id)

    @cache
    def words_of_names(names: str) -> list[str]:
        persons = group_names([names.split("\n")], people).canonical
        return split_words(" ".join([names, *persons.values()]))

    @cache
    def words_of_day(day: date) -> list[str]:
        return split_words(f"{search.write_day(day)} {day}")

    def is_found(row: ListedRow) -> bool:
        names = row.winners if search.won else row.players
        if search.won and not names:
            return False
        words = [*words_of_names(names), *words_of_day(evening_of(row.begun_at))]
        return has_words(search.words, words)

    rows = filter(is_found, store.game_list.walk(connection, table_id))
    return islice(rows, first, first + count)


def _read(connection: Connection, game: GameRow) -> ListedGame:
    """A game as it stands, replayed."""
    rows = effective_events(store.games.find_events(connection, game.id))
    end = replay(deserialize_setup(game.setup), deserialize_events(game.setup, rows))[-1]
    return ListedGame(
        number=game.number,
        players=end.players,
        winners=end.winners,
        why=end.effects[-1] if end.over else None,
        deal=end.deal.number,
        ore=_won_by_each(end),
    )


def _won_by_each(end: GameState) -> int:
    amounts = payout(end) or {}
    return max((amounts[name] for name in end.winners), default=0)


def _find_winners(
    connection: Connection, table_id: int, days: Collection[date]
) -> dict[date, EveningWinners]:
    rows = store.statistics.find_results(connection, table_id)
    names = list(dict.fromkeys(row.name for row in rows))
    persons = group_names([names], store.people.find_all(connection, table_id)).canonical
    sums: dict[date, dict[str, tuple[int, int]]] = {}
    money = set()
    for row in rows:
        day = evening_of(row.begun_at)
        wins, ore = sums.setdefault(day, {}).get(persons[row.name], (0, 0))
        sums[day][persons[row.name]] = wins + row.won, ore + row.ore
        if row.stake_ore:
            money.add(day)
    best = {day: _find_best(sums[day], money=day in money) for day in days if day in sums}
    return {day: winners for day, winners in best.items() if winners}


def _find_best(sums: Mapping[str, tuple[int, int]], *, money: bool) -> EveningWinners | None:
    most = max(figures[money] for figures in sums.values())
    names = tuple(name for name, figures in sums.items() if figures[money] == most)
    if most <= 0:
        return None
    return EveningWinners(names, 0 if money else most, most if money else 0)
