"""A table's evenings, games and figures as files for a spreadsheet, as the ledger is one.

A column for each person; a missing value leaves its cell empty. A server has these, and no phone
by itself.
"""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, request, url_for

from app.http import context
from app.http.forms import redirect_to
from app.http.rendered import cache_page
from app.i18n.currencies import WORDS
from app.i18n.game import hand_label
from app.i18n.language import Language
from app.rules.hands import Hand
from app.services.ledger import Ledger, LedgerLine, list_evenings, read_ledger
from app.services.statistics import Statistics, read_statistics
from app.web.files import Rows, answer_csv, plain_text, write_amount, write_amounts
from app.web.statistics import COUNTS, NAMES, read_months

bp = Blueprint("spreadsheets", __name__, url_prefix="/t/<link>")


@bp.get("/evenings.csv")
@cache_page()
def evenings(link: str) -> Response:
    """Each evening's results, and those of all evenings so far."""
    rows = _write_evenings(read_ledger(context.db(), link), context.language())
    return answer_csv(rows, "chicago-evenings.csv")


@bp.get("/games.csv")
@cache_page()
def games(link: str) -> Response:
    """The games and how each ended."""
    rows = _write_games(read_ledger(context.db(), link), context.language())
    return answer_csv(rows, "chicago-games.csv")


@bp.get("/years.csv")
@cache_page("from", "to")
def years(link: str) -> Response:
    """Everybody's figures between the months that the address names, all of them without any."""
    months, faults = read_months()
    if faults:  # the page explains the format
        query = urlencode({name: request.args.get(name, "") for name in NAMES})
        return make_response(redirect_to(f"{url_for('statistics.page', link=link)}?{query}"))
    figures = read_statistics(context.db(), context.access().id, months)
    return answer_csv(_write_figures(figures, context.language()), "chicago-years.csv")


def _write_evenings(ledger: Ledger, language: Language) -> Rows:
    """A row for each evening: each person's win or loss, then the running totals."""
    _, persons, unit = language.gettext, ledger.people.persons, WORDS[ledger.currency].unit
    all_in_all = [f"{name}, {_('all in all')}" for name in persons]
    yield [f"{_('Date')} ({unit})", *map(plain_text, persons), *map(plain_text, all_in_all)]
    for evening in list_evenings(context.db(), context.link()):
        cells = *write_amounts(evening.amounts, persons), *write_amounts(evening.running, persons)
        yield [evening.day.isoformat(), *cells]


def _write_games(ledger: Ledger, language: Language) -> Rows:
    """A row for each game: its end, each person's points, then each person's win or loss."""
    _, persons, unit = language.gettext, ledger.people.persons, WORDS[ledger.currency].unit
    names = [f"{name}, {what}" for what in (_("points"), unit) for name in persons]
    heads = [_("Date"), _("Game"), _("Players"), _("Winner"), _("How it ended")]
    yield [*heads, *map(plain_text, names)]
    for line in ledger.lines:
        players = str(len(line.scores))
        winners = plain_text(", ".join(line.winners))
        ended = _end_text(line, language)
        yield [
            *(line.evening.isoformat(), str(line.number), players, winners, ended),
            *(str(line.scores.get(name, "")) for name in persons),
            *write_amounts(line.payout or {}, persons),
        ]


def _write_figures(figures: Statistics, language: Language) -> Rows:
    """A row for each person: the figures of the years."""
    _, unit = language.gettext, WORDS[context.currency()].unit
    chicagos = [f"Chicago: {_('Said')}", f"Chicago: {_('Made')}"]
    counts = [*chicagos, *map(_, [*COUNTS][len(chicagos) :])]
    hands = [hand_label(hand, language) for hand in Hand]
    yield [_("Player"), _("Games"), _("Won"), unit, *counts, *hands]
    for person in figures.people:
        numbers = [getattr(person, field) for field in COUNTS.values()]
        numbers += [person.hands.get(hand, 0) for hand in Hand]
        cells = [plain_text(person.name), str(person.games), str(person.won)]
        yield [*cells, write_amount(person.ore), *map(str, numbers)]


def _end_text(line: LedgerLine, language: Language) -> str:
    _ = language.gettext
    if line.payout is None:
        return _("being played")
    if not line.broken_off:
        return _("played to the end")
    return _("broken off, settled") if line.winners else _("broken off, nobody pays")
