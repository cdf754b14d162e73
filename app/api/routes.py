"""The calls: each reads its request body, calls a use case, and replies."""

import logging
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import msgspec
from flask import Blueprint, Response, current_app, make_response, url_for
from msgspec import Meta
from msgspec.json import encode
from msgspec.structs import replace

from app.api import answers
from app.api.answers import (
    Credentials,
    Error,
    Table,
    TableState,
    error_response,
    json_response,
    json_response_with_etag,
    read_body,
    read_optional_body,
    table_state,
    wants_history,
)
from app.http import context, cookies, rendered
from app.http.context import db
from app.http.limits import NEW_TABLES, one_at_a_time, rate_limit
from app.http.stream import event, stream
from app.rules.codes import BadFile, ChicagoError
from app.rules.events import EVENTS, AnyEvent, Rules
from app.rules.gamefile import MAX_STAKE_ORE, read_setup, write_game
from app.rules.hands import Hand
from app.rules.house import BlindChicago, HouseRules
from app.rules.names import MAX_NAME, MAX_PLAYERS, MIN_PLAYERS, PlayerName, read_name
from app.rules.presets import PRESETS
from app.rules.settlement import USUAL, Currency, SettlementResult, read_currency
from app.rules.state import Step
from app.services import ledger, play
from app.services.commit import Change, commit
from app.services.edit import EditEvent, TakeBackEvent
from app.services.play import Record, Start, open_once
from app.services.tables import Write
from app.store.connection import DatabaseUnavailable

health_bp = Blueprint("health", __name__)

_log = logging.getLogger(__name__)


@health_bp.get("/healthz")
def health() -> Response:
    """`ok`, or 503, and by a header which version answers."""
    try:
        db().check_writable()
    except DatabaseUnavailable as error:
        _log.error("The health check failed: %s", error)
        response = make_response("unavailable", HTTPStatus.SERVICE_UNAVAILABLE)
    else:
        response = make_response("ok")
    response.mimetype = "text/plain"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Chicago-Version"] = current_app.config["VERSION"]
    return response


bp = Blueprint("api", __name__, url_prefix="/api")
bp.register_error_handler(ChicagoError, error_response)


@bp.get("/openapi.json")
def read_description() -> Response:
    """The OpenAPI description of these calls."""
    return json_response_with_etag(describe())


@bp.post("/tables")
@rate_limit(NEW_TABLES)
def open_table() -> Response:
    """Open a table and start its first game."""
    raw = read_body(NewTable.__annotations__)
    currency = read_currency(raw.pop("currency", USUAL))
    new = play.NewTable(read_setup(raw), _table_name(raw), currency)
    link, pen = open_once(db(), answers.read_opening(), new, context.instance())
    body: Credentials = {"table": link, "url": url_for("table.page", link=link), "pen": pen}
    response = json_response(encode(body), HTTPStatus.CREATED)
    response.headers["Location"] = f"{context.prefix()}/api/tables/{link}"
    return response


@bp.get("/tables/<link>")
@one_at_a_time()
def read_table() -> Response:
    """A table as it stands, with the result of its newest game."""
    view = context.read_view()
    state = table_state(view, history=wants_history())
    body: Table = {"table": context.link(), "name": view.name, "games": view.games, **state}
    return json_response_with_etag(encode(body))


@bp.get("/tables/<link>/games/<int:number>")
@one_at_a_time()
def read_game(number: int) -> Response:
    """A game as a game file, as it stands, without undone events."""
    return json_response(encode(write_game(context.read_view(number).game)))


@bp.post("/tables/<link>/events")
def record() -> Response:
    """Record an event of the newest game."""
    event, write = _read_event()
    return _change(write, Record(event), HTTPStatus.CREATED)


@bp.delete("/tables/<link>/events/last")
def undo() -> Response:
    """Undo the newest event of the newest game."""
    read_optional_body(())
    return _change(context.write(), TakeBackEvent())


@bp.put("/tables/<link>/events/<int:index>")
def edit_event(index: int) -> Response:
    """Edit an event of the newest game and work the rest out again."""
    event, write = _read_event()
    return _change(write, EditEvent(index, event))


@bp.post("/tables/<link>/games")
def next_game() -> Response:
    """Start the next game: the same but for the dealer, unless the body says otherwise."""
    game = Start(read_optional_body(NewGame.__annotations__))
    return _change(context.write(), game, HTTPStatus.CREATED)


@bp.get("/tables/<link>/settlement")
@one_at_a_time()
def settle() -> Response:
    """The fewest payments over the table's ended games."""
    return json_response(encode(ledger.settle(db(), context.link())))


@bp.get("/tables/<link>/live")
def watch() -> Response:
    """Server-sent events: the present state, then each change within a second."""
    history, table_id = wants_history(), context.access().id

    def draw(seq: int) -> bytes:
        view = context.read_view()
        return event(seq, encode(table_state(view, history=history)).decode())

    def render(seq: int) -> bytes:
        return rendered.memoize_by_key(f"program {seq} {history}-{table_id}", lambda: draw(seq))

    return stream(render)


def _table_name(body: dict[str, object]) -> str:
    name = body.get("name", "")
    return read_name(name) if not isinstance(name, str) or name.strip() else ""


def _read_event() -> tuple[dict[str, object], Write]:
    """The event of the request body, and the write from the version it names. Raises BadFile."""
    event, write = read_body(), context.write()
    if "seq" not in event:
        return event, write
    seq = event.pop("seq")
    if type(seq) is not int:
        raise BadFile("wrong_value", key="seq", value=seq)
    return event, replace(write, seq=seq)


def _change(write: Write, change: Change, status: int = HTTPStatus.OK) -> Response:
    """Make a change; one that was made before with the same key is answered as it was then."""
    history = wants_history()
    view = commit(db(), write, change, answers.read_change_key(write))
    return json_response(encode(table_state(view, history=history)), status)


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


class RuleSet(TypedDict, total=False):
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
    rules: RuleSet


class NewTable(TypedDict):
    """A table, and the setup of its first game; left out, the last of the players deals first.

    `currency` is what amounts are shown in; `_ore` are hundredths of it.
    """

    players: Players
    dealer: NotRequired[PlayerName]
    stake_ore: NotRequired[Stake]
    rules: NotRequired[RuleSet]
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
    rules: RuleSet
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
    for name in (HouseRules.__name__, BlindChicago.__name__):
        del schemas[name]
    written = schemas[Rules.__name__]
    del written["properties"]["preset"]
    written["properties"]["rules"] = {"$ref": _refer(RuleSet.__name__)}
    written["required"].remove("preset")
    closed = {"unevaluatedProperties": False}
    for name, schema in schemas.items():
        if name in EVENT_NAMES:
            schema["properties"] = _without_null(schema["properties"])
        elif "properties" in schema and name != RuleSet.__name__:
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
