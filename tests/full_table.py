"""A table filled to its bounds (`app/services/bounds.py`), as twenty years of Thursdays do."""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from app.rules.events import BreakOff
from app.rules.gamefile import MAX_EVENTS, Game, read_game
from app.rules.names import MAX_NAME, MAX_PLAYERS
from app.services import access, bounds, commit, figures, opening
from app.services.access import Write
from app.services.table_view import GameBody, to_json, write_numbers, write_setup
from app.store import log
from app.store.clock import evening_of, local, write_time
from app.store.database import Connection, Database
from app.store.log import ChangeKind, ChangeRow
from tests.long_games import long_game

BEGAN, AN_EVENING = datetime(2006, 1, 5, 19, tzinfo=UTC), 3
SEATS = [f"Seat {number}" for number in range(MAX_PLAYERS)]
# So many different games, of so many deals and more, are played again and again by others.
PATTERNS, DEALS = 20, 14
Played = tuple[Game, figures.Figures]


def name_of(person: int) -> str:
    """The name of a person, as long as one may be and of as many words."""
    return f"Person {person:03}" + " ö" * ((MAX_NAME - len("Person 000")) // 2)


def fill_table(db: Database, an_evening: int = AN_EVENING) -> Write:
    """Fill a table with as many games, people and payments as it holds; its keeper.

    There are so many games an evening. The newest is as long as one may be, and goes on.
    """
    dice, played = random.Random(1), [_play(DEALS + number) for number in range(PATTERNS)]
    link, pen = access.new_link(), access.new_pen()
    names = {n: name_of(n) for n in range(1, bounds.MAX_NAMES + 1)}
    with db.transaction() as connection:
        table_id = opening.add_table(connection, link, "Torsdagarna")
        pen_id = access.add_pen(connection, table_id, pen)
        commit.insert_names(connection, table_id, names)
        rows = [*_write_rows(connection, table_id, played, dice, an_evening)]
        for row in rows:
            log.append(connection, table_id, row, pen_id)
        access.mark_ledger(connection, table_id, rows[-1].seq)
    return Write(link, pen)


def _play(deals: int, *, over: bool = True) -> Played:
    raw = {**long_game(SEATS, deals), "stake_ore": 100}
    game = read_game(raw)
    if over:
        game = Game(game.setup, (*game.events, BreakOff(settle=True)))
    return game, figures.count_figures(write_time(BEGAN), game, game.states())


def _write_rows(
    connection: Connection,
    table_id: int,
    played: Sequence[Played],
    dice: random.Random,
    an_evening: int,
) -> Iterator[ChangeRow]:
    """Write the games, so many an evening, and the payments among them."""
    seq, everybody = 0, range(1, bounds.MAX_NAMES + 1)
    for number in range(1, bounds.MAX_GAMES + 1):
        is_newest = number == bounds.MAX_GAMES
        game, counted = _play(MAX_EVENTS // 4, over=False) if is_newest else dice.choice(played)
        evening, nth = divmod(number, an_evening)
        at = write_time(BEGAN + timedelta(weeks=evening, minutes=150 / an_evening * nth))
        numbers = dict(zip(SEATS, dice.sample(everybody, MAX_PLAYERS), strict=True))
        events = [(write_numbers(event, numbers), at) for event in game.events[: MAX_EVENTS - 1]]
        setup = write_setup(game.setup, numbers)
        within = () if is_newest else tuple(events)
        body = to_json(GameBody(access.new_game_id(), setup, events=within))
        changes: list[tuple[ChangeKind, int, str]] = [("import" if seq else "open", number, body)]
        changes += [("record", number, to_json(event)) for event, _ in events if is_newest]
        if 2 * number <= bounds.MAX_PAYMENTS:
            payer, payee, *_ = numbers.values()
            changes += [("pay", 0, to_json([(payer, payee, 1000, "swish")]))] * 2
        for kind, of_game, text in changes:
            seq += 1
            yield ChangeRow(seq, kind, of_game, text, at, None, seq)
        if not is_newest:
            when = {"begun_at": write_time(local(at)), "evening": evening_of(at).isoformat()}
            seats = {name: seat | when for name, seat in counted.items()}
            figures.add_figures(connection, table_id, figures.write_figures(number, seats, numbers))
