"""This phone's tables and pens for another phone: one link, asked about there, and then used up."""

from __future__ import annotations

import re

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import LONGEST_FIELD, Refusal, flash_at, redirect_to
from app.http.limits import TRANSFERS, note_miss, rate_limit
from app.services import lists, pens
from app.services.lists import PhoneTable
from app.services.pens import TableTransfer, TransferKind
from app.web.pwa import draw_code
from app.web.table.pens import hide_address
from app.web.templates import render

bp = Blueprint("transfers", __name__, url_prefix="/transfer")

KIND: TransferKind = "phone"
# The path of a link, anywhere in a pasted text.
_LINK = re.compile(r"/transfer/((?:[a-z0-9]{1,8}\.)?[\w-]{43})(?![\w-])", re.ASCII)


@bp.get("")
def page() -> Response:
    """The page of a transfer to another phone."""
    return _render_page()


@bp.post("")
@rate_limit(TRANSFERS)
def make() -> AnyResponse:
    """A new link, as a code to scan; it is shown this once."""
    if not cookies.tables():
        return redirect_to(url_for("transfers.page"))
    path = url_for("transfers.offer", secret=make_secret(KIND))
    address = context.shareable_url(path)
    scannable = not context.obstacle()
    return _render_page(address=address, code=draw_code(address), scannable=scannable)


@bp.post("/off")
def withdraw() -> AnyResponse:
    """Let the link bring nothing any more."""
    if pen := cookies.pen():
        pens.withdraw(context.db(), KIND, pen)
    address = url_for("transfers.page")
    flash_at(address, context.language().gettext("The link brings nothing any more."))
    return redirect_to(address)


@bp.post("/link")
def find() -> AnyResponse:
    """Lead to the link that was pasted, for an app that has no line for addresses."""
    found = _LINK.search(request.form.get("address", "")[:LONGEST_FIELD])
    if found:
        return redirect_to(url_for("transfers.offer", secret=found[1]))
    message = context.language().gettext(
        "That is no such link. Copy it on the other phone, and paste the whole of it here."
    )
    return _render_page(Refusal(message))


@bp.get("/<secret>")
def offer(secret: str) -> Response:
    """Ask whether the tables are to come here; a preview of the link uses nothing up."""
    found = pens.read_transfer(context.db(), KIND, secret, cookies.pen())
    if found.state == "open":
        # Here already, so that an answer that is lost on its way costs nothing.
        cookies.take_pen()
    return render_offer(found)


@bp.post("/<secret>")
def take(secret: str) -> AnyResponse:
    """Let the tables come to this phone, and leave the secret behind."""
    return take_here(KIND, secret, url_for("table_list.page"))


def make_secret(kind: TransferKind) -> str:
    """Make a transfer of all that this phone knows."""
    here, elsewhere = _list_tables()
    found = {table.link for table in here} | elsewhere.keys()
    tables = {link: away for link, away in cookies.tables().items() if link in found}
    pen, language = cookies.take_pen(), cookies.language_choice() or ""
    return pens.make_transfer(context.db(), kind, pen, tables, language, context.instance())


def _list_tables() -> tuple[list[PhoneTable], dict[str, bool]]:
    """The tables of this phone that are here, and the links of those at another server."""
    known = cookies.tables()
    here = lists.list_tables(context.db(), cookies.pen(), known)
    return here, lists.find_elsewhere(known, here, context.instance())


def take_here(kind: TransferKind, secret: str, leads_to: str, *, home: bool = False) -> AnyResponse:
    """Take a transfer to this phone, and lead on; or say why it cannot be taken.

    `home` as in `render_offer`.
    """
    found = pens.take_transfer(context.db(), kind, secret, cookies.take_pen())
    if found.state not in ("open", "taken"):
        return render_offer(found, home=home)
    # Also when it asks again, its answer having been lost.
    cookies.add_tables(found.tables)
    if found.state == "open":
        if cookies.language_choice() is None:
            cookies.choose_language(found.language)
        tables = _tables_text(len(found.tables), found.pens)
        message = context.language().gettext("On this phone now: %(tables)s.", tables=tables)
        flash_at(leads_to, message)
    return redirect_to(leads_to)


def render_offer(found: TableTransfer, *, home: bool = False) -> Response:
    """The page of a link: the tables that a tap would bring, or why the link brings nothing.

    `home` is whether it is opened by a home screen.
    """
    if found.state == "gone":
        note_miss()
    knows = bool(cookies.tables())
    return hide_address(render("transfers/offer.html", found=found, knows=knows, home=home))


def _render_page(refusal: Refusal | None = None, **values: object) -> Response:
    here, elsewhere = _list_tables()
    return render(
        "transfers/page.html",
        "",
        refusal,
        tables=len(here) + len(elsewhere),
        pens=sum(table.writes for table in here),
        is_open=pens.is_open(context.db(), KIND, cookies.pen()),
        **values,
    )


@bp.app_template_filter("tables_text")
def _tables_text(tables: int, pens: int) -> str:
    """The number of tables, and of those with the pen: `3 bord, varav 2 med pennan`."""
    language = context.language()
    if tables == pens > 0:
        return language.ngettext(
            "%(num)s table, with the pen", "%(num)s tables, all with the pen", tables
        )
    text = language.ngettext("%(num)s table", "%(num)s tables", tables)
    if not pens:
        return text
    return language.gettext(
        "%(tables)s, %(pens)s of them with the pen", tables=text, pens=language.number(pens)
    )
