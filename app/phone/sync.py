"""Synchronisation as the phone's worker calls it: JSON out, JSON in.

What comes from here is sent to the server as it is, and what the server answers is brought here as
it is: `outbox` goes to `POST /offline/tables/LINK`, one item at a time, each answer to
`acknowledge`; `have` goes to `POST /offline/replicas`, the answer to `import_replicas`. Each call
is one transaction, and leaves the database file whole, to be stored.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from http import HTTPStatus
from typing import ParamSpec, TypeVar, cast

import msgspec
from flask import Flask, Response, current_app, g, has_app_context, session
from msgspec.structs import replace

from app.http import context, rendered
from app.services import outbox as outboxes
from app.services import phone_state, phone_tables, replicas, zones
from app.services.outbox import Receipt, Status
from app.services.phone_state import PhoneState
from app.services.replicas import Replicas
from app.services.serialization import to_json
from app.store.replicas import Conflict, PhoneRow

# What a refusal means for the changes that wait. Any other status is none: it is tried again.
CONFLICTS: dict[int, Conflict] = {
    HTTPStatus.CONFLICT: "stale",
    HTTPStatus.UNAUTHORIZED: "no_pen",
    HTTPStatus.NOT_FOUND: "gone",
    HTTPStatus.UNPROCESSABLE_ENTITY: "refused",
    HTTPStatus.BAD_REQUEST: "refused",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "refused",
}


class ReplicaRequest(msgspec.Struct, frozen=True):
    """What the phone asks the server for: what it has, and what it has changed besides tables."""

    have: dict[str, int]
    phone: PhoneState


P = ParamSpec("P")
R = TypeVar("R")

# The application that was made last: the worker has one.
_made: list[Flask] = []


def register(app: Flask) -> None:
    """Let every request have the phone's pen and its language, whatever became of its cookie."""
    _made[:] = [app]
    app.before_request(_follow_phone)
    app.after_request(_note_changes)


def _follow_phone() -> None:
    phone = g.phone = outboxes.read_phone(context.db())
    # Tables opened here are handed over to where this phone last was.
    if current_app.config["INSTANCE"] is None:
        current_app.config["INSTANCE"] = phone_state.read_text(phone.known).instance
    kept = {"pen": phone.pen, "lang": phone.language, "tables": _read_tables(phone)}
    for key, value in kept.items():
        if value and session.get(key) != value:
            session[key] = value


def _note_changes(response: Response) -> Response:
    """Keep the language and the tables; where the database cannot be read there is no phone."""
    if phone := cast("PhoneRow | None", g.get("phone")):
        language, tables = session.get("lang", phone.language), to_json(session.get("tables", {}))
        if (language, tables) != (phone.language, phone.tables):
            outboxes.save_phone(context.db(), replace(phone, language=language, tables=tables))
    return response


def _read_tables(phone: PhoneRow) -> dict[str, bool]:
    """This phone's links, and whether each is put away."""
    return msgspec.json.decode(phone.tables, type=dict[str, bool])


def _call(act: Callable[P, R]) -> Callable[P, R]:
    """Decorate what the worker calls, outside of any request; or tests, in an app's context."""

    @wraps(act)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        with nullcontext() if has_app_context() else _made[0].app_context():
            result = act(*args, **kwargs)
            context.db().truncate_log()
            return result

    return wrapper


@_call
def status() -> str:
    """What is only on this phone, as JSON: `app.services.outbox.Status`."""
    return to_json(read_status())


def read_status() -> Status:
    """What is only on this phone."""
    return outboxes.read_status(context.db())


@_call
def outbox() -> str:
    """What is to be sent now, as a JSON array: an item for each table that has something waiting.

    When all have been acknowledged there may be more: it is asked for again until it is empty.
    """
    return to_json(outboxes.collect(context.db()))


@_call
def acknowledge(link: str, status: int, body: str) -> None:
    """Take the server's answer to what was sent of a table: it is in, or a person has to decide.

    Raises ValueError for an answer that is none, as when the server is out of order, or somebody on
    the way answered: then nothing has changed, and it is to be sent again later.
    """
    receipt = msgspec.json.decode(body, type=Receipt)
    if status == HTTPStatus.OK:
        outboxes.note_done(context.db(), link, receipt)
    elif status in CONFLICTS:
        outboxes.note_conflict(context.db(), link, CONFLICTS[status], receipt)
    else:
        message = f"the server answered with {status}"
        raise ValueError(message)


@_call
def have() -> str:
    """The JSON body by which the server is asked for what this phone does not have."""
    have = replicas.find_versions(context.db())
    return to_json(ReplicaRequest(have, _changed_state()))


def _changed_state() -> PhoneState:
    known = phone_state.read_text(outboxes.read_phone(context.db()).known)
    return phone_state.find_changes(known, _state())


def _state() -> PhoneState:
    db = context.db()
    phone = outboxes.read_phone(db)
    tables = phone_tables.list_tables(db, phone.pen, _read_tables(phone))
    return phone_state.read_state(db, phone.pen, phone.language, tables)


@_call
def import_replicas(body: str) -> bool:
    """Follow the server; whether there is more, to be asked for at once.

    Raises msgspec.MsgspecError for a body that is none of the server's, and then nothing changed.
    """
    taken = msgspec.json.decode(body, type=Replicas)
    db = context.db()
    with db.transaction():
        zones.follow_server(db, taken.zone)
        replicas.take_replicas(db, taken)
        phone = outboxes.read_phone(db)
        known = phone_state.read_text(phone.known)
        changes = phone_state.find_changes(known, taken.phone)
        phone_state.keep_rule_sets(db, phone.pen, changes)
        here = _read_tables(phone)
        new = {each.link: False for each in taken.tables if each.link not in here}
        tables = {**new, **here}
        tables.update((link, changes.put_away[link]) for link in changes.put_away if link in tables)
        outboxes.save_phone(
            db,
            replace(
                phone,
                language=changes.language or phone.language,
                known=phone_state.write_state(taken.phone),
                tables=to_json(tables),
            ),
        )
    current_app.config["INSTANCE"] = taken.phone.instance
    rendered.clear()
    return taken.more
