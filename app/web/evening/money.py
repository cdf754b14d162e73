"""All evenings of a table together: who is ahead, and what each of them brought whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from itertools import islice

from flask import Blueprint, Response, make_response, render_template, request

from app.http import context
from app.http.rendered import cache_page
from app.services import ledger
from app.services.ledger import EveningResult
from app.web.months import tell

bp = Blueprint("money", __name__, url_prefix="/t/<link>/money")

# So many evenings stand on a page, and so many of them are not folded away.
A_PAGE, A_HANDFUL = 30, 5
# A year, a month or a day, as `2026`, `2026-10` or `2026-10-17`.
_TIME = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


@bp.get("")
@cache_page("to")
def page(link: str) -> Response:
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
