"""The calls: each reads its body, calls a use case, and writes the answer."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from http import HTTPStatus

from flask import Blueprint, Response, current_app, request

from app import tables
from app.api.answers import body, body_or_nothing, changed, json_answer, only, written
from app.current import pen, store
from app.rules.errors import BadFile
from app.rules.gamefile import read_name, read_setup, write_game, write_result
from app.rules.settlement import settle
from app.tables import Reply, Sheet, Write

bp = Blueprint("tables", __name__, url_prefix="/tables")

SETUP_KEYS = ("players", "dealer", "stake_ore", "rules")
LONGEST_KEY = 128


@bp.post("")
def open_table() -> Response:
    """Open a table and start its first game."""
    raw = body()
    only(raw, ("name", *SETUP_KEYS))
    setup = read_setup({key: raw[key] for key in SETUP_KEYS if key in raw})
    name = read_name(raw["name"]) if "name" in raw else ""
    nonce = _key() or tables.new_pen()
    secret = _derived("table", nonce)

    def act() -> Reply:
        link = tables.open_table(store(), setup, name, secret)
        return Reply(HTTPStatus.CREATED, link)

    link = _once(request.remote_addr or "", act).body
    answer = json_answer(written({"table": link, "url": f"/t/{link}", "pen": secret}), 201)
    answer.headers["Location"] = f"/api/tables/{link}"
    return answer


@bp.get("/<link>")
def table(link: str) -> Response:
    """A table as it stands."""
    sheet = tables.sheet(store(), link)
    told = {
        "table": link,
        "name": sheet.name,
        "games": sheet.games,
        "seq": sheet.seq,
        "result": write_result(sheet.states),
    }
    answer = json_answer(written(told))
    answer.set_etag(str(sheet.seq))
    answer.make_conditional(request)
    return answer


@bp.get("/<link>/games/<int:number>")
def game(link: str, number: int) -> Response:
    """One game as a game file."""
    return json_answer(written(write_game(tables.sheet(store(), link, number).game)))


@bp.post("/<link>/events")
def record(link: str) -> Response:
    """Record an event of the newest game."""
    raw, seq = _event()
    return _change(link, 201, lambda: tables.record(store(), _write(link, seq), raw))


@bp.delete("/<link>/events/last")
def undo(link: str) -> Response:
    """Undo the newest event of the newest game."""
    return _change(link, 200, lambda: tables.undo(store(), _write(link)))


@bp.put("/<link>/events/<int:index>")
def replace_event(link: str, index: int) -> Response:
    """Replace one event of the newest game and work the rest out again."""
    raw, seq = _event()
    return _change(link, 200, lambda: tables.replace_event(store(), _write(link, seq), index, raw))


@bp.post("/<link>/games")
def next_game(link: str) -> Response:
    """Start the next game."""
    raw = body_or_nothing()
    only(raw, SETUP_KEYS)
    return _change(link, 201, lambda: tables.next_game(store(), _write(link), raw))


@bp.get("/<link>/settlement")
def settlement(link: str) -> Response:
    """Who pays whom over the table's ended games."""
    return json_answer(written(settle(tables.settled_games(store(), link))))


def _event() -> tuple[dict[str, object], int | None]:
    """The event of a body, and the version it was sent from. Raises BadFile."""
    raw = body()
    seq = raw.pop("seq", None) if "seq" in raw else None
    if "seq" in raw or (seq is not None and type(seq) is not int):
        raise BadFile("wrong_value", key="seq", value=seq)
    return raw, seq if isinstance(seq, int) else None


def _write(link: str, seq: int | None = None) -> Write:
    return Write(link, _secret(), seq)


def _secret() -> str | None:
    """The pen: what the caller sends along, else this browser's own."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" and secret else pen()


def _change(link: str, status: int, act: Callable[[], Sheet]) -> Response:
    reply = _once(f"{link} {_secret()}", lambda: Reply(status, changed(act())))
    return json_answer(reply.body, reply.status)


def _once(scope: str, act: Callable[[], Reply]) -> Reply:
    """Carry a request out, only once where it bears an idempotency key. Raises BadFile."""
    key = _key()
    if key is None:
        return act()
    sent = f"{request.method} {request.path} {hashlib.sha256(request.get_data()).hexdigest()}"
    return tables.once(store(), scope, key, sent, act)


def _key() -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not 0 < len(key) <= LONGEST_KEY:
        raise BadFile("wrong_value", key="Idempotency-Key", value=key)
    return key


def _derived(purpose: str, nonce: str) -> str:
    """A secret that a repeated request gets again although it is kept nowhere."""
    key = current_app.secret_key
    secret = key if isinstance(key, bytes) else str(key).encode()
    message = f"{purpose} {request.remote_addr} {nonce} ".encode() + request.get_data()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()
