"""Pages of pens: links as codes, the pages they open, and the recovery link."""

from collections.abc import Mapping
from typing import Literal

from flask import Blueprint, Response, url_for

from app.http import context, cookies
from app.http.cookies import remember_table
from app.http.forms import Refusal, attempt, read_write, redirect_to, tell_at_table
from app.http.limits import record_bad_secret
from app.i18n.language import N_
from app.services import access
from app.services.access import LinkState, NoPen
from app.web.pwa import draw_code
from app.web.templates import render


def render_offer(
    offer: Literal["open", "recovery", "writes"], refusal: Refusal | None = None
) -> Response:
    """The page of a link that gives the pen: the effect that a tap has on this phone."""
    page = render("table/pen_link.html", "", refusal, offer=offer, name=context.access().name)
    return hide_address(page)


def hide_address(response: Response) -> Response:
    """Send no address of this page as a referrer, not even to our own pages."""
    # `no-referrer` would hide the form's Origin.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


def let_write() -> Response:
    """Redirect a phone that has just got the pen to the table, without the secret."""
    # Only a server has readers.
    from app.web import readers

    remember_table(context.link())
    return readers.note_pen(redirect_to(url_for("table.page")))


def render_code(
    dialog: str, path: str, refusal: Refusal | None = None, **values: object
) -> Response:
    """A dialog with an address of ours as a code to scan."""
    values["address"] = address = context.shareable_url(path)
    values["code"], values["scannable"] = draw_code(address), not context.obstacle()
    return render(f"dialogs/{dialog}.html", "", refusal, **values)


bp = Blueprint("pens", __name__, url_prefix="/t/<link>")

# The reason why a link does not give the pen, and another way to it.
WORDS: Mapping[LinkState, str] = {
    "used": N_(
        "Another phone has taken the pen with that link, which works only once. Ask whoever"
        " writes for a new one, or use the recovery link."
    ),
    "expired": N_(
        "That link had to be used within 15 minutes. Ask whoever writes for a new one, or use the"
        " recovery link."
    ),
    "revoked": N_(
        "That link no longer gives the pen. Ask whoever writes for a new one, or use the recovery"
        " link."
    ),
}


@bp.get("/join")
def join() -> Response:
    """The view's address as a code to scan."""
    kept = access.find_recovery(context.db(), context.access())
    return render_code("join", url_for("table.page"), recovery=kept)


@bp.get("/join.svg")
def code() -> Response:
    """The same code as a picture, for a large screen; an empty one where no phone could open it."""
    address = context.shareable_url(url_for("table.page"))
    drawn = "" if context.obstacle() else draw_code(address)
    picture = f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'
    return Response(picture, mimetype="image/svg+xml")


@bp.post("/pen")
def hand_over() -> Response:
    """A new link that gives the pen, as a code to scan."""
    secret = attempt(lambda: access.make_pen_link(context.db(), read_write()))
    if isinstance(secret, Refusal):
        return render_code("join", url_for("table.page"), refusal=secret)
    return render_code("pen", url_for("pens.take", secret=secret))


@bp.get("/pen/<token:secret>")
def offer(secret: str) -> Response:
    """Ask whether this phone is to write; a preview of the link uses nothing up."""
    if context.access().writes:
        return render_offer("writes")
    state = access.read_link_state(context.db(), context.access(), secret)
    if state != "open":
        return _refuse_pen(state)
    # The phone gets its pen's secret here already, so that a lost answer costs nothing.
    cookies.get_or_create_pen()
    return render_offer("open")


@bp.post("/pen/<token:secret>")
def take(secret: str) -> Response:
    """Give this phone the pen, and leave the secret behind."""
    if isinstance(refusal := attempt(cookies.require_kept), Refusal):
        return render_offer("open", refusal)
    state = access.redeem_pen_link(
        context.db(), context.link(), secret, cookies.get_or_create_pen()
    )
    if state != "open":
        return _refuse_pen(state)
    return let_write()


@bp.post("/pen/back")
def revoke_others() -> Response:
    """Take every other pen back."""
    access.revoke_others(context.db(), read_write())
    answer = tell_at_table(context.gettext("Only this phone writes now."))
    if access.find_recovery(context.db(), context.access()):
        tell_at_table(context.gettext("The recovery link still gives the pen."))
    return answer


def _refuse_pen(state: LinkState) -> Response:
    if state == "revoked":
        record_bad_secret()
    return tell_at_table(context.gettext(WORDS[state]))


@bp.get("/recovery")
def recovery() -> Response:
    """The recovery link's purpose, and whether the table has one."""
    kept = access.find_recovery(context.db(), context.access())
    return render("dialogs/recovery.html", recovery=kept)


@bp.post("/recovery")
def make_recovery() -> Response:
    """A new recovery link, to keep; it is shown this once."""
    secret = access.make_recovery_link(context.db(), read_write())
    return render_code("recovery", url_for("pens.recover", secret=secret))


@bp.post("/recovery/off")
def turn_recovery_off() -> Response:
    """Revoke the recovery link."""
    access.turn_recovery_off(context.db(), read_write())
    return tell_at_table(context.gettext("The recovery link has been turned off."))


@bp.post("/recovery/seen")
def see_recovery() -> Response:
    """Confirm that the use of the recovery link has been seen."""
    access.see_recovery(context.db(), read_write())
    return redirect_to(url_for("table.page"))


@bp.get("/recovery/<token:secret>")
def offer_recovery(secret: str) -> Response:
    """Say what the link does; a preview changes nothing."""
    if context.access().writes:
        return render_offer("writes")
    if not access.find_recovery(context.db(), context.access(), secret):
        return _refuse_recovery()
    cookies.get_or_create_pen()
    return render_offer("recovery")


@bp.post("/recovery/<token:secret>")
def recover(secret: str) -> Response:
    """Give this phone the pen, and leave the secret behind."""
    if isinstance(refusal := attempt(cookies.require_kept), Refusal):
        return render_offer("recovery", refusal)
    try:
        access.recover(context.db(), context.link(), secret, cookies.get_or_create_pen())
    except NoPen:
        return _refuse_recovery()
    return let_write()


def _refuse_recovery() -> Response:
    """Redirect from an old link to the readers' view, with a message."""
    record_bad_secret()
    message = context.gettext(
        "That recovery link no longer works: there is a newer one, or it was turned off. Ask"
        " whoever writes for the pen."
    )
    return tell_at_table(message)
