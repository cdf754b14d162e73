"""The start page: this phone's tables, the form for a new one, the next game, and the list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

import msgspec
from flask import Blueprint, Response, request, url_for
from msgspec.structs import replace

from app.http import context, cookies
from app.http.forms import (
    LONGEST_TEXT,
    Refusal,
    attempt,
    lead_to,
    read_field,
    redirect_to,
    submit,
)
from app.http.limits import NEW_TABLES, rate_limit, record_bad_secret
from app.rules.codes import NotAllowed
from app.rules.game import next_dealer
from app.rules.gamefile import read_setup
from app.rules.names import join_names, read_name
from app.rules.settlement import Amount, read_currency
from app.services import access, people
from app.services.access import hash_secret
from app.services.ledger import Ledger, read_ledger
from app.services.opening import UNGUESSABLE, IdempotentRequest, NewTable, has_opened, open_once
from app.services.people import Rename
from app.services.phones import PhoneTable, find_elsewhere, list_tables
from app.services.play import Start, has_money
from app.services.table_view import TableView, read_view
from app.store import clock
from app.store.clock import evening_of, this_evening
from app.web.game_form import (
    GameForm,
    empty_form,
    form_of,
    read_game_form,
    rearrange,
    render_game_form,
    seats_of,
    setup_of,
    suggest,
    take_answers,
    tell_lot,
)
from app.web.table import STALE, render_table
from app.web.templates import render

bp = Blueprint("new_table", __name__)
card_bp = Blueprint("table_card", __name__)

# So many tables are known on the start page, and so many of them stand in the open: a game is
# replayed and a ledger added up for each.
MOST_KNOWN, MOST_CARDS = 24, 3
# Of who may sit down at a table so many stand in the open.
MOST_CHIPS = 8


@bp.get("/")
def page() -> Response:
    """An empty form, with this phone's usual values."""
    start = _read_start()
    return _render_form(empty_form(start.last), start)


@bp.post("/")
@rate_limit(NEW_TABLES)
def open_table() -> Response:
    """Open the table, or change the form as a button asks."""
    form, button = read_game_form(request.form), request.form.get("do")
    refusal = attempt(lambda: take_answers(form, request.form))
    if refusal or button is not None:
        return show_start(rearrange(form, button or ""), refusal)
    link = attempt(lambda: _open_table(form))
    if isinstance(link, Refusal):
        return show_start(form, link)
    if isinstance(link, PhoneTable):
        # A new evening at the table that those seated have.
        asking = Refusal(context.gettext("That table already exists: start a new evening there?"))
        return _render_form(form, _read_start(), asking, group=link)
    cookies.remember_table(link)
    lot = tell_lot(form, read_view(context.db(), link))
    return lead_to(url_for("table.page", link=link), lot)


def show_start(form: GameForm, refusal: Refusal | None = None) -> Response:
    """The start page with the form as it is filled in."""
    return _render_form(form, _read_start(), refusal)


def _open_table(form: GameForm) -> str | PhoneTable:
    """Open a table as the form says, and return its link; or the table that these people have.

    Raises BadFile.
    """
    cookies.require_kept()
    setup = read_setup(setup_of(form))
    name = read_field("name", lambda: read_name(form.name)) if form.name.strip() else ""
    new, ask = NewTable(setup, name, read_currency(form.currency)), _read_key()
    meant = "apart" in request.form or has_opened(context.db(), ask)
    return (None if meant else _find_group(setup.players)) or _open(new, ask)


def _find_group(players: Collection[str]) -> PhoneTable | None:
    """The table of this phone's that these people have: who sat there last, and who was away."""
    known = list_tables(context.db(), cookies.pen(), cookies.tables(), MOST_KNOWN)
    found = [table for table in known if table.writes and {*table.players} <= {*players}]
    found.sort(key=lambda table: -len(table.players))
    return next((table for table in found if {*players} <= _find_names(table)), None)


def _find_names(table: PhoneTable) -> set[str]:
    connection = context.db().connection
    with suppress(access.NotFound):  # It may just have been deleted.
        table_id = access.find_access(connection, table.link, None).id
        return {*people.resolve(connection, table_id)[0].values()}
    return set()


def _read_key() -> IdempotentRequest:
    """The key of this form, by which it is known when it is sent twice."""
    # By the key that a page has; one from long ago has none, and two that are sent are two.
    own, content = request.form.get("key", ""), str(sorted(request.form.items(multi=True)))
    key = hash_secret(content) if len(own) >= UNGUESSABLE else access.new_link()
    return IdempotentRequest("form", key, content)


