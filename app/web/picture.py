"""The end of a game or an evening, to be sent to friends: a picture, and the same in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, current_app, render_template, url_for
from msgspec.structs import replace
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.limits import PICTURES, rate_limit
from app.http.rendered import cache_page
from app.i18n.effects import effect_text, swing_text
from app.rules.names import short_names
from app.rules.protocol import Swing
from app.rules.settlement import Debt, payout
from app.services import statistics
from app.services.evenings import EveningWinners
from app.services.figures import find_swings
from app.store import clock
from app.store.clock import evening_of
from app.web.curve import Curve
from app.web.evening import read_day, summarize
from app.web.protocol import draw_curve, rank
from app.web.templates import render

bp = Blueprint("picture", __name__, url_prefix="/t/<link>")

# A name as it is to be told: whole, or shortened where there is little room.
Naming = Callable[[str], str]

# The fonts in fonts/ have Latin, Greek and Cyrillic letters and few signs; a bare server has none.
FONTS = [str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.otf"))]
UNDRAWABLE = re.compile(
    r"[^ -~\u00a0-\u024f\u0370-\u04ff\u1e00-\u1eff\u2010-\u2026\u2039\u203a€\u2190-\u2193\u2212★]"
)


@bp.get("/games/<int:number>/picture")
@bp.get("/evening/<day>/picture")
@cache_page(has_link=True)
def page(number: int | None = None, day: str | None = None) -> Response:
    """The picture of a game that is over or of an evening, and ways to send it."""
    story = make_story(number, day, in_full=True)
    address = context.shareable_url(url_for("table.page"))
    kind = "picture.painted" if _paints() else "picture.drawn"
    return render(
        "evening/picture.html",
        story=story,
        words=render_template("evening/words.txt", story=story, address=address),
        picture=url_for(kind, number=number, day=day),
    )


@bp.get("/games/<int:number>/picture.svg")
@bp.get("/evening/<day>/picture.svg")
@cache_page()
def drawn(number: int | None = None, day: str | None = None) -> Response:
    """The picture as SVG."""
    return Response(draw(number, day), mimetype="image/svg+xml")


def draw(number: int | None, day: str | None) -> str:
    """Draw a game or an evening as SVG. Raises NotFound."""
    return render_template("evening/picture.svg", story=make_story(number, day))


@bp.get("/games/<int:number>/picture.png")
@bp.get("/evening/<day>/picture.png")
@cache_page()
@rate_limit(PICTURES)
def painted(number: int | None = None, day: str | None = None) -> Response:
    """The picture as PNG: messaging apps show no SVG."""
    if not _paints():
        raise NotFound
    drawing = draw(number, day)
    # Nobody is served while it is painted.
    clock.give_way()
    return Response(paint(drawing), mimetype="image/png")


def _paints() -> bool:
    """Whether PNG can be painted: not on some machines, nor a phone, whose script does it."""
    return bool(find_spec("resvg_py")) and not current_app.config["PHONE"]


def paint(svg: str) -> bytes:
    """Paint a picture, with our own fonts and none of the machine's."""
    from resvg_py import svg_to_bytes

    return svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=FONTS)


class Standing(NamedTuple):
    """One player's line: the points or wins they reached, and the öre won (+) or lost (−)."""

    name: str
    reached: str
    ore: int | None
    best: bool


class Story(msgspec.Struct, frozen=True):
    """A game or an evening that is over, told in the language of the request.

    `left` is who pays whom, below a `heading`; an evening has no `curve`.
    """

    evening: date
    swings: Sequence[Swing]
    naming: Naming
    place: str
    headline: str
    standings: list[Standing]
    heading: str
    left: Sequence[Debt]
    curve: Curve | None

    @property
    def swing_texts(self) -> list[str]:
        """The swings in words: `Bo lost 48 points in deal 7: Anna zeroed with four of a kind`."""
        of_evening, language = self.curve is None, context.language()
        return [
            swing_text(swing, self.naming, language, of_evening=of_evening) for swing in self.swings
        ]

    @property
    def payments(self) -> list[tuple[str, str]]:
        """Who pays whom, and how much."""
        language, currency, name = context.language(), context.currency(), self.naming
        return [
            (f"{name(each.payer)} → {name(each.payee)}", language.money(each.ore, currency))
            for each in self.left
        ]


