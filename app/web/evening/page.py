"""The evening: won and lost game by game, what is left to settle, and what has been paid."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from http import HTTPStatus
from itertools import islice
from typing import cast, get_args

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import Refusal, read_int, redirect_to, submit
from app.http.limits import expensive
from app.http.rendered import cache_page
from app.rules.course import add_along, find_top, tell_lead
from app.rules.errors import BadFile
from app.rules.settlement import CASH, add_up, outstanding
from app.services import ledger
from app.services.commit import Change
from app.services.ledger import (
    EveningResult,
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
from app.web.curve import ZERO, Curve, Sketch, draw
from app.web.statistics import tell
from app.web.table.consequences import short_names
from app.web.templates import FILTERS, render


def draw_evening(evening: Evening, *, newest: bool) -> Curve | None:
    """Draw an evening as its ledger adds it up: öre where there was a stake, else points.

    None before a second game: one says no more than its own curve. The newest may go on.
    """
    language, money = context.language(), evening.money
    games = [line for line in evening.lines if line.payout is not None or not money]
    if len(games) < 2:
        return None
    steps = add_along((line.payout or {}) if money else line.scores for line in games)

    def title(step: int) -> str:
        return language.gettext("game %(number)s", number=games[step - 1].number)

    if games[-1].payout is None:
        after = language.gettext("in %(step)s", step=title(len(games)))
    else:
        after = language.ngettext("after %(num)s game", "after %(num)s games", len(games))
    # Who came to the game being played alone has won and lost nothing yet.
    names = tuple(name for name in evening.totals if name in steps[-1])
    sketch = Sketch(
        steps,
        short_names(names),
        ["", *(str(line.number) for line in games)],
        title,
        language.signed_amount if money else language.number,
        lambda total: str(FILTERS["signed_money" if money else "points"](total)),
        ZERO,
    )
    winners = () if newest else find_top(steps[-1])
    return draw("evening", sketch, tell_lead(steps, winners), after)


class Balance(msgspec.Struct, frozen=True):
    """A person's balance and where it comes from, in öre, for them (+) or against them (−)."""

    name: str
    before: int
    tonight: int
    paid: int

    @property
    def left(self) -> int:
        """The payments left when the evening is over."""
        return self.before + self.tonight + self.paid


class Evening(msgspec.Struct, frozen=True):
    """One evening of a table, its settlements newest first.

    `totals` are öre by person where `money` says so, else points; whoever came first to the table
    stands first. `carried_over` is whether something was left from earlier evenings.
    """

    day: date
    lines: tuple[LedgerLine, ...]
    money: bool
    totals: Mapping[str, int]
    carried_over: bool
    balances: tuple[Balance, ...]
    settlements: tuple[Settlement, ...]


def summarize(ledger: Ledger, day: date) -> Evening:
    """Sum up what a table's people won, lost and paid on one evening."""
    lines = tuple(line for line in ledger.lines if line.evening == day and line.begun)
    settlements = tuple(each for each in ledger.settlements if each.evening == day)
    money = any(line.stake_ore for line in lines)
    before = ledger.left_before(day)
    return Evening(
        day=day,
        lines=lines,
        money=money,
        totals=_add_totals(ledger, lines, money),
        carried_over=any(before.values()),
        balances=tuple(_balance(ledger, before, lines, settlements)),
        settlements=settlements[::-1],
    )


def _add_totals(ledger: Ledger, lines: Sequence[LedgerLine], money: bool) -> dict[str, int]:
    """The sum of everybody who played; a game that is not over brings points and no öre."""
    players = {name for line in lines for name in line.scores}
    sums = add_payouts(lines) if money else add_up(line.scores for line in lines)
    return {name: sums.get(name, 0) for name in ledger.people.persons if name in players}


def _add_payments(settlements: Sequence[Settlement]) -> dict[str, int]:
    """Add the settlements that count for each person."""
    return outstanding([], [p for each in settlements if not each.undone for p in each.payments])


def _balance(
    ledger: Ledger,
    before: Mapping[str, int],
    lines: Sequence[LedgerLine],
    settlements: Sequence[Settlement],
) -> list[Balance]:
    """The sums behind what is left, where they are more than the evening's own games."""
    tonight, paid = add_payouts(lines), _add_payments(settlements)
    if not any(before.values()) and not paid:
        return []
    balances = [
        Balance(name, before.get(name, 0), tonight.get(name, 0), paid.get(name, 0))
        for name in ledger.people.persons
    ]
    return [each for each in balances if each.before or each.tonight or each.paid]


bp = Blueprint("evening", __name__, url_prefix="/t/<link>")

PAGE, FRAGMENT = "evening/page.html", "evening/_evening.html"
MAX_SETTLEMENT = 10**15 - 1
# All of them stand in the list of games.
MOST_OTHERS = 8


