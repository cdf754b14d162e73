"""A table as it stands: who may read it and write at it. Nothing here knows the web."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.errors import ChicagoError, Stale
from app.rules.events import Event
from app.rules.game import replay
from app.rules.gamefile import Game
from app.rules.state import GameState, Setup
from app.services.serialization import deserialize_event, deserialize_setup, serialize_setup
from app.store.database import Connection, Pool
from app.store.games import EventRow, EventStatus, GameRow
from app.store.tables import TableRow
from app.store.undo_stack import AmendmentRow, HeadRow, StartRow

LINK_BYTES = 16
PEN_BYTES = 32
MOST_GAMES = 2**31


class NotFound(ChicagoError):
    """There is no such table or game."""


class NoPen(ChicagoError):
    """Whoever asks may read at this table, not write."""


class AmendedGame(msgspec.Struct, frozen=True):
    """That game `number` was amended: `deal` is the first that it touched."""

    number: int
    deal: int


class StartedGame(msgspec.Struct, frozen=True):
    """That game `number` was started."""

    number: int


UndoItem = Event | AmendedGame | StartedGame


class Sheet(msgspec.Struct, frozen=True):
    """A table as it stands: its newest (or a chosen) game with every state.

    `games` is how many the table has had, `seq` its version. `newest_change` is the table's newest
    change where that is no tap, `redoable` what redo would bring; both None where they are unknown.
    """

    name: str
    seq: int
    games: int
    number: int
    game: Game
    states: Sequence[GameState]
    newest_change: AmendedGame | StartedGame | None = None
    redoable: UndoItem | None = None

    @property
    def state(self) -> GameState:
        """Where the game stands."""
        return self.states[-1]

    @property
    def undoable(self) -> UndoItem | None:
        """What undo would take back: the newest change; if that is a tap, the last event."""
        if self.newest_change is not None:
            return self.newest_change
        return self.game.events[-1] if self.game.events else None


class Access(msgspec.Struct, frozen=True):
    """What a link and a pen open: the table's key, name and version, and the right to write.

    `link` is the secret in the clear, `seq` the version, `erased_seq` that at which something was
    erased last; `writes` is False for who only reads; `recovered` is whether a recovery link has
    given a pen since somebody who writes looked.
    """

    id: int
    link: str
    name: str
    seq: int
    erased_seq: int
    writes: bool
    recovered: bool


class LogLine(msgspec.Struct, frozen=True):
    """One line of a game's log; only an event of status `effective` counts.

    `replaced_at` is when an amendment took it away, None for others or if that is not known.
    """

    event: Event
    recorded_at: str
    status: EventStatus
    replaced_at: str | None = None


class Write(msgspec.Struct, frozen=True):
    """Who writes at which table, from which version of it.

    `link` and `pen` are the secrets in the clear; `seq` is the version the writer saw, None to
    write on whatever is newest.
    """

    link: str
    pen: str | None
    seq: int | None = None


def hash_secret(secret: str) -> str:
    """The hash by which the database knows a link or a pen."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def open_table(pool: Pool, setup: Setup, name: str, pen: str, link: str | None = None) -> str:
    """Open a table, start its first game, and return its link."""
    link = link or new_link()
    with pool.transaction() as connection:
        table = add_table(connection, link, name, pen)
        uid = derive_game_id(link, 1, table.seq)
        store.games.add(connection, table.id, 1, uid, serialize_setup(setup))
    return link


def add_table(connection: Connection, link: str, name: str, pen: str) -> TableRow:
    """Add a table without games, at version 1, where a pen writes."""
    table = store.tables.add(connection, hash_secret(link), name)
    store.pens.add(connection, table.id, hash_secret(pen))
    return table


def new_link() -> str:
    """A secret that lets its holder read at a new table."""
    return secrets.token_urlsafe(LINK_BYTES)


def new_game_id() -> str:
    """A name for a game that no other game has."""
    return secrets.token_hex(LINK_BYTES)


def derive_game_id(link: str, number: int, seq: int) -> str:
    """A name for the game that a table starts at a version: the same wherever that is done.

    Of the link, which is a secret, it tells nothing.
    """
    return hash_secret(f"game {number} at {seq} of {link}")[: 2 * LINK_BYTES]


def new_pen() -> str:
    """A secret that lets its holder write."""
    return secrets.token_urlsafe(PEN_BYTES)


def read_sheet(pool: Pool, link: str, number: int | None = None) -> Sheet:
    """The table behind a link, with its newest game or game `number`. Raises NotFound."""
    with pool.snapshot() as connection:
        table = find_table(connection, link)
        head = store.undo_stack.find_head(connection, table.id)
        game = head.game if number is None else find_game(connection, table.id, number)
        rows = store.games.find_events(connection, game.id)
    return build_sheet(table, head, game, rows)


def read_sheet_at(pool: Pool, link: str, number: int, seq: int) -> Sheet:
    """The table as it stood at version `seq`, in game `number`.

    It says nothing of what could be redone then. Raises NotFound.
    """
    with pool.snapshot() as connection:
        table = find_table(connection, link)
        game = store.games.find_ever(connection, table.id, number)
        if game is None:
            raise NotFound("no_such_game")
        rows = find_events_at(connection, game.id, seq)
    setup = deserialize_setup(game.setup)
    events = tuple(deserialize_events(setup, rows))
    states = replay(setup, events)
    return Sheet(table.name, seq, number, number, with_id(setup, events, game.uid), states)


def find_events_at(connection: Connection, game_id: int, seq: int) -> list[EventRow]:
    """Those of a game's events that counted at version `seq` of its table."""
    counting = store.games.find_counting_at(connection, game_id, seq)
    return [row for row in store.games.find_events(connection, game_id) if row.id in counting]


