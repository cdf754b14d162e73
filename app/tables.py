"""What a request does at a table: load, check, append, fold. Nothing here knows the web."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from app import figuring
from app.keeping import keep_event, keep_setup, kept_event, kept_setup
from app.rules.ending import next_dealer
from app.rules.errors import ChicagoError, NotAllowed, Stale
from app.rules.events import Event, read_event
from app.rules.game import apply, begin, replay
from app.rules.gamefile import Game, read_players, read_setup, write_game
from app.rules.mending import first_difference
from app.rules.state import GameState, Setup
from app.store import Answer, EventRow, GameRow, Store, TableRow

LINK_BYTES = 16
PEN_BYTES = 32
MOST_GAMES = 2**31


class NotFound(ChicagoError):
    """There is no such table or game."""


class KeyReused(ChicagoError):
    """An idempotency key came again with another request."""


class Reply(msgspec.Struct, frozen=True):
    """An answer as it was sent: the HTTP status and the body."""

    status: int
    body: str


class Keyed(msgspec.Struct, frozen=True):
    """A request that carries an idempotency key: at which table, whose key, and what it asks.

    `sender` is a secret in the clear that keeps one sender's keys apart from another's.
    """

    link: str
    sender: str
    key: str
    request: str


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
        table = _table(store, link)
        newest = store.newest_game(table.id)
        chosen = newest if number is None else _game(store, table, number)
        return _sheet(store, table, chosen, newest.number)


def game_numbers(store: Store, link: str) -> list[int]:
    """The numbers of the table's games; some may have been forgotten. Raises NotFound."""
    return [game.number for game in store.games(_table(store, link).id)]


def table_id(store: Store, link: str) -> int:
    """The key of the table behind a link. Raises NotFound."""
    return _table(store, link).id


def may_write(store: Store, link: str, pen: str | None) -> bool:
    """Whether a pen writes at the table behind a link."""
    table = store.table(hashed(link))
    return table is not None and pen is not None and store.holds_pen(table.id, hashed(pen))


def record(store: Store, write: Write, raw: object) -> Sheet:
    """Record an event of the newest game, given as a game file writes it.

    Raises BadFile, NotAllowed, Stale, NoPen, NotFound; then nothing has changed.
    """

    def book(seq: int, now: Sheet, game: GameRow) -> Sheet:
        event = read_event(raw, now.game.setup.players)
        after = _with_event(now, event)
        store.add_event(game.id, seq, keep_event(event, now.game.setup))
        return replace(after, redoable=None)

    return _change(store, write, "event", book)


def undo(store: Store, write: Write) -> Sheet:
    """Take back the newest event of the newest game. Raises NotAllowed when there is none."""

    def take_back(seq: int, now: Sheet, game: GameRow) -> Sheet:
        if now.undoable is None:
            raise NotAllowed("nothing_to_undo")
        store.undo(_counting(store.events(game.id))[-1].id, seq)
        kept = replace(now.game, events=now.game.events[:-1])
        return replace(now, game=kept, states=now.states[:-1], redoable=now.undoable)

    return _change(store, write, "undo", take_back)


def redo(store: Store, write: Write) -> Sheet:
    """Record again what was undone last. Raises NotAllowed when there is nothing to redo."""

    def bring_back(seq: int, now: Sheet, game: GameRow) -> Sheet:
        undone = [row for row in store.events(game.id) if row.taken_back == "undone"]
        if now.redoable is None:
            raise NotAllowed("nothing_to_redo")
        store.redo(undone[0].id)
        further = kept_event(undone[1].body, now.game.setup) if undone[1:] else None
        return replace(_with_event(now, now.redoable), redoable=further)

    return _change(store, write, "redo", bring_back)


def mend(store: Store, write: Write, number: int, events: Sequence[Event]) -> Sheet:
    """Let game `number` have gone like this instead; what was recorded before stays in the log.

    Raises NotAllowed, with the index of the first event that does not hold, and when a game that
    others have followed would no longer end; then nothing has changed.
    """

    def rewrite(seq: int, now: Sheet, game: GameRow) -> Sheet:
        return _rewritten(store, seq, now, game, events)

    return _change(store, write, "mend", rewrite, number)


def replace_event(store: Store, write: Write, index: int, raw: object) -> Sheet:
    """Let entry `index` of the newest game have been another, and work the rest out again.

    Raises NotFound when there is no such entry, and otherwise as `mend`.
    """

    def rewrite(seq: int, now: Sheet, game: GameRow) -> Sheet:
        if index >= len(now.game.events):
            raise NotFound("no_such_event")
        event = read_event(raw, now.game.setup.players)
        events = (*now.game.events[:index], event, *now.game.events[index + 1 :])
        return _rewritten(store, seq, now, game, events)

    return _change(store, write, "mend", rewrite)


def _rewritten(store: Store, seq: int, now: Sheet, game: GameRow, events: Sequence[Event]) -> Sheet:
    states = replay(now.game.setup, events)
    if now.number < now.games and not states[-1].over:
        raise NotAllowed("earlier_game_must_end")
    first = first_difference(now.game.events, events)
    bodies = [keep_event(event, now.game.setup) for event in events[first:]]
    store.replace_events(game.id, seq, first, bodies)
    mended = replace(now.game, events=tuple(events))
    return replace(now, game=mended, states=states, redoable=None)


