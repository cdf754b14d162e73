"""Styles and scripts as phones get them: minified, and those of the keeper's page in one file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from flask import Response, current_app, send_file
from rcssmin import cssmin
from rjsmin import jsmin
from werkzeug.security import safe_join

MINIFIERS: Mapping[str, Callable[[str], str]] = {".css": cssmin, ".js": jsmin}
# What others wrote is served as they published it: a test holds it to its hash.
UNCHANGED = ("vendor/",)
# Together they compress to less, and come at once; what a script uses comes before it.
BUNDLES: Mapping[str, Sequence[str]] = {
    "bundles/table.css": ("app.css", "table.css"),
    "bundles/table.js": ("app.js", "kit.js", "installed.js", "focus.js", "live.js", "outbox.js"),
}


def send_minified(folder: str, name: str) -> Response | None:
    """Answer with styles or scripts, minified; None for any other file, or no file."""
    if Path(name).suffix not in MINIFIERS or name.startswith(UNCHANGED):
        return None
    files = find_files(folder, name)
    if not (files and all(file.is_file() for file in files)):
        return None
    content = b"\n".join(_minify(file, file.stat().st_mtime_ns) for file in files)
    return send_file(
        BytesIO(content),
        download_name=Path(name).name,
        max_age=current_app.get_send_file_max_age(name),
        etag=hashlib.sha256(content).hexdigest(),
    )


def find_files(folder: str, name: str) -> list[Path]:
    """The files that are served under a name; none of them is outside of the folder."""
    paths = [safe_join(folder, part) for part in BUNDLES.get(name, (name,))]
    return [Path(path) for path in paths if path is not None]


@lru_cache(maxsize=64)
def _minify(file: Path, _changed_ns: int) -> bytes:
    """Minify a file once for as long as it does not change."""
    text: str = MINIFIERS[file.suffix](file.read_text(encoding="utf-8"))
    return text.encode()
