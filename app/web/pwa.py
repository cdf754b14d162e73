"""The score keeper as an app of its own: manifest, service worker, and what it says offline."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import msgspec
import segno
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    render_template,
    request,
    session,
)
from markupsafe import Markup
from msgspec import Struct

from app.http import context, cookies
from app.http.assets import version
from app.http.forms import redirect_to
from app.i18n.language import N_
from app.store import clock
from app.web.templates import render

if TYPE_CHECKING:
    from app.http.address import Obstacle

WORDS: Mapping[Obstacle, str] = {
    "here": N_(
        "There is no code to scan: only this machine can reach the score keeper, since it listens"
        " to no network or there is none."
    ),
    "unknown": N_(
        "There is no code to scan: the score keeper cannot tell by which name other phones reach"
        " it. Open this page by the name or the address of the machine in the network, or set"
        " CHICAGO_URL to it."
    ),
}


def draw_code(address: str, error: str = "m", border: int = 3) -> str:
    """An address of ours as a QR code, in SVG; or in words why other phones cannot open it.

    Nothing where none holds so long an address.
    """
    obstacle = context.obstacle()
    if obstacle:
        reason = context.gettext(WORDS[obstacle])
        return Markup('<p class="hint">{}</p>').format(reason)
    try:
        code = segno.make(address, error=error)
    except segno.DataOverflowError:
        return ""
    return str(code.svg_inline(scale=4, border=border, light="#fff", omitsize=True))


bp = Blueprint("pwa", __name__)


GROUND = "#101d17"
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


def render_manifest(start: str, home: str = "") -> Response:
    """The manifest of an app that opens an address first; of a folder that is `home`, if given."""
    asset = cast("Callable[[str], str]", current_app.jinja_env.globals["asset"])
    below, home = (home, home) if home else ("", f"{context.prefix()}/")
    values = {
        "id": home,
        "name": "Chicago",
        "short_name": "Chicago",
        "description": context.gettext("Keeps the score of the card game Chicago."),
        "lang": context.language().code,
        "start_url": start,
        "scope": home,
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {
                "src": below + asset(name).removeprefix("/" if below else ""),
                "sizes": sizes,
                "type": kind,
                "purpose": purpose,
            }
            for name, sizes, kind, purpose in ICONS
        ],
    }
    response = make_response(msgspec.json.encode(values))
    response.mimetype = "application/manifest+json"
    return response


# The bundle that phones take along, where this server has one.
LISTING = "kit.json"


class BundleFile(Struct, frozen=True, omit_defaults=True):
    """A file of the bundle, its hash for `fetch`, and the bytes that are fetched for it.

    `url` is its address below the start page; `packed` that of it as gzip, where that is fetched.
    `type` is what it is: a host's word for that may be wrong, and then nothing compiles Python.
    """

    name: str
    url: str
    type: str
    integrity: str
    download: int
    packed: str = ""


class Bundle(Struct, frozen=True):
    """A bundle's list as its worker needs it, and how many bytes a phone fetches.

    `schema` is how many migrations its database has.
    """

    release: str
    abi: str
    schema: int
    files: tuple[BundleFile, ...]
    download: int

    @property
    def licences(self) -> str:
        """The address of the licences of all that it carries; empty where it has none."""
        return next((file.url for file in self.files if file.name == "licences.txt"), "")


def bundle_folder() -> Path:
    """The folder of the offline bundle; it may be missing."""
    return Path(current_app.config["KIT"])


def find_bundle() -> Bundle | None:
    """The bundle that is there now, or None; another version's is none."""
    path = bundle_folder() / LISTING
    try:
        return _read_listing(path, path.stat().st_mtime_ns)
    except (OSError, msgspec.ValidationError):
        return None


@lru_cache(maxsize=4)
def _read_listing(path: Path, _changed_ns: int) -> Bundle:
    """Read a bundle's list once for as long as it does not change."""
    return msgspec.json.decode(path.read_bytes(), type=Bundle)


# The worker alone may compile WebAssembly.
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
PYTHON = {"pyodide.js": "{ loadPyodide }", "pyodide.asm.js": "createPyodideModule"}
SCRIPT = "bundles/worker.js"


