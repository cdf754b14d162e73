"""Calls from one instance to another (RPC): a service by its name, its arguments as JSON.

Only the services listed here can be called, by who knows the secret key that all instances share.
They carry pens, so they go over a network of one's own, or by HTTPS; HAProxy lets none in.
"""

from __future__ import annotations

import hmac
import logging
import ssl
import time
from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from inspect import signature
from typing import Any, TypeVar, get_type_hints
from urllib.parse import urlsplit

import msgspec
from flask import Blueprint, Flask, Response, abort, current_app, make_response, request

from app.http import instances
from app.http.context import pool
from app.http.instances import InstanceUnavailable
from app.rules.codes import ReasonCode
from app.rules.errors import BadFile, ChicagoError, NotAllowed
from app.services import (
    own_figures,
    phone_state,
    phone_tables,
    replicas,
    rule_sets,
    standings,
    transfers,
)
from app.services.tables import NoPen, NotFound

R = TypeVar("R")

bp = Blueprint("instances", __name__, url_prefix="/instances")

_log = logging.getLogger(__name__)

# An instance that did not answer is left alone for a while: a page waits for it once.
PATIENCE_SECONDS, REST_SECONDS = 3.0, 5.0
LARGEST_CALL = 1_000_000
CALLS: Mapping[str, Callable[..., Any]] = {
    f"{act.__module__.rpartition('.')[2]}.{act.__name__}": act
    for act in (
        own_figures.read_own_tables,
        phone_state.apply_changes,
        phone_state.read_state,
        phone_tables.keep,
        phone_tables.list_tables,
        phone_tables.put_away,
        replicas.copy_tables,
        replicas.find_gone,
        rule_sets.delete,
        rule_sets.list_rule_sets,
        rule_sets.save,
        standings.read_standing,
        transfers.is_open,
        transfers.make_transfer,
        transfers.read_transfer,
        transfers.take,
        transfers.withdraw,
    )
}
_NAMES = {act: name for name, act in CALLS.items()}
_ERRORS = {kind.__name__: kind for kind in (BadFile, NotAllowed, NotFound, NoPen)}


class Fault(msgspec.Struct, frozen=True):
    """What a service raised: which error, its code and its values."""

    error: str
    code: ReasonCode
    values: dict[str, Any]


class Peers:
    """The other instances, by their addresses; one out of order is left alone (circuit breaker)."""

    def __init__(self, addresses: Mapping[str, str], secret_key: str | bytes) -> None:
        self._addresses = addresses
        self._secret_key = secret_key
        self._resting: dict[str, float] = {}

    def ask(
        self,
        instance: str,
        act: Callable[..., R],
        args: tuple[object, ...],
        kwargs: dict[str, object],
    ) -> R:
        """Call a service there. Raises InstanceUnavailable, and what the service raises."""
        _pool, *values = signature(act).bind(None, *args, **kwargs).arguments.items()
        status, data = self._send(instance, _NAMES[act], msgspec.json.encode(dict(values)))
        try:
            if status == HTTPStatus.OK:
                result: R = msgspec.json.decode(data, type=_hints(act)["return"])
                return result
            if status == HTTPStatus.UNPROCESSABLE_ENTITY:
                fault = msgspec.json.decode(data, type=Fault)
                raise _ERRORS[fault.error](fault.code, **fault.values)
        except msgspec.MsgspecError as error:
            raise InstanceUnavailable(_message(instance, "not in these words")) from error
        raise InstanceUnavailable(_message(instance, f"but with {status}"))

    def _send(self, instance: str, call: str, body: bytes) -> tuple[int, bytes]:
        """Raises InstanceUnavailable."""
        self._rest(instance)
        connection = _connect(self._addresses[instance])
        headers = {
            "Authorization": authorization(self._secret_key, instance),
            "Content-Type": "application/json",
        }
        try:
            connection.request("POST", f"/instances/{call}", body, headers)
            answer = connection.getresponse()
            status, data = answer.status, answer.read()
        except (OSError, HTTPException) as error:
            self._resting[instance] = time.monotonic() + REST_SECONDS
            _log.warning("Instance %s does not answer: %s", instance, type(error).__name__)
            raise InstanceUnavailable(_message(instance, type(error).__name__)) from error
        finally:
            connection.close()
        self._resting.pop(instance, None)
        return status, data

    def _rest(self, instance: str) -> None:
        """Leave alone who did not answer, and then try once. Raises InstanceUnavailable."""
        until, now = self._resting.get(instance), time.monotonic()
        if until is None:
            return
        if now < until:
            raise InstanceUnavailable(_message(instance, "nor a moment ago"))
        self._resting[instance] = now + PATIENCE_SECONDS


def _message(instance: str, how: str) -> str:
    return f"instance {instance} does not answer, {how}"


def _connect(address: str) -> HTTPConnection:
    parts = urlsplit(address)
    if parts.scheme == "https":
        context = ssl.create_default_context()
        return HTTPSConnection(parts.netloc, timeout=PATIENCE_SECONDS, context=context)
    return HTTPConnection(parts.netloc, timeout=PATIENCE_SECONDS)


def authorization(secret_key: str | bytes, instance: str) -> str:
    """The header by which an instance is asked: of no use at any other, nor for anything else."""
    key = secret_key if isinstance(secret_key, bytes) else secret_key.encode()
    return f"Bearer {hmac.digest(key, f'ask instance {instance}'.encode(), 'sha256').hex()}"


@cache
def _hints(act: Callable[..., object]) -> dict[str, Any]:
    return get_type_hints(act, include_extras=True)


def register(app: Flask) -> None:
    """Let instances call each other, where there are several."""
    if app.config["INSTANCES"]:
        app.extensions["ask_instance"] = Peers(app.config["INSTANCES"], app.secret_key or "").ask
        app.register_blueprint(bp)


@bp.post("/<call>")
def answer(call: str) -> Response:
    """Call a service for another instance; a stranger finds nothing here."""
    expected = authorization(current_app.secret_key or "", instances.own())
    told = request.headers.get("Authorization", "")
    if not hmac.compare_digest(told.encode(), expected.encode()):
        abort(HTTPStatus.NOT_FOUND)
    act = CALLS.get(call) or abort(HTTPStatus.NOT_FOUND)
    values = _read_values(act)
    try:
        return _json(act(pool(), **values))
    except (BadFile, NotAllowed, NotFound, NoPen) as error:
        return _json(_fault(error), HTTPStatus.UNPROCESSABLE_ENTITY)


def _read_values(act: Callable[..., object]) -> dict[str, Any]:
    """What a service is called with; the caller may be older or newer than this instance."""
    request.max_content_length = LARGEST_CALL
    hints, parameters = _hints(act), signature(act)
    try:
        sent = msgspec.json.decode(request.get_data(), type=dict[str, Any])
        parameters.bind(None, **sent)
        return {name: msgspec.convert(value, hints[name]) for name, value in sent.items()}
    except (msgspec.MsgspecError, TypeError):
        abort(HTTPStatus.BAD_REQUEST)


def _fault(error: ChicagoError) -> Fault:
    return Fault(type(error).__name__, error.code, error.values)


def _json(body: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    response = make_response(msgspec.json.encode(body, enc_hook=str), status)
    response.mimetype = "application/json"
    return response
