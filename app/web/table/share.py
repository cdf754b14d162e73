"""Joining a table: the view for everybody, the pen for whom it is handed to."""

from __future__ import annotations

from http import HTTPStatus

import segno
from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.address import reachable_host
from app.services import pens, tables

bp = Blueprint("share", __name__, url_prefix="/t/<link>")


@bp.get("/join")
def join(link: str) -> str:
    """The view's address as a code to scan."""
    sheet = tables.sheet(context.pool(), link)
    return _show(link, sheet.seq, "join", _outside(url_for("table.page", link=link)))


@bp.post("/pen")
def hand_over(link: str) -> str:
    """A new link that gives the pen, as a code to scan."""
    secret = pens.hand_over(context.pool(), context.write_request(link))
    sheet = tables.sheet(context.pool(), link)
    where = url_for("share.take", link=link, secret=secret)
    return _show(link, sheet.seq, "pen", _outside(where))


@bp.get("/pen/<secret>")
def take(link: str, secret: str) -> AnyResponse:
    """Give this phone the pen, and leave the secret behind."""
    pens.take(context.pool(), link, secret, context.take_pen())
    context.remember_table(link)
    return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)


@bp.post("/pen/back")
def take_back(link: str) -> AnyResponse:
    """Take every other pen back."""
    pens.take_back(context.pool(), context.write_request(link))
    flash(context.language().gettext("Only this phone writes now."))
    return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)


def _outside(path: str) -> str:
    """An address that other phones reach, also when this one is the server's own screen."""
    return f"{request.scheme}://{reachable_host(request.host)}{path}"


def _show(link: str, seq: int, ask: str, address: str) -> str:
    part = "HX-Request" in request.headers
    code = segno.make(address, error="m").svg_inline(scale=4, border=3, light="#fff", omitsize=True)
    return render_template(
        f"dialogs/{'_' if part else ''}{ask}.html",
        link=link,
        seq=seq,
        address=address,
        code=code,
        writes=tables.may_write(context.pool(), link, context.pen()),
    )
