"""Rendering, and what every template can use: translation, filters and static assets.

A view hands values on as they are, öre and points and codes; a filter here writes them in the
language of the request.
"""

import re
from collections.abc import Callable, Mapping, MutableMapping
from datetime import date
from functools import cache, lru_cache
from http import HTTPStatus
from operator import methodcaller
from typing import Any

from flask import Flask, Response, make_response, render_template
from flask.templating import Environment
from jinja2.ext import Extension
from markupsafe import Markup, escape

from app.http import context, cookies, forms
from app.http.assets import read_versions, version
from app.http.forms import Refusal
from app.i18n import cards, effects, errors, game, house_rules
from app.i18n.language import (
    CONVENTIONS,
    CURRENCY_WORDS,
    NAME_BEGINS,
    NAME_ENDS,
    Language,
    isolate,
    way_text,
)
from app.rules.events import Event, Rules
from app.rules.rights import chicago_required
from app.rules.state import GameState, RuleChange
from app.services.table_view import UndoableChange, UndoItem
from app.store import clock
from app.web.grid import aloud, event_value

# What it defines, every template may use.
MACROS = "macros.html"
# After this many seconds an import of ordinary size is over.
BUSY_SECONDS = 5
# More than there are, in all languages.
MOST_TEXTS = 8_192


def _undo_text(item: UndoItem, newest: int, before: GameState | None = None) -> str:
    """The change that undo or redo concerns, in a few words; `newest` is the game being played.

    `before` is the state before it, where it is an event.
    """
    _ = context.gettext
    match item:
        case UndoableChange(kind="edit", number=number, deal=0) if number == newest:
            return _("changed the game")
        case UndoableChange(kind="edit", number=number, deal=0):
            return _("changed game %(number)s", number=number)
        case UndoableChange(kind="edit", number=number, deal=deal) if number == newest:
            return _("edited deal %(deal)s", deal=deal)
        case UndoableChange(kind="edit", number=number, deal=deal):
            return _("edited deal %(deal)s in game %(game)s", deal=deal, game=number)
        case UndoableChange(kind="open" | "import" | "start", number=number):
            return _("game %(number)s", number=number)
        case UndoableChange(kind="pay"):
            return _("the payment")
        case UndoableChange(kind="unpay"):
            return _("payment taken back")
        case UndoableChange(kind="people", name=name, same_as=str(other)):
            return _("%(player)s is %(other)s", player=isolate(name), other=isolate(other))
        case UndoableChange(kind="people", name=name):
            return _("%(player)s by themselves", player=isolate(name))
        case UndoableChange():
            return _("the table’s name")
        case Rules() if before:
            change = RuleChange(before.deal.number, before.rules, item.rules)
            text = house_rules.rules_from_text(change, context.language())
            return text[0].lower() + text[1:]
    return game.event_text(item, context.language().of_pages, before)


def _single_quoted(text: str) -> Markup:
    """JSON for an attribute in single quotes, where its many double ones need no escaping."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")
    return Markup(escaped)  # noqa: S704  # all that ends such an attribute is escaped


def _records(event: Event) -> Markup:
    """The attributes of a button that records an event."""
    return Markup("name=\"event\" value='{}'").format(_single_quoted(event_value(event)))


def _hidden(name: str, value: object = "") -> Markup:
    """A field that goes along unseen."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(name, value)


def _set_apart(value: object) -> object:
    """Names within a text of a page, in its markup; whatever a template shows comes by here."""
    if not isinstance(value, str) or NAME_BEGINS not in value:
        return value
    begun = str(escape(value)).replace(NAME_BEGINS, '<bdi translate="no">')
    return Markup(begun.replace(NAME_ENDS, "</bdi>"))  # noqa: S704  # escaped just now


def _plain(text: str) -> str:
    """A text for an attribute, in which no name is set apart."""
    return text.replace(NAME_BEGINS, "").replace(NAME_ENDS, "")


@lru_cache(maxsize=MOST_TEXTS)
def _text(language: Language, message: str) -> Markup:
    """A text of ours, which may hold markup."""
    return Markup(language.gettext(message))  # noqa: S704  # nobody else writes the catalogs


def _gettext(message: str, /, **values: object) -> Markup:
    """Translate a message of ours and fill in its values, escaped."""
    text = _text(context.language(), message)
    return text % values if values else text


def _ngettext(one: str, many: str, number: int, /) -> Markup:
    """Translate a message of ours that depends on a number, which is also the value `num`."""
    return Markup(context.language().ngettext(one, many, number))  # noqa: S704  # as above


def _of_language(name: str) -> Callable[..., object]:
    """A method of the language of the request, as a filter."""
    return lambda value: methodcaller(name, value)(context.language().of_pages)


def _in_language(write: Callable[..., object]) -> Callable[..., object]:
    """A writer that takes the language too, as a filter."""
    return lambda *values, **more: write(*values, language=context.language().of_pages, **more)


def _in_currency(write: Callable[..., object]) -> Callable[..., object]:
    """A writer that takes currency and language, as a filter."""
    return lambda value: write(value, context.currency(), context.language().of_pages)


