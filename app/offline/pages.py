"""Pages that only a phone without a network has: waiting changes, conflicts, missing features."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from flask import Blueprint, Response, request, url_for
from werkzeug.exceptions import BadRequest, MethodNotAllowed, NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.application import Application, application
from app.http.forms import Refusal, attempt, flash_at, redirect_to
from app.i18n.errors import error_text
from app.i18n.language import N_
from app.offline import conflicts, replicas
from app.offline.replicas import ConflictKind, Waiting
from app.rules.errors import NotAllowed
from app.services import table_view
from app.services.table_view import TableView
from app.web.offline import OnlyHere
from app.web.templates import render

bp = Blueprint("phone", __name__)

# Forms of a table that a phone carries out by itself; all others give rights to others, or erase.
FORMS = frozenset(
    {
        *("table.record", "table.undo", "table.redo", "table.rematch", "amend.mend"),
        *("new_table.start_next", "rules.send_next", "revise.send", "revise.send_deal"),
        *("evening.all_paid", "evening.undo", "evening.pay_in_advance", "evening.pay"),
        *("evening.number", "evening.change_people", "table_list.rename", "phone.decide"),
    }
)
WHY: Mapping[ConflictKind, str] = {
    "stale": N_("Somebody else has written at this table while this phone was without a network."),
    "no_pen": N_("This phone may not write at this table any more: the pen is with others."),
    "gone": N_("The score keeper has this table no longer."),
    "refused": N_("The score keeper did not take what this phone has of this table."),
}


def register(app: Application) -> None:
    """Add the pages, and the banner of changes that are only on this phone."""
    app.register_blueprint(bp)
    app.before_request(_ask_others)
    app.read_banner = _read_banner
    app.jinja_env.globals["only_here"] = find_only_here
    app.jinja_env.globals["is_only_here"] = _is_only_here
    app.jinja_env.globals["waiting_tables"] = list_waiting
    app.jinja_env.globals["unread_tables"] = list_unread


def find_only_here() -> OnlyHere | None:
    """The entries that are only on this phone, None when the server has acknowledged all of it."""
    rows = [row for row in replicas.find_waiting(context.db().connection) if row.waiting]
    if not rows:
        return None
    parted = [row.link for row in rows if row.conflict]
    return OnlyHere(
        waiting=sum(row.changes for row in rows),
        tables=len(rows),
        conflicts=len(parted),
        since=min(row.since for row in rows if row.since),
        address=f"/t/{parted[0]}/decide" if len(parted) == 1 else "/offline",
    )


def _read_banner() -> tuple[str, str] | None:
    """The banner on every page, so that no rendered page with an older one is shown again."""
    here = find_only_here()
    return (here.key, here.urgency) if here else None


def _is_only_here(link: str) -> bool:
    """Whether the server does not have a table as yet."""
    row = replicas.find(context.db().connection, link)
    return row is not None and row.unopened


def list_waiting() -> list[tuple[Waiting, TableView]]:
    """Tables of which something is only on this phone."""
    rows = replicas.find_waiting(context.db().connection)
    return [(row, table_view.read_view(context.db(), row.link)) for row in rows if row.waiting]


def list_unread() -> list[tuple[str, TableView | None]]:
    """The links of tables that the bundle here is too old for, with what there was before that."""
    db = context.db()
    held = {row.link for row in replicas.find_waiting(db.connection)}
    links = replicas.read_phone(db).unread
    return [(link, table_view.read_view(db, link) if link in held else None) for link in links]


def _ask_others() -> Response | None:
    """The page for features that need the network: a server's pages, and rights of others."""
    unknown = isinstance(request.routing_exception, NotFound | MethodNotAllowed)
    of_table = request.method == "POST" and context.has_table()
    if not (unknown or (of_table and request.endpoint not in FORMS)):
        return None
    refusal = None if request.method == "GET" else Refusal("", HTTPStatus.UNPROCESSABLE_ENTITY)
    return render("offline/needs_network.html", "", refusal)


@bp.get("/start/<secret>")
def start(secret: str) -> AnyResponse:
    """Redirect an app on a home screen, which opens this each time, to the start page."""
    return redirect_to(url_for("new_table.page"))


@bp.get("/t/<link>/decide")
def both(link: str) -> AnyResponse:
    """Both versions, and the effect of each choice; the page changes nothing."""
    return _render(link)


@bp.post("/t/<link>/decide")
def decide(link: str) -> AnyResponse:
    """Resolve the conflict as chosen, or go back."""
    outcome = attempt(lambda: _go(link, request.form.get("do")))
    application().rendered.clear()
    if isinstance(outcome, Refusal):
        return _render(link, outcome)
    address, message = outcome
    flash_at(address, context.language().gettext(message))
    return redirect_to(address)


def _go(link: str, way: str | None) -> tuple[str, str]:
    """Resolve the conflict; the next page, and its message."""
    db, here = context.db(), url_for("phone.both", link=link)
    match way:
        case "add":
            conflicts.add_mine(db, link)
            return url_for("table.page", link=link), N_("What was written here has been added.")
        case "own":
            conflicts.make_own_table(db, link)
            return here, N_("This is a table of its own now.")
        case "server":
            is_there = conflicts.keep_theirs(db, link)
            return here if is_there else url_for("new_table.page"), N_("The other version counts.")
        case "undo":
            conflicts.undo_choice(db, link)
            return here, N_("Both versions are here again.")
    raise BadRequest


def _render(link: str, refusal: Refusal | None = None) -> AnyResponse:
    try:
        versions = conflicts.read_divergence(context.db(), link)
    except NotAllowed:
        return _render_decided(link, refusal)
    return render(
        "offline/decide.html",
        "",
        refusal,
        both=versions,
        why=WHY[versions.row.conflict or "stale"],
        reason_of=lambda fault: error_text(fault, context.language()),
    )


def _render_decided(link: str, refusal: Refusal | None) -> AnyResponse:
    """The choice that was made, while one can go back; else the table."""
    row = replicas.find(context.db().connection, link)
    parted = row.versions if row else replicas.Parted()
    if not parted.other:
        return redirect_to(url_for("table.page", link=link))
    return render("offline/decided.html", "", refusal, own=parted.own)
