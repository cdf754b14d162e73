"""The form that seats a game, of a new table or a table's next: read, changed and shown again."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from flask import Response, request, url_for
from werkzeug.datastructures import MultiDict

from app.http import context
from app.http.forms import (
    LONGEST_FIELD,
    LONGEST_TEXT,
    Refusal,
    flash_at,
    read_field,
)
from app.i18n.currencies import format_amount, read_money
from app.rules.errors import BadFile
from app.rules.gamefile import MAX_STAKE_ORE
from app.rules.house import HouseRules
from app.rules.names import MAX_PLAYERS, MIN_PLAYERS, look_alikes, read_players
from app.rules.presets import DEFAULT_PRESET, PRESETS, write_rules
from app.rules.settlement import USUAL, Amount, Currency, read_currency
from app.services.table_view import TableView
from app.web.setup.draft import (
    DRAWN,
    USUAL_STAKES,
    GameDraft,
    join_names,
    rule_choices,
    rules_of,
    shown_stop,
    switched_on,
)
from app.web.templates import render

FRAGMENT = "setup/_form.html"
# A stake that is typed, none of those offered.
OTHER = "other"
# More than may play, so that it is said when there are too many.
MOST_SEATS = 2 * MAX_PLAYERS


def read_draft(fields: MultiDict[str, str], currency: Currency = USUAL) -> GameDraft:
    """Read a form as far as a form of ours can hold it: it is shown again.

    A stake that is offered names its currency (`1 SEK`); without any it is this one.
    """
    offered, stake, unit = fields.get("point", OTHER), fields.get("stake", ""), ""
    if offered != OTHER:
        stake, _, unit = offered.partition(" ")
    return GameDraft(
        players=[name[:LONGEST_TEXT] for name in fields.getlist("player")[:MOST_SEATS]],
        preset=fields.get("preset", DEFAULT_PRESET),
        stake=stake[:LONGEST_FIELD],
        dealer=fields.get("dealer", DRAWN),
        name=fields.get("name", "")[:LONGEST_TEXT],
        own=fields.get("own", "")[:LONGEST_FIELD],
        currency=(unit or fields.get("currency", currency))[:LONGEST_TEXT],
        was=fields.getlist("seated")[:MOST_SEATS],
    )


def setup_of(form: GameDraft) -> dict[str, object]:
    """The form as a game file writes it. Raises BadFile."""
    players = read_field("player", lambda: _names(form))
    return {
        "players": players,
        "dealer": secrets.choice(players) if is_drawn(form) else form.players[int(form.dealer)],
        "stake_ore": read_field("stake", lambda: _stake(form)),
        "rules": write_rules(*rules_of(form)),
    }


def is_drawn(form: GameDraft) -> bool:
    """Whether the first dealer is drawn by lot, as nobody seated was chosen."""
    seat = _seat(form.dealer, form.players)
    return seat is None or not form.players[seat].strip()


def announce_lot(link: str, view: TableView) -> None:
    """Have the table tell once whom the lot fell on."""
    dealer = view.game.setup.dealer
    message = context.language().gettext("%(player)s was drawn to deal first.", player=dealer)
    flash_at(url_for("table.page", link=link), message)


def _names(form: GameDraft) -> tuple[str, ...]:
    """Read the players. Raises BadFile; for names that look alike only once."""
    typed = [name for name in form.players if name.strip()]
    if len(typed) < MIN_PLAYERS:
        raise BadFile("too_few_names")
    players = read_players(typed)
    alike = look_alikes(players)
    if alike and request.form.get("asked") != join_names(players):
        raise BadFile("look_alike", player=alike[0], by=alike[1])
    return players


def _stake(form: GameDraft) -> int:
    """Read the stake in öre, or cents, a point.

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


def rearrange(form: GameDraft, do: str) -> GameDraft:
    """The form after a button: somebody away, somebody one seat up, or a name filled in."""
    action, _, which = do.partition(":")
    if action == "name":
        _fill(form.players, which)
    elif action == "same":
        form.players = which.splitlines()[:MAX_PLAYERS]
    elif (seat := _seat(which, form.players)) is not None:
        _move(form, action, seat)
    return form


def _seat(text: str, players: list[str]) -> int | None:
    """The seat that a button or the dealer's mark names, None when there is no such seat."""
    seats = [str(seat) for seat in range(len(players))]
    return seats.index(text) if text in seats else None


def _fill(players: list[str], name: str) -> None:
    """Put a name into the first empty seat."""
    if "" in players and name not in players:
        players[players.index("")] = name


def _move(form: GameDraft, action: str, seat: int) -> None:
    """Take somebody away, or change places with the one before; the dealer's mark goes along."""
    order, dealer = list(range(len(form.players))), _seat(form.dealer, form.players)
    if action == "remove":
        order.remove(seat)
    elif action == "up" and seat > 0:
        order[seat - 1], order[seat] = order[seat], order[seat - 1]
    form.players = [form.players[old] for old in order]
    form.was = [form.was[old] for old in order if old < len(form.was)]
    form.dealer = str(order.index(dealer)) if dealer in order else DRAWN


def suggest(names: Iterable[str], form: GameDraft, limit: int) -> list[str]:
    """Names to fill in with a tap: each once, but for those who have a seat already."""
    return [name for name in dict.fromkeys(names) if name not in form.players][:limit]


def render_draft(page: str, form: GameDraft, refusal: Refusal | None, **values: object) -> Response:
    """The page that seats a game, or the form on it that htmx swaps."""
    form.players += [""] * (MAX_PLAYERS - len(form.players))
    form.was += [""] * (len(form.players) - len(form.was))
    rules = _rules(form)
    return render(
        page,
        FRAGMENT,
        refusal,
        form=form,
        choices=rule_choices(form, context.language()),
        switched_on=switched_on(rules),
        stop=shown_stop(rules),
        asked=join_names(form.players) if refusal and refusal.field == "player" else "",
        **_stakes(form),
        **values,
    )


def _rules(form: GameDraft) -> HouseRules:
    """The rules that are chosen; the usual ones where they cannot be read."""
    try:
        return rules_of(form)[1]
    except BadFile:
        return PRESETS[DEFAULT_PRESET]


def _stakes(form: GameDraft) -> dict[str, object]:
    """The stake that is offered, and which one is chosen: that, nothing, or another."""
    currency: Currency = "EUR" if form.currency == "EUR" else USUAL
    ore, usual = read_money(form.stake, currency), USUAL_STAKES[currency]
    offered = f"{format_amount(usual)} {currency}"
    point = "0" if ore == 0 else offered if ore == usual else OTHER
    return {"point": point, "offered": offered, "offered_ore": usual, "offered_in": currency}