_METHODS = (
    *(Language.gettext, Language.number, Language.tenths, Language.percent, Language.signed),
    *(Language.points, Language.day),
)
_WRITERS = (
    *(cards.hand_label, cards.hand_name, game.event_text, effects.ending_text),
    *(game.edited_text, effects.effect_text, effects.explain_effects, game.step_question),
    *(game.value_text, game.own_value_text, house_rules.rules_changed_text, house_rules.rules_text),
    *(house_rules.changed_rules, house_rules.group_title),
    *(game.mark_why_text, game.head_text, game.place_text),
    *(cards.rank_letter, cards.write_card, cards.card_name),
    *(cards.combination_text, cards.verdict_text, way_text, errors.error_text),
    *(errors.moment_text, errors.left_text, game.own_text, game.why_text, game.sheet_text),
)
_WITH_MONEY = (game.explain_payout, game.best_text)

FILTERS: Mapping[str, Callable[..., object]] = {
    **{method.__name__: _of_language(method.__name__) for method in _METHODS},
    **{write.__name__: _in_language(write) for write in _WRITERS},
    **{write.__name__: _in_currency(write) for write in _WITH_MONEY},
    "bdi": isolate,
    "chicago_required": chicago_required,
    "plain": _plain,
    # Of names and of texts with names.
    "listing": _of_language("names"),
    "aloud": aloud,
    "records": _records,
    "single_quoted": _single_quoted,
    # An amount in the currency of the page's table, or in another.
    "money": lambda ore, currency=None: context.language().money(
        ore, currency or context.currency()
    ),
    "signed_money": lambda ore: context.language().signed_money(ore, context.currency()),
    # In a column that names the currency: `+24`, `−3,50`.
    "plus_minus": _of_language("signed_amount"),
    "won_or_lost": lambda ore: "won" if ore > 0 else "lost" if ore < 0 else "",
    # A moment by the table's clock: `21:04`.
    "clock": lambda at: context.language().time(clock.local(at)),
    "undo_text": _undo_text,
    "best_title": lambda code: context.gettext(game.BESTS[code]),
    # A day as a text, `2026-10-17`.
    "day_of": lambda day: context.language().day(date.fromisoformat(day)),
}


class Unindent(Extension):
    """Leave the indentation of templates out of the pages: a quarter of the keeper's page."""

    def preprocess(self, source: str, *_: object) -> str:
        """Leave one blank, which holds the lines apart where a block takes the line break."""
        return re.sub(r"^[ \t]+", " ", source, flags=re.MULTILINE)


class _Environment(Environment):
    """Templates that share one dictionary of globals: through a chain each is looked up slowly.

    Macros of `macros.html` are among them.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template; none of ours has some of its own."""
        if MACROS not in self.globals:
            self.globals[MACROS] = None
            self.globals.update(vars(self.get_template(MACROS).module))
        return super().make_globals(d) if d else self.globals


def register(app: Flask) -> None:
    """Let templates translate, format, and address static files."""
    app.jinja_environment = _Environment
    # All templates stay compiled: a look at a bounded cache costs a search each time.
    app.jinja_options = {
        "trim_blocks": True,
        "lstrip_blocks": True,
        "extensions": [Unindent],
        "cache_size": -1,
        "finalize": _set_apart,
    }
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals.update(
        hidden=_hidden,
        _=_gettext,
        ngettext=_ngettext,
        asset=_asset(app),
        # The path before our addresses: none, where the host is not shared.
        root=context.prefix,
        table_path=context.table_path,
        mark_words=game.MARKS,
        currencies=CURRENCY_WORDS,
        language=context.language,
        language_names={code: words.name for code, words in CONVENTIONS.items()},
        is_stranger=cookies.is_stranger,
        picture_url=context.picture_url,
        read_flashes=forms.read_flashes,
        warns_of_dark=context.warns_of_dark,
        own_browser=context.own_browser,
    )


def tell(refusal: Refusal | None) -> dict[str, object]:
    """Values that tell a reason: in `faults` by the field at fault, or as a `message`."""
    at, message = (refusal.field, refusal.message) if refusal else ("", "")
    return {"message": "" if at else message, "faults": {at: message} if at else {}}


def render(
    page: str, part: str = "", refusal: Refusal | None = None, /, **values: object
) -> Response:
    """Answer with a page, or where htmx asks for a `fragment` with its part, if there is one.

    Both are templates. A refusal gives its status, and its reason as `message`, or in `faults` by
    the field that is at fault.
    """
    fragment = context.wants_fragment()
    values = {**tell(refusal), **values, "fragment": fragment}
    response = make_response(render_template(part if part and fragment else page, **values))
    if refusal:
        response.status_code = refusal.status
        if refusal.status is HTTPStatus.SERVICE_UNAVAILABLE:
            response.headers["Retry-After"] = str(BUSY_SECONDS)
    return response


def _asset(app: Flask) -> Callable[[str], str]:
    """Addresses of static files that change with their content, so phones may keep them."""
    folder = app.static_folder or ""
    elsewhere = read_versions(folder)

    @cache
    def find_version(name: str) -> str:
        return elsewhere.get(name) or version(folder, name)

    def address(name: str) -> str:
        return f"{context.prefix()}{app.static_url_path}/{name}?v={find_version(name)}"

    return address
