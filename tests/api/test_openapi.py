"""openapi.json is valid, served, and about exactly the calls there are."""

import json
import re

import jsonschema
import openapi_spec_validator
import pytest
from flask import Flask

from app.api import OPENAPI
from app.rules.events import EVENTS
from app.rules.house import OPTIONS
from app.rules.presets import PRESETS
from tests.api.calling import Caller, Event
from tests.api.describing import DOCUMENT, matches

SCHEMAS = DOCUMENT["components"]["schemas"]
AUTOMATIC = {"HEAD", "OPTIONS"}
EVENT = {"$ref": "#/components/schemas/Event"}


def test_it_is_a_valid_openapi_document() -> None:
    """The document keeps the rules of OpenAPI 3.1."""
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


def test_every_write_can_be_sent_again() -> None:
    """Each call that changes something takes an idempotency key and names who may make it."""
    for calls in DOCUMENT["paths"].values():
        for method, call in calls.items():
            if method in ("post", "put", "delete"):
                assert {"$ref": "#/components/parameters/IdempotencyKey"} in call["parameters"]
                assert "security" in call
                assert {"429", "403"} <= set(call["responses"])


def test_it_knows_every_event_rule_and_rule_set() -> None:
    """Whatever a game file may hold has its place."""
    assert set(SCHEMAS["Event"]["discriminator"]["mapping"]) == set(EVENTS)
    assert set(SCHEMAS["Rules"]["properties"]) == {"preset", *OPTIONS}
    assert SCHEMAS["Rules"]["properties"]["preset"]["enum"] == list(PRESETS)


@pytest.mark.parametrize(
    "event",
    [
        {"event": "best_hand", "player": "Anna"},
        {"event": "no_best_hand", "hand": "pair"},
        {"event": "no_best_hand", "card": "Ah"},
        {"event": "correction", "player": "Anna", "points": 0},
        {"event": "party"},
        {"event": "no_best_hand", "seq": 1},
    ],
)
def test_an_event_that_is_none_does_not_fit(event: Event) -> None:
    """The schema of events refuses what the score keeper refuses."""
    with pytest.raises(jsonschema.ValidationError):
        matches(event, EVENT)


def test_nothing_in_it_is_unused() -> None:
    """Every component is referred to from somewhere."""
    text = OPENAPI.read_text(encoding="utf-8")
    for kind, parts in DOCUMENT["components"].items():
        for name in parts:
            used = f'"#/components/{kind}/{name}"' in text
            assert used or kind == "securitySchemes", name


def test_it_is_kept_in_order() -> None:
    """The file is written the way programs write it, so that changes are easy to see."""
    text = json.dumps(DOCUMENT, ensure_ascii=False, indent=2) + "\n"
    assert OPENAPI.read_text(encoding="utf-8") == text
