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
from typing import ParamSpec, TypeVar

import msgspec
from flask import Response, after_this_request, current_app, has_app_context, request, session
from msgspec.structs import replace

from app.http import context
from app.http.application import Application, application
from app.phone import replicas
from app.phone.replicas import Conflict
from app.services import figures, phone_tables
from app.services.serialization import to_json
from app.sync import phone_state
from app.sync.exchange import Pulled, Receipt
from app.sync.phone_state import PhoneState

# What a refusal means for the changes that wait. Any other status is none: it is tried again.
CONFLICTS: dict[int, Conflict] = {
    HTTPStatus.CONFLICT: "stale",
    HTTPStatus.UNAUTHORIZED: "no_pen",
    HTTPStatus.NOT_FOUND: "gone",
    HTTPStatus.UNPROCESSABLE_ENTITY: "refused",
    HTTPStatus.BAD_REQUEST: "refused",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "refused",
}
# A form that the server has carried out, which this phone only follows.
ACKNOWLEDGED = "X-Acknowledged"
# Carried out on whatever is newest, which this phone may not have.
ANYHOW = "amend.mend"

P = ParamSpec("P")
R = TypeVar("R")

# The application that was made last: the worker has one.
_made: list[Application] = []


def register(app: Application) -> None:
    """Let every request have the phone's pen and its language, whatever became of its cookie."""
    _made[:] = [app]
    app.before_request(_follow_phone)


def _follow_phone() -> None:
    phone = replicas.read_phone(context.db())
    # Tables opened here are pushed to where this phone last was.
    if current_app.config["INSTANCE"] is None:
        current_app.config["INSTANCE"] = phone.known.instance
    kept = {"pen": phone.pen, "lang": phone.language, "tables": phone.tables}
    for key, value in kept.items():
        if value and session.get(key) != value:
            session[key] = value

    @after_this_request
    def keep(response: Response) -> Response:
        """Keep the language and the tables."""
        language, tables = session.get("lang", phone.language), session.get("tables", {})
        now = replace(phone, language=language, tables=tables)
        if now != phone:
            replicas.save_phone(context.db(), now)
        return response

    if ACKNOWLEDGED in request.headers and request.endpoint != ANYHOW:
        _follow_server((request.view_args or {}).get("link", ""))


def _follow_server(link: str) -> None:
    """Where nothing waits, let what this form does be known as the server's."""
    row = replicas.find(context.db().connection, link)
    if row is None or row.waiting or request.form.get("seq") != str(row.base):
        return

    @after_this_request
    def note(response: Response) -> Response:
        replicas.note_acknowledged(context.db(), link)
        return response


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
    """What is only on this phone, as JSON: `app.phone.replicas.Status`."""
    return to_json(replicas.read_status(context.db()))


@_call
def outbox() -> str:
    """What is to be pushed now, as a JSON array: an item for each table where something waits.

    When all have been acknowledged there may be more: it is asked for again until it is empty.
    """
    return to_json(replicas.collect(context.db()))


@_call
def acknowledge(link: str, status: int, body: str) -> None:
    """Take the server's answer to what was sent of a table: it is in, or a person has to decide.

    Raises ValueError for an answer that is none, as when the server is out of order, or somebody on
    the way answered: then nothing has changed, and it is to be sent again later.
    """
    receipt = msgspec.json.decode(body, type=Receipt)
    if status != HTTPStatus.OK and status not in CONFLICTS:
        message = f"the server answered with {status}"
        raise ValueError(message)
    replicas.note_done(context.db(), link, receipt, CONFLICTS.get(status, ""))
    application().rendered.clear()


@_call
def have() -> str:
    """The JSON body by which the server is asked for what this phone does not have."""
    db = context.db()
    phone = replicas.read_phone(db)
    tables = phone_tables.list_tables(db, phone.pen, phone.tables)
    state = phone_state.read_state(db, phone.pen, phone.language, tables)
    changes = phone_state.find_changes(phone.known, state)
    return to_json({"have": replicas.find_versions(db), "phone": changes})


@_call
def import_replicas(body: str) -> bool:
    """Follow the server; whether there is more, to be asked for at once.

    Raises msgspec.MsgspecError for a body that is none of the server's, and then nothing changed.
    """
    pulled = msgspec.json.decode(body, type=Pulled)
    with context.db().transaction():
        if phone_state.follow_zone(pulled.phone):
            # What was played belongs to other evenings.
            figures.recount_all(context.db())
        replicas.take(context.db(), pulled)
        _follow_state(pulled.phone, [table.link for table in pulled.tables])
    current_app.config["INSTANCE"] = pulled.phone.instance
    application().rendered.clear()
    return pulled.more


def _follow_state(state: PhoneState, links: list[str]) -> None:
    """Let this phone keep what the server does besides tables; `links` it may see first."""
    db = context.db()
    phone = replicas.read_phone(db)
    changes = phone_state.find_changes(phone.known, state)
    phone_state.keep_rule_sets(db, phone.pen, changes)
    # What it sees first stands before what it has.
    tables = dict.fromkeys((link for link in links if link not in phone.tables), False)
    tables |= phone.tables
    tables |= {link: away for link, away in changes.put_away.items() if link in tables}
    language = changes.language or phone.language
    replicas.save_phone(db, replace(phone, language=language, known=state, tables=tables))
