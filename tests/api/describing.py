"""What openapi.json promises of each call, held against what is really answered."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import jsonschema
from werkzeug.test import TestResponse

from app.api import openapi

Json = Any

DOCUMENT: dict[str, Json] = json.loads(openapi.text())


def _template(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


# Where two paths fit, the one with fewer gaps is meant: events/last before events/{index}.
PATHS = sorted(DOCUMENT["paths"], key=lambda path: path.count("{"))


def described(method: str, path: str) -> dict[str, Json] | None:
    """Return what is written about a call, None where nothing is."""
    for known in PATHS:
        if _template(known).fullmatch(path):
            called: dict[str, Json] | None = DOCUMENT["paths"][known].get(method.lower())
            return called
    return None


def resolved(part: dict[str, Json]) -> dict[str, Json]:
    """Follow a reference within the document."""
    while "$ref" in part:
        found: Json = DOCUMENT
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def matches(value: object, schema: Mapping[str, Json]) -> None:
    """Fail where a value is not as its schema says."""
    whole = {**schema, "components": DOCUMENT["components"]}
    jsonschema.Draft202012Validator(whole).validate(value)


def check(method: str, path: str, answer: TestResponse) -> None:
    """Fail where an answer is not one that the document promises for its call."""
    called = described(method, path)
    if called is None:
        return
    promised = resolved(called["responses"][str(answer.status_code)])
    for name, header in promised.get("headers", {}).items():
        assert name in answer.headers or not resolved(header).get("required")
    if "content" not in promised:
        assert answer.data == b""
        return
    [(kind, content)] = promised["content"].items()
    assert answer.mimetype == kind
    if kind == "application/json":
        matches(answer.get_json(), content["schema"])
