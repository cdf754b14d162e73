"""A table's next game with changes: other players, another order, stake, dealer or rules."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import (
    Refusal,
    attempt,
    redirect_to,
    submit,
)
from app.rules.currency import read_currency
from app.rules.ending import next_dealer
from app.services import people, sheets
from app.services.play import Start, has_money
from app.services.sheets import Sheet
from app.web.setup import draft
from app.web.setup.draft import Draft
from app.web.setup.form import (
    is_drawn,
    read_draft,
    rearrange,
    render_draft,
    setup_of,
    suggest,
    tell_lot,
)

bp = Blueprint("next_game", __name__, url_prefix="/t/<link>/next")

MAX_SUGGESTIONS = 24


@bp.get("")
def page(link: str) -> AnyResponse:
    """The next game as the last one was, to be changed."""
    sheet = sheets.read_sheet(context.db(), link)
    if not sheet.state.over or not context.access().writes:
        return redirect_to(url_for("table.page", link=link))
    return _render_form(link, sheet, draft.load(link) or _next_draft(sheet))


@bp.post("")
def start(link: str) -> AnyResponse:
    """Start the next game, or change the form as a button asks."""
    form, button = read_draft(request.form, context.currency()), request.form.get("do")
    refusal = attempt(lambda: draft.turn_switches(form, request.form))
    if button == "rules" and not refusal:
        form.table = link
        draft.save(form)
        return redirect_to(url_for("rules.change_next", link=link, drafted=1))
    if refusal or button is not None:
        sheet = sheets.read_sheet(context.db(), link)
        return _render_form(link, sheet, rearrange(form, button or ""), refusal)
    outcome = submit(lambda: Start(setup_of(form), read_currency(form.currency)))
    if isinstance(outcome, Refusal):
        return _render_form(link, sheets.read_sheet(context.db(), link), form, outcome)
    if draft.load(link) is not None:
        draft.clear()
    if is_drawn(form):
        tell_lot(link, outcome)
    return redirect_to(url_for("table.page", link=link))


def _next_draft(sheet: Sheet) -> Draft:
    """Same seats, stake and rules, and the deal moves on."""
    players, form = sheet.state.players, draft.new_draft(sheet)
    form.players = list(players)
    dealer = next_dealer(players, sheet.state.deal.dealer, players)
    form.dealer = str(players.index(dealer))
    return form


def _render_form(link: str, sheet: Sheet, form: Draft, refusal: Refusal | None = None) -> Response:
    names = people.list_people(context.db(), context.access().id).persons
    return render_draft(
        "setup/next.html",
        form,
        refusal,
        sheet=sheet,
        fixed_currency=has_money(context.db().connection, context.access().id),
        action=url_for("next_game.page", link=link),
        suggestions=suggest(names, form, MAX_SUGGESTIONS),
        companies=[],
    )