@bp.get("/worker.js")
def worker() -> Response:
    """The service worker, for the addresses below its own; with `kit` it starts the bundle.

    404 where there is none: the phone keeps the worker that it has.
    """
    bundle = None
    if "kit" in request.args:
        bundle = find_bundle() or abort(404)
    response = make_response(_write_worker(bundle))
    response.mimetype = "text/javascript"
    response.headers["Cache-Control"] = "no-cache"
    if bundle:
        response.headers["Content-Security-Policy"] = WORKER_POLICY
    response.add_etag()
    response.make_conditional(request)
    return response


def _write_worker(bundle: Bundle | None) -> str:
    """Write the lines that begin the worker; others for another release, bundle or language."""
    words = {reason: draw_away(reason) for reason in ("page", "sent")}
    lines, config = [], {"words": msgspec.json.encode(words).decode()}
    if bundle:
        urls = {file.name: file.url for file in bundle.files}
        lines = [f'import {what} from "./{urls[name]}";' for name, what in PYTHON.items()]
        config["kit"] = msgspec.json.encode(bundle).decode()
        config |= {name: name for name in ("loadPyodide", "createPyodideModule")}
    values = ", ".join(f"{name}: {value}" for name, value in config.items())
    script = f"./static/{SCRIPT}?v={version(current_app.static_folder or '', SCRIPT)}"
    lines += [f'import {{ serve }} from "{script}";', f"serve({{ {values} }});", ""]
    return "\n".join(lines)


def draw_away(reason: str) -> str:
    """Say why nothing can be answered: without a network a `page`, or a form that was `sent`.

    Or the phone could not save, for want of room (`full`) or otherwise (`broken`); its database
    cannot be opened (`unreadable`); or else (`failed`).
    """
    return render_template("away.html", reason=reason)


# A page of ours; `//host` would be another site.
_INSIDE = re.compile(r"/([\w-][\w./-]*)?")


@bp.post("/language")
def language() -> Response:
    """Speak another language from now on, and go back to the page."""
    cookies.choose_language(request.form.get("language", ""))
    return _lead_back()


@bp.get("/t/<link>/dark")
def dark() -> Response:
    """The page that tells how the screen stays on without HTTPS."""
    return render("dark.html")


@bp.post("/http")
def know_of_http() -> Response:
    """Hide the line that without HTTPS the screen may go dark."""
    session["http"] = True
    return Response() if context.wants_fragment() else _lead_back()


def _lead_back() -> Response:
    back = request.form.get("back", "/")
    return redirect_to(f"{context.prefix()}{back if _INSIDE.fullmatch(back) else '/'}")


MEGABYTE = 1_000_000
# How long something may be on this phone alone before the page gets more pressing.
HOURS, DAYS = timedelta(hours=1), timedelta(hours=12)

Urgency = Literal["minutes", "hours", "days"]


class OnlyHere(Struct, frozen=True):
    """Facts on this phone alone: entries, tables, and since when (ISO 8601).

    `conflicts`: at how many of the tables somebody else has written meanwhile. `address` is the
    page that tells more.
    """

    waiting: int
    tables: int
    since: str
    conflicts: int = 0
    address: str = "/offline"

    @property
    def urgency(self) -> Urgency:
        """The urgency of waiting changes by their age."""
        age = clock.utc_now() - datetime.fromisoformat(self.since)
        return "minutes" if age < HOURS else "hours" if age < DAYS else "days"

    @property
    def key(self) -> str:
        """Identity of the banner, by which the page's script tells whether it is still the same."""
        return f"{self.waiting} {self.tables} {self.conflicts} {self.since}"


@bp.get("/offline")
def offline() -> Response:
    """The setting, how it stands, and which tables are only on this phone."""
    if not (find_bundle() or current_app.config["PHONE"]):
        abort(404)
    return render("offline/page.html")


@bp.app_template_filter("megabytes")
def megabytes(size: int) -> str:
    """Bytes as people are told of them: `5 MB`."""
    return f"{context.language().number(round(size / MEGABYTE))}\N{NO-BREAK SPACE}MB"


@bp.app_template_filter("only_here_text")
def _only_here_text(here: OnlyHere) -> str:
    """Sentence for facts that are only on this phone."""
    language = context.language()
    if here.conflicts:
        return language.gettext("Some of it cannot be sent as it is. See what would happen.")
    if here.waiting:
        return language.ngettext(
            "%(num)s tap is saved here and is sent when the network is back.",
            "%(num)s taps are saved here and are sent when the network is back.",
            here.waiting,
        )
    return language.ngettext(
        "%(num)s table is saved here and is sent when the network is back.",
        "%(num)s tables are saved here and are sent when the network is back.",
        here.tables,
    )
