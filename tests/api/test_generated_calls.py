"""Calls that schemathesis makes up from openapi.json: each is answered as the document says."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.calling import PLAYERS, Caller
from tests.api.describing import DOCUMENT

CALLS = [
    f"{method.upper()} {path}"
    for path, item in DOCUMENT["paths"].items()
    for method in item
    if method != "parameters"
]
EXAMPLES = 5
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
# A stream that is watched does not end: only those of unknown tables are asked for.
ENDLESS = "GET /api/tables/{table}/live"
AS_DESCRIBED = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.mark.parametrize("name", CALLS)
def test_a_generated_call_is_answered_as_described(app: Flask, caller: Caller, name: str) -> None:
    """By a stranger or with the pen, as described or not: the answer is in the document."""
    method, path = name.split()
    SCHEMA.app = app
    operation = SCHEMA[path][method]
    table = caller.open()

    @given(
        case=operation.as_strategy() | operation.as_strategy(GenerationMode.NEGATIVE),
        known=st.booleans(),
        pen=st.sampled_from([table.pen, None]),
        seat=st.sampled_from(PLAYERS),
    )
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    def call(case: Case[Any], known: bool, pen: str | None, seat: str) -> None:
        if known and name != ENDLESS:
            case.path_parameters["table"] = table.link
        if isinstance(case.body, dict) and "player" in case.body:
            case.body["player"] = seat
        # Compressed answers are not unpacked on the way to a caller within one process.
        plain = {"Accept-Encoding": "identity"}
        answer = case.call(headers=plain | ({"Authorization": f"Bearer {pen}"} if pen else {}))
        case.validate_response(answer, checks=AS_DESCRIBED)

    call()
