"""Views of a table: its changes fold into games, payments, people and a name; a game is replayed.

Any rows that count (`store.log`) can be folded: those of one game, all, or those up to a version.
Bodies name people by their numbers at the table, so that a name stands in one place only.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from app.rules.events import REMARKS, Event, Rules, restore_event, write_event
from app.rules.game import replay
from app.rules.gamefile import Game, read_setup, write_game
from app.rules.names import seat_behind
from app.rules.settlement import USUAL, Currency, PaymentWay
from app.rules.state import GameState, Setup
from app.services import bounds
from app.services.access import Access, NotFound, find_access
from app.store import log
from app.store.database import MAX_BYTES, Connection, Database
from app.store.log import ChangeKind, ChangeRow

JsonObject = dict[str, Any]
# The entries of a game that are kept, from one index up to another.
KeptRange = tuple[int, int]


class GameBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """The begin of a game: `setup` as a game file has it, with numbers for names.

    `events` are those of a game that was played elsewhere, each with its time.
    """

    id: str
    setup: JsonObject
    currency: Currency = USUAL
    name: str = ""
    events: tuple[tuple[JsonObject, str], ...] = ()


class EditBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game as edited: its entries, the first deal that is touched, and what else is otherwise.

    `game` is its number where the change is of no one game. `called`: a person, by number, goes by
    the name that another number has.
    """

    entries: tuple[KeptRange | JsonObject, ...]
    deal: int = 1
    game: int = 0
    setup: JsonObject | None = None
    currency: Currency | None = None
    called: dict[int, int] = {}


class PersonBody(msgspec.Struct, frozen=True):
    """A person merged with another, or split off again (None)."""

    person: int
    same_as: int | None


class LoggedPayment(NamedTuple):
    """Öre that one person, by number, paid another, and how."""

    payer: int
    payee: int
    ore: int
    way: PaymentWay


class LoggedEntry(msgspec.Struct, frozen=True):
    """An event of a game, with numbers for names: from version `seq` of the table, at a time."""

    body: JsonObject
    at: str
    seq: int


class GameLog(msgspec.Struct):
    """A game as its changes leave it, the last of them at version `seq`.

    `called`: who goes by which other number's name.
    """

    number: int
    begun_at: str
    body: GameBody
    entries: list[LoggedEntry]
    seq: int
    called: Mapping[int, int] = {}

    @property
    def seated(self) -> tuple[int, ...]:
        """The numbers of everybody who has a seat, in seat order."""
        players = tuple(self.body.setup["players"])
        for entry in self.entries:
            if entry.body["event"] == "joins":
                # They sit behind who has this number, or the name that it goes by.
                name = resolve_number(self.called, entry.body["after"])
                after = next(each for each in players if resolve_number(self.called, each) == name)
                players = seat_behind(players, entry.body["player"], after)
        return players


class LoggedSettlement(msgspec.Struct):
    """Payments recorded together; `undone` if so."""

    seq: int
    paid_at: str
    payments: tuple[LoggedPayment, ...]
    undone: bool = False


class Fold(msgspec.Struct):
    """A table as some of its changes leave it; `called` and `same_as` are numbers by number."""

    name: str = ""
    games: dict[int, GameLog] = {}
    payments: dict[int, LoggedSettlement] = {}
    called: dict[int, int] = {}
    same_as: dict[int, int] = {}


def fold(rows: Iterable[ChangeRow]) -> Fold:
    """Fold changes that count, in order."""
    table = Fold()
    for row in rows:
        match row.kind:
            case "open" | "import" | "start":
                _begin(table, row)
            case "record":
                game = table.games[row.game]
                game.entries.append(LoggedEntry(decode(row.body, JsonObject), row.at, row.seq))
                game.seq = row.seq
            case "edit":
                _edit(table, row)
            case "pay":
                paid = decode(row.body, tuple[LoggedPayment, ...])
                table.payments[row.seq] = LoggedSettlement(row.seq, row.at, paid)
            case "unpay":
                if (payments := table.payments.get(int(row.body))) is not None:
                    payments.undone = True
            case "people":
                body = decode(row.body, PersonBody)
                table.same_as.pop(body.person, None)
                if body.same_as is not None:
                    table.same_as[body.person] = body.same_as
            case "rename":
                table.name = decode(row.body, str)
    return table


def _begin(table: Fold, row: ChangeRow) -> None:
    body = decode(row.body, GameBody)
    events = [LoggedEntry(event, at, row.seq) for event, at in body.events]
    table.games[row.game] = GameLog(row.game, row.at, body, events, row.seq, table.called)
    if row.kind == "open":
        table.name = body.name


