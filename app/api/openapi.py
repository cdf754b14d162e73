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
from app.api.bodies import Schema, ref
from app.api.openapi_components import (
    ERRORS,
    ETAG,
    HEADERS,
    PARAMETERS,
    SECURITY_SCHEMES,
    component,
    error_response,
    json_content,
)
from app.api.schemas import components
from app.http import context

bp = Blueprint("openapi", __name__)

View = TypeVar("View", bound=Callable[..., Response])

_DESCRIPTION = (
    "The tables of the score keeper, for other programs, displays and tests. Bodies are UTF-8 JSON,"
    " 64 KiB at most, and unknown keys are refused. 200 and 201 mean that what was written is on"
    " disk. Every refusal is an `Error`. Game files, events and results are described in"
    " docs/FORMAT.md."
)


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
@Operation("openapi", "This file.", json_content({"type": "object"}), etag=True)
def read_description() -> Response:
    """This file."""
    here = f'"url": "{context.prefix()}/"'
    return json_response_with_etag(text().replace('"url": "/"', here).encode())


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
            "securitySchemes": SECURITY_SCHEMES,
            "parameters": PARAMETERS,
            "headers": HEADERS,
            "responses": {name: error_response(status) for status, (name, _) in ERRORS.items()},
            "schemas": components(),
        },
    }


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
    return [component("parameters", name) for name in names]


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
    if parameters := list(_parameter_names(operation, writes=writes)):
        schema["parameters"] = _parameters(parameters)
    if operation.body:
        content = json_content(ref(operation.body))
        schema["requestBody"] = {"required": operation.body_required, "content": content}
    errors = {*operation.errors, *_usual_errors(path, writes=writes)}
    if "History" in operation.parameters:
        errors.add(400)
    references = {str(n): component("responses", ERRORS[n][0]) for n in sorted(errors)}
    schema["responses"] = {**_successes(operation), **references}
    return schema


def _parameter_names(operation: Operation, *, writes: bool) -> Iterator[str]:
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
        content = json_content(ref(content))
    success: Schema = {"description": operation.success, "content": content}
    if operation.headers:
        success["headers"] = operation.headers
    responses = {str(operation.status): success}
    if operation.etag:
        success["headers"] = ETAG
        unchanged = {"description": "It is still what `If-None-Match` names.", "headers": ETAG}
        responses["304"] = unchanged
    return responses
