"""What every template can use: translation, filters that put values into words, and assets.

A view hands values on as they are, öre and points and codes; a filter here writes them in the
language of the request.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from flask import Flask, url_for

from app.http import context
from app.i18n import errors, game

FILTERS: Mapping[str, Callable[..., str]] = {
    "number": lambda number: context.language().number(number),
    "signed": lambda change: context.language().signed(change),
    "points": lambda points: context.language().points(points),
    "kronor": lambda ore: context.language().kronor(ore),
    "signed_kronor": lambda ore: context.language().signed_kronor(ore),
    "listing": lambda names: context.language().listing(names),
    "either": lambda names: context.language().either(names),
    "day": lambda day: context.language().day(day),
    "hand_label": lambda hand: game.hand_label(hand, context.language()),
    "hand_name": lambda hand: game.hand_name(hand, context.language()),
    "event_text": lambda event: game.event_text(event, context.language()),
    "effect_text": lambda effect: game.effect_text(effect, context.language()),
    "error_text": lambda reason: errors.error_text(reason, context.language()),
    "step_title": lambda step: game.step_title(step, context.language()),
}


def register(app: Flask) -> None:
    """Let templates translate, format, and address static files."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # added by the extension
        lambda text: context.language().gettext(text),
        lambda one, many, n: context.language().ngettext(one, many, n),
        newstyle=True,
    )
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals["asset"] = _asset(app)
    app.jinja_env.globals["speaking"] = context.language


def _asset(app: Flask) -> Callable[[str], str]:
    """Addresses of static files that change with their content, so phones may keep them."""

    @cache
    def version(name: str) -> str:
        content = Path(app.static_folder or "", name).read_bytes()
        return hashlib.sha256(content).hexdigest()[:10]

    return lambda name: url_for("static", filename=name, v=version(name))
