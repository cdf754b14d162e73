"""What a phone tells that runs the score keeper itself: what is only there, what needs others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus

from flask import Blueprint, Flask, Response, abort, current_app, request
from msgspec import Struct

from app.http import context
from app.http.forms import Refusal
from app.i18n.language import N_
from app.services import tables
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
# What can only be done together with the server: the title of the page that says so, and its words.
NEEDS_OTHERS: Mapping[str, tuple[str, str]] = {
    "share.hand_over": (PEN_TITLE, PEN_STAYS),
    "share.take_back": (PEN_TITLE, PEN_STAYS),
    "share.offer": (PEN_TITLE, PEN_LINK),
    "share.take": (PEN_TITLE, PEN_LINK),
    "recovery.page": (RECOVERY_TITLE, RECOVERY),
    "recovery.make": (RECOVERY_TITLE, RECOVERY),
    "recovery.turn_off": (RECOVERY_TITLE, RECOVERY),
    "recovery.see": (RECOVERY_TITLE, RECOVERY),
    "recovery.offer": (PEN_TITLE, PEN_LINK),
    "recovery.take": (PEN_TITLE, PEN_LINK),
}


class Status(Struct, frozen=True):
    """What waits on this phone: how many entries, since when, and the links of their tables."""

    waiting: int = 0
    since: str | None = None
    only_here: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()

    @property
    def links(self) -> list[str]:
        """The tables of which something is only here."""
        return list(dict.fromkeys([*self.only_here, *self.conflicts]))


ReadStatus = Callable[[], Status]


def register(app: Flask, read_status: ReadStatus) -> None:
    """Add the pages; `read_status` is asked for each page what is only on this phone."""
    app.register_blueprint(bp)
    app.before_request(tell_what_needs_others)
    app.extensions["phone_status"] = read_status
    app.jinja_env.globals["only_here"] = find_only_here
    app.jinja_env.globals["is_only_here"] = is_only_here


def read_status() -> Status:
    """What waits on this phone, as it is now."""
    read: ReadStatus = current_app.extensions["phone_status"]
    return read()


def find_only_here() -> OnlyHere | None:
    """What is only on this phone, None when the server has acknowledged all of it."""
    status = read_status()
    if not (status.waiting or status.links) or status.since is None:
        return None
    return OnlyHere(
        waiting=status.waiting,
        tables=len(status.links),
        conflicts=len(status.conflicts),
        since=status.since,
        address=f"/t/{status.conflicts[0]}/decide" if len(status.conflicts) == 1 else "/offline",
    )


def is_only_here(link: str) -> bool:
    """Whether something of a table is on this phone alone."""
    return link in read_status().links


def tell_what_needs_others() -> Response | None:
    """Say in words what can only be done with a network, before it is tried without one."""
    texts = NEEDS_OTHERS.get(request.endpoint or "")
    if texts is None:
        return None
    title, words = map(context.language().gettext, texts)
    refusal = None if request.method == "GET" else Refusal("", HTTPStatus.UNPROCESSABLE_ENTITY)
    page, fragment = "offline/needs_network.html", "offline/_needs_network.html"
    return render(page, fragment, refusal, title=title, words=words)


@bp.get("/t/<link>/here")
def here(link: str) -> Response:
    """What of a table is only on this phone, and what can be done about it: a piece of a list."""
    status = read_status()
    if link not in status.links:
        abort(404)
    sheet = tables.read_sheet(context.pool(), link)
    two = link in status.conflicts
    return render("offline/_table_here.html", sheet=sheet, two_versions=two)
