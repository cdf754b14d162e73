"""The evening: won and lost game by game, what is left to settle, and what has been paid."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date
from typing import cast, get_args

from flask import Blueprint, Response, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import Refusal, read_int, redirect_to, submit
from app.http.rendered import cache_page
from app.rules.currency import CASH
from app.rules.errors import BadFile
from app.services import ledger
from app.services.commit import Change
from app.services.ledger import Ledger, Method, PayAll, Unpay
from app.web.evening import view
from app.web.evening.curve import draw_evening
from app.web.templates import render

bp = Blueprint("evening", __name__, url_prefix="/t/<link>/evening")

PAGE, FRAGMENT = "evening/page.html", "evening/_evening.html"
MAX_SETTLEMENT = 10**15 - 1
# All of them stand in the list of games.
MOST_OTHERS = 8


@bp.get("")
@cache_page()
def newest(link: str) -> Response:
    """The newest evening, with what is left to settle."""
    return _render_newest(link)


@bp.get("/<day>")
@cache_page()
def earlier(link: str, day: str) -> Response:
    """An evening of the past: what was won, lost and paid."""
    now = ledger.read_ledger(context.db(), link)
    if day not in [evening.isoformat() for evening in now.evenings]:
        raise NotFound
    return render(PAGE, "", None, **view_evening(now, date.fromisoformat(day)))


@bp.post("/all")
def all_paid(link: str) -> AnyResponse:
    """Tick everything that is left as paid."""
    return _change(link, lambda: PayAll(read_method()))


@bp.post("/undo")
def undo(link: str) -> AnyResponse:
    """Take a settlement back."""
    settlement = read_int(request.form.get("settlement", ""), 0, MAX_SETTLEMENT) or 0
    return _change(link, lambda: Unpay(settlement))


def read_method() -> Method:
    """The way a payment went, as the form says it. Raises BadFile."""
    return cast("Method", read_way(get_args(Method)))


def read_way(ways: Collection[str]) -> str:
    """One of the ways in which a form may say that money went. Raises BadFile."""
    way = request.form.get("way", "")
    if way not in ways:
        raise BadFile("wrong_value", key="way", value=way)
    return way


def _change(link: str, read: Callable[[], Change]) -> AnyResponse:
    """Make a change and show the evening; a refusal shows it too, with the reason in words."""
    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return _render_newest(link, outcome)
    if context.wants_fragment():
        return _render_newest(link)
    return redirect_to(url_for("evening.newest", link=link))


def _render_newest(link: str, refusal: Refusal | None = None) -> Response:
    now = ledger.read_ledger(context.db(), link)
    return render(PAGE, FRAGMENT, refusal, **view_evening(now, now.evenings[-1]))


def view_evening(now: Ledger, day: date) -> dict[str, object]:
    """What the templates show of an evening; what is left to settle stands on the newest."""
    evening, newest = view.summarize(now, day), day == now.evenings[-1]
    return {
        "ledger": now,
        "newest": newest,
        "evening": evening,
        "curve": draw_evening(evening, newest=newest),
        "debts": now.transfers,
        "coin": CASH[now.currency],
        **_other_evenings(now, day),
    }


def _other_evenings(now: Ledger, day: date) -> dict[str, object]:
    """The newest other evenings, with whom each goes to, and whether there are more."""
    others = [other for other in now.evenings[::-1] if other != day]
    newest = others[:MOST_OTHERS]
    winners = ledger.find_winners(now.lines)
    return {
        "others": {other: winners.get(other) for other in newest},
        "more": len(others) > len(newest),
    }
