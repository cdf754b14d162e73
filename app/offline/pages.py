"""The pages that only a phone has: what waits, both versions in a conflict, all in one file."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from flask import Blueprint, Response, current_app, make_response, request, url_for
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest, MethodNotAllowed, NotFound

from app.http import context, cookies
from app.http.application import application
from app.http.context import db
from app.http.forms import Refusal, attempt, redirect_to, tell_at_table
from app.i18n.errors import error_text
from app.i18n.language import N_
from app.offline import conflicts, replicas
from app.offline.conflicts import Tried, Written
from app.offline.replicas import (
    UNREADABLE_TABLE,
    ConflictKind,
    NotAdded,
    Waiting,
    read_phone,
    require_sound,
    save_phone,
)
from app.offline.rows import (
    LogRow,
    Replica,
    apply_state,
    read_people,
    read_rows,
    read_state,
)
from app.rules.edit import ANY_STEP, place_entries
from app.services import phones, table_view
from app.services.access import NotFound as TableNotFound
from app.services.access import find_access, hash_secret
from app.services.table_view import TableView
from app.store import clock
from app.store.database import Database
from app.store.files import DatabaseRefused, DatabaseUnavailable
from app.web.protocol import sheet_address
from app.web.pwa import OnlyHere
from app.web.templates import FILTERS, render

bp = Blueprint("phone", __name__)

# Forms of a table that a phone carries out by itself; all others give rights to others, or erase.
FORMS = frozenset(
    {
        *("table.record", "table.undo", "table.redo", "new_table.rematch", "edit.edit"),
        *(
            "new_table.start_next",
            "rules.send_next",
            "change_game.change",
            "change_game.change_dealer",
        ),
        *("evening.all_paid", "evening.undo", "evening.pay_in_advance", "evening.pay"),
        *("evening.number", "evening.change_people", "new_table.rename", "phone.decide"),
    }
)
WHY: Mapping[ConflictKind, str] = {
    "stale": N_("Somebody else has written at this table while this phone was without a network."),
    "no_pen": N_("This phone may no longer write at this table: others have the pen."),
    "gone": N_("The score keeper no longer has this table."),
    "refused": N_("The score keeper did not accept what this phone has of this table."),
}


def find_here() -> list[Waiting]:
    """The phone's tables, whose changes wait for a server where there is one."""
    return [] if current_app.config["ALONE"] else replicas.find_waiting(db().connection)


def find_only_here() -> OnlyHere | None:
    """The entries that are only on this phone, None when the server has acknowledged all of it."""
    rows = [row for row in find_here() if row.waiting]
    if not rows:
        return None
    parted = [row.link for row in rows if row.conflict]
    return OnlyHere(
        waiting=sum(row.changes for row in rows),
        tables=len(rows),
        conflicts=len(parted),
        since=min(row.since for row in rows if row.since),
        address=f"/t/{parted[0]}/decide" if len(parted) == 1 else "/offline",
    )


def read_banner() -> tuple[str, str] | None:
    """The banner on every page, so that no rendered page with an older one is shown again."""
    here = find_only_here()
    return (here.key, here.urgency) if here else None


def is_only_here(link: str) -> bool:
    """Whether the server does not have a table as yet."""
    row = replicas.find(db().connection, link)
    return row is not None and row.never_pushed


def list_waiting() -> list[tuple[Waiting, TableView]]:
    """Tables of which something is only on this phone."""
    rows = find_here()
    return [(row, table_view.read_view(db(), row.link)) for row in rows if row.waiting]


def list_unread() -> list[tuple[str, TableView | None]]:
    """The links of tables that the bundle here is too old for, with what there was before that."""
    held = {row.link for row in replicas.find_waiting(db().connection)}
    links = read_phone(db()).unread
    return [(link, table_view.read_view(db(), link) if link in held else None) for link in links]


def ask_others() -> Response | None:
    """The page for features that need the network: a server's pages, and rights of others.

    Where there is no server at all, those of rights.
    """
    current_app.config["INSTANCE"] = read_phone(db()).instance
    unknown = isinstance(request.routing_exception, NotFound | MethodNotAllowed)
    of_table = request.method == "POST" and context.has_table()
    needed = unknown or (of_table and request.endpoint not in FORMS)
    if current_app.config["ALONE"]:
        needed = request.blueprint == "pens"
    if not needed:
        return None
    refusal = None if request.method == "GET" else Refusal("", HTTPStatus.UNPROCESSABLE_ENTITY)
    return render("offline/needs_network.html", "", refusal)


