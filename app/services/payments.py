"""Settling up: payments ticked by hand, taken back, and where they go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from app.rules.balances import Payment, make_payment, make_rounded_payment
from app.rules.currency import Amount, Currency
from app.rules.errors import BadFile, NotAllowed
from app.rules.settlement import Transfer
from app.services import quotas, swish
from app.services.commit import Change, Now, Step
from app.services.fold import fold
from app.services.ledger import Ledger, load_ledger
from app.services.serialization import to_json
from app.services.tables import Write, require_pen
from app.store import log
from app.store.database import Database

# How money goes from one to another; and how a debt is paid: so, or in cash rounded to the coins
# there are, or let go.
MoneyWay = Literal["swish", "cash", "other"]
Method = Literal[MoneyWay, "written_off", "rounded"]
# What anybody may pay in advance at once: a million kronor, or euros.
MOST_IN_ADVANCE = 100_000_000


class Settling(Change, frozen=True):
    """Payments that are recorded together."""

    def choose(self, now: Ledger) -> Sequence[Payment]:
        """The payments, none where all is settled. Raises NotAllowed, BadFile."""
        raise NotImplementedError

    def make(self, now: Now) -> Step:
        """Record them. Raises NotAllowed, also for Swish where no kronor are; BadFile."""
        ledger = load_ledger(now.connection, now.table)
        payments = self.choose(ledger)
        if not payments:
            raise NotAllowed("all_settled")
        sql = """SELECT COALESCE(SUM(json_array_length(body)), 0) FROM changes
            WHERE table_id = ? AND game = 0 AND kind = 'pay'"""
        before = now.connection.find_number(sql, now.table.id)
        quotas.check("too_many_payments", before + len(payments), quotas.MAX_PAYMENTS)
        numbers = ledger.people.numbers
        body = [(numbers[p.payer], numbers[p.payee], p.ore, p.way) for p in payments]
        return Step("pay", 0, to_json(body), spare=quotas.SPARE)


class Pay(Settling, frozen=True):
    """A suggested payment, from payer to payee, is paid: whole, or `ore` öre of it."""

    between: tuple[str, str]
    method: Method
    ore: int | None = None

    def choose(self, now: Ledger) -> list[Payment]:
        """The payment. Raises NotAllowed when that much is not owed, BadFile for nothing."""
        payer, payee = self.between
        debt = next((t for t in now.transfers if (t.payer, t.payee) == self.between), None)
        if debt is None:
            raise NotAllowed("nothing_owed", player=payer, by=payee)
        ore = debt.ore if self.ore is None else self.ore
        if ore > debt.ore:
            most = Amount(debt.ore, now.currency)
            raise NotAllowed("pays_too_much", player=payer, by=payee, ore=most)
        return _pay(Transfer(payer, payee, ore), self.method, now.currency)


class PayAll(Settling, frozen=True):
    """Every suggested payment is paid, as one settlement."""

    method: Method

    def choose(self, now: Ledger) -> list[Payment]:
        """All payments."""
        return [each for debt in now.transfers for each in _pay(debt, self.method, now.currency)]


class PayInAdvance(Settling, frozen=True):
    """One person gives another `ore` öre, whatever either of them owes.

    What is more than was owed is owed back, until games have used it up.
    """

    between: tuple[str, str]
    way: MoneyWay
    ore: int

    def choose(self, now: Ledger) -> list[Payment]:
        """The payment.

        Raises NotAllowed for one person alone and for more than MOST_IN_ADVANCE; BadFile for
        nothing at all, or somebody who never played here.
        """
        for name in self.between:
            if name not in now.people.canonical:
                raise BadFile("unknown_player", player=name)
        payer, payee = (now.people.canonical[name] for name in self.between)
        if payer == payee:
            raise NotAllowed("pays_oneself", player=payer)
        if self.ore > MOST_IN_ADVANCE:
            raise NotAllowed("advance_too_large", ore=Amount(MOST_IN_ADVANCE, now.currency))
        return _pay(Transfer(payer, payee, self.ore), self.way, now.currency)


def _pay(part: Transfer, method: Method, currency: Currency) -> list[Payment]:
    if part.ore <= 0:
        raise BadFile("wrong_value", key="ore", value=part.ore)
    if method == "swish" and currency != swish.CURRENCY:
        raise NotAllowed("swish_in_kronor")
    if method == "rounded":
        return make_rounded_payment(part, currency)
    return make_payment(part, method)


class Unpay(Change, frozen=True):
    """The settlement of version `settlement` is owed again; it stays in the ledger, marked."""

    settlement: int

    def make(self, now: Now) -> Step:
        """Take it back. Raises NotAllowed when it has been already, or never was."""
        paid = fold(log.read_settings(now.connection, now.table.id)).payments.get(self.settlement)
        if paid is None or paid.undone:
            raise NotAllowed("no_such_payment")
        return Step("unpay", 0, str(self.settlement), spare=quotas.SPARE)


def find_swish_number(db: Database, table_id: int, name: str) -> str | None:
    """The Swish number of somebody who is to be paid, None while it is not known."""
    sql = """SELECT own.swish FROM people AS own JOIN people AS named
            ON named.table_id = own.table_id AND named.number = COALESCE(own.called, own.number)
        WHERE own.table_id = ? AND named.name = ? ORDER BY own.number LIMIT 1"""
    row = db.connection.execute(sql, [table_id, name]).fetchone()
    return row[0] if row else None


def save_swish_number(db: Database, write: Write, name: str, text: str) -> None:
    """Save somebody's Swish number for payments at this table; no text deletes it.

    It is in no log, so that it can be deleted. Raises BadFile when Swish would not take it, NoPen,
    NotFound.
    """
    number = swish.read_number(text) if text.strip() else None
    with db.transaction() as connection:
        table = require_pen(connection, write)
        known = load_ledger(connection, table).people
        if name not in known.persons:
            raise BadFile("unknown_player", player=name)
        connection.table("people").update((table.id, known.numbers[name]), {"swish": number})
