"""The promises of openapi.json for each call, checked against the answers."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
from werkzeug.test import TestResponse

from app.api.routes import DESCRIPTION

Json = Any

DOCUMENT: dict[str, Json] = json.loads(DESCRIPTION.read_bytes())


def _template(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


# Where two paths match, the one with fewer parameters counts: events/last, not events/{index}.
PATHS = sorted(DOCUMENT["paths"], key=lambda path: path.count("{"))


def find_operation(method: str, path: str) -> dict[str, Json] | None:
    """Return the document's operation for a call, or None where it has none."""
    for template in PATHS:
        if _template(template).fullmatch(path.partition("?")[0]):
            operation: dict[str, Json] | None = DOCUMENT["paths"][template].get(method.lower())
            return operation
    return None


def resolve(part: dict[str, Json]) -> dict[str, Json]:
    """Follow a reference within the document."""
    while "$ref" in part:
        target: Json = DOCUMENT
        for name in part["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        part = target
    return part


def check(method: str, path: str, answer: TestResponse) -> None:
    """Fail where an answer is not among the document's responses for its call."""
    operation = find_operation(method, path)
    if operation is None:
        return
    promise = resolve(operation["responses"][str(answer.status_code)])
    for name, header in promise.get("headers", {}).items():
        assert name in answer.headers or not resolve(header).get("required")
    if "content" not in promise:
        assert answer.data == b""
        return
    [(kind, content)] = promise["content"].items()
    assert answer.mimetype == kind
    if kind == "application/json":
        schema = {**content["schema"], "components": DOCUMENT["components"]}
        jsonschema.Draft202012Validator(schema).validate(answer.get_json())
