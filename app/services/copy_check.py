"""A copy of a table that comes from outside: nothing of it is taken before all of it is checked.

What is checked is that every page of the table can be shown: that its games can be played, that
what refers to something refers to what is there, and that it holds no more than a table may.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import cast

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from app.rules.errors import BadFile, ChicagoError
from app.rules.events import Event
from app.rules.game import replay
from app.rules.gamefile import MAX_EVENTS
from app.rules.names import MAX_NAME, read_name
from app.rules.state import GameState, Setup
from app.services import quotas, swish
from app.services.evening import evening_of
from app.services.game_states import effective_events
from app.services.import_export import YIELD_SECONDS
from app.services.serialization import (
    deserialize_event,
    deserialize_setup,
    names_in,
    read_serialized_event,
    serialize_event,
    serialize_setup,
)
from app.services.statistics import MOST, game_statistics
from app.store import clock
from app.store.games import EventRow, in_order
from app.store.table_copy import (
    SEAT_COLUMNS,
    AmendmentCopy,
    Cells,
    EventCopy,
    GameCopy,
    PaymentCopy,
    PersonCopy,
    TableCopy,
)

MOST_VERSIONS = 10**9
LONGEST_ID = 128
# In characters: of the JSON of a setup or an event, and of a moment.
LONGEST_TEXT, LONGEST_TIME = 1_000_000, 40

# What may come of reading something that nobody wrote.
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError)


def check_copy(copy: TableCopy) -> TableCopy:
    """The copy as it may be written: worked out anew where that can be.

    Others are served between two games. Raises BadFile when it is no copy of a table, and
    NotAllowed for a game that cannot be played.
    """
    try:
        return _check_table(copy)
    except ChicagoError:
        raise
    except (*_UNREADABLE, msgspec.MsgspecError):
        raise BadFile("not_a_table") from None


def _require(*conditions: bool) -> None:
    if not all(conditions):
        raise BadFile("not_a_table")


def _check_table(copy: TableCopy) -> TableCopy:
    _require(1 <= copy.seq <= MOST_VERSIONS, 0 <= copy.erased_seq <= copy.seq)
    entries = _check_size(copy)
    games = tuple(_check_games(copy))
    numbers = [game.number for game in games]
    _require(
        numbers == sorted(set(numbers)),
        not numbers or 1 <= numbers[0] <= numbers[-1] <= quotas.MAX_GAMES,
        len({game.uid for game in games}) == len(games),
    )
    current = [game for game in games if game.undone_seq is None]
    undone = [game for game in games if game.undone_seq is not None]
    _require(
        bool(current),
        all(game.seats for game in current[:-1]),
        # Only what was started there can be undone, the newest first.
        all(game.started_seq is not None for game in undone),
        all(game.number > current[-1].number for game in undone),
    )
    people = _check_people(copy.people, [name for game in games for name in names_in(game.setup)])
    return replace(
        copy,
        name=read_name(copy.name[: MAX_NAME + 1]) if copy.name.strip() else "",
        created_at=_check_time(copy.created_at),
        entries=entries,
        games=games,
        people=people,
        payments=_check_payments(copy, games),
    )


def _check_size(copy: TableCopy) -> int:
    """For how many entries a copy counts, before anything in it is read.

    Raises BadFile, and NotAllowed for more than a table may hold.
    """
    quotas.check_games(len(copy.games))
    _require(len(copy.people) <= quotas.MAX_NAMES, len(copy.payments) <= quotas.MAX_PAYMENTS)
    entries = copy.seq + sum(_weigh(game) for game in copy.games)
    quotas.check_entries(entries)
    return entries


def _check_games(copy: TableCopy) -> Iterator[GameCopy]:
    for game in copy.games:
        yield _check_game(game, copy.seq)
        time.sleep(YIELD_SECONDS)


def _weigh(game: GameCopy) -> int:
    bodies = [event.body for event in game.events or ()]
    quotas.check_game(len(bodies))
    _require(all(len(text) <= LONGEST_TEXT for text in (game.setup, *bodies)))
    amended = sum(1 + len(row.replaced) for row in game.amendments) + len(game.spans)
    quotas.check_amended(amended)
    return quotas.weigh(bodies) + amended


def _check_game(game: GameCopy, seq: int) -> GameCopy:
    """Raises BadFile, and NotAllowed."""
    _require(0 < len(game.uid) <= LONGEST_ID)
    _require_versions(seq, game.started_seq, game.undone_seq)
    setup = deserialize_setup(game.setup)
    names = _check_names(game.setup, setup)
    rows = tuple(game.events or ())
    _require(game.events is not UNSET)
    amendments = _check_amendments(game, len(rows), seq)
    _check_spans(game, len(rows), seq)
    made = {row.seq for row in amendments}
    _require(all(row.after is None or row.seq in made for row in rows))
    events = tuple(_check_event(row, place, names, seq) for place, row in enumerate(rows, start=1))
    begun_at = _check_time(game.begun_at)
    counting = _counting(events, names)
    states = replay(setup, counting)
    return replace(
        game,
        setup=serialize_setup(setup, names),
        begun_at=begun_at,
        events=events,
        amendments=amendments,
        seats=_count(counting, states, begun_at),
    )


def _check_names(text: str, setup: Setup) -> tuple[str, ...]:
    """Everybody whom a game's events name, from its setup as text and as read, each once."""
    joined = names_in(text)[len(setup.players) :]
    names = (*setup.players, *joined)
    _require(len(set(names)) == len(names) <= quotas.MAX_NAMES)
    _require(all(read_name(name) == name for name in joined))
    return names


