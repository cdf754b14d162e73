"""How to play Chicago, in two minutes: by a table's own rules, or by published ones."""

from __future__ import annotations

import msgspec
from flask import Blueprint, abort
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.i18n.how_to import example_hands, how_to_play
from app.i18n.rule_summary import preset_label, rules_label
from app.rules.house import HouseRules
from app.rules.presets import DEFAULT_PRESET, PRESETS, write_code
from app.services import table_view
from app.web.templates import render

bp = Blueprint("how", __name__)

USUAL_STAKE = 100


class Guide(msgspec.Struct, frozen=True):
    """By which rules somebody learns, and where its pages are.

    `rules_page` tells the rules in full, `back` leads out.
    """

    preset: str
    rules: HouseRules
    stake: int
    how: str
    sample: str
    rules_page: str
    back: str


def published_guide(preset: str) -> Guide:
    """The guide by published rules; a page that is not found where there are none."""
    if preset not in PRESETS:
        abort(404)
    rules = PRESETS[preset]
    ways = (f"/how/{preset}", f"/sample/{preset}", f"/r/{write_code(preset, rules)}", "/")
    pages = (f"{context.prefix()}{way}" for way in ways)
    return Guide(preset, rules, USUAL_STAKE, *pages)


def table_guide(link: str) -> Guide:
    """The guide by a table's own rules."""
    setup, at = table_view.read_view(context.db(), link).game.setup, f"{context.prefix()}/t/{link}"
    pages = (f"{at}/how", f"{at}/sample", f"{at}/rules", at)
    return Guide(setup.preset, setup.rules, setup.stake_ore, *pages)


@bp.get("/how")
@bp.get("/how/<preset>")
def how(preset: str = DEFAULT_PRESET) -> AnyResponse:
    """How to play by published rules, those of a new table where none are named."""
    return _render_how(published_guide(preset), preset)


@bp.get("/t/<link>/how")
def table_how(link: str) -> AnyResponse:
    """How to play at a table."""
    return _render_how(table_guide(link))


def _render_how(guide: Guide, preset: str = "") -> AnyResponse:
    language = context.language()
    return render(
        "learn/how.html",
        guide=guide,
        label=rules_label(guide.preset, guide.rules, language),
        chapters=how_to_play(guide.rules, language),
        hands=example_hands(guide.rules, language),
        others={key: preset_label(key, language) for key in PRESETS if preset and key != preset},
    )
