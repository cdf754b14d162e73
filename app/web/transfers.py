"""This phone's tables and pens for another phone, or for an iPhone's home screen, by one link."""

from flask import Blueprint, Response, url_for

from app.http import context, cookies
from app.http.forms import Refusal, attempt, redirect_to
from app.http.limits import TRANSFERS, rate_limit, record_bad_secret
from app.services import phones
from app.services.phones import TransferKind, TransferState
from app.web.pens import hide_address
from app.web.pwa import draw_code, render_manifest
from app.web.templates import render

bp = Blueprint("transfers", __name__)


@bp.get("/transfer")
def page() -> Response:
    """The page of a transfer to another phone."""
    return render("transfers/page.html", knows=bool(cookies.tables()))


@bp.post("/transfer")
@rate_limit(TRANSFERS)
def make() -> Response:
    """A new link, as a code to scan; it is shown this once, and ends the one before."""
    if not cookies.tables():
        return redirect_to(url_for("transfers.page"))
    address = context.shareable_url(url_for("transfers.offer", secret=make_secret("phone")))
    return render("transfers/page.html", knows=True, address=address, code=draw_code(address))


@bp.get("/transfer/<token:secret>")
def offer(secret: str) -> Response:
    """Ask whether the tables are to come here; a preview of the link uses nothing up."""
    found = phones.read_transfer(context.db(), "phone", secret, cookies.pen())
    return render_offer("phone", found.state)


@bp.post("/transfer/<token:secret>")
def take(secret: str) -> Response:
    """Let the tables come to this phone, and leave the secret behind."""
    return take_here("phone", secret, url_for("new_table.list_page"))


def make_secret(kind: TransferKind) -> str:
    """Make a transfer of all that this phone knows."""
    pen, language = cookies.get_or_create_pen(), cookies.language_choice() or ""
    tables = cookies.tables()
    return phones.make_transfer(context.db(), kind, pen, tables, language, context.instance())


def render_offer(
    kind: TransferKind, state: TransferState, refusal: Refusal | None = None
) -> Response:
    """The page of a link: what a tap would bring, or why the link brings nothing."""
    if state == "open":
        # Here already, so that an answer that is lost on its way costs nothing.
        cookies.get_or_create_pen()
    if state == "gone":
        record_bad_secret()
    knows, home = bool(cookies.tables()), kind == "install"
    page = render("transfers/offer.html", "", refusal, state=state, knows=knows, home=home)
    return hide_address(page)


def take_here(kind: TransferKind, secret: str, leads_to: str) -> Response:
    """Take a transfer to this phone, and lead on; or say why it cannot be taken."""
    if isinstance(refusal := attempt(cookies.require_kept), Refusal):
        return render_offer(kind, "open", refusal)
    found = phones.take_transfer(context.db(), kind, secret, cookies.get_or_create_pen())
    if found.state not in ("open", "taken"):
        return render_offer(kind, found.state)
    # Also when it asks again, its answer having been lost.
    cookies.add_tables(found.tables)
    if cookies.language_choice() is None:
        cookies.choose_language(found.language)
    return redirect_to(leads_to, context.gettext("The tables are now on this phone."))


# WebKit gives an app on the home screen cookies of its own, so that it would begin empty and only
# read. Its start address holds a secret that imports the browser's tables at the first start:
# docs/decisions/0007-installed-on-an-iphone.md.


@bp.get("/install")
def install() -> Response:
    """The page that helps the score keeper onto a home screen."""
    return render("install/page.html", knows=bool(cookies.tables()))


@bp.post("/install")
@rate_limit(TRANSFERS)
def prepare() -> Response:
    """Make a start address, and lead there: WebKit installs the page that it is on."""
    if not cookies.tables():
        return redirect_to(url_for("transfers.install"))
    return redirect_to(url_for("transfers.start", secret=make_secret("install")))


@bp.get("/start/<token:secret>")
def start(secret: str) -> Response:
    """The start page of a home screen: in the browser the steps, in the app the transfer.

    At every later start it is the start page. A preview uses nothing up.
    """
    found = phones.read_transfer(context.db(), "install", secret, cookies.pen())
    if found.state == "own":
        manifest = url_for("transfers.manifest", secret=secret)
        return hide_address(render("install/page.html", manifest=manifest))
    if found.state == "taken" and not cookies.tables():
        cookies.add_tables(found.tables)
    if found.state != "open" and cookies.tables():
        return redirect_to(url_for("new_table.page"))
    return render_offer("install", found.state)


@bp.post("/start/<token:secret>")
def take_home(secret: str) -> Response:
    """Let the tables come along, and leave the secret behind."""
    return take_here("install", secret, url_for("new_table.page"))


@bp.get("/start/<token:secret>/app.webmanifest")
def manifest(secret: str) -> Response:
    """The app as it is put on the home screen from the page with the steps.

    WebKit asks for it without cookies, and keeps the answer for as long as it may.
    """
    found = phones.read_transfer(context.db(), "install", secret, None)
    if found.state == "gone":
        record_bad_secret()
    opens = (
        url_for("transfers.start", secret=secret)
        if found.state == "open"
        else url_for("new_table.page")
    )
    response = hide_address(render_manifest(opens))
    response.headers["Cache-Control"] = "private, no-store"
    return response
