"""The statistics of a table's people over a time, and the swings of an evening.

Both are of games that are over, and are added up by SQL from the figures of each seat.
"""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import compress, groupby, permutations
from operator import add, eq, itemgetter
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from app.rules.codes import BestCode
from app.rules.hands import Hand
from app.rules.protocol import Best, Swing, TableRecord
from app.rules.settlement import share_out
from app.services import figures, people
from app.services.figures import MOST_SWINGS, find_swings, pick_largest
from app.services.people import WHOSE
from app.services.table_view import fold
from app.store import clock, log
from app.store.database import Connection, Database
from app.store.schema import SUMS, VOID

# The first and the last month of a time, as `2026-10`, both included.
Months = tuple[str, str]
ALWAYS = ("0000-00", "9999-99")
# So many people are shown against each other, of more those who played most.
MOST_MET = 12
# After so many games others are served.
A_STEP = 500
# Less is no record of a table: anybody zeroes once, and has a full house.
_LEAST_TOLD: Mapping[BestCode, int] = {
    "wins_in_a_row": 2,
    "zeroings_of_evening": 2,
    "chicagos_of_evening": 2,
    "finest_hand": [*Hand].index(Hand.FOUR_OF_A_KIND) + 1,
}
_RANKS = " ".join(f"WHEN {hand} > 0 THEN {n}" for n, hand in reversed([*enumerate(Hand, start=1)]))
# The figures of a seat that make a record of a game, and those of an evening together.
_OF_GAME: Mapping[BestCode, str] = {
    "highest_win": "ore",
    "highest_score": "score",
    "biggest_swing": "biggest_swing",
    "longest_stop": "longest_stop",
    "finest_hand": f"(CASE {_RANKS} ELSE 0 END)",
}
_OF_EVENING: Mapping[BestCode, int] = {
    "win_of_evening": 1,
    "zeroings_of_evening": 3,
    "chicagos_of_evening": 4,
}
# A table's seats of a time.
_PLAYED = f"""FROM seats WHERE table_id = ?1 AND broken_off < {VOID}
    AND substr(evening, 1, 7) BETWEEN ?2 AND ?3"""
_ADDED = ", ".join(f"SUM({each}) AS {each}" for each in ("score", *SUMS))
# Numbers are added up first, then the few of one person: a join of all takes twice as long.
_TOTALS = f"""WITH {WHOSE}, totals AS (
        SELECT person, COUNT(*) AS games, SUM(stake_ore > 0) AS staked, {_ADDED},
            {", ".join(f"MAX({figure}) AS {code}" for code, figure in _OF_GAME.items())}
        {_PLAYED} GROUP BY person)
    SELECT name, SUM(games) AS games, SUM(staked) AS staked, {_ADDED},
        {", ".join(f"MAX({code}) AS {code}" for code in _OF_GAME)}
    FROM totals JOIN whose ON number = person GROUP BY name
    ORDER BY SUM(games) DESC, SUM(won) DESC, name"""
_IN_ORDER = f"""SELECT game, evening, person, won, ore, stake_ore > 0, zeroings_given,
        chicagos_made, score, deals, score >= target
    {_PLAYED} ORDER BY begun_at, game, seat"""
_RECORDS = f"""SELECT person, evening, game, {", ".join(_OF_GAME.values())}
    {_PLAYED} AND ({" OR ".join(f"{each} = ?{n}" for n, each in enumerate(_OF_GAME.values(), 4))})
    ORDER BY begun_at, game"""

# The figures of a seat.
SeatFigures = tuple[Any, ...]
# By person, when they first did it best.
BestByPerson = dict[str, Best]


class PersonStatistics(msgspec.Struct, frozen=True):
    """One person's figures over a time; `staked` of the `games` were for money, `ore` won or lost.

    Those were on so many `evenings`. `score` in points over all games, `biggest_swing` in points,
    `longest_stop` in deals; `streak` is the most games won in a row, `wins_now` those at the end.
    `hands` holds only those that came up.
    """

    name: str
    games: int
    staked: int
    evenings: int
    won: int
    ore: int
    score: int
    hands: Mapping[Hand, int]
    chicagos_said: int
    chicagos_made: int
    zeroings_given: int
    zeroings_suffered: int
    last_tricks: int
    biggest_swing: int
    longest_stop: int
    streak: int
    wins_now: int


