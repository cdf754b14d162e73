"""Playing without a network: the offer to take the score keeper along, and what is only here.

The kit is what a phone takes along (app/offline builds it). What a page tells of its progress and
of the phone's storage is filled in by its scripts, since only the browser knows.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request
from msgspec import Struct

from app.http import context
from app.http.assets import kit_available
from app.http.forms import read_int
from app.i18n.language import Language
from app.web.templates import render

bp = Blueprint("offline", __name__)

MEGABYTE = 1_000_000
# More than any phone can hold, so that a number in an address stays one that can be written.
MOST = 999_999
# How long something may be on this phone alone before the page gets more pressing.
HOURS, DAYS = timedelta(hours=1), timedelta(hours=12)

Urgency = Literal["minutes", "hours", "days"]


class OnlyHere(Struct, frozen=True):
    """What is on this phone alone: entries, tables, and since when (ISO 8601).

    `conflicts`: at how many of the tables somebody else has written meanwhile. `address` is the
    page that tells more.
    """

    waiting: int
    tables: int
    since: str
    conflicts: int = 0
    address: str = "/offline"

    @property
    def urgency(self) -> Urgency:
        """How pressing it is by now."""
        age = datetime.now(UTC) - datetime.fromisoformat(self.since)
        return "minutes" if age < HOURS else "hours" if age < DAYS else "days"

    @property
    def key(self) -> str:
        """What the page's script knows it by, to tell whether it is still the same."""
        return f"{self.waiting} {self.tables} {self.conflicts} {self.since}"


def register(app: Flask) -> None:
    """Add the pages to the application."""
    app.register_blueprint(bp)
    app.jinja_env.filters["megabytes"] = _megabytes
    app.jinja_env.filters["only_here_text"] = lambda here: only_here_text(here, context.language())


@bp.get("/offline")
def page() -> Response:
    """What it takes to play without a network, how it stands, and what is only on this phone."""
    if not (kit_available() or current_app.config["PHONE"]):
        abort(404)
    return render("offline/page.html")


@bp.get("/only-here")
def only_here() -> str:
    """The line that says what is only on this phone, as the phone's own script counts it."""
    # No table's link is asked for here: a link is a secret, and addresses are written into logs.
    here = OnlyHere(
        waiting=_read_count("waiting"),
        tables=_read_count("tables"),
        conflicts=_read_count("conflicts"),
        since=_read_moment(request.args.get("since", "")),
    )
    return render_template("offline/_only_here.html", here=here)


def _read_count(name: str) -> int:
    return read_int(request.args.get(name, ""), 0, MOST) or 0


def _read_moment(text: str) -> str:
    """A moment as ISO 8601 with its zone; now, where none can be read."""
    now = datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return now.isoformat()
    return text if moment.tzinfo else now.isoformat()


def _megabytes(size: int) -> str:
    """Bytes as people are told of them: `5 MB`."""
    return f"{context.language().number(max(1, round(size / MEGABYTE)))}\N{NO-BREAK SPACE}MB"


def only_here_text(here: OnlyHere, language: Language) -> str:
    """What is only on this phone, in a sentence."""
    if here.conflicts:
        return language.gettext(
            "A table has two versions: somebody else has written there too. Decide which counts."
        )
    if here.waiting:
        return language.ngettext(
            "%(num)s tap is saved here and is sent when the network is back.",
            "%(num)s taps are saved here and are sent when the network is back.",
            here.waiting,
        )
    return language.ngettext(
        "%(num)s table is saved here and is sent when the network is back.",
        "%(num)s tables are saved here and are sent when the network is back.",
        here.tables,
    )
