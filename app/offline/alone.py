"""A browser that is its own server: everything in one file, out of it and in again."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from flask import Blueprint, Response, make_response, request, url_for
from msgspec.structs import replace

from app.http import context, cookies
from app.http.application import application
from app.http.context import db
from app.http.forms import Refusal, redirect_to
from app.i18n.language import N_
from app.offline import exchange, replicas
from app.offline.exchange import Replica, write_replica
from app.offline.replicas import UNREADABLE_TABLE, Waiting, read_phone, save_phone
from app.services import phones
from app.services.access import find_access, hash_secret
from app.services.rows import LogRow, read_rows
from app.store import clock
from app.store.database import Connection, Database
from app.store.files import DatabaseRefused, DatabaseUnavailable
from app.web.templates import render

bp = Blueprint("alone", __name__)

# Bytes of such a file, many times those of the fullest tables.
LARGEST = 200_000_000
NO_FILE = N_("That is not a file of everything. Open files of games under “Open saved games”.")
NEWER = N_("That file was made by a newer version. Close this page, open it again, and retry.")


def is_unsaved() -> bool:
    """Whether there is a finished game at a table that was never saved as it is now."""
    sql = "SELECT 1 FROM changes WHERE at > ? AND table_id IN (SELECT table_id FROM seats) LIMIT 1"
    return db().connection.execute(sql, [read_phone(db()).saved]).fetchone() is not None


@bp.get("/index.html")
@bp.get("/404.html")
def start_file() -> Response:
    """The start page by the names that it has as a file."""
    return redirect_to(url_for("new_table.page"))


@bp.get("/everything.db")
def save() -> Response:
    """All tables, with what else the browser keeps, in one file: its database."""
    save_phone(db(), replace(read_phone(db()), saved=clock.now()))
    db().truncate_log()
    response = make_response(db().path.read_bytes())
    response.mimetype = "application/octet-stream"
    name = f"chicago-{clock.local(clock.now()).date()}.db"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@bp.post("/offline")
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
        other = Database(path)
        try:
            (found,) = other.connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise DatabaseRefused("damaged", path)
            yield other
        finally:
            other.close()


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
    here = exchange.read_state()
    named = {f"rules {name}": text for name, text in texts.items()}
    exchange.apply({key: text for key, text in named.items() if key not in here})
    return len(came)


def _add(other: Database, row: Waiting) -> str:
    """Add a table, or what it has beyond the one here; its link, nothing where all of it is here.

    Where both went on by themselves it becomes a table of its own, the same each time.
    """
    table = find_access(other.connection, row.link, None)
    replica = msgspec.json.decode(b"".join(write_replica(other, table, 0, table.seq)), type=Replica)
    theirs = _read_log(other.connection, row)
    here, ours = _find(row.link)
    if not _agree(ours, theirs):
        twin = hash_secret(f"{row.link} {theirs[-1]}")
        replica, (here, ours) = replace(replica, link=twin), _find(twin)
    if here and len(theirs) <= len(ours):
        return ""
    if not here:
        # One that was deleted has left its row, so that nobody else gets its link.
        hashed = [hash_secret(replica.link)]
        db().connection.table("tables").delete_where("link_hash = ?", hashed)
    replicas.put(db(), here, replica)
    return replica.link


def _agree(some: list[LogRow], others: list[LogRow]) -> bool:
    """Whether the longer of two logs begins as the other."""
    shorter = min(len(some), len(others))
    return some[:shorter] == others[:shorter]


def _find(link: str) -> tuple[Waiting | None, list[LogRow]]:
    """A table here, if it is, and its log."""
    here = replicas.find(db().connection, link)
    return here, _read_log(db().connection, here) if here else []


def _read_log(connection: Connection, row: Waiting) -> list[LogRow]:
    rows = read_rows(connection, row.table_id, 0)
    return [replace(each, key=None, request=None) for each in rows]
