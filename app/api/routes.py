"""The calls: each reads its request body, calls a use case, and replies.

JSON is read strictly, and errors have one shape. Here is also what programs ask every site for: its
health, an icon, what to leave out, whom to write to.
"""

import hashlib
import logging
from collections.abc import Collection, Mapping
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Response, current_app, request, url_for
from msgspec import Raw
from msgspec.json import encode
from msgspec.structs import replace
from werkzeug.exceptions import HTTPException

from app.http import context, cookies, rendered
from app.http.context import db
from app.http.errors import OutOfOrder, status_of
from app.http.limits import NEW_TABLES, client_address, one_at_a_time, rate_limit
from app.http.stream import event, stream
from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.rules.codes import BadFile, ChicagoError
from app.rules.gamefile import read_setup, write_game, write_result
from app.rules.names import decode, read_name
from app.rules.settlement import USUAL, read_currency
from app.services import ledger, opening
from app.services.access import Write, new_link
from app.services.commit import Change, commit
from app.services.edit import EditEvent, TakeBackEvent
from app.services.opening import IdempotentRequest, open_once
from app.services.play import Record, Start
from app.services.table_view import TableView
from app.store.clock import utc_now
from app.store.files import DatabaseUnavailable
from app.store.log import Key

ENGLISH = get_language("en")
DESCRIPTION = Path(__file__).with_name("openapi.json")
NEXT_GAME = ("players", "dealer", "stake_ore", "rules")
NEW_TABLE = (*NEXT_GAME, "name", "currency")

site_bp = Blueprint("site", __name__)

# Whoever shows what a link leads to may look at it, and is told no names.
ROBOTS = """\
User-agent: facebookexternalhit
User-agent: Twitterbot
Disallow:

User-agent: *
Disallow: /t/
Disallow: /transfer
Disallow: /start
Disallow: /api/
Disallow: /offline/
"""
SECURITY = """\
# Faults of the program itself are for its maintainers: SECURITY.md tells how to report them.
Contact: {contact}
Expires: {expires}
Preferred-Languages: sv, fi, en
"""
# Whoever keeps the file asks again after so long.
EXPIRES = timedelta(days=90)

_log = logging.getLogger(__name__)


@site_bp.get("/healthz")
def health() -> Response:
    """`ok`, or 503, and by a header which version answers."""
    try:
        db().check_writable()
    except DatabaseUnavailable as error:
        _log.error("The health check failed: %s", error)
        response = _answer_text("unavailable", HTTPStatus.SERVICE_UNAVAILABLE)
    else:
        response = _answer_text("ok")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Chicago-Version"] = current_app.config["VERSION"]
    return response


@site_bp.get("/favicon.ico")
def icon() -> Response:
    """The icon, for who does not read that a page names one."""
    return current_app.send_static_file("icons/favicon.ico")


@site_bp.get("/robots.txt")
def robots() -> Response:
    """Search engines are to leave out tables."""
    return _answer_text(ROBOTS)


@site_bp.get("/.well-known/security.txt")
def security() -> Response:
    """Whom to tell of a fault (RFC 9116): as configured, else the server itself."""
    contact = current_app.config["CONTACT"] or context.shareable_url(f"{context.prefix()}/")
    expires = (utc_now() + EXPIRES).strftime("%Y-%m-%dT00:00:00Z")
    return _answer_text(SECURITY.format(contact=contact, expires=expires))


def _answer_text(text: str, status: int = HTTPStatus.OK) -> Response:
    return Response(text, status, mimetype="text/plain")


bp = Blueprint("api", __name__, url_prefix="/api")


@bp.get("/openapi.json")
def read_description() -> Response:
    """The OpenAPI description of these calls."""
    return json_response(Raw(DESCRIPTION.read_bytes()), has_etag=True)


@bp.post("/tables")
@rate_limit(NEW_TABLES)
def open_table() -> Response:
    """Open a table and start its first game."""
    raw = read_body(NEW_TABLE)
    currency, name = read_currency(raw.pop("currency", USUAL)), raw.get("name", "")
    name = read_name(name) if not isinstance(name, str) or name.strip() else ""
    new = opening.NewTable(read_setup(raw), name, currency)
    link, pen = open_once(db(), read_opening(), new, context.instance())
    body = {"table": link, "url": url_for("table.page", link=link), "pen": pen}
    response = json_response(body, HTTPStatus.CREATED)
    response.headers["Location"] = f"{context.prefix()}/api/tables/{link}"
    return response


