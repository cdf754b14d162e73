"""The calls: a phone pushes what it recorded, and pulls what it does not have."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import Annotated, TypeVar
from zoneinfo import TZPATH

import msgspec
from flask import Blueprint, Response, request
from msgspec import Meta
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest

from app.http import context, cookies
from app.http.context import db
from app.http.errors import status_of
from app.http.limits import IMPORTS, NEW_TABLES, count_miss, expensive, rate_limit
from app.i18n.errors import error_text
from app.rules.errors import ChicagoError
from app.rules.json_input import too_deep
from app.services.instances import instance_of
from app.services.phone_tables import list_tables
from app.services.tables import NoPen, NotFound
from app.store import clock
from app.sync import exchange, phone_state
from app.sync.exchange import Batch, Receipt, Version
from app.sync.phone_state import PhoneState, ZoneCopy

bp = Blueprint("sync", __name__, url_prefix="/offline")

# A phone pushes half a megabyte at a time, or a single game that was played elsewhere.
LARGEST_BODY = 1_500_000
MOST_LINKS = 1000

T = TypeVar("T")
# Everybody else who writes waits while rows are taken over; after that the phone comes again with
# those that are left.
LONGEST_SECONDS = 0.25


class PullRequest(msgspec.Struct, frozen=True):
    """Which tables a phone has, by their links and versions, and what else it has changed."""

    have: Annotated[dict[str, Version], Meta(max_length=MOST_LINKS)] = {}
    phone: PhoneState = PhoneState()


def read_body(body_type: type[T]) -> T:
    """Read the request's body. Raises BadRequest, RequestEntityTooLarge."""
    request.max_content_length = LARGEST_BODY
    data = request.get_data()
    if too_deep(data):
        raise BadRequest
    try:
        return msgspec.json.decode(data, type=body_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadRequest from None


@bp.post("/tables/<link>")
@expensive
def push(link: str) -> Response:
    """Take over what a phone recorded at one table, in order, and say how far that went.

    Where something is refused, nothing of this batch is taken over.
    """
    batch = read_body(Batch)
    if link != batch.link:
        raise BadRequest
    take_over = _push
    if batch.base == 0:
        is_many = sum(row.kind == "import" for row in batch.rows)
        take_over = rate_limit(IMPORTS if is_many else NEW_TABLES)(_push)
    try:
        with count_miss(NotFound), count_miss(NoPen):
            receipt = take_over(batch)
    except ChicagoError as fault:
        return _refuse(batch, fault)
    cookies.remember_table(batch.link)
    return _json(receipt)


def _push(batch: Batch) -> Receipt:
    return exchange.push(db(), batch, cookies.take_pen(), LONGEST_SECONDS)


def _refuse(batch: Batch, fault: ChicagoError) -> Response:
    """Say why nothing was taken over, and what of the phone's changes had been before."""
    receipt = exchange.read_receipt(db(), batch, cookies.take_pen())
    message = error_text(fault, context.language())
    return _json(replace(receipt, message=message), status_of(fault))


@bp.post("/replicas")
@expensive
def pull() -> Response:
    """Copy to a phone what it does not have of the tables it writes at."""
    asked = read_body(PullRequest)
    _follow(asked.phone)
    pen, language = cookies.pen(), cookies.language_choice() or ""
    tables = [each for each in list_tables(db(), pen, cookies.tables()) if each.writes]
    # Of the tables of another server this one knows nothing.
    own = {link: seq for link, seq in asked.have.items() if instance_of(link) == context.instance()}
    have = {table.link: None for table in tables} | own
    state = phone_state.read_state(db(), pen, language, tables)
    state = replace(state, instance=context.instance(), zone=copy_zone(clock.zone().key))
    return _json(exchange.pull(db(), pen, have, state))


def _follow(changes: PhoneState) -> None:
    """Let this browser keep what its phone has changed besides tables."""
    cookies.choose_language(changes.language)
    if changes.rule_sets:
        phone_state.keep_rule_sets(db(), cookies.take_pen(), changes)
    for link, away in changes.put_away.items():
        with suppress(NotFound):
            cookies.put_away(link, away=away)


@cache
def copy_zone(name: str) -> ZoneCopy | None:
    """A time zone, from where Python finds it too; the package has the short form of its rules."""
    folders = [resources.files("tzdata").joinpath("zoneinfo"), *map(Path, TZPATH)]
    files = (folder.joinpath(*name.split("/")) for folder in folders)
    return next((ZoneCopy(name, file.read_bytes()) for file in files if file.is_file()), None)


def _json(body: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(body), status, headers, mimetype="application/json")
