"""The evening: won and lost game by game, what is left to settle, and what has been paid."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from http import HTTPStatus
from typing import get_args

from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import attempt
from app.http.sse import Message, stream
from app.rules.errors import BadFile
from app.services import ledger, payments, tables
from app.services.ledger import Ledger
from app.services.payments import Method
from app.services.tables import Write
from app.web.evening import view

bp = Blueprint("evening", __name__, url_prefix="/t/<link>/evening")


@bp.get("")
def newest(link: str) -> Response:
    """The newest evening, with what is left to settle."""
    return _show(link, "", HTTPStatus.OK)


@bp.get("/<day>")
def earlier(link: str, day: str) -> str:
    """An evening of the past: what was won, lost and paid."""
    now = ledger.read_ledger(context.pool(), link)
    if day not in [evening.isoformat() for evening in now.evenings]:
        raise NotFound
    return _page(link, now, date.fromisoformat(day), writes=_writes(link))


@bp.get("/live")
def live(link: str) -> Response:
    """The newest evening as it stands, then again after each change."""
    language, writes = context.language(), _writes(link)

    def message() -> Message:
        g.language = language
        now = ledger.read_ledger(context.pool(), link)
        return now.seq, _page(link, now, now.evenings[-1], writes=writes, part=True)

    return stream(link, ("evening", language.code, writes), message)


@bp.post("/all")
def all_paid(link: str) -> AnyResponse:
    """Tick everything that is left as paid."""
    return _change(
        link,
        lambda write: payments.pay_all(context.pool(), write, ticked(request.form.get("way", ""))),
    )


@bp.post("/undo")
def undo(link: str) -> AnyResponse:
    """Take a settlement back."""
    sent = request.form.get("settlement", "")
    which = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 16 else 0
    return _change(link, lambda w: payments.undo(context.pool(), w, which))


def ticked(way: str) -> Method:
    """The way a payment went, as a form says it. Raises BadFile."""
    for known in get_args(Method):
        if way == known:
            found: Method = known
            return found
    raise BadFile("wrong_value", key="way", value=way)


def _change(link: str, act: Callable[[Write], None]) -> AnyResponse:
    said, status = attempt(lambda: context.perform(link, act, lambda: None))
    if status is HTTPStatus.OK and "HX-Request" not in request.headers:
        return redirect(url_for("evening.newest", link=link), HTTPStatus.SEE_OTHER)
    return _show(link, said, status)


def _show(link: str, said: str, status: HTTPStatus) -> Response:
    now = ledger.read_ledger(context.pool(), link)
    part = "HX-Request" in request.headers
    page = _page(link, now, now.evenings[-1], said, writes=_writes(link), part=part)
    return make_response(page, status)


def _page(
    link: str, now: Ledger, day: date, said: str = "", *, writes: bool, part: bool = False
) -> str:
    """An evening; what is left to settle stands on the newest."""
    language, is_newest = context.language(), day == now.evenings[-1]
    return render_template(
        "evening/_evening.html" if part else "evening/page.html",
        link=link,
        ledger=now,
        said=said,
        writes=writes,
        day=day.isoformat(),
        newest=is_newest,
        evening=view.evening(now, day, language),
        debts=view.debts(now, language),
        in_kronor=all(owed.ore % 100 == 0 for owed in now.transfers),
        corrections=view.corrections(now, language) if is_newest else [],
        others=[(other, language.day(other)) for other in now.evenings[::-1] if other != day],
    )


def _writes(link: str) -> bool:
    return tables.may_write(context.pool(), link, context.pen())
