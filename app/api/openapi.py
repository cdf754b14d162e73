"""The OpenAPI description of the calls, as /api/openapi.json serves it."""

from __future__ import annotations

import json
from functools import cache

from app.api.bodies import Schema, ref
from app.api.schemas import components

_DESCRIPTION = (
    "The tables of the score keeper, for other programs, displays and tests. Bodies are UTF-8 JSON,"
    " 64 KiB at most, and unknown keys are refused. 200 and 201 mean that what was written is on"
    " disk. Every refusal is an `Error`. Game files, events and results are described in"
    " docs/FORMAT.md."
)


@cache
def text() -> str:
    """The whole document as JSON, generated when it is first asked for."""
    return json.dumps(document(), ensure_ascii=False, indent=2) + "\n"


def document() -> Schema:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Chicago score keeper",
            "version": "0.1.0",
            "license": {"name": "MIT", "identifier": "MIT"},
            "description": _DESCRIPTION,
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": "read", "description": "Whoever knows a table's ID may read."},
            {"name": "write", "description": "Whoever holds the pen may write."},
        ],
        "paths": _paths(),
        "components": {
            "securitySchemes": _SECURITY_SCHEMES,
            "parameters": _PARAMETERS,
            "headers": _HEADERS,
            "responses": dict(_ERRORS.values()),
            "schemas": components(),
        },
    }