@bp.get("/tables/<link>")
@one_at_a_time()
def read_table() -> Response:
    """A table as it stands, with the result of its newest game."""
    view = context.read_view()
    state = table_state(view, history=wants_history())
    body = {"table": context.link(), "name": view.name, "games": view.games, **state}
    return json_response(body, has_etag=True)


@bp.get("/tables/<link>/games/<int:number>")
@one_at_a_time()
def read_game(number: int) -> Response:
    """A game as a game file, as it stands, without undone events."""
    return json_response(write_game(context.read_view(number).game))


@bp.post("/tables/<link>/events")
def record() -> Response:
    """Record an event of the newest game."""
    event, write = _read_event()
    return _change(write, Record(event), HTTPStatus.CREATED)


@bp.delete("/tables/<link>/events/last")
def undo() -> Response:
    """Undo the newest event of the newest game."""
    read_optional_body(())
    return _change(context.write(), TakeBackEvent())


@bp.put("/tables/<link>/events/<int:index>")
def edit_event(index: int) -> Response:
    """Edit an event of the newest game and work the rest out again."""
    event, write = _read_event()
    return _change(write, EditEvent(index, event))


@bp.post("/tables/<link>/games")
def next_game() -> Response:
    """Start the next game: the same but for the dealer, unless the body says otherwise."""
    game = Start(read_optional_body(NEXT_GAME))
    return _change(context.write(), game, HTTPStatus.CREATED)


@bp.get("/tables/<link>/settlement")
@one_at_a_time()
def settle() -> Response:
    """The fewest payments over the table's ended games."""
    return json_response(ledger.suggest_payments(db(), context.link()))


@bp.get("/tables/<link>/live")
def watch() -> Response:
    """Server-sent events: the present state, then each change within a second."""
    history, table_id = wants_history(), context.access().id

    def draw(seq: int) -> bytes:
        view = context.read_view()
        return event(seq, encode(table_state(view, history=history)).decode())

    def render(seq: int) -> bytes:
        return rendered.memoize_by_key(f"program {seq} {history}-{table_id}", lambda: draw(seq))

    return stream(render)


def _read_event() -> tuple[dict[str, object], Write]:
    """The event of the request body, and the write from the version it names. Raises BadFile."""
    event, write = read_body(), context.write()
    if "seq" not in event:
        return event, write
    seq = event.pop("seq")
    if type(seq) is not int:
        raise BadFile("wrong_value", key="seq", value=seq)
    return event, replace(write, seq=seq)


def _change(write: Write, change: Change, status: int = HTTPStatus.OK) -> Response:
    """Make a change; one that was made before with the same key is answered as it was then."""
    history = wants_history()
    view = commit(db(), write, change, read_change_key(write))
    return json_response(table_state(view, history=history), status)


# The code that goes with each status; any other is a bad request or an internal error.
_CODES: Mapping[int, str] = {
    HTTPStatus.UNAUTHORIZED: "no_pen",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.CONFLICT: "stale",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
    HTTPStatus.PRECONDITION_REQUIRED: "no_pen",
    HTTPStatus.UNPROCESSABLE_ENTITY: "not_allowed",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many",
    HTTPStatus.SERVICE_UNAVAILABLE: "too_many",
}
_MESSAGES: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: "This request cannot be read.",
    HTTPStatus.FORBIDDEN: "A page of another site sent this.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not take this method.",
    HTTPStatus.REQUEST_TIMEOUT: "The body took too long to arrive.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is longer than this address takes.",
    HTTPStatus.PRECONDITION_REQUIRED: "Only whoever holds a pen may push; pull first.",
    HTTPStatus.TOO_MANY_REQUESTS: "That was too much at once; wait a little.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Too many are watching; try again soon.",
}
_OUT_OF_ORDER = "The database cannot be used just now. Nothing has changed; try again soon."
_INTERNAL_ERROR = "Something went wrong in the score keeper."


