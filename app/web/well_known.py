"""What browsers and programs ask every site for: an icon, what to leave out, whom to write to."""

from datetime import timedelta

from flask import Blueprint, Response, current_app, make_response

from app.http import context
from app.store.clock import utc_now

bp = Blueprint("well_known", __name__)

# Whoever shows what a link leads to may look at it, and is told no names.
ROBOTS = """\
User-agent: facebookexternalhit
User-agent: Twitterbot
Disallow:

User-agent: *
Disallow: /t/
Disallow: /transfer
Disallow: /start
Disallow: /api/
Disallow: /offline/
"""
SECURITY = """\
# Faults of the program itself are for its maintainers: SECURITY.md tells how to report them.
Contact: {contact}
Expires: {expires}
Preferred-Languages: sv, fi, en
"""
# Whoever keeps the file asks again after so long.
EXPIRES = timedelta(days=90)


@bp.get("/favicon.ico")
def icon() -> Response:
    """The icon, for who does not read that a page names one."""
    return current_app.send_static_file("icons/favicon.ico")


@bp.get("/robots.txt")
def robots() -> Response:
    """Search engines are to leave out tables."""
    return _text(ROBOTS)


@bp.get("/.well-known/security.txt")
def security() -> Response:
    """Whom to tell of a fault (RFC 9116): as configured, else the server itself."""
    contact = current_app.config["CONTACT"] or context.shareable_url(f"{context.prefix()}/")
    expires = (utc_now() + EXPIRES).strftime("%Y-%m-%dT00:00:00Z")
    return _text(SECURITY.format(contact=contact, expires=expires))


def _text(text: str) -> Response:
    response = make_response(text)
    response.mimetype = "text/plain"
    return response
