"""The start: this phone's last tables, and a new one: who sits where, what is played."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress

import msgspec
from flask import Blueprint, Response, request, url_for
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, instances, opening, phone_cookie
from app.http.forms import (
    LONGEST_FIELD,
    LONGEST_TEXT,
    Refusal,
    attempt,
    read_currency,
    read_field,
    read_money,
    redirect_to,
)
from app.http.instances import InstanceUnavailable
from app.http.opening import Opening
from app.http.outbox import keep_opening
from app.http.phone_tables import list_tables, read_sheet, remember_table
from app.http.rate_limits import NEW_TABLES, count_miss, rate_limit
from app.i18n.rule_summary import rules_label
from app.rules.currency import USUAL, Amount, Currency
from app.rules.ending import next_dealer
from app.rules.errors import BadFile, NotAllowed
from app.rules.gamefile import MAX_STAKE_ORE, read_setup
from app.rules.names import MAX_PLAYERS, MIN_PLAYERS, read_name
from app.rules.presets import DEFAULT_PRESET, write_rules
from app.rules.state import Setup
from app.services import tables
from app.services.phone_tables import PhoneTable
from app.services.sheets import Sheet
from app.services.tables import hash_secret
from app.web.setup import draft
from app.web.setup.draft import DRAWN, Draft, rule_choices, rules_of
from app.web.templates import render

bp = Blueprint("new_table", __name__)

FRAGMENT = "setup/_form.html"
MAX_SUGGESTIONS, MAX_COMPANIES = 12, 3
# Tables on the start page, the last one opened among them.
MOST_SHOWN, MOST_KNOWN = 4, 24
# More than may play, so that it is said when there are too many.
MOST_SEATS = 2 * MAX_PLAYERS


@bp.get("/")
def page() -> Response:
    """An empty table, with what this phone remembers."""
    start = _read_start()
    last = start.shown[0][1] if start.shown else None
    return _render_form(draft.load() or draft.new_draft(last), start)


@bp.post("/")
@rate_limit(NEW_TABLES)
def open_table() -> AnyResponse:
    """Open the table, or change the form as a button asks."""
    form, button = read_draft(request.form), request.form.get("do")
    if button == "rules":
        draft.save(form)
        return redirect_to(url_for("rules.change"))
    if button is not None:
        return _render_form(rearrange(form, button), _read_start())
    link = attempt(lambda: _open_as_drafted(form))
    if isinstance(link, Refusal):
        return _render_form(form, _read_start(), link)
    remember_table(link)
    draft.clear()
    return redirect_to(url_for("table.page", link=link))


@bp.post("/again")
@rate_limit(NEW_TABLES)
def open_again() -> AnyResponse:
    """Open a table with the same people, stake and rules as another; the deal moves on."""
    with count_miss(tables.NotFound):
        sheet = read_sheet(request.form.get("table", ""))
    players = sheet.state.players
    dealer = next_dealer(players, sheet.state.deal.dealer, players)
    setup = replace(sheet.game.setup, players=players, dealer=dealer)
    link = _open(setup, sheet.name, sheet.currency)
    remember_table(link)
    return redirect_to(url_for("table.page", link=link))


def _open_as_drafted(form: Draft) -> str:
    """Open a table as the form says, and return its link. Raises BadFile."""
    setup = read_setup(setup_of(form))
    name = read_field("name", lambda: read_name(form.name)) if form.name.strip() else ""
    return _open(setup, name, read_currency(form.currency))


def _open(setup: Setup, name: str, currency: Currency) -> str:
    """Open a table and return its link; of a form sent twice, the same one."""

    def open_table(pen: str, link: str | None = None) -> str:
        pool, link = context.pool(), link or tables.new_link(instances.own())
        return keep_opening(lambda: tables.open_table(pool, setup, name, pen, link, currency))

    def act(link: str, pen: str) -> None:
        open_table(pen, link)

    if (opened := _open_once(act)) is not None:
        link, pen = opened
        phone_cookie.take_pen(pen)
        return link
    return open_table(phone_cookie.take_pen())


def _open_once(act: Opening) -> tuple[str, str] | None:
    """The link and the pen of the table that this form opens, or has opened just before.

    None where it cannot be told: of a page from long ago, or without the key that a page has.
    """
    if len(request.form.get("key", "")) < opening.UNGUESSABLE:
        return None
    content = str(sorted(request.form.items(multi=True)))
    try:
        return opening.open_once("form", hash_secret(content), content, act, phone_cookie.pen())
    except NotAllowed:
        return None


def read_draft(fields: MultiDict[str, str], currency: Currency = USUAL) -> Draft:
    """What has been filled in, as far as a form of ours can hold it: it is shown again.

    Without a currency it is this one.
    """
    return Draft(
        players=[name[:LONGEST_TEXT] for name in fields.getlist("player")[:MOST_SEATS]],
        preset=fields.get("preset", DEFAULT_PRESET),
        stake=fields.get("stake", "")[:LONGEST_FIELD],
        dealer=fields.get("dealer", DRAWN),
        name=fields.get("name", "")[:LONGEST_TEXT],
        own=fields.get("own", "")[:LONGEST_FIELD],
        currency=fields.get("currency", currency)[:LONGEST_TEXT],
    )


def setup_of(form: Draft) -> dict[str, object]:
    """The form as a game file writes it. Raises BadFile."""
    seated = [(seat, name) for seat, name in enumerate(form.players) if name.strip()]
    players = [name for _, name in seated]
    dealers = [name for seat, name in seated if str(seat) == form.dealer]
    dealers = dealers or ([secrets.choice(players)] if players else [""])
    return {
        "players": players,
        "dealer": dealers[0],
        "stake_ore": read_field("stake", lambda: _stake(form)),
        "rules": write_rules(*rules_of(form)),
    }


def _stake(form: Draft) -> int:
    """How many öre, or cents, a point is worth.

    Raises BadFile when it cannot be read, or is out of bounds.
    """
    currency = read_currency(form.currency)
    stake = read_money(form.stake, currency)
    if stake is None:
        if currency == "EUR":
            raise BadFile("stake_unreadable_in_euros", typed=form.stake)
        raise BadFile("stake_unreadable", typed=form.stake)
    if not 0 <= stake <= MAX_STAKE_ORE:
        most = Amount(MAX_STAKE_ORE, currency)
        raise BadFile("stake_out_of_range", ore=most, typed=form.stake)
    return stake


def rearrange(form: Draft, do: str) -> Draft:
    """The form after a button: a seat more, a seat less, one seat up, or a name filled in."""
    what, _, which = do.partition(":")
    players = form.players
    if what == "add" and len(players) < MAX_PLAYERS:
        players.append("")
    elif what == "name":
        _fill(players, [which])
    elif what == "same":
        form.players = which.split("\n")[:MAX_PLAYERS]
    elif (seat := _seat(which, players)) is not None:
        _move(form, what, seat)
    return form


def _seat(text: str, players: list[str]) -> int | None:
    """The seat that a button or the dealer's mark names, None when there is no such seat."""
    seats = [str(seat) for seat in range(len(players))]
    return seats.index(text) if text in seats else None


