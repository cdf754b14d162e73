"""A table as it stands: who may read it and write at it. Nothing here knows the web."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

import msgspec

from app.keeping import keep_setup, kept_event, kept_setup
from app.rules.errors import ChicagoError, Stale
from app.rules.events import Event
from app.rules.game import replay
from app.rules.gamefile import Game
from app.rules.state import GameState, Setup
from app.store import EventRow, GameRow, Store, TableRow

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


def hashed(secret: str) -> str:
    """How a link or a pen is kept."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def open_table(store: Store, setup: Setup, name: str, pen: str, link: str | None = None) -> str:
    """Open a table, start its first game, and return its link."""
    link = link or new_link()
    with store.writing():
        table_id = store.add_table(hashed(link), name)
        store.give_pen(table_id, hashed(pen))
        store.add_change(table_id, "game", "")
        store.add_game(table_id, 1, new_uid(), keep_setup(setup))
    return link


def new_link() -> str:
    """A secret that lets its holder read at a new table."""
    return secrets.token_urlsafe(LINK_BYTES)


def new_uid() -> str:
    """A name for a game that no other game has."""
    return secrets.token_hex(LINK_BYTES)


def new_pen() -> str:
    """A secret that lets its holder write."""
    return secrets.token_urlsafe(PEN_BYTES)


def sheet(store: Store, link: str, number: int | None = None) -> Sheet:
    """The table behind a link, with its newest game or game `number`. Raises NotFound."""
    with store.reading():
        table = table_of(store, link)
        newest = store.newest_game(table.id)
        chosen = newest if number is None else game_of(store, table, number)
        return read_sheet(store, table, chosen, newest.number)


def game_numbers(store: Store, link: str) -> list[int]:
    """The numbers of the table's games; some may have been forgotten. Raises NotFound."""
    return [game.number for game in store.games(table_of(store, link).id)]


def table_id(store: Store, link: str) -> int:
    """The key of the table behind a link. Raises NotFound."""
    return table_of(store, link).id


def may_write(store: Store, link: str, pen: str | None) -> bool:
    """Whether a pen writes at the table behind a link."""
    table = store.table(hashed(link))
    return table is not None and pen is not None and store.holds_pen(table.id, hashed(pen))


def settled_games(store: Store, link: str) -> list[GameState]:
    """How each of a table's ended games ended, oldest first. Raises NotFound."""
    with store.reading():
        table = table_of(store, link)
        games = store.games(table.id)
        ends = [read_sheet(store, table, game, len(games)).state for game in games]
    return [state for state in ends if state.over]


def log(store: Store, link: str, number: int) -> list[LogLine]:
    """Everything ever recorded in a game, taken back or not, oldest first. Raises NotFound."""
    table = table_of(store, link)
    game = game_of(store, table, number)
    setup = kept_setup(game.setup)
    return [
        LogLine(kept_event(row.body, setup), row.recorded_at, row.taken_back)
        for row in store.events(game.id)
    ]


def count_change(store: Store, write: Write, what: str) -> tuple[TableRow, int | None]:
    """Count one more change of a table, within the write that makes it.

    Returns the table as it was and the change's number, None when this very request was carried
    out before. Raises NotFound, NoPen, and Stale when the writer saw an older table.
    """
    table = writable(store, write)
    request = hashed(f"{write.pen} {what} {write.request}")
    if write.seq is not None and write.seq != table.seq:
        if write.request and store.request_behind(table.id, write.seq + 1) == request:
            return table, None
        raise Stale("stale")
    return table, store.add_change(table.id, what, request)


def writable(store: Store, write: Write) -> TableRow:
    """The table that a pen writes at. Raises NotFound, NoPen."""
    table = table_of(store, write.link)
    if write.pen is None or not store.holds_pen(table.id, hashed(write.pen)):
        raise NoPen("no_pen")
    return table


def table_of(store: Store, link: str) -> TableRow:
    """The row of the table behind a link. Raises NotFound."""
    table = store.table(hashed(link))
    if table is None:
        raise NotFound("no_such_table")
    return table


def game_of(store: Store, table: TableRow, number: int) -> GameRow:
    """The row of one of a table's games. Raises NotFound."""
    game = store.game(table.id, number) if number <= MOST_GAMES else None
    if game is None:
        raise NotFound("no_such_game")
    return game


def read_sheet(store: Store, table: TableRow, row: GameRow, games: int) -> Sheet:
    """A table with one of its games, played through."""
    setup = kept_setup(row.setup)
    rows = store.events(row.id)
    events = tuple(kept_event(event.body, setup) for event in counting(rows))
    redoable = _redoable(rows)
    return Sheet(
        name=table.name,
        seq=table.seq,
        games=games,
        number=row.number,
        game=with_id(setup, events, row.uid),
        states=replay(setup, events),
        redoable=kept_event(redoable.body, setup) if redoable else None,
    )


def with_id(setup: Setup, events: tuple[Event, ...], uid: str) -> Game:
    """A game that its file, too, can be known by."""
    return Game(setup, events, {"id": uid})


def counting(rows: list[EventRow]) -> list[EventRow]:
    """Those of a game's events that have not been taken back."""
    return [row for row in rows if row.taken_back is None]


def _redoable(rows: list[EventRow]) -> EventRow | None:
    """Undo goes backwards, so the oldest undone event is the one undone last."""
    return next((row for row in rows if row.taken_back == "undone"), None)
