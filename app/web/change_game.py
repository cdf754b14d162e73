"""Changing a game as it is played: names, seats, who deals, stake and rules, and its deals."""

import msgspec
from flask import Blueprint, Response, request, url_for
from msgspec.structs import replace

from app.http import context
from app.http.forms import (
    Refusal,
    attempt,
    is_sent_again,
    lead_to,
    redirect_to,
    submit,
    tell_at_table,
)
from app.http.limits import one_at_a_time
from app.i18n.language import N_, isolate
from app.rules.events import LastTrick, write_event
from app.rules.names import tidy
from app.rules.settlement import read_currency
from app.services import people
from app.services.access import hash_secret
from app.services.edit import Edit, plan_edit
from app.services.table_view import TableView
from app.web import board, game_form
from app.web.edit import Way, way_of
from app.web.game_form import (
    GameForm,
    is_drawn,
    read_game_form,
    rearrange,
    render_game_form,
    setup_of,
    suggest,
)
from app.web.templates import render

bp = Blueprint("change_game", __name__, url_prefix="/t/<link>")

CHANGED = N_("The game has been changed.")
# So many deals are offered to be taken out, the newest first.
LAST_DEALS = 5


@bp.get("/edit")
def page() -> Response:
    """The game as it is, to be changed: names, seats, who deals now, stake and rules."""
    if not context.access().writes:
        return redirect_to(url_for("table.page"))
    view = context.read_view()
    form = game_form.form_of(view, view.state.deal.dealer)
    form.was, form.dealt = list(form.players), view.state.deal.dealer
    return _render_game(view, form)


@bp.post("/edit")
@one_at_a_time()
def change() -> Response:
    """Change the form as a button asks, show what comes of it, or change the game."""
    view = context.read_view()
    if is_sent_again():
        return _tell(view)
    form, button = read_game_form(request.form, view.currency), request.form.get("do", "")
    _follow_dealer(form, view)
    refusal = attempt(lambda: game_form.take_answers(form, request.form))
    if refusal or ":" in button or button in ("sets", game_form.RESTORED):
        return _render_game(view, rearrange(form, button), refusal)
    asked = attempt(lambda: _read_game(form, view))
    if isinstance(asked, Refusal):
        return _render_game(view, form, asked)
    if button != "keep" or request.form.get("seen") != _mark(asked):
        return _render_game(view, form, None, asked)
    outcome = submit(lambda: asked)
    if isinstance(outcome, Refusal):
        return _render_game(context.read_view(), form, outcome, asked)
    return _tell(outcome)


def _tell(view: TableView) -> Response:
    """The table's page, which says what was changed."""
    told = " ".join(board.tell_edit(view))
    return lead_to(url_for("table.page"), told or context.gettext(CHANGED))


def show(form: GameForm, refusal: Refusal | None = None) -> Response:
    """The page with the form as it is filled in."""
    view = context.read_view()
    _follow_dealer(form, view)
    return _render_game(view, form, refusal)


def _follow_dealer(form: GameForm, view: TableView) -> None:
    """Choose who deals by now, where nobody else was chosen."""
    now = view.state.deal.dealer
    chosen = dict(zip(map(str, range(len(form.was))), form.was, strict=True)).get(form.dealer)
    if chosen == form.dealt and now in form.was:
        form.dealer = str(form.was.index(now))
    form.dealt = now


def _read_game(form: GameForm, view: TableView) -> Edit:
    """Read the form. Raises BadFile."""
    agreed = setup_of(form, context.known_names() - {*form.was})
    dealer = tidy(str(agreed.pop("dealer")))
    new = dict(_renamed(form))
    # Who deals as it is need not: the game may be over then, or come to another deal.
    stays = dealer == new.get(view.state.deal.dealer, view.state.deal.dealer)
    others = {was: name for was, name in new.items() if was in _replaced(form)}
    names = {was: name for was, name in new.items() if was not in others}
    whole = _changes_rules(form, view) and (_is_whole(view) or request.form.get("whole") == "1")
    currency = read_currency(form.currency)
    return Edit(
        agreed=agreed,
        all_deals=whole,
        names=names,
        others=others,
        dealer=None if stays or is_drawn(form) else dealer,
        currency=currency,
    )


def _changes_rules(form: GameForm, view: TableView) -> bool:
    setup = view.state.setup
    return game_form.rules_or_usual(form) != (setup.preset, setup.rules)


