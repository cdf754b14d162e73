"""The newest game changed: names, seats, who deals now, stake and rules, in mid-game."""

from flask import Blueprint, Response, request, url_for
from msgspec.structs import replace

from app.http import context
from app.http.forms import Refusal, attempt, lead_to, redirect_to, submit, tell_at_table
from app.i18n.language import N_, isolate
from app.rules.amendment import Entry, insert_deal, moment_of, place_entries, remove_deal, settle
from app.rules.events import read_event
from app.rules.names import short_names, tidy
from app.rules.settlement import read_currency
from app.services import people
from app.services.revise import Preview, Revise, preview
from app.services.table_view import TableView
from app.services.tables import hash_secret
from app.web.setup import draft as drafts
from app.web.setup.draft import (
    GameDraft,
    is_drawn,
    read_draft,
    rearrange,
    render_draft,
    setup_of,
    suggest,
)
from app.web.table.draft import AmendmentDraft as Entries
from app.web.table.draft import decode_draft, encode_draft
from app.web.table.grid import amend_rows, read_event_form
from app.web.templates import render

bp = Blueprint("revise", __name__, url_prefix="/t/<link>")

CHANGED = N_("The game is changed.")


@bp.get("/revise")
def page(link: str) -> Response:
    """The game as it is, to be changed."""
    if not context.access().writes:
        return redirect_to(url_for("table.page"))
    view = context.read_view()
    form = drafts.draft_of(view, view.state.deal.dealer)
    form.was = list(form.players)
    return _render(view, form)


@bp.post("/revise")
def send(link: str) -> Response:
    """Change the form as a button asks, show a preview, or change the game."""
    view = context.read_view()
    form, button = read_draft(request.form, view.currency), request.form.get("do", "")
    refusal = attempt(lambda: drafts.turn_switches(form, request.form))
    if refusal or ":" in button or button in ("sets", drafts.RESTORED):
        return _render(view, rearrange(form, button), refusal)
    asked = attempt(lambda: _read(form, view))
    if isinstance(asked, Refusal):
        return _render(view, form, asked)
    if button in ("keep", "stand") and request.form.get("seen") == _mark(asked):
        return _keep(view, form, replace(asked, keeps_standing=button == "stand"))
    return _show(view, form, asked)


def _keep(view: TableView, form: GameDraft, asked: Revise) -> Response:
    """Change the game."""
    outcome = submit(lambda: asked)
    if isinstance(outcome, Refusal):
        return _show(context.read_view(), form, asked, outcome)
    return lead_to(url_for("table.page"), context.gettext(CHANGED))


def show(form: GameDraft, refusal: Refusal | None = None) -> Response:
    """The page with the form as it is filled in."""
    return _render(context.read_view(), form, refusal)


def _read(form: GameDraft, view: TableView) -> Revise:
    """Read the form. Raises BadFile, Stale."""
    agreed = setup_of(form, context.known_names() - {*form.was})
    dealer = None if is_drawn(form) else tidy(str(agreed["dealer"]))
    del agreed["dealer"]
    new = dict(_renamed(form))
    others = {was: name for was, name in new.items() if was in _replaced(form)}
    names = {was: name for was, name in new.items() if was not in others}
    code = _read_code()
    entries = decode_draft(code, view).items if code else None
    return Revise(agreed, names, others, dealer, read_currency(form.currency), entries)


def _renamed(form: GameDraft) -> list[tuple[str, str]]:
    """The names that were changed; a player named in another seat has only moved."""
    pairs = zip(form.was, map(tidy, form.players), strict=False)
    return [(was, name) for was, name in pairs if was and name and name not in form.was]


def _replaced(form: GameDraft) -> set[str]:
    """The players replaced by somebody else: who is known here, where it is not said."""
    known = context.known_names()
    answers = {was: request.form.get(f"sat:{was}") for was, _ in _renamed(form)}
    return {
        was
        for was, name in _renamed(form)
        if answers[was] == "other" or (answers[was] is None and name in known)
    }


