"""What a table plays, on one page; and rules that come by a link, to read and to use."""

from __future__ import annotations

from http import HTTPStatus

import segno
from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.address import reachable_host
from app.i18n.errors import error_text
from app.i18n.house_rules import differences
from app.i18n.rule_notes import readings
from app.i18n.rule_sentences import points_table, sections
from app.i18n.rule_summary import preset_label
from app.rules.errors import BadFile
from app.rules.house import HouseRules
from app.rules.presets import write_code
from app.services import tables
from app.web.rules.actions import read_link
from app.web.setup import draft as drafts

bp = Blueprint("rule_page", __name__)

Refusal = tuple[str, int]


@bp.get("/t/<link>/rules")
def table_rules(link: str) -> str:
    """What a table plays, on one page."""
    sheet = tables.sheet(context.pool(), link)
    setup = sheet.game.setup
    return render_template(
        "rules/page.html",
        link=link,
        sheet=sheet,
        may_change=sheet.state.over and tables.may_write(context.pool(), link, context.pen()),
        **_in_words(setup.preset, setup.rules),
        stake=setup.stake_ore,
    )


@bp.get("/r/<code>")
def link_rules(code: str) -> Refusal | str:
    """Rules that came by a link, in words."""
    try:
        preset, rules = read_link(code)
    except BadFile as fault:
        return _unreadable(fault)
    return render_template("rules/page.html", code=code, **_in_words(preset, rules))


@bp.post("/r/<code>")
def use_link_rules(code: str) -> AnyResponse | Refusal:
    """Use rules that came by a link for a new table, as they are or changed."""
    try:
        preset, rules = read_link(code)
    except BadFile as fault:
        return _unreadable(fault)
    drafts.choose_rules(drafts.load() or drafts.new_draft(None), preset, preset, rules)
    page = "rules.change" if request.form.get("do") == "change" else "new_table.page"
    return redirect(url_for(page), HTTPStatus.SEE_OTHER)


def _unreadable(fault: BadFile) -> Refusal:
    why = "" if fault.code == "not_json" else error_text(fault, context.language())
    return render_template("rules/unreadable.html", why=why), HTTPStatus.UNPROCESSABLE_ENTITY


def _in_words(preset: str, rules: HouseRules) -> dict[str, object]:
    """What the page shows of the rules, and the link that passes them on."""
    language = context.language()
    path = url_for("rule_page.link_rules", code=write_code(preset, rules))
    address = f"{request.scheme}://{reachable_host(request.host)}{path}"
    return {
        "preset": preset_label(preset, language),
        "differs": differences(preset, rules, language),
        "points": points_table(rules, language),
        "sections": sections(rules, language),
        "readings": readings(rules, language),
        "address": address,
        "qr": segno.make(address, error="l").svg_inline(border=4, light="#fff", omitsize=True),
    }
