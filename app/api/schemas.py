"""JSON Schemas for openapi.json, generated from the types of events, house rules and bodies."""

from __future__ import annotations

from itertools import permutations
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
from app.rules.cards import Suit
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
# An event that is sent is closed as it is in a game file, except that `seq` may come along. Each
# kind has a schema of its own for that, since few tools know `unevaluatedProperties`.
_SENT = "ToRecord"
_SEQ_SEEN: TypeForm = Annotated[
    int,
    Meta(
        description="The table's version; where it is no longer that, the event is refused with"
        " 409. Left out, the event is judged by the newest state."
    ),
]


def components() -> dict[str, Schema]:
    """Every schema of the document by its name."""
    kept = [_event_struct(event) for event in EVENTS.values()]
    sent = [_event_struct(event, _SEQ_SEEN) for event in EVENTS.values()]
    (any_kept, any_sent, *_), schemas = msgspec.json.schema_components(
        (Union[tuple(kept)], Union[tuple(sent)], _rules_struct(), *BODIES),  # noqa: UP007  # members are computed
        ref_template=REF,
    )
    for schema in schemas.values():
        del schema["title"]
        if schema.get("type") == "object":
            schema["additionalProperties"] = False
    for enum in (Hand, Step):
        schemas[enum.__name__]["enum"] = list(enum)
    for name in ("NoBestHand", f"NoBestHand{_SENT}"):
        schemas[name]["dependentRequired"] = {"hand": ["tied"], "tied": ["hand"]}
    return {
        **NAMED,
        **schemas,
        "Event": {"description": "Something that happened at the table.", **any_kept},
        "EventToRecord": {
            "description": "An event, and the version of the table it was seen on.",
            **any_sent,
        },
    }


def _event_struct(event: type[msgspec.Struct], seq: TypeForm = None) -> type[msgspec.Struct]:
    """An event as it is written: what does not apply is left out, and never null.

    With the type of a `seq`, an event as it is sent.
    """
    name = event.__name__
    fields: list[tuple[str, TypeForm, object]] = []
    if seq is not None:
        fields.append(("seq", seq | UnsetType, UNSET))
    for field in msgspec.structs.fields(event):
        kind = _EVENT_KEYS.get((name, field.name)) or _present_type(field)
        if field.required:
            fields.append((field.name, kind, msgspec.NODEFAULT))
        else:
            default = UNSET if field.default is None else field.default
            fields.append((field.name, kind | UnsetType, default))
    return msgspec.defstruct(
        name if seq is None else f"{name}{_SENT}",
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
        # Each order, since few tools know the pattern that takes each suit once.
        orders = {"enum": ["".join(order) for order in permutations(get_args(Suit))]}
        return Annotated[str, Meta(description="Highest suit first.", extra_json_schema=orders)]
    if rule.merges:
        hands = {"propertyNames": ref("Hand")}
        null = "; null takes a hand away" if rule.file_type else ""
        merged = Meta(description=f"Merged with the preset's{null}.", extra_json_schema=hands)
        return Annotated[kind, merged]
    return kind
