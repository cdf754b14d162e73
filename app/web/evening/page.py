"""The evening: won and lost game by game, the debts left to settle, and the payments."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from http import HTTPStatus
from typing import TypeVar, get_args

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import MAX_SEQ, Refusal, read_int, redirect_to, submit
from app.http.rendered import cache_page
from app.rules.errors import BadFile
from app.rules.settlement import CASH, add_up, outstanding
from app.services import ledger
from app.services.commit import Change
from app.services.ledger import (
    Ledger,
    LedgerLine,
    Method,
    PayAll,
    Settlement,
    Unpay,
    add_payouts,
)
from app.services.people import People
from app.services.settings import Merge, Split
from app.web.statistics import month_faults
from app.web.templates import render


class Evening(msgspec.Struct, frozen=True):
    """One evening of a table, its settlements newest first.

    `totals` are öre by person where `money` says so, else points; who came first to the table
    stands first. `carried_over` is whether something was left from earlier evenings; `balances` are
    each person's debt of before, won or lost tonight, and payments.
    """

    day: date
    lines: tuple[LedgerLine, ...]
    money: bool
    totals: Mapping[str, int]
    carried_over: bool
    balances: dict[str, tuple[int, int, int]]
    settlements: tuple[Settlement, ...]


def summarize(ledger: Ledger) -> Evening:
    """Sum up the wins, losses and payments of the ledger's evening."""
    lines = tuple(line for line in ledger.lines if line.begun)
    money = any(line.stake_ore for line in lines)
    before, tonight, persons = ledger.before, add_payouts(lines), ledger.people.persons
    # A game that is not over brings neither points nor öre.
    sums = tonight if money else add_up(line.scores for line in lines)
    players = {name for line in lines for name in line.scores}
    counting = [p for each in ledger.settlements if not each.undone for p in each.payments]
    paid = outstanding([], counting)
    balances = {
        name: (before.get(name, 0), tonight.get(name, 0), paid.get(name, 0)) for name in persons
    }
    # They say more than the evening's own games.
    shown = paid or any(before.values())
    return Evening(
        day=ledger.day,
        lines=lines[-MOST_COLUMNS:],
        money=money,
        totals={name: sums.get(name, 0) for name in persons if name in players},
        carried_over=any(before.values()),
        balances={name: each for name, each in balances.items() if shown and any(each)},
        settlements=ledger.settlements[::-1],
    )


bp = Blueprint("evening", __name__, url_prefix="/t/<link>")

PAGE, FRAGMENT = "evening/page.html", "evening/_evening.html"
METHODS: tuple[Method, ...] = get_args(Method)

T = TypeVar("T")

# All of them stand in the list of games.
MOST_OTHERS, MOST_COLUMNS = 8, 20


@bp.get("/evening")
@cache_page(of_ledger=True)
def newest(link: str) -> Response:
    """The newest evening, with the debts left to settle."""
    return _render_newest(link)


@bp.get("/evening/<day>")
@cache_page(of_ledger=True)
def earlier(link: str, day: str) -> Response:
    """An evening of the past, with its wins, losses and payments."""
    now = ledger.read_ledger(context.db(), link, read_day(day))
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
def all_paid(link: str) -> AnyResponse:
    """Tick everything that is left as paid."""
    return _change(link, lambda: PayAll(read_way(METHODS)))


@bp.post("/evening/undo")
def undo(link: str) -> AnyResponse:
    """Take a settlement back."""
    settlement = read_int(request.form.get("settlement", ""), 0, MAX_SEQ) or 0
    return _change(link, lambda: Unpay(settlement))


def read_way(ways: Collection[T]) -> T:
    """One of the ways in which a form may say that money went. Raises BadFile."""
    way = request.form.get("way", "")
    for each in ways:
        if each == way:
            return each
    raise BadFile("wrong_value", key="way", value=way)


def _change(link: str, read: Callable[[], Change]) -> AnyResponse:
    """Make a change and show the evening; a refusal shows it too, with the reason in words."""
    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return _render_newest(link, outcome)
    if context.wants_fragment():
        return _render_newest(link)
    return redirect_to(url_for("evening.newest", link=link))


def _render_newest(link: str, refusal: Refusal | None = None) -> Response:
    now = ledger.read_ledger(context.db(), link)
    return render(PAGE, FRAGMENT, refusal, **view_evening(now))


def view_evening(now: Ledger) -> dict[str, object]:
    """The values of an evening's templates; debts left to settle stand on the newest."""
    evening, newest = summarize(now), now.day == now.evenings[-1]
    others = [other for other in now.evenings[::-1] if other != now.day]
    winners = ledger.read_winners(context.db(), context.access(), others[:MOST_OTHERS])
    return {
        "ledger": now,
        "newest": newest,
        "evening": evening,
        "debts": now.transfers,
        "coin": CASH[now.currency],
        "others": {other: winners.get(other) for other in others[:MOST_OTHERS]},
        "more": len(others) > MOST_OTHERS,
    }


# So many evenings stand on a page, and so many of them are not folded away.
A_PAGE, A_HANDFUL = 30, 5
# A year, a month or a day, as `2026`, `2026-10` or `2026-10-17`.
_TIME = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


@bp.get("/money")
@cache_page("to", of_ledger=True)
def money(link: str) -> Response:
    """The evenings up to the time that the address names, and the sums of all there are."""
    to = request.args.get("to", "")
    readable = not to or _TIME.fullmatch(to) is not None
    now = ledger.read_ledger(context.db(), link)
    evenings = ledger.list_evenings(context.db(), link)
    # A time is a day's beginning as it is written.
    upto = to if readable else ""
    shown = [each for each in reversed(evenings) if each.day.isoformat()[: len(upto)] <= upto]
    content = render_template(
        "evening/money.html",
        link=link,
        ledger=now,
        people=ledger.list_people(now, evenings),
        evenings=shown[:A_PAGE],
        handful=A_HANDFUL,
        earlier=shown[A_PAGE].day if len(shown) > A_PAGE else None,
        years=sorted({evening.day.year for evening in evenings}, reverse=True),
        many=len(evenings) > A_PAGE,
        to=to,
        faults={} if readable else month_faults(["to"]),
    )
    return make_response(content, HTTPStatus.OK if readable else HTTPStatus.UNPROCESSABLE_ENTITY)


MAX_NUMBER = 10**8 - 1


@bp.get("/people")
@cache_page(of_ledger=True)
def people_page(link: str) -> Response:
    """Everybody who has played at the table."""
    return _render_people(link)


@bp.post("/people")
def change_people(link: str) -> AnyResponse:
    """Let two names be the same person, or no longer."""
    known = ledger.read_ledger(context.db(), link).people
    name = find_person(known, read_number("name"))

    def read() -> Change:
        if request.form.get("do") == "split":
            return Split(name)
        return Merge(name, find_person(known, read_number("into")))

    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return _render_people(link, outcome)
    return redirect_to(url_for("evening.people_page", link=link))


def read_number(field: str) -> int:
    """The number of a person that a field of the form holds, 0 for nobody's."""
    return read_int(request.form.get(field, ""), 1, MAX_NUMBER) or 0


def find_person(people: People, number: int) -> str:
    """The name behind a number. Raises NotFound."""
    name = people.find_name(number)
    if name is None:
        raise NotFound
    return name


def _render_people(link: str, refusal: Refusal | None = None) -> Response:
    now = ledger.read_ledger(context.db(), link)
    return render("evening/people.html", "", refusal, ledger=now, people=now.people)