def once(store: Store, keyed: Keyed, act: Callable[[], Reply]) -> Reply:
    """Carry a keyed request out once; the same request again gets the first answer.

    Raises KeyReused when the key came with another request before.
    """
    scope, asked = hashed(keyed.sender), hashed(keyed.request)
    with store.writing():
        kept = store.answer(scope, keyed.key)
        if kept is not None:
            if kept.request_hash != asked:
                raise KeyReused("key_reused")
            return Reply(kept.status, kept.body)
        reply = act()
        answer = Answer(asked, reply.status, reply.body)
        store.keep_answer(table_id(store, keyed.link), scope, keyed.key, answer)
        return reply


def settled_games(store: Store, link: str) -> list[GameState]:
    """How each of a table's ended games ended, oldest first. Raises NotFound."""
    with store.reading():
        table = _table(store, link)
        games = store.games(table.id)
        ends = [_sheet(store, table, game, len(games)).state for game in games]
    return [state for state in ends if state.over]


def log(store: Store, link: str, number: int) -> list[LogLine]:
    """Everything ever recorded in a game, taken back or not, oldest first. Raises NotFound."""
    table = _table(store, link)
    game = _game(store, table, number)
    setup = kept_setup(game.setup)
    return [
        LogLine(kept_event(row.body, setup), row.recorded_at, row.taken_back)
        for row in store.events(game.id)
    ]


def next_game(store: Store, write: Write, changed: dict[str, object] | None = None) -> Sheet:
    """Start the table's next game: same seats, stake and rules, the deal moves on.

    `changed` holds what differs, as a game file writes it. Raises NotAllowed while a game is
    being played, and BadFile.
    """

    def start(seq: int, now: Sheet, game: GameRow) -> Sheet:
        if not now.state.over:
            raise NotAllowed("still_playing")
        setup = read_setup(_next_setup(now, changed or {}))
        number, uid = game.number + 1, new_uid()
        store.add_game(_table(store, write.link).id, number, uid, keep_setup(setup))
        return Sheet(
            now.name, seq, number, number, _game_with_id(setup, (), uid), [begin(setup)], None
        )

    return _change(store, write, "game", start)


def _with_event(now: Sheet, event: Event) -> Sheet:
    game = replace(now.game, events=(*now.game.events, event))
    return replace(now, game=game, states=[*now.states, apply(now.state, event)])


def _next_setup(now: Sheet, changed: dict[str, object]) -> dict[str, object]:
    last = write_game(now.game)
    players = now.game.setup.players
    staying = read_players(changed.get("players", players))
    if set(players) & set(staying):
        last["dealer"] = next_dealer(players, now.state.deal.dealer, staying)
    else:
        del last["dealer"]
    return {**last, **changed}


def _change(
    store: Store,
    write: Write,
    what: str,
    act: Callable[[int, Sheet, GameRow], Sheet],
    number: int | None = None,
) -> Sheet:
    """Do one change of the newest game, or of game `number`.

    Whoever lacks the pen, or saw an older table, is turned away first.
    """
    with store.writing():
        table, seq = count_change(store, write, what)
        newest = store.newest_game(table.id)
        game = newest if number is None else _game(store, table, number)
        now = _sheet(store, table, game, newest.number)
        if seq is None:
            return now
        after = replace(act(seq, now, game), seq=seq)
        if now.state.over or after.state.over:
            figuring.refresh(store, game.id)
        return after


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
    table = _table(store, write.link)
    if write.pen is None or not store.holds_pen(table.id, hashed(write.pen)):
        raise NoPen("no_pen")
    return table


def _table(store: Store, link: str) -> TableRow:
    table = store.table(hashed(link))
    if table is None:
        raise NotFound("no_such_table")
    return table


def _game(store: Store, table: TableRow, number: int) -> GameRow:
    game = store.game(table.id, number) if number <= MOST_GAMES else None
    if game is None:
        raise NotFound("no_such_game")
    return game


def _sheet(store: Store, table: TableRow, row: GameRow, games: int) -> Sheet:
    setup = kept_setup(row.setup)
    rows = store.events(row.id)
    events = tuple(kept_event(event.body, setup) for event in _counting(rows))
    redoable = _redoable(rows)
    return Sheet(
        name=table.name,
        seq=table.seq,
        games=games,
        number=row.number,
        game=_game_with_id(setup, events, row.uid),
        states=replay(setup, events),
        redoable=kept_event(redoable.body, setup) if redoable else None,
    )


def _game_with_id(setup: Setup, events: tuple[Event, ...], uid: str) -> Game:
    return Game(setup, events, {"id": uid})


def _counting(rows: list[EventRow]) -> list[EventRow]:
    return [row for row in rows if row.taken_back is None]


def _redoable(rows: list[EventRow]) -> EventRow | None:
    """Undo goes backwards, so the oldest undone event is the one undone last."""
    return next((row for row in rows if row.taken_back == "undone"), None)