@bp.get("/t/<link>/live")
def live() -> Response:
    """Let a page wait in peace until it is told of the network."""
    return Response("retry: 60000\nevent: away\ndata: {}\n\n", mimetype="text/event-stream")


@bp.get("/start/<secret>")
def start_page(secret: str) -> Response:
    """Redirect an app on a home screen, which opens this each time, to the start page."""
    return redirect_to(url_for("new_table.page"))


@bp.get("/t/<link>/decide")
def both() -> Response:
    """What others wrote, and what comes of putting mine behind it; or what came of it."""
    return _render()


@bp.post("/t/<link>/decide")
def decide() -> Response:
    """Put mine behind theirs, or look at that first; undo it; let go what nobody takes."""
    outcome = attempt(lambda: _go(request.form.get("do")))
    application().rendered.clear()
    return _render(outcome) if isinstance(outcome, Refusal) else outcome


def _go(way: str | None) -> Response:
    """Do it; redirect to the next page, with its message."""
    wanted, seen = request.form.getlist("take", int), request.form.get("seen") or "none"
    match way:
        case "look":
            return _render(None, wanted, seen)
        case "add":
            with db().transaction():
                merge = conflicts.add_mine(db(), context.link(), wanted, seen)
                left_out = [_tell(each) for each in merge.mine if not each.added]
                conflicts.note_merged(db(), context.link(), merge, left_out)
            return redirect_to(url_for("phone.both"))
        case "undo":
            conflicts.undo_merge(db(), context.link())
            return tell_at_table(context.gettext("It is as the others wrote it."))
        case "drop":
            conflicts.let_go(db(), context.link())
            return redirect_to(url_for("new_table.page"))
    raise BadRequest


def _tell(tried: Tried) -> NotAdded:
    """What was left out, in words."""
    written, reason = tried.written, tried.reason
    why = error_text(reason, context.language().of_pages) if reason else ""
    return NotAdded(written.number, written.moment, _written_text(written), why)


def _written_text(written: Written) -> str:
    text = str(FILTERS["undo_text"](written.what, 0))
    is_undone = written.row.kind == "undo"
    return context.gettext("%(what)s, taken back", what=text) if is_undone else text


def _render(
    refusal: Refusal | None = None,
    wanted: list[int] | None = None,
    seen: str = "",
) -> Response:
    """What would come of a conflict; else what came of the last, or the table."""
    row = replicas.find(db().connection, context.link())
    values: dict[str, object] = {"row": row}
    if row and row.conflict:
        merge = conflicts.preview_merge(db(), context.link(), wanted, seen)
        values |= {"merge": merge, "why": WHY[row.conflict], "text_of": _written_text}
    elif row and (merged := row.versions.merged):
        left_out = [(each, *_find_place(each)) for each in merged.left_out]
        undoable = merged.added and context.access().seq == merged.seq
        values = {"merged": merged, "left_out": left_out, "undoable": undoable}
        # A second tap is refused, and is none.
        refusal = refusal if refusal and refusal.stale else None
    else:
        return redirect_to(url_for("table.page"))
    return render("offline/decide.html", "", refusal, **values)


def _find_place(left_out: NotAdded) -> tuple[str, bool]:
    """Where something belongs: the page of the entry at its moment (True), or of what is near."""
    number, moment = left_out.number, left_out.moment
    if not number:
        return url_for("evening.newest"), False
    try:
        view = context.read_view(number)
    except TableNotFound:
        return url_for("table.page"), False
    for entry in place_entries(view.states, view.game.events):
        if moment == entry.moment and not isinstance(entry.event, ANY_STEP):
            return f"{sheet_address(number)}/entries/{entry.index}", True
    return sheet_address(number, moment.deal if moment else None), False


alone_bp = Blueprint("alone", __name__)

# Bytes of such a file, many times those of the fullest tables.
LARGEST = 200_000_000
NO_FILE = N_("That is not a file of everything. Open files of games under “Open saved games”.")
NEWER = N_("That file was made by a newer version. Close this page, open it again, and retry.")


