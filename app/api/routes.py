"""The calls: each reads its body, calls a use case, and writes the answer."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from flask import Blueprint, Response, request

from app.api import keys
from app.api.answers import body, body_or_nothing, changed, json_answer, only, refused, written
from app.http.context import pen, pool
from app.http.sse import Message, stream
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.gamefile import read_name, read_setup, write_game, write_result
from app.services import ledger, play, tables
from app.services.idempotency import Reply
from app.services.tables import NotFound, Sheet, Write

bp = Blueprint("tables", __name__, url_prefix="/tables")

SETUP_KEYS = ("players", "dealer", "stake_ore", "rules")


@bp.post("")
def open_table() -> Response:
    """Open a table and start its first game."""
    raw = body()
    only(raw, ("name", *SETUP_KEYS))
    setup, name = read_setup(raw), _name(raw)
    key = keys.read_key()
    link, secret = keys.new_table(key)

    def act() -> Reply:
        tables.open_table(pool(), setup, name, secret, link)
        return Reply(HTTPStatus.CREATED, "")

    # What is stored of the answer holds no secrets: they follow from the key.
    reply = keys.once(link, keys.anonymous_sender(), key, act)
    answer = json_answer(written({"table": link, "url": f"/t/{link}", "pen": secret}), reply.status)
    answer.headers["Location"] = f"/api/tables/{link}"
    answer.headers["Cache-Control"] = "no-store"
    return answer


@bp.get("/<link>")
def table(link: str) -> Response:
    """A table as it stands."""
    sheet = tables.sheet(pool(), link)
    told = {
        "table": link,
        "name": sheet.name,
        "games": sheet.games,
        "seq": sheet.seq,
        "result": write_result(sheet.states),
    }
    answer = json_answer(written(told))
    # Weak, since the answer is also sent compressed.
    answer.add_etag(weak=True)
    answer.make_conditional(request)
    return answer


@bp.get("/<link>/games/<int:number>")
def game(link: str, number: int) -> Response:
    """One game as a game file."""
    return json_answer(written(write_game(tables.sheet(pool(), link, number).game)))


@bp.post("/<link>/events")
def record(link: str) -> Response:
    """Record an event of the newest game."""
    _admit(link)
    raw, seq = _event()
    return _change(link, 201, lambda: play.record(pool(), _write(link, seq), raw))


@bp.delete("/<link>/events/last")
def undo(link: str) -> Response:
    """Undo the newest event of the newest game."""
    _admit(link)
    only(body_or_nothing(), ())
    return _change(link, 200, lambda: play.undo(pool(), _write(link)))


@bp.put("/<link>/events/<int:index>")
def replace_event(link: str, index: int) -> Response:
    """Replace one event of the newest game and work the rest out again."""
    _admit(link)
    raw, seq = _event()
    return _change(link, 200, lambda: play.replace_event(pool(), _write(link, seq), index, raw))


@bp.post("/<link>/games")
def next_game(link: str) -> Response:
    """Start the next game."""
    _admit(link)
    raw = body_or_nothing()
    only(raw, SETUP_KEYS)
    return _change(link, 201, lambda: play.next_game(pool(), _write(link), raw))


@bp.get("/<link>/settlement")
def settlement(link: str) -> Response:
    """Who pays whom over the table's ended games."""
    return json_answer(written(ledger.settle(pool(), link)))


@bp.get("/<link>/live")
def live(link: str) -> Response:
    """The table's present state, then each change within a second."""

    def message() -> Message:
        sheet = tables.sheet(pool(), link)
        return sheet.seq, changed(sheet)

    return stream(link, "program", message)


def _name(raw: dict[str, object]) -> str:
    name = raw.get("name", "")
    return read_name(name) if not isinstance(name, str) or name.strip() else ""


def _event() -> tuple[dict[str, object], int | None]:
    """The event of a body, and the version it was sent from. Raises BadFile."""
    raw = body()
    if "seq" not in raw:
        return raw, None
    seq = raw.pop("seq")
    if type(seq) is not int:
        raise BadFile("wrong_value", key="seq", value=seq)
    return raw, seq


def _write(link: str, seq: int | None = None) -> Write:
    return Write(link, _secret(), seq)


def _admit(link: str) -> None:
    """Turn away whoever may not write, before reading any further. Raises NotFound, NoPen."""
    tables.authorize(pool(), link, _secret())


def _secret() -> str | None:
    """The pen: what the caller sends along, else this browser's own."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else pen()


def _change(link: str, status: int, act: Callable[[], Sheet]) -> Response:
    """Carry a change out; a refusal is an answer too, and stored like any other."""

    def answered() -> Reply:
        try:
            return Reply(status, changed(act()))
        except (BadFile, NotAllowed, Stale, NotFound) as refusal:
            return refused(refusal)

    reply = keys.once(link, f"{link} {_secret()}", keys.read_key(), answered)
    return json_answer(reply.body, reply.status)
