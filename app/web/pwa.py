"""Web app manifest and service worker, which make the score keeper an app of its own."""

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
    abort,
    current_app,
    make_response,
    render_template,
    request,
)
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.assets import Kit, find_kit, kit_available, version

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


# The worker alone may compile WebAssembly.
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
PYTHON = {"pyodide.mjs": "{ loadPyodide }", "pyodide.asm.mjs": "createPyodideModule"}


@bp.get("/worker.js")
def worker() -> AnyResponse:
    """The service worker, for what lies below its address; with `kit` it has the kit to start.

    404 where there is none: the phone keeps the worker that it has.
    """
    kit = None
    if "kit" in request.args:
        kit = find_kit() if kit_available() else abort(404)
    response = make_response(_write_worker(kit))
    response.mimetype = "text/javascript"
    response.headers["Cache-Control"] = "no-cache"
    if kit:
        response.headers["Content-Security-Policy"] = WORKER_POLICY
    response.add_etag()
    return response.make_conditional(request)


def _write_worker(kit: Kit | None) -> str:
    """Write the lines that begin the worker; others for another release, kit or language."""
    lines, config = [], {"release": msgspec.json.encode(_find_release()).decode()}
    if kit:
        urls = {file.name: file.url for file in kit.files}
        lines = [f'import {what} from "{urls[name]}";' for name, what in PYTHON.items()]
        config["kit"] = msgspec.json.encode(kit).decode()
        config |= {name: name for name in ("loadPyodide", "createPyodideModule")}
    values = ", ".join(f"{name}: {value}" for name, value in config.items())
    lines += ['import { serve } from "./static/worker/worker.js";', f"serve({{ {values} }});", ""]
    return "\n".join(lines)


def _find_release() -> str:
    """A hash of the worker's scripts, and of its words in this language."""
    folder = current_app.static_folder or ""
    scripts = sorted(Path(folder, "worker").glob("*.js"))
    versions = [version(folder, f"worker/{path.name}") for path in scripts]
    words = [_draw_away(reason) for reason in REASONS]
    return hashlib.sha256("".join(versions + words).encode()).hexdigest()[:10]


def _draw_away(reason: str) -> str:
    return render_template("away.html", reason=reason)
