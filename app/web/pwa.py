"""What makes the score keeper an app of its own on a phone: its manifest and its service worker."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec
from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    make_response,
    render_template,
    request,
)
from werkzeug.wrappers import Response as AnyResponse

from app.http import context

bp = Blueprint("pwa", __name__)


def register(app: Flask) -> None:
    """Add the page to the application."""
    app.register_blueprint(bp)


GROUND = "#15231d"
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icons/icon-192.png", "192x192", "image/png", "any"),
    ("icons/icon-512.png", "512x512", "image/png", "any"),
    ("icons/maskable-192.png", "192x192", "image/png", "maskable"),
    ("icons/maskable-512.png", "512x512", "image/png", "maskable"),
)


@bp.get("/app.webmanifest")
def manifest() -> Response:
    """Name, icons and colours for a phone's home screen."""
    return render_manifest(f"{context.prefix()}/")


def render_manifest(start: str) -> Response:
    """The manifest of an app that opens an address first, or its start page."""
    asset = cast("Callable[[str], str]", current_app.jinja_env.globals["asset"])
    home = f"{context.prefix()}/"
    values = {
        "id": home,
        "name": "Chicago",
        "short_name": "Chicago",
        "description": context.language().gettext("Keeps the score of the card game Chicago."),
        "lang": context.language().code,
        "start_url": start,
        "scope": home,
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {"src": asset(name), "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in ICONS
        ],
    }
    response = make_response(msgspec.json.encode(values))
    response.mimetype = "application/manifest+json"
    return response


# Why nothing can be answered: no network, for a page and for a form; the phone could not save, for
# want of room or otherwise; its database cannot be opened; a file of the kit is missing; or else.
REASONS = ("page", "sent", "full", "broken", "unreadable", "incomplete", "failed")


@bp.get(f"/away/<any({', '.join(REASONS)}):reason>")
def away(reason: str) -> str:
    """Say why nothing can be answered: a worker keeps these pages to show them then."""
    return _draw_away(reason)


@bp.get("/sw.js")
def worker() -> AnyResponse:
    """The service worker: served from here because it may look after what lies below it only.

    What a phone keeps for it at its installation is part of it, so that browsers take a new
    release, or another language, for a new worker.
    """
    script = (Path(current_app.static_folder or "") / "sw.js").read_bytes()
    pages = _draw_away("page") + _draw_away("sent")
    release = hashlib.sha256(pages.encode()).hexdigest()[:10]
    response = make_response(script + f"// {release}\n".encode())
    response.mimetype = "text/javascript"
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    return response.make_conditional(request)


def _draw_away(reason: str) -> str:
    return render_template("away.html", reason=reason)
