"""Playing: events recorded, games started, and all of it undone and redone."""

import base64
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

import msgspec
from msgspec.structs import replace

from app.rules.codes import NotAllowed
from app.rules.events import BreakOff, Event, Joins, read_event
from app.rules.game import apply, next_dealer
from app.rules.gamefile import MAX_EVENTS, Game, read_setup, write_game
from app.rules.names import read_players
from app.rules.settlement import USUAL, Currency
from app.rules.state import GameState, Setup
from app.services import people, tables
from app.services.commit import Change, ChangeContext, KeyReused, Proposal
from app.services.fold import (
    GameBody,
    to_json,
    write_numbers,
    write_setup,
)
from app.services.table_view import TableView
from app.services.tables import (
    LINK_BYTES,
    PEN_BYTES,
    NotFound,
    add_pen,
    add_table,
    derive_game_id,
    find_access,
    hash_secret,
    name_link,
    new_link,
)
from app.store import clock, log
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import ChangeKind, ChangeRow, Key


def open_table(
    db: Database,
    setup: Setup,
    name: str,
    pen: str,
    link: str | None = None,
    currency: Currency = USUAL,
) -> str:
    """Open a table, start its first game, and return its link."""
    link = link or new_link()
    with db.transaction() as connection:
        table_id = add_table(connection, link, name, currency)
        pen_id = add_pen(connection, table_id, pen)
        numbers = people.numbers_of(people.add_names(connection, table_id, {}, setup.players))
        uid = derive_game_id(link, 1, 1)
        body = to_json(GameBody(uid, write_setup(setup, numbers), currency, name))
        row = ChangeRow(1, "open", 1, body, clock.now(), None, tables.weigh(body))
        log.append(connection, table_id, row, pen_id)
    return link


class Record(Change, frozen=True):
    """An event of the newest game, given as a game file writes it."""

    raw: object

    def make(self, now: ChangeContext) -> Proposal:
        """Append the event. Raises BadFile, and NotAllowed by the rules or for want of room."""
        view = now.view
        event = read_event(self.raw, view.state.players)
        tables.check("too_many_events", len(view.game.events) + 1, MAX_EVENTS)
        state = apply(view.state, event)
        numbers = _seat_joining(now, [event], state)
        headroom = tables.HEADROOM if isinstance(event, BreakOff) else 0
        body = to_json(write_numbers(event, numbers))
        after = replace(
            view,
            seq=now.seq,
            game=replace(view.game, events=(*view.game.events, event)),
            states=[*view.states, state],
            undoable=event,
            redoable=None,
            entries=view.entries + tables.weigh(body),
        )
        # A new player is among everybody's names from now on.
        known = numbers is view.numbers
        return Proposal("record", view.number, body, after if known else None, headroom)


def _seat_joining(
    now: ChangeContext, events: Sequence[Event], after: GameState
) -> Mapping[str, int]:
    """Everybody's number, of those too who join by these events.

    Raises NotAllowed when one of them is a person who has a seat, or names are too many.
    """
    joining = [event.player for event in events if isinstance(event, Joins)]
    if not joining:
        return now.view.numbers
    people.refuse_same_person(now.connection, now.table.id, after.players)
    return now.number(joining)


class Undo(Change, frozen=True):
    """The newest change of the table counts no more, until it is redone."""

    def make(self, now: ChangeContext) -> Proposal:
        """Take it back. Raises NotAllowed when there is none."""
        row = log.find_done(now.connection, now.table.id)
        if row is None:
            raise NotAllowed("nothing_to_undo")
        return _step_over(now, "undo", row)


class Redo(Change, frozen=True):
    """Redo the change undone last."""

    def make(self, now: ChangeContext) -> Proposal:
        """Bring it back. Raises NotAllowed when there is nothing to redo."""
        row = log.find_undone(now.connection, now.table.id)
        if row is None:
            raise NotAllowed("nothing_to_redo")
        return _step_over(now, "redo", row)


_SETTINGS = ("rename", "people", "edit", "start")


def _step_over(now: ChangeContext, kind: ChangeKind, row: ChangeRow) -> Proposal:
    undone, headroom = (now.seq, tables.UNLIMITED) if kind == "undo" else (None, tables.HEADROOM)
    log.mark(now.connection, now.table.id, row.seq, undone)
    return Proposal(kind, row.game, str(row.seq), None, headroom, row.kind in _SETTINGS)


class Start(Change, frozen=True):
    """The table's next game: same seats, stake and rules, the deal moves on.

    Players who joined the last one sit where they sat. `changes` holds what differs, as a game file
    writes it; `currency` is the table's from now on.
    """

    changes: dict[str, object] | None = None
    currency: Currency | None = None

    def make(self, now: ChangeContext) -> Proposal:
        """Start it.

        Raises NotAllowed while a game is being played, for two names of one person, and for
        another currency where a game was for money; and BadFile.
        """
        view = now.view
        number = view.number + 1
        if not view.state.over:
            raise NotAllowed("still_playing")
        setup = read_setup(_next_setup(view, self.changes or {}))
        tables.check("too_many_games", number, tables.MAX_GAMES)
        if set(setup.players) - set(view.state.players):
            people.refuse_same_person(now.connection, now.table.id, setup.players)
        currency = self.currency or view.currency
        check_currency(now, currency)
        numbers, uid = now.number(setup.players), derive_game_id(now.table.link, number, now.seq)
        body = to_json(GameBody(uid, write_setup(setup, numbers), currency))
        return Proposal("start", number, body, settings=currency != view.currency)


