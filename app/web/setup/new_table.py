"""A new table: who sits where, what is played, for how much, and who deals first."""

from __future__ import annotations

import secrets
from http import HTTPStatus

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import read_kronor
from app.http.rate_limits import NEW_TABLES, rate_limit
from app.i18n.errors import error_text
from app.rules.errors import BadFile
from app.rules.gamefile import MAX_PLAYERS, MIN_PLAYERS, read_name, read_setup
from app.rules.presets import DEFAULT_PRESET, write_rules
from app.services import tables
from app.services.tables import Sheet
from app.web.setup import draft
from app.web.setup.draft import DRAWN, Draft, rule_choices, rules_of

bp = Blueprint("new_table", __name__)


@bp.get("/")
def page() -> str:
    """An empty table, with what this phone remembers."""
    seen = _seen()
    last = seen[0][1].game.setup if seen else None
    return _show(draft.load() or draft.new_draft(last), seen)


@bp.post("/")
@rate_limit(NEW_TABLES)
def open_table() -> AnyResponse | tuple[str, int] | str:
    """Open the table, or change the form as a button asks."""
    form = read_form(request.form)
    if request.form.get("do") == "rules":
        draft.save(form)
        return redirect(url_for("rules.change"), HTTPStatus.SEE_OTHER)
    if "do" in request.form:
        return _show(rearranged(form, request.form["do"]), _seen())
    try:
        setup = read_setup(agreed(form))
        name = read_name(form.name) if form.name.strip() else ""
    except BadFile as fault:
        said = error_text(fault, context.language())
        return _show(form, _seen(), said), HTTPStatus.UNPROCESSABLE_ENTITY
    link = tables.open_table(context.pool(), setup, name, context.take_pen())
    context.remember_table(link)
    draft.clear()
    return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)


def read_form(sent: MultiDict[str, str]) -> Draft:
    """What has been filled in."""
    return Draft(
        players=sent.getlist("player"),
        preset=sent.get("preset", DEFAULT_PRESET),
        stake=sent.get("stake", ""),
        dealer=sent.get("dealer", DRAWN),
        name=sent.get("name", ""),
        own=sent.get("own", ""),
    )


def agreed(form: Draft) -> dict[str, object]:
    """The form as a game file writes it. Raises BadFile."""
    seated = [(seat, name) for seat, name in enumerate(form.players) if name.strip()]
    players = [name for _, name in seated]
    chosen = [name for seat, name in seated if str(seat) == form.dealer]
    dealer = chosen or ([secrets.choice(players)] if players else [""])
    return {
        "players": players,
        "dealer": dealer[0],
        "stake_ore": _stake(form.stake),
        "rules": write_rules(*rules_of(form)),
    }


def _stake(text: str) -> int:
    """How many öre a point is worth. Raises BadFile when it cannot be read."""
    ore = read_kronor(text)
    if ore is None:
        raise BadFile("stake_unreadable", value=text)
    return ore


def rearranged(form: Draft, do: str) -> Draft:
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


def _seen() -> list[tuple[str, Sheet]]:
    """The tables this phone has opened that still are there, newest first."""
    found = []
    for link in context.seen_tables():
        try:
            found.append((link, tables.sheet(context.pool(), link)))
        except tables.NotFound:
            continue
    return found


def _show(form: Draft, seen: list[tuple[str, Sheet]], said: str = "") -> str:
    known = [name for _, sheet in seen for name in sheet.game.setup.players]
    return render_template(
        "setup/_form.html" if "HX-Request" in request.headers else "setup/page.html",
        form=form,
        said=said,
        seen=seen,
        known=[name for name in dict.fromkeys(known) if name not in form.players][:12],
        last=list(seen[0][1].game.setup.players) if seen else [],
        most=MAX_PLAYERS,
        fewest=MIN_PLAYERS,
        choices=rule_choices(form, context.language()),
    )
