"""A sample game to step through: by a table's own rules, or by published ones.

It is worked out once for the rules and the stake of a game, and nothing is written. A step of it is
an address, so that the browser's Back walks through it. A phone without a network does not have it.
"""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import redirect_to
from app.i18n.house_rules import rules_label
from app.i18n.lessons import describe
from app.rules.presets import read_code, write_code
from app.rules.sample import Lesson, play_sample
from app.web.learn import find_guide
from app.web.table.consequences import Happened, scoreboard
from app.web.templates import render

bp = Blueprint("sample", __name__)

MOST_SAMPLES = 32


@lru_cache(MOST_SAMPLES)
def _play(code: str, stake: int) -> tuple[Lesson, ...]:
    """The sample game of rules as a link writes them, worked out once."""
    return play_sample(*read_code(code), stake)


@bp.get("/sample/<preset>")
@bp.get("/sample/<preset>/<int:number>")
@bp.get("/t/<link>/sample")
@bp.get("/t/<link>/sample/<int:number>")
def sample(preset: str = "", link: str = "", number: int = 1) -> AnyResponse:
    """One step by a table's or by published rules; beyond the last, as after a change, the last."""
    guide = find_guide(preset, link)
    lessons = _play(write_code(guide.preset, guide.rules), guide.stake)
    last = len(lessons)
    if not 1 <= number <= last:
        return redirect_to(f"{guide.sample}/{last}")
    lesson = lessons[number - 1]
    # An event that ends a deal belongs to that deal, not to the next.
    moment = lesson.after if lesson.code == "later" else lesson.before
    dealer = "" if lesson.after.over else moment.deal.dealer
    heads = scoreboard(lesson.after)
    return render(
        "learn/sample.html",
        guide=guide,
        label=rules_label(guide.preset, guide.rules, context.language()),
        number=number,
        last=last,
        lesson=lesson,
        words=describe(lesson, context.language()),
        state=lesson.after,
        moment=moment,
        heads=[replace(head, dealer=head.name == dealer) for head in heads],
        # By how many points whose score has changed.
        happened=Happened(
            number,
            {each.name: each.score - lesson.before.score(each.name) for each in lesson.after.seats},
        ),
    )
