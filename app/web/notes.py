"""Notes of readers: an entry that is not right; and what the keeper does about them."""

from flask import Blueprint, Response, make_response, request, url_for
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.forms import read_int, read_write, redirect_to, tell_at_table
from app.http.limits import NOTES, rate_limit
from app.rules.gamefile import MAX_EVENTS
from app.services import notes
from app.web.table import follow
from app.web.table.page import render_table

bp = Blueprint("notes", __name__, url_prefix="/t/<link>")


@bp.post("/games/<int:number>/doubt")
@rate_limit(NOTES)
def doubt(link: str, number: int) -> Response:
    """Say that an entry is not right, in place of what was said before; or take that back."""
    me = follow.find_me()
    if me is None:
        return tell_at_table(context.gettext("Say first who you are."))
    if request.form.get("do") == "back":
        notes.take_doubt_back(context.db(), link, me)
    else:
        notes.doubt(context.db(), link, me, number, _read_index())
    if context.wants_fragment() and not context.access().writes:
        return _show_reader(link)
    return redirect_to(_address(number))


def _show_reader(link: str) -> Response:
    context.refresh_table()
    base = follow.find_base(link)
    return make_response(base.fill(follow.current_reader(base)))


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
        return url_for("amend.entry", number=number, index=index)
    order = follow.BY_STANDING if request.args.get("order") == follow.BY_STANDING else None
    return url_for("table.page", order=order)


@bp.post("/games/<int:number>/doubt/off")
def wave_off(link: str, number: int) -> Response:
    """Let an entry stand that somebody doubts."""
    notes.wave_off(context.db(), read_write(), number, _read_index())
    if context.wants_fragment():
        return render_table(context.read_view())
    return redirect_to(url_for("table.page"))
