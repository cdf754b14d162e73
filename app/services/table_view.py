"""Views of a table: a game as it stands, and the changes to undo or redo."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from app.rules.events import REMARKS, Event, Rules
from app.rules.game import replay
from app.rules.gamefile import Game, read_setup
from app.rules.settlement import USUAL, Currency
from app.rules.state import GameState
from app.services import people, tables
from app.services.fold import (
    EditBody,
    GameLog,
    PersonBody,
    decode,
    fold,
    read_numbers,
    rename,
    to_json,
)
from app.services.tables import Access, NotFound, find_access
from app.store import log
from app.store.connection import MAX_BYTES, Connection
from app.store.database import Database
from app.store.log import ChangeKind, ChangeRow

MOST_GAMES = 2**31
# The size of a replayed game in bytes, about, and at most: its base, each part of a state, each set
# of rules, and each byte of an event's remarks as JSON, of which two may be a list in another.
_GAME_BYTES, _PART_BYTES, _RULES_BYTES, _REMARK_BYTES = 4000, 110, 4600, 45


class Changed(msgspec.Struct, frozen=True):
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


UndoItem = Event | Changed


class TableView(msgspec.Struct, frozen=True):
    """A table as it stands: its newest (or a chosen) game with every state.

    `games` is how many the table has had, `seq` its version, `begun_at` when the game was begun, in
    UTC. `names` are everybody's at the table by number, `numbers` the other way. `undoable` is what
    undo would take back, `redoable` what redo would bring; both None where there is nothing, or of
    an older version. The log of the newest game holds so many `entries`, those undone included.
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
    entries: int = 0

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
            names = people.find_names(connection, table.id, folded)
            return make_view(replace(table, seq=seq), folded.games[number], names)
    raise NotFound("no_such_game")


def list_game_numbers(db: Database, link: str) -> list[int]:
    """The numbers of the table's games; some may have been erased. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        return log.find_game_numbers(connection, table.id)


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
        case Changed(kind="edit", number=edited) if done and edited == number:
            earlier = [row for row in counting if row.seq != done.seq]
            before, names = _fold_game(connection, table, number, earlier)
            renamed = {was: view.names[n] for n, was in names.items() if was != view.names[n]}
            was = make_view(table, before, view.names).state
            undoable = replace(undoable, was=was, renamed=renamed)
    newest = replace(
        view,
        undoable=undoable,
        redoable=describe(log.find_undone(connection, table.id), view.names),
        entries=tables.count_entries(rows, number),
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
    return folded.games[number], people.find_names(connection, table.id, folded)


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
        numbers=people.numbers_of(names) | {names[seat]: seat for seat in game.seated},
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
            return Changed("edit", row.game or edit.game, 0 if agrees else edit.deal)
        case ChangeRow(kind="people"):
            body = decode(row.body, PersonBody)
            who = names[body.person], names.get(body.same_as or 0)
            return Changed("people", 0, 0, *who)
    return Changed(row.kind, row.game)
