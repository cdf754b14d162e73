"""Games out and in: as game files, one by one or many in a zip, never twice at the same table.

An import is worked out first, others being served in between, and then written in one
transaction.
"""

import io
import threading
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import MAXYEAR, MINYEAR, datetime
from operator import itemgetter

import msgspec
from msgspec.structs import replace

from app.rules.codes import BadFile, ChicagoError, NotAllowed, Stale
from app.rules.gamefile import Game, write_game
from app.rules.settlement import USUAL, Currency
from app.rules.state import GameState
from app.services import figures, people, table_view, tables
from app.services.figures import Figures
from app.services.fold import Body, GameBody, fold, to_json, write_numbers, write_setup
from app.services.tables import (
    Access,
    Write,
    add_pen,
    add_table,
    find_access,
    hash_secret,
    new_game_id,
    new_link,
    require_pen,
)
from app.store import clock, log
from app.store.clock import evening_of, now
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import ChangeKind, ChangeRow

_EPOCH = (1980, 1, 1, 0, 0, 0)
# Files of one table are read or packed at a time in the whole server: the work and the memory are
# bounded, not nothing. For small ones this many seconds are long.
_turn = threading.Lock()
TURN_SECONDS = 2.0


class Busy(ChicagoError):
    """Files of another table are being read or packed."""


@contextmanager
def _take_turn() -> Iterator[None]:
    """Read or pack files while nobody else does. Raises Busy."""
    if not _turn.acquire(timeout=TURN_SECONDS):
        raise Busy("files_busy")
    try:
        yield
    finally:
        _turn.release()


class _Prepared(msgspec.Struct, frozen=True):
    """A game with all that takes long to work out, and how it stands."""

    uid: str
    begun_at: str
    game: Game
    state: GameState
    figures: Figures


def export_game(db: Database, link: str, number: int) -> bytes:
    """One game as a game file, with its id and times. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        game, names = table_view.load_game(connection, table, number)
    played = table_view.play(game, names)
    # So that it can be imported as it was.
    events = tuple(
        event if event.at is not msgspec.UNSET else replace(event, at=entry.at)
        for event, entry in zip(played.events, game.entries, strict=True)
    )
    file = Game(played.setup, events, {"id": game.body.id, "at": game.begun_at})
    return msgspec.json.format(msgspec.json.encode(write_game(file)), indent=1)


def export_all(db: Database, link: str, numbers: Sequence[int] | None = None) -> bytes:
    """A table's games, all or some, as game files in one zip. Raises NotFound, Busy."""
    table = find_access(db.connection, link, None)
    buffer = io.BytesIO()
    with _take_turn(), zipfile.ZipFile(buffer, "w") as zip_:
        for number, begun_at, uid in _find_games(db.connection, table.id):
            if numbers is None or number in numbers:
                # A fixed time, so that the same games give the same bytes; an id may be any text.
                name = f"{evening_of(begun_at)}-{hash_secret(uid)[:32]}.json"
                entry = zipfile.ZipInfo(name, _EPOCH)
                zip_.writestr(entry, export_game(db, link, number), zipfile.ZIP_DEFLATED)
                clock.give_way()
    return buffer.getvalue()


def _find_games(connection: Connection, table_id: int) -> list[tuple[int, str, str]]:
    """The number of each game of a table, when it was begun, and its id; oldest first."""
    sql = f"""SELECT game, at, body ->> '$.id' AS id FROM changes WHERE table_id = ?
        AND {log.STARTS} AND undone IS NULL ORDER BY at, id"""  # noqa: S608
    return list(connection.execute(sql, [table_id]).fetchall())


def open_table(
    db: Database,
    games: Iterable[Game],
    name: str,
    pen: str,
    currency: Currency = USUAL,
    instance: str = "",
) -> str:
    """Open a table with these games and return its link, which names the instance.

    Raises Busy, NotAllowed when a game that others followed is not over, BadFile when there are
    none; then there is no such table.
    """
    link = new_link(instance)
    opened = Access(0, name, 0, 0, 0, currency, None, False, False, now(), 0, False, link)
    with _take_turn():
        prepared = _prepare(games)
        if not prepared:
            raise BadFile("no_games")
        _require_order(prepared)
        rows = _write_games(opened, {}, prepared, 1)
        with db.transaction() as connection:
            key = add_table(connection, link, name, currency)
            table = replace(opened, id=key, pen_id=add_pen(connection, key, pen))
            _add_games(connection, table, rows)
    return link


def import_games(db: Database, write: Write, games: Iterable[Game]) -> int:
    """Add games to a table, oldest first, and tell how many were new to it.

    Changes of before can no longer be undone. Raises Busy, NoPen, NotFound, NotAllowed while a game
    is being played there and for files of games not over, and Stale where the table has changed
    meanwhile; then nothing is added.
    """
    _require_ended(db, write)
    with _take_turn():
        prepared = _prepare(games)
        with db.snapshot() as connection:
            table, newest = _require_ended(db, write)
            known = {uid for _, _, uid in _find_games(connection, table.id)}
            settings = fold(log.read_settings(connection, table.id))
            names = people.find_names(connection, table.id, settings)
        new = [game for game in prepared if game.uid not in known]
        _require_order(new)
        rows = _write_games(table, names, new, newest + 1)
        with db.transaction() as connection:
            there, _ = _require_ended(db, write)
            if there.seq != table.seq:
                raise Stale("stale")
            _add_games(connection, table, rows)
    return len(new)


