"""What a phone tells that runs the score keeper itself: what is only there, what needs others."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.application import Application
from app.http.forms import Refusal, redirect_to
from app.i18n.errors import SENTENCES
from app.i18n.language import N_
from app.phone import decision, replicas
from app.phone.replicas import Waiting
from app.services import sheets, tables
from app.web.offline import OnlyHere
from app.web.templates import render

bp = Blueprint("phone", __name__)

PEN_TITLE = N_("The pen")
PEN_STAYS = N_(
    "Handing the pen over needs a network."
    " Until then this phone goes on writing, and nothing is lost."
)
PEN_LINK = N_("A link that gives the pen needs a network. Open it again when there is one.")
RECOVERY_TITLE = N_("If the phone is lost")
RECOVERY = N_(
    "A recovery link needs a network. Until then a file of the games, kept somewhere else,"
    " is what helps."
)
MINE_TITLE = N_("My figures over all tables")
MINE = N_("They are put together by the server, so this needs a network.")
TRANSFER_TITLE = N_("My tables on another phone")
TRANSFER = N_(
    "Taking tables from one phone to another, or to the home screen, needs a network."
    " Until then they stay here, and nothing is lost."
)
# Nothing is erased on the server by a phone that cannot ask it.
ERASURE = "erasure.forget"
ERASURE_TITLE = N_("Forget")
SAMPLE_TITLE = N_("A sample game")
# What can only be done together with the server: the title of the page that says so, and its words.
NEEDS_OTHERS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("share.hand_over", "share.take_back"), (PEN_TITLE, PEN_STAYS)),
    **dict.fromkeys(
        ("share.offer", "share.take", "recovery.offer", "recovery.take"), (PEN_TITLE, PEN_LINK)
    ),
    **dict.fromkeys(
        ("recovery.page", "recovery.make", "recovery.turn_off", "recovery.see"),
        (RECOVERY_TITLE, RECOVERY),
    ),
}


def register(app: Application) -> None:
    """Add the pages, and what all pages tell of what is only on this phone."""
    app.register_blueprint(bp)
    app.register_blueprint(decision.bp)
    app.before_request(hide_servers_versions)
    app.before_request(tell_what_needs_others)
    app.read_notice = _read_notice
    app.jinja_env.globals["only_here"] = find_only_here
    app.jinja_env.globals["is_only_here"] = is_only_here


def find_only_here() -> OnlyHere | None:
    """What is only on this phone, None when the server has acknowledged all of it."""
    status = replicas.read_status(context.db())
    if not status.only_here or status.since is None:
        return None
    return OnlyHere(
        waiting=status.waiting - len(status.unopened),
        tables=len(status.only_here),
        conflicts=len(status.conflicts),
        since=status.since,
        address=f"/t/{status.conflicts[0]}/decide" if len(status.conflicts) == 1 else "/offline",
    )


def _read_notice() -> tuple[str, str] | None:
    """What every page tells of it, so that none is shown again that tells what was before."""
    here = find_only_here()
    return (here.key, here.urgency) if here else None


def is_only_here(link: str) -> bool:
    """Whether the server does not have a table as yet."""
    return link in replicas.read_status(context.db()).unopened


def hide_servers_versions() -> None:
    """Have no page of a server's version in conflict: nobody writes there, and none is for readers.

    It stands on the page where a person decides. Raises NotFound.
    """
    if context.has_table() and not context.access().writes:
        raise tables.NotFound("no_such_table")


def tell_what_needs_others() -> Response | None:
    """Say in words what can only be done with a network, before it is tried without one."""
    texts = NEEDS_OTHERS.get(request.endpoint or "")
    if texts is None and request.endpoint == ERASURE and request.method == "POST":
        row = replicas.find(context.db().connection, context.link())
        texts = None if row and row.unsent else (ERASURE_TITLE, SENTENCES["needs_network"])
    return None if texts is None else _tell_need(*texts)


def _tell_need(*texts: str) -> Response:
    """Say what needs a network, under a title."""
    title, words = map(context.language().gettext, texts)
    refusal = None if request.method == "GET" else Refusal("", HTTPStatus.UNPROCESSABLE_ENTITY)
    page, fragment = "offline/needs_network.html", "offline/_needs_network.html"
    return render(page, fragment, refusal, title=title, words=words)


@bp.route("/install", methods=["GET", "POST"])
@bp.route("/transfer", methods=["GET", "POST"])
@bp.route("/transfer/<secret>", methods=["GET", "POST"])
@bp.post("/start/<secret>")
def transfer(**_: str) -> Response:
    """Say in words that only a server has these pages."""
    return _tell_need(TRANSFER_TITLE, TRANSFER)


@bp.get("/sample/<preset>")
@bp.get("/sample/<preset>/<int:number>")
@bp.get("/t/<link>/sample")
@bp.get("/t/<link>/sample/<int:number>")
def sample(**_: str) -> Response:
    """Say in words that only a server has the sample game."""
    return _tell_need(SAMPLE_TITLE, SENTENCES["needs_network"])


@bp.route("/mine", methods=["GET", "POST"])
def mine() -> Response:
    """Say in words that only a server adds tables up."""
    return _tell_need(MINE_TITLE, MINE)


@bp.get("/start/<secret>")
def start(secret: str) -> AnyResponse:
    """What an iPhone's home screen opens each time: the start page, as with a network."""
    return redirect_to(url_for("new_table.page"))


@bp.get("/t/<link>/here")
def here(link: str) -> Response:
    """What of a table is only on this phone, and what can be done about it: a piece of a list."""
    row = replicas.find(context.db().connection, link)
    if row is None or not (row.waiting or row.conflict):
        abort(HTTPStatus.NOT_FOUND)
    sheet = sheets.read_sheet(context.db(), link)
    return render("offline/_table_here.html", sheet=sheet, row=row, told=_tell(row))


def _tell(row: Waiting) -> str:
    """What of a table waits, in a few words."""
    language = context.language()
    told = [language.gettext("the whole table")] if row.unopened else []
    if row.changes:
        told.append(language.ngettext("%(num)s tap", "%(num)s taps", row.changes))
    return ", ".join(told)
