"""The people of a table: who has played there, and which names are the same person."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app import ledger, merging, tables
from app.people import People
from app.tables import Write
from app.web import phone
from app.web.attempts import attempt

bp = Blueprint("regulars", __name__, url_prefix="/t/<link>/people")


@bp.get("")
def page(link: str) -> Response:
    """Everybody who has played at the table."""
    return _show(link, "", HTTPStatus.OK)


@bp.post("")
def change(link: str) -> AnyResponse:
    """Let two names be the same person, or no longer."""
    known = ledger.ledger(phone.store(), link).people
    name = _person(known, "name")

    def act() -> None:
        write: Write = phone.write(link, f"people {sorted(request.form.items())}")
        if request.form.get("do") == "split":
            merging.split(phone.store(), write, name)
        else:
            merging.merge(phone.store(), write, name, _person(known, "into"))

    said, status = attempt(act)
    if status is not HTTPStatus.OK:
        return _show(link, said, status)
    return redirect(url_for("regulars.page", link=link), HTTPStatus.SEE_OTHER)


def _person(known: People, field: str) -> str:
    """The name that a field of the form stands for. Raises NotFound."""
    sent = request.form.get(field, "")
    readable = sent.isascii() and sent.isdigit() and len(sent) < 9
    name = known.numbered(int(sent)) if readable else None
    if name is None:
        raise NotFound
    return name


def _show(link: str, said: str, status: HTTPStatus) -> Response:
    now = ledger.ledger(phone.store(), link)
    page = render_template(
        "evening/people.html",
        link=link,
        ledger=now,
        people=now.people,
        said=said,
        writes=tables.may_write(phone.store(), link, phone.pen()),
    )
    return make_response(page, status)
