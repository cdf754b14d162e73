"""Rendering, and what every template can use: translation, filters and static assets.

A view hands values on as they are, öre and points and codes; a filter here writes them in the
language of the request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache

from flask import Flask, Response, make_response, render_template, url_for
from jinja2.ext import Extension
from markupsafe import Markup

from app.http import context, flashes, kit_files, phone_cookie
from app.http.forms import Refusal
from app.http.static_files import read_versions, version
from app.i18n import amendment, cards, errors, game, notices, payments
from app.services.tables import AmendedGame, StartedGame, UndoItem


def _undo_text(item: UndoItem, newest: int) -> str:
    """What undo takes back or redo brings, in a few words; `newest` is the game being played."""
    match item:
        case AmendedGame(number=number, deal=deal):
            elsewhere = None if number == newest else number
            return game.amendment_text(deal, elsewhere, context.language())
        case StartedGame(number=number):
            return game.start_text(number, context.language())
        case _:
            return game.event_text(item, context.language())


def _single_quoted(text: str) -> Markup:
    """JSON for an attribute in single quotes, where its many double ones need no escaping."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")
    return Markup(escaped)  # noqa: S704  # all that ends such an attribute is escaped


FILTERS: Mapping[str, Callable[..., object]] = {
    "single_quoted": _single_quoted,
    "gettext": lambda message: context.language().gettext(message),
    "number": lambda number: context.language().number(number),
    "signed": lambda change: context.language().signed(change),
    "points": lambda points: context.language().points(points),
    "kronor": lambda ore: context.language().kronor(ore),
    "signed_kronor": lambda ore: context.language().signed_kronor(ore),
    # In a column that says kronor: `+24`, `−3,50`.
    "plus_minus": lambda ore: (
        context.language().signed_kronor(ore).removesuffix("\N{NO-BREAK SPACE}kr")
    ),
    "won_or_lost": lambda ore: "won" if ore > 0 else "lost" if ore < 0 else "",
    "listing": lambda names: context.language().listing(names),
    "either": lambda names: context.language().either(names),
    "day": lambda day: context.language().day(day),
    # A moment by the server's clock: `21:04`.
    "clock": lambda at: datetime.fromisoformat(at).astimezone().strftime("%H:%M"),
    "hand_label": lambda hand: game.hand_label(hand, context.language()),
    "hand_name": lambda hand: game.hand_name(hand, context.language()),
    "event_text": lambda event: game.event_text(event, context.language()),
    "entry_text": lambda event: game.entry_text(event, context.language()),
    "undo_text": _undo_text,
    "effect_text": lambda effect: game.effect_text(effect, context.language()),
    "explain_effects": lambda before, after: game.explain_effects(
        before, after, context.language()
    ),
    "explain_payout": lambda state: game.explain_payout(state, context.language()),
    "rank_letter": lambda rank: cards.rank_letter(rank, context.language()),
    "write_card": lambda card: cards.write_card(card, context.language()),
    "card_name": lambda card: cards.card_name(card, context.language()),
    "combination_text": lambda hand: cards.combination_text(hand, context.language()),
    "verdict_text": lambda result, ties: cards.verdict_text(result, ties, context.language()),
    "transfer_text": lambda owed: payments.transfer_text(owed, context.language()),
    "way_text": lambda way: payments.way_text(way, context.language()),
    "notice_text": lambda notice: notices.notice_text(notice, context.language()),
    "error_text": lambda reason: errors.error_text(reason, context.language()),
    "moment_text": lambda moment: amendment.moment_text(moment, context.language()),
    "misfit_text": lambda misfit: amendment.misfit_text(misfit, context.language()),
    "step_title": lambda step: game.step_title(step, context.language()),
}


class Unindent(Extension):
    """Leave the indentation of templates out of the pages: a quarter of the keeper's page."""

    def preprocess(self, source: str, *_: object) -> str:
        """Leave one blank, which holds the lines apart where a block takes the line break."""
        return re.sub(r"^[ \t]+", " ", source, flags=re.MULTILINE)


def register(app: Flask) -> None:
    """Let templates translate, format, and address static files."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.add_extension(Unindent)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # added by the extension
        lambda text: context.language().gettext(text),
        lambda one, many, n: context.language().ngettext(one, many, n),
        newstyle=True,
    )
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals["asset"] = _asset(app)
    app.jinja_env.globals["kit_available"] = kit_files.kit_available
    app.jinja_env.globals["kit_download"] = kit_files.kit_download
    app.jinja_env.globals["language"] = context.language
    app.jinja_env.globals["read_flashes"] = flashes.read_flashes
    app.jinja_env.globals["is_unrecognised"] = phone_cookie.is_unrecognised


def render(
    page: str, fragment: str = "", refusal: Refusal | None = None, /, **values: object
) -> Response:
    """Answer with a page, or with its fragment where htmx asks for that and there is one.

    Both are templates. A refusal gives its status, and its reason as `message`, or in `faults` by
    the field that is at fault.
    """
    template = fragment if fragment and context.wants_fragment() else page
    message = refusal.message if refusal and not refusal.field else ""
    faults = {refusal.field: refusal.message} if refusal and refusal.field else {}
    response = make_response(render_template(template, message=message, faults=faults, **values))
    if refusal:
        response.status_code = refusal.status
    return response


def _asset(app: Flask) -> Callable[[str], str]:
    """Addresses of static files that change with their content, so phones may keep them."""
    folder = app.static_folder or ""
    elsewhere = read_versions(folder)

    @cache
    def known_as(name: str) -> str:
        return elsewhere.get(name) or version(folder, name)

    return lambda name: url_for("static", filename=name, v=known_as(name))
