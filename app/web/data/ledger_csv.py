"""The ledger as a file that a Swedish spreadsheet opens right: semicolons, decimal commas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from app.i18n.currencies import WORDS
from app.i18n.language import Language
from app.rules.currency import USUAL, Currency
from app.services.ledger import Ledger

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
# What a spreadsheet would take for a formula when it opens a cell that begins so.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")

Rows = Iterator[list[str]]


def write_csv(rows: Iterable[list[str]]) -> bytes:
    """Write rows as a file."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows(rows)
    return (BYTE_ORDER_MARK + text.getvalue()).encode()


def write_payments(ledger: Ledger, language: Language) -> Rows:
    """A row for each game and each payment, amounts in the cells."""
    _, persons = language.gettext, ledger.people.persons
    yield [_("Date"), _with_unit(_("What"), ledger.currency), *map(plain_text, persons)]
    for line in ledger.lines:
        if line.payout is not None:
            what = _("Game %(number)s", number=line.number)
            yield [line.evening.isoformat(), what, *write_amounts(line.payout, persons)]
    for settlement in ledger.settlements:
        for payment in () if settlement.undone else settlement.payments:
            change = {payment.payer: payment.ore, payment.payee: -payment.ore}
            yield [settlement.evening.isoformat(), _("Payment"), *write_amounts(change, persons)]
    left = dict.fromkeys(persons, 0) | ledger.outstanding
    yield ["", _("Left to settle"), *write_amounts(left, persons)]


def _with_unit(heading: str, currency: Currency) -> str:
    """A heading, which names the currency where that is not kronor."""
    return heading if currency == USUAL else f"{heading} ({WORDS[currency].unit})"


def write_amounts(amounts: Mapping[str, int], persons: Iterable[str]) -> Iterator[str]:
    """A cell for each person; nothing for who was not there."""
    return (write_amount(amounts.get(name)) for name in persons)


def write_amount(hundredths: int | None) -> str:
    """An amount with a decimal comma: `-7,50`; nothing for who was not there."""
    if hundredths is None:
        return ""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole},{rest:02}"


def plain_text(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(FORMULAS) else name