def make_story(number: int | None, day: str | None, *, in_full: bool = False) -> Story:
    """Tell of a game or an evening, with names in full or as a picture has room for them.

    Raises NotFound, also while the game is played.
    """
    if number is None:
        return _evening_story(day or "", in_full)
    return _game_story(number, in_full)


def _game_story(number: int, in_full: bool) -> Story:
    view = context.read_view(number)
    if not view.state.over:
        raise NotFound
    end, paid = view.state.effects[-1], payout(view.state) or {}
    stake = view.state.setup.stake_ore
    # Older games may long be paid.
    newest, left = number == view.games, list[Debt]()
    if newest:
        left = context.read_ledger().debts
    # Who owes goes by the name of the person.
    owed = [name for each in left for name in (each.payer, each.payee)]
    naming = str if in_full else _shorten([*dict.fromkeys([*view.state.players, *owed])])
    _ = context.language().gettext
    return Story(
        evening_of(view.begun_at),
        find_swings(number, view.states),
        naming,
        " · ".join(filter(None, [view.name, _("Game %(number)s", number=number)])),
        effect_text(replace(end, players=tuple(map(naming, end.players))), context.language()),
        [
            Standing(
                seat.name,
                context.language().points(seat.score),
                paid[seat.name] if stake else None,
                seat.name in view.state.winners,
            )
            for seat in rank(view.state)
        ],
        _("The evening so far") if newest and (left or stake) else "",
        left,
        draw_curve(view.states),
    )


def _evening_story(day: str, in_full: bool) -> Story:
    now = context.read_ledger(read_day(day))
    if not any(line.begun for line in now.lines):
        raise NotFound
    evening = summarize(now)
    wins = Counter({name: each.won for name, each in now.sums.items()})
    naming = str if in_full else _shorten(now.people.persons)
    owed = now.day == now.evenings[-1] and now.has_money
    totals, winners = evening.totals, now.winners.get(now.day)
    best = winners.names if winners else []
    language = context.language()
    return Story(
        now.day,
        statistics.read_swings(context.db(), context.access().id, now.day),
        naming,
        now.name,
        _headline(now.day, winners, naming),
        [
            Standing(
                name,
                _wins(wins.get(name, 0))
                + ("" if evening.money else f", {language.points(totals[name])}"),
                totals[name] if evening.money else None,
                name in best,
            )
            for name in sorted(totals, key=lambda name: (name not in best, -totals[name]))
        ],
        language.gettext("Left to settle") if owed else "",
        now.debts if owed else [],
        None,
    )


def _headline(day: date, winners: EveningWinners | None, naming: Naming) -> str:
    """Whom the evening goes to, in words."""
    language, _ = context.language(), context.language().gettext
    if winners is None:
        return _("The evening of %(day)s", day=language.day(day))
    money, many = winners.money, winners.many
    what = language.signed_money(many, context.currency()) if money else _wins(many)
    players = language.listing(map(naming, winners.names))
    return _("The evening goes to %(players)s: %(sum)s", players=players, sum=what)


def _wins(number: int) -> str:
    return context.language().ngettext("%(num)s win", "%(num)s wins", number)


@bp.app_template_filter("drawable")
def leave_out_undrawable(text: str) -> str:
    """A text with those of its letters that the fonts have."""
    return UNDRAWABLE.sub("", text).strip()


def _shorten(names: Sequence[str]) -> Naming:
    """First names, where they tell people apart; numbers for names that cannot be drawn."""
    shorts, numbered = short_names(names), context.language().gettext("Player %(number)s")
    return {
        name: leave_out_undrawable(short) or numbered % {"number": number}
        for number, (name, short) in enumerate(shorts.items(), 1)
    }.__getitem__
