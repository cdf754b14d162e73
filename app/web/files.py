"""Games out and in: a file of one game, a zip of all, and the way back."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import TypeVar

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import (
    LONGEST_TEXT,
    Refusal,
    attempt,
    flash_at,
    read_field,
    read_write,
    redirect_to,
)
from app.http.limits import IMPORTS, NEW_TABLES, expensive, rate_limit
from app.http.rendered import cache_page
from app.i18n.currencies import WORDS, usual_currency
from app.i18n.errors import error_text
from app.i18n.language import Language
from app.rules.errors import BadFile
from app.rules.gamefile import Game
from app.rules.names import read_name
from app.rules.settlement import USUAL, payment_balance, read_currency
from app.services import import_export, table_view
from app.services import ledger as ledgers
from app.services.import_export import Busy
from app.services.ledger import Ledger
from app.web.templates import render

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
# A cell that begins so is a formula to a spreadsheet.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")

Rows = Iterator[list[str]]


def answer_csv(rows: Iterable[list[str]], name: str) -> Response:
    """Answer with rows as a file for a spreadsheet."""
    text = io.StringIO(BYTE_ORDER_MARK)
    text.seek(0, io.SEEK_END)
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows(rows)
    return answer_file(text.getvalue().encode(), "text/csv", name)


def _write_payments(ledger: Ledger, language: Language) -> Rows:
    """A row for each game and each payment, amounts in the cells."""
    _, persons, what = language.gettext, ledger.people.persons, language.gettext("What")
    if ledger.currency != USUAL:
        what = f"{what} ({WORDS[ledger.currency].unit})"
    yield [_("Date"), what, *map(plain_text, persons)]
    for line in ledger.lines:
        if line.payout is not None:
            game = _("Game %(number)s", number=line.number)
            yield [line.evening.isoformat(), game, *write_amounts(line.payout, persons)]
    for settlement in ledger.settlements:
        for payment in () if settlement.undone else settlement.payments:
            change = payment_balance(payment)
            yield [settlement.evening.isoformat(), _("Payment"), *write_amounts(change, persons)]
    left = dict.fromkeys(persons, 0) | ledger.outstanding
    yield ["", _("Left to settle"), *write_amounts(left, persons)]


def write_amounts(amounts: Mapping[str, int], persons: Iterable[str]) -> Iterator[str]:
    """A cell for each person; nothing for who was not there."""
    return (write_amount(amounts.get(name)) for name in persons)


def write_amount(hundredths: int | None) -> str:
    """An amount with a decimal comma: `-7,50`; nothing for who was not there."""
    if hundredths is None:
        return ""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole},{rest:02}"


def plain_text(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(FORMULAS) else name


bp = Blueprint("files", __name__)

# After this many seconds an import of ordinary size is over.
BUSY_SECONDS = 5

T = TypeVar("T")


@bp.get("/t/<link>/files")
@expensive
def page(link: str) -> Response:
    """The page of files to export and import."""
    return _render_page(link)


@bp.get("/t/<link>/games/<int:number>.json")
@cache_page()
def game(link: str, number: int) -> Response:
    """One game as a file to keep."""
    table_view.read_view(context.db(), link, number)
    content = import_export.export_game(context.db(), link, number)
    return answer_file(content, "application/json", f"chicago-{number}.json")


@bp.get("/t/<link>/games.zip")
@cache_page("evening")
def every_game(link: str) -> Response:
    """All games of the table, or those of one evening, as files in a zip."""
    evening, numbers = request.args.get("evening"), None
    if evening is not None:
        lines = ledgers.read_ledger(context.db(), link).lines
        numbers = [line.number for line in lines if line.evening.isoformat() == evening]
    packed = import_export.export_all(context.db(), link, numbers)
    return answer_file(packed, "application/zip", "chicago.zip")


@bp.get("/t/<link>/ledger.csv")
@cache_page()
def ledger(link: str) -> Response:
    """The ledger for a spreadsheet."""
    now = ledgers.read_ledger(context.db(), link)
    return answer_csv(_write_payments(now, context.language()), "chicago.csv")


@bp.post("/t/<link>/files")
@rate_limit(IMPORTS)
def add_games(link: str) -> AnyResponse:
    """Add the games of an uploaded file to this table."""
    added = _import(lambda: import_export.import_games(context.db(), read_write(), _read_upload()))
    if isinstance(added, Refusal):
        return _with_retry(_render_page(link, added.at("file")))
    page = url_for("files.page", link=link)
    message = context.language().ngettext("%(num)s game added.", "%(num)s games added.", added)
    flash_at(page, message)
    return redirect_to(page)


@bp.get("/files")
def new_page() -> Response:
    """A new table from files."""
    return _render_new()


@bp.post("/files")
@rate_limit(NEW_TABLES)
@rate_limit(IMPORTS)
def open_table() -> AnyResponse:
    """Open a table with the games of an uploaded file."""
    link = _import(_open)
    if isinstance(link, Refusal):
        return _with_retry(_render_new(link))
    cookies.remember_table(link)
    return redirect_to(url_for("table.page", link=link))


def _open() -> str:
    """Open a table as the form says, and return its link. Raises Busy, BadFile, NotAllowed."""
    name = request.form.get("name", "").strip()
    if name:
        name = read_field("name", lambda: read_name(name))
    currency = read_currency(request.form.get("currency", USUAL))
    db, pen = context.db(), cookies.take_pen()
    return read_field(
        "file",
        lambda: import_export.open_table(
            db, _read_upload(), name, pen, currency, context.instance()
        ),
    )


def _import(act: Callable[[], T]) -> T | Refusal:
    """Import, or say why not, also where another import is under way."""
    try:
        return attempt(act)
    except Busy as busy:
        message = error_text(busy, context.language())
        return Refusal(message, HTTPStatus.SERVICE_UNAVAILABLE)


def _with_retry(response: Response) -> Response:
    """Say when to come again, where that is all it takes."""
    if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = str(BUSY_SECONDS)
    return response


def _read_upload() -> Iterator[Game]:
    """The games of the uploaded file, read once their turn has come. Raises BadFile, NotAllowed."""
    file = request.files.get("file")
    if file is None or not file.filename:
        raise BadFile("no_games")
    yield from import_export.read_files(file.filename, file.read())


def answer_file(content: bytes, kind: str, name: str) -> Response:
    """Answer with a file to be kept under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=kind, headers=headers)


def _render_new(refusal: Refusal | None = None) -> Response:
    name = request.form.get("name", "")[:LONGEST_TEXT]
    chosen = request.form.get("currency") or usual_currency(context.language())
    return render("data/new.html", "", refusal, name=name, chosen=chosen)


def _render_page(link: str, refusal: Refusal | None = None) -> Response:
    return render("data/page.html", "", refusal, view=table_view.read_view(context.db(), link))
