"""The calls: each reads its request body, calls a use case, and replies."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from flask import Blueprint, Response, request, url_for
from msgspec.structs import replace

from app.api import keys
from app.api.answers import (
    check_keys,
    json_response,
    json_response_with_etag,
    read_body,
    read_optional_body,
    refuse,
    table_state,
    to_json,
    wants_history,
)
from app.api.bodies import NewGame, NewTable, Table, TableCredentials
from app.api.openapi import Operation
from app.http import context, phone_cookie, rendered
from app.http.context import pool
from app.http.forms import read_currency
from app.http.limits import NEW_TABLES, expensive, rate_limit
from app.http.live import event, stream
from app.rules.currency import USUAL
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.gamefile import read_setup, write_game, write_result
from app.rules.names import read_name
from app.services import ledger, play, sheets, tables
from app.services.idempotency import Completion
from app.services.sheets import Sheet
from app.services.tables import NotFound, Write

bp = Blueprint("tables", __name__, url_prefix="/tables")

_EVENT_STREAM = {
    "schema": {"type": "string"},
    "example": 'event: table\nid: 7\ndata: {"seq": 7, "result": {}}\n\n',
}
_LOCATION = {
    "description": "Where the table is read.",
    "required": True,
    "schema": {"type": "string", "pattern": "^/api/tables/"},
}


@bp.post("")
@Operation(
    "openTable",
    "The table, and the pen that writes at it.",
    "TableCredentials",
    201,
    body="NewTable",
    headers={"Location": _LOCATION},
)
@rate_limit(NEW_TABLES)
def open_table() -> Response:
    """Open a table and start its first game."""
    raw = read_body()
    check_keys(raw, NewTable)
    currency = read_currency(raw.pop("currency", USUAL))
    setup, name = read_setup(raw), _table_name(raw)

    def act(link: str, pen: str) -> str:
        return tables.open_table(pool(), setup, name, pen, link, currency)

    link, pen = keys.open_once(keys.read_key(), phone_cookie.pen(), act)
    body = TableCredentials(link, url_for("table.page", link=link), pen)
    response = json_response(to_json(body), HTTPStatus.CREATED)
    response.headers["Location"] = f"{context.prefix()}/api/tables/{link}"
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.get("/<link>")
@Operation("readTable", "The table.", "Table", etag=True, parameters=("History",))
@expensive
def read_table(link: str) -> Response:
    """A table as it stands, with the result of its newest game."""
    sheet = sheets.read_sheet(pool(), link)
    result = write_result(sheet.states, history=wants_history())
    body = Table(link, sheet.name, sheet.games, sheet.seq, result)
    response = json_response_with_etag(to_json(body), "pen" if _pen() else "view")
    response.vary.update(["Authorization", "Cookie"])
    return response


@bp.get("/<link>/games/<int:number>")
@Operation("readGame", "The game.", "GameFile")
@expensive
def read_game(link: str, number: int) -> Response:
    """A game as a game file, as it stands: what was undone is left out."""
    return json_response(to_json(write_game(sheets.read_sheet(pool(), link, number).game)))


@bp.post("/<link>/events")
@Operation(
    "record",
    "The event is on disk.",
    "TableState",
    201,
    body="EventToRecord",
    parameters=("History",),
    errors=(409,),
)
def record(link: str) -> Response:
    """Record an event of the newest game."""
    write = _authorize(link)
    event, write = _read_event(write)
    return _change(write, HTTPStatus.CREATED, lambda: play.record(pool(), write, event))


@bp.delete("/<link>/events/last")
@Operation("undo", "The event counts no longer.", "TableState", parameters=("History",))
def undo(link: str) -> Response:
    """Undo the newest event of the newest game.

    What was amended before stays. Refused when there is none.
    """
    write = _authorize(link)
    check_keys(read_optional_body())
    return _change(write, HTTPStatus.OK, lambda: play.undo_newest_event(pool(), write))


@bp.put("/<link>/events/<int:index>")
@Operation(
    "replace",
    "The event is replaced.",
    "TableState",
    body="EventToRecord",
    parameters=("History",),
    errors=(409,),
)
def replace_event(link: str, index: int) -> Response:
    """Replace an event of the newest game and work the rest out again.

    Every other event stays in its deal, at its step. Refused when one no longer fits there;
    `event` in the refusal is the index of the first, and nothing is changed.
    """
    write = _authorize(link)
    event, write = _read_event(write)
    return _change(write, HTTPStatus.OK, lambda: play.replace_event(pool(), write, index, event))


@bp.post("/<link>/games")
@Operation(
    "nextGame",
    "The new game.",
    "TableState",
    201,
    body="NewGame",
    body_required=False,
    parameters=("History",),
)
def next_game(link: str) -> Response:
    """Start the next game.

    Same seats, stake and rules, and the next dealer, unless the body says otherwise. Refused while
    a game is being played.
    """
    write = _authorize(link)
    body = read_optional_body()
    check_keys(body, NewGame)
    return _change(write, HTTPStatus.CREATED, lambda: play.next_game(pool(), write, body))


@bp.get("/<link>/settlement")
@Operation("settle", "The settlement.", "TableSettlement")
@expensive
def settle(link: str) -> Response:
    """Who pays whom over the table's ended games."""
    return json_response(to_json(ledger.settle(pool(), link)))


@bp.get("/<link>/live")
@Operation(
    "watch",
    "Messages without end.",
    {"text/event-stream": _EVENT_STREAM},
    parameters=("LastEventId", "History"),
)
def watch(link: str) -> Response:
    """Server-sent events: the present state, then each change within a second.

    Each message is `event: table`, an `id:` that is the table's version, and `data:` with a
    `TableState`. Changes that come faster than they can be told come as one: the newest state is
    never lost. Whoever connects again gets the present state first, whatever `Last-Event-ID` says.
    Lines that begin with a colon keep the connection open. When the table is deleted comes
    `event: gone`, and the stream ends.
    """
    history = wants_history()

    def draw(seq: int) -> bytes:
        sheet = sheets.read_sheet(pool(), link)
        return event(seq, table_state(sheet, history=history).decode())

    def render(seq: int) -> bytes:
        return rendered.cached(("program", link, seq, history), lambda: draw(seq))

    return stream(link, render)


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
    return secret.strip() if kind.lower() == "bearer" else phone_cookie.pen()


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
    history = wants_history()

    def completion() -> Completion:
        try:
            return Completion(status, act())
        except (BadFile, NotAllowed, Stale, NotFound) as error:
            return refuse(error)

    done = keys.act_once(write.link, f"{write.link} {write.pen}", keys.read_key(), completion)
    if done.sheet is None:
        return json_response(done.refusal or "", done.status)
    return json_response(table_state(done.sheet, history=history), done.status)
