"""A table's next game with changes: other players, another order, stake, dealer or rules."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import Refusal, redirect_to, submit
from app.rules.ending import next_dealer
from app.services import people, play, tables
from app.services.tables import Sheet, Write
from app.store.database import Pool
from app.web.setup import draft
from app.web.setup.draft import Draft
from app.web.setup.new_table import read_draft, rearrange, render_draft, setup_of, suggest

bp = Blueprint("next_game", __name__, url_prefix="/t/<link>/next")

MAX_SUGGESTIONS = 24


@bp.get("")
def page(link: str) -> AnyResponse:
    """The next game as the last one was, to be changed."""
    sheet = tables.read_sheet(context.pool(), link)
    if not sheet.state.over or not context.access().writes:
        return redirect_to(url_for("table.page", link=link))
    return _render_form(link, sheet, draft.load(link) or _next_draft(sheet))


@bp.post("")
def start(link: str) -> AnyResponse:
    """Start the next game, or change the form as a button asks."""
    form, button = read_draft(request.form), request.form.get("do")
    if button == "rules":
        form.table = link
        draft.save(form)
        return redirect_to(url_for("rules.change_next", link=link, drafted=1))
    if button is not None:
        return _render_form(link, tables.read_sheet(context.pool(), link), rearrange(form, button))
    outcome = submit(
        lambda pool, write: _begin(pool, write, form),
        lambda: tables.read_sheet(context.pool(), link),
    )
    if isinstance(outcome, Refusal):
        return _render_form(link, tables.read_sheet(context.pool(), link), form, outcome)
    if draft.load(link) is not None:
        draft.clear()
    return redirect_to(url_for("table.page", link=link))


def _begin(pool: Pool, write: Write, form: Draft) -> Sheet:
    """Start the next game as the form says. Raises as every change."""
    setup = setup_of(form)
    names = [name for name in form.players if name.strip()]
    people.refuse_one_person_twice(pool, write.link, names)
    sheet = play.next_game(pool, write, setup)
    draft.restate_next_game(sheet.game.setup)
    return sheet


def _next_draft(sheet: Sheet) -> Draft:
    """Same seats, stake and rules, and the deal moves on."""
    setup, form = sheet.game.setup, draft.new_draft(sheet.game.setup)
    form.players = list(setup.players)
    dealer = next_dealer(setup.players, sheet.state.deal.dealer, setup.players)
    form.dealer = str(setup.players.index(dealer))
    return form


def _render_form(link: str, sheet: Sheet, form: Draft, refusal: Refusal | None = None) -> Response:
    names = people.list_people(context.pool(), context.access().id).persons
    return render_draft(
        "setup/next.html",
        form,
        refusal,
        sheet=sheet,
        action=url_for("next_game.page", link=link),
        suggestions=suggest(names, form, MAX_SUGGESTIONS),
        companies=[],
    )
