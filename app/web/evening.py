"""The evening: won and lost game by game, the debts left to settle, and the payments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date
from functools import partial
from operator import attrgetter
from typing import TypeVar, get_args

import msgspec
import segno
from flask import Blueprint, Response, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import (
    LONGEST_TEXT,
    MAX_SEQ,
    BadField,
    Refusal,
    attempt,
    read_field,
    read_int,
    read_write,
    redirect_to,
    submit,
)
from app.http.limits import one_at_a_time
from app.http.rendered import cache_page
from app.i18n.language import format_amount, read_money
from app.rules.codes import BadFile, NotAllowed
from app.rules.settlement import Debt
from app.services import payments
from app.services.commit import Change
from app.services.evenings import MOST_OTHERS, GameSummary, list_evenings, list_person_results
from app.services.ledger import Ledger
from app.services.payments import (
    CASH,
    MoneyWay,
    Pay,
    PayAll,
    PayInAdvance,
    PaymentChoice,
    Unpay,
    round_to_cash,
)
from app.services.people import Merge, People, Split
from app.store import clock
from app.web.board import find_said_paid
from app.web.templates import render


class Evening(msgspec.Struct, frozen=True):
    """One evening of a table.

    `totals` are öre by person where `money` says so, else points; who came first to the table
    stands first. `balances` are each person's debt of before, won or lost tonight, and payments.
    """

    lines: tuple[GameSummary, ...]
    money: bool
    totals: Mapping[str, int]
    balances: dict[str, tuple[int, int, int]]


def summarize(ledger: Ledger) -> Evening:
    """Sum up the wins, losses and payments of the ledger's evening."""
    lines = tuple(line for line in ledger.lines if line.begun)
    tonight, persons = ledger.sums, ledger.people.persons
    money = any(map(attrgetter("stake_ore"), (*tonight.values(), *lines)))
    before, paid = ledger.before, ledger.paid
    won = {name: each.ore for name, each in tonight.items()}
    # A game that is not over brings neither points nor öre.
    sums = won if money else {name: each.points for name, each in tonight.items()}
    players = {*tonight, *(name for line in lines for name in line.scores)}
    balances = {
        name: (before.get(name, 0), won.get(name, 0), paid.get(name, 0)) for name in persons
    }
    # They say more than the evening's own games.
    shown = paid or ledger.carries_over
    return Evening(
        lines=lines[-MOST_COLUMNS:],
        money=money,
        totals={name: sums.get(name, 0) for name in persons if name in players},
        balances={name: each for name, each in balances.items() if shown and any(each)},
    )


bp = Blueprint("evening", __name__, url_prefix="/t/<link>")

PAGE, FRAGMENT = "evening/page.html", "evening/_evening.html"
METHODS: tuple[PaymentChoice, ...] = get_args(PaymentChoice)

Chosen = TypeVar("Chosen")

# All of them stand in the list of games.
MOST_COLUMNS = 20


@bp.get("/evening")
@cache_page(of_ledger=True)
def newest() -> Response:
    """The newest evening, with the debts left to settle."""
    return _render_newest()


@bp.get("/evening/<day>")
@cache_page(of_ledger=True)
def earlier(day: str) -> Response:
    """An evening of the past, with its wins, losses and payments."""
    now = context.read_ledger(read_day(day))
    if now.day not in now.evenings:
        raise NotFound
    return render(PAGE, "", None, **view_evening(now))


def read_day(day: str) -> date:
    """The evening that an address names. Raises NotFound."""
    try:
        return date.fromisoformat(day)
    except ValueError:
        raise NotFound from None


@bp.post("/evening/all")
def all_paid() -> AnyResponse:
    """Tick everything that is left as paid."""
    return _change(lambda: PayAll(read_way(METHODS)))


@bp.post("/evening/undo")
def undo() -> AnyResponse:
    """Take a settlement back."""
    settlement = read_int(request.form.get("settlement", ""), 0, MAX_SEQ) or 0
    return _change(lambda: Unpay(settlement))


def read_way(ways: Collection[Chosen]) -> Chosen:
    """One of the ways in which a form may say that money went. Raises BadFile."""
    chosen = request.form.get("way", "")
    for way in ways:
        if way == chosen:
            return way
    raise BadFile("wrong_value", key="way", value=chosen)


