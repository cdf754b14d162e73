"""A table's next game with changes: other players, another order, stake, dealer or rules."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app import merging, people, playing, tables
from app.rules.ending import next_dealer
from app.rules.gamefile import MAX_PLAYERS, MIN_PLAYERS
from app.tables import Sheet
from app.web import drafts, phone
from app.web.attempts import attempt
from app.web.drafts import Form, choices
from app.web.start import agreed, read_form, rearranged

bp = Blueprint("nextgame", __name__, url_prefix="/t/<link>/next")

MOST_KNOWN = 24


@bp.get("")
def page(link: str) -> AnyResponse:
    """The next game as the last one was, to be changed."""
    sheet = tables.sheet(phone.store(), link)
    if not sheet.state.over or not tables.may_write(phone.store(), link, phone.pen()):
        return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)
    return _show(link, sheet, drafts.kept(link) or _fresh(sheet))


@bp.post("")
def start(link: str) -> AnyResponse:
    """Start the next game, or change the form as a button asks."""
    form, do = read_form(request.form), request.form.get("do")
    if do == "rules":
        form.table = link
        drafts.keep(form)
        where = url_for("rules.change_next", link=link, drafted=1)
        return redirect(where, HTTPStatus.SEE_OTHER)
    if do is not None:
        return _show(link, tables.sheet(phone.store(), link), rearranged(form, do))
    said, status = attempt(lambda: _begin(link, form))
    if status is not HTTPStatus.OK:
        return _show(link, tables.sheet(phone.store(), link), form, said, status)
    if drafts.kept(link) is not None:
        drafts.drop()
    return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)


def _begin(link: str, form: Form) -> None:
    changed = agreed(form)
    merging.check_seats(phone.store(), link, [name for name in form.players if name.strip()])
    playing.next_game(phone.store(), phone.write(link, "game"), changed)


def _fresh(sheet: Sheet) -> Form:
    """Same seats, stake and rules, and the deal moves on."""
    setup, form = sheet.game.setup, drafts.fresh(sheet.game.setup)
    form.players = list(setup.players)
    dealer = next_dealer(setup.players, sheet.state.deal.dealer, setup.players)
    form.dealer = str(setup.players.index(dealer))
    return form


def _show(
    link: str, sheet: Sheet, form: Form, said: str = "", status: HTTPStatus = HTTPStatus.OK
) -> Response:
    part = "HX-Request" in request.headers
    known = people.people(phone.store(), tables.table_id(phone.store(), link)).persons
    page = render_template(
        "start/_form.html" if part else "start/next.html",
        link=link,
        sheet=sheet,
        action=url_for("nextgame.page", link=link),
        form=form,
        said=said,
        known=[name for name in known if name not in form.players][:MOST_KNOWN],
        last=[],
        most=MAX_PLAYERS,
        fewest=MIN_PLAYERS,
        choices=choices(form, phone.speaking()),
    )
    return make_response(page, status)