def _edit(table: Fold, row: ChangeRow) -> None:
    body = decode(row.body, EditBody)
    table.called |= body.called
    # Of a game that is not folded here only the names matter.
    if (game := table.games.get(row.game or body.game)) is None:
        return
    if body.setup is not None:
        currency = body.currency or game.body.currency
        game.body = replace(game.body, setup=body.setup, currency=currency)
    before, game.entries, game.seq = game.entries, [], row.seq
    for each in body.entries:
        if isinstance(each, dict):
            game.entries.append(LoggedEntry(each, row.at, row.seq))
        else:
            game.entries += before[slice(*each)]


def resolve_number(links: Mapping[int, int], number: int) -> int:
    """The person that a number leads to."""
    while number in links:
        number = links[number]
    return number


# Making a decoder takes longer than to decode an event.
_find_decoder = cache(msgspec.json.Decoder)


def decode(body: str, kind: Any) -> Any:  # noqa: ANN401  # msgspec's own types
    """Decode a body."""
    return _find_decoder(kind).decode(body)


NAMED = ("player", "victim", "broken_by", "tied", "after", "players", "dealer")


def write_numbers(event: Event, numbers: Mapping[str, int]) -> JsonObject:
    """Write an event with numbers for names."""
    return rename(write_event(event), numbers)


def read_numbers(body: JsonObject, names: Mapping[int, str]) -> Event:
    """Read an event as `write_numbers` wrote it: it was checked then."""
    return restore_event(rename(body, names))


def write_setup(setup: Setup, numbers: Mapping[str, int]) -> JsonObject:
    """Write a game's setup, with numbers for names."""
    raw = write_game(Game(setup, ()))
    del raw["format"], raw["events"]
    return rename(raw, numbers)


def rename(raw: JsonObject, names: Mapping[Any, object]) -> JsonObject:
    """An event or a setup with everybody named otherwise, names or numbers."""
    copy = dict(raw)
    for key in NAMED:
        if key in copy:
            who = copy[key]
            copy[key] = [names[n] for n in who] if isinstance(who, list | tuple) else names[who]
    return copy


def to_json(value: object) -> str:
    """Write anything as JSON text."""
    return msgspec.json.encode(value).decode()


def find_names(
    connection: Connection, table_id: int, called: Mapping[int, int] = {}
) -> dict[int, str]:
    """Everybody's name at a table by number, where some go by others' names."""
    sql = "SELECT number, name FROM people WHERE table_id = ? ORDER BY number"
    texts = dict(connection.execute(sql, [table_id]).fetchall())
    return {number: texts[resolve_number(called, number)] for number in texts}


def numbers_of(names: Mapping[int, str]) -> dict[str, int]:
    """The number of each name, the first where a name has several."""
    numbers: dict[str, int] = {}
    for number, name in names.items():
        numbers.setdefault(name, number)
    return numbers


MOST_GAMES = 2**31
# The size of a replayed game in bytes, about, and at most: its base, each part of a state, each set
# of rules, and each byte of an event's remarks as JSON, of which two may be a list in another.
_GAME_BYTES, _PART_BYTES, _RULES_BYTES, _REMARK_BYTES = 4000, 110, 4600, 45


class UndoableChange(msgspec.Struct, frozen=True):
    """A change of a kind that is no event: of game `number` from `deal` on, or of a person.

    Of what was agreed for a game, its rules included, `deal` is 0.

    `name` is the same person as `same_as`, or stands for itself again. An edit of the newest game
    has the state that `was` before, by the names as they are, and leads from those `renamed` to
    their new names.
    """

    kind: ChangeKind
    number: int = 0
    deal: int = 0
    name: str = ""
    same_as: str | None = None
    was: GameState | None = None
    renamed: Mapping[str, str] = {}


UndoItem = Event | UndoableChange


class TableView(msgspec.Struct, frozen=True):
    """A table as it stands: its newest (or a chosen) game with every state.

    `games` is how many the table has had, `seq` its version, `begun_at` when the game was begun, in
    UTC. `names` are everybody's at the table by number, `numbers` the other way. `undoable` is what
    undo would take back, `redoable` what redo would bring; both None where there is nothing, or of
    an older version. The log of the newest game has an `entry_count`, those undone included.
    """

    name: str
    seq: int
    games: int
    number: int
    begun_at: str
    game: Game
    states: Sequence[GameState]
    names: Mapping[int, str]
    numbers: Mapping[str, int]
    undoable: UndoItem | None = None
    redoable: UndoItem | None = None
    currency: Currency = USUAL
    entry_count: int = 0

    @property
    def state(self) -> GameState:
        """The game's state."""
        return self.states[-1]

    def __sizeof__(self) -> int:
        remarks = [getattr(event, key) or 0 for event in self.game.events for key in REMARKS]
        parts = sum(len(state.seats) + len(state.effects) for state in self.states)
        size = _GAME_BYTES + _PART_BYTES * parts + _REMARK_BYTES * len(to_json(remarks))
        size += _RULES_BYTES * sum(isinstance(event, Rules) for event in self.game.events)
        return min(size, MAX_BYTES)


