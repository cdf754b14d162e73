"""How to play Chicago, in two minutes: by a table's own rules, or by published ones."""

from __future__ import annotations

import msgspec
from flask import Blueprint
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.i18n.house_rules import preset_label, rules_label
from app.i18n.how_to import example_hands, how_to_play
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


def find_guide(preset: str, link: str) -> Guide:
    """The guide by a table's own rules, or by published ones. Raises NotFound."""
    if link:
        setup = table_view.read_view(context.db(), link).game.setup
        preset, rules, stake = setup.preset, setup.rules, setup.stake_ore
        ways = (f"/t/{link}/how", f"/t/{link}/sample", f"/t/{link}/rules", f"/t/{link}")
    else:
        if preset not in PRESETS:
            raise NotFound
        rules, stake = PRESETS[preset], USUAL_STAKE
        ways = (f"/how/{preset}", f"/sample/{preset}", f"/r/{write_code(preset, rules)}", "/")
    return Guide(preset, rules, stake, *(f"{context.prefix()}{way}" for way in ways))


@bp.get("/how")
@bp.get("/how/<preset>")
@bp.get("/t/<link>/how")
def how(preset: str = DEFAULT_PRESET, link: str = "") -> AnyResponse:
    """The guide by a table's rules, or by published ones: a new table's where none are named."""
    guide, language = find_guide(preset, link), context.language()
    others = [] if link else [key for key in PRESETS if key != preset]
    return render(
        "learn/how.html",
        guide=guide,
        label=rules_label(guide.preset, guide.rules, language),
        chapters=how_to_play(guide.rules, language),
        hands=example_hands(guide.rules, language),
        others={key: preset_label(key, language) for key in others},
    )
