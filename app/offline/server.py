"""The server's half: the bundle's files; a phone pulls the rows it lacks, and pushes its own.

Both have the same log up to a version, the phone's base. Its rows above that are made again as
changes, in order, and the answer is the server's rows since the base.
"""

import logging
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from flask import Blueprint, Response, request, send_from_directory
from werkzeug.exceptions import BadRequest, PreconditionRequired

from app.http import context, cookies
from app.http.assets import is_there
from app.http.context import db
from app.http.errors import status_of
from app.http.limits import IMPORTS, NEW_TABLES, one_at_a_time, rate_limit
from app.i18n.errors import error_text
from app.offline.rows import (
    UNREADABLE,
    Batch,
    Gone,
    Head,
    Pull,
    RemoteChange,
    Replica,
    apply_state,
    is_same,
    open_remote_table,
    read_body,
    read_people,
    read_rows,
    read_state,
)
from app.rules.codes import BadFile, ChicagoError, NotAllowed, Stale
from app.rules.names import read_name
from app.services import bounds, figures, table_view
from app.services.access import (
    Access,
    NotFound,
    Write,
    add_pen,
    find_access,
    hash_secret,
    instance_of,
    require_pen,
)
from app.services.commit import commit, derive, form_key
from app.services.opening import add_table
from app.store import clock
from app.store.database import Connection, Database
from app.web.pwa import LISTING, bundle_folder

_log = logging.getLogger(__name__)
bundle_bp = Blueprint("bundle", __name__, url_prefix="/offline")


@bundle_bp.get(f"/{LISTING}")
def listing() -> Response:
    """The list of the bundle's files, which tells of a new release."""
    return _send(LISTING, max_age=0)


@bundle_bp.get("/<hash_>/<name>")
def file(hash_: str, name: str) -> Response:
    """A file of the bundle, which never changes at its address."""
    response = _send(f"{hash_}/{name}")
    response.cache_control.immutable = True
    return response


def _send(name: str, max_age: int | None = None) -> Response:
    """Send a file, compressed where the browser takes it so; kept for a year unless told."""
    packed = bool(request.accept_encodings["br"]) and is_there(bundle_folder() / f"{name}.br")
    response = send_from_directory(
        bundle_folder(),
        f"{name}.br" if packed else name,
        download_name=Path(name).name,
        max_age=max_age,
    )
    if packed:
        response.headers["Content-Encoding"] = "br"
    response.vary.add("Accept-Encoding")
    return response


bp = Blueprint("exchange", __name__, url_prefix="/offline")

# Everybody else waits meanwhile; then the phone comes again with the rows left.
LONGEST_SECONDS = 0.05


@bp.post("/tables/<link>")
@one_at_a_time()
def push() -> Response:
    """Accept a phone's rows of one table, in order, and say how far that went."""
    batch = read_body(Batch)
    if context.link() != batch.link:
        raise BadRequest
    make = _push
    if any(row.kind == "import" for row in batch.rows):
        make = rate_limit(IMPORTS)(_push)
    elif batch.base == 0:
        make = rate_limit(NEW_TABLES)(_push)
    try:
        done, table = make(batch)
    except ChicagoError as fault:
        message = error_text(fault, context.language())
        return _send_json({"message": message}, "table", [b"null"], status=status_of(fault))
    cookies.remember_table(context.link())
    parts = write_replica(db(), table, batch.base, max(done.values()))
    return _send_json({"seqs": done}, "table", parts)


def _push(batch: Batch) -> tuple[dict[int, int], Access]:
    # An opening without one would lock its phone out, were the answer with the cookie lost: it
    # comes again once a pull has given the pen.
    if not (pen := cookies.pen()):
        raise PreconditionRequired
    return accept(db(), batch, pen, LONGEST_SECONDS)


