"""The list of a table's games, the newest first: who won each, and who won its evening."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import cache
from itertools import groupby
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from app.services.ledger import EveningWinners, LedgerLine, find_running, find_winners, read_lines
from app.services.people import find_newest_seated, resolve
from app.services.tables import Access, NotFound, find_access, instance_of
from app.store import clock, log
from app.store.clock import evening_of
from app.store.connection import Connection
from app.store.database import Database

PAGE_SIZE = 20


class ListedEvening(msgspec.Struct, frozen=True):
    """An evening with those of its games that are listed; `winners` are of all of its games."""

    day: date
    winners: EveningWinners | None
    games: list[LedgerLine]


class GameList(msgspec.Struct, frozen=True):
    """A page of the list by its number, and whether it goes on."""

    evenings: list[ListedEvening]
    goes_on: bool
    number: int


class Search(msgspec.Struct, frozen=True):
    """A search: words of names and days; with `won` only winners' names count.

    `write_day` writes a day as it is looked for.
    """

    words: Sequence[str]
    won: bool
    write_day: Callable[[date], str]


def read_games(db: Database, link: str, search: Search, page: int = 1) -> GameList:
    """A page, from 1, of the games of a table that a search finds; beyond the last the first.

    Raises NotFound.
    """
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        names, persons = resolve(connection, table.id)
        lines = read_lines(connection, table.id, persons)
        lines += find_running(connection, table, persons)
    clock.give_way()
    found = [*_find(lines, names, persons, search)]
    # Games may have been forgotten since the page was linked to.
    page = page if len(found) > (page - 1) * PAGE_SIZE else 1
    shown = found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    days = {line.evening for line in shown}
    winners = find_winners(db.connection, table.id, persons, days)
    evenings = [
        ListedEvening(day, winners.get(day), [*group])
        for day, group in groupby(shown, attrgetter("evening"))
    ]
    return GameList(evenings, len(found) > page * PAGE_SIZE, page)


def find_neighbours(db: Database, table_id: int, number: int) -> tuple[int | None, int | None]:
    """The numbers of the games before and after one of a table's."""
    games = f"FROM changes WHERE table_id = ?1 AND undone IS NULL AND {log.STARTS}"
    sql = f"""SELECT (SELECT MAX(game) {games} AND game < ?2),
        (SELECT MIN(game) {games} AND game > ?2)"""
    before, after = db.connection.execute(sql, [table_id, number]).fetchone()
    return before, after


def _find(
    lines: Iterable[LedgerLine],
    names: Mapping[int, str],
    persons: Mapping[int, str],
    search: Search,
) -> Iterator[LedgerLine]:
    """The games that a search finds, those begun last first.

    People are found by the names by which they go, and by those of the persons that they are.
    """
    wanted = {*search.words}
    called = {one: find_words(wanted, f"{names[one]} {persons[one]}") for one in names}
    begun = [line for line in lines if line.begun]
    begun.sort(key=lambda line: (datetime.fromisoformat(line.begun_at), line.number))
    days = cache(lambda day: find_words(wanted, f"{search.write_day(day)} {day}"))
    for line in reversed(begun):
        people = [one for one in line.seated if not search.won or persons[one] in line.winners]
        if people and not wanted.difference(days(line.evening), *(called[one] for one in people)):
            yield line


class PhoneTable(msgspec.Struct, frozen=True):
    """A table that a phone knows; `players` are those of its newest game, in seat order.

    That game may be `over`; `winners` are those of the last one that is. There have been so many
    `evenings`, that of a game being played among them. `seq` is its version, `writes` as in Access.
    `played_at` is when the newest game was last written at; `archived` whether the start is to pass
    it over. `copy` tells tables of one name and the same players apart, the oldest being 1.
    """

    id: int
    link: str
    name: str
    seq: int
    players: tuple[str, ...]
    over: bool
    winners: tuple[str, ...]
    evenings: int
    played_at: str
    writes: bool
    archived: bool
    copy: int = 1

    @property
    def played_on(self) -> date:
        """The evening on which it was last written at."""
        return evening_of(self.played_at)


