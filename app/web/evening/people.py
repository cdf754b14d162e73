"""The people of a table: who has played there, and which names are the same person."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import attempt
from app.services import ledger, people, tables
from app.services.people import People
from app.services.tables import Write

bp = Blueprint("people", __name__, url_prefix="/t/<link>/people")


@bp.get("")
def page(link: str) -> Response:
    """Everybody who has played at the table."""
    return _show(link, "", HTTPStatus.OK)


@bp.post("")
def change(link: str) -> AnyResponse:
    """Let two names be the same person, or no longer."""
    known = ledger.read_ledger(context.pool(), link).people
    name = _person(known, "name")

    def act(write: Write) -> None:
        if request.form.get("do") == "split":
            people.split(context.pool(), write, name)
        else:
            people.merge(context.pool(), write, name, _person(known, "into"))

    said, status = attempt(lambda: context.perform(link, act, lambda: None))
    if status is not HTTPStatus.OK:
        return _show(link, said, status)
    return redirect(url_for("people.page", link=link), HTTPStatus.SEE_OTHER)


def _person(known: People, field: str) -> str:
    """The name that a field of the form stands for. Raises NotFound."""
    sent = request.form.get(field, "")
    readable = sent.isascii() and sent.isdigit() and len(sent) < 9
    name = known.numbered(int(sent)) if readable else None
    if name is None:
        raise NotFound
    return name


def _show(link: str, said: str, status: HTTPStatus) -> Response:
    now = ledger.read_ledger(context.pool(), link)
    page = render_template(
        "evening/people.html",
        link=link,
        ledger=now,
        people=now.people,
        said=said,
        writes=tables.may_write(context.pool(), link, context.pen()),
    )
    return make_response(page, status)
