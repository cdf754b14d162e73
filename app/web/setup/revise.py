"""The newest game changed: names, seats, who deals now, stake and rules, in mid-game."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import Refusal, attempt, flash_at, redirect_to, submit
from app.i18n.language import N_
from app.rules.amendment import Entry, insert_deal, moment_of, place_entries, remove_deal, settle
from app.rules.events import read_event
from app.rules.settlement import read_currency
from app.services import people, sheets
from app.services.revise import Preview, Revise, preview
from app.services.sheets import Sheet
from app.services.tables import hash_secret
from app.web.setup import draft as drafts
from app.web.setup.draft import Draft
from app.web.setup.form import is_drawn, read_draft, rearrange, render_draft, setup_of, suggest
from app.web.setup.new_table import MAX_SUGGESTIONS
from app.web.table.consequences import short_names
from app.web.table.draft import Draft as Entries
from app.web.table.draft import decode_draft, encode_draft
from app.web.table.event_form import read_event_form
from app.web.table.grid import amend_rows
from app.web.templates import render

bp = Blueprint("revise", __name__, url_prefix="/t/<link>")

CHANGED = N_("The game is changed.")


@bp.get("/revise")
def page(link: str) -> AnyResponse:
    """The game as it is, to be changed."""
    if not context.access().writes:
        return redirect_to(url_for("table.page", link=link))
    sheet = sheets.read_sheet(context.db(), link)
    form = drafts.load(drafts.revised(link)) or _filled_in(sheet)
    return _render(sheet, form)


@bp.post("/revise")
def send(link: str) -> AnyResponse:
    """Change the form as a button asks, show what would come of it, or change the game."""
    sheet = sheets.read_sheet(context.db(), link)
    form, button = read_draft(request.form, sheet.currency), request.form.get("do", "")
    refusal = attempt(lambda: drafts.turn_switches(form, request.form))
    if refusal or ":" in button or button == "sets":
        return _render(sheet, rearrange(form, button), refusal)
    if button == "rules":
        form.table = drafts.revised(link)
        drafts.save(form)
        return redirect_to(url_for("rules.change_next", link=link, drafted=1))
    asked = attempt(lambda: _read(form, sheet))
    if isinstance(asked, Refusal):
        return _render(sheet, form, asked)
    if button in ("keep", "stand") and request.form.get("seen") == _mark(asked):
        return _keep(sheet, form, replace(asked, keeps_standing=button == "stand"))
    return _show(sheet, form, asked)


def _keep(sheet: Sheet, form: Draft, asked: Revise) -> AnyResponse:
    """Change the game."""
    outcome = submit(lambda: asked)
    if isinstance(outcome, Refusal):
        return _show(sheets.read_sheet(context.db(), context.link()), form, asked, outcome)
    if drafts.load(drafts.revised(context.link())) is not None:
        drafts.clear()
    return _tell(context.language().gettext(CHANGED))


def _tell(message: str) -> AnyResponse:
    address = url_for("table.page", link=context.link())
    flash_at(address, message)
    return redirect_to(address)


def _read(form: Draft, sheet: Sheet) -> Revise:
    """What the form asks for. Raises BadFile, Stale."""
    agreed = setup_of(form)
    dealer = None if is_drawn(form) else str(agreed["dealer"])
    del agreed["dealer"]
    new = dict(_renamed(form))
    others = {was: name for was, name in new.items() if was in _replaced(form)}
    names = {was: name for was, name in new.items() if was not in others}
    code = _read_code()
    entries = decode_draft(code, sheet).items if code else None
    return Revise(agreed, names, others, dealer, read_currency(form.currency), entries)


def _renamed(form: Draft) -> list[tuple[str, str]]:
    """The names that were changed; whoever is named in another seat has only moved."""
    pairs = zip(form.was, (name.strip() for name in form.players), strict=False)
    return [(was, name) for was, name in pairs if was and name and name not in form.was]


def _replaced(form: Draft) -> set[str]:
    """Whose seat somebody else had: who is known here, where it is not said."""
    known = people.list_people(context.db(), context.access().id).numbers
    told = {was: request.form.get(f"sat:{was}") for was, _ in _renamed(form)}
    return {
        was
        for was, name in _renamed(form)
        if told[was] == "other" or (told[was] is None and name in known)
    }


def _mark(asked: Revise) -> str:
    """What a form shows that it has shown what comes of this."""
    return hash_secret(repr(asked))[:16]


def _show(sheet: Sheet, form: Draft, asked: Revise, refusal: Refusal | None = None) -> AnyResponse:
    """The form with what would come of it; what no longer fits settled where that was asked."""
    shown = attempt(lambda: _look(sheet, asked))
    if isinstance(shown, Refusal):
        return _render(sheet, form, refusal or shown)
    return _render(sheet, form, refusal, *shown)


def _look(sheet: Sheet, asked: Revise) -> tuple[Preview, Revise, str]:
    """What would come of it, with what is settled by a button, and that as a code."""
    plan = preview(context.db(), context.link(), asked)
    settled = _settle(sheet, plan)
    if settled is None:
        return plan, asked, _read_code()
    asked = replace(asked, entries=settled.items)
    return preview(context.db(), context.link(), asked), asked, encode_draft(settled, sheet)


def _read_code() -> str:
    """How the entries were settled so far: all is looked at afresh where that is asked."""
    afresh = request.form.get("do") == "look" and "event" not in request.form
    return "" if afresh else request.form.get("draft", "")


def _settle(sheet: Sheet, plan: Preview) -> Entries | None:
    """The entries after a button that settles them, None where none did. Raises BadFile."""
    amendment, due = plan.amendment, plan.amendment.missing
    draft = [
        replace(entry, moment=amendment.moment_at(place)) if place < amendment.gap else entry
        for place, entry in enumerate(amendment.draft)
    ]
    if request.form.get("do") == "settle":
        draft = settle(plan.state.setup, draft)
    elif "event" in request.form and due is not None:
        event = read_event(read_event_form(request.form), due.players)
        draft.insert(amendment.gap, Entry(event, moment_of(due)))
    else:
        return None
    base = place_entries(sheet.states, sheet.game.events)
    kept = [each if each.index is None else base[each.index] for each in draft]
    return Entries(base, tuple(kept))


def _filled_in(sheet: Sheet) -> Draft:
    """The form as the game was agreed."""
    state, form = sheet.state, drafts.new_draft(sheet)
    form.players, form.was = list(state.players), list(state.players)
    form.dealer = str(state.players.index(state.deal.dealer))
    return form


def _render(
    sheet: Sheet,
    form: Draft,
    refusal: Refusal | None = None,
    plan: Preview | None = None,
    asked: Revise | None = None,
    code: str = "",
) -> Response:
    persons = people.list_people(context.db(), context.access().id).persons
    new = [name for name in persons if name not in form.was]
    due = plan.amendment.missing if plan else None
    return render_draft(
        "setup/revise.html",
        form,
        refusal,
        sheet=sheet,
        revising=True,
        plan=plan,
        seen=_mark(asked) if asked else "",
        code=code,
        renamed=_renamed(form),
        others=_replaced(form),
        rows=amend_rows(due) if due else [],
        names=list(short_names(due.players).items()) if due else [],
        action=url_for("revise.page", link=context.link()),
        suggestions=suggest(new, form, MAX_SUGGESTIONS),
        companies=[],
    )


@bp.get("/deal")
def deal(link: str) -> AnyResponse:
    """Who deals, and which deal it is."""
    sheet = sheets.read_sheet(context.db(), link)
    if sheet.state.over or not context.access().writes:
        return redirect_to(url_for("table.page", link=link))
    return _render_deal(sheet)


@bp.post("/deal")
def send_deal(link: str) -> AnyResponse:
    """Let somebody else deal, or show what comes of a deal put in or taken away."""
    sheet = sheets.read_sheet(context.db(), link)
    player, do = request.form.get("player", ""), request.form.get("do")
    if do == "dealer":
        outcome = submit(lambda: Revise(dealer=player))
        if isinstance(outcome, Refusal):
            return _render_deal(sheet, outcome)
        return _tell(context.language().gettext("%(player)s deals.", player=player))
    address = attempt(lambda: _moved_address(sheet, player if do == "insert" else None))
    if isinstance(address, Refusal):
        return _render_deal(sheet, address)
    return redirect_to(address)


def _moved_address(sheet: Sheet, taker: str | None) -> str:
    """Where it is shown what comes of a deal put in, `taker` its last trick, or taken away."""
    base = place_entries(sheet.states, sheet.game.events)
    if taker is not None:
        entries = insert_deal(sheet.states, base, taker)
    else:
        entries = remove_deal(base, sheet.state.deal.number - 1)
    code = encode_draft(Entries(base, tuple(entries)), sheet)
    return url_for("amend.draft", link=context.link(), number=sheet.number, d=code)


def _render_deal(sheet: Sheet, refusal: Refusal | None = None) -> Response:
    state = sheet.state
    others = [name for name in state.playing if name != state.deal.dealer]
    last = state.deal.number - 1
    return render(
        "setup/deal.html", "", refusal, sheet=sheet, state=state, others=others, last=last
    )
