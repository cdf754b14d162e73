"""Styles and scripts as phones get them: without the comments and spaces that are for readers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
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


def send_minified(folder: str, name: str) -> Response | None:
    """Answer with a style sheet or a script, minified; None for any other file, or no file."""
    path = safe_join(folder, name)
    if path is None or Path(path).suffix not in MINIFIERS or name.startswith(UNCHANGED):
        return None
    file = Path(path)
    if not file.is_file():
        return None
    content = _minify(file, file.stat().st_mtime_ns)
    max_age = current_app.get_send_file_max_age(name)
    etag = hashlib.sha256(content).hexdigest()
    return send_file(BytesIO(content), download_name=file.name, max_age=max_age, etag=etag)


@lru_cache(maxsize=64)
def _minify(file: Path, _changed_ns: int) -> bytes:
    """Minify a file once for as long as it does not change."""
    text: str = MINIFIERS[file.suffix](file.read_text(encoding="utf-8"))
    return text.encode()