def _component(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


def _json(schema: str) -> Schema:
    return {"content": {"application/json": {"schema": ref(schema)}}}


def _path_parameter(name: str, schema: Schema, **more: str) -> Schema:
    return {"name": name, "in": "path", "required": True, **more, "schema": schema}


def _header_parameter(name: str, description: str, **length: int) -> Schema:
    schema = {"type": "string", **length}
    return {"name": name, "in": "header", "description": description, "schema": schema}


def _error(description: str, headers: Schema | None = None) -> Schema:
    more = {"headers": headers} if headers else {}
    return {"description": description, **more, **_json("Error")}


_SECURITY_SCHEMES: dict[str, Schema] = {
    "pen": {
        "type": "http",
        "scheme": "bearer",
        "description": "The pen of the table: `Authorization: Bearer SECRET`.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "chicago",
        "description": "A browser that holds the pen sends its signed cookie instead, from pages of"
        " the same site only.",
    },
}

_PARAMETERS: dict[str, Schema] = {
    "Table": _path_parameter("table", ref("TableId")),
    "Number": _path_parameter("number", {"type": "integer", "minimum": 1}, description="From 1."),
    "Index": _path_parameter(
        "index", {"type": "integer", "minimum": 0}, description="From 0, undone events left out."
    ),
    "IdempotencyKey": _header_parameter(
        "Idempotency-Key",
        "Any string that nobody else uses, such as a UUID. The same key and body again gives the"
        " first answer, refusals by the game included, and changes nothing; the same key with"
        " another body or call is refused with 422. Keys belong to the pen that writes, and without"
        " a pen to the address that asks.",
        minLength=1,
        maxLength=128,
    ),
    "IfNoneMatch": _header_parameter(
        "If-None-Match", "ETags of answers that the caller still has."
    ),
    "LastEventId": _header_parameter("Last-Event-ID", "The version last seen."),
}

_HEADERS: dict[str, Schema] = {
    "ETag": {
        "description": "Names this very answer.",
        "required": True,
        "schema": {"type": "string"},
    },
    "RetryAfter": {
        "description": "Seconds after which to try again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    },
}

_RETRY_AFTER = {"Retry-After": _component("headers", "RetryAfter")}

# Refusals by status, with the name that each has in the document.
_ERRORS: dict[int, tuple[str, Schema]] = {
    400: (
        "BadRequest",
        _error(
            "`bad_request`: the body is malformed, as can be seen without playing: not JSON, an"
            " unknown key, a wrong type, a number out of range, a name that is none of the players."
        ),
    ),
    401: (
        "NoPen",
        _error(
            "`no_pen`: no pen, or one that does not write at this table.",
            {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
        ),
    ),
    403: ("OtherSite", _error("`bad_request`: a browser sent this from another site's page.")),
    404: ("NotFound", _error("`not_found`: there is no such table, game or entry.")),
    409: ("Stale", _error("`stale`: the table is no longer at the `seq` that was sent.")),
    413: ("TooLarge", _error("`too_large`: a body may be 64 KiB at most.")),
    422: (
        "NotAllowed",
        _error(
            "`not_allowed`: the house rules or the state of the game forbid it; or the idempotency"
            " key came with another request before."
        ),
    ),
    429: ("TooMany", _error("`too_many`: more than one address may ask for.", _RETRY_AFTER)),
    503: (
        "Full",
        _error("`too_many`: as many watch already as there is room for.", _RETRY_AFTER),
    ),
}


def _errors(*statuses: int) -> dict[str, Schema]:
    return {str(status): _component("responses", _ERRORS[status][0]) for status in statuses}


def _operation(tag: str, name: str, summary: str, responses: Schema, **more: object) -> Schema:
    about = {"operationId": name, "tags": [tag], "summary": summary}
    return {**about, **more, "responses": responses}


def _read(name: str, summary: str, success: Schema, *more_errors: int, **more: object) -> Schema:
    responses = {"200": success, **_errors(404, 429, *more_errors)}
    return _operation("read", name, summary, responses, **more)


def _read_with_etag(name: str, summary: str, success: Schema, *errors: int) -> Schema:
    etag = {"headers": {"ETag": _component("headers", "ETag")}}
    unchanged = {"description": "It is still what `If-None-Match` names.", **etag}
    responses = {"200": {**success, **etag}, "304": unchanged, **_errors(*errors)}
    parameters = [_component("parameters", "IfNoneMatch")]
    return _operation("read", name, summary, responses, parameters=parameters)


def _write(
    name: str, summary: str, status: int, success: Schema, *more_errors: int, **more: object
) -> Schema:
    """A call that can be sent again, by whoever holds the pen if `more` says nothing else."""
    errors = _errors(*sorted((400, 403, 413, 422, 429, *more_errors)))
    key = _component("parameters", "IdempotencyKey")
    more = {"security": [{"pen": []}, {"cookie": []}], "parameters": [key], **more}
    return _operation("write", name, summary, {str(status): success, **errors}, **more)


def _success(description: str, schema: str) -> Schema:
    return {"description": description, **_json(schema)}


def _body(schema: str, *, required: bool = True) -> Schema:
    return {"required": required, **_json(schema)}


def _paths() -> dict[str, Schema]:
    table, number, index = (_component("parameters", p) for p in ("Table", "Number", "Index"))
    return {
        "/api/tables": {"post": _open_table()},
        "/api/tables/{table}": {"parameters": [table], "get": _read_table()},
        "/api/tables/{table}/games": {"parameters": [table], "post": _next_game()},
        "/api/tables/{table}/games/{number}": {
            "parameters": [table, number],
            "get": _read(
                "readGame",
                "A game as a game file, as it stands: what was undone is left out",
                _success("The game.", "Game"),
            ),
        },
        "/api/tables/{table}/events": {"parameters": [table], "post": _record()},
        "/api/tables/{table}/events/last": {"parameters": [table], "delete": _undo()},
        "/api/tables/{table}/events/{index}": {"parameters": [table, index], "put": _replace()},
        "/api/tables/{table}/settlement": {
            "parameters": [table],
            "get": _read(
                "settle",
                "Who pays whom over the table's ended games",
                _success("The settlement.", "Settlement"),
            ),
        },
        "/api/tables/{table}/live": {"parameters": [table], "get": _watch()},
        "/api/openapi.json": {"get": _read_this()},
    }


def _open_table() -> Schema:
    location = {
        "description": "Where the table is read.",
        "required": True,
        "schema": {"type": "string", "pattern": "^/api/tables/"},
    }
    opened = _success("The table, and the pen that writes at it.", "Opened")
    return _write(
        "openTable",
        "Open a table and start its first game",
        201,
        {**opened, "headers": {"Location": location}},
        security=[],
        requestBody=_body("NewTable"),
    )


def _read_table() -> Schema:
    return _read_with_etag(
        "readTable",
        "A table as it stands, with the result of its newest game",
        _success("The table.", "Table"),
        *(404, 429),
    )


def _next_game() -> Schema:
    return _write(
        "nextGame",
        "Start the next game",
        201,
        _success("The new game.", "Changed"),
        *(401, 404),
        description="Same seats, stake and rules, and the next dealer, unless the body says"
        " otherwise. Refused while a game is being played.",
        requestBody=_body("NewGame", required=False),
    )


def _record() -> Schema:
    return _write(
        "record",
        "Record an event of the newest game",
        201,
        _success("The event is on disk.", "Changed"),
        *(401, 404, 409),
        requestBody=_body("EventToRecord"),
    )


def _undo() -> Schema:
    return _write(
        "undo",
        "Undo the newest event of the newest game",
        200,
        _success("The event counts no longer.", "Changed"),
        *(401, 404),
        description="Refused when there is none.",
    )


def _replace() -> Schema:
    return _write(
        "replace",
        "Replace an event of the newest game and work the rest out again",
        200,
        _success("The event is replaced.", "Changed"),
        *(401, 404, 409),
        description="Refused when an event does not hold any more; `event` in the refusal is the"
        " index of the first one, and nothing is changed.",
        requestBody=_body("EventToRecord"),
    )


def _watch() -> Schema:
    messages = {
        "schema": {"type": "string"},
        "example": 'event: table\nid: 7\ndata: {"seq": 7, "result": {}}\n\n',
    }
    return _read(
        "watch",
        "Server-sent events: the present state, then each change within a second",
        {"description": "Messages without end.", "content": {"text/event-stream": messages}},
        503,
        description="Each message is `event: table`, an `id:` that is the table's version, and"
        " `data:` with a `Changed`. Changes that come faster than they can be told come as one:"
        " the newest state is never lost. Whoever connects again gets the present state first,"
        " whatever `Last-Event-ID` says. Lines that begin with a colon keep the connection open.",
        parameters=[_component("parameters", "LastEventId")],
    )


def _read_this() -> Schema:
    content = {"application/json": {"schema": {"type": "object"}}}
    success = {"description": "This file.", "content": content}
    return _read_with_etag("openapi", "This file", success, 429)
