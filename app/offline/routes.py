"""The server's two calls: a phone pulls the rows it does not have, and pushes its own."""

import zlib
from collections.abc import Iterable, Iterator
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
from app.offline import exchange
from app.offline.exchange import Batch, Pull
from app.rules.codes import ChicagoError
from app.services.access import Access, instance_of
from app.store import clock
from app.web.pwa import LISTING, bundle_folder

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
    batch = exchange.read_body(Batch)
    if context.link() != batch.link:
        raise BadRequest
    accept = _push
    if any(row.kind == "import" for row in batch.rows):
        accept = rate_limit(IMPORTS)(_push)
    elif batch.base == 0:
        accept = rate_limit(NEW_TABLES)(_push)
    try:
        done, table = accept(batch)
    except ChicagoError as fault:
        message = error_text(fault, context.language())
        return _send_json({"message": message}, "table", [b"null"], status=status_of(fault))
    cookies.remember_table(context.link())
    parts = exchange.write_replica(db(), table, batch.base, max(done.values()))
    return _send_json({"seqs": done}, "table", parts)


def _push(batch: Batch) -> tuple[dict[int, int], Access]:
    # An opening without one would lock its phone out, were the answer with the cookie lost: it
    # comes again once a pull has given the pen.
    if not (pen := cookies.pen()):
        raise PreconditionRequired
    return exchange.push(db(), batch, pen, LONGEST_SECONDS)


@bp.post("/replicas")
@one_at_a_time()
def pull() -> Response:
    """Send a phone the rows that it does not have of the tables it writes at, and its state."""
    asked, pen = exchange.read_body(Pull), cookies.get_or_create_pen()
    # Of the tables of another server this one knows nothing.
    own = {link: seq for link, seq in asked.have.items() if instance_of(link) == context.instance()}
    have = dict.fromkeys(cookies.tables(), 0) | own
    with db().snapshot() as connection:
        behind, gone, lost = exchange.find_behind(connection, pen, have)
    # Of a stranger, who writes nowhere, nothing is kept.
    if asked.state and have.keys() - (gone | lost):
        exchange.apply(asked.state)
    told = {"gone": gone, "state": exchange.read_state(), "zone": clock.zone().key}
    told["lost"] = {link: lost[link] for link in lost if link in own}
    # Bundles of before ask again for more.
    told |= {"instance": context.instance(), "now": clock.write_time(clock.moment()), "more": False}
    return _send_json(told, "tables", exchange.write_replicas(db(), behind))


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
