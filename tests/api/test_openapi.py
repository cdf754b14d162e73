"""openapi.json: valid, served, and complete in calls, right about events."""

import re

import jsonschema
import msgspec
import openapi_spec_validator
from flask import Flask

from app.rules.events import EVENTS
from app.rules.gamefile import MAX_STAKE_ORE
from app.rules.hands import Hand
from app.rules.names import MAX_PLAYERS
from app.rules.presets import PRESETS
from app.rules.state import Step
from tests.api.calling import Caller, Event, Table, code
from tests.api.describing import DOCUMENT
from tests.told import told

AUTOMATIC = {"HEAD", "OPTIONS"}


def test_it_is_a_valid_openapi_document() -> None:
    """The document is valid under OpenAPI 3.1."""
    assert DOCUMENT["openapi"].startswith("3.1.")
    openapi_spec_validator.validate(DOCUMENT)


def test_it_is_served(caller: Caller) -> None:
    """Programs find it at its address, and need not fetch it twice."""
    answer = caller.call("GET", "/api/openapi.json")
    assert answer.get_json() == DOCUMENT
    known = {"If-None-Match": answer.headers["ETag"]}
    assert caller.call("GET", "/api/openapi.json", headers=known).status_code == 304


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


def test_the_events_and_their_words_are_the_rules_own() -> None:
    """Each kind has its keys, the same of them required; hands, steps and sets are all listed."""
    schemas = DOCUMENT["components"]["schemas"]
    for name, kind in EVENTS.items():
        schema, fields = schemas[kind.__name__], msgspec.structs.fields(kind)
        keys = {field.encode_name: field.required for field in fields}
        keys |= {"event": True}
        keys.pop("preset", None)
        assert schema["properties"]["event"] == {"enum": [name]}
        assert {key: key in schema["required"] for key in schema["properties"]} == keys
    assert schemas["Hand"]["enum"] == [*Hand]
    assert schemas["Step"]["enum"] == [*Step]
    assert schemas["RuleSet"]["properties"]["preset"]["enum"] == [*PRESETS]
    assert schemas["GameFile"]["properties"]["players"]["maxItems"] == MAX_PLAYERS
    assert schemas["GameFile"]["properties"]["stake_ore"]["maximum"] == MAX_STAKE_ORE


@told
def test_an_event_is_described_as_it_is_read(table: Table, taken: bool, keys: Event) -> None:
    """The version, remarks and keys of its kind are taken; null and other keys are not."""
    event = {"event": "best_hand", "player": "Anna", "hand": "pair", **keys}
    described = {"$ref": "#/components/schemas/EventToRecord", **DOCUMENT}
    assert jsonschema.Draft202012Validator(described).is_valid(event) is taken
    assert (code(table.record(event)) != "bad_request") is taken