def check_currency(now: ChangeContext, currency: Currency) -> None:
    """Raise NotAllowed for a next game's currency that is another where a game was for money."""
    if currency != now.view.currency and has_money(now.connection, now.table.id):
        raise NotAllowed("currency_settled")


def has_money(connection: Connection, table_id: int, but: int = 0) -> bool:
    """Whether a game of a table, `but` this one, is or was for money, or anything was ever paid.

    Also one that was broken off for nothing: undone or edited, it is for money again.
    """
    sql = """SELECT EXISTS (SELECT 1 FROM changes WHERE table_id = ? AND undone IS NULL
        AND (kind = 'pay' OR kind IN ('open', 'import', 'start', 'edit')
            AND body ->> '$.setup.stake_ore' > 0 AND COALESCE(body ->> '$.game', game) <> ?))"""
    return bool(connection.find_number(sql, table_id, but))


def _next_setup(view: TableView, changes: dict[str, object]) -> dict[str, object]:
    last = write_game(Game(view.state.setup, ()))
    players = view.state.players
    last["players"] = players
    next_players = read_players(changes.get("players", players))
    if set(players) & set(next_players):
        last["dealer"] = next_dealer(players, view.state.deal.dealer, next_players)
    else:
        del last["dealer"]
    return {**last, **changes}


NONCE_BYTES = 32
# A pen is told again only while a lost answer may still be asked for. A short key is soon guessed,
# or thought up by somebody else too.
RETRY_SECONDS, SHORT_KEY_RETRY_SECONDS = 600, 60
UNGUESSABLE = 16
# So long a key opens no second table.
REMEMBERED = timedelta(days=1)


class IdempotentRequest(msgspec.Struct, frozen=True):
    """A request with an idempotency key: its sender, the key, and its content.

    `sender` keeps one sender's keys apart from another's. It holds a secret in the clear where
    there is one, so that nobody can guess the request from the database.
    """

    sender: str
    key: str
    request: str

    @property
    def hashes(self) -> Key:
        """The hashes by which the database knows the key, and this request of all that carry it."""
        return Key(self._digest(b"", self.key), self._digest(b"", self.key, self.request))

    def derive(self, purpose: str, nonce: bytes, length: int) -> str:
        """Derive a secret of so many bytes."""
        digest = self._digest(nonce, purpose, self.key, self.request)
        return base64.urlsafe_b64encode(digest[:length]).rstrip(b"=").decode()

    def _digest(self, nonce: bytes, *parts: str) -> bytes:
        return hmac.digest(nonce, json.dumps([self.sender, *parts]).encode(), "sha256")


class NewTable(msgspec.Struct, frozen=True):
    """A table that is to be opened: its first game, its name and its currency."""

    setup: Setup
    name: str = ""
    currency: Currency = USUAL


def open_once(
    db: Database,
    ask: IdempotentRequest,
    new: NewTable,
    instance: str = "",
    own_pen: str | None = None,
) -> tuple[str, str]:
    """Open a table; returns its link and its pen, which is `own_pen` if there is one.

    The same content again, from the same sender under the same key, gets them again. Raises
    KeyReused for another content, and NotAllowed for a table that cannot be told again.
    """
    with db.transaction() as connection:
        known, hashes = _find_nonce(connection, ask), ask.hashes
        nonce = known or secrets.token_bytes(NONCE_BYTES)
        link = name_link(instance, ask.derive("link", nonce, LINK_BYTES))
        pen = own_pen or ask.derive("pen", nonce, PEN_BYTES)
        if not known:
            open_table(db, new.setup, new.name, pen, link, new.currency)
            sql = "UPDATE tables SET open_key = ?, open_request = ?, nonce = ? WHERE link_hash = ?"
            connection.execute(sql, [hashes.key, hashes.request, nonce, hash_secret(link)])
        with suppress(NotFound):
            if find_access(connection, link, pen).writes:
                return link, pen
    # It was taken back, or the table is gone.
    raise NotAllowed("key_too_old")


def has_opened(db: Database, ask: IdempotentRequest) -> bool:
    """Whether this very request has opened a table, which it is told again by `open_once`."""
    sql = "SELECT COUNT(*) FROM tables WHERE open_key = ? AND open_request = ?"
    return bool(db.connection.find_number(sql, ask.hashes.key, ask.hashes.request))


def _find_nonce(connection: Connection, ask: IdempotentRequest) -> bytes | None:
    """The nonce of the table that was opened by a request. Raises KeyReused, NotAllowed."""
    sql = """UPDATE tables SET open_key = NULL, open_request = NULL, nonce = NULL
        WHERE open_key IS NOT NULL AND created_at < ?"""
    connection.execute(sql, [clock.write_time(clock.moment() - REMEMBERED)])
    for row in connection.table("tables").rows_where("open_key = ?", [ask.hashes.key]):
        if row["open_request"] != ask.hashes.request:
            raise KeyReused("key_reused")
        seconds = RETRY_SECONDS if len(ask.key) >= UNGUESSABLE else SHORT_KEY_RETRY_SECONDS
        if clock.age(row["created_at"]) > timedelta(seconds=seconds):
            raise NotAllowed("key_too_old")
        return bytes(row["nonce"])
    return None
