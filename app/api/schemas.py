"""JSON Schemas for openapi.json, generated from the types of events, house rules and bodies."""

from __future__ import annotations

from types import NoneType
from typing import Annotated, Any, Union, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from app.api.bodies import (
    NAMED,
    REF,
    Error,
    GameFile,
    GameResult,
    NewGame,
    NewTable,
    PlayerName,
    RemarkRef,
    Schema,
    Table,
    TableCredentials,
    TableSettlement,
    TableState,
    Tied,
    ref,
)
from app.rules.events import EVENTS, REMARKS
from app.rules.hands import Hand
from app.rules.house import OPTIONS, Option
from app.rules.presets import DEFAULT_PRESET, PRESETS
from app.rules.state import Step

TypeForm = Any  # an annotation, worked out while running
BODIES = (
    *(NewTable, NewGame, TableCredentials, Table, TableState),
    *(GameFile, GameResult, TableSettlement, Error),
)

# What is not in the types of the events, by event and key.
_EVENT_KEYS: dict[tuple[str, str], TypeForm] = {
    ("ChicagoResult", "with_two"): Annotated[
        bool, Meta(description="Only of a Chicago that was won.")
    ],
    ("ChicagoResult", "broken_by"): Annotated[
        PlayerName, Meta(description="Only of a Chicago that was lost.")
    ],
    ("Correction", "points"): Annotated[int, Meta(extra_json_schema={"not": {"const": 0}})],
}
_SEQ_SEEN = {
    "type": "integer",
    "description": "The table's version; where it is no longer that, the event is refused with"
    " 409. Left out, the event is judged by the newest state.",
}


def components() -> dict[str, Schema]:
    """Every schema of the document by its name."""
    events = [_event_struct(event) for event in EVENTS.values()]
    (any_event, *_), schemas = msgspec.json.schema_components(
        (Union[tuple(events)], _rules_struct(), *BODIES),  # noqa: UP007  # members are computed
        ref_template=REF,
    )
    open_to_more = {event.__name__ for event in events}
    for name, schema in schemas.items():
        del schema["title"]
        if schema.get("type") == "object" and name not in open_to_more:
            schema["additionalProperties"] = False
    for enum in (Hand, Step):
        schemas[enum.__name__]["enum"] = list(enum)
    schemas["NoBestHand"]["dependentRequired"] = {"hand": ["tied"], "tied": ["hand"]}
    return {**NAMED, **schemas, **_any_event(any_event)}


def _any_event(any_event: Schema) -> dict[str, Schema]:
    """An event of any kind; its keys are closed here, where `seq` may come along."""
    closed = {**any_event, "unevaluatedProperties": False}
    return {
        "Event": {"description": "Something that happened at the table.", **closed},
        "EventToRecord": {
            "description": "An event, and the version of the table it was seen on.",
            **closed,
            "properties": {"seq": _SEQ_SEEN},
        },
    }


def _event_struct(event: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """An event as it is written: what does not apply is left out, and never null."""
    name = event.__name__
    fields: list[tuple[str, TypeForm, object]] = []
    for field in msgspec.structs.fields(event):
        kind = _EVENT_KEYS.get((name, field.name)) or _present_type(field)
        if field.required:
            fields.append((field.name, kind, msgspec.NODEFAULT))
        else:
            default = UNSET if field.default is None else field.default
            fields.append((field.name, kind | UnsetType, default))
    return msgspec.defstruct(
        name,
        fields,
        namespace={"__doc__": event.__doc__},
        tag_field="event",
        tag=event.__struct_config__.tag,
        kw_only=True,
    )


def _present_type(field: msgspec.structs.FieldInfo) -> TypeForm:
    """The type of an event's key where it is present: a name is a player's."""
    if field.name in REMARKS:
        return RemarkRef
    parts = get_args(field.type)
    kind = parts[0] if NoneType in parts else field.type
    names: dict[object, TypeForm] = {str: PlayerName, tuple[str, ...]: Tied}
    return names.get(kind, kind)


def _rules_struct() -> type[msgspec.Struct]:
    """The house rules as a game file has them: only those that differ from the preset's."""
    preset = Annotated[str, Meta(extra_json_schema={"enum": list(PRESETS)})]
    rules = [(name, _rule_type(rule) | UnsetType, UNSET) for name, rule in OPTIONS.items()]
    return msgspec.defstruct(
        "Rules",
        [("preset", preset, DEFAULT_PRESET), *rules],
        namespace={"__doc__": "A published rule set, and the house rules that differ from it."},
    )


def _rule_type(rule: Option) -> TypeForm:
    kind: TypeForm = rule.file_type or rule.kind
    if rule.field == "suit_order":
        # The end of a text is `\Z` only in Python.
        pattern = Meta(pattern=r"^(?!.*(.).*\1)[hsdc]{4}$", description="Highest suit first.")
        return Annotated[str, pattern]
    if rule.merges:
        hands = {"propertyNames": ref("Hand")}
        null = "; null takes a hand away" if rule.file_type else ""
        merged = Meta(description=f"Merged with the preset's{null}.", extra_json_schema=hands)
        return Annotated[kind, merged]
    return kind