def read_view(db: Database, link: str, number: int | None = None) -> TableView:
    """The table behind a link, with its newest game or game `number`. Raises NotFound."""
    with db.snapshot() as connection:
        return load_view(connection, find_access(connection, link, None), number)


def read_view_at(connection: Connection, table: Access, seq: int) -> TableView:
    """A table as it stood at version `seq`, with its newest game of then.

    It has no undo or redo item. Raises NotFound where that game was erased.
    """
    for number in log.find_games_until(connection, table.id, seq):
        folded = fold(log.read_game(connection, table.id, number, seq))
        # Else its start had been undone by then.
        if number in folded.games:
            names = find_names(connection, table.id, folded.called)
            return make_view(replace(table, seq=seq), folded.games[number], names)
    raise NotFound("no_such_game")


def list_game_numbers(db: Database, link: str) -> list[int]:
    """The numbers of the table's games; some may have been erased. Raises NotFound."""
    with db.snapshot() as connection:
        starts = log.find_starts(connection, find_access(connection, link, None).id)
    return [number for number, *_ in starts]


def load_view(connection: Connection, table: Access, number: int | None = None) -> TableView:
    """A table as it is now, with its newest game or game `number`. Raises NotFound."""
    newest = load_newest(connection, table)
    if number in (None, newest.number):
        return newest
    view = make_view(table, *load_game(connection, table, number))
    return replace(view, games=newest.games, undoable=newest.undoable, redoable=newest.redoable)


def load_newest(connection: Connection, table: Access) -> TableView:
    """The newest game of a table, worked out once for each version of it."""
    found = connection.newest.get(table.id)
    if isinstance(found, TableView) and found.seq == table.seq:
        return found
    number = log.find_newest_game(connection, table.id)
    rows = log.read_all_of_game(connection, table.id, number)
    counting = [row for row in rows if row.undone is None]
    view = make_view(table, *_fold_game(connection, table, number, counting))
    done = log.find_done(connection, table.id)
    undoable = describe(done, view.names)
    match undoable:
        case UndoableChange(kind="edit", number=edited) if done and edited == number:
            earlier = [row for row in counting if row.seq != done.seq]
            before, names = _fold_game(connection, table, number, earlier)
            renamed = {was: view.names[n] for n, was in names.items() if was != view.names[n]}
            was = make_view(table, before, view.names).state
            undoable = replace(undoable, was=was, renamed=renamed)
    newest = replace(
        view,
        undoable=undoable,
        redoable=describe(log.find_undone(connection, table.id), view.names),
        entry_count=bounds.count_entries(rows, number),
    )
    connection.newest[table.id] = newest
    return newest


def load_game(
    connection: Connection, table: Access, number: int
) -> tuple[GameLog, Mapping[int, str]]:
    """One game of a table as it stands, and everybody's name. Raises NotFound."""
    rows = log.read_game(connection, table.id, min(number, MOST_GAMES))
    return _fold_game(connection, table, number, rows)


def _fold_game(
    connection: Connection, table: Access, number: int, rows: Iterable[ChangeRow]
) -> tuple[GameLog, Mapping[int, str]]:
    folded = fold(rows)
    if number not in folded.games:
        raise NotFound("no_such_game")
    return folded.games[number], find_names(connection, table.id, folded.called)


def make_view(table: Access, game: GameLog, names: Mapping[int, str]) -> TableView:
    """A game as it was left, replayed; no later one is known of."""
    played = play(game, names)
    return TableView(
        name=table.name,
        seq=table.seq,
        games=game.number,
        number=game.number,
        begun_at=game.begun_at,
        game=played,
        states=replay(played.setup, played.events),
        names=names,
        # Where a name has several numbers, who sits here goes by the seat's.
        numbers=numbers_of(names) | {names[seat]: seat for seat in game.seated},
        currency=game.body.currency,
    )


def play(game: GameLog, names: Mapping[int, str]) -> Game:
    """A game that its file, too, can be known by."""
    setup = read_setup(rename(game.body.setup, names))
    events = tuple(read_numbers(entry.body, names) for entry in game.entries)
    return Game(setup, events, {"id": game.body.id})


def describe(row: ChangeRow | None, names: Mapping[int, str]) -> UndoItem | None:
    """A change as undo and redo name it."""
    match row:
        case None:
            return None
        case ChangeRow(kind="record"):
            return read_numbers(decode(row.body, dict), names)
        case ChangeRow(kind="edit"):
            edit = decode(row.body, EditBody)
            new = [each for each in edit.entries if isinstance(each, dict)]
            agrees = not row.game or any(each["event"] == "rules" for each in new)
            return UndoableChange("edit", row.game or edit.game, 0 if agrees else edit.deal)
        case ChangeRow(kind="people"):
            body = decode(row.body, PersonBody)
            who = names[body.person], names.get(body.same_as or 0)
            return UndoableChange("people", 0, 0, *who)
    return UndoableChange(row.kind, row.game)
