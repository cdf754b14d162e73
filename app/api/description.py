"""The OpenAPI description: the calls as in openapi.json, with the types that they work with."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from app.api.answers import Credentials, Error, Table, TableState
from app.http import cookies
from app.rules.events import EVENTS, AnyEvent
from app.rules.gamefile import MAX_STAKE_ORE
from app.rules.hands import Hand
from app.rules.names import MAX_NAME, MAX_PLAYERS, MIN_PLAYERS, PlayerName
from app.rules.presets import PRESETS
from app.rules.settlement import Currency, SettlementResult
from app.rules.state import Step

Schema = dict[str, Any]

CALLS = Path(__file__).with_name("openapi.json")
EVENT_NAMES = {kind.__name__ for kind in EVENTS.values()}
ANYTHING = {"description": "Kept, given back with the game, and never looked at."}
SEQ_SEEN = {
    "type": "integer",
    "description": "The table's version; where it is no longer that, the event is refused with 409."
    " Left out, the event is judged by the newest state.",
}


def _refer(name: str) -> str:
    """Where the schema of a type is in the document."""
    return f"#/components/schemas/{name}"


Players = Annotated[
    list[PlayerName],
    Meta(
        min_length=MIN_PLAYERS,
        max_length=MAX_PLAYERS,
        description="In seat order, clockwise.",
        extra_json_schema={"uniqueItems": True},
    ),
]
Stake = Annotated[int, Meta(ge=0, le=MAX_STAKE_ORE, description="Öre per point.")]


class Rules(TypedDict, total=False):
    """A published rule set, and the house rules that differ from it, each as in a game file.

    `hand_points` and `zeroing` are merged key by key, everything else replaces. What is no house
    rule, or no value of one, is refused (400, `bad_request`).
    """

    preset: Annotated[str, Meta(extra_json_schema={"enum": [*PRESETS]})]


class NewGame(TypedDict, total=False):
    """What differs from the game before; left out, the next dealer deals first."""

    players: Players
    dealer: PlayerName
    stake_ore: Stake
    rules: Rules


class NewTable(TypedDict):
    """A table, and the setup of its first game; left out, the last of the players deals first.

    `currency` is what amounts are shown in; `_ore` are hundredths of it.
    """

    players: Players
    dealer: NotRequired[PlayerName]
    stake_ore: NotRequired[Stake]
    rules: NotRequired[Rules]
    name: NotRequired[Annotated[str, Meta(extra_json_schema={"maxLength": MAX_NAME})]]
    currency: NotRequired[Currency]


class GameFile(TypedDict):
    """A game file; its remarks are kept, given back with the game, and never looked at."""

    format: Literal["chicago-game/1"]
    id: NotRequired[object]
    name: NotRequired[object]
    at: NotRequired[object]
    note: NotRequired[object]
    players: Players
    dealer: PlayerName
    stake_ore: Stake
    rules: Rules
    events: list[Annotated[object, Meta(extra_json_schema={"$ref": _refer("Event")})]]


TYPES = (NewTable, NewGame, GameFile, Credentials, Table, TableState, SettlementResult, Error)


@cache
def describe() -> bytes:
    """The description as JSON."""
    document = msgspec.json.decode(CALLS.read_bytes())
    document["components"]["schemas"] = _schemas()
    document["components"]["securitySchemes"]["cookie"]["name"] = cookies.PEN
    return msgspec.json.encode(document)


def _schemas() -> dict[str, Schema]:
    """The schemas of all types. Their objects take no more keys than they name."""
    (event, *_), schemas = msgspec.json.schema_components(
        [AnyEvent, *TYPES], schema_hook=lambda _: ANYTHING, ref_template=_refer("{name}")
    )
    closed = {"unevaluatedProperties": False}
    for name, schema in schemas.items():
        if name in EVENT_NAMES:
            schema["properties"] = _without_null(schema["properties"])
        elif "properties" in schema and name != Rules.__name__:
            schema.update(closed)
    for kind in (Hand, Step):
        schemas[kind.__name__]["enum"] = [*kind]
    recorded = {**event, "properties": {"seq": SEQ_SEEN}}
    return {**schemas, "Event": event | closed, "EventToRecord": recorded | closed}


def _without_null(properties: Schema) -> Schema:
    """The keys of an event: one that may be left out is never null."""
    return {
        key: schema["anyOf"][0] if schema.get("default", "") is None else schema
        for key, schema in properties.items()
    }
