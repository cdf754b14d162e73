"""Forgetting, in two steps: first what will go is said, then it goes."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app import forgetting, tables
from app.reasons import sentence
from app.rules.errors import BadFile, ChicagoError, NotAllowed
from app.tables import NoPen
from app.web import phone

bp = Blueprint("forgetting", __name__, url_prefix="/t/<link>/forget")


@bp.get("")
def page(link: str) -> str:
    """What can be forgotten."""
    return _show(link)


@bp.post("")
def forget(link: str) -> AnyResponse:
    """Say what will go; and when that has been read, let it go."""
    if not tables.may_write(phone.store(), link, phone.pen()):
        raise NoPen("no_pen")
    try:
        if "sure" not in request.form:
            return make_response(_show(link, going=_going(link)))
        return _forget(link)
    except (BadFile, NotAllowed) as refusal:
        return make_response(_show(link, said=refusal), HTTPStatus.UNPROCESSABLE_ENTITY)


def _going(link: str) -> str:
    """What will go, in words. Raises BadFile, NotAllowed."""
    _, language = phone.speaking().gettext, phone.speaking()
    match request.form.get("what"):
        case "name":
            name = request.form.get("name", "")
            if name not in forgetting.names(phone.store(), link):
                raise NotAllowed("no_such_person", player=name)
            return _(
                "The name %(player)s goes everywhere at this table; the scores stay.", player=name
            )
        case "older":
            would = forgetting.going(phone.store(), link, _day())
            games = language.ngettext("%(num)s game", "%(num)s games", would.games)
            paid = language.ngettext("%(num)s payment", "%(num)s payments", would.payments)
            return _("This goes for good: %(games)s and %(paid)s.", games=games, paid=paid)
        case "table":
            count = len(tables.game_numbers(phone.store(), link))
            games = language.ngettext("%(num)s game", "%(num)s games", count)
            return _("The table goes for good, with %(games)s and all payments.", games=games)
        case _:
            raise BadFile("wrong_value", key="what", value=request.form.get("what"))


def _forget(link: str) -> AnyResponse:
    """Let go what was named. Raises BadFile, NotAllowed, NoPen."""
    store, write, _ = phone.store(), phone.write(link), phone.speaking().gettext
    match request.form.get("what"):
        case "name":
            new = forgetting.forget_name(store, write, request.form.get("name", ""), _("Player"))
            flash(_("The name is forgotten; in its place stands %(new)s.", new=new))
        case "older":
            forgetting.delete_before(store, write, _day())
            flash(_("Forgotten."))
        case "table":
            forgetting.delete_table(store, write)
            phone.forget(link)
            return redirect(url_for("start.page"), HTTPStatus.SEE_OTHER)
        case _:
            raise BadFile("wrong_value", key="what", value=request.form.get("what"))
    return redirect(url_for("forgetting.page", link=link), HTTPStatus.SEE_OTHER)


def _day() -> date:
    """The day everything before which is to go. Raises BadFile."""
    try:
        return date.fromisoformat(request.form.get("before", ""))
    except ValueError:
        raise BadFile("wrong_value", key="before", value=request.form.get("before")) from None


def _show(link: str, going: str = "", said: ChicagoError | None = None) -> str:
    tables.sheet(phone.store(), link)
    return render_template(
        "files/forget.html",
        link=link,
        going=going,
        said=sentence(said, phone.speaking()) if said else "",
        asked=request.form,
        names=forgetting.names(phone.store(), link),
        writes=tables.may_write(phone.store(), link, phone.pen()),
    )
