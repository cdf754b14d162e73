"""The start page: this phone's last table, the form for a new one, and the list of them all."""

from contextlib import suppress

import msgspec
from flask import Blueprint, Response, request, url_for
from msgspec.structs import replace

from app.http import context, cookies
from app.http.forms import (
    LONGEST_TEXT,
    Refusal,
    attempt,
    read_field,
    redirect_to,
    submit,
)
from app.http.limits import NEW_TABLES, count_miss, note_miss, rate_limit
from app.i18n.house_rules import rules_label
from app.rules.ending import next_dealer
from app.rules.errors import NotAllowed
from app.rules.gamefile import read_setup
from app.rules.names import read_name
from app.rules.settlement import read_currency
from app.services import people, tables
from app.services.lists import (
    LONGEST_QUERY,
    PhoneTable,
    find_elsewhere,
    find_words,
    list_tables,
    read_query,
)
from app.services.play import UNGUESSABLE, IdempotentRequest, NewTable, Start, has_money, open_once
from app.services.settings import Rename
from app.services.table_view import TableView, read_view
from app.services.tables import hash_secret
from app.web.setup import draft
from app.web.setup.draft import (
    GameDraft,
    read_draft,
    rearrange,
    render_draft,
    setup_of,
    suggest,
    tell_lot,
)
from app.web.templates import render

bp = Blueprint("new_table", __name__)
row_bp = Blueprint("table_row", __name__)

MAX_COMPANIES = 3
# So many tables tell who is known on the phone.
MOST_KNOWN = 24


@bp.get("/")
def page() -> Response:
    """An empty form, with this phone's usual values."""
    start = _read_start()
    return _render_form(draft.load() or draft.new_draft(start.view), start)


@bp.post("/")
@rate_limit(NEW_TABLES)
def open_table() -> Response:
    """Open the table, or change the form as a button asks."""
    form, button = read_draft(request.form), request.form.get("do")
    refusal = attempt(lambda: draft.turn_switches(form, request.form))
    if button == "rules" and not refusal:
        draft.save(form)
        return redirect_to(url_for("rules.change"))
    if refusal or button is not None:
        return _render_form(rearrange(form, button or ""), _read_start(), refusal)
    link = attempt(lambda: _open_as_drafted(form))
    if isinstance(link, Refusal):
        return _render_form(form, _read_start(), link)
    cookies.remember_table(link)
    cookies.clear_draft()
    lot = tell_lot(form, read_view(context.db(), link))
    return redirect_to(url_for("table.page", link=link), lot)


@bp.post("/again")
@rate_limit(NEW_TABLES)
def open_again() -> Response:
    """Open a table with the same people, stake and rules as another; the deal moves on."""
    with count_miss(tables.NotFound):
        view = read_view(context.db(), request.form.get("table", ""))
    players = view.state.players
    dealer = next_dealer(players, view.state.deal.dealer, players)
    setup = replace(view.game.setup, players=players, dealer=dealer)
    link = _open(NewTable(setup, view.name, view.currency))
    cookies.remember_table(link)
    return redirect_to(
        url_for("table.page", link=link),
        context.gettext("A new table: %(player)s deals. Invite the others anew.", player=dealer),
    )


def _open_as_drafted(form: GameDraft) -> str:
    """Open a table as the form says, and return its link. Raises BadFile."""
    setup = read_setup(setup_of(form))
    name = read_field("name", lambda: read_name(form.name)) if form.name.strip() else ""
    return _open(NewTable(setup, name, read_currency(form.currency)))


def _open(new: NewTable) -> str:
    """Open a table and return its link; of a form sent twice, the same one."""
    # By the key that a page has; one from long ago has none, and two that are sent are two.
    own, content = request.form.get("key", ""), str(sorted(request.form.items(multi=True)))
    key = hash_secret(content) if len(own) >= UNGUESSABLE else tables.new_link()
    ask, about = IdempotentRequest("form", key, content), (new, context.instance(), cookies.pen())
    try:
        link, pen = open_once(context.db(), ask, *about)
    except NotAllowed:  # It cannot be told any more which table that was.
        link, pen = open_once(context.db(), replace(ask, key=tables.new_link()), *about)
    cookies.take_pen(pen)
    return link


class StartForm(msgspec.Struct, frozen=True):
    """Values of the start page on this phone's tables, the last one opened first.

    `known` are the last ones here; `table` is the one to go on at, and `sheet` how it stands.
    `elsewhere` is the link of the one opened last, where another server has it.
    """

    known: list[PhoneTable]
    elsewhere: str
    table: PhoneTable | None = None
    view: TableView | None = None


def _read_start() -> StartForm:
    db = context.db()
    links = cookies.tables()
    known = list_tables(db, cookies.pen(), links, MOST_KNOWN)
    away = find_elsewhere(links, known, context.instance())
    newest = next((link for link in links if not links[link]), "")
    elsewhere = newest if newest in away else ""
    for table in known:
        with suppress(tables.NotFound):
            if not table.put_away:
                return StartForm(known, elsewhere, table, read_view(db, table.link))
    return StartForm(known, elsewhere)


