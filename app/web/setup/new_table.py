"""A new table: who sits where, what is played, for how much, and who deals first."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from flask import Blueprint, Response, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, opening, phone_cookie
from app.http.forms import (
    LONGEST_FIELD,
    LONGEST_TEXT,
    Refusal,
    attempt,
    read_field,
    read_kronor,
    redirect_to,
)
from app.http.opening import Opening
from app.http.rate_limits import NEW_TABLES, rate_limit
from app.rules.errors import BadFile, NotAllowed
from app.rules.gamefile import MAX_PLAYERS, MAX_STAKE_ORE, MIN_PLAYERS, read_name, read_setup
from app.rules.presets import DEFAULT_PRESET, write_rules
from app.services import tables
from app.services.tables import Sheet, hash_secret
from app.web.setup import draft
from app.web.setup.draft import DRAWN, Draft, rule_choices, rules_of
from app.web.templates import render

bp = Blueprint("new_table", __name__)

FRAGMENT = "setup/_form.html"
MAX_SUGGESTIONS = 12
# More than may play, so that it is said when there are too many.
MOST_SEATS = 2 * MAX_PLAYERS


@bp.get("/")
def page() -> Response:
    """An empty table, with what this phone remembers."""
    recent = _recent_tables()
    last = recent[0][1].game.setup if recent else None
    return _render_form(draft.load() or draft.new_draft(last), recent)


@bp.post("/")
@rate_limit(NEW_TABLES)
def open_table() -> AnyResponse:
    """Open the table, or change the form as a button asks."""
    form, button = read_draft(request.form), request.form.get("do")
    if button == "rules":
        draft.save(form)
        return redirect_to(url_for("rules.change"))
    if button is not None:
        return _render_form(rearrange(form, button), _recent_tables())
    link = attempt(lambda: _open(form))
    if isinstance(link, Refusal):
        return _render_form(form, _recent_tables(), link)
    phone_cookie.remember_table(link)
    draft.clear()
    return redirect_to(url_for("table.page", link=link))


def _open(form: Draft) -> str:
    """Open a table as the form says, and return its link; of a form sent twice, the same one.

    Raises BadFile.
    """
    setup = read_setup(setup_of(form))
    name = read_field("name", lambda: read_name(form.name)) if form.name.strip() else ""

    def act(link: str, pen: str) -> None:
        tables.open_table(context.pool(), setup, name, pen, link)

    if (opened := _open_once(act)) is not None:
        link, pen = opened
        phone_cookie.take_pen(pen)
        return link
    return tables.open_table(context.pool(), setup, name, phone_cookie.take_pen())


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


def read_draft(fields: MultiDict[str, str]) -> Draft:
    """What has been filled in, as far as a form of ours can hold it: it is shown again."""
    return Draft(
        players=[name[:LONGEST_TEXT] for name in fields.getlist("player")[:MOST_SEATS]],
        preset=fields.get("preset", DEFAULT_PRESET),
        stake=fields.get("stake", "")[:LONGEST_FIELD],
        dealer=fields.get("dealer", DRAWN),
        name=fields.get("name", "")[:LONGEST_TEXT],
        own=fields.get("own", "")[:LONGEST_FIELD],
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
        "stake_ore": read_field("stake", lambda: _stake(form.stake)),
        "rules": write_rules(*rules_of(form)),
    }


def _stake(text: str) -> int:
    """How many öre a point is worth. Raises BadFile when it cannot be read, or is out of bounds."""
    ore = read_kronor(text)
    if ore is None:
        raise BadFile("stake_unreadable", typed=text)
    if not 0 <= ore <= MAX_STAKE_ORE:
        raise BadFile("stake_out_of_range", ore=MAX_STAKE_ORE, typed=text)
    return ore


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


def _recent_tables() -> list[tuple[str, Sheet]]:
    """The tables this phone has opened that still are there, newest first."""
    sheets = []
    for link in phone_cookie.recent_tables():
        try:
            sheets.append((link, tables.read_sheet(context.pool(), link)))
        except tables.NotFound:
            continue
    return sheets


def _render_form(
    form: Draft, recent: list[tuple[str, Sheet]], refusal: Refusal | None = None
) -> Response:
    names = [name for _, sheet in recent for name in sheet.game.setup.players]
    last = list(recent[0][1].game.setup.players) if recent else []
    suggestions = suggest(names, form, MAX_SUGGESTIONS)
    # By its key a form that is sent twice is known.
    values = {"recent": recent, "last": last, "suggestions": suggestions, "key": tables.new_link()}
    return render_draft("setup/page.html", form, refusal, **values)


def suggest(names: Iterable[str], form: Draft, limit: int) -> list[str]:
    """Names to fill in with a tap: each once, and none that has a seat already."""
    return [name for name in dict.fromkeys(names) if name not in form.players][:limit]


def render_draft(page: str, form: Draft, refusal: Refusal | None, **values: object) -> Response:
    """The page that seats a game, or the form on it that htmx swaps."""
    choices = rule_choices(form, context.language())
    limits = {"most": MAX_PLAYERS, "fewest": MIN_PLAYERS}
    return render(page, FRAGMENT, refusal, form=form, choices=choices, **limits, **values)
