"""A table of which there are two versions: both in sight, and three ways to choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.application import application
from app.http.forms import Refusal, attempt, flash_at, redirect_to
from app.i18n.errors import error_text
from app.i18n.language import N_
from app.phone import conflicts
from app.phone.replicas import Conflict
from app.rules.errors import NotAllowed
from app.web.templates import render

bp = Blueprint("decision", __name__, url_prefix="/t/<link>/decide")

WHY: Mapping[Conflict, str] = {
    "stale": N_("Somebody else has written at this table while this phone was without a network."),
    "no_pen": N_("This phone may not write at this table any more: the pen is with others."),
    "gone": N_("The score keeper has this table no longer."),
    "refused": N_("The score keeper did not take what this phone has of this table."),
}


@bp.get("")
def page(link: str) -> AnyResponse:
    """Both versions, and what each way would do; nothing is changed by looking."""
    return _render(link)


@bp.post("")
def decide(link: str) -> AnyResponse:
    """Go the way that was chosen."""
    way = WAYS.get(request.form.get("do", ""))
    if way is None:
        return _render(link)
    outcome = attempt(lambda: way(link))
    application().rendered.clear()
    if isinstance(outcome, Refusal):
        return _render(link, outcome)
    address, told = outcome
    flash_at(address, context.language().gettext(told))
    return redirect_to(address)


def _add(link: str) -> tuple[str, str]:
    conflicts.add_mine(context.db(), link)
    return url_for("table.page", link=link), N_("What was written here has been added.")


def _own(link: str) -> tuple[str, str]:
    new = conflicts.make_own_table(context.db(), link)
    return url_for("table.page", link=new), N_("This is a table of its own now.")


def _keep_servers(link: str) -> tuple[str, str]:
    has_one = conflicts.keep_servers(context.db(), link)
    address = url_for("table.page", link=link) if has_one else url_for("new_table.page")
    return address, N_("What was only on this phone is gone; the other version counts.")


WAYS: Mapping[str, Callable[[str], tuple[str, str]]] = {
    "add": _add,
    "own": _own,
    "server": _keep_servers,
}


def _render(link: str, refusal: Refusal | None = None) -> AnyResponse:
    try:
        both = conflicts.read_divergence(context.db(), link)
    except NotAllowed:
        # Decided already, maybe with a second tap.
        return redirect_to(url_for("table.page", link=link))
    return render(
        "offline/decide.html",
        "",
        refusal,
        both=both,
        why=WHY[both.row.conflict],
        addition=conflicts.try_to_add(context.db(), link) if both.there else None,
        reason_of=lambda fault: error_text(fault, context.language()),
    )