def list_tables(
    db: Database, pen: str | None, known: Mapping[str, bool], most: int | None = None
) -> list[PhoneTable]:
    """The tables of a phone that are here: of their links it knows which are put away.

    Those come after all others; deleted ones are passed over. `most` is how many are
    wanted, None for all.
    """
    found: list[PhoneTable] = []
    for link in sorted(known, key=known.__getitem__):
        if len(found) == most:
            break
        with suppress(NotFound):
            with db.snapshot() as connection:
                table = find_access(connection, link, pen)
                found.append(_read_table(connection, table, archived=known[link]))
            clock.give_way()
    return _tell_apart(found)


def _tell_apart(found: Iterable[PhoneTable]) -> list[PhoneTable]:
    """The tables, those that would look alike numbered in the order in which they were opened."""
    alike: dict[object, list[int]] = {}
    for table in sorted(found, key=attrgetter("id")):
        alike.setdefault((table.name, table.players), []).append(table.id)
    numbers = {one: n for ids in alike.values() for n, one in enumerate(ids, start=1)}
    return [replace(table, copy=numbers[table.id]) for table in found]


def _read_table(connection: Connection, table: Access, *, archived: bool) -> PhoneTable:
    """A table, of which no game is replayed: who sits in one that goes on is read from its log."""
    number, (names, _) = log.find_newest_game(connection, table.id), resolve(connection, table.id)
    sql = """SELECT game, person, won FROM seats WHERE table_id = ?1
        AND game = (SELECT MAX(game) FROM seats WHERE table_id = ?1 AND game <= ?2)
        ORDER BY seat"""
    last = connection.execute(sql, [table.id, number]).fetchall()
    over = any(game == number for game, *_ in last)
    seated = [one for _, one, _ in last] if over else find_newest_seated(connection, table.id)
    sql = "SELECT at FROM changes WHERE table_id = ? AND game = ? ORDER BY seq DESC LIMIT 1"
    (written_at,) = connection.execute(sql, [table.id, number]).fetchone()
    return PhoneTable(
        table.id,
        table.link,
        table.name,
        table.seq,
        tuple(names[one] for one in seated),
        over,
        tuple(names[one] for _, one, won in last if won),
        _count_evenings(connection, table.id, 0 if over else number),
        written_at,
        table.writes,
        archived,
    )


def _count_evenings(connection: Connection, table_id: int, running: int) -> int:
    """Count a table's evenings, that of a game which is still being played (else 0) among them."""
    sql = "SELECT COUNT(DISTINCT evening), MAX(evening) FROM seats WHERE table_id = ?"
    count, last = connection.execute(sql, [table_id]).fetchone()
    sql = f"""SELECT at FROM changes WHERE table_id = ? AND game = ? AND undone IS NULL
        AND {log.STARTS}"""  # noqa: S608
    begun = connection.execute(sql, [table_id, running]).fetchone()
    return int(count) + bool(begun and evening_of(*begun).isoformat() > (last or ""))


def find_elsewhere(
    known: Mapping[str, bool], here: Iterable[PhoneTable], instance: str
) -> dict[str, bool]:
    """Those of a phone's links that lead to another server, and whether each is put away."""
    found = {table.link for table in here}
    return {
        link: away
        for link, away in known.items()
        if link not in found and instance_of(link) != instance
    }


# Nobody looks for more, and each word is looked for in every entry of a list.
LONGEST_QUERY, MOST_WORDS = 80, 8


def split_words(text: str) -> list[str]:
    """The words of a text, without case and accents: `Åsa-Östen` is `asa` and `osten`."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(
        r"[^\W_]+", "".join(char for char in letters if not unicodedata.combining(char))
    )


def read_query(text: str) -> list[str]:
    """The words that somebody looks for."""
    return split_words(text[:LONGEST_QUERY])[:MOST_WORDS]


def find_words(wanted: Collection[str], text: str) -> set[str]:
    """The words that are wanted and begin one of a text's."""
    words = split_words(text)
    return {each for each in wanted if any(word.startswith(each) for word in words)}