def is_unsaved() -> bool:
    """Whether there is a finished game at a table that was never saved as it is now."""
    sql = "SELECT 1 FROM changes WHERE at > ? AND table_id IN (SELECT table_id FROM seats) LIMIT 1"
    return db().connection.execute(sql, [read_phone(db()).saved]).fetchone() is not None


@alone_bp.get("/index.html")
@alone_bp.get("/404.html")
def start_file() -> Response:
    """The start page by the names that it has as a file."""
    return redirect_to(url_for("new_table.page"))


@alone_bp.get("/everything.db")
def save_everything() -> Response:
    """All tables, with what else the browser keeps, in one file: its database."""
    save_phone(db(), replace(read_phone(db()), saved=clock.now()))
    db().truncate_log()
    response = make_response(db().path.read_bytes())
    response.mimetype = "application/octet-stream"
    name = f"chicago-{clock.local(clock.now()).date()}.db"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@alone_bp.post("/offline")
def take_in() -> Response:
    """Add the tables of such a file to those that are here."""
    file = request.files.get("file")
    try:
        with _opened(file.stream.read(LARGEST + 1) if file else b"") as other:
            came = _add_all(other)
    except DatabaseUnavailable as error:
        newer = isinstance(error, DatabaseRefused) and error.code == "newer"
        message = context.gettext(NEWER if newer else NO_FILE)
        return render("offline/page.html", "", Refusal(message, HTTPStatus.UNPROCESSABLE_ENTITY))
    application().rendered.clear()
    message = context.language().ngettext(
        "%(num)s table has been added; what was here is unchanged.",
        "%(num)s tables have been added; what was here is unchanged.",
        came,
    )
    return redirect_to(url_for("pwa.offline"), message)


@contextmanager
def _opened(content: bytes) -> Iterator[Database]:
    """A database of these bytes. Raises DatabaseUnavailable for those of anything else."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "everything.db")
        if not content or len(content) > LARGEST:
            raise DatabaseRefused("foreign", path)
        path.write_bytes(content)
        with closing(Database(path)) as other:
            require_sound(other)
            yield other


def _add_all(other: Database) -> int:
    """Add the tables and rule sets of another such database; how many tables came.

    Raises DatabaseRefused where a table cannot be read: then none has come.
    """
    rows = [row for row in replicas.find_waiting(other.connection) if row.link]
    try:
        with db().transaction():
            came = [link for row in rows if (link := _add(other, row))]
    except UNREADABLE_TABLE:
        raise DatabaseRefused("damaged", other.path) from None
    for link in reversed(came):
        cookies.remember_table(link)
    texts = phones.read_rule_sets(other.connection, hash_secret(read_phone(other).pen))
    here = read_state()
    named = {f"rules {name}": text for name, text in texts.items()}
    apply_state({key: text for key, text in named.items() if key not in here})
    return len(came)


def _add(other: Database, row: Waiting) -> str:
    """Add a table, or what it has beyond the one here; its link, nothing where all of it is here.

    Where both went on by themselves it becomes a table of its own, the same each time.
    """
    link, theirs = row.link, read_rows(other.connection, row.table_id, 0)
    here, ours = _find(link)
    if theirs[: len(ours)] != ours[: len(theirs)]:
        link = hash_secret(f"{link} {theirs[-1]}")
        here, ours = _find(link)
    if here and len(theirs) <= len(ours):
        return ""
    if not here:
        # One that was deleted has left its row, so that nobody else gets its link.
        db().connection.table("tables").delete_where("link_hash = ?", [hash_secret(link)])
    table = find_access(other.connection, row.link, None)
    seats = [*other.connection.table("seats").rows_where("table_id = ?", [table.id])]
    figures = msgspec.Raw(msgspec.json.encode(seats))
    known = read_people(other.connection, table.id)
    copy = Replica(link, 0, table.seq, table.erased_seq, known, figures, theirs)
    replicas.put(db(), here, copy)
    return link


def _find(link: str) -> tuple[Waiting | None, list[LogRow]]:
    """A table here, if it is, and its log."""
    here = replicas.find(db().connection, link)
    return here, read_rows(db().connection, here.table_id, 0) if here else []
