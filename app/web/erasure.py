"""The page of erasure, in two steps: a preview of the loss, then the erasure."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import (
    LONGEST_TEXT,
    Refusal,
    attempt,
    flash_at,
    read_field,
    read_int,
    read_write,
    redirect_to,
)
from app.i18n.language import N_
from app.rules.errors import BadFile, NotAllowed
from app.services import erasure, table_view
from app.services.tables import MAX_GAMES, Write
from app.store.clock import evening_of
from app.store.database import Database
from app.web.templates import render

PENDING = N_(
    "A last trace of what was forgotten may still be in the server’s file."
    " It goes at the server’s next start."
)

bp = Blueprint("erasure", __name__, url_prefix="/t/<link>/forget")


@bp.get("")
def page(link: str) -> Response:
    """The page to erase a name, a game, or the table."""
    return _render_form(link)


@bp.post("")
def forget(link: str) -> AnyResponse:
    """Show what will be lost; erase once that is confirmed."""
    sure = "sure" in request.form
    outcome = attempt(lambda: _forget(context.db(), read_write()) if sure else _preview(link))
    if isinstance(outcome, Refusal):
        return _render_form(link, refusal=outcome)
    return _render_form(link, outcome) if isinstance(outcome, str) else outcome


def _preview(link: str) -> str:
    """A preview of the erasure in words. Raises BadFile, NotAllowed."""
    _, language = context.language().gettext, context.language()
    match request.form.get("what"):
        case "name":
            name = request.form.get("name", "")
            if name not in erasure.list_names(context.db(), link):
                raise NotAllowed("no_such_person", player=name)
            return _(
                "The name %(player)s goes everywhere at this table; the scores stay.", player=name
            )
        case "game":
            number = read_field("number", _read_number)
            begun = context.read_view(number).begun_at
            return _(
                "Game %(number)s of %(day)s goes for good, with what was won and lost in it.",
                number=number,
                day=language.day(evening_of(begun)),
            )
        case "table":
            count = len(table_view.list_game_numbers(context.db(), link))
            games = language.ngettext("%(num)s game", "%(num)s games", count)
            return _("The table goes for good, with %(games)s and all payments.", games=games)
        case what:
            raise BadFile("wrong_value", key="what", value=what)


def _forget(db: Database, write: Write) -> AnyResponse:
    """Erase as confirmed. Raises BadFile, NotAllowed, NoPen."""
    _, page = context.language().gettext, url_for("erasure.page", link=write.link)
    match request.form.get("what"):
        case "name":
            new = erasure.erase_name(db, write, request.form.get("name", ""), _("Player"))
            message = _("The name is forgotten; in its place stands %(new)s.", new=new)
        case "game":
            number = read_field("number", _read_number)
            erasure.delete_game(db, write, number)
            message = _("Game %(number)s is forgotten.", number=number)
        case "table":
            erasure.delete_table(db, write)
            cookies.forget_table(write.link)
            page, message = url_for("new_table.page"), _("The table is deleted.")
            if _is_pending():
                message = f"{message} {_(PENDING)}"
        case what:
            raise BadFile("wrong_value", key="what", value=what)
    flash_at(page, message)
    return redirect_to(page)


def _is_pending() -> bool:
    """Whether erased content may still be on the disk."""
    return erasure.is_pending(context.db())


def _read_number() -> int:
    """The number of the game that is to go. Raises NotAllowed where none of it can."""
    number = read_int(request.form.get("number", ""), 1, MAX_GAMES) or 0
    erasure.check_game(context.db(), context.link(), number)
    return number


def _render_form(link: str, preview: str = "", refusal: Refusal | None = None) -> Response:
    names = erasure.list_names(context.db(), link)
    sent = {key: text[:LONGEST_TEXT] for key, text in request.form.items()}
    return render(
        "data/forget.html",
        "",
        refusal,
        preview=preview,
        sent=sent,
        names=names,
        pending=context.language().gettext(PENDING) if _is_pending() else "",
    )
