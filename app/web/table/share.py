"""Joining a table: the view for everybody, the pen for whom it is handed to."""

from __future__ import annotations

from http import HTTPStatus
from typing import Literal

import segno
from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, phone_cookie
from app.http.flashes import flash_at
from app.http.forms import Refusal, change_table, redirect_to, submit
from app.services import pens
from app.services.pens import LinkState
from app.web.templates import render

bp = Blueprint("share", __name__, url_prefix="/t/<link>")


@bp.get("/join")
def join(link: str) -> Response:
    """The view's address as a code to scan."""
    return _render_code("join", url_for("table.page", link=link))


@bp.post("/pen")
def hand_over(link: str) -> Response:
    """A new link that gives the pen, as a code to scan."""
    secret = submit(pens.hand_over)
    if isinstance(secret, Refusal):
        return _render_code("join", url_for("table.page", link=link), secret)
    return _render_code("pen", url_for("share.take", link=link, secret=secret))


@bp.get("/pen/<secret>")
def offer(link: str, secret: str) -> Response:
    """Ask whether this phone is to write; whatever looks at a link uses nothing up."""
    if context.access().writes:
        return _render_offer("writes")
    state = pens.read_link_state(context.pool(), context.access(), secret)
    if state == "open":
        # Here already, so that an answer that is lost on its way costs nothing.
        phone_cookie.take_pen()
    return _render_offer(state)


@bp.post("/pen/<secret>")
def take(link: str, secret: str) -> AnyResponse:
    """Give this phone the pen, and leave the secret behind."""
    state = pens.take(context.pool(), link, secret, phone_cookie.take_pen())
    if state != "open":
        return _render_offer(state)
    phone_cookie.remember_table(link)
    return redirect_to(url_for("table.page", link=link))


@bp.post("/pen/back")
def take_back(link: str) -> AnyResponse:
    """Take every other pen back."""
    change_table(pens.take_back)
    table = url_for("table.page", link=link)
    flash_at(table, context.language().gettext("Only this phone writes now."))
    return redirect_to(table)


def _render_offer(state: LinkState | Literal["writes"]) -> Response:
    """The page of a link that gives the pen: what it is worth to this phone."""
    response = render("table/pen_link.html", state=state, name=context.access().name)
    if state in ("used", "expired"):
        response.status_code = HTTPStatus.GONE
    # The address is not told to our own pages either; `no-referrer` would hide the form's Origin.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


def _render_code(dialog: str, path: str, refusal: Refusal | None = None) -> Response:
    """A dialog with an address of ours as a code to scan."""
    address = context.shareable_url(path)
    code = segno.make(address, error="m").svg_inline(scale=4, border=3, light="#fff", omitsize=True)
    page, fragment = f"dialogs/{dialog}.html", f"dialogs/_{dialog}.html"
    return render(page, fragment, refusal, address=address, code=code)
