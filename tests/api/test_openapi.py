"""openapi.json: valid, served, and complete in calls, events and rule sets."""

import re

import openapi_spec_validator
from flask import Flask

from app.rules.events import EVENTS
from app.rules.hands import Hand
from app.rules.presets import PRESETS
from app.rules.state import Step
from tests.api.calling import Caller
from tests.api.describing import DOCUMENT

AUTOMATIC = {"HEAD", "OPTIONS"}


def test_it_is_a_valid_openapi_document() -> None:
    """The document is valid under OpenAPI 3.1."""
    assert DOCUMENT["openapi"].startswith("3.1.")
    openapi_spec_validator.validate(DOCUMENT)


def test_it_is_served(caller: Caller) -> None:
    """Programs find it at its address, and need not fetch it twice."""
    answer = caller.call("GET", "/api/openapi.json")
    assert answer.get_json() == DOCUMENT
    again = caller.call(
        "GET", "/api/openapi.json", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304


def test_every_call_is_in_it_and_no_other(app: Flask) -> None:
    """Routes under /api and described operations are the same."""
    routes = {
        (re.sub(r"<(?:\w+:)?\w+>", "{}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api")
        for method in (rule.methods or set()) - AUTOMATIC
    }
    operations = {
        (re.sub(r"\{\w+\}", "{}", path), method.upper())
        for path, calls in DOCUMENT["paths"].items()
        for method in calls
        if method != "parameters"
    }
    assert routes == operations


def test_every_event_and_rule_set_is_in_it_and_no_other() -> None:
    """A program may send everything that a game file may hold."""
    schemas = DOCUMENT["components"]["schemas"]
    for name, more in (("Event", ()), ("EventToRecord", ("seq",))):
        described = schemas[name]["discriminator"]["mapping"]
        assert set(described) == set(EVENTS)
        for tag, event in EVENTS.items():
            schema = schemas[described[tag].rpartition("/")[2]]
            assert set(schema["properties"]) == {"event", *event.__struct_fields__}
        assert set(schemas[name].get("properties", ())) == {*more}
    assert set(schemas["Rules"]["properties"]["preset"]["enum"]) == set(PRESETS)
    assert schemas["Hand"]["enum"] == list(Hand)
    assert schemas["Step"]["enum"] == list(Step)