def _mark(asked: Revise) -> str:
    """The hash by which a form shows that its preview has been seen."""
    return hash_secret(repr(asked))[:16]


def _show(
    view: TableView, form: GameDraft, asked: Revise, refusal: Refusal | None = None
) -> Response:
    """The form with its preview; conflicts are settled where that was asked."""
    shown = attempt(lambda: _look(view, asked))
    if isinstance(shown, Refusal):
        return _render(view, form, refusal or shown)
    return _render(view, form, refusal, *shown)


def _look(view: TableView, asked: Revise) -> tuple[Preview, Revise, str]:
    """The preview, with the conflicts that a button settled, and those as a code."""
    plan = preview(context.db(), context.link(), asked)
    settled = _settle(view, plan)
    if settled is None:
        return plan, asked, _read_code()
    asked = replace(asked, entries=settled.items)
    return preview(context.db(), context.link(), asked), asked, encode_draft(settled, view)


def _read_code() -> str:
    """Read how the entries were settled so far; nothing where they are judged afresh."""
    afresh = request.form.get("do") == "look" and "event" not in request.form
    return "" if afresh else request.form.get("draft", "")


def _settle(view: TableView, plan: Preview) -> Entries | None:
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
    base = place_entries(view.states, view.game.events)
    kept = [each if each.index is None else base[each.index] for each in draft]
    return Entries(base, tuple(kept))


def _render(
    view: TableView,
    form: GameDraft,
    refusal: Refusal | None = None,
    plan: Preview | None = None,
    asked: Revise | None = None,
    code: str = "",
) -> Response:
    persons = people.list_people(context.db(), context.access().id).persons
    new = [name for name in persons if name not in form.was]
    due = plan.amendment.missing if plan else None
    return render_draft(
        "setup/next.html",
        form,
        refusal,
        view=view,
        revising=True,
        plan=plan,
        seen=_mark(asked) if asked else "",
        code=code,
        renamed=_renamed(form),
        others=_replaced(form),
        rows=amend_rows(due) if due else [],
        names=list(short_names(due.players).items()) if due else [],
        action=url_for("revise.page"),
        suggestions=suggest(new, form),
    )


@bp.get("/deal")
def deal(link: str) -> Response:
    """The form for the dealer and the number of the deal."""
    view = context.read_view()
    if view.state.over or not context.access().writes:
        return redirect_to(url_for("table.page"))
    return _render_deal(view)


@bp.post("/deal")
def send_deal(link: str) -> Response:
    """Let somebody else deal, or show the preview of a deal put in or taken away."""
    view = context.read_view()
    player, do = request.form.get("player", ""), request.form.get("do")
    if do == "dealer":
        outcome = submit(lambda: Revise(dealer=player))
        if isinstance(outcome, Refusal):
            return _render_deal(view, outcome)
        return tell_at_table(context.gettext("%(player)s deals.", player=isolate(player)))
    address = attempt(lambda: _moved_address(view, player if do == "insert" else None))
    if isinstance(address, Refusal):
        return _render_deal(view, address)
    return redirect_to(address)


def _moved_address(view: TableView, taker: str | None) -> str:
    """The address of the preview of a deal put in, `taker` its last trick, or taken away."""
    base = place_entries(view.states, view.game.events)
    if taker is not None:
        entries = insert_deal(view.states, base, taker)
    else:
        entries = remove_deal(base, view.state.deal.number - 1)
    code = encode_draft(Entries(base, tuple(entries)), view)
    return url_for("amend.draft", number=view.number, d=code)


def _render_deal(view: TableView, refusal: Refusal | None = None) -> Response:
    state = view.state
    others = [name for name in state.playing if name != state.deal.dealer]
    last = state.deal.number - 1
    return render("setup/deal.html", "", refusal, view=view, state=state, others=others, last=last)
