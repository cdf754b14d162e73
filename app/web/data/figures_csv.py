"""A table's evenings, games and figures as files for a spreadsheet, as the ledger is one.

A column for each person; what is not there leaves its cell empty. A server has these, and no phone
by itself.
"""

from __future__ import annotations

from collections.abc import Collection

from app.i18n.currencies import WORDS
from app.i18n.game import hand_label
from app.i18n.language import Language
from app.rules.currency import Currency
from app.rules.hands import Hand
from app.rules.totals import PersonStatistics
from app.services.ledger import Ledger, LedgerLine
from app.services.results import list_evenings
from app.services.statistics import Statistics
from app.web.data.ledger_csv import Rows, plain_text, write_amount, write_amounts


def write_evenings(ledger: Ledger, language: Language) -> Rows:
    """A row for each evening: what it brought each person, then what that makes all in all."""
    _, persons, unit = language.gettext, ledger.people.persons, WORDS[ledger.currency].unit
    all_in_all = [f"{name}, {_('all in all')}" for name in persons]
    yield [f"{_('Date')} ({unit})", *map(plain_text, persons), *map(plain_text, all_in_all)]
    for evening in list_evenings(ledger):
        cells = *write_amounts(evening.amounts, persons), *write_amounts(evening.running, persons)
        yield [evening.day.isoformat(), *cells]


def write_games(ledger: Ledger, broken_off: Collection[int], language: Language) -> Rows:
    """A row for each game: how it ended, each person's points, then what it brought them."""
    _, persons, unit = language.gettext, ledger.people.persons, WORDS[ledger.currency].unit
    names = [f"{name}, {what}" for what in (_("points"), unit) for name in persons]
    heads = [_("Date"), _("Game"), _("Players"), _("Winner"), _("How it ended")]
    yield [*heads, *map(plain_text, names)]
    for line in ledger.lines:
        players = str(len(line.scores))
        winners = plain_text(", ".join(line.winners))
        ended = _tell_end(line, line.number in broken_off, language)
        yield [
            *(line.evening.isoformat(), str(line.number), players, winners, ended),
            *(str(line.scores.get(name, "")) for name in persons),
            *write_amounts(line.payout or {}, persons),
        ]


def write_figures(figures: Statistics, currency: Currency, language: Language) -> Rows:
    """A row for each person: the figures of the years."""
    _, unit = language.gettext, WORDS[currency].unit
    heads = [_("Player"), _("Games"), _("Won"), unit]
    heads += [f"Chicago: {_('Said')}", f"Chicago: {_('Made')}", _("Has zeroed"), _("Was zeroed")]
    heads += [_("Last tricks"), _("Biggest swing, points"), _("Longest exchange stop, deals")]
    yield [*heads, *(hand_label(hand, language) for hand in Hand)]
    yield from map(_write_person, figures.people)


def _write_person(person: PersonStatistics) -> list[str]:
    numbers = (
        *(person.chicagos_said, person.chicagos_made),
        *(person.zeroings_given, person.zeroings_suffered),
        *(person.last_tricks, person.biggest_swing, person.longest_stop),
        *(person.hands.get(hand, 0) for hand in Hand),
    )
    cells = plain_text(person.name), str(person.games), str(person.won), write_amount(person.ore)
    return [*cells, *map(str, numbers)]


def _tell_end(line: LedgerLine, broken_off: bool, language: Language) -> str:
    _ = language.gettext
    if line.payout is None:
        return _("being played")
    if not broken_off:
        return _("played to the end")
    return _("broken off, settled") if line.winners else _("broken off, nobody pays")