def read_body(keys: Collection[str] | None = None) -> dict[str, object]:
    """The request body, a JSON object, with no other `keys` than these. Raises BadFile."""
    body = decode(request.get_data())
    if not isinstance(body, dict):
        raise BadFile("not_an_object", what="body")
    for key in body:
        if keys is not None and key not in keys:
            raise BadFile("unknown_key", key=key)
    return body


def read_optional_body(keys: Collection[str]) -> dict[str, object]:
    """The request body, or an object without keys where it is empty. Raises BadFile."""
    return read_body(keys) if request.get_data() else {}


def wants_history() -> bool:
    """Whether the result asked for has its history, as it has unless told. Raises BadFile."""
    asked = request.args.get("history", "1")
    if asked not in ("0", "1"):
        raise BadFile("wrong_value", key="history", value=asked)
    return asked == "1"


def table_state(view: TableView, *, history: bool) -> dict[str, object]:
    """A table's version, and where its game stands."""
    return {"seq": view.seq, "result": write_result(view.states, history=history)}


def json_response(
    value: object, status: int = HTTPStatus.OK, *, has_etag: bool = False
) -> Response:
    """A response with a value as JSON; with an ETag it is sent only to who has another one."""
    response = Response(encode(value), status, content_type="application/json")
    if has_etag:
        # Weak, since the response is also sent compressed.
        response.add_etag(weak=True)
        response.make_conditional(request)
    return response


def error_response(status: int, message: str, **known: object) -> Response:
    """The response of every error: its code, and one sentence for people."""
    other = "bad_request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "internal"
    detail = {"code": _CODES.get(status, other), "message": message, **known}
    return json_response({"error": detail}, status)


@bp.errorhandler(ChicagoError)
def refuse(error: ChicagoError) -> Response:
    """The response to a request that is refused; it names the event at fault, if there is one."""
    status = HTTPStatus.BAD_REQUEST if isinstance(error, BadFile) else status_of(error)
    message, event = error_text(error, ENGLISH), getattr(error, "event", None)
    if event is not None:
        return error_response(status, f"Event {event}: {message}", event=event)
    response = error_response(status, message)
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


HEADER = "Idempotency-Key"
LONGEST = 128
# Headers that a program sends alike each time, and another behind the same address maybe not.
_TELLTALE = ("User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "Authorization")


def read_key() -> str | None:
    """The key that this request carries. Raises BadFile when it is none."""
    header = request.headers.get(HEADER)
    if header is None:
        return None
    # A header's bytes always arrive as Latin-1.
    key = header.encode("latin-1").decode("utf-8", "replace")
    if not 0 < len(key) <= LONGEST:
        raise BadFile("wrong_value", key=HEADER, value=key)
    return key


def read_change_key(write: Write) -> Key | None:
    """The key of a change, and its request. Raises BadFile for an invalid key."""
    key = read_key()
    if key is None:
        return None
    sent = f"{write.pen} {key}".encode("utf-8", "surrogatepass")
    return Key(hashlib.sha256(sent).digest(), hashlib.sha256(_content().encode()).digest())


def read_opening() -> IdempotentRequest:
    """The opening of a table, by its sender as far as that can be told; without a key, a new one.

    Raises BadFile as `read_key`.
    """
    telling = (request.headers.get(name) for name in _TELLTALE)
    sender = repr([client_address(), cookies.pen(), *telling])
    return IdempotentRequest(sender, read_key() or new_link(), _content())


def _content() -> str:
    """The identity of this request's content: method, path and body."""
    return f"{request.method} {request.path} {hashlib.sha256(request.get_data()).hexdigest()}"


def http_error(error: HTTPException) -> Response:
    """The response to a request that failed before it reached the game."""
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    is_ours = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    usual = _INTERNAL_ERROR if is_ours else _MESSAGES[HTTPStatus.BAD_REQUEST]
    out_of_order = isinstance(error, OutOfOrder)
    return error_response(status, _OUT_OF_ORDER if out_of_order else _MESSAGES.get(status, usual))
