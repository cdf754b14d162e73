"""Fold: the changes of a table become its games, its payments, its people and its name.

Any rows that count (`store.log`) can be folded: those of one game, all, or those up to a version.
Bodies name people by their numbers at the table, so that a name stands in one place only.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from app.rules.events import Event, restore_event, write_event
from app.rules.gamefile import Game, write_game
from app.rules.names import seat_behind
from app.rules.settlement import USUAL, Currency, PaymentWay
from app.rules.state import Setup
from app.store.log import ChangeRow

Body = dict[str, Any]
# The entries of a game that are kept, from one index up to another.
Kept = tuple[int, int]


class GameBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """The begin of a game: `setup` as a game file has it, with numbers for names.

    `events` are those of a game that was played elsewhere, each with its time.
    """

    id: str
    setup: Body
    currency: Currency = USUAL
    name: str = ""
    events: tuple[tuple[Body, str], ...] = ()


class EditBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game as edited: its entries, the first deal that is touched, and what else is otherwise.

    `game` is its number where the change is of no one game. `called`: a person, by number, goes by
    the name that another number has.
    """

    entries: tuple[Kept | Body, ...]
    deal: int = 1
    game: int = 0
    setup: Body | None = None
    currency: Currency | None = None
    called: dict[int, int] = {}


class PersonBody(msgspec.Struct, frozen=True):
    """A person merged with another, or split off again (None)."""

    person: int
    same_as: int | None


class Paid(NamedTuple):
    """Öre that one person, by number, paid another, and how."""

    payer: int
    payee: int
    ore: int
    way: PaymentWay


class LoggedEntry(msgspec.Struct, frozen=True):
    """An event of a game, with numbers for names: from version `seq` of the table, at a time."""

    body: Body
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
                name = follow(self.called, entry.body["after"])
                after = next(each for each in players if follow(self.called, each) == name)
                players = seat_behind(players, entry.body["player"], after)
        return players


class Payments(msgspec.Struct):
    """Payments recorded together; `undone` if so."""

    seq: int
    paid_at: str
    payments: tuple[Paid, ...]
    undone: bool = False


class Fold(msgspec.Struct):
    """A table as some of its changes leave it; `called` and `same_as` are numbers by number."""

    name: str = ""
    games: dict[int, GameLog] = {}
    payments: dict[int, Payments] = {}
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
                game.entries.append(LoggedEntry(decode(row.body, Body), row.at, row.seq))
                game.seq = row.seq
            case "edit":
                _edit(table, row)
            case "pay":
                paid = decode(row.body, tuple[Paid, ...])
                table.payments[row.seq] = Payments(row.seq, row.at, paid)
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


def follow(links: Mapping[int, int], number: int) -> int:
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


def write_numbers(event: Event, numbers: Mapping[str, int]) -> Body:
    """Write an event with numbers for names."""
    return rename(write_event(event), numbers)


def read_numbers(body: Body, names: Mapping[int, str]) -> Event:
    """Read an event as `write_numbers` wrote it: it was checked then."""
    return restore_event(rename(body, names))


def write_setup(setup: Setup, numbers: Mapping[str, int]) -> Body:
    """Write a game's setup, with numbers for names."""
    raw = write_game(Game(setup, ()))
    del raw["format"], raw["events"]
    return rename(raw, numbers)


def rename(raw: Body, names: Mapping[Any, object]) -> Body:
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