def _render_form(form: GameDraft, start: StartForm, refusal: Refusal | None = None) -> Response:
    names = [name for table in start.known for name in table.players]
    # Those who have sat down together lately, each company once.
    companies = list(dict.fromkeys(table.players for table in start.known))
    seated = tuple(filter(None, form.players))
    last = start.view.game.setup if start.view else None
    return render_draft(
        "setup/page.html",
        form,
        refusal,
        start=start,
        companies=[company for company in companies[:MAX_COMPANIES] if company != seated],
        suggestions=suggest(names, form),
        # By its key a form that is sent twice is known.
        key=tables.new_link(),
        # The last table's rules in a few words.
        again=rules_label(last.preset, last.rules, context.language()) if last else "",
    )


@bp.get("/t/<link>/next")
def next_game(link: str) -> Response:
    """The next game as the last one was, the deal moving on, to be changed."""
    view = context.read_view()
    if not view.state.over or not context.access().writes:
        return redirect_to(url_for("table.page"))
    players = view.state.players
    dealer = next_dealer(players, view.state.deal.dealer, players)
    return _render_next(view, draft.load(link) or draft.draft_of(view, dealer))


@bp.post("/t/<link>/next")
def start_next(link: str) -> Response:
    """Start the next game, or change the form as a button asks."""
    form, button = read_draft(request.form, context.currency()), request.form.get("do")
    refusal = attempt(lambda: draft.turn_switches(form, request.form))
    if button == "rules" and not refusal:
        form.table = link
        draft.save(form)
        return redirect_to(url_for("rules.change_next", drafted=1))
    if refusal or button is not None:
        view = context.read_view()
        return _render_next(view, rearrange(form, button or ""), refusal)
    outcome = submit(lambda: _start_as_drafted(form))
    if isinstance(outcome, Refusal):
        return _render_next(context.read_view(), form, outcome)
    if draft.load(link) is not None:
        cookies.clear_draft()
    return redirect_to(url_for("table.page"), tell_lot(form, outcome))


def _start_as_drafted(form: GameDraft) -> Start:
    """The next game as the form says. Raises BadFile."""
    return Start(setup_of(form, context.known_names()), read_currency(form.currency))


def _render_next(view: TableView, form: GameDraft, refusal: Refusal | None = None) -> Response:
    names = people.list_people(context.db(), context.access().id).persons
    return render_draft(
        "setup/next.html",
        form,
        refusal,
        view=view,
        fixed_currency=has_money(context.db().connection, context.access().id),
        action=url_for("new_table.next_game"),
        suggestions=suggest(names, form),
        companies=[],
    )


# So many stand in the open, the others are folded away.
MOST_OPEN = 12
# More than so many can be searched.
HANDFUL = 6


@bp.get("/tables")
def list_page() -> Response:
    """The tables, the last one played at first."""
    return _render_list()


@bp.post("/tables")
def put_away() -> Response:
    """Put a table away, or bring one back; nothing of it is lost."""
    cookies.put_away(request.form.get("table", ""), away=request.form.get("do") != "back")
    return redirect_to(url_for("new_table.list_page"))


@bp.post("/t/<link>/name")
def rename(link: str) -> Response:
    """Give a table another name, for all who look at it."""
    name = request.form.get("name", "")
    outcome = submit(lambda: Rename(name))
    if isinstance(outcome, Refusal):
        return _render_list(outcome, link, name)
    return redirect_to(url_for("new_table.list_page"))


@row_bp.get("/t/<link>/row")
def row(link: str) -> Response:
    """A table's row for a list that another server has made; the cookie stays as it is."""
    known = {link: cookies.tables().get(link, False)}
    [table] = list_tables(context.db(), cookies.pen(), known)
    return render("setup/_table_row.html", table=table)


@row_bp.errorhandler(tables.NotFound)
def leave_out(_: tables.NotFound) -> str:
    """Nothing for a table that has been deleted: its row goes out of the list."""
    note_miss()
    return ""


def _came_from() -> str | None:
    """The link of the table whose page led here, where it is one of this phone's."""
    address = (request.referrer or "").partition("://")[2].partition("?")[0]
    here = f"{request.host}{context.prefix()}/t/"
    link = address.removeprefix(here).partition("/")[0] if address.startswith(here) else ""
    return link if link in cookies.tables() else None


def _render_list(refusal: Refusal | None = None, at: str = "", typed: str = "") -> Response:
    """The list; where a name was refused, `at` a table, its text stands in the field still."""
    known = cookies.tables()
    listed = list_tables(context.db(), cookies.pen(), known)
    elsewhere = find_elsewhere(known, listed, context.instance())
    query = request.args.get("q", "").strip()[:LONGEST_QUERY]
    found = [table for table in listed if _fits(table, query)]
    found.sort(key=lambda table: table.played_at, reverse=True)
    return render(
        "setup/tables.html",
        "",
        refusal,
        tables=[table for table in found if not table.put_away],
        put_away=[table for table in found if table.put_away],
        elsewhere_open=[link for link, away in elsewhere.items() if not away],
        elsewhere_away=[link for link, away in elsewhere.items() if away],
        came_from=_came_from(),
        most=len(found) if query else MOST_OPEN,
        at=at,
        typed=typed[:LONGEST_TEXT],
        query=query,
        searchable=len(listed) > HANDFUL,
    )


def _fits(table: PhoneTable, query: str) -> bool:
    """Whether the name, the players or the day of a table match a search."""
    day = context.language().day(table.played_on)
    text = " ".join([table.name, *table.players, day, table.played_on.isoformat()])
    wanted = {*read_query(query)}
    return wanted == find_words(wanted, text)