def _require_ended(db: Database, write: Write) -> tuple[Access, int]:
    """A table at which no game is being played, and how many were."""
    with db.snapshot() as connection:
        table = require_pen(connection, write)
        view = table_view.load_view(connection, table)
    if not view.state.over:
        raise NotAllowed("still_playing")
    return table, view.games


def _prepare(games: Iterable[Game]) -> list[_Prepared]:
    """Make games ready to be written, oldest first, each once, as far as it was played.

    Raises as the games do.
    """
    by_uid: dict[str, tuple[str, _Prepared]] = {}
    for game in games:
        uid, states, told = _find_uid(game), game.states(), _find_beginning(game)
        begun_at = told or now()
        tables.check_points(states[-1])
        seats = figures.count(begun_at, game, states)
        if uid not in by_uid or len(game.events) >= len(by_uid[uid][1].game.events):
            by_uid[uid] = told or "", _Prepared(uid, begun_at, game, states[-1], seats)
        clock.give_way()
    return [game for _, game in sorted(by_uid.values(), key=itemgetter(0))]


def _require_order(games: Sequence[_Prepared]) -> None:
    """Raise NotAllowed where a game is not over, and others have followed it."""
    if not all(game.state.over for game in games[:-1]):
        raise NotAllowed("import_still_playing")


def _find_uid(game: Game) -> str:
    """The id of a game's file, else one of its content, so that it is not imported twice."""
    uid = game.remarks.get("id")
    if isinstance(uid, str) and uid:
        return uid
    return hash_secret(to_json(write_game(game))) if game.events else new_game_id()


def _find_beginning(game: Game) -> str | None:
    """When a game began: by its own time, else its first event's that tells one."""
    times = map(_read_time, (game.remarks.get("at"), *(event.at for event in game.events)))
    return next(filter(None, times), None)


def _read_time(at: object) -> str | None:
    """A time of a file, however that writes it, as the log holds times.

    One without a zone is the table's; a day alone is its evening.
    """
    if not isinstance(at, str):
        return None
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    # Every clock in the world can tell the evening of a moment in these years.
    if not MINYEAR < moment.year < MAXYEAR:
        return None
    if len(at) <= len("2026-10-17"):
        moment = clock.beginning_of(moment.date())
    elif moment.tzinfo is None:
        moment = moment.replace(tzinfo=clock.zone())
    return clock.write_time(moment)


class _Rows(msgspec.Struct):
    """Games as rows of the log and of figures, and the new names by number."""

    names: Mapping[int, str]
    changes: list[ChangeRow] = []
    seats: list[dict[str, object]] = []


def _write_games(
    table: Access, names: Mapping[int, str], games: Sequence[_Prepared], first: int
) -> _Rows:
    """Write games, numbered from `first` on. Raises NotAllowed for more than a table holds."""
    tables.check("too_many_games", first - 1 + len(games), tables.MAX_GAMES)
    # Who joined comes behind who began.
    players = [name for game in games for name in (*game.game.setup.players, *game.state.players)]
    everybody = people.number_names(names, players)
    numbers = people.numbers_of(everybody)
    rows = _Rows({number: everybody[number] for number in everybody if number not in names})
    seq, entries = table.seq, table.entries
    for number, game in enumerate(games, start=first):
        for kind, body, at in _write_rows(game, table, number, numbers, game is games[-1]):
            seq, entries = seq + 1, entries + tables.weigh(body)
            tables.check("table_full", entries, tables.MAX_ENTRIES)
            rows.changes.append(ChangeRow(seq, kind, number, body, at, None, entries))
        rows.seats += figures.write(number, game.figures, numbers)
        clock.give_way()
    return rows


def _add_games(connection: Connection, table: Access, rows: _Rows) -> None:
    people.insert_names(connection, table.id, rows.names)
    log.append_all(connection, table.id, rows.changes, table.pen_id)
    figures.add(connection, table.id, rows.seats)
    if rows.changes:
        tables.mark_ledger(connection, table.id, rows.changes[-1].seq)


def _write_rows(
    game: _Prepared, table: Access, number: int, numbers: Mapping[str, int], one_by_one: bool
) -> Iterator[tuple[ChangeKind, str, str]]:
    """The changes by which a game comes in, perhaps one by one, so that they can be undone so."""
    name = table.name if number == 1 else ""
    setup = write_setup(game.game.setup, numbers)
    events: list[tuple[Body, str]] = []
    last = game.begun_at
    for event in game.game.events:
        # Its time goes where the log holds times, if it is one; else it came with the one before.
        at = _read_time(event.at)
        body = write_numbers(replace(event, at=msgspec.UNSET) if at else event, numbers)
        events.append((body, last := at or last))
    within = () if one_by_one else tuple(events)
    begun = to_json(GameBody(game.uid, setup, table.currency, name, within))
    yield "open" if number == 1 else "import", begun, game.begun_at
    if one_by_one:
        yield from (("record", to_json(event), at) for event, at in events)