class HeadToHead(msgspec.Struct):
    """One person's games against another: `ore` is what the other paid (− the other way)."""

    other: str
    games: int = 0
    ahead: int = 0
    behind: int = 0
    ore: int = 0


class Statistics(msgspec.Struct, frozen=True):
    """A table's people over a time, most games first, their meetings, and the table's records.

    `meetings` are of the first MOST_MET people. `evenings` are what each person won on each of that
    time: öre where `has_money` says so, else games. `span` is the first and the last month of all
    games.
    """

    people: list[PersonStatistics]
    meetings: Mapping[str, list[HeadToHead]]
    records: list[TableRecord]
    evenings: Mapping[str, Mapping[str, int]]
    has_money: bool
    span: Months | None


class _Games:
    """What needs the games one by one: evenings, wins, and who met whom."""

    def __init__(self, names: Mapping[int, str], most_met: Collection[str]) -> None:
        self.names, self.most_met = names, most_met
        self.bests: dict[BestCode, BestByPerson] = defaultdict(dict)
        self.won_in_a_row: Counter[str] = Counter()
        self.met: dict[tuple[str, str], list[int]] = {}
        # By evening and person: games won, öre, games for money, and the figures of `_OF_EVENING`.
        self.evenings: dict[str, dict[str, list[int]]] = {}

    def add(self, number: int, evening: str, seats: Sequence[SeatFigures]) -> None:
        """Add the next game in the order of play, its seats as `_IN_ORDER` has them."""
        on = self.evenings.setdefault(evening, {})
        for person, won, *values, _, _, reached in seats:
            whose = self.names[person]
            sums = on.setdefault(whose, [0] * 5)
            sums[:] = map(add, sums, (won, *values))
            self.won_in_a_row[whose] = self.won_in_a_row[whose] + 1 if won else 0
            if won:
                self.note("wins_in_a_row", whose, self.won_in_a_row[whose], evening, number)
            if won and reached:
                deals = max(seat[-2] for seat in seats)
                self.note("quickest_win", whose, -deals, evening, number)
        self._meet([(self.names[seat[0]], seat[1], seat[2], seat[6]) for seat in seats])

    def note(self, code: BestCode, whose: str, value: int, evening: str, number: int = 0) -> None:
        """Note how well somebody did, where it is their best."""
        best = self.bests[code].get(whose)
        if best is None or best.value < value:
            self.bests[code][whose] = Best(value, evening, number)

    def note_evenings(self) -> None:
        """Note who did best in an evening, all games being added."""
        for code, column in _OF_EVENING.items():
            for evening, on in self.evenings.items():
                for whose, sums in on.items():
                    if sums[column] > 0:
                        self.note(code, whose, sums[column], evening)

    def _meet(self, seats: Sequence[SeatFigures]) -> None:
        """Compare those who played most: a seat is a name, whether it won, its öre and points."""
        losers = {whose: -ore for whose, won, ore, _ in seats if not won}
        paid = share_out(losers, [whose for whose, won, _, _ in seats if won])
        met = [(whose, (won, score)) for whose, won, _, score in seats if whose in self.most_met]
        for (one, rank), (other, other_rank) in permutations(met, 2):
            sums = self.met.setdefault((one, other), [0, 0, 0, 0])
            sums[0] += 1
            sums[1] += rank > other_rank
            sums[2] += rank < other_rank
            sums[3] += paid.get((other, one), 0) - paid.get((one, other), 0)


