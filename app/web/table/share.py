"""Joining a table: the view for everybody, the pen for whom it is handed to."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import Refusal, attempt, flash_at, read_write, redirect_to
from app.http.limits import note_miss
from app.i18n.language import N_
from app.services import pens
from app.services.pens import LinkState
from app.web.table.link_pages import lead_to_table, let_write, render_code, render_offer

bp = Blueprint("share", __name__, url_prefix="/t/<link>")

# Why a link does not give the pen, and how it is had instead.
WORDS: Mapping[LinkState, str] = {
    "used": N_(
        "Another phone has taken the pen by that link, which works once."
        " Ask whoever writes for a new one, or use the recovery link."
    ),
    "expired": N_(
        "That link was to be used within 15 minutes."
        " Ask whoever writes for a new one, or use the recovery link."
    ),
    "revoked": N_(
        "That link does not give the pen any more."
        " Ask whoever writes for a new one, or use the recovery link."
    ),
}


@bp.get("/join")
def join(link: str) -> Response:
    """The view's address as a code to scan."""
    kept = pens.find_recovery(context.db(), context.access())
    return render_code("join", url_for("table.page", link=link), recovery=kept)


@bp.post("/pen")
def hand_over(link: str) -> Response:
    """A new link that gives the pen, as a code to scan."""
    secret = attempt(lambda: pens.hand_over(context.db(), read_write()))
    if isinstance(secret, Refusal):
        return render_code("join", url_for("table.page", link=link), refusal=secret)
    return render_code("pen", url_for("share.take", link=link, secret=secret))


@bp.get("/pen/<secret>")
def offer(link: str, secret: str) -> AnyResponse:
    """Ask whether this phone is to write; whatever looks at a link uses nothing up."""
    if context.access().writes:
        return render_offer("writes")
    state = pens.read_link_state(context.db(), context.access(), secret)
    if state != "open":
        return _lead_to_table(link, state)
    # Here already, so that an answer that is lost on its way costs nothing.
    cookies.take_pen()
    return render_offer("open")


@bp.post("/pen/<secret>")
def take(link: str, secret: str) -> AnyResponse:
    """Give this phone the pen, and leave the secret behind."""
    state = pens.take(context.db(), link, secret, cookies.take_pen())
    if state != "open":
        return _lead_to_table(link, state)
    return let_write(link)


@bp.post("/pen/back")
def take_back(link: str) -> AnyResponse:
    """Take every other pen back."""
    pens.take_back(context.db(), read_write())
    table = url_for("table.page", link=link)
    flash_at(table, context.language().gettext("Only this phone writes now."))
    if pens.find_recovery(context.db(), context.access()):
        flash_at(table, context.language().gettext("The recovery link goes on giving the pen."))
    return redirect_to(table)


def _lead_to_table(link: str, state: LinkState) -> AnyResponse:
    if state == "revoked":
        note_miss()
    return lead_to_table(link, context.language().gettext(WORDS[state]))