def _open(new: NewTable, ask: IdempotentRequest) -> str:
    """Open a table and return its link; of a form sent twice, the same one."""
    about = new, context.instance(), cookies.pen()
    try:
        link, pen = open_once(context.db(), ask, *about)
    except NotAllowed:  # It cannot be told any more which table that was.
        link, pen = open_once(context.db(), replace(ask, key=access.new_link()), *about)
    cookies.get_or_create_pen(pen)
    return link


class Card(msgspec.Struct, frozen=True):
    """One of this phone's tables on the start page.

    In the open it has the table's `view`, its `ledger`, and who may sit down: the `chosen`, who sat
    there last and did not leave, among those `known`, in seat order. Of older ones no game is
    replayed and no debt added up. `typed` is the text for a name not known, `asked` whose names
    were asked about.
    """

    table: PhoneTable
    view: TableView | None = None
    ledger: Ledger | None = None
    known: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    typed: str = ""
    asked: str = ""

    def choose(self, names: Iterable[str]) -> Card:
        """The card with these chosen instead, as a form that was refused had them."""
        chosen = tuple(name for name in names if name.strip())
        new = [name for name in chosen if name not in self.known]
        return replace(self, chosen=chosen, typed=", ".join(new), asked=join_names(chosen))

    @property
    def debt(self) -> tuple[str, Amount] | None:
        """Who owes most, and how much, in öre; None where nobody owes anything."""
        left = self.ledger.outstanding if self.ledger else {}
        owes = min(left, key=left.__getitem__, default="")
        if not self.ledger or left.get(owes, 0) == 0:
            return None
        return owes, Amount(-left[owes], self.ledger.currency)


class StartPage(msgspec.Struct, frozen=True):
    """Values of the start page on this phone's tables, the last one opened first.

    `elsewhere` is the link of the one opened last, where another server has it. `last` is the game
    whose rules and stake a new table begins with.
    """

    cards: list[Card]
    elsewhere: str

    @property
    def last(self) -> TableView | None:
        """The newest game of the table opened last."""
        return self.cards[0].view if self.cards else None


def _read_start() -> StartPage:
    links = cookies.tables()
    known = list_tables(context.db(), cookies.pen(), links, MOST_KNOWN)
    away = find_elsewhere(links, known, context.instance())
    newest = next((link for link in links if not links[link]), "")
    shown = [table for table in known if not table.archived]
    cards = [_read_card(table) for table in shown[:MOST_CARDS]]
    cards += [Card(table) for table in shown[MOST_CARDS:]]
    return StartPage(cards, newest if newest in away else "")


def _read_card(table: PhoneTable) -> Card:
    """A table as its card shows it; one that has just been deleted is an older one."""
    db = context.db()
    with suppress(access.NotFound):
        view = read_view(db, table.link)
        clock.give_way()
        ledger = read_ledger(db, table.link)
        clock.give_way()
        whose = ledger.people.whose
        seated = {whose.get(name, name) for name in view.state.players}
        persons = ledger.people.persons
        others = [name for name in persons if name not in seated]
        shown = max(0, MOST_CHIPS - len(seated))
        known = _seat_among(view.state.players, others[:shown], persons)
        return Card(table, view, ledger, (*known, *others[shown:]), view.state.staying)
    return Card(table)


def _seat_among(seated: Iterable[str], away: Iterable[str], persons: Sequence[str]) -> list[str]:
    """Those who sit, and who is away: each behind whoever came to the table just before them."""
    order = [*seated]
    for name in away:
        before = reversed(persons[: persons.index(name)])
        seat = next((order.index(each) + 1 for each in before if each in order), 0)
        order.insert(seat, name)
    return order


def _render_form(
    form: GameForm,
    start: StartPage,
    refusal: Refusal | None = None,
    at: str = "",
    group: PhoneTable | None = None,
) -> Response:
    """The start page; what was refused is said at the form, or at the table behind a link."""
    return cookies.try_out(
        render_game_form(
            "setup/page.html",
            form,
            refusal,
            start=start,
            has_tables=bool(cookies.tables()),
            most_open=MOST_CARDS,
            most_chips=MOST_CHIPS,
            at=at,
            group=group,
            # By its key a form that is sent twice is known.
            key=access.new_link(),
        )
    )


