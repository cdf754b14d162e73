"""Evenings of a table and their games: results, winners, and the list that is searched."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from itertools import compress, groupby
from operator import attrgetter, itemgetter

import msgspec

from app.services import bounds, table_view
from app.services.access import Access, find_access
from app.services.people import WHOSE, resolve
from app.services.table_view import to_json
from app.store import clock, schema
from app.store.clock import evening_of
from app.store.database import Connection, Database


class GameSummary(msgspec.Struct, frozen=True):
    """One game: points, and öre won (+) or lost (−), by person; `payout` is None until over.

    `seated` are numbers in seat order, `winners` persons; a game that is not over has no winners,
    nor has one broken off as void. `begun` is whether anything is recorded in it.
    """

    number: int
    begun_at: str
    evening: date
    stake_ore: int
    seated: tuple[int, ...]
    scores: dict[str, int]
    payout: dict[str, int] | None
    winners: tuple[str, ...]
    broken_off: bool
    begun: bool = True


# So many of an evening's games and settlements are shown, and so many evenings beside it.
MOST_SHOWN, MOST_OTHERS = 30, 8


def find_running(
    connection: Connection, table: Access, persons: Mapping[int, str]
) -> list[GameSummary]:
    """The game that is being played, if one is: its line is the same until it ends."""
    view = table_view.load_newest(connection, table)
    if view.state.over:
        return []
    seated = tuple(view.numbers[name] for name in view.state.players)
    return [
        GameSummary(
            view.number,
            view.begun_at,
            evening_of(view.begun_at),
            view.state.setup.stake_ore,
            seated,
            dict.fromkeys((persons[number] for number in seated), 0),
            None,
            (),
            broken_off=False,
            begun=bool(view.game.events),
        )
    ]


def read_lines(
    connection: Connection,
    table_id: int,
    persons: Mapping[int, str],
    day: date | None = None,
) -> list[GameSummary]:
    """A table's games that are over by number: all, or the last of an evening."""
    sql = """SELECT game, begun_at, evening, stake_ore, broken_off, person, score, ore, won
        FROM seats WHERE table_id = ?1
            AND game IN (SELECT DISTINCT game FROM seats WHERE table_id = ?1
                AND (?2 IS NULL OR evening = ?2)
                ORDER BY game DESC LIMIT ?3)
        ORDER BY game, seat"""
    asked = (day.isoformat(), MOST_SHOWN) if day else (None, bounds.MAX_GAMES)
    rows = connection.execute(sql, [table_id, *asked]).fetchall()
    lines = []
    for number, group in groupby(rows, itemgetter(0)):
        _, at, days, stake_ore, broken_off, seated, scores, ore, won = zip(*group, strict=True)
        lines.append(
            GameSummary(
                number,
                at[0],
                date.fromisoformat(days[0]),
                stake_ore[0],
                seated,
                _by_person(persons, seated, scores),
                _by_person(persons, seated, ore),
                tuple(persons[winner] for winner in compress(seated, won)),
                bool(broken_off[0]),
            )
        )
    return lines


def _by_person(
    persons: Mapping[int, str], seated: Iterable[int], amounts: Iterable[int]
) -> dict[str, int]:
    """Add amounts up by person: two names in one game may have turned out to be one person's."""
    sums: dict[str, int] = {}
    for number, amount in zip(seated, amounts, strict=True):
        sums[persons[number]] = sums.get(persons[number], 0) + amount
    return sums


class EveningResult(msgspec.Struct, frozen=True):
    """One evening's games for money that are over: öre won (+) or lost (−), by person.

    `running` is what each of them has won or lost over all evenings up to this one.
    """

    day: date
    amounts: Mapping[str, int]
    running: Mapping[str, int]

    @property
    def winners(self) -> list[str]:
        """The biggest winners; nobody where nobody won anything."""
        most = max(self.amounts.values())
        return [name for name, ore in self.amounts.items() if ore == most > 0]


