"""This phone's tables and pens for another phone: one link, asked about there, and then used up."""

from __future__ import annotations

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import flash_at, redirect_to
from app.http.limits import TRANSFERS, note_miss, rate_limit
from app.services import pens
from app.services.pens import TransferKind, TransferState
from app.web.pwa import draw_code
from app.web.table.pens import hide_address
from app.web.templates import render

bp = Blueprint("transfers", __name__, url_prefix="/transfer")

KIND: TransferKind = "phone"


@bp.get("")
def page() -> Response:
    """The page of a transfer to another phone."""
    return render("transfers/page.html", knows=bool(cookies.tables()))


@bp.post("")
@rate_limit(TRANSFERS)
def make() -> AnyResponse:
    """A new link, as a code to scan; it is shown this once, and ends the one before."""
    if not cookies.tables():
        return redirect_to(url_for("transfers.page"))
    address = context.shareable_url(url_for("transfers.offer", secret=make_secret(KIND)))
    return render("transfers/page.html", knows=True, address=address, code=draw_code(address))


@bp.get("/<secret>")
def offer(secret: str) -> Response:
    """Ask whether the tables are to come here; a preview of the link uses nothing up."""
    found = pens.read_transfer(context.db(), KIND, secret, cookies.pen())
    return render_offer(KIND, found.state)


@bp.post("/<secret>")
def take(secret: str) -> AnyResponse:
    """Let the tables come to this phone, and leave the secret behind."""
    return take_here(KIND, secret, url_for("table_list.page"))


def make_secret(kind: TransferKind) -> str:
    """Make a transfer of all that this phone knows."""
    pen, language = cookies.take_pen(), cookies.language_choice() or ""
    tables = cookies.tables()
    return pens.make_transfer(context.db(), kind, pen, tables, language, context.instance())


def render_offer(kind: TransferKind, state: TransferState) -> Response:
    """The page of a link: what a tap would bring, or why the link brings nothing."""
    if state == "open":
        # Here already, so that an answer that is lost on its way costs nothing.
        cookies.take_pen()
    if state == "gone":
        note_miss()
    knows, home = bool(cookies.tables()), kind == "install"
    return hide_address(render("transfers/offer.html", state=state, knows=knows, home=home))


def take_here(kind: TransferKind, secret: str, leads_to: str) -> AnyResponse:
    """Take a transfer to this phone, and lead on; or say why it cannot be taken."""
    found = pens.take_transfer(context.db(), kind, secret, cookies.take_pen())
    if found.state not in ("open", "taken"):
        return render_offer(kind, found.state)
    # Also when it asks again, its answer having been lost.
    cookies.add_tables(found.tables)
    if cookies.language_choice() is None:
        cookies.choose_language(found.language)
    flash_at(leads_to, context.language().gettext("The tables are on this phone now."))
    return redirect_to(leads_to)