@bp.post("/replicas")
@one_at_a_time()
def pull() -> Response:
    """Send a phone the rows that it does not have of the tables it writes at, and its state."""
    asked, pen = read_body(Pull), cookies.get_or_create_pen()
    # Of the tables of another server this one knows nothing.
    own = {link: seq for link, seq in asked.have.items() if instance_of(link) == context.instance()}
    have = dict.fromkeys(cookies.tables(), 0) | own
    with db().snapshot() as connection:
        behind, gone, lost = find_behind(connection, pen, have)
    # Of a stranger, who writes nowhere, nothing is kept.
    if asked.state and have.keys() - (gone | lost):
        apply_state(asked.state)
    told = {"gone": gone, "state": read_state(), "zone": clock.zone().key}
    told["lost"] = {link: lost[link] for link in lost if link in own}
    # Bundles of before ask again for more.
    told |= {
        "instance": context.instance(),
        "now": clock.write_time(clock.utc_now()),
        "more": False,
    }
    return _send_json(told, "tables", write_replicas(db(), behind))


def _send_json(
    told: dict[str, Any], name: str, parts: Iterable[bytes], status: HTTPStatus = HTTPStatus.OK
) -> Response:
    """Send an object, with a last value that is written meanwhile, compressed where it may be."""
    head = msgspec.json.encode(told)[:-1] + f',"{name}":'.encode()
    parts, headers = chain([head], parts, [b"}"]), {"Cache-Control": "no-store"}
    if request.accept_encodings["gzip"]:
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        parts = _compress(parts)
    return Response(parts, status, headers, mimetype="application/json")


