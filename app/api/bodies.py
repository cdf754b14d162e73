"""Request and response bodies as types, from which openapi.json is generated.

Replies are built from them; requests, game files and results are read and written by the game,
and tests hold every real answer against what is described here. Events and house rules are not
here, since they have types in the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from app.rules.codes import Status
from app.rules.currency import USUAL, Currency
from app.rules.gamefile import DEFAULT_STAKE_ORE, MAX_STAKE_ORE
from app.rules.hands import Hand
from app.rules.names import MAX_NAME, MAX_PLAYERS, MIN_PLAYERS
from app.rules.state import Step

Schema = dict[str, Any]
ErrorCode = Literal[
    "bad_request",
    "not_allowed",
    "stale",
    "no_pen",
    "not_found",
    "too_large",
    "too_many",
    "internal",
]

# The code that goes with each status; any other is an internal error.
ERROR_CODES: Mapping[int, ErrorCode] = {
    HTTPStatus.BAD_REQUEST: "bad_request",
    HTTPStatus.UNAUTHORIZED: "no_pen",
    HTTPStatus.FORBIDDEN: "bad_request",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "bad_request",
    HTTPStatus.REQUEST_TIMEOUT: "bad_request",
    HTTPStatus.CONFLICT: "stale",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
    HTTPStatus.UNPROCESSABLE_ENTITY: "not_allowed",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many",
    HTTPStatus.SERVICE_UNAVAILABLE: "too_many",
}

REF = "#/components/schemas/{name}"


def ref(name: str) -> Schema:
    """A reference to a schema of the document."""
    return {"$ref": REF.format(name=name)}


# Schemas that many others refer to.
NAMED: dict[str, Schema] = {
    "PlayerName": {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_NAME,
        "description": "Trimmed; no control characters.",
    },
    "Players": {
        "type": "array",
        "items": ref("PlayerName"),
        "minItems": MIN_PLAYERS,
        "maxItems": MAX_PLAYERS,
        "uniqueItems": True,
        "description": "In seat order, clockwise.",
    },
    "TableId": {
        "type": "string",
        "pattern": r"^([a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{22,}$",
        "description": "128 random bits, perhaps after a server's name. Whoever knows it may read.",
    },
    "Seq": {
        "type": "integer",
        "minimum": 1,
        "description": "The table's version; it grows with every change.",
    },
    "Remark": {"description": "Kept, given back with the game, and never looked at."},
}

PlayerName = Annotated[object, Meta(extra_json_schema=ref("PlayerName"))]
Players = Annotated[object, Meta(extra_json_schema=ref("Players"))]
TableId = Annotated[object, Meta(extra_json_schema=ref("TableId"))]
Seq = Annotated[object, Meta(extra_json_schema=ref("Seq"))]
RemarkRef = Annotated[object, Meta(extra_json_schema=ref("Remark"))]
RulesRef = Annotated[object, Meta(extra_json_schema=ref("Rules"))]
EventRef = Annotated[object, Meta(extra_json_schema=ref("Event"))]
ResultRef = Annotated[object, Meta(extra_json_schema=ref("GameResult"))]

T = TypeVar("T")
ByPlayer = Annotated[
    dict[str, T],
    Meta(
        description="By player, in seat order.",
        extra_json_schema={"propertyNames": ref("PlayerName")},
    ),
]
Tied = Annotated[
    list[PlayerName],
    Meta(min_length=2, max_length=MAX_PLAYERS, extra_json_schema={"uniqueItems": True}),
]
Stake = Annotated[int, Meta(ge=0, le=MAX_STAKE_ORE, description="Öre per point.")]
NonNegativeInt = Annotated[int, Meta(ge=0)]
PositiveInt = Annotated[int, Meta(ge=1)]


class NewTable(msgspec.Struct, kw_only=True):
    """A table, and the setup of its first game."""

    name: Annotated[str, Meta(max_length=MAX_NAME)] | UnsetType = UNSET
    players: Players
    dealer: (
        Annotated[
            PlayerName, Meta(description="Who deals first; left out, the last of the players.")
        ]
        | UnsetType
    ) = UNSET
    stake_ore: Stake = DEFAULT_STAKE_ORE
    rules: RulesRef | UnsetType = UNSET
    currency: Annotated[
        Currency,
        Meta(description="What amounts are shown in; `_ore` are hundredths of it."),
    ] = USUAL


class NewGame(msgspec.Struct):
    """What differs from the game before."""

    players: Players | UnsetType = UNSET
    dealer: (
        Annotated[PlayerName, Meta(description="Who deals first; left out, the next dealer.")]
        | UnsetType
    ) = UNSET
    stake_ore: Stake | UnsetType = UNSET
    rules: RulesRef | UnsetType = UNSET


class TableCredentials(msgspec.Struct):
    """A new table."""

    table: TableId
    url: Annotated[
        str,
        Meta(pattern="^/t/", description="The table's page; it may be shown to everybody."),
    ]
    pen: Annotated[
        str,
        Meta(
            min_length=43,
            description="The secret that writes. It is never told again, except soon to the same"
            " Idempotency-Key from the same sender.",
        ),
    ]


class Chicagos(msgspec.Struct):
    """Bid and won."""

    declared: NonNegativeInt
    won: NonNegativeInt


class HistoryEntry(msgspec.Struct):
    """The deal an event belonged to, and the scores after it."""

    deal: PositiveInt
    scores: ByPlayer[int]


class GameResult(msgspec.Struct):
    """Where a game stands."""

    format: Literal["chicago-result/1"]
    status: Status
    deal: PositiveInt
    dealer: PlayerName
    step: Step
    scores: ByPlayer[int]
    may_exchange: ByPlayer[bool]
    may_bid_chicago: ByPlayer[bool]
    must_show: ByPlayer[Annotated[list[Hand], Meta(min_length=1)]]
    chicagos: ByPlayer[Chicagos]
    out: list[PlayerName]
    tie_break: list[PlayerName]
    winners: list[PlayerName]
    payout_ore: Annotated[
        ByPlayer[int] | None,
        Meta(description="Öre won (+) or lost (−), sum 0; null while playing."),
    ]
    history: (
        Annotated[
            list[HistoryEntry],
            Meta(
                description="One entry for each event; not there where `history=0` was asked for."
            ),
        ]
        | UnsetType
    ) = UNSET


class Table(msgspec.Struct):
    """A table as it stands."""

    table: TableId
    name: Annotated[str, Meta(description="Empty where none was given.")]
    games: PositiveInt
    seq: Seq
    result: ResultRef


class TableState(msgspec.Struct):
    """The table after a change."""

    seq: Seq
    result: ResultRef


class GameFile(msgspec.Struct, kw_only=True):
    """A game file."""

    format: Literal["chicago-game/1"]
    id: RemarkRef | UnsetType = UNSET
    name: RemarkRef | UnsetType = UNSET
    at: RemarkRef | UnsetType = UNSET
    note: RemarkRef | UnsetType = UNSET
    players: Players
    dealer: PlayerName
    stake_ore: Stake
    rules: RulesRef
    events: list[EventRef]


class SettlementTransfer(msgspec.Struct, rename={"payer": "from", "payee": "to"}):
    """One payment."""

    payer: PlayerName
    payee: PlayerName
    ore: PositiveInt


class TableSettlement(msgspec.Struct):
    """Who pays whom."""

    format: Literal["chicago-settlement/1"]
    balance_ore: ByPlayer[int]
    transfers: list[SettlementTransfer]


class ErrorDetail(msgspec.Struct):
    """Why."""

    code: ErrorCode
    message: Annotated[str, Meta(min_length=1, description="One English sentence.")]
    event: (
        Annotated[
            int,
            Meta(
                ge=0,
                description="The index of the event that is refused, where an earlier one was"
                " replaced.",
            ),
        ]
        | UnsetType
    ) = UNSET


class Error(msgspec.Struct):
    """A refusal."""

    error: ErrorDetail