def _fill(players: list[str], names: list[str]) -> None:
    """Put names into the first empty seats."""
    for name in names:
        if name in players:
            continue
        if "" in players:
            players[players.index("")] = name
        elif len(players) < MAX_PLAYERS:
            players.append(name)


def _move(form: Draft, what: str, seat: int) -> None:
    """Take a seat away, or change places with the one before; the dealer's mark goes along."""
    order, dealer = list(range(len(form.players))), _seat(form.dealer, form.players)
    if what == "remove" and len(order) > MIN_PLAYERS:
        order.remove(seat)
    elif what == "up" and seat > 0:
        order[seat - 1], order[seat] = order[seat], order[seat - 1]
    form.players = [form.players[old] for old in order]
    form.dealer = str(order.index(dealer)) if dealer in order else DRAWN


class Start(msgspec.Struct, frozen=True):
    """What the start shows of this phone's tables, the last one opened first.

    `known` are the last ones; `shown` those to go on at from here, each with how it stands.
    """

    known: list[PhoneTable]
    shown: list[tuple[PhoneTable, Sheet]]

    @property
    def companies(self) -> list[tuple[str, ...]]:
        """Who has sat down together lately, each company once."""
        return list(dict.fromkeys(table.players for table in self.known))[:MAX_COMPANIES]


def _read_start() -> Start:
    known = list_tables(MOST_KNOWN)
    shown = []
    for table in [table for table in known if not table.put_away][:MOST_SHOWN]:
        with suppress(tables.NotFound, InstanceUnavailable):
            shown.append((table, read_sheet(table.link)))
    return Start(known, shown)


def _render_form(form: Draft, start: Start, refusal: Refusal | None = None) -> Response:
    names = [name for table in start.known for name in table.players]
    seated = tuple(filter(None, form.players))
    return render_draft(
        "setup/page.html",
        form,
        refusal,
        start=start,
        companies=[company for company in start.companies if company != seated],
        suggestions=suggest(names, form, MAX_SUGGESTIONS),
        # By its key a form that is sent twice is known.
        key=tables.new_link(),
        again=_rules_in_brief(start),
    )


def _rules_in_brief(start: Start) -> str:
    """What the last table plays, in a few words; nothing where there is none."""
    if not start.shown:
        return ""
    setup, language = start.shown[0][1].game.setup, context.language()
    return rules_label(setup.preset, setup.rules, language)


def suggest(names: Iterable[str], form: Draft, limit: int) -> list[str]:
    """Names to fill in with a tap: each once, and none that has a seat already."""
    return [name for name in dict.fromkeys(names) if name not in form.players][:limit]


def render_draft(page: str, form: Draft, refusal: Refusal | None, **values: object) -> Response:
    """The page that seats a game, or the form on it that htmx swaps."""
    choices = rule_choices(form, context.language())
    limits = {"most": MAX_PLAYERS, "fewest": MIN_PLAYERS}
    return render(page, FRAGMENT, refusal, form=form, choices=choices, **limits, **values)