def _is_whole(view: TableView) -> bool:
    """Whether other rules can only be those of the whole game."""
    return view.state.over or view.state.deal.number == 1


def _renamed(form: GameForm) -> list[tuple[str, str]]:
    """The names that were changed; a player named in another seat has only moved."""
    pairs = zip(form.was, map(tidy, form.players), strict=False)
    return [(was, name) for was, name in pairs if was and name and name not in form.was]


def _replaced(form: GameForm) -> set[str]:
    """The players whom somebody else sat there for: who is known here, where it is not said."""
    known = context.known_names()
    answers = {was: request.form.get(f"sat:{was}") for was, _ in _renamed(form)}
    return {
        was
        for was, name in _renamed(form)
        if answers[was] == "other" or (answers[was] is None and name in known)
    }


def _mark(asked: Edit) -> str:
    """The hash by which a form shows that what comes of it has been seen, either way."""
    return hash_secret(repr(replace(asked, all_deals=False)))[:16]


def _render_game(
    view: TableView, form: GameForm, refusal: Refusal | None = None, asked: Edit | None = None
) -> Response:
    found = attempt(lambda: _find_ways(view, form, asked)) if asked else []
    ways = [] if isinstance(found, Refusal) else found
    persons = people.list_people(context.db(), context.access().id).persons
    new = [name for name in persons if name not in form.was]
    return render_game_form(
        "setup/next.html",
        form,
        refusal or (found if isinstance(found, Refusal) else None),
        view=view,
        changing=True,
        ways=ways,
        # As all phones are told it; the rules are told otherwise.
        changed=board.tell_change(
            view.state, ways[0].plan.state, asked.renamed, asked.currency or view.currency
        )
        if asked and ways
        else [],
        whole="1" if asked and asked.all_deals else "",
        seen=_mark(asked) if asked and ways else "",
        renamed=_renamed(form),
        others=_replaced(form),
        action=url_for("change_game.page"),
        suggestions=suggest(new, form),
    )


def _find_ways(view: TableView, form: GameForm, asked: Edit) -> list[Way]:
    """What comes of a changed game; of other rules in its midst both ways. Raises as the edit."""
    deal = view.state.deal.number
    words = {
        "": context.gettext("Applies from deal %(deal)s", deal=deal),
        "1": context.gettext("Recount the whole game"),
    }
    if not _changes_rules(form, view) or _is_whole(view):
        words = {"1" if asked.all_deals else "": ""}
    found = []
    for value, label in words.items():
        plan = plan_edit(context.db(), context.link(), replace(asked, all_deals=value == "1"))
        found.append(way_of(plan, value, label))
    return found


@bp.get("/deal")
def deal() -> Response:
    """What is otherwise about the deal: who deals, or that there is one more or fewer."""
    view = context.read_view()
    if view.state.over or not context.access().writes:
        return redirect_to(url_for("table.page"))
    return _render_deal(view)


@bp.post("/deal")
def change_dealer() -> Response:
    """Let somebody else deal."""
    player = request.form.get("player", "")
    outcome = submit(lambda: Edit(dealer=player))
    if isinstance(outcome, Refusal):
        return _render_deal(context.read_view(), outcome)
    return tell_at_table(context.gettext("%(player)s deals.", player=isolate(player)))


def _render_deal(view: TableView, refusal: Refusal | None = None) -> Response:
    state, number, _ = view.state, view.state.deal.number, context.gettext
    earlier = range(number - 1, max(number - 1 - LAST_DEALS, 0), -1)
    took = [(name, write_event(LastTrick(player=name))) for name in state.playing]
    return render(
        "edit/deal.html",
        "",
        refusal,
        view=view,
        state=state,
        edit=f"games/{view.number}/edit",
        dealers=[
            (name, isolate(name), _("%(player)s deals", player=name))
            for name in state.playing
            if name != state.deal.dealer
        ],
        takers=[
            (
                _write("insert_deal", number, event),
                isolate(name),
                _("%(player)s took the last trick", player=name),
            )
            for name, event in took
        ],
        earlier=[
            (_write("remove_deal", each), text, text)
            for each in earlier
            for text in [_("Deal %(deal)s", deal=each)]
        ],
    )


def _write(*operation: object) -> str:
    """An edit of one operation, as a form has it."""
    return msgspec.json.encode([operation]).decode()
