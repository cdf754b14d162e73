"""Request bodies in and replies out: JSON read strictly, errors in one shape."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from http import HTTPStatus

import msgspec
from flask import Response, request
from msgspec import UNSET, UnsetType

from app.api.bodies import ERROR_CODES, Error, ErrorDetail, TableState
from app.http import errors
from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.rules.errors import BadFile, ChicagoError, NotAllowed, Stale
from app.rules.gamefile import write_result
from app.rules.json_input import decode
from app.services.idempotency import Completion, KeyReused
from app.services.sheets import Sheet

ENGLISH = get_language("en")

API_STATUSES: Mapping[type[ChicagoError], HTTPStatus] = {
    **errors.STATUSES,
    BadFile: HTTPStatus.BAD_REQUEST,
    NotAllowed: HTTPStatus.UNPROCESSABLE_ENTITY,
    KeyReused: HTTPStatus.UNPROCESSABLE_ENTITY,
    Stale: HTTPStatus.CONFLICT,
}


def read_data() -> bytes:
    """The bytes of the request body. Raises RequestEntityTooLarge."""
    return request.get_data()


def read_body() -> dict[str, object]:
    """The request body, which must be a JSON object. Raises BadFile."""
    body = decode(read_data())
    if not isinstance(body, dict):
        raise BadFile("not_an_object", what="body")
    return body


def read_optional_body() -> dict[str, object]:
    """The request body, or an object without keys where it is empty. Raises BadFile."""
    return read_body() if read_data() else {}


def check_keys(body: dict[str, object], body_type: type[msgspec.Struct] = msgspec.Struct) -> None:
    """Refuse keys that are no fields of this body; left out, it has none. Raises BadFile."""
    for key in body:
        if key not in body_type.__struct_fields__:
            raise BadFile("unknown_key", key=key)


def wants_history() -> bool:
    """Whether the result asked for has its history, as it has unless told. Raises BadFile."""
    asked = request.args.get("history", "1")
    if asked not in ("0", "1"):
        raise BadFile("wrong_value", key="history", value=asked)
    return asked == "1"


def to_json(value: object) -> bytes:
    """A value, which may have structs in it, as the JSON of a response body."""
    return msgspec.json.encode(value)


def table_state(sheet: Sheet, *, history: bool) -> bytes:
    """The response body after a change: the table's version and where the game stands."""
    return to_json(TableState(sheet.seq, write_result(sheet.states, history=history)))


def json_response(body: bytes | str, status: int = HTTPStatus.OK) -> Response:
    """A response with this JSON, stored by nobody on the way: a table's address is a secret."""
    response = Response(body, status, content_type="application/json")
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def json_response_with_etag(body: bytes, sender: str = "") -> Response:
    """A response that is sent only to who has another one; 304 to who has this one.

    The same body has another ETag for another kind of `sender`.
    """
    response = json_response(body)
    # Weak, since the response is also sent compressed.
    response.set_etag(hashlib.sha256(sender.encode() + b"\n" + body).hexdigest(), weak=True)
    response.make_conditional(request)
    return response


def error_body(status: int, message: str, event: int | UnsetType = UNSET) -> bytes:
    """The response body of every error: its code, and one sentence for people."""
    return to_json(Error(ErrorDetail(ERROR_CODES.get(status, "internal"), message, event)))


def refuse(error: ChicagoError) -> Completion:
    """The refusal of a request; it names the event at fault, where there is one."""
    status, message = API_STATUSES[type(error)], error_text(error, ENGLISH)
    event = getattr(error, "event", None)
    if event is None:
        body = error_body(status, message)
    else:
        body = error_body(status, f"Event {event}: {message}", event)
    return Completion(status, None, body.decode())
