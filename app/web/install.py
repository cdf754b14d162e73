"""On an iPhone's home screen: the app is put there with an address that opens it as it was.

WebKit gives an app on the home screen cookies of its own, so that it would begin empty and only
read. Its start address holds a secret that imports the browser's tables at the first start:
docs/decisions/0007-installed-on-an-iphone.md.
"""

from __future__ import annotations

from flask import Blueprint, Response, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import redirect_to
from app.http.limits import TRANSFERS, note_miss, rate_limit
from app.services import pens
from app.services.pens import TransferKind
from app.web.pwa import render_manifest
from app.web.table.pens import hide_address
from app.web.templates import render
from app.web.transfers import make_secret, render_offer, take_here

bp = Blueprint("install", __name__)

KIND: TransferKind = "install"


@bp.get("/install")
def page() -> Response:
    """The page that helps the score keeper onto a home screen."""
    return render("install/page.html", knows=bool(cookies.tables()))


@bp.post("/install")
@rate_limit(TRANSFERS)
def prepare() -> AnyResponse:
    """Make a start address, and lead there: WebKit installs the page that it is on."""
    if not cookies.tables():
        return redirect_to(url_for("install.page"))
    return redirect_to(url_for("install.start", secret=make_secret(KIND)))


@bp.get("/start/<secret>")
def start(secret: str) -> AnyResponse:
    """The start page of a home screen: in the browser the steps, in the app the transfer.

    At every later start it is the start page. A preview uses nothing up.
    """
    found = pens.read_transfer(context.db(), KIND, secret, cookies.pen())
    if found.state == "own":
        manifest = url_for("install.manifest", secret=secret)
        return hide_address(render("install/page.html", manifest=manifest))
    if found.state == "taken" and not cookies.tables():
        cookies.add_tables(found.tables)
    if found.state != "open" and cookies.tables():
        return redirect_to(url_for("new_table.page"))
    return render_offer(KIND, found.state)


@bp.post("/start/<secret>")
def take(secret: str) -> AnyResponse:
    """Let the tables come along, and leave the secret behind."""
    return take_here(KIND, secret, url_for("new_table.page"))


@bp.get("/start/<secret>/app.webmanifest")
def manifest(secret: str) -> Response:
    """The app as it is put on the home screen from the page with the steps.

    WebKit asks for it without cookies, and keeps the answer for as long as it may.
    """
    found = pens.read_transfer(context.db(), KIND, secret, None)
    if found.state == "gone":
        note_miss()
    opens = (
        url_for("install.start", secret=secret)
        if found.state == "open"
        else url_for("new_table.page")
    )
    response = hide_address(render_manifest(opens))
    response.headers["Cache-Control"] = "private, no-store"
    return response
