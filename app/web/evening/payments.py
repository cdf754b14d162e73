"""One payment: by Swish, in cash or otherwise, ticked by hand when it has been made."""

from __future__ import annotations

from http import HTTPStatus

import segno
from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import attempt, format_kronor, read_kronor
from app.rules.balances import round_to_kronor
from app.rules.errors import BadFile
from app.rules.settlement import Transfer
from app.services import ledger, payments, swish, tables
from app.services.ledger import Ledger
from app.services.people import People
from app.services.tables import Write
from app.web.evening.page import ticked
from app.web.evening.view import debt

bp = Blueprint("payments", __name__, url_prefix="/t/<link>/evening/pay/<int:payer>-<int:payee>")


@bp.get("")
def page(link: str, payer: int, payee: int) -> Response:
    """What one person is to pay another, and the ways to do it."""
    return _show(link, payer, payee, "", HTTPStatus.OK)


@bp.post("")
def pay(link: str, payer: int, payee: int) -> AnyResponse:
    """Tick the payment as made, whole or in part."""
    people = ledger.read_ledger(context.pool(), link).people
    owed = _person(people, payer), _person(people, payee)

    def tick(write: Write) -> None:
        payments.pay(context.pool(), write, owed, ticked(request.form.get("way", "")), _ore())

    said, status = attempt(lambda: context.perform(link, tick, lambda: None))
    if status is not HTTPStatus.OK:
        return _show(link, payer, payee, said, status)
    return redirect(url_for("evening.newest", link=link), HTTPStatus.SEE_OTHER)


def _person(people: People, number: int) -> str:
    """Whom a number in an address stands for. Raises NotFound."""
    name = people.numbered(number)
    if name is None:
        raise NotFound
    return name


def _ore() -> int:
    """How much is paid. Raises BadFile unless it is more than nothing."""
    text = request.form.get("kronor", "")
    ore = read_kronor(text)
    if ore is None or ore <= 0:
        raise BadFile("amount_unreadable", value=text)
    return ore


@bp.post("/number")
def number(link: str, payer: int, payee: int) -> AnyResponse:
    """Keep the payee's Swish number, or forget it."""
    name = _person(ledger.read_ledger(context.pool(), link).people, payee)
    text = "" if request.form.get("do") == "forget" else request.form.get("number", "")
    said, status = attempt(
        lambda: payments.save_swish_number(context.pool(), context.write_request(link), name, text)
    )
    if status is not HTTPStatus.OK:
        return _show(link, payer, payee, said, status)
    where = url_for("payments.page", link=link, payer=payer, payee=payee)
    return redirect(where, HTTPStatus.SEE_OTHER)


def _show(link: str, payer: int, payee: int, said: str, status: HTTPStatus) -> Response:
    now = ledger.read_ledger(context.pool(), link)
    between = _person(now.people, payer), _person(now.people, payee)
    owed = next((t for t in now.transfers if (t.payer, t.payee) == between), None)
    shown = _owed(link, owed, now) if owed else {}
    page = render_template(
        "evening/pay.html",
        link=link,
        ledger=now,
        between=between,
        action=url_for("payments.page", link=link, payer=payer, payee=payee),
        said=said,
        writes=tables.may_write(context.pool(), link, context.pen()),
        **shown,
    )
    return make_response(page, status)


def _owed(link: str, owed: Transfer, now: Ledger) -> dict[str, object]:
    """What the page shows of a payment that is still to be made."""
    language = context.language()
    whole = round_to_kronor(owed.ore)
    return {
        "debt": debt(owed, now, language),
        "kronor": format_kronor(owed.ore),
        "rounded": None if whole == owed.ore else language.kronor(whole),
        "too_small": owed.ore < swish.LEAST_ORE,
        "swish": _swish(link, owed, now) if swish.accepts(owed.ore) else None,
    }


def _swish(link: str, owed: Transfer, now: Ledger) -> dict[str, str]:
    """What Swish needs: the number if it is known, and then the code to scan."""
    number = payments.swish_number(context.pool(), link, owed.payee)
    if number is None:
        return {"number": ""}
    day = context.language().short_day(now.evenings[-1])
    address = swish.payment_url(number, owed.ore, f"Chicago {day}")
    code = segno.make(address, error="m").svg_inline(scale=4, border=4, light="#fff", omitsize=True)
    return {
        "number": number,
        "written": swish.format_number(number),
        "amount": format_kronor(owed.ore),
        "address": address,
        "code": code,
    }
