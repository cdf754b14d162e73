"""Games out and in: a file of one game, a zip of all, the way back; and what is forgotten."""

import csv
import io
from collections.abc import Iterator, Mapping

from flask import Blueprint, Response, request, url_for

from app.http import context, cookies
from app.http.forms import (
    LONGEST_TEXT,
    Refusal,
    attempt,
    read_field,
    read_write,
    redirect_to,
)
from app.http.limits import ERASURES, EXPORTS, IMPORTS, NEW_TABLES, one_at_a_time, rate_limit
from app.http.rendered import cache_page, drop_pages
from app.i18n.language import CURRENCY_WORDS, N_, Language, isolate, read_number, usual_currency
from app.rules.codes import BadFile, NotAllowed
from app.rules.names import look_alikes, read_name, tidy
from app.rules.settlement import USUAL, read_currency
from app.services import erasure, import_export, table_view
from app.services import ledger as ledgers
from app.services.access import Write
from app.services.import_export import Upload
from app.services.ledger import Ledger
from app.store import clock
from app.store.clock import evening_of
from app.store.database import Database
from app.web.templates import render

# After so many rows others are served.
A_STEP = 1000
# So many files that are no games are told by their names.
A_HANDFUL = 5
# A cell that begins so is a formula to a spreadsheet.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def _write_ledger(ledger: Ledger, language: Language) -> Iterator[list[str]]:
    """A row for each game and each payment, amounts in the cells of whom they concern."""
    _, persons, what = language.gettext, ledger.people.persons, language.gettext("What")

    def write_row(day: str, what: str, amounts: Mapping[str, int]) -> list[str]:
        cells = {name: f"{ore / 100:.2f}" for name, ore in amounts.items()}
        cells = {name: text.replace(".", language.decimal_mark) for name, text in cells.items()}
        return [day, what, *(cells.get(name, "") for name in persons)]

    if ledger.currency != USUAL:
        what = f"{what} ({CURRENCY_WORDS[ledger.currency].unit})"
    # No name is a formula to a spreadsheet.
    names = [f"'{name}" if name.startswith(FORMULAS) else name for name in persons]
    yield [_("Date"), what, *names]
    for line in ledger.lines:
        if line.payout is not None:
            game = _("Game %(number)s", number=line.number)
            yield write_row(line.evening.isoformat(), game, line.payout)
    for settlement in ledger.settlements:
        for payment in () if settlement.undone else settlement.payments:
            change = {payment.payer: payment.ore, payment.payee: -payment.ore}
            yield write_row(settlement.evening.isoformat(), _("Payment"), change)
    yield write_row("", _("Left to settle"), dict.fromkeys(persons, 0) | ledger.outstanding)


bp = Blueprint("files", __name__)


@bp.get("/t/<link>/files")
@one_at_a_time()
def page() -> Response:
    """The page of files to export and import."""
    return _render_page()


@bp.get("/t/<link>/games/<int:number>.json")
@cache_page()
def game(number: int) -> Response:
    """One game as a file to keep."""
    context.read_view(number)
    content = import_export.export_game(context.db(), context.link(), number)
    return _answer_file(content, "application/json", f"chicago-{number}.json")


@bp.get("/t/<link>/games.zip")
@rate_limit(EXPORTS)
def every_game() -> Response:
    """All games of the table, or those of one evening, as files in a zip."""
    evening = request.args.get("evening", "")
    packed = attempt(lambda: import_export.export_all(context.db(), context.link(), evening))
    if isinstance(packed, Refusal):
        return _render_page(packed)
    return _answer_file(packed, "application/zip", "chicago.zip")


@bp.get("/t/<link>/ledger.csv")
@cache_page(of_ledger=True)
def ledger() -> Response:
    """The ledger for a spreadsheet of this language: behind a decimal comma cells need another."""
    language, text = context.language(), io.StringIO()
    delimiter = ";" if language.decimal_mark == "," else ","
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    rows = _write_ledger(ledgers.read_everything(context.db(), context.link()), language)
    for count, row in enumerate(rows):
        if count % A_STEP == 0:
            clock.give_way()
        writer.writerow(row)
    return _answer_file(text.getvalue().encode("utf-8-sig"), "text/csv", "chicago.csv")


@bp.post("/t/<link>/files")
@rate_limit(IMPORTS)
def add_games() -> Response:
    """Add the games of an uploaded file to this table."""
    upload = _find_upload()
    added = attempt(lambda: import_export.import_games(context.db(), read_write(), upload.games()))
    if isinstance(added, Refusal):
        return _render_page(added.at("file"))
    return redirect_to(url_for("files.page"), _tell(upload, added, context.link()))


def _tell(upload: Upload, added: int, link: str) -> str:
    """What came of an upload: games that are new here, those that are not, and other files."""
    language, known = context.language(), upload.count - added
    told = [language.ngettext("%(num)s game added.", "%(num)s games added.", added)]
    if known:
        told.append(
            language.ngettext(
                "%(num)s game was already here.", "%(num)s games were already here.", known
            )
        )
    if upload.left_out:
        # What a computer adds by itself stands last.
        names = sorted(upload.left_out, key=lambda name: "/." in f"/{name}")
        files = ", ".join(isolate(tidy(name[-LONGEST_TEXT:])) for name in names[:A_HANDFUL])
        more = f" +{len(names) - A_HANDFUL}" if len(names) > A_HANDFUL else ""
        told.append(language.gettext("Left out, being no games: %(files)s.", files=files + more))
    return " ".join([*told, *_tell_alike(link)])


