"""The calls: each reads its request body, calls a use case, and replies."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from flask import Blueprint, Response, request
from msgspec.structs import replace

from app.api import keys
from app.api.answers import (
    check_keys,
    error_reply,
    json_response,
    json_response_with_etag,
    read_body,
    read_optional_body,
    table_state,
    to_json,
)
from app.http.context import pen, pool
from app.http.rate_limits import NEW_TABLES, rate_limit
from app.http.sse import Message, stream
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.gamefile import read_name, read_setup, write_game, write_result
from app.services import ledger, play, tables
from app.services.idempotency import Reply
from app.services.tables import NotFound, Sheet, Write

bp = Blueprint("tables", __name__, url_prefix="/tables")

SETUP_KEYS = ("players", "dealer", "stake_ore", "rules")


@bp.post("")
@rate_limit(NEW_TABLES)
def open_table() -> Response:
    """Open a table and start its first game."""
    body = read_body()
    check_keys(body, ("name", *SETUP_KEYS))
    setup, name = read_setup(body), _table_name(body)
    key = keys.read_key()
    link, secret = keys.new_table(key)

    def act() -> Reply:
        tables.open_table(pool(), setup, name, secret, link)
        return Reply(HTTPStatus.CREATED, "")

    # What is stored of the answer holds no secrets: they follow from the key.
    reply = keys.once(link, keys.anonymous_sender(), key, act)
    response = json_response(
        to_json({"table": link, "url": f"/t/{link}", "pen": secret}), reply.status
    )
    response.headers["Location"] = f"/api/tables/{link}"
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.get("/<link>")
def table(link: str) -> Response:
    """A table as it stands."""
    sheet = tables.read_sheet(pool(), link)
    body = {
        "table": link,
        "name": sheet.name,
        "games": sheet.games,
        "seq": sheet.seq,
        "result": write_result(sheet.states),
    }
    return json_response_with_etag(to_json(body))


@bp.get("/<link>/games/<int:number>")
def game(link: str, number: int) -> Response:
    """One game as a game file."""
    return json_response(to_json(write_game(tables.read_sheet(pool(), link, number).game)))


@bp.post("/<link>/events")
def record(link: str) -> Response:
    """Record an event of the newest game."""
    write = _authorize(link)
    event, write = _read_event(write)
    return _change(write, HTTPStatus.CREATED, lambda: play.record(pool(), write, event))


@bp.delete("/<link>/events/last")
def undo(link: str) -> Response:
    """Undo the newest event of the newest game."""
    write = _authorize(link)
    check_keys(read_optional_body(), ())
    return _change(write, HTTPStatus.OK, lambda: play.undo(pool(), write))


@bp.put("/<link>/events/<int:index>")
def replace_event(link: str, index: int) -> Response:
    """Replace one event of the newest game and work the rest out again."""
    write = _authorize(link)
    event, write = _read_event(write)
    return _change(write, HTTPStatus.OK, lambda: play.replace_event(pool(), write, index, event))


@bp.post("/<link>/games")
def next_game(link: str) -> Response:
    """Start the next game."""
    write = _authorize(link)
    body = read_optional_body()
    check_keys(body, SETUP_KEYS)
    return _change(write, HTTPStatus.CREATED, lambda: play.next_game(pool(), write, body))


@bp.get("/<link>/settlement")
def settlement(link: str) -> Response:
    """Who pays whom over the table's ended games."""
    return json_response(to_json(ledger.settle(pool(), link)))


@bp.get("/<link>/live")
def live(link: str) -> Response:
    """The table's present state, then each change within a second."""

    def message() -> Message:
        sheet = tables.read_sheet(pool(), link)
        return sheet.seq, table_state(sheet)

    return stream(link, "program", message)


def _table_name(body: dict[str, object]) -> str:
    name = body.get("name", "")
    return read_name(name) if not isinstance(name, str) or name.strip() else ""


def _authorize(link: str) -> Write:
    """The write of whoever holds the pen, before the body is read. Raises NotFound, NoPen."""
    write = Write(link, _pen())
    tables.authorize(pool(), link, write.pen)
    return write


def _pen() -> str | None:
    """The pen: what the caller sends along, else this browser's own."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else pen()


def _read_event(write: Write) -> tuple[dict[str, object], Write]:
    """The event of the request body, and the write from the version it names. Raises BadFile."""
    event = read_body()
    if "seq" not in event:
        return event, write
    seq = event.pop("seq")
    if type(seq) is not int:
        raise BadFile("wrong_value", key="seq", value=seq)
    return event, replace(write, seq=seq)


def _change(write: Write, status: int, act: Callable[[], Sheet]) -> Response:
    """Carry a change out; a refusal is a reply too, and stored like any other."""

    def reply() -> Reply:
        try:
            return Reply(status, table_state(act()))
        except (BadFile, NotAllowed, Stale, NotFound) as error:
            return error_reply(error)

    stored = keys.once(write.link, f"{write.link} {write.pen}", keys.read_key(), reply)
    return json_response(stored.body, stored.status)