def list_evenings(db: Database, table_id: int) -> list[EveningResult]:
    """Every evening at which a game for money came to its end, oldest first."""
    # There may be an evening for each game: a join with people would take twice as long.
    sql = """SELECT evening, person, SUM(ore) FROM seats WHERE table_id = ? AND stake_ore > 0
        GROUP BY evening, person ORDER BY evening, person"""
    evenings, running, (_, persons) = [], Counter[str](), resolve(db.connection, table_id)
    for day, rows in groupby(db.connection.execute(sql, [table_id]).fetchall(), itemgetter(0)):
        _, numbers, ore = zip(*rows, strict=True)
        amounts = _by_person(persons, numbers, ore)
        running.update(amounts)
        so_far = {name: running[name] for name in amounts}
        evenings.append(EveningResult(date.fromisoformat(day), amounts, so_far))
    return evenings


class PersonResult(msgspec.Struct, frozen=True):
    """The öre that one person has won (+) or lost (−) over all evenings for money.

    `best` and `worst` are the evenings, of `evenings` in all, that brought them most and least, the
    newest where there are several.
    """

    name: str
    ore: int
    evenings: int
    best: EveningResult
    worst: EveningResult


def list_person_results(evenings: Sequence[EveningResult]) -> list[PersonResult]:
    """The people who have played for money at these evenings, the biggest winner first."""
    played: dict[str, list[EveningResult]] = {}
    for evening in reversed(evenings):
        for name in evening.amounts:
            played.setdefault(name, []).append(evening)
    results = []
    for name, nights in played.items():
        ore = [each.amounts[name] for each in nights]
        best, worst = (nights[ore.index(most)] for most in (max(ore), min(ore)))
        results.append(PersonResult(name, sum(ore), len(ore), best, worst))
    return sorted(results, key=lambda each: (-each.ore, each.name))


class EveningWinners(msgspec.Struct, frozen=True):
    """Winners of an evening: by öre where there was a stake (`money`), else by games won.

    Each of them has so `many`.
    """

    names: list[str]
    many: int
    money: bool


def find_winners(
    connection: Connection, table_id: int, evenings: Iterable[date]
) -> dict[date, EveningWinners]:
    """Winners by evening; evenings without one are left out."""
    sql = f"""WITH {WHOSE}, sums AS (SELECT evening, name, SUM(ore) AS ore, SUM(won) AS won,
                MAX(MAX(won * stake_ore)) OVER (PARTITION BY evening) > 0 AS money,
                ROW_NUMBER() OVER (ORDER BY MIN(game), MIN(seat)) AS place
            FROM seats JOIN whose ON number = person
            WHERE table_id = ?1 AND evening IN (SELECT value FROM json_each(?2))
            GROUP BY evening, name),
        ranked AS (SELECT *, IIF(money, ore, won) AS many,
            RANK() OVER (PARTITION BY evening ORDER BY IIF(money, ore, won) DESC) AS rank FROM sums)
        SELECT evening, name, many, money FROM ranked WHERE rank = 1 AND many > 0
        ORDER BY evening, place"""
    rows = connection.execute(sql, [table_id, to_json([*evenings])]).fetchall()
    found = {}
    for day, group in groupby(rows, itemgetter(0)):
        _, names, many, money = zip(*group, strict=True)
        found[date.fromisoformat(day)] = EveningWinners([*names], many[0], bool(money[0]))
    return found


PAGE_SIZE = 20


class ListedEvening(msgspec.Struct, frozen=True):
    """An evening with those of its games that are listed; `winners` are of all of its games."""

    day: date
    winners: EveningWinners | None
    games: list[GameSummary]


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
    winners = find_winners(db.connection, table.id, days)
    evenings = [
        ListedEvening(day, winners.get(day), [*group])
        for day, group in groupby(shown, attrgetter("evening"))
    ]
    return GameList(evenings, len(found) > page * PAGE_SIZE, page)


def find_neighbours(db: Database, table_id: int, number: int) -> tuple[int | None, int | None]:
    """The numbers of the games before and after one of a table's."""
    games = f"FROM changes WHERE table_id = ?1 AND undone IS NULL AND {schema.STARTS}"
    sql = f"""SELECT (SELECT MAX(game) {games} AND game < ?2),
        (SELECT MIN(game) {games} AND game > ?2)"""
    before, after = db.connection.execute(sql, [table_id, number]).fetchone()
    return before, after


def _find(
    lines: Iterable[GameSummary],
    names: Mapping[int, str],
    persons: Mapping[int, str],
    search: Search,
) -> Iterator[GameSummary]:
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
