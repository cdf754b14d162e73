"""Forgetting, in two steps: first what will go is said, then it goes."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.i18n.errors import error_text
from app.rules.errors import BadFile, ChicagoError, NotAllowed
from app.services import erasure, tables
from app.services.tables import NoPen

bp = Blueprint("erasure", __name__, url_prefix="/t/<link>/forget")


@bp.get("")
def page(link: str) -> str:
    """What can be forgotten."""
    return _show(link)


@bp.post("")
def forget(link: str) -> AnyResponse:
    """Say what will go; and when that has been read, let it go."""
    if not tables.may_write(context.pool(), link, context.pen()):
        raise NoPen("no_pen")
    try:
        if "sure" not in request.form:
            return make_response(_show(link, going=_going(link)))
        return _forget(link)
    except (BadFile, NotAllowed) as refusal:
        return make_response(_show(link, said=refusal), HTTPStatus.UNPROCESSABLE_ENTITY)


def _going(link: str) -> str:
    """What will go, in words. Raises BadFile, NotAllowed."""
    _, language = context.language().gettext, context.language()
    match request.form.get("what"):
        case "name":
            name = request.form.get("name", "")
            if name not in erasure.list_names(context.pool(), link):
                raise NotAllowed("no_such_person", player=name)
            return _(
                "The name %(player)s goes everywhere at this table; the scores stay.", player=name
            )
        case "older":
            would = erasure.count_before(context.pool(), link, _day())
            games = language.ngettext("%(num)s game", "%(num)s games", would.games)
            paid = language.ngettext("%(num)s payment", "%(num)s payments", would.payments)
            return _("This goes for good: %(games)s and %(paid)s.", games=games, paid=paid)
        case "table":
            count = len(tables.game_numbers(context.pool(), link))
            games = language.ngettext("%(num)s game", "%(num)s games", count)
            return _("The table goes for good, with %(games)s and all payments.", games=games)
        case _:
            raise BadFile("wrong_value", key="what", value=request.form.get("what"))


def _forget(link: str) -> AnyResponse:
    """Let go what was named. Raises BadFile, NotAllowed, NoPen."""
    pool, write, _ = context.pool(), context.write_request(link), context.language().gettext
    match request.form.get("what"):
        case "name":
            new = erasure.erase_name(pool, write, request.form.get("name", ""), _("Player"))
            flash(_("The name is forgotten; in its place stands %(new)s.", new=new))
        case "older":
            erasure.delete_before(pool, write, _day())
            flash(_("Forgotten."))
        case "table":
            erasure.delete_table(pool, write)
            context.forget_table(link)
            return redirect(url_for("new_table.page"), HTTPStatus.SEE_OTHER)
        case _:
            raise BadFile("wrong_value", key="what", value=request.form.get("what"))
    return redirect(url_for("erasure.page", link=link), HTTPStatus.SEE_OTHER)


def _day() -> date:
    """The day everything before which is to go. Raises BadFile."""
    try:
        return date.fromisoformat(request.form.get("before", ""))
    except ValueError:
        raise BadFile("wrong_value", key="before", value=request.form.get("before")) from None


def _show(link: str, going: str = "", said: ChicagoError | None = None) -> str:
    tables.sheet(context.pool(), link)
    return render_template(
        "data/forget.html",
        link=link,
        going=going,
        said=error_text(said, context.language()) if said else "",
        asked=request.form,
        names=erasure.list_names(context.pool(), link),
        writes=tables.may_write(context.pool(), link, context.pen()),
    )