def list_game_numbers(pool: Pool, link: str) -> list[int]:
    """The numbers of the table's games; some may have been erased. Raises NotFound."""
    with pool.snapshot() as connection:
        table = find_table(connection, link)
        return [game.number for game in store.games.find_all(connection, table.id)]


def read_access(pool: Pool, link: str, pen: str | None) -> Access:
    """What a link opens, and whether a pen (None: nobody's) writes there. Raises NotFound."""
    return find_access(pool.connection, link, pen)


def authorize(pool: Pool, link: str, pen: str | None) -> Access:
    """What a link opens, for somebody who is to write there. Raises NotFound, NoPen."""
    return require_pen(pool.connection, Write(link, pen))


def read_table_id(pool: Pool, link: str) -> int:
    """The key of the table behind a link. Raises NotFound."""
    return find_table(pool.connection, link).id


def read_version(pool: Pool, table_id: int) -> int:
    """The version of a table by its key, 0 when it is gone."""
    return store.tables.find_version(pool.connection, table_id)


def read_log(pool: Pool, link: str, number: int) -> list[LogLine]:
    """Everything ever recorded in a game, counting or not, in its order. Raises NotFound."""
    with pool.snapshot() as connection:
        game = find_game(connection, find_table(connection, link).id, number)
        rows = store.games.find_events(connection, game.id)
        times = store.undo_stack.find_replacement_times(connection, game.id)
    events = deserialize_events(deserialize_setup(game.setup), rows)
    return [
        LogLine(event, row.recorded_at, row.status, times.get(row.id))
        for event, row in zip(events, rows, strict=True)
    ]


def begin_change(connection: Connection, write: Write) -> TableRow:
    """Move a table on to its next version, within the transaction that changes it.

    Raises NotFound, NoPen, and Stale when the writer saw an older version.
    """
    table = store.tables.advance(connection, hash_secret(write.link), hash_secret(write.pen or ""))
    if table is None:
        find_table(connection, write.link)
        raise NoPen("no_pen")
    if write.seq is not None and write.seq + 1 != table.seq:
        raise Stale("stale")
    return table


def require_pen(connection: Connection, write: Write) -> Access:
    """The table that a pen writes at. Raises NotFound, NoPen."""
    access = find_access(connection, write.link, write.pen)
    if not access.writes:
        raise NoPen("no_pen")
    return access


def find_access(connection: Connection, link: str, pen: str | None) -> Access:
    """What a link opens, and whether a pen writes there. Raises NotFound."""
    row = store.tables.find_access(connection, hash_secret(link), hash_secret(pen or ""))
    if row is None:
        raise NotFound("no_such_table")
    return Access(row.id, link, row.name, row.seq, row.erased_seq, row.writes, row.recovered)


def find_table(connection: Connection, link: str) -> TableRow:
    """The row of the table behind a link. Raises NotFound."""
    table = store.tables.find(connection, hash_secret(link))
    if table is None:
        raise NotFound("no_such_table")
    return table


def find_game(connection: Connection, table_id: int, number: int) -> GameRow:
    """The row of one of a table's games. Raises NotFound."""
    game = store.games.find(connection, table_id, number) if number <= MOST_GAMES else None
    if game is None:
        raise NotFound("no_such_game")
    return game


def build_sheet(table: TableRow, head: HeadRow, game: GameRow, rows: Sequence[EventRow]) -> Sheet:
    """A table with one of its games, replayed; `head` is that of its undo stack."""
    setup = deserialize_setup(game.setup)
    events = tuple(deserialize_events(setup, effective_events(rows)))
    sheet = Sheet(
        name=table.name,
        seq=table.seq,
        games=head.game.number,
        number=game.number,
        game=with_id(setup, events, game.uid),
        states=replay(setup, events),
    )
    return with_undo_stack(sheet, head, rows)


def with_undo_stack(sheet: Sheet, head: HeadRow, rows: Sequence[EventRow]) -> Sheet:
    """A sheet that says what can be undone and redone, from the rows of its game."""
    newest = max((row.seq for row in effective_events(rows) if row.after_id is None), default=0)
    change = head.done if head.done and head.done.seq > newest else None
    return replace(
        sheet,
        newest_change=_item(change) if change else None,
        redoable=_find_redoable(sheet, head, rows),
    )


def _find_redoable(sheet: Sheet, head: HeadRow, rows: Sequence[EventRow]) -> UndoItem | None:
    tap = next(iter(undone_taps(rows)), None)
    if tap is not None and (head.undone is None or tap.seq < head.undone.seq):
        return deserialize_event(tap.body, sheet.game.setup)
    return _item(head.undone) if head.undone else None


def _item(row: AmendmentRow | StartRow) -> AmendedGame | StartedGame:
    if isinstance(row, AmendmentRow):
        return AmendedGame(row.number, row.deal)
    return StartedGame(row.number)


def with_id(setup: Setup, events: tuple[Event, ...], uid: str) -> Game:
    """A game that its file, too, can be known by."""
    return Game(setup, events, {"id": uid})


def deserialize_events(setup: Setup, rows: Iterable[EventRow]) -> Iterator[Event]:
    """The events of a game as they were recorded."""
    return (deserialize_event(row.body, setup) for row in rows)


def effective_events(rows: Iterable[EventRow]) -> list[EventRow]:
    """Those of a game's events that count."""
    return [row for row in rows if row.status == "effective"]


def undone_taps(rows: Iterable[EventRow]) -> list[EventRow]:
    """The taps that can be redone, in that order: undo goes backwards, so the oldest came last."""
    return [row for row in rows if row.status == "undone" and row.after_id is None]
