"""Static files: styles and scripts, minified, the keeper's in one file."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from flask import Response, current_app, g, request
from werkzeug.security import safe_join

TYPES = {".css": "text/css", ".js": "text/javascript"}
# A vendor's file is served as published: a test holds it to its hash.
UNCHANGED = ("vendor/",)
# Beside files that are kept elsewhere: their versions, by name.
VERSIONS = "versions.json"
WORKER = ("network", "storage", "python", "phone", "exchange", "life", "router", "worker")
# Together they compress to less, and come at once; a script comes behind those it uses.
BUNDLES: Mapping[str, Sequence[str]] = {
    "bundles/phone.js": (
        *("install_offline.js", "only_here.js", "waiting.js", "awake.js", "share.js"),
        *("sheets.js", "ahead.js", "heads.js"),
    ),
    "bundles/pages.css": ("sheets.css", "pages.css"),
    "bundles/table.css": ("app.css", "table.css"),
    "bundles/worker.js": tuple(f"worker/{name}.js" for name in WORKER),
    "bundles/table.js": ("app.js", "taps.js", "focus.js", "live.js", "outbox.js"),
}


def send_text(folder: str, name: str) -> Response | None:
    """Answer with styles or scripts, minified; None for any other file, or no file."""
    content = minified(folder, name)
    if content is None:
        return None
    response = Response(content, mimetype=TYPES[Path(name).suffix])
    g.rendered = hashlib.sha256(content).hexdigest()
    response.set_etag(g.rendered, weak=True)
    response.cache_control.public = True
    response.cache_control.max_age = current_app.get_send_file_max_age(name)
    response.make_conditional(request)
    return response


def minified(folder: str, name: str) -> bytes | None:
    """Styles or scripts, minified if they are ours; None for any other file, or no file."""
    if Path(name).suffix not in TYPES:
        return None
    files = find_files(folder, name)
    if not (files and all(map(is_there, files))):
        return None
    if name.startswith(UNCHANGED):
        return files[0].read_bytes()
    return b"\n".join(_minify(file, file.stat().st_mtime_ns) for file in files)


def version(folder: str, name: str) -> str:
    """Return the hash of a static file's content that stands in its address."""
    content = b"".join(file.read_bytes() for file in find_files(folder, name))
    return hashlib.sha256(content).hexdigest()[:10]


def read_versions(folder: str) -> dict[str, str]:
    """The versions of files that are kept elsewhere, as a phone keeps them; else none."""
    path = Path(folder, VERSIONS)
    return dict(json.loads(path.read_bytes())) if path.exists() else {}


def find_files(folder: str, name: str) -> list[Path]:
    """The files that are served under a name; none of them is outside of the folder."""
    paths = [safe_join(folder, part) for part in BUNDLES.get(name, (name,))]
    return [Path(path) for path in paths if path is not None]


def is_there(file: Path) -> bool:
    """Whether there is a file; there is none under a name that is too long."""
    try:
        return file.is_file()
    except OSError:
        return False


@lru_cache(maxsize=64)
def _minify(file: Path, _changed_ns: int) -> bytes:
    """Minify a file once for as long as it does not change."""
    # A phone carries the files minified, and nothing that minifies.
    from rcssmin import cssmin
    from rjsmin import jsmin

    minify: Callable[[str], str] = cssmin if file.suffix == ".css" else jsmin
    return minify(file.read_text(encoding="utf-8")).encode()
