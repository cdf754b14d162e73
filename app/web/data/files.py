"""Games out and in: a file of one game, a zip of all, and the way back."""

from __future__ import annotations

from http import HTTPStatus

from flask import (
    Blueprint,
    Response,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.rate_limits import NEW_TABLES, rate_limit
from app.i18n.errors import error_text
from app.rules.errors import BadFile, ChicagoError, NotAllowed
from app.rules.gamefile import MAX_NAME, Game
from app.services import import_export, tables
from app.services import ledger as ledgers
from app.web.data.ledger_csv import ledger_file

bp = Blueprint("files", __name__)

LARGEST_UPLOAD = 20_000_000


@bp.before_request
def allow_uploads() -> None:
    """Let files in that are larger than a form."""
    request.max_content_length = LARGEST_UPLOAD


@bp.get("/t/<link>/files")
def page(link: str) -> str:
    """What can be taken out and in."""
    return _show(link, "")


@bp.get("/t/<link>/games/<int:number>.json")
def game(link: str, number: int) -> Response:
    """One game as a file to keep."""
    tables.sheet(context.pool(), link, number)
    content = import_export.export_game(context.pool(), link, number)
    return _file(content, "application/json", f"chicago-{number}.json")


@bp.get("/t/<link>/games.zip")
def every_game(link: str) -> Response:
    """All games of the table, or those of one evening, as files in a zip."""
    evening, numbers = request.args.get("evening"), None
    if evening is not None:
        lines = ledgers.read_ledger(context.pool(), link).lines
        numbers = [line.number for line in lines if line.evening.isoformat() == evening]
    packed = import_export.export_all(context.pool(), link, numbers)
    return _file(packed, "application/zip", "chicago.zip")


@bp.get("/t/<link>/ledger.csv")
def ledger(link: str) -> Response:
    """The ledger for a spreadsheet."""
    kept = ledgers.read_ledger(context.pool(), link)
    return _file(ledger_file(kept, context.language()), "text/csv", "chicago.csv")


@bp.post("/t/<link>/files")
def take_in(link: str) -> AnyResponse:
    """Add the games of an uploaded file to this table."""
    language = context.language()
    try:
        added = import_export.import_games(context.pool(), context.write_request(link), _uploaded())
    except (BadFile, NotAllowed) as fault:
        return make_response(_show(link, _told(fault)), HTTPStatus.UNPROCESSABLE_ENTITY)
    flash(language.ngettext("%(num)s game added.", "%(num)s games added.", added))
    return redirect(url_for("files.page", link=link), HTTPStatus.SEE_OTHER)


@bp.get("/files")
def new_page() -> str:
    """A new table from files."""
    return render_template("data/new.html", said="")


@bp.post("/files")
@rate_limit(NEW_TABLES)
def open_table() -> AnyResponse:
    """Open a table with the games of an uploaded file."""
    try:
        name = request.form.get("name", "").strip()[:MAX_NAME]
        link = import_export.open_table(context.pool(), _uploaded(), name, context.take_pen())
    except (BadFile, NotAllowed) as fault:
        return make_response(
            render_template("data/new.html", said=_told(fault)), HTTPStatus.UNPROCESSABLE_ENTITY
        )
    context.remember_table(link)
    return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)


def _uploaded() -> list[Game]:
    """The games of the uploaded file. Raises BadFile, NotAllowed."""
    file = request.files.get("file")
    if file is None or not file.filename:
        raise BadFile("no_games")
    return import_export.read_files(file.filename, file.read())


def _told(fault: ChicagoError) -> str:
    """What is wrong, and in which file."""
    said, file = error_text(fault, context.language()), fault.values.get("file")
    return f"{file}: {said}" if file and str(file) not in said else said


def _file(content: bytes, kind: str, name: str) -> Response:
    response = make_response(content)
    response.mimetype = kind
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _show(link: str, said: str) -> str:
    sheet = tables.sheet(context.pool(), link)
    writes = tables.may_write(context.pool(), link, context.pen())
    return render_template("data/page.html", link=link, sheet=sheet, said=said, writes=writes)
