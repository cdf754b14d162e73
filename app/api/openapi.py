"""The OpenAPI description of the calls, as /api/openapi.json serves it.

Paths and methods are those of the routes, summaries and descriptions those of their docstrings.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeVar

import msgspec
from flask import Blueprint, Response, current_app

from app.api.answers import json_response_with_etag
from app.api.bodies import ERROR_CODES, Schema, ref
from app.api.schemas import components

bp = Blueprint("openapi", __name__)

View = TypeVar("View", bound=Callable[..., Response])

_DESCRIPTION = (
    "The tables of the score keeper, for other programs, displays and tests. Bodies are UTF-8 JSON,"
    " 64 KiB at most, and unknown keys are refused. 200 and 201 mean that what was written is on"
    " disk. Every refusal is an `Error`. Game files, events and results are described in"
    " docs/FORMAT.md."
)


def _component(kind: str, name: str) -> Schema:
    return {"$ref": f"#/components/{kind}/{name}"}


def _json_content(schema: Schema) -> Schema:
    """The content of a JSON body that is as its schema says."""
    return {"application/json": {"schema": schema}}


# What openapi.json says of each view, by its function.
_OPERATIONS: dict[Callable[..., object], Operation] = {}


class Operation(msgspec.Struct, frozen=True):
    """Decorates a view with what the document says of it besides its route and docstring.

    `content` is a schema's name, or the content itself; `body` the name of the request body's.
    """

    id: str
    success: str
    content: str | Schema
    status: int = 200
    body: str = ""
    body_required: bool = True
    etag: bool = False
    headers: Schema = {}
    parameters: tuple[str, ...] = ()
    errors: tuple[int, ...] = ()

    def __call__(self, view: View) -> View:
        """Describe a view."""
        _OPERATIONS[view] = self
        return view


@bp.get("/openapi.json")
@Operation("openapi", "This file.", _json_content({"type": "object"}), etag=True)
def read_description() -> Response:
    """This file."""
    return json_response_with_etag(text())


@cache
def text() -> str:
    """The whole document as JSON, generated when it is first asked for."""
    return json.dumps(_document(), ensure_ascii=False, indent=2) + "\n"


def _document() -> Schema:
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
            "responses": {name: _error(status) for status, (name, _) in _ERRORS.items()},
            "schemas": components(),
        },
    }


def _path_parameter(name: str, schema: Schema, **more: str) -> Schema:
    return {"name": name, "in": "path", "required": True, **more, "schema": schema}


def _header_parameter(name: str, description: str, **length: int) -> Schema:
    schema = {"type": "string", **length}
    return {"name": name, "in": "header", "description": description, "schema": schema}


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

_ETAG = {"ETag": _component("headers", "ETag")}
_RETRY_AFTER = {"Retry-After": _component("headers", "RetryAfter")}
_ERROR_HEADERS: dict[int, Schema] = {
    401: {"WWW-Authenticate": {"schema": {"const": "Bearer"}}},
    429: _RETRY_AFTER,
    503: _RETRY_AFTER,
}

# Refusals by status: the name that each has in the document, and when it comes.
_ERRORS: dict[int, tuple[str, str]] = {
    400: (
        "BadRequest",
        (
            "the body is malformed, as can be seen without playing: not JSON, an unknown key, a"
            " wrong type, a number out of range, a name that is none of the players."
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


def _error(status: int) -> Schema:
    error: Schema = {"description": f"`{ERROR_CODES[status]}`: {_ERRORS[status][1]}"}
    if status in _ERROR_HEADERS:
        error["headers"] = _ERROR_HEADERS[status]
    return {**error, "content": _json_content(ref("Error"))}


def _paths() -> dict[str, Schema]:
    """Every route that is described, by its path and method."""
    paths: dict[str, Schema] = {}
    for rule in current_app.url_map.iter_rules():
        view = current_app.view_functions[rule.endpoint]
        if view in _OPERATIONS:
            [method] = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).replace("{link}", "{table}")
            item = paths.setdefault(path, _path_parameters(path))
            item[method.lower()] = _describe_call(view, path, writes=method != "GET")
    return paths


def _path_parameters(path: str) -> Schema:
    names = re.findall(r"{(\w+)}", path)
    return {"parameters": _parameters(name.title() for name in names)} if names else {}


def _parameters(names: Iterable[str]) -> list[Schema]:
    return [_component("parameters", name) for name in names]


def _describe_call(view: Callable[..., object], path: str, *, writes: bool) -> Schema:
    """One call: what its `Operation` says, and what follows from its docstring and its route."""
    operation = _OPERATIONS[view]
    summary, _, description = (inspect.getdoc(view) or "").partition("\n\n")
    schema: Schema = {
        "operationId": operation.id,
        "tags": ["write" if writes else "read"],
        "summary": summary.removesuffix("."),
    }
    if description:
        schema["description"] = " ".join(description.split())
    if writes:
        schema["security"] = [{"pen": []}, {"cookie": []}] if "{table}" in path else []
    if parameters := list(_header_names(operation, writes=writes)):
        schema["parameters"] = _parameters(parameters)
    if operation.body:
        content = _json_content(ref(operation.body))
        schema["requestBody"] = {"required": operation.body_required, "content": content}
    errors = {*operation.errors, *_usual_errors(path, writes=writes)}
    references = {str(n): _component("responses", _ERRORS[n][0]) for n in sorted(errors)}
    schema["responses"] = {**_successes(operation), **references}
    return schema


def _header_names(operation: Operation, *, writes: bool) -> Iterator[str]:
    yield from operation.parameters
    if writes:
        yield "IdempotencyKey"
    if operation.etag:
        yield "IfNoneMatch"


def _usual_errors(path: str, *, writes: bool) -> Iterator[int]:
    """The refusals that every call of its kind may get: a read or a write, at a table or not."""
    yield from (429, 503)
    if "{table}" in path:
        yield 404
    if writes:
        yield from (400, 403, 413, 422)
    if writes and "{table}" in path:
        yield 401


def _successes(operation: Operation) -> dict[str, Schema]:
    content = operation.content
    if isinstance(content, str):
        content = _json_content(ref(content))
    success: Schema = {"description": operation.success, "content": content}
    if operation.headers:
        success["headers"] = operation.headers
    responses = {str(operation.status): success}
    if operation.etag:
        success["headers"] = _ETAG
        unchanged = {"description": "It is still what `If-None-Match` names.", "headers": _ETAG}
        responses["304"] = unchanged
    return responses
