"""The recovery link: made by who writes and kept somewhere else, for when the phone is gone."""

from __future__ import annotations

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import flash_at, read_write, redirect_to
from app.http.limits import note_miss
from app.services import pens
from app.services.tables import NoPen
from app.web.table.link_pages import lead_to_table, let_write, render_code, render_offer
from app.web.templates import render

bp = Blueprint("recovery", __name__, url_prefix="/t/<link>/recovery")


@bp.get("")
def page(link: str) -> Response:
    """What a recovery link is for, and whether the table has one."""
    kept = pens.find_recovery(context.db(), context.access())
    return render("dialogs/recovery.html", "dialogs/_recovery.html", recovery=kept)


@bp.post("")
def make(link: str) -> Response:
    """A new recovery link, to keep; it is shown this once."""
    secret = pens.make_recovery_link(context.db(), read_write())
    return render_code("recovery", url_for("recovery.take", link=link, secret=secret))


@bp.post("/off")
def turn_off(link: str) -> AnyResponse:
    """Let no link recover the pen."""
    pens.turn_recovery_off(context.db(), read_write())
    table = url_for("table.page", link=link)
    flash_at(table, context.language().gettext("The recovery link is turned off."))
    return redirect_to(table)


@bp.post("/seen")
def see(link: str) -> AnyResponse:
    """Note that it has been seen that the recovery link was used."""
    pens.see_recovery(context.db(), read_write())
    return redirect_to(url_for("table.page", link=link))


@bp.get("/<secret>")
def offer(link: str, secret: str) -> AnyResponse:
    """Say what the link does; whatever looks at it changes nothing."""
    if context.access().writes:
        return render_offer("writes")
    if not pens.find_recovery(context.db(), context.access(), secret):
        return _lead_to_table(link)
    cookies.take_pen()
    return render_offer("recovery")


@bp.post("/<secret>")
def take(link: str, secret: str) -> AnyResponse:
    """Give this phone the pen, and leave the secret behind."""
    try:
        pens.recover(context.db(), link, secret, cookies.take_pen())
    except NoPen:
        return _lead_to_table(link)
    return let_write(link)


def _lead_to_table(link: str) -> AnyResponse:
    """Lead whoever has an old link to where one reads, and say so there."""
    note_miss()
    message = context.language().gettext(
        "That recovery link works no longer: there is a newer one, or it was turned off."
        " Ask whoever writes for the pen."
    )
    return lead_to_table(link, message)
