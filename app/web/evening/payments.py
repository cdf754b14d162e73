"""One payment: by Swish, in cash or otherwise, ticked by hand when it has been made."""

from __future__ import annotations

from functools import partial
from typing import get_args

import segno
from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import (
    LONGEST_TEXT,
    BadField,
    Refusal,
    attempt,
    read_field,
    read_write,
    redirect_to,
    submit,
)
from app.http.limits import expensive
from app.i18n.currencies import format_amount, read_money
from app.rules.errors import BadFile, NotAllowed
from app.rules.settlement import Transfer, round_to_cash
from app.services import ledger
from app.services.ledger import Ledger, MoneyWay, Pay, PayInAdvance
from app.services.people import People
from app.web.evening.page import METHODS, find_person, read_number, read_way
from app.web.templates import render

bp = Blueprint("payments", __name__, url_prefix="/t/<link>/evening")

AMOUNT = "amount"


@bp.get("/pay/<int:payer>-<int:payee>")
@expensive
def page(link: str, payer: int, payee: int) -> Response:
    """The payment of one person to another, and the ways to make it."""
    return _render_payment(link, payer, payee)


@bp.post("/pay/<int:payer>-<int:payee>")
def pay(link: str, payer: int, payee: int) -> AnyResponse:
    """Tick the payment as made, whole or in part."""
    people = ledger.read_ledger(context.db(), link).people
    owed = find_person(people, payer), find_person(people, payee)
    outcome = submit(lambda: Pay(owed, read_way(METHODS), _read_amount()))
    if isinstance(outcome, Refusal):
        return _render_payment(link, payer, payee, outcome.at(AMOUNT))
    return redirect_to(url_for("evening.newest", link=link))


@bp.post("/pay/<int:payer>-<int:payee>/number")
def number(link: str, payer: int, payee: int) -> AnyResponse:
    """Keep the payee's Swish number, or forget it."""
    name = find_person(ledger.read_ledger(context.db(), link).people, payee)
    text = "" if request.form.get("do") == "forget" else request.form.get("number", "")
    outcome = attempt(lambda: ledger.save_swish_number(context.db(), read_write(), name, text))
    if isinstance(outcome, Refusal):
        return _render_payment(link, payer, payee, outcome.at("number"))
    return redirect_to(url_for("payments.page", link=link, payer=payer, payee=payee))


def _read_amount() -> int:
    """Read the amount. Raises BadFile unless it is more than nothing."""
    text, currency = _type_again(AMOUNT), context.currency()
    amount = read_money(text, currency)
    if amount is None or amount <= 0:
        if currency == "EUR":
            raise BadFile("amount_unreadable_in_euros", typed=text)
        raise BadFile("amount_unreadable", typed=text)
    return amount


def _render_payment(link: str, payer: int, payee: int, refusal: Refusal | None = None) -> Response:
    now = ledger.read_ledger(context.db(), link)
    between = find_person(now.people, payer), find_person(now.people, payee)
    debt = next((t for t in now.transfers if (t.payer, t.payee) == between), None)
    ore = debt.ore if debt else 0
    return render(
        "evening/pay.html",
        "",
        refusal,
        ledger=now,
        between=between,
        action=url_for("payments.page", link=link, payer=payer, payee=payee),
        debt=debt,
        amount=_type_again(AMOUNT, format_amount(ore)),
        typed_number=_type_again("number"),
        rounded=round_to_cash(ore, now.currency),
        too_small=ore < ledger.LEAST_ORE,
        swish=_swish(debt, now) if debt and ledger.accepts(ore, now.currency) else None,
    )


def _type_again(name: str, default: str = "") -> str:
    """The text typed into a field, to be shown again."""
    return request.form.get(name, default)[:LONGEST_TEXT]


def _swish(owed: Transfer, now: Ledger) -> dict[str, str]:
    """Values for Swish: the number if it is known, and then the code to scan."""
    number = ledger.find_swish_number(context.db(), context.access().id, owed.payee)
    if number is None:
        return {"number": ""}
    day = context.language().short_day(now.evenings[-1])
    address = ledger.payment_url(number, owed.ore, f"Chicago {day}")
    code = segno.make(address, error="m").svg_inline(scale=4, border=4, light="#fff", omitsize=True)
    return {
        "number": number,
        "text": ledger.format_number(number),
        "amount": format_amount(owed.ore),
        "address": address,
        "code": code,
    }


PAYEE = "payee"
WHO = ("payer", PAYEE)
WAYS: tuple[MoneyWay, ...] = get_args(MoneyWay)


@bp.get("/advance")
@expensive
def advance(link: str) -> Response:
    """The form of a payment in advance."""
    return _render_advance(ledger.read_ledger(context.db(), link))


@bp.post("/advance")
def pay_in_advance(link: str) -> AnyResponse:
    """Record it."""
    now = ledger.read_ledger(context.db(), link)

    def read() -> PayInAdvance:
        payer, payee = (read_field(each, partial(_read_person, now.people, each)) for each in WHO)
        ore, way = read_field(AMOUNT, _read_amount), read_way(WAYS)
        if payer == payee:  # The fault belongs to the second of the two fields.
            raise BadField(PAYEE, NotAllowed("pays_oneself", player=payer))
        return PayInAdvance((payer, payee), way, ore)

    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return _render_advance(ledger.read_ledger(context.db(), link), outcome.at(AMOUNT))
    return redirect_to(url_for("evening.newest", link=link))


def _read_person(people: People, field: str) -> str:
    """Whom a field names by a number. Raises NotAllowed where that is nobody."""
    name = people.find_name(read_number(field))
    if name is None:
        raise NotAllowed("no_such_person")
    return people.canonical[name]


def _render_advance(now: Ledger, refusal: Refusal | None = None) -> Response:
    return render(
        "evening/advance.html",
        "",
        refusal,
        ledger=now,
        chosen={field: _type_again(field) for field in (*WHO, "way")},
        amount=_type_again(AMOUNT),
    )
