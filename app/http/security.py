"""Security headers on every answer, and the guard before every view.

Refused are writes from another site's page (CSRF), and writes at a table without its pen.
"""

import re
from http import HTTPStatus
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request

from app.http import context
from app.services.access import NoPen

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'"
    ),
    # A link to a table is a secret, so it goes nowhere else; `same-origin` keeps Origin on forms.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex, nofollow",
}

# The request headers that pages differ by, besides those that an answer names itself.
VARY = "HX-Request, Cookie, Accept-Language"

_OF_PAYERS = ("notes.pay_to", "notes.say_paid", "notes.save_own_number")
# The forms of a phone without the pen: those that give it, and notes.
FOR_READERS = ("pens.take", "pens.recover", "notes.doubt", *_OF_PAYERS)

# A year. Other hosts of the domain are left alone: they may have no HTTPS. So may other programs of
# a host at which this one has a port or a path of its own, so that nothing is said there.
HSTS = "max-age=31536000"

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def register(app: Flask) -> None:
    """Guard every request and answer of the application."""
    app.before_request(refuse_other_sites)
    app.before_request(context.resolve_table)
    app.before_request(refuse_readers)
    app.after_request(add_headers)


def refuse_other_sites() -> None:
    """Refuse a write that another site's page sends in this phone's name (CSRF)."""
    if request.method not in SAFE_METHODS and not _is_same_site():
        abort(HTTPStatus.FORBIDDEN)


def _is_same_site() -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    # Names with underscores are none to werkzeug, but a home network has such.
    host = request.host or request.headers.get("Host", "")
    if origin is None or origin.endswith(f"://{host}"):
        return True
    # A server in front may hand on no host.
    url = urlsplit(current_app.config["URL"].lower())
    return origin == f"{url.scheme}://{url.netloc}"


def refuse_readers() -> None:
    """Refuse every form sent to a table without its pen, but those that ask for it, and notes.

    Raises NoPen.
    """
    if request.method in SAFE_METHODS or request.endpoint in FOR_READERS:
        return
    if context.has_table() and not context.access().writes:
        raise NoPen("no_pen")


def add_headers(response: Response) -> Response:
    """Add the headers above that a page has not set; no cache on the way stores what people see."""
    headers = response.headers
    own = set(headers.keys())
    for name, value in HEADERS.items():
        if name not in own:
            headers.add(name, value)
    if context.prefix():
        # Another program of the host may show us in a frame.
        policy = headers["Content-Security-Policy"]
        framed = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
        headers["Content-Security-Policy"] = framed
    elif request.is_secure and not re.search(r":[0-9]+$", request.host):
        headers["Strict-Transport-Security"] = HSTS
    if "Cache-Control" not in own and request.endpoint != "static":
        headers.add("Cache-Control", "no-store")
        headers["Vary"] = ", ".join(filter(None, (headers.get("Vary"), VARY)))
    return response
