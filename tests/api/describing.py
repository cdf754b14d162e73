"""The promises of openapi.json for each call, checked against the answers."""

from __future__ import annotations

import json
import re
from functools import reduce
from operator import getitem
from typing import Any

import jsonschema
from werkzeug.test import TestResponse

from app.api.routes import DESCRIPTION

Json = Any

DOCUMENT: dict[str, Json] = json.loads(DESCRIPTION.read_bytes())


# Where two paths match, the one with fewer parameters counts: events/last, not events/{index}.
PATHS = sorted(DOCUMENT["paths"], key=lambda path: path.count("{"))


def resolve(part: dict[str, Json]) -> dict[str, Json]:
    """Follow a reference within the document."""
    while "$ref" in part:
        part = reduce(getitem, part["$ref"].split("/")[1:], DOCUMENT)
    return part


def check(method: str, path: str, answer: TestResponse) -> None:
    """Fail where an answer is not among the document's responses for its call."""
    asked = path.partition("?")[0]
    matching = (each for each in PATHS if re.fullmatch(re.sub(r"{\w+}", "[^/]+", each), asked))
    operation = DOCUMENT["paths"].get(next(matching, ""), {}).get(method.lower())
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
