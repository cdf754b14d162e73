"""What the evening's pages show of a ledger: who won and lost, who owes whom, who has paid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import msgspec

from app.i18n.language import N_, Language
from app.rules.balances import Payment, PaymentWay, outstanding
from app.rules.settlement import Transfer, add_up
from app.services.ledger import Ledger, Line, Settlement

WAYS: Mapping[PaymentWay, str] = {
    "swish": N_("with Swish"),
    "cash": N_("in cash"),
    "other": N_("paid"),
    "rounding": N_("rounding"),
    "written_off": N_("let go"),
}


class Amount(msgspec.Struct, frozen=True):
    """What somebody won or lost; `kind` is `won`, `lost` or nothing."""

    text: str
    kind: str = ""


class PersonRow(msgspec.Struct, frozen=True):
    """One person's evening: each game, and all of them together."""

    name: str
    games: list[Amount]
    total: Amount


class Balance(msgspec.Struct, frozen=True):
    """How what is left for one person comes about."""

    name: str
    before: Amount
    tonight: Amount
    paid: Amount
    left: Amount


class Debt(msgspec.Struct, frozen=True):
    """One payment to be made; `payer_number` and `payee_number` are for addresses."""

    payer: str
    payee: str
    kronor: str
    payer_number: int
    payee_number: int


class SettlementView(msgspec.Struct, frozen=True):
    """A settlement as it was recorded: when, and every payment in words."""

    seq: int
    at: str
    lines: list[tuple[str, str, str]]
    undone: bool


class Evening(msgspec.Struct, frozen=True):
    """One evening of a table. `numbers` are its games; the rest is empty where all is points."""

    title: str
    numbers: list[int]
    rows: list[PersonRow]
    money: bool
    accounts: list[Balance]
    carried: bool
    records: list[SettlementView]


def evening(ledger: Ledger, day: date, language: Language) -> Evening:
    """What a table's people won, lost and paid on one evening."""
    lines = [line for line in ledger.lines if line.evening == day]
    money = any(line.stake_ore for line in lines)
    before = _before(ledger, day)
    made = [settled for settled in ledger.settlements if settled.evening == day]
    return Evening(
        title=language.gettext("The evening of %(day)s", day=language.day(day)),
        numbers=[line.number for line in lines],
        rows=[_row(name, lines, money, language) for name in _seated(ledger, lines)],
        money=money,
        accounts=_accounts(ledger, lines, before, made, language),
        carried=any(before.values()),
        records=[_record(each, language) for each in reversed(made)],
    )


def _seated(ledger: Ledger, lines: Sequence[Line]) -> list[str]:
    """Those who played, in order of first appearance at the table."""
    played = {name for line in lines for name in line.scores}
    return [name for name in ledger.people.persons if name in played]


def _row(name: str, lines: Sequence[Line], money: bool, language: Language) -> PersonRow:
    games = [_game(name, line, money, language) for line in lines]
    if money:
        won = sum((line.payout or {}).get(name, 0) for line in lines)
        return PersonRow(name, games, amount(won, language))
    return PersonRow(
        name, games, Amount(language.number(sum(ln.scores.get(name, 0) for ln in lines)))
    )


def _game(name: str, line: Line, money: bool, language: Language) -> Amount:
    """One game for one person: öre won or lost, or the points where that is all there is."""
    if name not in line.scores:
        return Amount("–")
    if line.payout is None:
        return Amount("…")
    if not line.stake_ore:
        points = line.scores[name]
        return Amount(language.points(points) if money else language.number(points))
    return amount(line.payout[name], language)


def amount(ore: int, language: Language) -> Amount:
    """An amount in a column of kronor: `+24`, `−3,50`."""
    text = language.signed_kronor(ore).removesuffix("\N{NO-BREAK SPACE}kr")
    return Amount(text, "won" if ore > 0 else "lost" if ore < 0 else "")


def _before(ledger: Ledger, day: date) -> dict[str, int]:
    """What was left to settle when the evening began."""
    payouts = [line.payout or {} for line in ledger.lines if line.evening < day]
    earlier = [settled for settled in ledger.settlements if settled.evening < day]
    return outstanding(payouts, _counting(earlier))


def _counting(settlements: Iterable[Settlement]) -> list[Payment]:
    return [made for settled in settlements if not settled.undone for made in settled.payments]


def _accounts(
    ledger: Ledger,
    lines: Sequence[Line],
    before: Mapping[str, int],
    made: Sequence[Settlement],
    language: Language,
) -> list[Balance]:
    """The sums behind what is left, where they are more than the evening's own games."""
    paid = outstanding([], _counting(made))
    if not any(before.values()) and not paid:
        return []
    tonight = add_up(line.payout or {} for line in lines)
    left = add_up([before, tonight, paid])
    return [
        Balance(name, *(amount(column.get(name, 0), language) for column in columns))
        for columns in [(before, tonight, paid, left)]
        for name in ledger.people.persons
        if any(column.get(name) for column in columns)
    ]


def debts(ledger: Ledger, language: Language) -> list[Debt]:
    """Who pays whom for everything to be settled."""
    return [debt(owed, ledger, language) for owed in ledger.transfers]


def debt(owed: Transfer, ledger: Ledger, language: Language) -> Debt:
    """One payment to be made."""
    return Debt(
        owed.payer,
        owed.payee,
        language.kronor(owed.ore),
        ledger.people.number(owed.payer),
        ledger.people.number(owed.payee),
    )


def _record(settled: Settlement, language: Language) -> SettlementView:
    at = f"{language.day(settled.paid_at.date())} {settled.paid_at:%H:%M}"
    return SettlementView(
        settled.seq,
        at,
        [
            (f"{p.payer} → {p.payee}", language.kronor(p.ore), language.gettext(WAYS[p.way]))
            for p in settled.payments
        ],
        settled.undone,
    )


def corrections(ledger: Ledger, language: Language) -> list[str]:
    """Which settled games have been mended since, and who gets what from whom for that."""
    return [
        language.gettext(
            "Game %(number)s was changed after it was settled: %(payments)s.",
            number=changed.number,
            payments=language.listing(_gets(owed, language) for owed in changed.transfers),
        )
        for changed in ledger.corrections
    ]


def _gets(owed: Transfer, language: Language) -> str:
    values = {"payee": owed.payee, "payer": owed.payer, "kronor": language.kronor(owed.ore)}
    return language.gettext("%(payee)s is to have %(kronor)s from %(payer)s", **values)