def _compress(parts: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    yield from filter(None, map(packer.compress, parts))
    yield packer.flush()


# So many rows are read at once.
SLICE = 100


def find_behind(
    connection: Connection, pen: str, have: Mapping[str, int]
) -> tuple[list[tuple[Access, int]], dict[str, Gone], dict[str, Head]]:
    """Tables that have changed since the versions of a phone, with these, those gone, and `lost`.

    Version 0 is a table that the phone does not have.
    """
    behind, gone, lost = list[tuple[Access, int]](), dict[str, Gone](), dict[str, Head]()
    for link, base in have.items():
        try:
            table = find_access(connection, link, pen)
        except NotFound:
            if _was_here(connection, link):
                gone[link] = "gone"
            else:
                lost[link] = 0, ""
            continue
        if table.seq < base:
            lost[link] = table.seq, table.at
        elif not table.writes:
            gone[link] = "no_pen"
        elif table.seq != base:
            behind.append((table, base))
    return behind, gone, lost


def _was_here(connection: Connection, link: str) -> bool:
    """Whether anybody ever had a table under a link; one that is deleted leaves its row."""
    return connection.table("tables").count_where("link_hash = ?", [hash_secret(link)]) > 0


def write_replicas(db: Database, behind: list[tuple[Access, int]]) -> Iterator[bytes]:
    """Write a list of tables above versions."""
    opening = b"["
    for table, base in behind:
        yield opening
        yield from write_replica(db, table, base, table.seq)
        opening = b","
    yield b"]" if behind else b"[]"


def write_replica(db: Database, table: Access, base: int, last: int) -> Iterator[bytes]:
    """Write a table above a version, up to another; all of it where something was erased since.

    Others are served in between: what is erased meanwhile makes it older than the next erasure.
    Where a row cannot be read null ends it, which phones take for a table that they cannot read.
    """
    since = base if table.erased_seq <= base <= table.seq else 0
    # Of a few games a phone counts the figures itself.
    has_figures = not since and last == table.seq
    with one_at_a_time(), db.snapshot() as connection:
        known = read_people(connection, table.id)
        names = connection.table("seats").columns_dict if has_figures else {}
        columns = ", ".join(f"'{name}', {name}" for name in names)
        sql = f"SELECT json_group_array(json_object({columns})) FROM seats WHERE table_id = ? AND ?"  # noqa: S608  # our own names
        (seats,) = connection.execute(sql, [table.id, has_figures]).fetchone()
        head = Replica(table.link, since, last, table.erased_seq, known, msgspec.Raw(seats))
        text = msgspec.json.encode(head).removesuffix(b"]}")
    yield text
    comma = b""
    try:
        while since < last:
            with one_at_a_time(), db.snapshot() as connection:
                rows = read_rows(connection, table.id, since, last, SLICE)
            if not rows:
                break
            yield comma + msgspec.json.encode(rows)[1:-1]
            comma, since = b",", rows[-1].seq
    except UNREADABLE:
        _log.exception("a table cannot be sent")
        yield comma + b"null"
    yield b"]}"


def accept(db: Database, batch: Batch, pen: str, seconds: float) -> tuple[dict[int, int], Access]:
    """Accept a phone's rows, in order, for about so many seconds, or up to a refused one.

    Returns the versions that they have here, and the table. Raises Stale where others wrote since
    the base, NoPen, NotFound, NotAllowed, and the first row's refusal; then nothing has changed.
    """
    deadline = time.monotonic() + seconds
    with db.transaction() as connection:
        _open(connection, batch, pen)
        table = require_pen(connection, Write(batch.link, pen))
        done, is_ours = _recognize(connection, table, batch, pen, deadline)
        if not (is_ours or done):
            raise Stale("stale")
        if is_ours:
            _add_people(connection, table.id, batch)
        seq = table.seq
        for row in batch.rows[len(done) :] if is_ours else ():
            if done and time.monotonic() > deadline:
                break
            try:
                change = RemoteChange(row.renumber(done))
                # At this version no key is known: one that comes again is of something else.
                write = Write(batch.link, pen, seq)
                done[row.seq] = seq = commit(db, write, change, row.hashes, row.at).seq
            except ChicagoError:
                if not done:
                    raise
                break
        return done, find_access(connection, batch.link, None)


def _open(connection: Connection, batch: Batch, pen: str) -> None:
    """Open a table under the link that a phone chose, where nobody ever had that."""
    first = batch.rows[0]
    if first.kind != "open" or batch.base or _was_here(connection, batch.link):
        return
    table_id = add_table(connection, batch.link, "")
    _add_people(connection, table_id, batch)
    names = table_view.find_names(connection, table_id)
    open_remote_table(connection, table_id, add_pen(connection, table_id, pen), first, names)
    derive(connection, table_id)
    figures.recount_game(connection, table_id, max(1, first.game))


def _recognize(
    connection: Connection, table: Access, batch: Batch, pen: str, deadline: float
) -> tuple[dict[int, int], bool]:
    """The versions of a batch's first rows that are here, and whether all above its base is ours.

    A row is known by its key, or by that of the same form as the browser sent it here. Raises
    NotAllowed for one that says something else. After the deadline no more is looked at.
    """
    done = dict[int, int]()
    sql = """SELECT seq, kind, key, body FROM changes
        WHERE table_id = ? AND seq > ? AND kind <> 'pens' ORDER BY seq LIMIT ?"""
    found = connection.execute(sql, [table.id, batch.base, len(batch.rows)]).fetchall()
    names = table_view.find_names(connection, table.id)
    # Rows of others behind all of it come with the next pull.
    for row, (seq, kind, key, body) in zip(batch.rows, found, strict=False):
        keys = (row.key, form_key(pen, row.request or b"").key)
        if not row.key or key not in keys or (done and time.monotonic() > deadline):
            return done, False
        # An erasure may have rewritten it.
        known = seq <= table.erased_seq or is_same(row.renumber(done), body, names)
        if kind != row.kind or not known:
            raise NotAllowed("key_reused")
        done[row.seq] = seq
    return done, batch.base <= table.seq


def _add_people(connection: Connection, table_id: int, batch: Batch) -> None:
    """Give people the numbers that they have on a phone.

    Raises Stale where a phone has another name for a number, BadFile, NotAllowed.
    """
    names = table_view.find_names(connection, table_id)
    rows = [(table_id, number, read_name(name), swish) for number, name, swish in batch.people]
    if any(names.get(number, name) != name for _, number, name, _ in rows):
        raise Stale("stale")
    new = {number for number, *_ in batch.people} - names.keys()
    many = len(names) + len(new)
    bounds.check("too_many_people", many, bounds.MAX_NAMES)
    # They follow on each other, as far as any phone reads them.
    if new and max(new) > many:
        raise BadFile("not_a_table")
    if new:
        connection.newest.pop(table_id, None)
    sql = """INSERT INTO people (table_id, number, name, swish) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET swish = COALESCE(swish, excluded.swish)"""
    connection.conn.executemany(sql, rows)
