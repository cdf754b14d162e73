"""Bodies in and out: JSON read strictly, answers and refusals in one shape."""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus

from flask import Response, make_response, request

from app.languages import language
from app.reasons import sentence
from app.rules.errors import BadFile, ChicagoError
from app.rules.gamefile import decode, write_result
from app.tables import Sheet

ENGLISH = language("en")


def body() -> dict[str, object]:
    """The request's body, which must be a JSON object. Raises BadFile."""
    raw = decode(request.get_data())
    if not isinstance(raw, dict):
        raise BadFile("not_an_object", what="body")
    return raw


def body_or_nothing() -> dict[str, object]:
    """The request's body, or no wishes where it is empty. Raises BadFile."""
    return body() if request.get_data() else {}


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
    """An answer with this JSON."""
    response = make_response(text, status)
    response.mimetype = "application/json"
    response.headers["Cache-Control"] = "no-cache"
    return response


def error(status: HTTPStatus, code: str, why: ChicagoError | str) -> Response:
    """A refusal: its code, one sentence, and for a game's event that event's index."""
    message = why if isinstance(why, str) else sentence(why, ENGLISH)
    told: dict[str, object] = {"code": code, "message": message}
    if (event := getattr(why, "event", None)) is not None:
        told["event"] = event
    return json_answer(written({"error": told}), status)