@bp.get("/evening")
@cache_page()
def newest(link: str) -> Response:
    """The newest evening, with what is left to settle."""
    return _render_newest(link)


@bp.get("/evening/<day>")
@cache_page()
def earlier(link: str, day: str) -> Response:
    """An evening of the past: what was won, lost and paid."""
    now = ledger.read_ledger(context.db(), link)
    if day not in [evening.isoformat() for evening in now.evenings]:
        raise NotFound
    return render(PAGE, "", None, **view_evening(now, date.fromisoformat(day)))


@bp.post("/evening/all")
def all_paid(link: str) -> AnyResponse:
    """Tick everything that is left as paid."""
    return _change(link, lambda: PayAll(read_method()))


@bp.post("/evening/undo")
def undo(link: str) -> AnyResponse:
    """Take a settlement back."""
    settlement = read_int(request.form.get("settlement", ""), 0, MAX_SETTLEMENT) or 0
    return _change(link, lambda: Unpay(settlement))


def read_method() -> Method:
    """The way a payment went, as the form says it. Raises BadFile."""
    return cast("Method", read_way(get_args(Method)))


def read_way(ways: Collection[str]) -> str:
    """One of the ways in which a form may say that money went. Raises BadFile."""
    way = request.form.get("way", "")
    if way not in ways:
        raise BadFile("wrong_value", key="way", value=way)
    return way


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
    return render(PAGE, FRAGMENT, refusal, **view_evening(now, now.evenings[-1]))


def view_evening(now: Ledger, day: date) -> dict[str, object]:
    """Values of an evening's templates; what is left to settle stands on the newest."""
    evening, newest = summarize(now, day), day == now.evenings[-1]
    return {
        "ledger": now,
        "newest": newest,
        "evening": evening,
        "curve": draw_evening(evening, newest=newest),
        "debts": now.transfers,
        "coin": CASH[now.currency],
        **_other_evenings(now, day),
    }


def _other_evenings(now: Ledger, day: date) -> dict[str, object]:
    """The newest other evenings, with whom each goes to, and whether there are more."""
    others = [other for other in now.evenings[::-1] if other != day]
    newest = others[:MOST_OTHERS]
    winners = ledger.find_winners(now.lines)
    return {
        "others": {other: winners.get(other) for other in newest},
        "more": len(others) > len(newest),
    }


# So many evenings stand on a page, and so many of them are not folded away.
A_PAGE, A_HANDFUL = 30, 5
# A year, a month or a day, as `2026`, `2026-10` or `2026-10-17`.
_TIME = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


@bp.get("/money")
@cache_page("to")
def money(link: str) -> Response:
    """The evenings up to the time that the address names, and the sums of all there are."""
    to = request.args.get("to", "")
    readable = not to or _TIME.fullmatch(to) is not None
    now = ledger.read_ledger(context.db(), link)
    evenings = ledger.list_evenings(now)
    shown = _find_newest(evenings, to if readable else "", A_PAGE + 1)
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
        faults={} if readable else tell(["to"]),
    )
    return make_response(content, HTTPStatus.OK if readable else HTTPStatus.UNPROCESSABLE_ENTITY)


def _find_newest(evenings: Sequence[EveningResult], to: str, most: int) -> list[EveningResult]:
    """The newest evenings up to a time, which is a day's beginning as it is written."""
    upto = (each for each in reversed(evenings) if not to or each.day.isoformat()[: len(to)] <= to)
    return list(islice(upto, most))


MAX_NUMBER = 10**8 - 1


@bp.get("/people")
@expensive
def people_page(link: str) -> Response:
    """Everybody who has played at the table."""
    return _render_people(link)


@bp.post("/people")
def change_people(link: str) -> AnyResponse:
    """Let two names be the same person, or no longer."""
    known = ledger.read_ledger(context.db(), link).people
    name = _read_person(known, "name")

    def read() -> Change:
        if request.form.get("do") == "split":
            return Split(name)
        return Merge(name, _read_person(known, "into"))

    outcome = submit(read)
    if isinstance(outcome, Refusal):
        return _render_people(link, outcome)
    return redirect_to(url_for("evening.people_page", link=link))


def _read_person(known: People, field: str) -> str:
    """The name that a field of the form stands for. Raises NotFound."""
    number = read_int(request.form.get(field, ""), 1, MAX_NUMBER)
    name = None if number is None else known.find_name(number)
    if name is None:
        raise NotFound
    return name


def _render_people(link: str, refusal: Refusal | None = None) -> Response:
    now = ledger.read_ledger(context.db(), link)
    return render("evening/people.html", "", refusal, ledger=now, people=now.people)
