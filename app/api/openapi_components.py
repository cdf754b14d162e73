"""What several calls share in the OpenAPI description: parameters, headers, and refusals."""

from __future__ import annotations

from app.api.bodies import ERROR_CODES, Schema, ref


def component(kind: str, name: str) -> Schema:
    """A reference to what stands once in the document."""
    return {"$ref": f"#/components/{kind}/{name}"}


def json_content(schema: Schema) -> Schema:
    """The content of a JSON body that is as its schema says."""
    return {"application/json": {"schema": schema}}


def _path_parameter(name: str, schema: Schema, **more: str) -> Schema:
    return {"name": name, "in": "path", "required": True, **more, "schema": schema}


def _header_parameter(name: str, description: str, **length: int) -> Schema:
    schema = {"type": "string", **length}
    return {"name": name, "in": "header", "description": description, "schema": schema}


SECURITY_SCHEMES: dict[str, Schema] = {
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

PARAMETERS: dict[str, Schema] = {
    "Table": _path_parameter("table", ref("TableId")),
    "Number": _path_parameter("number", {"type": "integer", "minimum": 1}, description="From 1."),
    "Index": _path_parameter(
        "index", {"type": "integer", "minimum": 0}, description="From 0, undone events left out."
    ),
    "History": {
        "name": "history",
        "in": "query",
        "description": "0 leaves `history` out of the result, so that it does not grow with the"
        " game. It is no part of what an idempotency key stands for: the same request may be sent"
        " again with and without.",
        "schema": {"type": "integer", "enum": [0, 1], "default": 1},
    },
    "IdempotencyKey": _header_parameter(
        "Idempotency-Key",
        "Any string that nobody else uses, such as a UUID. The same key and body again gives the"
        " first answer, refusals by the game included, and changes nothing; the same key with"
        " another body or call is refused with 422. A key is remembered for a day; what has been"
        " erased since is told no more. Keys belong to the pen that writes. Where a table is"
        " opened there is none yet: then a key belongs to who sends it, by address, credentials"
        " and program, and the pen is told again within ten minutes (one minute for a key shorter"
        " than 16 characters, which others may think of too), 422 after that.",
        minLength=1,
        maxLength=128,
    ),
    "IfNoneMatch": _header_parameter(
        "If-None-Match", "ETags of answers that the caller still has."
    ),
    "LastEventId": _header_parameter("Last-Event-ID", "The version last seen."),
}

HEADERS: dict[str, Schema] = {
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

ETAG = {"ETag": component("headers", "ETag")}
_RETRY_AFTER = {"Retry-After": component("headers", "RetryAfter")}
_ERROR_HEADERS: dict[int, Schema] = {
    401: {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
    429: _RETRY_AFTER,
    503: _RETRY_AFTER,
}

# Refusals by status: the name that each has in the document, and when it comes.
ERRORS: dict[int, tuple[str, str]] = {
    400: (
        "BadRequest",
        (
            "the request is malformed, as can be seen without playing: a body that is not JSON, an"
            " unknown key, a wrong type, a number out of range, a name that is none of the players."
        ),
    ),
    401: ("NoPen", "no pen, or one that does not write at this table."),
    403: ("OtherSite", "a browser sent this from another site's page."),
    404: ("NotFound", "there is no such table, game or entry."),
    409: ("Stale", "the table is no longer at the `seq` that was sent."),
    413: ("TooLarge", "a body may be 64 KiB at most."),
    422: (
        "NotAllowed",
        (
            "the house rules or the state of the game forbid it; or the idempotency key came with"
            " another request before."
        ),
    ),
    429: ("TooMany", "more than one address may ask for."),
    503: (
        "Unavailable",
        "the database cannot be used just now, or as many watch as there is room for.",
    ),
}


def error_response(status: int) -> Schema:
    """The refusals of a status, as they are described once for all calls."""
    error: Schema = {"description": f"`{ERROR_CODES[status]}`: {ERRORS[status][1]}"}
    if status in _ERROR_HEADERS:
        error["headers"] = _ERROR_HEADERS[status]
    return {**error, "content": json_content(ref("Error"))}
