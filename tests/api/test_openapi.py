"""openapi.json is valid, served, about exactly the calls there are, and as strict as the game."""

import json
import re
from pathlib import Path

import jsonschema
import msgspec
import openapi_spec_validator
import pytest
from flask import Flask

from app.rules.errors import BadFile, NotAllowed
from app.rules.events import EVENTS
from app.rules.gamefile import read_game, write_game, write_result
from app.rules.house import OPTIONS
from app.rules.presets import PRESETS
from tests.api.calling import Caller, Event
from tests.api.describing import DOCUMENT, TEXT, matches

SCHEMAS = DOCUMENT["components"]["schemas"]
AUTOMATIC = {"HEAD", "OPTIONS"}
EVENT = {"$ref": "#/components/schemas/Event"}
EVENT_NAMES = {event.__name__ for event in EVENTS.values()}
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))
RULE_VALUES: list[object] = [
    *(None, True, False, -1, 0, 1, 2, 3, 4, 5, 6, 8, 9, 1000, 1001, "", "no", "hdsc", "hhsc"),
    *([], [1], [3, 2], [0], [2, 8], [9], ["pair"], ["party"], ["royal_flush", "pair"]),
    *({}, {"pair": 1}, {"pair": None}, {"pair": -1}, {"party": 1}, {"pair": "choice"}),
    *({"points": 1}, {"points": 1, "penalty": 2, "minimum": None}, {"points": 1, "penalty": 1001}),
    {"points": 1, "penalty": 2, "party": 3},
    *(value for preset in PRESETS.values() for value in msgspec.to_builtins(preset).values()),
]


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
    for kind, parts in DOCUMENT["components"].items():
        for name in parts:
            used = f'"#/components/{kind}/{name}"' in TEXT
            assert used or kind == "securitySchemes", name


def test_every_object_is_closed() -> None:
    """A key that the document does not have is an error wherever it stands."""
    for name, schema in SCHEMAS.items():
        if "properties" in schema and name not in EVENT_NAMES:
            closed = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
            assert closed is False, name


def test_every_event_may_carry_remarks() -> None:
    """What is kept and never looked at has its place in each kind of event."""
    for name in EVENT_NAMES:
        properties = SCHEMAS[name]["properties"]
        for key in ("id", "name", "at", "note"):
            assert properties[key] == {"$ref": "#/components/schemas/Remark"}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_game_that_can_be_read_fits(path: Path) -> None:
    """Every golden game and its result are as they are described, as far as it can be played."""
    raw = json.loads(path.read_text(encoding="utf-8"))["game"]
    try:
        game = read_game(raw)
        states = game.states()
    except (BadFile, NotAllowed):
        return
    matches(json.loads(json.dumps(write_game(game))), {"$ref": "#/components/schemas/GameFile"})
    matches(write_result(states), {"$ref": "#/components/schemas/GameResult"})


@pytest.mark.parametrize("field", OPTIONS)
def test_a_house_rule_fits_exactly_where_it_can_be_read(field: str) -> None:
    """The schema takes the values that a game file may have, and refuses the others."""
    for value in RULE_VALUES:
        try:
            OPTIONS[field].read(value)
        except BadFile:
            readable = False
        else:
            readable = True
        assert fits({field: value}, {"$ref": "#/components/schemas/Rules"}) == readable, value


def fits(value: object, schema: dict[str, str]) -> bool:
    """Return whether a value is as its schema says."""
    try:
        matches(value, schema)
    except jsonschema.ValidationError:
        return False
    return True
