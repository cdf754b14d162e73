"""The people of a table: who has played there, and which names are the same person."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import Refusal, read_int, redirect_to, submit
from app.http.limits import expensive
from app.services import ledger
from app.services.commit import Change
from app.services.people import People
from app.services.settings import Merge, Split
from app.web.templates import render

bp = Blueprint("people", __name__, url_prefix="/t/<link>/people")

MAX_NUMBER = 10**8 - 1


@bp.get("")
@expensive
def page(link: str) -> Response:
    """Everybody who has played at the table."""
    return _render_people(link)


@bp.post("")
def change(link: str) -> AnyResponse:
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
    return redirect_to(url_for("people.page", link=link))


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
