"""The bundle as phones fetch it, each file under its hash; 404 on a server without a bundle."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, request, send_from_directory

from app.http.assets import LISTING, folder, is_there

bp = Blueprint("bundle", __name__, url_prefix="/offline")


@bp.get(f"/{LISTING}")
def listing() -> Response:
    """The list of what is in the bundle, which tells of a new release."""
    return _send(LISTING, max_age=0)


@bp.get("/<hash_>/<name>")
def file(hash_: str, name: str) -> Response:
    """A file of the bundle, which never changes at its address."""
    response = _send(f"{hash_}/{name}")
    response.cache_control.immutable = True
    return response


def _send(name: str, max_age: int | None = None) -> Response:
    """Send a file, compressed where the browser takes it so; kept for a year unless told."""
    packed = bool(request.accept_encodings["br"]) and is_there(folder() / f"{name}.br")
    response = send_from_directory(
        folder(),
        f"{name}.br" if packed else name,
        download_name=Path(name).name,
        max_age=max_age,
    )
    if packed:
        response.headers["Content-Encoding"] = "br"
    response.vary.add("Accept-Encoding")
    return response