def _change(read: Callable[[], Change]) -> AnyResponse:
    """Make a change and show the evening; a refusal shows it too, with the reason in words."""
    outcome = submit(read)
    return answer(outcome if isinstance(outcome, Refusal) else None)


def answer(refusal: Refusal | None = None) -> Response:
    """The newest evening after a change, or with the reason why it was refused."""
    if refusal or context.wants_fragment():
        return _render_newest(refusal)
    return redirect_to(url_for("evening.newest"))


def _render_newest(refusal: Refusal | None = None) -> Response:
    now = context.read_ledger()
    return render(PAGE, FRAGMENT, refusal, **view_evening(now))


def view_evening(now: Ledger) -> dict[str, object]:
    """The values of an evening's templates; debts left to settle stand on the newest."""
    evening, newest = summarize(now), now.day == now.evenings[-1]
    others = [other for other in now.evenings[::-1] if other != now.day]
    return {
        "ledger": now,
        "newest": newest,
        "evening": evening,
        "columns": [
            *(context.gettext("Game %(number)s", number=line.number) for line in evening.lines),
            context.gettext("Together"),
        ],
        "debts": now.owed if newest else now.debts,
        "coin": CASH[now.currency],
        "said_paid": find_said_paid() if newest and context.access().writes else [],
        "others": {other: now.winners.get(other) for other in others[:MOST_OTHERS]},
        "more": len(others) > MOST_OTHERS,
    }


# So many evenings stand on a page, and so many of them are not folded away.
A_PAGE, A_HANDFUL = 30, 5


@bp.get("/money")
@cache_page("to", of_ledger=True)
def money() -> Response:
    """The evenings up to the time that the address names, and the sums of all there are."""
    to = request.args.get("to", "")
    now = context.read_ledger()
    clock.give_way()
    evenings = list_evenings(context.db(), context.access().id)
    clock.give_way()
    # A year, a month or a day: a day's beginning as it is written.
    shown = [each for each in reversed(evenings) if each.day.isoformat()[: len(to)] <= to]
    return render(
        "evening/money.html",
        ledger=now,
        people={each.name: each for each in list_person_results(evenings)},
        evenings=shown[:A_PAGE],
        handful=A_HANDFUL,
        earlier=shown[A_PAGE].day if len(shown) > A_PAGE else None,
        years=sorted({evening.day.year for evening in evenings}, reverse=True),
        many=len(evenings) > A_PAGE,
        to=to,
    )


MAX_NUMBER = 10**8 - 1


@bp.get("/people")
@cache_page(of_ledger=True)
def people_page() -> Response:
    """Everybody who has played at the table."""
    return _render_people()


@bp.post("/people")
def change_people() -> AnyResponse:
    """Let two names be the same person, or no longer."""
    known = context.read_ledger().people
    name = find_person(known, read_number("name"))

    def read() -> Change:
        if request.form.get("do") == "split":
            return Split(name)
        return Merge(name, read_field("into", partial(_read_person, known, "into")))

    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return _render_people(outcome)
    return redirect_to(url_for("evening.people_page"))


def read_number(field: str) -> int:
    """The number of a person that a field of the form holds, 0 for nobody's."""
    return read_int(request.form.get(field, ""), 1, MAX_NUMBER) or 0


def find_person(people: People, number: int) -> str:
    """The name behind a number. Raises NotFound."""
    name = people.find_name(number)
    if name is None:
        raise NotFound
    return name


def _render_people(refusal: Refusal | None = None) -> Response:
    now = context.read_ledger()
    return render("evening/people.html", "", refusal, ledger=now, people=now.people)


AMOUNT = "amount"


@bp.get("/evening/pay/<int:payer>-<int:payee>")
@one_at_a_time()
def payment(payer: int, payee: int) -> Response:
    """The payment of one person to another, and the ways to make it."""
    return render_payment(payer, payee)


@bp.post("/evening/pay/<int:payer>-<int:payee>")
def pay(payer: int, payee: int) -> AnyResponse:
    """Tick the payment as made, whole or in part."""
    people = context.read_ledger().people
    owed = find_person(people, payer), find_person(people, payee)
    outcome = submit(lambda: Pay(owed, read_way(METHODS), _read_amount()))
    if isinstance(outcome, Refusal):
        return render_payment(payer, payee, outcome.at(AMOUNT))
    return redirect_to(url_for("evening.newest"))


