"""A path in front of all addresses, such as `/chicago`: the score keeper on a host that it shares.

Inside of the application every address begins with `/`, so that a page that is cached is the same
whichever way they came who ask for it. The prefix is taken off where a request comes in (WSGI's
SCRIPT_NAME is what was taken off before), and put before each of our addresses where the answer
goes out. What a stream sends goes out after its request is over: app/http/sse.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Flask, Response, request
from werkzeug.utils import redirect

from app.http import context

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# What servers in front say of it: Home Assistant's, and everybody's.
HEADERS = ("HTTP_X_INGRESS_PATH", "HTTP_X_FORWARDED_PREFIX")
_PREFIX = re.compile(r"(?:/[\w.~-]+)+", re.ASCII)

# Where our pages have addresses. A quote that somebody typed is escaped in every one of them.
_ADDRESS = re.compile(
    rb'(?<=\s)((?:href|src|action|formaction|hx-get|hx-post|data-(?:at|live|part|script|unsent))=")'
    rb"(?=/(?!/))"
)
_MARKUP = "text/html"
_LEADING = ("Location", "HX-Redirect")


def is_prefix(text: str) -> bool:
    """Whether a path is one below which an application may be: plain, and not up again."""
    return bool(_PREFIX.fullmatch(text)) and not {".", ".."} & set(text.split("/"))


class Mount:
    """WSGI middleware that takes the prefix off, whether or not a server in front has done so.

    It is the one that a server told of, of as many as are believed; else the configured one.
    """

    def __init__(self, app: WSGIApplication, configured: str, proxies: int) -> None:
        self._app = app
        self._configured = configured
        self._proxies = proxies

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request as if nothing stood before its path."""
        path = environ.get("PATH_INFO", "")
        prefix = environ.get("SCRIPT_NAME") or self._told(environ) or self._configured
        if prefix and path == prefix:
            return redirect(f"{prefix}/", HTTPStatus.PERMANENT_REDIRECT)(environ, start_response)
        if prefix and path.startswith(f"{prefix}/"):
            environ["PATH_INFO"] = path.removeprefix(prefix)
        environ[context.PREFIX], environ["SCRIPT_NAME"] = prefix, ""
        return self._app(environ, start_response)

    def _told(self, environ: WSGIEnvironment) -> str:
        if not self._proxies:
            return ""
        for header in HEADERS:
            values = environ.get(header, "").split(",")[-self._proxies :]
            told = [value.strip().rstrip("/") for value in values]
            if found := next(filter(is_prefix, told), ""):
                return found
        return ""


def register(app: Flask) -> None:
    """Put the prefix before the addresses in the application's answers."""
    app.after_request(_put_before)


def _put_before(response: Response) -> Response:
    prefix = context.prefix()
    if prefix:
        for name in _LEADING:
            if name in response.headers:
                response.headers[name] = _redirected(response.headers[name], prefix)
        if response.mimetype == _MARKUP:
            response.set_data(put_before(prefix, response.get_data()))
    return response


def put_before(prefix: str, markup: bytes) -> bytes:
    """Put a prefix before the addresses in a page, or in what is sent of it in a stream."""
    return _ADDRESS.sub(rb"\g<1>" + prefix.encode(), markup) if prefix else markup


def _redirected(address: str, prefix: str) -> str:
    """Where a redirection leads; the router writes its own with our host."""
    path = address.removeprefix(request.host_url.rstrip("/"))
    return f"{prefix}{path}" if path.startswith("/") and not path.startswith("//") else address
