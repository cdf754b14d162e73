"""Request bodies in and replies out: JSON read strictly, errors in one shape."""

import hashlib
from collections.abc import Collection, Mapping
from http import HTTPStatus
from typing import Annotated, Literal, NotRequired, TypedDict

import msgspec
from flask import Response, request
from msgspec import Meta

from app.http import cookies
from app.http.errors import status_of
from app.http.limits import client_address
from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.rules.codes import BadFile, ChicagoError
from app.rules.gamefile import Count, GameResult, Number, write_result
from app.rules.names import decode
from app.services.play import IdempotentRequest
from app.services.table_view import TableView
from app.services.tables import Write, new_link
from app.store.log import Key

ENGLISH = get_language("en")

Code = Literal[
    "bad_request",
    "internal",
    "no_pen",
    "not_allowed",
    "not_found",
    "stale",
    "too_large",
    "too_many",
]
TableId = Annotated[
    str,
    Meta(
        pattern=r"^([a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{22,}$",
        description="128 random bits, perhaps after a server's name. Whoever knows it may read.",
    ),
]
Seq = Annotated[int, Meta(ge=1, description="The table's version; it grows with every change.")]


class Credentials(TypedDict):
    """A new table: its ID, its page, which may be shown to everybody, and the pen that writes.

    The pen is never told again, except soon to the same Idempotency-Key from the same sender.
    """

    table: TableId
    url: Annotated[str, Meta(pattern="^/t/")]
    pen: Annotated[str, Meta(min_length=43)]


class TableState(TypedDict):
    """The table after a change."""

    seq: Seq
    result: GameResult


class Table(TableState):
    """A table as it stands; its name is empty where none was given."""

    table: TableId
    name: str
    games: Number


class ErrorDetail(TypedDict):
    """Why: `message` is one English sentence, `event` the index of the event that is refused."""

    code: Code
    message: Annotated[str, Meta(min_length=1)]
    event: NotRequired[Count]


class Error(TypedDict):
    """A refusal."""

    error: ErrorDetail


# The code that goes with each status; any other is a bad request or an internal error.
_CODES: Mapping[int, Code] = {
    HTTPStatus.UNAUTHORIZED: "no_pen",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.CONFLICT: "stale",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
    HTTPStatus.PRECONDITION_REQUIRED: "no_pen",
    HTTPStatus.UNPROCESSABLE_ENTITY: "not_allowed",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many",
    HTTPStatus.SERVICE_UNAVAILABLE: "too_many",
}


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


def table_state(view: TableView, *, history: bool) -> TableState:
    """A table's version, and where its game stands."""
    return {"seq": view.seq, "result": write_result(view.states, history=history)}


def json_response(body: bytes | str, status: int = HTTPStatus.OK) -> Response:
    """A response with this JSON."""
    return Response(body, status, content_type="application/json")


def json_response_with_etag(body: bytes) -> Response:
    """A response that is sent only to who has another one; 304 to who has this one."""
    response = json_response(body)
    # Weak, since the response is also sent compressed.
    response.add_etag(weak=True)
    response.make_conditional(request)
    return response


def error_body(status: int, message: str, event: int | None = None) -> bytes:
    """The response body of every error: its code, and one sentence for people."""
    other: Code = "bad_request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "internal"
    detail: ErrorDetail = {"code": _CODES.get(status, other), "message": message}
    if event is not None:
        detail["event"] = event
    return msgspec.json.encode(Error(error=detail))


def error_response(error: ChicagoError) -> Response:
    """The response to a request that is refused; it names the event at fault, if there is one."""
    status = HTTPStatus.BAD_REQUEST if isinstance(error, BadFile) else status_of(error)
    message, event = error_text(error, ENGLISH), getattr(error, "event", None)
    text = message if event is None else f"Event {event}: {message}"
    response = json_response(error_body(status, text, event), status)
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
