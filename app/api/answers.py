"""Bodies in and out: JSON read strictly, answers and refusals in one shape."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from flask import Response, current_app, make_response, request
from werkzeug.exceptions import RequestEntityTooLarge

from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.rules.errors import BadFile, ChicagoError, NotAllowed, Stale
from app.rules.gamefile import write_result
from app.rules.json_input import decode
from app.services.idempotency import KeyReused, Reply
from app.services.tables import NoPen, NotFound, Sheet

ENGLISH = get_language("en")

REFUSALS: Mapping[type[ChicagoError], tuple[HTTPStatus, str]] = {
    BadFile: (HTTPStatus.BAD_REQUEST, "bad_request"),
    NotAllowed: (HTTPStatus.UNPROCESSABLE_ENTITY, "not_allowed"),
    KeyReused: (HTTPStatus.UNPROCESSABLE_ENTITY, "not_allowed"),
    Stale: (HTTPStatus.CONFLICT, "stale"),
    NoPen: (HTTPStatus.UNAUTHORIZED, "no_pen"),
    NotFound: (HTTPStatus.NOT_FOUND, "not_found"),
}


def sent() -> bytes:
    """The request's body as it came. Raises RequestEntityTooLarge.

    A body that comes in chunks is cut off at the limit without a word, so the limit is set one
    byte further than a body may go.
    """
    most: int = current_app.config["MAX_CONTENT_LENGTH"]
    request.max_content_length = most + 1
    data = request.get_data()
    if len(data) > most:
        raise RequestEntityTooLarge
    return data


def body() -> dict[str, object]:
    """The request's body, which must be a JSON object. Raises BadFile."""
    raw = decode(sent())
    if not isinstance(raw, dict):
        raise BadFile("not_an_object", what="body")
    return raw


def body_or_nothing() -> dict[str, object]:
    """The request's body, or no wishes where it is empty. Raises BadFile."""
    return body() if sent() else {}


def only(raw: dict[str, object], known: Sequence[str]) -> None:
    """Refuse keys that mean nothing here. Raises BadFile."""
    for key in raw:
        if key not in known:
            raise BadFile("unknown_key", key=key)


def written(value: object) -> str:
    """A value as the JSON of an answer."""
    return json.dumps(value, ensure_ascii=False)


def changed(sheet: Sheet) -> str:
    """The answer to a change: the table's version and where the game stands."""
    return written({"seq": sheet.seq, "result": write_result(sheet.states)})


def json_answer(text: str, status: int = HTTPStatus.OK) -> Response:
    """An answer with this JSON, kept by nobody on the way: a table's address is a secret."""
    response = make_response(text, status)
    response.mimetype = "application/json"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def refused(refusal: ChicagoError) -> Reply:
    """A refusal as it is answered: its code and one sentence, which names the event at fault."""
    status, code = REFUSALS[type(refusal)]
    message = error_text(refusal, ENGLISH)
    event = getattr(refusal, "event", None)
    if event is None:
        return Reply(status, written({"error": {"code": code, "message": message}}))
    told = {"code": code, "message": f"Event {event}: {message}", "event": event}
    return Reply(status, written({"error": told}))
