"""The ledger as a file that a Swedish spreadsheet opens right: semicolons, decimal commas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from app.i18n.language import Language
from app.services.ledger import Ledger

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
# What a spreadsheet would take for a formula when it opens a cell that begins so.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def ledger_file(ledger: Ledger, language: Language) -> bytes:
    """A row for each game and each payment, a column for each person, kronor in the cells."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows(_rows(ledger, language))
    return (BYTE_ORDER_MARK + text.getvalue()).encode()


def _rows(ledger: Ledger, language: Language) -> Iterator[list[str]]:
    _, persons = language.gettext, ledger.people.persons
    yield [_("Date"), _("What"), *map(_plain, persons)]
    for line in ledger.lines:
        if line.payout is not None:
            cells = [_kronor(line.payout.get(name)) for name in persons]
            yield [line.evening.isoformat(), _("Game %(number)s", number=line.number), *cells]
    for settlement in ledger.settlements:
        for payment in () if settlement.undone else settlement.payments:
            change = {payment.payer: payment.ore, payment.payee: -payment.ore}
            cells = [_kronor(change.get(name)) for name in persons]
            yield [settlement.evening.isoformat(), _("Payment"), *cells]
    outstanding = ledger.outstanding
    yield ["", _("Left to settle"), *(_kronor(outstanding.get(name, 0)) for name in persons)]


def _kronor(ore: int | None) -> str:
    """An amount with a decimal comma: `-7,50`; nothing for who was not there."""
    if ore is None:
        return ""
    kronor, rest = divmod(abs(ore), 100)
    return f"{'-' if ore < 0 else ''}{kronor},{rest:02}"


def _plain(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(FORMULAS) else name
