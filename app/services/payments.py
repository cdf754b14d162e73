"""Payments: debts are paid or let go, and taken back; what Swish takes."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal
from urllib.parse import quote

from app.rules.codes import BadFile, NotAllowed, Stale
from app.rules.settlement import (
    Amount,
    Currency,
    Debt,
    PaymentWay,
)
from app.services import bounds, people, table_view
from app.services.access import Access, Write, find_access, require_pen
from app.services.commit import Change, ChangeContext, Proposal
from app.services.ledger import Ledger, Payment, load_ledger
from app.services.table_view import fold, to_json
from app.store import log
from app.store.database import Connection, Database

# The unit that cash is rounded to in shops: whole kronor in Sweden, five cents in Finland.
CASH: Mapping[Currency, int] = {"SEK": 100, "EUR": 5}


def round_to_cash(ore: int, currency: Currency) -> int:
    """Round an amount to coins: up from the half, down below it."""
    unit = CASH[currency]
    return (ore + unit // 2) // unit * unit


def round_payment(owed: Debt, currency: Currency) -> list[Payment]:
    """Make a suggested payment in cash as there are coins of it, with the rounding beside it.

    Rounded up, the payee would owe the rest: it is let go the other way round.
    """
    cash = round_to_cash(owed.ore, currency)
    rest = owed.ore - cash
    back = (owed.payer, owed.payee) if rest > 0 else (owed.payee, owed.payer)
    payments = [
        Payment(owed.payer, owed.payee, cash, "cash"),
        Payment(*back, abs(rest), "rounding"),
    ]
    return [payment for payment in payments if payment.ore]


# How money goes from one to another; and how a debt is paid: so, or in cash rounded to the coins
# there are, or let go.
MoneyWay = Literal["swish", "cash", "other"]
PaymentChoice = Literal[MoneyWay, "written_off", "rounded"]
# The most that anybody may pay in advance at once, unless more is owed: a million kronor, or euros.
MOST_IN_ADVANCE = 100_000_000


class Settle(Change, frozen=True):
    """Payments that are recorded together."""

    of_ledger = True

    def choose(self, now: Ledger) -> Sequence[Payment]:
        """The payments, none where all is settled. Raises NotAllowed, BadFile."""
        raise NotImplementedError

    def make(self, now: ChangeContext) -> Proposal:
        """Record them. Raises NotAllowed, also for Swish where no kronor are; BadFile."""
        ledger = load_ledger(now.connection, now.table)
        payments = self.choose(ledger)
        if not payments:
            raise NotAllowed("all_settled")
        sql = """SELECT COALESCE(SUM(json_array_length(body)), 0) FROM changes
            WHERE table_id = ? AND game = 0 AND kind = 'pay'"""
        before = now.connection.find_number(sql, now.table.id)
        bounds.check("too_many_payments", before + len(payments), bounds.MAX_PAYMENTS)
        numbers = ledger.people.numbers
        body = [(numbers[p.payer], numbers[p.payee], p.ore, p.way) for p in payments]
        return Proposal("pay", 0, to_json(body), headroom=bounds.HEADROOM)


class Pay(Settle, frozen=True):
    """A suggested payment, from payer to payee, is paid: whole, or `ore` öre of it."""

    between: tuple[str, str]
    way: PaymentChoice
    ore: int | None = None

    def choose(self, now: Ledger) -> list[Payment]:
        """The payment. Raises NotAllowed when that much is not owed, BadFile for nothing."""
        payer, payee = self.between
        debt = now.find_debt(self.between)
        if debt is None:
            raise NotAllowed("nothing_owed", player=payer, by=payee)
        ore = debt.ore if self.ore is None else self.ore
        if ore > debt.ore:
            most = Amount(debt.ore, now.currency)
            raise NotAllowed("pays_too_much", player=payer, by=payee, ore=most)
        return _pay(Debt(payer, payee, ore), self.way, now.currency)


class PayAll(Settle, frozen=True):
    """Every suggested payment is paid, as one settlement."""

    way: PaymentChoice

    def choose(self, now: Ledger) -> list[Payment]:
        """All payments."""
        return [each for debt in now.debts for each in _pay(debt, self.way, now.currency)]


class PayInAdvance(Settle, frozen=True):
    """A payment of `ore` öre from one person to another, whether owed or not.

    An overpayment is owed back, until games have used it up.
    """

    between: tuple[str, str]
    way: PaymentWay
    ore: int

    def choose(self, now: Ledger) -> list[Payment]:
        """The payment.

        Raises NotAllowed for one person alone and for more than MOST_IN_ADVANCE; BadFile for
        nothing at all, or somebody who never played here.
        """
        for name in self.between:
            if name not in now.people.whose:
                raise BadFile("unknown_player", player=name)
        payer, payee = (now.people.whose[name] for name in self.between)
        if payer == payee:
            raise NotAllowed("pays_oneself", player=payer)
        most = max(MOST_IN_ADVANCE, sum(map(abs, now.outstanding.values())))
        if self.ore > most:
            raise NotAllowed("advance_too_large", ore=Amount(most, now.currency))
        return _pay(Debt(payer, payee, self.ore), self.way, now.currency)


def _pay(part: Debt, way: PaymentChoice | PaymentWay, currency: Currency) -> list[Payment]:
    if part.ore <= 0:
        raise BadFile("wrong_value", key="ore", value=part.ore)
    if way == "swish" and currency != SWISH_CURRENCY:
        raise NotAllowed("swish_in_kronor")
    if way == "rounded":
        return round_payment(part, currency)
    return [Payment(part.payer, part.payee, part.ore, way)]


class Unpay(Change, frozen=True):
    """The settlement of version `settlement` is owed again; it stays in the ledger, marked."""

    of_ledger = True

    settlement: int

    def make(self, now: ChangeContext) -> Proposal:
        """Take it back. Raises NotAllowed when it has been already, or never was."""
        paid = fold(log.read_settings(now.connection, now.table.id)).payments.get(self.settlement)
        if paid is None or paid.undone:
            raise NotAllowed("no_such_payment")
        return Proposal("unpay", 0, str(self.settlement), headroom=bounds.HEADROOM)


SWISH_CURRENCY: Currency = "SEK"
LEAST_SWISH, MOST_SWISH = 100, 99_999_999
LONGEST_MESSAGE = 50


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
    number = read_swish_number(text) if text.strip() else None
    with db.transaction() as connection:
        _save_swish_number(connection, require_pen(connection, write), name, number)


def save_own_swish_number(db: Database, link: str, name: str, text: str) -> None:
    """Save the Swish number of somebody who reads along, where none is known yet.

    Raises BadFile as `save_swish_number`, Stale where there is another, which only a pen changes,
    and NotFound.
    """
    number = read_swish_number(text)
    with db.transaction() as connection:
        table = find_access(connection, link, None)
        if find_swish_number(db, table.id, name) not in (None, number):
            raise Stale("stale")
        _save_swish_number(connection, table, name, number)


def _save_swish_number(
    connection: Connection, table: Access, name: str, number: str | None
) -> None:
    names, persons = people.resolve(connection, table.id)
    if name not in persons.values():
        raise BadFile("unknown_player", player=name)
    whose = table_view.numbers_of(names)[name]
    connection.table("people").update((table.id, whose), {"swish": number})


def read_swish_number(text: str) -> str:
    """A number as Swish takes it, however it was typed: `0701234567`. Raises BadFile."""
    plain = re.sub(r"[\s()/.–-]", "", text)
    plain = re.sub(r"^(\+|00)460?", "0", plain)
    # A mobile number, or one of the numbers that Swish gives companies and clubs.
    if not re.fullmatch(r"07[0-9]{8}|123[0-9]{7}", plain):
        raise BadFile("swish_number_unreadable")
    return plain


def format_swish_number(number: str) -> str:
    """A number as people read it: `070-123 45 67`."""
    return f"{number[:3]}-{number[3:6]} {number[6:8]} {number[8:]}"


def swish_accepts(ore: int, currency: Currency) -> bool:
    """Whether Swish takes an amount: 1 krona to 999 999,99."""
    return currency == SWISH_CURRENCY and LEAST_SWISH <= ore <= MOST_SWISH


def swish_message(text: str) -> str:
    """A text as Swish takes it: letters, digits and a few marks, 50 characters at most."""
    return re.sub(r"[^\w!?(),.:; -]|_", "", text)[:LONGEST_MESSAGE].strip()


def swish_amount(ore: int) -> str:
    """An amount as Swish takes it: `49.5`."""
    kronor, rest = divmod(ore, 100)
    return f"{kronor}.{rest:02}".rstrip("0").rstrip(".")


def swish_url(number: str, ore: int, text: str) -> str:
    """The content of a QR code that opens Swish with everything filled in.

    The amount and the text can be changed there.
    """
    return (
        f"https://app.swish.nu/1/p/sw/?sw={number}&amt={swish_amount(ore)}&cur=SEK"
        f"&msg={quote(swish_message(text), safe='')}&edit=amt,msg&src=qr"
    )