def read_statistics(db: Database, table_id: int, months: Months = ALWAYS) -> Statistics:
    """The figures of a table's people over a time; others are served while many games are read."""
    asked = (table_id, *months)
    with db.snapshot() as connection:
        _, names = people.resolve(connection, table_id)
        totals = [*connection.query(_TOTALS, asked)]
        most = [max((each[code] for each in totals), default=0) for code in _OF_GAME]
        best = connection.execute(_RECORDS, (*asked, *most)).fetchall()
        rows = connection.execute(_IN_ORDER, asked).fetchall()
        span = _read_span(connection, table_id)
    games = _Games(names, [each["name"] for each in totals[:MOST_MET]])
    for count, ((number, day), seats) in enumerate(groupby(rows, itemgetter(0, 1))):
        if count % A_STEP == 0:
            clock.give_way()
        games.add(number, day, [seat[2:] for seat in seats])
    games.note_evenings()
    for person, day, number, *values in best:
        for code, value in compress(zip(_OF_GAME, values, strict=True), map(eq, values, most)):
            games.note(code, names[person], value, day, number)
    clock.give_way()
    persons = [_make_person(each, games) for each in totals]
    has_money = any(person.staked for person in persons)
    return Statistics(
        people=persons,
        meetings={one: _list_meetings(one, games) for one in games.most_met},
        records=[*_find_records(games.bests)],
        evenings={
            day: {name: ore if has_money else won for name, (won, ore, *_) in on.items()}
            for day, on in games.evenings.items()
        },
        has_money=has_money,
        span=span,
    )


def _make_person(totals: Mapping[str, Any], games: _Games) -> PersonStatistics:
    name, hands = totals["name"], {hand: totals[hand] for hand in Hand if totals[hand]}
    streak = games.bests["wins_in_a_row"].get(name)
    figures_ = {key: totals[key] for key in PersonStatistics.__struct_fields__ if key in totals}
    return PersonStatistics(
        **figures_,
        evenings=sum(on[name][2] > 0 for on in games.evenings.values() if name in on),
        hands=hands,
        streak=streak.value if streak else 0,
        wins_now=games.won_in_a_row[name],
    )


def _list_meetings(one: str, games: _Games) -> list[HeadToHead]:
    """Each of the others: first whom they were ahead of most of the time."""
    met = [(other, games.met.get((one, other))) for other in games.most_met]
    meetings = [HeadToHead(name, *sums) for name, sums in met if sums]
    return sorted(meetings, key=lambda each: (each.behind - each.ahead) / each.games)


def _read_span(connection: Connection, table_id: int) -> Months | None:
    sql = f"""SELECT MIN(evening), MAX(evening) FROM seats
        WHERE table_id = ? AND broken_off < {VOID}"""
    first, last = connection.execute(sql, [table_id]).fetchone()
    return (first[:7], last[:7]) if first else None


def _find_records(bests: Mapping[BestCode, BestByPerson]) -> Iterator[TableRecord]:
    """The records of a table, those who did as well later behind the first."""
    codes: tuple[BestCode, ...] = get_args(BestCode)
    for code in codes:
        most = max((best.value for best in bests[code].values()), default=0)
        if not most or (most < _LEAST_TOLD.get(code, 1) and code != "quickest_win"):
            continue
        holders = [name for name, best in bests[code].items() if best.value == most]
        holders.sort(key=lambda name: (bests[code][name].evening, bests[code][name].game, name))
        yield TableRecord(code, bests[code][holders[0]], tuple(holders))


def read_swings(db: Database, table_id: int, evening: date) -> list[Swing]:
    """The largest swings of an evening's games, by person."""
    sql = """SELECT game FROM seats WHERE table_id = ? AND evening = ?
        GROUP BY game ORDER BY MAX(biggest_swing) DESC, game LIMIT ?"""
    with db.snapshot() as connection:
        asked = [table_id, evening.isoformat(), MOST_SWINGS]
        found = []
        # No other game has a larger one.
        for (number,) in connection.execute(sql, asked).fetchall():
            played = figures.play_numbered(
                fold(log.read_game(connection, table_id, number)).games[number]
            )
            found += find_swings(number, played.states())
        _, persons = people.resolve(connection, table_id)
    return [_name(swing, persons) for swing in pick_largest(found)]


def _name(swing: Swing, persons: Mapping[int, str]) -> Swing:
    """A swing of numbered seats, by person."""
    why, players = swing.why, tuple(persons[int(seat)] for seat in swing.players)
    by = persons[int(why.by)] if why.by else None
    return replace(swing, players=players, why=replace(why, player=players[0], by=by))