def _require_versions(seq: int, *versions: int | None) -> None:
    _require(*(version is None or 1 <= version <= seq for version in versions))


def _check_event(row: EventCopy, place: int, names: Sequence[str], seq: int) -> EventCopy:
    _require_versions(seq, row.seq, row.until_seq)
    _require((row.status == "effective") == (row.until_seq is None))
    _require(row.after is None or 0 <= row.after < place)
    body = serialize_event(read_serialized_event(row.body, names), names)
    return replace(row, body=body, recorded_at=_check_time(row.recorded_at))


def _counting(events: Sequence[EventCopy], names: Sequence[str]) -> list[Event]:
    """The events that count, in the order of the game."""
    rows = [
        EventRow(place, row.seq, row.body, row.recorded_at, row.status, row.after)
        for place, row in enumerate(events, start=1)
    ]
    _require([row.seq for row in rows] == sorted(row.seq for row in rows))
    ordered = effective_events(in_order(rows))
    _require(len(ordered) <= MAX_EVENTS)
    return [deserialize_event(row.body, names) for row in ordered]


def _count(
    events: Sequence[Event], states: Sequence[GameState], begun_at: str
) -> tuple[Cells, ...]:
    """The statistics of a game that is over, as a copy has them; another has none."""
    rows = game_statistics(events, states)
    evening = {"evening": evening_of(begun_at).isoformat()}
    return tuple([_cell((evening | row)[name]) for name in SEAT_COLUMNS] for row in rows)


def _cell(value: object) -> str | int:
    """A value as the database has it: it knows no booleans."""
    return value if isinstance(value, str) else int(cast("int", value))


def _check_amendments(game: GameCopy, events: int, seq: int) -> tuple[AmendmentCopy, ...]:
    return tuple(_check_amendment(row, events, seq) for row in game.amendments)


def _check_amendment(row: AmendmentCopy, events: int, seq: int) -> AmendmentCopy:
    _require_versions(seq, row.seq, row.until_seq)
    _require(
        (row.status in ("effective", "final")) == (row.until_seq is None),
        1 <= row.deal <= MAX_EVENTS + 1,
        len(set(row.replaced)) == len(row.replaced),
        all(1 <= place <= events for place in row.replaced),
    )
    at = row.recorded_at
    return replace(row, recorded_at=None if at is None else _check_time(at))


def _check_spans(game: GameCopy, events: int, seq: int) -> None:
    for span in game.spans:
        _require_versions(seq, span.seq, span.until_seq)
        _require(
            (span.event is None) != (span.amendment is None),
            span.event is None or 1 <= span.event <= events,
            span.amendment is None or 1 <= span.amendment <= len(game.amendments),
        )


def _check_people(people: Sequence[PersonCopy], players: Sequence[str]) -> tuple[PersonCopy, ...]:
    names = [person.name for person in people]
    _require(len(set(names)) == len(names))
    everybody = {*names, *players}
    if len(everybody) > quotas.MAX_NAMES:
        raise BadFile("not_a_table")
    for person in people:
        _require(read_name(person.name) == person.name)
        _require_end(people, person)
        _require(person.swish is None or swish.read_number(person.swish) == person.swish)
    return tuple(people)


def _require_end(people: Sequence[PersonCopy], person: PersonCopy) -> None:
    """Raise BadFile where merged names lead nowhere, or in a circle."""
    for _ in people:
        if person.same_as is None:
            return
        _require(1 <= person.same_as <= len(people))
        person = people[person.same_as - 1]
    _require(person.same_as is None)


def _check_payments(copy: TableCopy, games: Sequence[GameCopy]) -> tuple[PaymentCopy, ...]:
    players = {name for game in games for name in names_in(game.setup)}
    return tuple(_check_payment(row, copy, players) for row in copy.payments)


def _check_payment(row: PaymentCopy, copy: TableCopy, players: set[str]) -> PaymentCopy:
    _require_versions(copy.seq, row.seq, row.undone_seq)
    between = row.payer, row.payee
    _require(
        row.payer != row.payee,
        1 <= row.ore <= MOST,
        all(1 <= place <= len(copy.people) for place in between),
    )
    _require(all(copy.people[place - 1].name in players for place in between))
    return replace(row, paid_at=_check_time(row.paid_at))


def _check_time(text: str) -> str:
    """A time that is one, that every clock in the world can tell, and not in the future."""
    _require(len(text) <= LONGEST_TIME)
    moment = datetime.fromisoformat(text)
    _require(moment.tzinfo is not None, MINYEAR < moment.year < MAXYEAR)
    now = datetime.now(UTC)
    return clock.write_time(now) if moment > now else text
