"""A payment in advance: money that somebody gave, whatever was owed."""

from __future__ import annotations

from functools import partial
from typing import cast, get_args

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import BadField, Refusal, read_field, read_int, redirect_to, submit
from app.http.limits import expensive
from app.rules.errors import NotAllowed
from app.services import ledger
from app.services.ledger import Ledger, MoneyWay, PayInAdvance
from app.services.people import People
from app.web.evening.page import read_way
from app.web.evening.payments import AMOUNT, read_amount, type_again
from app.web.evening.people import MAX_NUMBER
from app.web.templates import render

bp = Blueprint("advance", __name__, url_prefix="/t/<link>/evening/advance")

PAYEE = "payee"
WHO = ("payer", PAYEE)
WAYS = get_args(MoneyWay)


@bp.get("")
@expensive
def page(link: str) -> Response:
    """Who gave whom how much, to be filled in."""
    return _render_form(ledger.read_ledger(context.db(), link))


@bp.post("")
def pay(link: str) -> AnyResponse:
    """Record it."""
    now = ledger.read_ledger(context.db(), link)

    def read() -> PayInAdvance:
        payer, payee = (read_field(each, partial(_read_person, now.people, each)) for each in WHO)
        ore, way = read_field(AMOUNT, read_amount), cast("MoneyWay", read_way(WAYS))
        if payer == payee:  # Of the two whoever is named last is at fault.
            raise BadField(PAYEE, NotAllowed("pays_oneself", player=payer))
        return PayInAdvance((payer, payee), way, ore)

    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return _render_form(ledger.read_ledger(context.db(), link), outcome.at(AMOUNT))
    return redirect_to(url_for("evening.newest", link=link))


def _read_person(people: People, field: str) -> str:
    """Whom a field names by a number. Raises NotAllowed where that is nobody."""
    number = read_int(request.form.get(field, ""), 1, MAX_NUMBER)
    name = None if number is None else people.find_name(number)
    if name is None:
        raise NotAllowed("no_such_person")
    return people.canonical[name]


def _render_form(now: Ledger, refusal: Refusal | None = None) -> Response:
    return render(
        "evening/advance.html",
        "",
        refusal,
        ledger=now,
        chosen={field: type_again(field) for field in (*WHO, "way")},
        amount=type_again(AMOUNT),
        in_kronor=now.currency == ledger.CURRENCY,
    )
