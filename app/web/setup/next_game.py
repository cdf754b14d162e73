"""A table's next game with changes: other players, another order, stake, dealer or rules."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import attempt
from app.rules.ending import next_dealer
from app.rules.gamefile import MAX_PLAYERS, MIN_PLAYERS
from app.services import people, play, tables
from app.services.tables import Sheet
from app.web.setup import draft
from app.web.setup.draft import Draft, rule_choices
from app.web.setup.new_table import agreed, read_form, rearranged

bp = Blueprint("next_game", __name__, url_prefix="/t/<link>/next")

MOST_KNOWN = 24


@bp.get("")
def page(link: str) -> AnyResponse:
    """The next game as the last one was, to be changed."""
    sheet = tables.sheet(context.pool(), link)
    if not sheet.state.over or not tables.may_write(context.pool(), link, context.pen()):
        return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)
    return _show(link, sheet, draft.load(link) or _fresh(sheet))


@bp.post("")
def start(link: str) -> AnyResponse:
    """Start the next game, or change the form as a button asks."""
    form, do = read_form(request.form), request.form.get("do")
    if do == "rules":
        form.table = link
        draft.save(form)
        where = url_for("rules.change_next", link=link, drafted=1)
        return redirect(where, HTTPStatus.SEE_OTHER)
    if do is not None:
        return _show(link, tables.sheet(context.pool(), link), rearranged(form, do))
    said, status = attempt(lambda: _begin(link, form))
    if status is not HTTPStatus.OK:
        return _show(link, tables.sheet(context.pool(), link), form, said, status)
    if draft.load(link) is not None:
        draft.clear()
    return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)


def _begin(link: str, form: Draft) -> None:
    changed = agreed(form)
    people.refuse_one_person_twice(
        context.pool(), link, [name for name in form.players if name.strip()]
    )
    context.perform(
        link,
        lambda write: play.next_game(context.pool(), write, changed),
        lambda: tables.sheet(context.pool(), link),
    )


def _fresh(sheet: Sheet) -> Draft:
    """Same seats, stake and rules, and the deal moves on."""
    setup, form = sheet.game.setup, draft.new_draft(sheet.game.setup)
    form.players = list(setup.players)
    dealer = next_dealer(setup.players, sheet.state.deal.dealer, setup.players)
    form.dealer = str(setup.players.index(dealer))
    return form


def _show(
    link: str, sheet: Sheet, form: Draft, said: str = "", status: HTTPStatus = HTTPStatus.OK
) -> Response:
    part = "HX-Request" in request.headers
    known = people.list_people(context.pool(), tables.table_id(context.pool(), link)).persons
    page = render_template(
        "setup/_form.html" if part else "setup/next.html",
        link=link,
        sheet=sheet,
        action=url_for("next_game.page", link=link),
        form=form,
        said=said,
        known=[name for name in known if name not in form.players][:MOST_KNOWN],
        last=[],
        most=MAX_PLAYERS,
        fewest=MIN_PLAYERS,
        choices=rule_choices(form, context.language()),
    )
    return make_response(page, status)
