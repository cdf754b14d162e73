"""How to play Chicago, in two minutes: by a table's own rules, or by published ones."""

from __future__ import annotations

from flask import Blueprint
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.i18n.how_to import example_hands, how_to_play
from app.i18n.rule_summary import preset_label, rules_label
from app.rules.presets import DEFAULT_PRESET, PRESETS, write_code
from app.services import table_view
from app.web.templates import render

bp = Blueprint("how", __name__)


@bp.get("/how")
@bp.get("/how/<preset>")
@bp.get("/t/<link>/how")
def how(preset: str = DEFAULT_PRESET, link: str = "") -> AnyResponse:
    """The guide by a table's rules, or by published ones: a new table's where none are named.

    Raises NotFound for rules that are not published.
    """
    language = context.language()
    if link:
        setup = table_view.read_view(context.db(), link).game.setup
        preset, rules = setup.preset, setup.rules
    elif preset in PRESETS:
        rules = PRESETS[preset]
    else:
        raise NotFound
    return render(
        "learn/how.html",
        code=write_code(preset, rules),
        label=rules_label(preset, rules, language),
        chapters=how_to_play(rules, language),
        hands=example_hands(rules, language),
        others={key: preset_label(key, language) for key in PRESETS if not link and key != preset},
    )
