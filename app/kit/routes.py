"""The kit as phones fetch it: compressed beforehand, each file under its hash; 404 without a kit.

The worker's script alone has an address that stays, may look after the whole site, and may compile
WebAssembly.
"""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, request, send_from_directory

from app.http.assets import LISTING, WORKER, folder, is_there

WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
# How a file is compressed, and the ending of the file where that is; the best comes first.
ENCODINGS = {"br": ".br", "gzip": ".gz"}
# What the system may not know, or name otherwise.
TYPES = {
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
}

bp = Blueprint("kit", __name__, url_prefix="/offline")


def register(app: Flask) -> None:
    """Add the files to the application."""
    app.register_blueprint(bp)


@bp.get(f"/{LISTING}")
def listing() -> Response:
    """What is in the kit."""
    return _uncached(_send(LISTING))


@bp.get(f"/{WORKER}")
def worker() -> Response:
    """The service worker that answers without a network."""
    response = _uncached(_send(WORKER))
    response.headers["Service-Worker-Allowed"] = "/"
    response.headers["Content-Security-Policy"] = WORKER_POLICY
    return response


@bp.get("/<hash_>/<name>")
def file(hash_: str, name: str) -> Response:
    """A file of the kit, which never changes at its address."""
    response = _send(f"{hash_}/{name}")
    response.cache_control.immutable = True
    return response


def _send(name: str) -> Response:
    """Send a file as the request accepts it."""
    accepted = [each for each in ENCODINGS if request.accept_encodings[each]]
    for encoding in accepted:
        path = f"{name}{ENCODINGS[encoding]}"
        if is_there(folder() / path):
            response = _send_file(path, name)
            response.headers["Content-Encoding"] = encoding
            return response
    return _send_file(name, name)


def _send_file(path: str, name: str) -> Response:
    response = send_from_directory(
        folder(),
        path,
        mimetype=TYPES.get(Path(name).suffix),
        download_name=Path(name).name,
        max_age=current_app.get_send_file_max_age(name),
    )
    response.vary.add("Accept-Encoding")
    return response


def _uncached(response: Response) -> Response:
    """Have it asked for each time: it tells of a new release."""
    response.headers["Cache-Control"] = "no-cache"
    response.headers.pop("Expires", None)
    return response
