"""The calls: a phone hands over what it did, and gets what it does not have."""

from __future__ import annotations

import time
from contextlib import suppress
from http import HTTPStatus
from typing import IO

import msgspec
from flask import Blueprint, Response, make_response
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest

from app.http import context, cookies
from app.http.context import db
from app.http.limits import IMPORTS, NEW_TABLES, count_miss, expensive, rate_limit
from app.http.sent_forms import carry_out
from app.i18n.errors import error_text
from app.rules.errors import ChicagoError, Stale
from app.services import change_time, hand_over, phone_state, replicas
from app.services.copy_check import check_copy
from app.services.effects import SentForm
from app.services.instances import instance_of
from app.services.outbox import Receipt
from app.services.phone_state import PhoneState
from app.services.phone_tables import list_tables
from app.services.replicas import Replicas
from app.services.tables import Access, NoPen, NotFound
from app.store.connection import Connection
from app.store.table_copy import TableCopy
from app.sync.bodies import (
    LARGEST_BODY,
    Batch,
    Change,
    ReplicaRequest,
    one_large_body,
    read_body,
    receive_body,
)
from app.sync.zone import copy_zone

bp = Blueprint("sync", __name__, url_prefix="/offline")

# Everybody else who writes waits while changes are taken over; after that the phone comes again
# with those that are left.
LONGEST_SECONDS = 0.25


class RefusedChange(Exception):
    """A change that cannot be carried out, by its index in the batch, and why."""

    def __init__(self, index: int, fault: ChicagoError) -> None:
        super().__init__(index)
        self.index, self.fault = index, fault


# Without a link: from a phone that has not fetched the kit since there are several servers.
@bp.post("/tables", defaults={"link": None})
@bp.post("/tables/<link>")
def take_over(link: str | None) -> Response:
    """Take over what a phone did at one table, in order, and say how far that went.

    Where something is refused, nothing of this batch is taken over.
    """
    with receive_body(LARGEST_BODY) as body:
        return _take_over_in_turn(link, body)


@expensive
def _take_over_in_turn(link: str | None, body: IO[bytes]) -> Response:
    with one_large_body(body):
        batch = read_body(body, Batch)
        if link not in (None, batch.link):
            raise BadRequest
        return _answer(batch)


def _answer(batch: Batch) -> Response:
    try:
        opening = None if batch.opening is None else _check_opening(batch.opening)
        with count_miss(NotFound), count_miss(NoPen):
            receipt = _take_over(batch, opening)
    except Stale as fault:
        return _refuse(batch, HTTPStatus.CONFLICT, fault)
    except RefusedChange as refused:
        return _refuse(batch, HTTPStatus.UNPROCESSABLE_ENTITY, refused.fault, refused.index)
    cookies.remember_table(batch.link)
    return _json(receipt)


@rate_limit(NEW_TABLES)
def _check_opening(opening: TableCopy) -> TableCopy:
    """Raises RefusedChange for what is no table."""
    try:
        return check_copy(opening) if len(opening.games) == 1 else _check_many(opening)
    except ChicagoError as fault:
        raise RefusedChange(-1, fault) from None


@rate_limit(IMPORTS)
def _check_many(opening: TableCopy) -> TableCopy:
    """Check many games, which counts as an import."""
    return check_copy(opening)


def _take_over(batch: Batch, opening: TableCopy | None) -> Receipt:
    """Raises Stale, RefusedChange, NoPen, NotFound; then nothing has changed."""
    pen, deadline = cookies.take_pen(), time.monotonic() + LONGEST_SECONDS
    with db().transaction() as connection:
        if opening is not None:
            hand_over.open_from(connection, batch.link, opening, batch.pen)
        access = hand_over.admit(connection, batch.link, pen, batch.pen)
        receipt = hand_over.find_receipt(connection, batch.link, batch.phone)
        if not receipt.seq:
            receipt = hand_over.save_receipt(connection, access.id, batch.phone, 0)
        for index, change in enumerate(batch.changes):
            if change.number > receipt.number:
                _carry_out(connection, access, pen, index, change)
                number = change.number
                receipt = hand_over.save_receipt(connection, access.id, batch.phone, number)
                if time.monotonic() > deadline:
                    break
    return receipt


def _carry_out(
    connection: Connection, access: Access, pen: str, index: int, change: Change
) -> None:
    """Carry a change out, unless the server did when the phone sent it at first."""
    form = SentForm(change.path, list(change.fields))
    on_phone = hand_over.FormEffect(change.seq, change.effect)
    if hand_over.is_done(connection, access.id, pen, form, on_phone):
        return
    moment = change_time.bound(connection, access.id, change.at)
    try:
        carry_out(access.link, pen, form, moment)
    except Stale:
        raise
    except ChicagoError as fault:
        raise RefusedChange(index, fault) from None


def _refuse(
    batch: Batch, status: HTTPStatus, fault: ChicagoError, index: int | None = None
) -> Response:
    """Say why nothing was taken over, and what of the phone's changes had been before."""
    receipt = hand_over.find_receipt(db().connection, batch.link, batch.phone)
    message = error_text(fault, context.language())
    return _json(
        {"number": receipt.number, "seq": receipt.seq, "message": message, "index": index}, status
    )


@bp.post("/replicas")
def copy_tables() -> Response:
    """Copy to a phone what it does not have of the tables it writes at."""
    with receive_body() as body:
        return _copy_tables(read_body(body, ReplicaRequest))


@expensive
def _copy_tables(asked: ReplicaRequest) -> Response:
    _follow(asked.phone)
    pen, language = cookies.pen(), cookies.language_choice() or ""
    known = list_tables(db(), pen, cookies.tables())
    tables = [table for table in known if table.writes]
    links = [table.link for table in tables]
    copies, more = replicas.copy_tables(db(), pen, links, asked.have)
    # Of the tables of another server this one knows nothing.
    own = [link for link in asked.have if instance_of(link) == context.instance()]
    gone = replicas.find_gone(db(), pen, own)
    state = phone_state.read_state(db(), pen, language, tables)
    state = replace(state, instance=context.instance())
    return _json(Replicas(state, copies, gone, more, copy_zone()))


def _follow(changes: PhoneState) -> None:
    """Let this browser keep what its phone has changed besides tables."""
    cookies.choose_language(changes.language)
    if changes.rule_sets:
        phone_state.keep_rule_sets(db(), cookies.take_pen(), changes)
    for link, away in changes.put_away.items():
        with suppress(NotFound):
            cookies.put_away(link, away=away)


def _json(body: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    response = make_response(msgspec.json.encode(body), status)
    response.mimetype = "application/json"
    response.headers["Cache-Control"] = "no-store"
    return response
