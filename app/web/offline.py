"""Playing without a network: the page that is its setting, and the line of what is only here.

Progress and the phone's storage are filled in by the page's scripts: only the browser knows them.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

from flask import Blueprint, Response, abort, current_app
from msgspec import Struct

from app.http import context
from app.http.assets import bundle_available
from app.i18n.language import Language
from app.web.templates import render

bp = Blueprint("offline", __name__)

MEGABYTE = 1_000_000
# How long something may be on this phone alone before the page gets more pressing.
HOURS, DAYS = timedelta(hours=1), timedelta(hours=12)

Urgency = Literal["minutes", "hours", "days"]


class OnlyHere(Struct, frozen=True):
    """Facts on this phone alone: entries, tables, and since when (ISO 8601).

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
        """The urgency of waiting changes by their age."""
        age = datetime.now(UTC) - datetime.fromisoformat(self.since)
        return "minutes" if age < HOURS else "hours" if age < DAYS else "days"

    @property
    def key(self) -> str:
        """Identity of the banner, by which the page's script tells whether it is still the same."""
        return f"{self.waiting} {self.tables} {self.conflicts} {self.since}"


@bp.get("/offline")
def page() -> Response:
    """The setting, how it stands, and which tables are only on this phone."""
    if not (bundle_available() or current_app.config["PHONE"]):
        abort(404)
    return render("offline/page.html")


@bp.app_template_filter("megabytes")
def _megabytes(size: int) -> str:
    """Bytes as people are told of them: `5 MB`."""
    return f"{context.language().number(max(1, round(size / MEGABYTE)))}\N{NO-BREAK SPACE}MB"


@bp.app_template_filter("only_here_text")
def _only_here_text(here: OnlyHere) -> str:
    return only_here_text(here, context.language())


def only_here_text(here: OnlyHere, language: Language) -> str:
    """Sentence for facts that are only on this phone."""
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
