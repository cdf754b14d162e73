"""A table as it stands: who may read it and write at it. Nothing here knows the web."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

import msgspec

from app.rules.errors import ChicagoError, Stale
from app.rules.events import Event
from app.rules.game import replay
from app.rules.gamefile import Game
from app.rules.state import GameState, Setup
from app.services.serialization import deserialize_event, deserialize_setup, serialize_setup
from app.store.database import EventRow, GameRow, Pool, TableRow

LINK_BYTES = 16
PEN_BYTES = 32
MOST_GAMES = 2**31


class NotFound(ChicagoError):
    """There is no such table or game."""


class NoPen(ChicagoError):
    """Whoever asks may read at this table, not write."""


class Sheet(msgspec.Struct, frozen=True):
    """A table as it stands: its newest (or a chosen) game with every state.

    `games` is how many the table has had, `seq` its version, `redoable` what redo would bring.
    """

    name: str
    seq: int
    games: int
    number: int
    game: Game
    states: Sequence[GameState]
    redoable: Event | None

    @property
    def state(self) -> GameState:
        """Where the game stands."""
        return self.states[-1]

    @property
    def undoable(self) -> Event | None:
        """The event that undo would take back."""
        return self.game.events[-1] if self.game.events else None


class Access(msgspec.Struct, frozen=True):
    """What a link and a pen open: the table's key, name and version, and the right to write.

    `link` is the secret in the clear, `seq` the version; `writes` is False for who only reads.
    """

    id: int
    link: str
    name: str
    seq: int
    writes: bool


class LogLine(msgspec.Struct, frozen=True):
    """One line of a game's log: `taken_back` is None while the event counts."""

    event: Event
    recorded_at: str
    taken_back: str | None


class Write(msgspec.Struct, frozen=True):
    """Who writes at which table, from which version of it.

    `link` and `pen` are the secrets in the clear; `seq` is the version the writer saw, None to
    write on whatever is newest; `request` tells two requests apart, so that one sent twice is
    carried out once.
    """

    link: str
    pen: str | None
    seq: int | None = None
    request: str = ""


def hash_secret(secret: str) -> str:
    """How a link or a pen is kept."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def open_table(pool: Pool, setup: Setup, name: str, pen: str, link: str | None = None) -> str:
    """Open a table, start its first game, and return its link."""
    link = link or new_link()
    with pool.writing():
        table_id = pool.add_table(hash_secret(link), name)
        pool.give_pen(table_id, hash_secret(pen))
        pool.add_change(table_id, "game", "")
        pool.add_game(table_id, 1, new_game_id(), serialize_setup(setup))
    return link


def new_link() -> str:
    """A secret that lets its holder read at a new table."""
    return secrets.token_urlsafe(LINK_BYTES)


def new_game_id() -> str:
    """A name for a game that no other game has."""
    return secrets.token_hex(LINK_BYTES)


def new_pen() -> str:
    """A secret that lets its holder write."""
    return secrets.token_urlsafe(PEN_BYTES)


def sheet(pool: Pool, link: str, number: int | None = None) -> Sheet:
    """The table behind a link, with its newest game or game `number`. Raises NotFound."""
    with pool.reading():
        table = find_table(pool, link)
        newest = pool.newest_game(table.id)
        chosen = newest if number is None else find_game(pool, table, number)
        return load_sheet(pool, table, chosen, newest.number)


def game_numbers(pool: Pool, link: str) -> list[int]:
    """The numbers of the table's games; some may have been forgotten. Raises NotFound."""
    return [game.number for game in pool.games(find_table(pool, link).id)]


def table_id(pool: Pool, link: str) -> int:
    """The key of the table behind a link. Raises NotFound."""
    return find_table(pool, link).id


def access(pool: Pool, link: str, pen: str | None) -> Access:
    """What a link opens, and whether a pen (None: nobody's) writes there. Raises NotFound."""
    row = pool.access(hash_secret(link), hash_secret(pen) if pen is not None else "")
    if row is None:
        raise NotFound("no_such_table")
    key, name, seq, writes = row
    return Access(key, link, name, seq, writes)


def may_write(pool: Pool, link: str, pen: str | None) -> bool:
    """Whether a pen writes at the table behind a link."""
    table = pool.table(hash_secret(link))
    return table is not None and pen is not None and pool.holds_pen(table.id, hash_secret(pen))


def ended_games(pool: Pool, link: str) -> list[GameState]:
    """How each of a table's ended games ended, oldest first. Raises NotFound."""
    with pool.reading():
        table = find_table(pool, link)
        games = pool.games(table.id)
        ends = [load_sheet(pool, table, game, len(games)).state for game in games]
    return [state for state in ends if state.over]


def log(pool: Pool, link: str, number: int) -> list[LogLine]:
    """Everything ever recorded in a game, taken back or not, oldest first. Raises NotFound."""
    table = find_table(pool, link)
    game = find_game(pool, table, number)
    setup = deserialize_setup(game.setup)
    return [
        LogLine(deserialize_event(row.body, setup), row.recorded_at, row.taken_back)
        for row in pool.events(game.id)
    ]


def begin_change(pool: Pool, write: Write, what: str) -> tuple[TableRow, int | None]:
    """Count one more change of a table, within the write that makes it.

    Returns the table as it was and the change's number, None when this very request was carried
    out before. Raises NotFound, NoPen, and Stale when the writer saw an older table.
    """
    table = require_pen(pool, write)
    request = hash_secret(f"{write.pen} {what} {write.request}")
    if write.seq is not None and write.seq != table.seq:
        if write.request and pool.request_behind(table.id, write.seq + 1) == request:
            return table, None
        raise Stale("stale")
    return table, pool.add_change(table.id, what, request)


def require_pen(pool: Pool, write: Write) -> TableRow:
    """The table that a pen writes at. Raises NotFound, NoPen."""
    table = find_table(pool, write.link)
    if write.pen is None or not pool.holds_pen(table.id, hash_secret(write.pen)):
        raise NoPen("no_pen")
    return table


def find_table(pool: Pool, link: str) -> TableRow:
    """The row of the table behind a link. Raises NotFound."""
    table = pool.table(hash_secret(link))
    if table is None:
        raise NotFound("no_such_table")
    return table


def find_game(pool: Pool, table: TableRow, number: int) -> GameRow:
    """The row of one of a table's games. Raises NotFound."""
    game = pool.game(table.id, number) if number <= MOST_GAMES else None
    if game is None:
        raise NotFound("no_such_game")
    return game


def load_sheet(pool: Pool, table: TableRow, row: GameRow, games: int) -> Sheet:
    """A table with one of its games, played through."""
    setup = deserialize_setup(row.setup)
    rows = pool.events(row.id)
    events = tuple(deserialize_event(event.body, setup) for event in effective_events(rows))
    redoable = _redoable(rows)
    return Sheet(
        name=table.name,
        seq=table.seq,
        games=games,
        number=row.number,
        game=with_id(setup, events, row.uid),
        states=replay(setup, events),
        redoable=deserialize_event(redoable.body, setup) if redoable else None,
    )


def with_id(setup: Setup, events: tuple[Event, ...], uid: str) -> Game:
    """A game that its file, too, can be known by."""
    return Game(setup, events, {"id": uid})


def effective_events(rows: list[EventRow]) -> list[EventRow]:
    """Those of a game's events that have not been taken back."""
    return [row for row in rows if row.taken_back is None]


def _redoable(rows: list[EventRow]) -> EventRow | None:
    """Undo goes backwards, so the oldest undone event is the one undone last."""
    return next((row for row in rows if row.taken_back == "undone"), None)
