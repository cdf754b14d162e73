"""The phone as its service worker calls it, with values of JavaScript."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from js import Intl, Object, Response, navigator  # type: ignore[import-not-found]  # the browser's
from pyodide.ffi import to_js  # type: ignore[import-not-found]  # there alone

from app.offline import phone
from app.store.files import DatabaseUnavailable

DATABASE = "/chicago.db"


def begin(file: Any, home: str, alone: bool | None) -> None:  # noqa: ANN401  # JavaScript's
    """Begin, or begin anew, with the file that the worker has kept, if any."""
    phone.stop()
    Path(DATABASE).write_bytes(file.to_bytes() if file else b"")
    zone = Intl.DateTimeFormat.new().resolvedOptions().timeZone
    given = DATABASE, home, bool(alone), zone, ",".join(navigator.languages or ())
    try:
        phone.start(*given)
    except DatabaseUnavailable:
        phone.start_beside(*given)


def respond(request: Any) -> Any:  # noqa: ANN401  # JavaScript's
    """The response to `{method, url, headers, body}`, and what is to be `kept` before it is shown.

    That is `status`, and files by their names; nothing where nothing has changed.
    """
    asked = request.to_py()
    body = asked.get("body") or b""
    sent = asked.get("headers") or []
    content = body.encode() if isinstance(body, str) else body
    found = phone.answer(asked["method"], asked["url"], sent, content)
    # A synthetic response has no address of its own, to which another could be relative.
    headers = [
        (name, urljoin(asked["url"], value) if name == "Location" else value)
        for name, value in found.headers
    ]
    shown = to_js(found.body) if found.body else None
    response = Response.new(shown, status=found.status, headers=to_js(headers))
    kept = None
    if found.changed:
        told = phone.answer("GET", "/offline/status", sent)
        kept = {"status": json.loads(told.body), **phone.collect_changed()}
    return to_js({"response": response, "kept": kept}, dict_converter=Object.fromEntries)