@bp.post("/t/<link>/games")
def rematch() -> Response:
    """Start the next game with those who are chosen, else with who sat there and did not leave.

    The deal moves on; on another evening, and from the start page, the dealer is drawn by lot.
    """
    form, view = read_game_form(request.form), context.read_view()
    form.players = form.players or [*view.state.staying]
    moves_on = "dealer" not in request.form and evening_of(view.begun_at) == this_evening()
    outcome = submit(lambda: Start(seats_of(form, context.known_names(), moves_on=moves_on)), STALE)
    if isinstance(outcome, Refusal) and "dealer" in request.form:
        return _render_refused(form, outcome)
    if isinstance(outcome, Refusal):
        return render_table(context.read_view(), outcome)
    lot = "" if moves_on else tell_lot(form, outcome)
    if context.wants_fragment():
        return render_table(outcome, flashed=lot)
    return redirect_to(url_for("table.page"), lot)


def _render_refused(form: GameForm, refusal: Refusal) -> Response:
    """The start page, with who was chosen at a table, and why they could not begin."""
    start, at = _read_start(), context.link()
    cards = [card.choose(form.players) if card.table.link == at else card for card in start.cards]
    said = replace(refusal, field="")
    return _render_form(empty_form(start.last), replace(start, cards=cards), said, at=at)


@bp.get("/t/<link>/next")
def next_game() -> Response:
    """The next game as the last one was, the deal moving on, to be changed."""
    view = context.read_view()
    if not view.state.over or not context.access().writes:
        return redirect_to(url_for("table.page"))
    players = view.state.players
    dealer = next_dealer(players, view.state.deal.dealer, players)
    return show_next(form_of(view, dealer))


@bp.post("/t/<link>/next")
def start_next() -> Response:
    """Start the next game, or change the form as a button asks."""
    form, button = read_game_form(request.form, context.currency()), request.form.get("do")
    refusal = attempt(lambda: take_answers(form, request.form))
    if refusal or button is not None:
        return show_next(rearrange(form, button or ""), refusal)

    def read() -> Start:
        return Start(setup_of(form, context.known_names()), read_currency(form.currency))

    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return show_next(form, outcome)
    return lead_to(url_for("table.page"), tell_lot(form, outcome))


def show_next(form: GameForm, refusal: Refusal | None = None) -> Response:
    """The page of the next game with the form as it is filled in."""
    names = people.list_people(context.db(), context.access().id).persons
    return render_game_form(
        "setup/next.html",
        form,
        refusal,
        view=context.read_view(),
        fixed_currency=has_money(context.db().connection, context.access().id),
        action=url_for("new_table.next_game"),
        suggestions=suggest(names, form),
    )


# So many stand in the open, the others are folded away.
MOST_OPEN = 12


@bp.get("/tables")
def list_page() -> Response:
    """The tables, the last one played at first."""
    return _render_list()


@bp.post("/tables")
def archive() -> Response:
    """Put a table away, or bring one back; nothing of it is lost."""
    cookies.archive(request.form.get("table", ""), away=request.form.get("do") != "back")
    return redirect_to(url_for("new_table.list_page"))


@bp.post("/t/<link>/name")
def rename() -> Response:
    """Give a table another name, for all who look at it."""
    name = request.form.get("name", "")
    outcome = submit(lambda: Rename(name))
    if isinstance(outcome, Refusal):
        return _render_list(outcome, context.link(), name)
    return redirect_to(url_for("new_table.list_page"))


@card_bp.get("/t/<link>/row")
def card() -> Response:
    """A table's row for a list that another server has made; the cookie stays as it is."""
    known = {context.link(): cookies.tables().get(context.link(), False)}
    [table] = list_tables(context.db(), cookies.pen(), known)
    return render("setup/_card.html", card=Card(table), listed=True)


@card_bp.errorhandler(access.NotFound)
def leave_out(_: access.NotFound) -> str:
    """Nothing for a table that has been deleted: its row goes out of the list."""
    record_bad_secret()
    return ""


def _render_list(refusal: Refusal | None = None, at: str = "", typed: str = "") -> Response:
    """The list; where a name was refused, `at` a table, its text stands in the field still."""
    known = cookies.tables()
    listed = list_tables(context.db(), cookies.pen(), known)
    elsewhere = find_elsewhere(known, listed, context.instance())
    listed.sort(key=lambda table: table.played_at, reverse=True)
    return render(
        "setup/tables.html",
        "",
        refusal,
        listed=True,
        tables=[Card(table) for table in listed if not table.archived],
        archived=[Card(table) for table in listed if table.archived],
        elsewhere_open=[link for link, away in elsewhere.items() if not away],
        elsewhere_away=[link for link, away in elsewhere.items() if away],
        most=MOST_OPEN,
        at=at,
        typed=typed[:LONGEST_TEXT],
    )