@bp.post("/evening/pay/<int:payer>-<int:payee>/number")
def number(payer: int, payee: int) -> AnyResponse:
    """Keep the payee's Swish number, or forget it."""
    name = find_person(context.read_ledger().people, payee)
    text = "" if request.form.get("do") == "forget" else request.form.get("number", "")
    outcome = attempt(lambda: payments.save_swish_number(context.db(), read_write(), name, text))
    if isinstance(outcome, Refusal):
        return render_payment(payer, payee, outcome.at("number"))
    return redirect_to(url_for("evening.payment", payer=payer, payee=payee))


def _read_amount() -> int:
    """Read the amount. Raises BadFile unless it is more than nothing."""
    text, currency = _type_again(AMOUNT), context.currency()
    amount = read_money(text, currency, context.language())
    if amount is None or amount <= 0:
        if currency == "EUR":
            raise BadFile("amount_unreadable_in_euros", typed=text)
        raise BadFile("amount_unreadable", typed=text)
    return amount


def render_payment(
    payer: int, payee: int, refusal: Refusal | None = None, number: str = ""
) -> Response:
    """The page of a payment, by this Swish number where none is known of the payee."""
    now = context.read_ledger()
    between = find_person(now.people, payer), find_person(now.people, payee)
    debt = now.find_debt(between)
    ore = debt.ore if debt else 0
    return render(
        "evening/pay.html",
        "",
        refusal,
        ledger=now,
        between=between,
        action=url_for("evening.payment", payer=payer, payee=payee),
        debt=debt,
        amount=_type_again(AMOUNT, format_amount(ore)),
        typed_number=_type_again("number"),
        rounded=round_to_cash(ore, now.currency),
        too_small=ore < payments.LEAST_SWISH,
        swish=_swish(debt, now, number)
        if debt and payments.swish_accepts(ore, now.currency)
        else None,
        me=None if context.access().writes else context.find_me(),
        said=next((each for each in find_said_paid() if each.between == between), None),
    )


def _type_again(name: str, default: str = "") -> str:
    """The text typed into a field, to be shown again."""
    return request.form.get(name, default)[:LONGEST_TEXT]


def _swish(owed: Debt, now: Ledger, typed: str) -> dict[str, str]:
    """Values for Swish: the number if it is known or typed, and then the code to scan."""
    number = payments.find_swish_number(context.db(), context.access().id, owed.payee) or typed
    if not number:
        return {"number": ""}
    day = context.language().short_day(now.evenings[-1])
    address = payments.swish_url(number, owed.ore, f"Chicago {day}")
    code = segno.make(address, error="m").svg_inline(scale=4, border=4, light="#fff", omitsize=True)
    return {
        "number": number,
        "text": payments.format_swish_number(number),
        "amount": format_amount(owed.ore),
        "address": address,
        "code": code,
    }


PAYEE = "payee"
WHO = ("payer", PAYEE)
WAYS: tuple[MoneyWay, ...] = get_args(MoneyWay)


@bp.get("/evening/advance")
@one_at_a_time()
def advance() -> Response:
    """The form of a payment in advance."""
    return _render_advance(context.read_ledger())


@bp.post("/evening/advance")
def pay_in_advance() -> AnyResponse:
    """Record it."""
    now = context.read_ledger()

    def read() -> PayInAdvance:
        payer, payee = (read_field(each, partial(_read_person, now.people, each)) for each in WHO)
        ore, way = read_field(AMOUNT, _read_amount), read_way(WAYS)
        if payer == payee:  # The fault belongs to the second of the two fields.
            raise BadField(PAYEE, NotAllowed("pays_oneself", player=payer))
        return PayInAdvance((payer, payee), way, ore)

    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return _render_advance(context.read_ledger(), outcome.at(AMOUNT))
    return redirect_to(url_for("evening.newest"))


def _read_person(people: People, field: str) -> str:
    """Whom a field names by a number. Raises NotAllowed where that is nobody."""
    name = people.find_name(read_number(field))
    if name is None:
        raise NotAllowed("no_such_person")
    return people.whose[name]


def _render_advance(now: Ledger, refusal: Refusal | None = None) -> Response:
    return render(
        "evening/advance.html",
        "",
        refusal,
        ledger=now,
        chosen={field: _type_again(field) for field in (*WHO, "way")},
        amount=_type_again(AMOUNT),
    )
