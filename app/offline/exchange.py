"""Pull and push: a phone follows the server's tables, and pushes its own rows of them.

Both have the same log up to a version, the phone's base. Its rows above that are made again as
changes, in order, and the answer is the server's rows since the base.
"""

from typing import Annotated, Literal, TypeVar

import msgspec
from flask import request
from msgspec import Meta
from werkzeug.exceptions import BadRequest

from app.http import cookies
from app.http.context import db
from app.rules.codes import BadFile
from app.rules.names import decode, too_deep
from app.rules.presets import read_rules
from app.services import access, bounds, phones
from app.services.access import (
    NotFound,
    hash_secret,
)
from app.services.rows import (
    LogRow,
    Seq,
)
from app.store.database import Connection

T = TypeVar("T")
# One entry each: "language", "rules NAME" (as a game file writes them), "away LINK".
Key = Annotated[str, Meta(max_length=110)]
Value = Annotated[str, Meta(max_length=20_000)]
State = Annotated[dict[Key, Value | None], Meta(max_length=200)]


# What bundles of before call an edit; within a body quotes are escaped.
OLD_EDITS = (b'"kind":"mend"', b'"kind":"revise"')


def read_body(body_type: type[T]) -> T:
    """The body of a request. Raises BadRequest."""
    data = request.get_data()
    if too_deep(data):
        raise BadRequest
    return read(body_type, data)


def read(body_type: type[T], data: bytes) -> T:
    """What a server or its phone wrote, however large. Raises BadRequest."""
    for kind in OLD_EDITS:
        data = data.replace(kind, b'"kind":"edit"')
    try:
        return msgspec.json.decode(data, type=body_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadRequest from None


def read_state() -> dict[str, str | None]:
    """The state of the phone that asks."""
    texts = phones.read_rule_sets(db().connection, hash_secret(cookies.pen() or ""))
    away = [link for link, is_away in cookies.tables().items() if is_away]
    return {
        "language": cookies.language_choice(),
        **{f"rules {name}": text for name, text in texts.items()},
        **{f"away {link}": "" for link in away},
    }


def find_changes(before: State, now: State) -> dict[str, str | None]:
    """Entries of a state that differ from before; None for those that are gone."""
    return {key: now.get(key) for key in before | now if before.get(key) != now.get(key)}


def apply(changes: State) -> set[str]:
    """Let the phone that asks have these entries; returns those that cannot be read."""
    unreadable = set[str]()
    with db().transaction():
        for key, value in changes.items():
            kind, _, name = key.partition(" ")
            try:
                if kind == "language":
                    cookies.choose_language(value or "")
                elif kind == "away":
                    cookies.archive(name, away=value is not None)
                elif kind == "rules":
                    _keep_rules(name, value)
            except (BadFile, NotFound):
                unreadable.add(key)
    return unreadable


def _keep_rules(name: str, text: str | None) -> None:
    pen = cookies.get_or_create_pen()
    if text is None:
        phones.delete_rule_set(db(), pen, name)
    else:
        phones.save_rule_set(db(), pen, name, *read_rules(decode(text.encode())))


# A link opens nothing any more, or the pen does not write there.
Gone = Literal["gone", "no_pen"]
# The last version of a table, and when it was made.
Head = tuple[int, str]
Link = Annotated[str, Meta(pattern=access.LINK)]
Name = Annotated[str, Meta(max_length=200)]
# As `swish.read_number` gives it.
SwishNumber = Annotated[str, Meta(pattern=r"^(07[0-9]{8}|123[0-9]{7})\Z")]
Person = tuple[Annotated[int, Meta(ge=1, le=bounds.MAX_NAMES)], Name, SwishNumber | None]


class Batch(msgspec.Struct, frozen=True):
    """A phone's rows of one table above version `base` (0: the server has none of it).

    `people` are all of the table's, with number, name and Swish number.
    """

    link: Link
    base: Seq
    people: Annotated[list[Person], Meta(max_length=bounds.MAX_NAMES)]
    rows: Annotated[list[LogRow], Meta(min_length=1, max_length=500)]


NO_SEATS = msgspec.Raw(b"[]")


class Replica(msgspec.Struct, frozen=True):
    """A table above version `since`, up to `seq`; of a whole one `seats` are the figures.

    Those are JSON: of thousands of games nothing is made in between.
    """

    link: str
    since: int
    seq: int
    erased_seq: int
    people: list[Person]
    seats: msgspec.Raw = NO_SEATS
    rows: list[LogRow] = []


class Receipt(msgspec.Struct, frozen=True):
    """The answer to a push: `seqs` leads from versions of accepted rows to those here.

    `table` is the server's since the phone's base, up to the last of them. A refusal has a
    `message` alone.
    """

    seqs: dict[int, int] = {}
    table: Replica | None = None
    message: str = ""


class Pull(msgspec.Struct, frozen=True):
    """The versions of a phone's tables, by link, and changes of its state."""

    have: Annotated[dict[str, Seq], Meta(max_length=1000)] = {}
    state: State = {}


class Pulled(msgspec.Struct, frozen=True):
    """Replicas of tables, those that are gone, and the phone's state.

    Of `lost` tables the server has less than the phone had of it, as after a backup was put back:
    its last version, 0 where it knows none, and when that was made. Tables opened on the phone
    belong to the server `instance`; evenings are those of its time `zone`, and it is `now` there.
    """

    tables: list[msgspec.Raw]
    gone: dict[str, Gone]
    state: State
    instance: str
    zone: str
    now: str = ""
    lost: dict[str, Head] = {}


def read_people(connection: Connection, table_id: int) -> list[Person]:
    """Everybody at a table, by number."""
    sql = "SELECT number, name, swish FROM people WHERE table_id = ? ORDER BY number"
    return [*connection.execute(sql, [table_id]).fetchall()]