def _tell_alike(link: str) -> Iterator[str]:
    """Whose names look as if they were one person's: of a file nobody could be asked."""
    persons = ledgers.read_ledger(context.db(), link).people.persons
    if alike := look_alikes([*persons]):
        yield context.gettext(
            "%(player)s and %(by)s look alike. If they are one person, “People at the table” can"
            " join them.",
            player=isolate(alike[0]),
            by=isolate(alike[1]),
        )


@bp.get("/files")
def new_page() -> Response:
    """A new table from files."""
    return _render_new()


@bp.post("/files")
@rate_limit(NEW_TABLES)
@rate_limit(IMPORTS)
def open_table() -> Response:
    """Open a table with the games of an uploaded file."""
    upload = _find_upload()
    link = attempt(lambda: _open(upload))
    if isinstance(link, Refusal):
        return _render_new(link)
    cookies.remember_table(link)
    message = _tell(upload, table_view.read_view(context.db(), link).games, link)
    return redirect_to(url_for("table.page", link=link), message)


def _open(upload: Upload) -> str:
    """Open a table as the form says, and return its link. Raises Busy, BadFile, NotAllowed."""
    cookies.require_kept()
    name = request.form.get("name", "").strip()
    if name:
        name = read_field("name", lambda: read_name(name))
    currency = read_currency(request.form.get("currency", USUAL))
    about = name, cookies.get_or_create_pen(), currency, context.instance()
    return read_field(
        "file", lambda: import_export.open_with_games(context.db(), upload.games(), *about)
    )


def _find_upload() -> Upload:
    """The uploaded file, which is read once its turn has come; one without a name for none."""
    file = request.files.get("file")
    return Upload(file.filename or "", file.stream) if file else Upload("", io.BytesIO())


def _answer_file(content: bytes, kind: str, name: str) -> Response:
    """Answer with a file to be kept under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=kind, headers=headers)


def _render_new(refusal: Refusal | None = None) -> Response:
    name = request.form.get("name", "")[:LONGEST_TEXT]
    chosen = request.form.get("currency") or usual_currency(context.language())
    return cookies.try_out(render("data/new.html", "", refusal, name=name, chosen=chosen))


def _render_page(refusal: Refusal | None = None) -> Response:
    return render("data/page.html", "", refusal, view=context.read_view())


PENDING = N_(
    "A last trace of what was forgotten may still be in the server’s file. It is gone after the"
    " server’s next start."
)

erasure_bp = Blueprint("erasure", __name__, url_prefix="/t/<link>/forget")


@erasure_bp.get("")
def forget_page() -> Response:
    """The page to erase a name, a game, or the table."""
    return _render_form()


@erasure_bp.post("")
def forget() -> Response:
    """Show what will be lost; erase once that is confirmed."""
    sure = "sure" in request.form
    outcome = attempt(lambda: _forget(context.db(), read_write()) if sure else _preview())
    if isinstance(outcome, Refusal):
        return _render_form(refusal=outcome)
    return _render_form(outcome) if isinstance(outcome, str) else outcome


def _preview() -> str:
    """A preview of the erasure in words. Raises BadFile, NotAllowed."""
    _, language = context.gettext, context.language()
    match request.form.get("what"):
        case "name":
            name = request.form.get("name", "")
            if name not in erasure.list_names(context.db(), context.link()):
                raise NotAllowed("no_such_person", player=name)
            return _(
                "The name %(player)s is removed everywhere at this table; the scores stay.",
                player=isolate(name),
            )
        case "game":
            number = read_field("number", _read_number)
            begun = context.read_view(number).begun_at
            return _(
                "Game %(number)s of %(day)s is removed for good, with everything won and lost in"
                " it.",
                number=number,
                day=language.day(evening_of(begun)),
            )
        case "table":
            count = len(table_view.list_game_numbers(context.db(), context.link()))
            games = language.ngettext("%(num)s game", "%(num)s games", count)
            return _("The table is removed for good, with %(games)s and all payments.", games=games)
        case what:
            raise BadFile("wrong_value", key="what", value=what)


@rate_limit(ERASURES)
def _forget(db: Database, write: Write) -> Response:
    """Erase as confirmed. Raises BadFile, NotAllowed, NoPen."""
    _, page = context.gettext, url_for("erasure.forget_page", link=write.link)
    match request.form.get("what"):
        case "name":
            new = erasure.erase_name(db, write, request.form.get("name", ""), _("Player"))
            message = _("The name is forgotten; %(new)s stands in its place.", new=isolate(new))
        case "game":
            number = read_field("number", _read_number)
            erasure.delete_game(db, write, number)
            message = _("Game %(number)s has been forgotten.", number=number)
        case "table":
            erasure.delete_table(db, write)
            cookies.forget_table(write.link)
            page, message = url_for("new_table.page"), _("The table has been deleted.")
            if erasure.is_pending(context.db()):
                message = f"{message} {_(PENDING)}"
        case what:
            raise BadFile("wrong_value", key="what", value=what)
    drop_pages()
    return redirect_to(page, message)


def _read_number() -> int:
    """The number of the game that is to go. Raises NotAllowed where none of it can."""
    number = read_number(request.form.get("number", "")) or 0
    erasure.check_game(context.db(), context.link(), number)
    return number


def _render_form(preview: str = "", refusal: Refusal | None = None) -> Response:
    names = erasure.list_names(context.db(), context.link())
    sent = {key: text[:LONGEST_TEXT] for key, text in request.form.items()}
    return render(
        "data/forget.html",
        "",
        refusal,
        preview=preview,
        sent=sent,
        names=names,
        pending=context.gettext(PENDING) if erasure.is_pending(context.db()) else "",
    )
