"""Notes of readers: an entry is not right, a debt is paid; and what the keeper does about them.

Here is also the payer's own phone, which has no pen: to which number to pay.
"""

from flask import Blueprint, Response, make_response, request, url_for
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.forms import (
    Refusal,
    attempt,
    read_int,
    read_write,
    redirect_to,
    submit,
    tell_at_table,
)
from app.http.limits import NOTES, one_at_a_time, rate_limit
from app.rules.codes import Stale
from app.rules.gamefile import MAX_EVENTS
from app.services import notes, payments
from app.services.payments import Pay
from app.web import evening, readers
from app.web.board import find_said_paid
from app.web.table import render_table

bp = Blueprint("notes", __name__, url_prefix="/t/<link>")


@bp.post("/games/<int:number>/doubt")
@rate_limit(NOTES)
def doubt(number: int) -> Response:
    """Say that an entry is not right, in place of what was said before; or take that back."""
    me = context.find_me()
    if me is None:
        return tell_at_table(context.gettext("First say who you are."))
    if request.form.get("do") == "back":
        notes.take_doubt_back(context.db(), context.link(), me)
    else:
        notes.doubt(context.db(), context.link(), me, number, _read_index())
    if context.wants_fragment() and not context.access().writes:
        context.refresh_table()
        base = readers.find_base()
        return make_response(base.fill(readers.current_reader(base)))
    return redirect_to(_address(number))


def _read_index() -> int:
    """The index of an entry in its game. Raises NotFound for none."""
    index = read_int(request.form.get("index", ""), 0, MAX_EVENTS)
    if index is None:
        raise NotFound
    return index


def _address(number: int) -> str:
    """The page that the form was on: an entry's, else the table's."""
    index = read_int(request.form.get("entry", ""), 0, MAX_EVENTS)
    if index is not None:
        return url_for("edit.entry", number=number, index=index)
    order = readers.BY_STANDING if request.args.get("order") == readers.BY_STANDING else None
    return url_for("table.page", order=order)


@bp.post("/games/<int:number>/doubt/off")
def wave_off(number: int) -> Response:
    """Let an entry stand that somebody doubts."""
    notes.wave_off(context.db(), read_write(), number, _read_index())
    if context.wants_fragment():
        return render_table(context.read_view())
    return redirect_to(url_for("table.page"))


PAYMENT = "/evening/pay/<int:payer>-<int:payee>"


@bp.post(f"{PAYMENT}/to")
@one_at_a_time()
def pay_to(payer: int, payee: int) -> Response:
    """The page of a payment by a number that the payer has typed: it is kept nowhere."""
    number = attempt(lambda: payments.read_swish_number(request.form.get("number", "")))
    if isinstance(number, Refusal):
        return evening.render_payment(payer, payee, number.at("number"))
    return evening.render_payment(payer, payee, number=number)


@bp.post(f"{PAYMENT}/own")
@rate_limit(NOTES)
def save_own_number(payer: int, payee: int) -> Response:
    """Keep the number of who is to be paid, from their own phone, where none is known."""
    _, name = _require_me(payer, payee, place=1)
    text = request.form.get("number", "")
    saved = attempt(
        lambda: payments.save_own_swish_number(context.db(), context.link(), name, text)
    )
    if isinstance(saved, Refusal):
        return evening.render_payment(payer, payee, saved.at("number"))
    return redirect_to(url_for("evening.payment", payer=payer, payee=payee))


@bp.post(f"{PAYMENT}/said")
@rate_limit(NOTES)
def say_paid(payer: int, payee: int) -> Response:
    """Say, on the payer's own phone, that the payment is made."""
    between = _require_me(payer, payee, place=0)
    said = attempt(lambda: notes.say_paid(context.db(), context.link(), between))
    if isinstance(said, Refusal):
        return evening.render_payment(payer, payee, said)
    return redirect_to(url_for("evening.payment", payer=payer, payee=payee))


def _require_me(payer: int, payee: int, place: int) -> tuple[str, str]:
    """Payer and payee, of whom this phone has said to be the first or second. Raises NotFound."""
    people = context.read_ledger().people
    between = evening.find_person(people, payer), evening.find_person(people, payee)
    if context.find_me() != between[place]:
        raise NotFound
    return between


@bp.post(f"{PAYMENT}/came")
def answer_paid(payer: int, payee: int) -> Response:
    """Record a payment that is said to be made, or say that the money has not come."""
    refusal = None
    if request.form.get("do") == "yes":
        outcome = submit(lambda: _read_paid(payer, payee))
        refusal = outcome if isinstance(outcome, Refusal) else None
    if refusal is None:
        # It is answered, so that no later tap looks for it.
        notes.drop_said_paid(context.db(), context.write(), (payer, payee))
    if request.form.get("at") == "evening":
        return evening.answer(refusal)
    if refusal or context.wants_fragment():
        return render_table(context.read_view(), refusal)
    return redirect_to(url_for("table.page"))


def _read_paid(payer: int, payee: int) -> Pay:
    """The payment that was said to be made. Raises Stale where nothing is said any more."""
    for said in find_said_paid():
        if said.numbers == (payer, payee):
            by_swish = payments.swish_accepts(said.ore, context.currency())
            return Pay(said.between, "swish" if by_swish else "other", said.ore)
    raise Stale("stale")
